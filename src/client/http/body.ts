import { DataFormatError } from "../../api/errors.ts";

/** The body of an answer as it comes in. */
export interface Body {
  /** HTTP status. */
  readonly status: number;
  readonly headers: Headers;
  /**
   * Whether truncation would be noticed: the answer states its length, or comes in chunks. A body that ends with the
   * connection looks complete wherever it breaks off.
   */
  readonly framed: boolean;
  /** Instant on the clock of `performance.now()` by which the whole call must be done. */
  readonly deadline: number;
  /** Its parts, which can be read once. */
  readonly parts: AsyncIterable<Uint8Array<ArrayBuffer>>;
}

/** Reads a body; called again for each try. */
export type ReadBody<T> = (body: Body) => Promise<T>;

/** Largest body that is read into memory as a whole, bytes; larger ones are read in parts. */
export const MAX_WHOLE = 64_000_000;

/** Bytes of a body that are read in order to quote its beginning. */
const MAX_QUOTED = 65_536;

/**
 * Reads a body as a whole.
 *
 * @throws {DataFormatError} If it has more than 64 MB
 */
export async function readWhole(body: Body, url: string): Promise<Uint8Array<ArrayBuffer>> {
  // A known length avoids copies; for a compressed body it is too small, and the array grows.
  const announced = Number(body.headers.get("content-length") ?? 0);
  let bytes = new Uint8Array(announced > 0 && announced <= MAX_WHOLE ? announced : 65_536);
  let length = 0;
  for await (const part of body.parts) {
    if (length + part.length > MAX_WHOLE) {
      throw new DataFormatError(`Cannot read ${url}: it has more than ${MAX_WHOLE / 1e6} MB`, {
        url,
        hint: "Ask for less at once, or check the address",
      });
    }
    if (length + part.length > bytes.length) {
      const larger = new Uint8Array(Math.max(length + part.length, bytes.length * 2));
      larger.set(bytes.subarray(0, length));
      bytes = larger;
    }
    bytes.set(part, length);
    length += part.length;
  }
  return bytes.subarray(0, length);
}

/** The beginning of a body, for a message; the rest is not read. */
export async function readStart(body: Body): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = new Uint8Array(MAX_QUOTED);
  let length = 0;
  for await (const part of body.parts) {
    const taken = part.subarray(0, MAX_QUOTED - length);
    bytes.set(taken, length);
    length += taken.length;
    if (length === MAX_QUOTED) break;
  }
  return bytes.subarray(0, length);
}
