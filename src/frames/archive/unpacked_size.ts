import { MAX_RATIO, RATIO_FROM_BYTES } from "../reader_limits.ts";

/**
 * Says why content must not be unpacked, before memory is taken for it; `undefined` where it may.
 *
 * @param what What it is, at the beginning of a sentence
 * @param size Its uncompressed bytes, as stated
 * @param packed Its packed bytes
 * @param maxBytes Uncompressed bytes at most
 */
export function findSizeProblem(
  what: string,
  size: number,
  packed: number,
  maxBytes: number,
): string | undefined {
  if (size > maxBytes) return `${what} has ${size} bytes unpacked, more than ${maxBytes}`;
  if (size <= RATIO_FROM_BYTES || size <= MAX_RATIO * packed) return undefined;
  return `${what} of ${packed} bytes has ${size} bytes unpacked, more than ${MAX_RATIO} times as many. ` +
    "Tables do not compress so well: unpack it by hand if you trust it";
}
