/** Joins arrays of bytes into one. */
export function concat(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let position = 0;
  for (const part of parts) {
    bytes.set(part, position);
    position += part.length;
  }
  return bytes;
}

/** Whether an error means that a connection has ended. */
export function isClosed(error: unknown): boolean {
  return error instanceof Deno.errors.BadResource || error instanceof Deno.errors.Interrupted ||
    error instanceof Deno.errors.ConnectionReset || error instanceof Deno.errors.BrokenPipe;
}

/** Reads exact numbers of bytes from a connection. */
export class ByteReader {
  readonly #connection: Deno.TcpConn;
  #chunk: Uint8Array = new Uint8Array();

  /** @param connection The connection; only this reader may read from it */
  constructor(connection: Deno.TcpConn) {
    this.#connection = connection;
  }

  /** Reads the next `length` bytes; `null` if the connection ends before. */
  async take(length: number): Promise<Uint8Array<ArrayBuffer> | null> {
    const bytes = new Uint8Array(length);
    for (let taken = 0; taken < length;) {
      if (this.#chunk.length === 0 && !await this.#fill()) return null;
      const part = this.#chunk.subarray(0, length - taken);
      bytes.set(part, taken);
      taken += part.length;
      this.#chunk = this.#chunk.subarray(part.length);
    }
    return bytes;
  }

  async #fill(): Promise<boolean> {
    const buffer = new Uint8Array(65_536);
    try {
      const read = await this.#connection.read(buffer);
      this.#chunk = buffer.subarray(0, read ?? 0);
      return read !== null;
    } catch (error) {
      if (isClosed(error)) return false;
      throw error;
    }
  }
}
