/**
 * The pool of workers: the suite, in this thread and in a process; and workers that end before their job.
 *
 * @module
 */
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ArgumentError } from "../../../src/api/errors.ts";
import { type Job, JobError } from "../../../src/service/jobs/job.ts";
import { JobPool, MAX_LOST_WORKERS } from "../../../src/service/jobs/job_pool.ts";
import { type JobWorker, WorkerLostError } from "../../../src/service/jobs/job_worker.ts";
import { ProcessWorker } from "../../../src/service/jobs/process_worker.ts";
import { buildWorkerArgs, openJobs } from "../../../src/service/running/open_jobs.ts";
import { testJobs, withJobData } from "./_jobs_suite.ts";

testJobs("this thread", ({ folder, store, files }) => openJobs(folder, { store, files }, 0));
testJobs("a process", ({ folder, store, files }) => openJobs(folder, { store, files }, 1));

const job: Job = { kind: "remove_orphans", parameters: {}, turn: "", urgent: false };

/** Runs a body without what it logs; returns the lines. */
async function captureErrors(body: () => Promise<void>): Promise<string[]> {
  const { error } = console;
  const lines: string[] = [];
  console.error = (...what) => lines.push(what.join(" "));
  try {
    await body();
  } finally {
    console.error = error;
  }
  return lines;
}

/** A pool of workers that are lost in their first jobs. */
function createLosing(losses: number): { pool: JobPool; started: () => number } {
  let started = 0;
  const start = (): JobWorker => {
    const lost = started++ < losses;
    return {
      do: () =>
        lost
          ? Promise.reject(new WorkerLostError("no memory", { begun: true }))
          : Promise.resolve(),
      end: () => Promise.resolve(),
    };
  };
  return { pool: new JobPool(start, 1), started: () => started };
}

describe("a worker that ends before its job", () => {
  it("F47 is replaced, and the job is done by the next", async () => {
    const { pool, started } = createLosing(MAX_LOST_WORKERS - 1);
    await captureErrors(() => pool.run(job));
    assertEquals(started(), MAX_LOST_WORKERS);
    await pool.run(job);
    assertEquals(started(), MAX_LOST_WORKERS, "one that lives is used again");
    await pool.close();
  });

  it("F47 thrice ends the job with a reason, and the next proceeds", async () => {
    const { pool } = createLosing(MAX_LOST_WORKERS);
    const logged = await captureErrors(async () => {
      const error = await assertRejects(() => pool.run(job), JobError, "no memory");
      assert(error.final);
    });
    assertEquals(logged.length, MAX_LOST_WORKERS);
    await pool.run(job);
    await pool.close();
  });

  it("F47 by a kill in the middle of a build: the order is built by another", async () => {
    await withJobData(async ({ folder, store, approve }) => {
      const workers: ProcessWorker[] = [];
      const pool = new JobPool(() => {
        const worker = new ProcessWorker(buildWorkerArgs(folder));
        workers.push(worker);
        return worker;
      }, 1);
      await pool.run(job); // the worker has started
      const build = pool.run(await approve("one"));
      const logged = await captureErrors(async () => {
        Deno.kill(workers[0].pid, "SIGKILL");
        await build;
      });
      assertEquals((await store.orders.get("one"))!.state, "complete");
      assertEquals(workers.length, 2);
      assert(logged[0].includes("it was ended by SIGKILL"), logged.join());
      await pool.close();
    });
  });

  it("F47 before it has started does not end the job for good", async () => {
    await withJobData(async ({ folder, approve }) => {
      const pool = new JobPool(
        () => new ProcessWorker(buildWorkerArgs(folder), { jobTimeout: 1 }), // before it has started
        1,
      );
      const build = await approve("one");
      const error = await assertRejects(() => pool.run(build), JobError, "no worker starts");
      assert(!error.final && error.message.includes("SIGKILL"), error.message);
      await pool.close();
    });
  });
});

describe("openJobs()", () => {
  it("refuses a number of workers that cannot be started", async () => {
    await withJobData(({ folder, store, files }) => {
      for (const workers of [-1, 0.5, NaN, 65]) {
        assertThrows(() => openJobs(folder, { store, files }, workers), ArgumentError, "workers");
      }
      return Promise.resolve();
    });
  });
});

describe("JobPool", () => {
  it("starts no more at once than it may", async () => {
    let [most, under] = [0, 0];
    const gates: (() => void)[] = [];
    const pool = new JobPool(() => ({
      do: async () => {
        most = Math.max(most, ++under);
        await new Promise<void>((resolve) => gates.push(resolve));
        under--;
      },
      end: () => Promise.resolve(),
    }), 2);
    const runs = [1, 2, 3, 4, 5].map((i) =>
      pool.run({ ...job, kind: "gzip_file", parameters: { name: String(i) } })
    );
    for (let done = 0; done < 5; done++) {
      while (gates.length === 0) await Promise.resolve();
      gates.shift()!();
    }
    await Promise.all(runs);
    assertEquals(most, 2);
    await pool.close();
  });
});
