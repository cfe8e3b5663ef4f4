/**
 * A client that shows everything on the wire until the connection ends.
 *
 * @module
 */

/** A raw answer. */
export interface RawAnswer {
  /** Status; `undefined` if nothing came. */
  readonly status: number | undefined;
  readonly headers: Headers;
  /** Everything after the head, including framing. */
  readonly body: Uint8Array<ArrayBuffer>;
  readonly text: string;
}

/** Target and content of a request. */
export interface RawRequest {
  readonly url: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
}

/** Opens a connection and sends the head of a GET. */
export async function send({ url, path, headers = {} }: RawRequest): Promise<Deno.TcpConn> {
  const { hostname, port, host } = new URL(url);
  const connection = await Deno.connect({ hostname, port: Number(port) });
  const lines = Object.entries({ host, ...headers }).map(([name, value]) =>
    `${name}: ${value}\r\n`
  );
  await connection.write(
    new TextEncoder().encode(`GET ${path} HTTP/1.1\r\n${lines.join("")}\r\n`),
  );
  return connection;
}

/** Reads until a text has come, or the end. */
export async function readUntil(connection: Deno.TcpConn, end: RegExp): Promise<string> {
  const part = new Uint8Array(65_536);
  let text = "";
  while (!end.test(text)) {
    const read = await connection.read(part);
    if (read === null) break;
    text += new TextDecoder("latin1").decode(part.subarray(0, read));
  }
  return text;
}

/** Sends a GET and reads until the connection ends. */
export async function rawGet(request: RawRequest): Promise<RawAnswer> {
  using connection = await send(request);
  const parts: Uint8Array<ArrayBuffer>[] = [];
  for (;;) {
    const part = new Uint8Array(65_536);
    const read = await connection.read(part);
    if (read === null) break;
    parts.push(part.subarray(0, read));
  }
  const bytes = await new Blob(parts).bytes();
  const all = new TextDecoder("latin1").decode(bytes);
  const split = all.indexOf("\r\n\r\n");
  const [line, ...lines] = all.slice(0, Math.max(0, split)).split("\r\n");
  const body = bytes.slice(split + 4);
  return {
    status: line ? Number(line.split(" ")[1]) : undefined,
    headers: new Headers(
      lines.map((text) => text.split(/: ?(.*)/s).slice(0, 2) as [string, string]),
    ),
    body,
    text: new TextDecoder().decode(body),
  };
}
