import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { NetworkError } from "../../../src/api/errors.ts";
import { concat, ZmtpSocket } from "../../../src/notebook/wire/zmtp_socket.ts";
import { greet, greeting, Peer, read, ready, write } from "./_zmtp_peer.ts";

const connect = ({ port }: Peer) => ZmtpSocket.connect("DEALER", "127.0.0.1", port);

/** Bytes that depend on their position. */
function buildBytes(length: number): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length }, (_, i) => i * 7 % 251);
}

/** A frame as in the RFC. */
function frame(body: Uint8Array, more: boolean): Uint8Array {
  if (body.length <= 255) return concat([Uint8Array.of(Number(more), body.length), body]);
  const head = new DataView(new ArrayBuffer(9));
  head.setUint8(0, 2 + Number(more));
  head.setBigUint64(1, BigInt(body.length));
  return concat([new Uint8Array(head.buffer), body]);
}

describe("ZmtpSocket", () => {
  for (const length of [0, 255, 256, 65_536, 200_000]) {
    it(`sends a part of ${length} bytes according to the RFC, and reads it back`, async () => {
      const parts = [buildBytes(length), buildBytes(3)];
      const wire = concat([frame(parts[0], true), frame(parts[1], false)]);
      await using peer = new Peer(async (connection) => {
        await greet(connection);
        assertEquals(await read(connection, wire.length), wire);
        await write(connection, wire);
      });
      const socket = await connect(peer);
      await socket.send(parts);
      assertEquals(await socket.receive(), parts);
      assertEquals(await socket.receive(), null);
      socket.close();
    });
  }

  it("assembles a message that arrives byte by byte, and skips commands", async () => {
    const ping = Uint8Array.of(4, 5, 4, 0x50, 0x49, 0x4e, 0x47);
    const body = buildBytes(300);
    await using peer = new Peer(async (connection) => {
      for (const byte of greeting()) await write(connection, Uint8Array.of(byte));
      for (const byte of ready()) await write(connection, Uint8Array.of(byte));
      for (const byte of concat([ping, frame(body, false)])) {
        await write(connection, Uint8Array.of(byte));
      }
      await read(connection, 64);
    });
    const socket = await connect(peer);
    assertEquals(await socket.receive(), [body]);
    socket.close();
  });

  it("does not mix messages sent at the same time", async () => {
    const parts = [buildBytes(100_000), buildBytes(1)];
    const wire = concat([frame(parts[0], true), frame(parts[1], false)]);
    await using peer = new Peer(async (connection) => {
      await greet(connection);
      assertEquals(await read(connection, 3 * wire.length), concat([wire, wire, wire]));
    });
    const socket = await connect(peer);
    await Promise.all([socket.send(parts), socket.send(parts), socket.send(parts)]);
    socket.close();
  });

  const others: Record<string, (connection: Deno.TcpConn) => Promise<void>> = {
    "a web server": (connection) =>
      write(
        connection,
        new TextEncoder().encode(`HTTP/1.1 400 Bad Request\r\n\r\n${" ".repeat(64)}`),
      ),
    "one that closes at once": () => Promise.resolve(),
    "ZMTP 2": (connection) => write(connection, greeting().with(10, 2)),
    "another mechanism": (connection) => write(connection, greeting().with(12, 0x58)),
    "a peer that refuses": async (connection) => {
      await write(connection, greeting());
      await write(connection, Uint8Array.of(4, 6, 5, 0x45, 0x52, 0x52, 0x4f, 0x52));
    },
  };
  for (const [name, serve] of Object.entries(others)) {
    it(`does not accept ${name} as a kernel`, async () => {
      await using peer = new Peer(serve);
      await assertRejects(
        () => connect(peer),
        NetworkError,
        `the program on port ${peer.port} does not speak ZMTP 3`,
      );
    });
  }

  it("refuses a message of a terabyte", async () => {
    await using peer = new Peer(async (connection) => {
      await greet(connection);
      await write(connection, Uint8Array.of(2, 0, 0, 1, 0, 0, 0, 0, 0));
    });
    const socket = await connect(peer);
    await assertRejects(() => socket.receive(), NetworkError, "1099511627776 bytes");
    socket.close();
  });

  it("gives up on a silent peer when its signal is aborted", async () => {
    const silence = Promise.withResolvers<void>();
    await using peer = new Peer(() => silence.promise);
    const giving = new AbortController();
    const connecting = ZmtpSocket.connect("DEALER", "127.0.0.1", peer.port, giving.signal);
    giving.abort(new Error("enough"));
    await assertRejects(() => connecting, Error, "enough");
    silence.resolve();
  });

  it("reports a closed port, and returns `null` to a pending receive when it closes", async () => {
    const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
    const { port } = listener.addr;
    listener.close();
    await assertRejects(
      () => ZmtpSocket.connect("DEALER", "127.0.0.1", port),
      Deno.errors.ConnectionRefused,
    );
    const open = Promise.withResolvers<void>();
    await using peer = new Peer(async (connection) => {
      await greet(connection);
      await open.promise;
    });
    const socket = await connect(peer);
    const waiting = socket.receive();
    socket.close();
    assertEquals(await waiting, null);
    open.resolve();
  });
});
