/**
 * A faulty network in front of an object store: passes bytes on unchanged, except for a test's faults.
 *
 * @module
 */

/** What happens to the next request of a method. */
export interface Fault {
  readonly on: "GET" | "HEAD" | "PUT" | "DELETE";
  /**
   * `busy`: 503 instead of the store; `reset`: the connection ends without an answer; `stall`: no answer comes; `cut`: the
   * answer ends in its body; `flip`: a bit of its body changes; `drip`: it comes in small parts; `lost`: the connection ends after
   * the store has answered, without passing the answer on.
   */
  readonly what: "busy" | "reset" | "stall" | "cut" | "flip" | "drip" | "lost";
  /** Whether it happens to all later requests of the method too. @default {false} */
  readonly always?: boolean;
}

/** A faulty network. */
export interface FaultyS3 extends AsyncDisposable {
  /** Address for clients. */
  readonly endpoint: string;
  /** Faults to come, in their order. */
  readonly faults: Fault[];
  /** Methods of the requests that have come. */
  readonly requests: string[];
}

const BUSY = new TextEncoder().encode(
  "HTTP/1.1 503 Slow Down\r\ncontent-type: application/xml\r\nconnection: close\r\n" +
    "content-length: 64\r\n\r\n<Error><Code>SlowDown</Code><Message>Slow down</Message></Error>",
);

/** Bytes of an answer before a cut or a changed bit: more than its head has. */
const BEFORE = 20_000;

/** Bytes of a part of an answer that drips. */
const DROP = 10_000;

/** Starts one. */
export function startFaultyS3(store: string): FaultyS3 {
  const { hostname, port } = new URL(store);
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const faults: Fault[] = [];
  const requests: string[] = [];
  const open = new Set<Promise<void>>();
  const sockets = new Set<Deno.TcpConn>();

  const takeFault = (method: string): Fault["what"] | undefined => {
    const i = faults.findIndex(({ on }) => on === method);
    const fault = faults[i];
    if (fault && !fault.always) faults.splice(i, 1);
    return fault?.what;
  };

  async function serve(client: Deno.TcpConn): Promise<void> {
    const server = await Deno.connect({ hostname, port: Number(port) }).catch(() => undefined);
    if (!server) return client.close(); // the store has closed the connection
    for (const socket of [client, server]) sockets.add(socket);
    const end = () => {
      for (const socket of [client, server]) {
        if (sockets.delete(socket)) socket.close();
      }
    };
    let fault: Fault["what"] | undefined;
    let passed = 0;
    const passRequests = async () => {
      const room = new Uint8Array(64 * 1024);
      for (let read; (read = await client.read(room)) !== null;) {
        const part = room.subarray(0, read);
        const [, method] = /^(GET|HEAD|PUT|DELETE) \//.exec(new TextDecoder().decode(part)) ?? [];
        if (method) {
          requests.push(method);
          fault = takeFault(method);
          passed = 0;
        }
        if (fault === "stall") continue;
        if (fault === "reset") return;
        if (fault === "busy") return await writeAll(client, BUSY);
        await writeAll(server, part);
      }
    };
    const passAnswers = async () => {
      const part = new Uint8Array(64 * 1024);
      for (let read; (read = await server.read(part)) !== null; passed += read) {
        if (fault === "lost") return;
        const received = part.subarray(0, read);
        const at = BEFORE - passed;
        const here = at >= 0 && at < read;
        if (fault === "flip" && here) received[at] ^= 1;
        if (fault === "cut" && here) return await writeAll(client, received.subarray(0, at));
        if (fault !== "drip") {
          await writeAll(client, received);
          continue;
        }
        for (let drop = 0; drop < read; drop += DROP) {
          await writeAll(client, received.subarray(drop, drop + DROP));
          await new Promise((resolve) => setTimeout(resolve));
        }
      }
    };
    await Promise.all(
      [passRequests, passAnswers].map((pass) => pass().catch(() => {}).finally(end)),
    );
  }

  const accepting = (async () => {
    for await (const client of listener) {
      const served: Promise<void> = serve(client).finally(() => open.delete(served));
      open.add(served);
    }
  })();
  return {
    endpoint: `http://127.0.0.1:${listener.addr.port}`,
    faults,
    requests,
    async [Symbol.asyncDispose]() {
      listener.close();
      await accepting;
      for (const socket of sockets) socket.close();
      sockets.clear();
      await Promise.all(open);
    },
  };
}

async function writeAll(socket: Deno.TcpConn, bytes: Uint8Array): Promise<void> {
  for (let written = 0; written < bytes.length;) {
    written += await socket.write(bytes.subarray(written));
  }
}
