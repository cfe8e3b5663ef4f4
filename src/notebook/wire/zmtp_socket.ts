import { NetworkError } from "../../api/errors.ts";

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

/** Whether an error means that the connection was closed. */
export function isClosed(error: unknown): boolean {
  return error instanceof Deno.errors.BadResource || error instanceof Deno.errors.Interrupted ||
    error instanceof Deno.errors.ConnectionReset || error instanceof Deno.errors.BrokenPipe;
}

/** Reads exact numbers of bytes from a connection. */
class ByteReader {
  readonly #connection: Deno.TcpConn;
  #chunk: Uint8Array = new Uint8Array();

  /** @param connection The connection, used by no other reader */
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

/** Socket types of a client of a Jupyter kernel, and of the kernel. */
export type SocketType = "DEALER" | "SUB" | "REQ" | "ROUTER" | "XPUB";

/** Frames of one message, without their headers. */
export type Parts = readonly Uint8Array<ArrayBuffer>[];

/** One frame to send. */
interface Frame {
  readonly flags: number;
  readonly body: Uint8Array<ArrayBuffer>;
}

const GREETING_LENGTH = 64;
/** Name of the command that ends the handshake, preceded by its length. */
const READY = Uint8Array.from("\x05READY", (character) => character.charCodeAt(0));
const MORE = 1;
const LONG = 2;
const COMMAND = 4;

/** Longest accepted frame, bytes. */
const MAX_BYTES = 512 * 1024 * 1024;

/** Version 3.0, mechanism NULL: nothing is encrypted; {@linkcode MessageSigner} signs the messages. */
function buildGreeting(): Uint8Array {
  const bytes = new Uint8Array(GREETING_LENGTH);
  bytes.set([0xff, 0, 0, 0, 0, 0, 0, 0, 1, 0x7f, 3, 0]);
  bytes.set(new TextEncoder().encode("NULL"), 12);
  return bytes;
}

/** Whether the greeting of the other side matches our version and mechanism. */
function isGreeting(bytes: Uint8Array): boolean {
  const ours = buildGreeting();
  return bytes[0] === ours[0] && bytes[9] === ours[9] && bytes[10] >= ours[10] &&
    bytes.subarray(12, 32).every((byte, i) => byte === ours[12 + i]);
}

/** Whether a frame is the READY command, not an ERROR. */
function isReady({ flags, body }: Frame): boolean {
  return (flags & COMMAND) !== 0 &&
    READY.every((byte, i) => body[i] === byte);
}

function buildReadyCommand(type: SocketType): Uint8Array {
  const text = new TextEncoder();
  const property = (name: string, value: Uint8Array) => {
    const head = new Uint8Array(1 + name.length + 4);
    head[0] = name.length;
    head.set(text.encode(name), 1);
    new DataView(head.buffer).setUint32(1 + name.length, value.length);
    return concat([head, value]);
  };
  return concat([
    READY,
    property("Socket-Type", text.encode(type)),
    property("Identity", new Uint8Array()),
  ]);
}

function buildFrame(body: Uint8Array, flags: number): Uint8Array {
  if (body.length < 256) return concat([Uint8Array.of(flags, body.length), body]);
  const head = new Uint8Array(9);
  head[0] = flags | LONG;
  new DataView(head.buffer).setBigUint64(1, BigInt(body.length));
  return concat([head, body]);
}

/**
 * One side of a ZeroMQ connection over TCP (ZMTP 3.0, https://rfc.zeromq.org/spec/23/). The npm package does not work under
 * Deno, and this subset is enough.
 */
export class ZmtpSocket {
  readonly #connection: Deno.TcpConn;
  readonly #reader: ByteReader;
  #sent: Promise<void> = Promise.resolve();

  private constructor(connection: Deno.TcpConn) {
    this.#connection = connection;
    this.#reader = new ByteReader(connection);
  }

  /**
   * Connects to a socket.
   *
   * @param type Type of this side
   * @param hostname Address of the other side
   * @param port Its port
   * @param signal Cancels the attempt; it does not close a connected socket
   * @throws {Deno.errors.ConnectionRefused} If no program listens at the port
   * @throws {NetworkError} If the other side does not speak ZMTP 3
   */
  static async connect(
    type: SocketType,
    hostname: string,
    port: number,
    signal?: AbortSignal,
  ): Promise<ZmtpSocket> {
    signal?.throwIfAborted();
    const socket = new ZmtpSocket(await Deno.connect({ hostname, port }));
    const cancel = () => socket.close();
    signal?.addEventListener("abort", cancel);
    try {
      signal?.throwIfAborted(); // aborted during the connection
      await socket.#greet(type, port);
      signal?.throwIfAborted();
      return socket;
    } catch (error) {
      socket.close();
      signal?.throwIfAborted();
      throw error;
    } finally {
      signal?.removeEventListener("abort", cancel);
    }
  }

  /**
   * Accepts a connection opened by the other side.
   *
   * @throws {NetworkError} If the other side does not speak ZMTP 3
   */
  static async accept(type: SocketType, connection: Deno.TcpConn): Promise<ZmtpSocket> {
    const socket = new ZmtpSocket(connection);
    try {
      await socket.#greet(type, connection.remoteAddr.port);
      return socket;
    } catch (error) {
      socket.close();
      throw error;
    }
  }

  async #greet(type: SocketType, port: number): Promise<void> {
    const foreign = () =>
      new NetworkError(
        `Cannot connect to the kernel: the program on port ${port} does not speak ZMTP 3. Restart the kernel`,
      );
    try {
      await this.#write(buildGreeting());
      const theirs = await this.#reader.take(GREETING_LENGTH);
      if (theirs === null || !isGreeting(theirs)) throw foreign();
      await this.#write(buildFrame(buildReadyCommand(type), COMMAND));
      const ready = await this.#next();
      if (ready === null || !isReady(ready)) throw foreign();
      if (type === "SUB") await this.send([Uint8Array.of(1)]); // subscribes to everything
    } catch (error) {
      throw isClosed(error) ? foreign() : error;
    }
  }

  /** Sends a message; concurrent calls send whole messages, one after the other. */
  async send(parts: Parts): Promise<void> {
    const last = parts.length - 1;
    const bytes = concat(parts.map((part, i) => buildFrame(part, i < last ? MORE : 0)));
    const sent = this.#sent.then(() => this.#write(bytes));
    this.#sent = sent.catch(() => {}); // the caller below gets the error
    await sent;
  }

  /**
   * Reads the next message; `null` after either side has closed.
   *
   * @throws {NetworkError} If a frame is longer than half a gigabyte
   */
  async receive(): Promise<Parts | null> {
    const parts: Uint8Array<ArrayBuffer>[] = [];
    while (true) {
      const next = await this.#next();
      if (next === null) return null;
      if (next.flags & COMMAND) continue; // such as a ping
      parts.push(next.body);
      if (!(next.flags & MORE)) return parts;
    }
  }

  /** Closes the connection; a pending {@linkcode receive} returns `null`. */
  close(): void {
    try {
      this.#connection.close();
    } catch (error) {
      if (!(error instanceof Deno.errors.BadResource)) throw error; // closed already
    }
  }

  async #next(): Promise<Frame | null> {
    const head = await this.#reader.take(2);
    if (head === null) return null;
    const flags = head[0];
    let length = head[1];
    if (flags & LONG) {
      const lengthBytes = await this.#reader.take(7);
      if (lengthBytes === null) return null;
      length = Number(new DataView(concat([head.subarray(1), lengthBytes]).buffer).getBigUint64(0));
    }
    if (length > MAX_BYTES) {
      throw new NetworkError(
        `Cannot read from the kernel: its message has ${length} bytes, but the limit is ${MAX_BYTES}. Print or show less data at once`,
      );
    }
    const body = await this.#reader.take(length);
    return body && { flags, body };
  }

  async #write(bytes: Uint8Array): Promise<void> {
    for (let sent = 0; sent < bytes.length;) {
      sent += await this.#connection.write(bytes.subarray(sent));
    }
  }
}
