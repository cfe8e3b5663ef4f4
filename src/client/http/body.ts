import { DataFormatError } from "../../api/errors.ts";

/** The body of an answer as it comes in. */
export interface Body {
  /** HTTP status. */
  readonly status: number;
  readonly headers: Headers;
  /**
   * Whether truncation would be noticed: the answer states its length, or comes in chunks. A body that ends with the
   * connection looks complete even if it is cut.
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

/** Joins parts until they exceed a size. */
async function joinUntil(
  parts: Body["parts"],
  limit: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const received: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  for await (const part of parts) {
    received.push(part);
    length += part.length;
    if (length > limit) break;
  }
  if (received.length === 1) return received[0];
  const bytes = new Uint8Array(length);
  for (const part of received.toReversed()) bytes.set(part, length -= part.length);
  return bytes;
}

/**
 * Reads a body as a whole.
 *
 * @throws {DataFormatError} If it has more than 64 MB
 */
export async function readWhole(body: Body, url: string): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await joinUntil(body.parts, MAX_WHOLE);
  if (bytes.length <= MAX_WHOLE) return bytes;
  throw new DataFormatError(`Cannot read ${url}: the answer has more than ${MAX_WHOLE / 1e6} MB`, {
    url,
    hint: "Request less at once, or check the address",
  });
}

/** The beginning of a body, for a message; the rest is not read. */
export async function readStart(body: Body): Promise<Uint8Array<ArrayBuffer>> {
  return (await joinUntil(body.parts, MAX_QUOTED)).subarray(0, MAX_QUOTED);
}

/** A body that was stored. */
export function storedBody(bytes: Uint8Array<ArrayBuffer>, headers: Headers): Body {
  const parts = ReadableStream.from([bytes]);
  return { status: 200, headers, framed: true, parts, deadline: Infinity };
}

/** Default limit of a body, bytes: several times the longest record of a point. */
export const MAX_DOWNLOAD = 1_000_000_000;

/** A body that is larger than the connection allows: no retry makes it smaller. */
export class SizeLimitError extends DataFormatError {
  override name = "DataFormatError"; // the class that callers check for
}

/**
 * Refuses a size that is larger than the connection allows.
 *
 * @param size Announced or received so far, bytes; `null` if unknown
 * @param limit Largest size, bytes
 * @param url Address, without secrets
 * @throws {SizeLimitError} If it is larger
 */
export function assertSize(size: number | null, limit: number, url: string): void {
  if (size === null || size <= limit) return;
  throw new SizeLimitError(
    `Cannot download ${url}: it has at least ${size} bytes, but maxDownload allows only ${limit}`,
    {
      url,
      hint: "Vindkit keeps no part of it. If the size is right, raise maxDownload in connect()",
    },
  );
}

/** Size of a body that its headers announce, bytes; of a compressed one less than it unpacks to; `null` if none. */
export function readAnnouncedSize(headers: Headers): number | null {
  const length = headers.get("content-length");
  return length === null ? null : Number(length);
}

/**
 * Passes the parts of a body on, as long as they are not more than the connection allows.
 *
 * @param limit Largest size, bytes
 * @param url Address, without secrets
 * @throws {SizeLimitError} If the body announces more, before anything is read, or sends more
 */
export async function* limitParts(
  { headers, parts }: Body,
  limit: number,
  url: string,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  assertSize(readAnnouncedSize(headers), limit, url);
  let received = 0;
  for await (const part of parts) {
    assertSize(received += part.length, limit, url);
    yield part;
  }
}

/** Parses JSON; `undefined` if it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
