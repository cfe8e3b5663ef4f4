/** An answer of the service, before a fault changes it. */
export interface HonestAnswer {
  readonly status: number;
  /** Headers, without those of framing. */
  readonly headers: Headers;
  /** Size of the body, bytes. */
  readonly length: number;
  /** Body, unread. */
  readonly body: ReadableStream<Uint8Array>;
}

/** Headers that state the framing of an answer. */
const FRAMING = ["connection", "content-length", "transfer-encoding"];

/** Reads an answer of the service. It reads a body of unknown length completely, and any other body not at all. */
export async function readHonestAnswer(response: Response): Promise<HonestAnswer> {
  const headers = new Headers(response.headers);
  for (const name of FRAMING) headers.delete(name);
  const { status } = response;
  const announced = response.headers.get("content-length");
  if (response.body && announced !== null) {
    return { status, headers, length: Number(announced), body: response.body };
  }
  const bytes = await response.bytes();
  return { status, headers, length: bytes.length, body: ReadableStream.from([bytes]) };
}

/**
 * Reads the parts of a body as they come, at most `count` bytes; the rest is never read. Each part is passed on only when
 * the next one has come, so the service does its final work before the client sees the end of the body.
 */
export async function* readParts(
  body: ReadableStream<Uint8Array>,
  count: number = Infinity,
): AsyncGenerator<Uint8Array> {
  let previous: Uint8Array | undefined;
  let remaining = count;
  for await (const part of body) {
    if (previous) yield previous;
    previous = part.subarray(0, remaining);
    remaining -= previous.length;
    if (remaining === 0) break;
  }
  if (previous) yield previous;
}

/** Reads a body, at most `count` bytes. */
export async function readBytes(
  body: ReadableStream<Uint8Array>,
  count: number = Infinity,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts = await Array.fromAsync(readParts(body, count));
  return await new Blob(parts as Uint8Array<ArrayBuffer>[]).bytes();
}
