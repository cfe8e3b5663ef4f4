/** What the service answered, before it is framed for the wire. */
export interface HonestAnswer {
  readonly status: number;
  /** Headers, without those of framing. */
  readonly headers: Headers;
  /** Size of the body, bytes. */
  readonly length: number;
  /** Body; nothing is read of it yet. */
  readonly body: ReadableStream<Uint8Array>;
}

/** Headers that are the wire's own. */
const FRAMING = ["connection", "content-length", "transfer-encoding"];

/** Takes an answer of the service apart. A body of unknown length is read whole, any other one not at all. */
export async function honestAnswer(response: Response): Promise<HonestAnswer> {
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
 * The parts of a body as they come, at most so many bytes of it; the rest is never asked for. A part is given away only
 * when it is known whether another follows: what the service does at the end of a body it has then done before a client
 * can have seen that end.
 */
export async function* partsOf(
  body: ReadableStream<Uint8Array>,
  count: number = Infinity,
): AsyncGenerator<Uint8Array> {
  let held: Uint8Array | undefined;
  let left = count;
  for await (const part of body) {
    if (held) yield held;
    held = part.subarray(0, left);
    left -= held.length;
    if (left === 0) break;
  }
  if (held) yield held;
}

/** Bytes of a body, at most so many. */
export async function bytesOf(
  body: ReadableStream<Uint8Array>,
  count: number = Infinity,
): Promise<Uint8Array<ArrayBuffer>> {
  const parts = await Array.fromAsync(partsOf(body, count));
  return await new Blob(parts as Uint8Array<ArrayBuffer>[]).bytes();
}
