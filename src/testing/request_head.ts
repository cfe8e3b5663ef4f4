/** Longest head that is read, bytes. */
const MAX_HEAD = 65_536;

/** Headers are bytes, one character each. */
const decoder = new TextDecoder("latin1");

/** Line and headers of a request. */
export interface RequestHead {
  readonly method: string;
  /** Path with query, as sent. */
  readonly target: string;
  /** Headers, as sent. */
  readonly headers: Headers;
}

/**
 * Reads the head of a request; what follows it is ignored.
 *
 * @returns `undefined` where the client went away, or what it sent is not a head of HTTP/1
 */
export async function readHead(
  connection: { read(into: Uint8Array): Promise<number | null> },
): Promise<RequestHead | undefined> {
  const bytes = new Uint8Array(MAX_HEAD);
  for (let length = 0; length < MAX_HEAD;) {
    const read = await connection.read(bytes.subarray(length));
    if (read === null) return undefined;
    length += read;
    const text = decoder.decode(bytes.subarray(0, length));
    const end = text.indexOf("\r\n\r\n");
    if (end >= 0) return parseHead(text.slice(0, end));
  }
  return undefined;
}

function parseHead(text: string): RequestHead | undefined {
  const [line, ...lines] = text.split("\r\n");
  const [method, target, version] = line.split(" ");
  if (!version?.startsWith("HTTP/1.") || !target.startsWith("/")) return undefined;
  const headers = new Headers();
  try {
    for (const header of lines) {
      const colon = header.indexOf(":");
      headers.append(header.slice(0, colon), header.slice(colon + 1).trim());
    }
  } catch {
    return undefined;
  }
  return { method, target, headers };
}
