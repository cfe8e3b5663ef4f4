/**
 * Requests over a bare connection: as they are, which no client would send.
 *
 * @module
 */

/** What was answered. */
export interface RawAnswer {
  /** 0 where nothing was answered. */
  readonly status: number;
  /** Status line, headers and body. */
  readonly text: string;
}

/** A head that asks for a path, with more header lines; it ends the connection after its answer. */
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
    if (!(error instanceof Deno.errors.ConnectionReset)) throw error; // it was answered and cut
  }
  return { status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1] ?? 0), text };
}

/** Sends a request as it is, and reads its answer. */
export async function askRaw(url: string, request: string): Promise<RawAnswer> {
  using connection = await connectTo(url);
  try {
    await writeAll(connection, request);
  } catch (error) {
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error; // it is answered before it is read
  }
  return await readAll(connection);
}
