import { DataFormatError } from "../api/errors.ts";

/** Most bytes that one member may unfold to: twenty years of hourly data take a hundredth of it. */
export const MAX_MEMBER_BYTES = 1_000_000_000;

/** Most members that an archive may have. */
const MAX_MEMBERS = 1000;

/** A fixed time keeps the same data the same bytes. */
const MEMBER_TIME = new Date("2000-01-01T00:00:00Z");

/** In this process: a worker would need permissions of its own, and outlive the call. */
const settings = { useWebWorkers: false } as const;

/** Whether bytes begin like a zip archive. */
export function isZip(bytes: Uint8Array): boolean {
  return bytes[0] === 0x50 && bytes[1] === 0x4b &&
    (bytes[2] === 3 && bytes[3] === 4 || bytes[2] === 5 && bytes[3] === 6);
}

/**
 * Makes a zip archive.
 *
 * @param members Contents by name
 */
export async function zip(members: Readonly<Record<string, Uint8Array>>): Promise<Uint8Array> {
  const { Uint8ArrayReader, Uint8ArrayWriter, ZipWriter } = await import("@zip.js/zip.js");
  const writer = new ZipWriter(new Uint8ArrayWriter(), {
    ...settings,
    extendedTimestamp: false,
    lastModDate: MEMBER_TIME,
  });
  for (const [name, bytes] of Object.entries(members)) {
    await writer.add(name, new Uint8ArrayReader(bytes));
  }
  return await writer.close();
}

/** Collects a member, and stops when it unfolds to more than it says. */
function limitedTo(size: number): { stream: WritableStream<Uint8Array>; bytes: Uint8Array } {
  const bytes = new Uint8Array(size);
  let length = 0;
  const stream = new WritableStream<Uint8Array>({
    write(part) {
      if (length + part.length > size) throw new Error(`it unfolds to more than ${size} bytes`);
      bytes.set(part, length);
      length += part.length;
    },
    close() {
      if (length !== size) throw new Error(`it unfolds to ${length} bytes, not ${size}`);
    },
  });
  return { stream, bytes };
}

/**
 * The content of the one member of a zip archive that has such an ending; nothing is ever written by a member's name.
 *
 * @param bytes The archive
 * @param file Its name, for messages
 * @param ending Ending of the member's name, lower case
 * @throws {DataFormatError} If the archive is damaged or encrypted, its checksum is wrong, or it has no such member or several
 */
export async function unzipOne(
  bytes: Uint8Array,
  file: string,
  ending: string,
): Promise<Uint8Array> {
  const { Uint8ArrayReader, ZipReader } = await import("@zip.js/zip.js");
  const reader = new ZipReader(new Uint8ArrayReader(bytes), {
    ...settings,
    checkSignature: true,
    filenameValidation: "tolerant", // a name leads nowhere here: it is only compared
  });
  const refuse = (found: string, cause?: unknown): never => {
    throw new DataFormatError(`Cannot unzip ${file}: ${found}`, { cause });
  };
  try {
    const entries = await reader.getEntries();
    if (entries.length > MAX_MEMBERS) refuse(`it has ${entries.length} members`);
    const found = entries.filter((entry) =>
      !entry.directory && entry.filename.toLowerCase().endsWith(ending)
    );
    const [entry] = found;
    if (found.length !== 1 || entry.directory) {
      const names = entries.slice(0, 10).map(({ filename }) => JSON.stringify(filename));
      return refuse(
        `it has ${found.length} members that end in "${ending}", not one. Its members are ${
          names.join(", ")
        }`,
      );
    }
    if (entry.encrypted) refuse("its member is encrypted. Ask for it without a password");
    if (entry.uncompressedSize > MAX_MEMBER_BYTES) {
      refuse(
        `a member unfolds to ${entry.uncompressedSize} bytes, more than ${MAX_MEMBER_BYTES}`,
      );
    }
    const member = limitedTo(entry.uncompressedSize);
    await entry.getData(member.stream, { ...settings, checkSignature: true });
    return member.bytes;
  } catch (cause) {
    if (cause instanceof DataFormatError) throw cause;
    return refuse(`it is damaged or not allowed (${(cause as Error).message})`, cause);
  } finally {
    await reader.close();
  }
}
