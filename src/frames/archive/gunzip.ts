import { MAX_UNPACKED_BYTES } from "../reader_limits.ts";
import { refuseFile } from "../refuse_file.ts";
import { findSizeProblem } from "./unzip.ts";

/**
 * Unpacks a gzip file. The size that its end states is checked first, and no more is unpacked than that.
 *
 * @throws {DataFormatError} If it is not a complete gzip file, or a bomb
 */
export async function gunzip(
  bytes: Uint8Array<ArrayBuffer>,
  file: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const refuse = (found: string, cause?: unknown) => refuseFile(file, found, { cause });
  const incomplete =
    "it is not a complete gzip file of one part. Download it again, or pack it again";
  if (bytes.length < 18) refuse(incomplete);
  const size = new DataView(bytes.buffer, bytes.byteOffset).getUint32(bytes.length - 4, true);
  const problem = findSizeProblem("it", size, bytes.length, MAX_UNPACKED_BYTES);
  if (problem !== undefined) refuse(`${problem}. If it is cut off, download it again`);
  const unpacked = new Uint8Array(size);
  let length = 0;
  try {
    const parts = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
    for await (const part of parts) {
      unpacked.set(part, length); // fails where there is more than the file states
      length += part.length;
    }
  } catch (cause) {
    refuse(incomplete, cause);
  }
  if (length < size) refuse(incomplete);
  return unpacked;
}
