/**
 * The queue of a database that vanished: its connections stay open, but are silent.
 *
 * @module
 */
import { assert, assertMatch, assertRejects } from "@std/assert";
import { it } from "@std/testing/bdd";
import { openBoss } from "../../../src/machines/queue/open_boss.ts";
import { readQueue } from "../../../src/machines/queue/queue_row.ts";
import { isPassing } from "../../../src/storage/failures/is_passing.ts";
import { describeWithPostgres } from "../../_postgres.ts";
import { makeQueue } from "./_queue_data.ts";

/** How long to wait for an answer, ms. */
const ANSWER_TIMEOUT = 3000;

/** Passes bytes on to a port of this machine and back until it is silent. */
function startProxy(port: number) {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  let silent = false;

  async function pass(from: Deno.Conn, to: Deno.Conn): Promise<void> {
    const bytes = new Uint8Array(16_384);
    for (let read; (read = await from.read(bytes)) !== null;) {
      for (let at = 0; !silent && at < read;) at += await to.write(bytes.subarray(at, read));
    }
  }

  async function serve(client: Deno.Conn): Promise<void> {
    using incoming = client;
    using server = await Deno.connect({ hostname: "127.0.0.1", port });
    await Promise.race([pass(incoming, server), pass(server, incoming)]);
  }

  async function accept(): Promise<void> {
    const served: Promise<void>[] = [];
    for await (const client of listener) served.push(serve(client));
    await Promise.allSettled(served); // a direction fails after the other one has ended
  }

  const accepted = accept();
  return {
    port: listener.addr.port,
    silence: () => void (silent = true),
    close: async () => {
      listener.close();
      await accepted;
    },
  };
}

describeWithPostgres("the queue of a database that is gone without a word", (server) => {
  it("fails for a while, within the time of an answer", async () => {
    const proxy = startProxy(server().port);
    try {
      const address = new URL(await makeQueue(server()));
      address.port = `${proxy.port}`;
      const boss = await openBoss(address.href, { answerTimeout: ANSWER_TIMEOUT });
      try {
        await readQueue(boss, "true");
        proxy.silence();
        const error = await assertRejects(() => readQueue(boss, "true"), Error);
        assertMatch(error.message, /^Query read timeout/);
        assert(isPassing(error));
      } finally {
        await boss.stop({ graceful: false });
      }
    } finally {
      await proxy.close();
    }
  });
});
