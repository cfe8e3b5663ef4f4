/**
 * A job of the queue ends in the transaction of its result, and only its current worker can end it.
 *
 * @module
 */
import { assertEquals, assertRejects } from "@std/assert";
import { it } from "@std/testing/bdd";
import { JobLostError } from "../../../src/storage/jobs/job.ts";
import { createCommit } from "../../../src/machines/queue/commit_job.ts";
import { openBoss, QUEUE } from "../../../src/machines/queue/open_boss.ts";
import { readQueue } from "../../../src/machines/queue/queue_row.ts";
import { openPostgresStore } from "../../../src/machines/postgres/postgres_store.ts";
import type { Store } from "../../../src/storage/store/store.ts";
import { describeWithPostgres } from "../../_postgres.ts";
import { makeQueue } from "./_queue_data.ts";

/** Changes a store as a job does. */
async function addLicence({ licences }: Store, serialNumber: string): Promise<string> {
  const all = { expires: null, turbines: null, datasets: null };
  await licences.put({ serialNumber, email: "", ...all });
  return serialNumber;
}

describeWithPostgres("the end of a job of the queue", (server) => {
  it("is a part of the transaction of its result, and only its worker's: a worker considered dead stores nothing", async () => {
    const address = await makeQueue(server());
    const store = await openPostgresStore(address);
    const boss = await openBoss(address);
    try {
      await boss.send(QUEUE, { kind: "remove_orphans" }, { retryDelay: 0, retryBackoff: false });
      const [first] = await boss.fetch(QUEUE);
      await boss.fail(QUEUE, first); // as pg-boss does when the heartbeat is missing
      const stored = async () =>
        (await store.licences.all()).map(({ licence }) => licence.serialNumber);
      const commitFirst = createCommit(store, boss, first);
      await assertRejects(() => commitFirst((store) => addLicence(store, "first")), JobLostError);
      const [second] = await boss.fetch(QUEUE);
      assertEquals([first.id, first.retryCount, second.retryCount], [second.id, 0, 1]);
      await assertRejects(() => commitFirst((store) => addLicence(store, "first")), JobLostError);
      assertEquals(await stored(), []);

      const commitSecond = createCommit(store, boss, second);
      const failing = commitSecond(async (transaction) => {
        await addLicence(transaction, "failed");
        throw new Error("no space");
      });
      await assertRejects(() => failing, Error, "no space");
      const stateOf = async () =>
        (await readQueue(boss, "true")).map(({ state, output }) => [state, output]);
      assertEquals(await stored(), []);
      assertEquals((await stateOf())[0][0], "active");

      assertEquals(await commitSecond((store) => addLicence(store, "second")), "second");
      assertEquals(await stored(), ["second"]);
      assertEquals(await stateOf(), [["completed", { done: true, answer: "second" }]]);
      await assertRejects(() => commitSecond((store) => addLicence(store, "again")), JobLostError);
      assertEquals(await stored(), ["second"]);
    } finally {
      await boss.stop({ graceful: false });
      await store.close();
    }
  });
});
