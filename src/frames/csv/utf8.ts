import { isUtf8 } from "node:buffer";
import { refuseFile } from "../refuse_file.ts";

/**
 * Refuses bytes that are not UTF-8.
 *
 * @param bytes The bytes; they begin and end between two characters
 * @param advice What to do about it
 * @param offset Position of the first byte in the file
 * @throws {DataFormatError} If they are not UTF-8; the message names the first wrong byte
 */
export function assertUtf8(
  bytes: Uint8Array,
  file: string,
  advice = "Save it as UTF-8",
  offset = 0,
): void {
  if (isUtf8(bytes)) return;
  refuseFile(file, `byte ${offset + findInvalidByte(bytes)} is not UTF-8. ${advice}`);
}

/** Finds the first wrong byte by bisection: a streaming decoder fails on it, and on no byte before it. */
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
  // The decoder fails on a byte that does not continue a character: the fault is where that character begins.
  let first = invalid - 1;
  while (!isUtf8(bytes.subarray(0, first))) first--;
  return first;
}
