import { concat } from "../../../src/notebook/wire/zmtp_socket.ts";

/** A ZMTP 3.0 greeting as in the RFC: signature, version, mechanism NULL. */
export function greeting(): Uint8Array {
  const bytes = new Uint8Array(64);
  bytes.set([0xff, 0, 0, 0, 0, 0, 0, 0, 1, 0x7f, 3, 0, 0x4e, 0x55, 0x4c, 0x4c]);
  return bytes;
}

/** The command that ends the greeting of a router: flags, length, "READY", one property. */
export function ready(): Uint8Array {
  const body = concat([
    Uint8Array.of(5),
    new TextEncoder().encode("READY"),
    Uint8Array.of(11),
    new TextEncoder().encode("Socket-Type"),
    Uint8Array.of(0, 0, 0, 6),
    new TextEncoder().encode("ROUTER"),
  ]);
  return concat([Uint8Array.of(4, body.length), body]);
}

/** A peer on loopback that runs a test's script on the first connection. */
export class Peer implements AsyncDisposable {
  readonly port: number;
  readonly #listener: Deno.TcpListener;
  readonly #served: Promise<void>;

  constructor(serve: (connection: Deno.TcpConn) => Promise<void>) {
    this.#listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    this.port = this.#listener.addr.port;
    this.#served = this.#serve(serve);
  }

  async #serve(serve: (connection: Deno.TcpConn) => Promise<void>): Promise<void> {
    const connection = await this.#listener.accept();
    try {
      await serve(connection);
    } finally {
      connection.close();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#served;
    this.#listener.close();
  }
}

/** Reads exactly `length` bytes. */
export async function read(connection: Deno.TcpConn, length: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for (let taken = 0; taken < length;) {
    const buffer = new Uint8Array(length - taken);
    const read = await connection.read(buffer);
    if (read === null) throw new Error("the client has closed");
    parts.push(buffer.subarray(0, read));
    taken += read;
  }
  return concat(parts);
}

/** Length of the command READY of a DEALER: flags, length, name, two properties. */
const DEALER_READY = 2 + 6 + (1 + 11 + 4 + 6) + (1 + 8 + 4);

/** Greets a DEALER as a kernel does. */
export async function greet(connection: Deno.TcpConn): Promise<void> {
  await write(connection, greeting());
  await read(connection, 64);
  await write(connection, ready());
  await read(connection, DEALER_READY);
}

/** Writes all bytes. */
export async function write(connection: Deno.TcpConn, bytes: Uint8Array): Promise<void> {
  for (let sent = 0; sent < bytes.length;) sent += await connection.write(bytes.subarray(sent));
}
