import { unzipMember } from "../../../src/frames/archive/unzip.ts";

/** The content of the one member of a zip archive that has such an ending. */
export async function unzipOne(
  bytes: Uint8Array,
  file: string,
  ending: string,
): Promise<Uint8Array> {
  let content = new Uint8Array(0);
  let length = 0;
  const take = (part: Uint8Array) => {
    content.set(part, length);
    length += part.length;
  };
  await unzipMember(bytes, file, ending, take, ({ size }) => content = new Uint8Array(size));
  return content;
}
