/**
 * Workers of the queue are killed, or stopped past their heartbeat and woken, and the database crashes: each order is built
 * once, and none is lost. A job that kills its workers ends up dead.
 *
 * @module
 */
import { builtOrder } from "../../storage/store/_orders.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { delay } from "@std/async";
import { it } from "@std/testing/bdd";
import { type Job, JobError } from "../../../src/storage/jobs/job.ts";
import { ProcessWorker } from "../../../src/storage/jobs/process_worker.ts";
import { JobQueue } from "../../../src/machines/queue/job_queue.ts";
import { openBoss } from "../../../src/machines/queue/open_boss.ts";
import { readQueue } from "../../../src/machines/queue/queue_row.ts";
import { QueuedJobs } from "../../../src/machines/queue/queued_jobs.ts";
import { QueueWorker } from "../../../src/machines/open_queue_worker.ts";
import { describeWithPostgres } from "../../_postgres.ts";
import { withJobData } from "../../storage/jobs/_jobs_suite.ts";
import { filesOf, makeQueue, openQueueStorage } from "./_queue_data.ts";

const ROOT = new URL("../../../", import.meta.url).pathname;

/** Number of orders built during the failures. */
const ORDERS = 60;

/** Longer than the heartbeat and the time until it is missed, ms. */
const STOPPED = 15_000;

/** A worker and the process of its jobs, in a separate process group. It is working when this function returns. */
async function startWorker(address: string, folder: string) {
  const child = new Deno.Command("setsid", {
    args: [Deno.execPath(), "run", "-A", `${ROOT}src/cli/mod.ts`, "work"],
    env: { VINDKIT_DATABASE: address, VINDKIT_FILES: filesOf(folder) },
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const output = child.stdout.getReader();
  const { done } = await output.read();
  assert(!done, "it says that it works");
  await output.cancel();
  const signal = async (name: string) => {
    await new Deno.Command("kill", { args: [`-${name}`, "--", `-${child.pid}`] }).output();
  };
  return { signal, ended: child.status };
}

type Worker = Awaited<ReturnType<typeof startWorker>>;

/** Stops all workers at a moment when they have jobs. */
async function stopAtWork(address: string, workers: readonly Worker[]): Promise<void> {
  const queue = await JobQueue.open(address);
  try {
    while (true) {
      for (const one of workers) await one.signal("STOP");
      const [first] = await queue.list();
      if (first?.state === "active") return;
      for (const one of workers) await one.signal("CONT");
    }
  } finally {
    await queue.close();
  }
}

describeWithPostgres("workers of a queue", (server) => {
  it("that are killed, stopped and woken while the database crashes build each order once", async () => {
    let address = "";
    await withJobData(async ({ folder, store, files, approve }) => {
      const workers = await Promise.all([1, 2, 3].map(() => startWorker(address, folder)));
      const servers = [await QueuedJobs.open(address), await QueuedJobs.open(address)];
      const ids = Array.from({ length: ORDERS }, (_, i) => `order${i}`);
      const orders: Job[] = [];
      for (const id of ids) orders.push(await approve(id, id.slice(-1)));
      /** As those who ask do: again where the database was away. */
      const run = async (job: Job, i: number) => {
        while (true) {
          try {
            return await servers[i % 2].run(job);
          } catch {
            await delay(100);
          }
        }
      };
      const all = Promise.all(orders.flatMap((job) => [run(job, 0), run(job, 1)]));

      await stopAtWork(address, workers);
      for (const i of [0, 2]) {
        await workers[i].signal("KILL");
        await workers[i].ended;
        workers[i] = await startWorker(address, folder);
      }
      await server().crash();
      await server().start();
      await delay(STOPPED); // the others go on
      await workers[1].signal("CONT");
      await all;

      const tokens = async () => {
        const orders = await Promise.all(ids.map((id) => builtOrder(store, id)));
        return orders.map(({ state, token, file }) => [state, token, file]);
      };
      const built = await tokens();
      assert(built.every(([state]) => state === "complete"));
      for (const one of workers) await one.signal("TERM");
      const ends = await Promise.all(workers.map(({ ended }) => ended));
      assertEquals(ends.map(({ code }) => code), [0, 0, 0]);
      assertEquals(await tokens(), built, "nothing is written over it");
      const names = new Set(await files.names());
      assert(built.every(([, , file]) => names.has(file)));
      for (const one of servers) await one.close();
      const boss = await openBoss(address);
      const rows = await readQueue(boss, "data->>'kind' = 'build_order'");
      await boss.stop({ graceful: false });
      const completed = rows.filter(({ state }) => state === "completed");
      assertEquals(completed.length, rows.length, "none is lost or dead");
      assert(completed.some(({ begun }) => begun > 1), "some were begun again");
    }, async (folder) => {
      address = await makeQueue(server());
      return await openQueueStorage(address, folder);
    });
  });

  it("are killed by a job at most three times: then it is dead, and the next one is done", async () => {
    const address = await makeQueue(server());
    const started: ProcessWorker[] = [];
    const program = `
      console.log(JSON.stringify({ number: 0, done: true }));
      for await (const bytes of Deno.stdin.readable) {
        const { number, kind } = JSON.parse(new TextDecoder().decode(bytes));
        if (kind === "gzip_file") Deno.exit(9);
        console.log(JSON.stringify({ number, done: true }));
      }`;
    const path = await Deno.makeTempFile({ suffix: ".js" });
    await Deno.writeTextFile(path, program);
    const worker = await QueueWorker.open(address, () => {
      started.push(new ProcessWorker(["run", "--quiet", "--no-prompt", path]));
      return started.at(-1)!;
    }, 1);
    const jobs = await QueuedJobs.open(address);
    try {
      const poison: Job = {
        kind: "gzip_file",
        parameters: { name: "a" },
        turn: "a",
        urgent: false,
      };
      const dead = assertRejects(() => jobs.run(poison), JobError, "it ended with code 9");
      await jobs.run({ kind: "remove_orphans", parameters: {}, turn: "", urgent: false });
      assertEquals([(await dead).passes, started.length], [true, 3]);
    } finally {
      await jobs.close();
      await worker.close();
      await Deno.remove(path);
    }
  });
});
