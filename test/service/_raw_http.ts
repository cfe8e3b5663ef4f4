/**
 * Raw requests over a bare connection, which no client would send.
 *
 * @module
 */

/** An answer. */
export interface RawAnswer {
  /** Status; 0 without an answer. */
  readonly status: number;
  /** Status line, headers and body. */
  readonly text: string;
}

/** A request head for a path, with more header lines; it ends the connection after the answer. */
export function buildHead(path: string, ...lines: readonly string[]): string {
  return [`GET ${path} HTTP/1.1`, "Host: localhost", "Connection: close", ...lines, "", ""]
    .join("\r\n");
}

/** Connects to a service. */
export async function connectTo(url: string): Promise<Deno.TcpConn> {
  const { hostname, port } = new URL(url);
  return await Deno.connect({ hostname, port: Number(port) });
}

/** Writes all bytes of a text. */
export async function writeAll(connection: Deno.Conn, text: string): Promise<void> {
  const bytes = new TextEncoder().encode(text);
  for (let i = 0; i < bytes.length;) i += await connection.write(bytes.subarray(i));
}

/** Reads to the end of a connection. */
export async function readAll(connection: Deno.Conn): Promise<RawAnswer> {
  let text = "";
  const decoder = new TextDecoder();
  const buffer = new Uint8Array(65_536);
  try {
    for (let n = await connection.read(buffer); n !== null; n = await connection.read(buffer)) {
      text += decoder.decode(buffer.subarray(0, n), { stream: true });
    }
  } catch (error) {
    if (!(error instanceof Deno.errors.ConnectionReset)) throw error; // answered, then cut
  }
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), text };
}

/** Sends a request unchanged, and reads its answer. */
export async function askRaw(url: string, request: string): Promise<RawAnswer> {
  using connection = await connectTo(url);
  try {
    await writeAll(connection, request);
  } catch (error) {
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error; // answered before it was read
  }
  return await readAll(connection);
}
