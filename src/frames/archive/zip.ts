import { zipSettings } from "./unzip.ts";

/** A fixed time, so that equal data give equal bytes. Archives store local time: this is midnight in each zone. */
const MEMBER_TIME = new Date(2000, 0, 1);

/** Whether bytes begin like a zip archive. */
export function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b &&
    (bytes[2] === 3 && bytes[3] === 4 || bytes[2] === 5 && bytes[3] === 6);
}

/** Makes a zip archive. */
export async function zip(members: Readonly<Record<string, Uint8Array>>): Promise<Uint8Array> {
  const { Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } = await import("@zip.js/zip.js");
  const writer = new ZipWriter(new Uint8ArrayWriter(), {
    ...zipSettings,
    extendedTimestamp: false,
    lastModDate: MEMBER_TIME,
  });
  for (const [name, bytes] of Object.entries(members)) {
    await writer.add(name, new Uint8ArrayReader(bytes));
  }
  return await writer.close();
}

/** First bytes of Excel files before 2007, and of those with a password. */
const SIGNATURE = [0xd0, 0xcf, 0x11, 0xe0];

/** Whether a file that begins with these bytes is an old workbook, or one with a password. */
export function isCompoundFile(bytes: Uint8Array): boolean {
  return SIGNATURE.every((byte, i) => bytes[i] === byte);
}
