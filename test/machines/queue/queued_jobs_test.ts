/**
 * The queue in PostgreSQL: its jobs and their order, the notice of a job's end, and the operator's view. Its workers are
 * threads here; `queue_kills_long_test.ts` has processes.
 *
 * @module
 */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { afterEach, beforeAll, beforeEach, it } from "@std/testing/bdd";
import { Refusal } from "../../../src/storage/jobs/refusal.ts";
import { ConfigurationError } from "../../../src/api/errors.ts";
import { type Job, JobError, type JobOf, waitForAbort } from "../../../src/storage/jobs/job.ts";
import type { DoOptions, JobWorker } from "../../../src/storage/jobs/job_worker.ts";
import { JobQueue } from "../../../src/machines/queue/job_queue.ts";
import { migrateQueue, openBoss, QUEUE } from "../../../src/machines/queue/open_boss.ts";
import { QueuedJobs, URGENT_TIMEOUT } from "../../../src/machines/queue/queued_jobs.ts";
import { shareStorage } from "../../../src/machines/shared_storage.ts";
import { QueueWorker } from "../../../src/machines/open_queue_worker.ts";
import { parsePostgresAddress } from "../../../src/machines/postgres/postgres_address.ts";
import { PassingError } from "../../../src/storage/failures/is_passing.ts";
import { ANSWER_TIMEOUT } from "../../../src/service/limits/request_limits.ts";
import { describeWithPostgres } from "../../_postgres.ts";
import { retryAtOnce } from "./_queue_data.ts";

/** A job with an answer; its worker here does something else. */
function chunk(input: string, turn = "a", urgent = false): JobOf<"compute_chunk"> {
  return { kind: "compute_chunk", parameters: { input }, turn, urgent };
}

const nameOf = (job: Job) => (job.parameters as { input: string }).input;

describeWithPostgres("jobs in a queue", (server) => {
  let original: string;
  let address: string;
  let jobs: QueuedJobs;
  let open: { close(): Promise<void> }[];

  beforeAll(async () => {
    original = await server().createDatabase();
    await migrateQueue(original);
    await retryAtOnce(original);
  });
  beforeEach(async () => {
    address = await server().createDatabase(original);
    open = [];
    jobs = await openJobs();
  });
  afterEach(async () => {
    for (const one of open) await one.close();
  });

  async function openJobs(): Promise<QueuedJobs> {
    const opened = await QueuedJobs.open(address);
    open.unshift(opened);
    return opened;
  }

  async function startWorker(
    work: (job: Job, options: DoOptions) => Promise<unknown>,
    width = 1,
  ): Promise<QueueWorker> {
    const worker: JobWorker = {
      do: (job, options = {}) => work(job, options),
      end: () => Promise.resolve(),
    };
    const opened = await QueueWorker.open(address, () => worker, width);
    open.unshift(opened);
    return opened;
  }

  async function readQueue<T>(read: (queue: JobQueue) => Promise<T>): Promise<T> {
    const queue = await JobQueue.open(address);
    try {
      return await read(queue);
    } finally {
      await queue.close();
    }
  }

  /** Waits until that many jobs are in the queue. */
  async function waitForJobs(count: number): Promise<void> {
    while ((await readQueue((queue) => queue.list())).length < count);
  }

  /** Places jobs, then starts a worker; returns their names in the order of their end. */
  async function doInOrder(given: readonly Job[]): Promise<string[]> {
    const runs = given.map((job) => jobs.run(job));
    await waitForJobs(given.length);
    const order: string[] = [];
    await startWorker((job) => Promise.resolve(void order.push(nameOf(job))));
    await Promise.all(runs);
    return order;
  }

  it("take turns between licences, in order within each", async () => {
    const names = ["a0", "a1", "a2", "a3", "b0", "b1", "c0"];
    const order = await doInOrder(names.map((name) => chunk(name, name[0])));
    assertEquals(order, ["a0", "b0", "c0", "a1", "b1", "a2", "a3"]);
  });

  it("of a later licence wait for one round, not for all waiting jobs", async () => {
    const order: string[] = [];
    const gates = new Map(["a2"].map((name) => [name, Promise.withResolvers<void>()]));
    await startWorker(async (job) => {
      order.push(nameOf(job));
      await gates.get(nameOf(job))?.promise;
    });
    const runs = ["a0", "a1", "a2", "a3", "a4", "a5"].map((name) => jobs.run(chunk(name)));
    while (order.length < 3) await readQueue((queue) => queue.list()); // the third is begun
    runs.push(jobs.run(chunk("b0", "b")), jobs.run(chunk("b1", "b")));
    await waitForJobs(6);
    gates.get("a2")!.resolve();
    await Promise.all(runs);
    assertEquals(order.slice(3), ["b0", "a3", "b1", "a4", "a5"]);
  });

  it("for which a request waits go first in their round, and the service's internal jobs last", async () => {
    const internal = [chunk("own0", ""), chunk("own1", "")];
    const others = [chunk("a0"), chunk("a1"), chunk("b0", "b"), chunk("now", "a", true)];
    const order = await doInOrder([...internal, ...others]);
    assertEquals(order, ["now", "a0", "b0", "a1", "own0", "own1"]);
  });

  it("that are equal are done once, whichever server requests them", async () => {
    const other = await openJobs();
    const waiting: Promise<unknown>[] = [];
    const runs = [jobs, other, jobs].map((from) => {
      const { promise, resolve } = Promise.withResolvers<unknown>();
      waiting.push(promise);
      return from.run(chunk("one"), { onProgress: resolve });
    });
    let done = 0;
    await startWorker(async (_job, { onProgress }) => {
      onProgress?.({ done: 1, of: 2 });
      if (done === 0) await Promise.all(waiting); // no caller may come after its end
      return { result: `${++done}` };
    });
    assertEquals(await Promise.all(runs), Array(3).fill({ result: "1" }));
    assertEquals(await jobs.run(chunk("one")), { result: "2" });
  });

  it("report their progress to all waiting callers", async () => {
    const other = await openJobs();
    const seen: Promise<unknown>[] = [];
    const [first, second] = [jobs, other].map((from) => {
      const reported = Promise.withResolvers<unknown>();
      seen.push(reported.promise);
      return from.run(chunk("one"), { onProgress: reported.resolve });
    });
    await startWorker(async (_job, { onProgress }) => {
      onProgress?.({ done: 1, of: 2 });
      await Promise.all(seen);
    });
    await Promise.all([first, second]);
    assertEquals(await Promise.all(seen), Array(2).fill({ done: 1, of: 2 }));
  });

  it("that are refused are not retried", async () => {
    let tries = 0;
    await startWorker(() => {
      tries++;
      return Promise.reject(new Refusal("no_data", "there is none", { retryAfter: 7 }));
    });
    const refusal = await assertRejects(() => jobs.run(chunk("one")), Refusal, "there is none");
    assertEquals([refusal.meaning, refusal.retryAfter, tries], ["no_data", 7, 1]);
    assertEquals(await readQueue((queue) => queue.list()), []);
  });

  it("that fail are tried three times, then dead until they are retried or requested again", async () => {
    let tries = 0;
    let broken = true;
    await startWorker(() => {
      tries++;
      return broken
        ? Promise.reject(new Error("the disk is full"))
        : Promise.resolve({ result: "whole" });
    });
    await Promise.all(["one", "two"].map(async (name) => {
      await assertRejects(() => jobs.run(chunk(name)), JobError, "the disk is full");
    }));
    assertEquals(tries, 6);
    await readQueue(async (queue) => {
      const dead = await queue.list();
      assertEquals(dead.map(({ state, begun }) => [state, begun]), Array(2).fill(["failed", 3]));
      assert(JSON.stringify(dead[0].output).includes("the disk is full"));
      broken = false;
      await jobs.run(chunk("one"));
      const [last, ...others] = await queue.list();
      assertEquals([last.job, others], [chunk("two"), []]);
      await queue.retry(last);
      let row = last;
      while (row.state !== "completed") [row] = await queue.find(last.id.slice(0, 8));
      assertEquals(row.output, { done: true, answer: { result: "whole" } });
    });
  });

  it("that are dead are listed even if thousands wait, and all are counted", async () => {
    await startWorker(() => Promise.reject(new Error("the disk is full")));
    await assertRejects(() => jobs.run(chunk("dead")), JobError);
    await open.shift()!.close();
    const boss = await openBoss(address);
    const waiting = Array.from({ length: 1001 }, (_, i) => ({
      data: chunk(`${i}`),
      singletonKey: `${i}`,
    }));
    await boss.insert(QUEUE, waiting);
    await boss.stop({ graceful: false });
    await readQueue(async (queue) => {
      const rows = await queue.list();
      assertEquals([rows.length, rows.at(-1)!.job], [1001, chunk("dead")]);
      assertEquals(await queue.count(), { active: 0, waiting: 1001, dead: 1 });
    });
  });

  it("are returned by a worker that is closed, and another one does them", async () => {
    const started = Promise.withResolvers<void>();
    const ends = Promise.withResolvers<void>();
    const first = await startWorker(async () => {
      started.resolve();
      await ends.promise;
      throw new JobError("the worker ends");
    });
    const run = jobs.run(chunk("one"));
    await started.promise;
    const closed = first.close();
    ends.resolve();
    await closed;
    await startWorker(() => Promise.resolve({ result: "by another" }));
    assertEquals(await run, { result: "by another" });
  });

  it("stay in the queue when the service that requested them is closed", async () => {
    const abandoned = assertRejects(() => jobs.run(chunk("one")), JobError, "after the next start");
    await waitForJobs(1);
    await jobs.close();
    await abandoned;
    await assertRejects(() => jobs.run(chunk("two")), JobError, "stopping");
    assertEquals((await readQueue((queue) => queue.list())).map(({ job }) => job), [chunk("one")]);
  });

  /** Runs a job for a caller that waits 200 ms without a worker; returns the messages. */
  async function runPatiently(body: (run: Promise<unknown>) => Promise<unknown>) {
    const { error } = console;
    const messages: string[] = [];
    console.error = (text) => messages.push(text);
    try {
      const storage = shareStorage({ database: address, files: "/srv/wind" });
      await using patient = await storage.watchJobs(undefined, 200);
      const run = patient.jobs.run(chunk("one"));
      run.catch(() => {}); // where it is given up
      await body(Promise.race([run, waitForAbort(patient.signal)]));
    } finally {
      console.error = error;
    }
    return messages;
  }

  it("R5: are abandoned after a limit without workers, with an earlier warning, and stay in the queue", async () => {
    const { safeAddress } = parsePostgresAddress(address);
    const start = `work --database ${safeAddress} --files /srv/wind`;
    const remedy =
      "Check whether workers run (vindkit jobs list (in a checkout: deno task jobs list)), or " +
      `start one: vindkit ${start} (in a checkout: deno task ${start})`;
    const messages = await runPatiently(async (run) => {
      const { message } = await assertRejects(() => run, PassingError);
      assertEquals(
        message,
        `No worker has been active for 0.2 s; the queue keeps the jobs. ${remedy}`,
      );
    });
    assertEquals(messages, [`No worker runs the waiting jobs. ${remedy}`]);
    const listed = () => readQueue((queue) => queue.list());
    assertEquals((await listed()).map(({ job, begun }) => [job, begun]), [[chunk("one"), 0]]);
    // a second request joins it, and it is done once
    await runPatiently((run) => assertRejects(() => run, PassingError));
    assertEquals((await listed()).length, 1);
    let done = 0;
    await startWorker(() => Promise.resolve({ result: `${++done}` }));
    while ((await listed()).length > 0);
    assertEquals(done, 1);
  });

  it("R5: are waited for while a worker does other jobs, or has just done some, but not after its death", async () => {
    const started = Promise.withResolvers<void>();
    const ends = Promise.withResolvers<void>();
    await startWorker(async (job) => {
      started.resolve();
      if (nameOf(job) === "long") await ends.promise;
      return { result: "done" };
    });
    const long = jobs.run(chunk("long"));
    await started.promise;
    await runPatiently(async (run) => {
      const later = performance.now() + 1000;
      while (performance.now() < later) await readQueue((queue) => queue.count());
      ends.resolve();
      assertEquals(await run, { result: "done" });
    });
    await long;
    await open.splice(open.findIndex((one) => one instanceof QueueWorker), 1)[0].close();
    const boss = await openBoss(address);
    open.unshift({ close: () => boss.stop({ graceful: false }) });
    await boss.getDb().executeSql(
      `UPDATE vindkit_jobs.job SET completed_on = now() - interval '1 min'`,
    );
    // without another worker, the job of a killed worker stays unchanged
    const lost = assertRejects(() => jobs.run(chunk("lost")), JobError);
    await waitForJobs(1);
    await boss.getDb().executeSql(
      `UPDATE vindkit_jobs.job SET state = 'active', started_on = now() - interval '1 min',
       heartbeat_on = now() - interval '1 min' WHERE state = 'created'`,
    );
    await runPatiently((run) => assertRejects(() => run, PassingError));
    await jobs.close();
    await lost;
  });

  it("are abandoned before the waiting request times out, so it can report the reason", () => {
    assert(URGENT_TIMEOUT + 10_000 < ANSWER_TIMEOUT);
  });

  it("are not placed without a queue, and the message has no password", async () => {
    const empty = await server().createDatabase();
    for (const kind of [QueuedJobs, JobQueue]) {
      const { message } = await assertRejects(
        () => kind.open(empty),
        ConfigurationError,
        "migrate",
      );
      assert(!message.includes("word"), message);
    }
  });

  it("are kept if the queue is migrated again", async () => {
    const run = jobs.run(chunk("one"));
    await waitForJobs(1);
    await migrateQueue(address);
    await startWorker(() => Promise.resolve({ result: "kept" }));
    assertEquals(await run, { result: "kept" });
  });
});
