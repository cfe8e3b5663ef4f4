/** A part of a file: first byte, and position after the last one. */
interface ByteRange {
  /** First byte. */
  readonly from: number;
  /** Position after the last byte. */
  readonly to: number;
}

/**
 * Reads the part that a `Range` header requests (RFC 9110, 14.2).
 *
 * @param size Size of the whole, bytes
 * @returns The part; "unsatisfiable" where it is outside of the file; `undefined` for what is answered in whole: no header,
 * another unit, several parts, or not a range
 */
export function readByteRange(
  header: string | null | undefined,
  size: number,
): ByteRange | "unsatisfiable" | undefined {
  const match = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? "");
  if (!match) return undefined;
  const [, first, last] = match;
  if (first === "") {
    if (last === "") return undefined;
    const length = Number(last); // the last bytes, however many there are
    return length === 0 || size === 0
      ? "unsatisfiable"
      : { from: Math.max(0, size - length), to: size };
  }
  const from = Number(first);
  const to = last === "" ? size : Math.min(Number(last) + 1, size);
  if (last !== "" && Number(last) < from) return undefined;
  return from >= size ? "unsatisfiable" : { from, to };
}

/** The `Content-Range` of a part. */
export function formatContentRange({ from, to }: ByteRange, size: number): string {
  return `bytes ${from}-${to - 1}/${size}`;
}
