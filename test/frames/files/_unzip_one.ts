import { unzipMember } from "../../../src/frames/files/archive.ts";

/** Returns the content of the only member of a zip archive with such an ending. */
export async function unzipOne(
  bytes: Uint8Array,
  file: string,
  ending: string,
): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  await unzipMember(bytes, file, ending, (part) => void parts.push(part.slice()));
  return new Uint8Array(Buffer.concat(parts));
}
