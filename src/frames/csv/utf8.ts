import { isUtf8 } from "node:buffer";
import { DataFormatError } from "../../api/errors.ts";

/**
 * Refuses bytes that are no UTF-8.
 *
 * @param bytes The bytes; they begin and end between two letters
 * @param file Name of the file, for messages
 * @param offset Position of the first byte in the file
 * @throws {DataFormatError} Which names the position of the first wrong byte
 */
export function assertUtf8(bytes: Uint8Array, file: string, offset = 0): void {
  if (isUtf8(bytes)) return;
  throw new DataFormatError(
    `Cannot read ${file}: byte ${offset + findInvalidByte(bytes)} is not UTF-8. Save it as UTF-8`,
  );
}

/** Position of the first byte that no UTF-8 text has there. A decoder that may expect more bytes fails on it, and on nothing before. */
function findInvalidByte(bytes: Uint8Array): number {
  const fails = (length: number) => {
    try {
      new TextDecoder("utf-8", { fatal: true }).decode(bytes.subarray(0, length), { stream: true });
      return false;
    } catch {
      return true;
    }
  };
  let [valid, invalid] = [0, bytes.length];
  while (invalid - valid > 1) {
    const middle = (valid + invalid) >> 1;
    if (fails(middle)) invalid = middle;
    else valid = middle;
  }
  // It failed on a byte that does not go on with what came before: the fault is where that began.
  let first = invalid - 1;
  while (!isUtf8(bytes.subarray(0, first))) first--;
  return first;
}
