import { DataFormatError } from "../../api/errors.ts";

/** The body of an answer as it comes in. */
export interface Body {
  /** HTTP status. */
  readonly status: number;
  readonly headers: Headers;
  /**
   * Whether a cut would be noticed: the answer says how long it is, or comes in chunks. Where only the end of the
   * connection ends it, a body that breaks off looks whole.
   */
  readonly framed: boolean;
  /** Instant on the clock of `performance.now()` by which all must be done. */
  readonly deadline: number;
  /** Its parts, to be read once. */
  readonly parts: AsyncIterable<Uint8Array<ArrayBuffer>>;
}

/** Makes something of a body; called anew for each try. */
export type ReadBody<T> = (body: Body) => Promise<T>;

/** Most bytes of a body that is held in memory as a whole: what is larger is read in parts. */
export const MAX_WHOLE = 64_000_000;

/** Bytes kept of a body that is only quoted. */
const MAX_QUOTED = 65_536;

/**
 * Reads a body as a whole.
 *
 * @param url Address, for messages
 * @throws {DataFormatError} If it has more than 64 MB
 */
export async function readWhole(body: Body, url: string): Promise<Uint8Array<ArrayBuffer>> {
  // Where the length is known the parts go to their place at once; of a packed body it is another one.
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
