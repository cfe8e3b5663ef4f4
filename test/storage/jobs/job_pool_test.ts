/**
 * The worker pool: the suite, in this thread and in a process, and workers that end before their job.
 *
 * @module
 */
import { createJobHandlers } from "../../../src/service/running/do_jobs.ts";
import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { delay } from "@std/async";
import { ArgumentError } from "../../../src/api/errors.ts";
import { type Job, JobError } from "../../../src/storage/jobs/job.ts";
import { JobPool, MAX_LOST_WORKERS } from "../../../src/storage/jobs/job_pool.ts";
import {
  buildWorkerArgs,
  createFallback,
  openJobs,
} from "../../../src/service/running/open_jobs.ts";
import {
  createInlineWorker,
  type JobWorker,
  WorkerLostError,
} from "../../../src/storage/jobs/job_worker.ts";
import { ProcessWorker } from "../../../src/storage/jobs/process_worker.ts";
import { Orders } from "../../../src/service/fulfilment/orders.ts";
import { testJobs, withJobData } from "./_jobs_suite.ts";

for (const [name, workers] of [["this thread", 0], ["a process", 1]] as const) {
  testJobs(name, ({ folder, store, files }) => ({
    jobs: openJobs(folder, { store, files }, workers),
    begun: () => Promise.resolve(), // within the call
  }), { order: workers === 0 }); // with processes, one pool serves both
}

const job: Job = { kind: "remove_orphans", parameters: {}, turn: "", urgent: false };

/** Runs a body, and captures its log lines. */
async function captureErrors(body: () => Promise<unknown>): Promise<string[]> {
  const { error } = console;
  const lines: string[] = [];
  console.error = (...words) => lines.push(words.join(" "));
  try {
    await body();
  } finally {
    console.error = error;
  }
  return lines;
}

/** Writes a worker program that reports ready, reads the `number` of a job and runs `body`; returns its command line. */
function writeWorker(folder: string, body: string): string[] {
  const path = `${folder}/worker.js`;
  const lines = [
    `console.log(JSON.stringify({ number: 0, done: true }));`,
    `const bytes = new Uint8Array(65536);`,
    `const text = new TextDecoder().decode(bytes.subarray(0, await Deno.stdin.read(bytes) ?? 0));`,
    `const { number } = JSON.parse(text);`,
    body,
  ];
  Deno.writeTextFileSync(path, lines.join("\n"));
  return ["run", "--quiet", "--no-prompt", path];
}

/** Creates a pool whose workers are lost in their first jobs. */
function createLosing(losses: number, overdue = false): { pool: JobPool; started: () => number } {
  let started = 0;
  const start = (): JobWorker => {
    const lost = started++ < losses;
    return {
      do: () =>
        lost
          ? Promise.reject(new WorkerLostError("no memory", { begun: true, overdue }))
          : Promise.resolve(),
      end: () => Promise.resolve(),
    };
  };
  return { pool: new JobPool(start, 1), started: () => started };
}

describe("a worker that ends before its job", () => {
  it("F47 is replaced, and the next worker does the job", async () => {
    const { pool, started } = createLosing(MAX_LOST_WORKERS - 1);
    await captureErrors(() => pool.run(job));
    assertEquals(started(), MAX_LOST_WORKERS);
    await pool.run(job);
    assertEquals(started(), MAX_LOST_WORKERS, "one that lives is used again");
    await pool.close();
  });

  it("F47 three times ends the job with a reason, and the next job proceeds", async () => {
    const { pool } = createLosing(MAX_LOST_WORKERS);
    const logged = await captureErrors(async () => {
      const error = await assertRejects(() => pool.run(job), JobError, "no memory");
      assertEquals([error.final, error.passes], [false, true]);
    });
    assertEquals(logged.length, MAX_LOST_WORKERS);
    await pool.run(job);
    await pool.close();
  });

  it("F47 three times because the job exceeded its deadline ends it for good", async () => {
    const { pool } = createLosing(MAX_LOST_WORKERS, true);
    await captureErrors(async () => {
      const error = await assertRejects(() => pool.run(job), JobError);
      assertEquals([error.final, error.passes], [true, false]);
    });
    await pool.close();
  });

  it("F47 reports whether it was killed because the job exceeded its deadline", async () => {
    await withJobData(async ({ folder }) => {
      const hanging = writeWorker(folder, `await new Promise((r) => setTimeout(r, 60_000));`);
      const worker = new ProcessWorker(hanging, { jobTimeout: 1000 });
      const error = await assertRejects(() => worker.do(job), WorkerLostError);
      assert(error.begun && error.overdue, error.message);
    });
  });

  it("is not killed as long as it reports progress, however long its job takes", async () => {
    await withJobData(async ({ folder }) => {
      const working = writeWorker(
        folder,
        `for (let progress = 0; progress < 8; progress++) {
           await new Promise((resolve) => setTimeout(resolve, 250));
           console.log(JSON.stringify({ number, progress }));
         }
         console.log(JSON.stringify({ number, done: true, answer: "late" }));`,
      );
      const worker = new ProcessWorker(working, { jobTimeout: 1500 });
      assertEquals(await worker.do(job), "late");
      await worker.end();
    });
  });

  it("F47 three times loses no order: it is built once there is memory", async () => {
    await withJobData(async ({ store, files, approve }) => {
      await approve("one");
      const inline = createInlineWorker(createJobHandlers({ store, files }), store);
      let started = 0;
      const pool = new JobPool(() => {
        const lost = new WorkerLostError("no memory", { begun: true });
        return started++ < 2 * MAX_LOST_WORKERS // the search for orphans ends as many
          ? { do: () => Promise.reject(lost), end: () => Promise.resolve() }
          : inline;
      }, 1);
      const orders = new Orders(store, pool);
      await captureErrors(async () => {
        await orders.resume();
        while ((await store.orders.get("one"))!.state === "approved") await delay(20);
      });
      assertEquals((await store.orders.get("one"))!.state, "complete");
      await orders.close();
    });
  });

  it("F50 is ended if something else prints a line among its results", async () => {
    await withJobData(async ({ folder }) => {
      for (const line of ["polars: a warning", `{"number":7,"done":true}`, "null"]) {
        const worker = new ProcessWorker(writeWorker(
          folder,
          [
            `console.log(${JSON.stringify(line)});`,
            `console.log(JSON.stringify({ number, done: true }));`,
            `await new Promise((r) => setTimeout(r, 60_000));`,
          ].join("\n"),
        ));
        const error = await assertRejects(
          () => worker.do(job),
          WorkerLostError,
          "which is not a result",
        );
        assert(error.begun && !error.overdue);
      }
    });
  });

  it("F47 by a kill in the middle of a build does not lose the order: another worker builds it", async () => {
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

  it("F47 before it started does not end the job for good", async () => {
    await withJobData(async ({ folder, approve }) => {
      const pool = new JobPool(
        () => new ProcessWorker(buildWorkerArgs(folder), { jobTimeout: 1 }), // before it has started
        1,
      );
      const build = await approve("one");
      const error = await assertRejects(
        () => pool.run(build),
        JobError,
        "no worker could start",
      );
      assert(!error.final && error.message.includes("SIGKILL"), error.message);
      await pool.close();
    });
  });
});

describe("openJobs()", () => {
  it("rejects an impossible number of workers", async () => {
    await withJobData(({ folder, store, files }) => {
      for (const workers of [-1, 0.5, NaN, 65]) {
        assertThrows(() => openJobs(folder, { store, files }, workers), ArgumentError, "workers");
      }
      return Promise.resolve();
    });
  });
});

describe("if no worker starts", () => {
  it("F47 this thread does the jobs, one after the other, and reports it once with the cause", async () => {
    const starts: Record<string, () => JobWorker> = {
      "it ended with code 3": () => new ProcessWorker(["eval", "Deno.exit(3)"]),
      "not allowed": () => {
        throw new Error("not allowed");
      },
    };
    for (const [cause, start] of Object.entries(starts)) {
      const [reported, done]: [string[], Job[]] = [[], []];
      let [most, under] = [0, 0];
      const instead: JobWorker = {
        do: async (job) => {
          most = Math.max(most, ++under);
          await delay(5);
          under--;
          done.push(job);
        },
        end: () => Promise.resolve(),
      };
      const pool = new JobPool(createFallback(start, instead, (why) => reported.push(why)), 2);
      const gzip = (name: string): Job => ({ ...job, kind: "gzip_file", parameters: { name } });
      await Promise.all(["a", "b", "c"].map((name) => pool.run(gzip(name))));
      assertEquals([reported, done.length, most], [[cause], 3, 1]);
      await pool.close();
    }
  });

  it("F47 but one has started before, the job fails and another start is tried", async () => {
    let starts = 0;
    const unready = new WorkerLostError("no memory", { begun: false });
    const end = () => Promise.resolve();
    const pool = new JobPool(
      createFallback(
        () => {
          if (++starts === 2) throw unready;
          return { do: () => Promise.resolve(), end };
        },
        { do: () => Promise.reject(new Error("this thread is not asked")), end },
        (why) => assert(false, why),
      ),
      2,
    );
    const other: Job = { ...job, kind: "gzip_file", parameters: { name: "a" } };
    await pool.run(job);
    const repeated = pool.run(job); // by the worker that has started
    await assertRejects(() => pool.run(other), JobError, "no worker could start");
    await repeated;
    await pool.run(other);
    await pool.close();
  });

  it("F47 because of a comma in the data path, this thread does the jobs", async () => {
    await withJobData(async ({ store, files }) => {
      const jobs = openJobs("/a,b", { store, files }, 2);
      const logged = await captureErrors(async () => {
        await jobs.run(job);
        await jobs.run(job);
      });
      assertEquals(logged.length, 1);
      assert(logged[0].startsWith("Cannot start workers") && logged[0].includes("/a,b"));
      await jobs.close();
    });
  });
});

describe("a worker", () => {
  it("H4: has the lowest priority, even if it was started with another niceness", async () => {
    await withJobData(async ({ folder }) => {
      const child = new Deno.Command("nice", {
        args: ["-n", "15", Deno.execPath(), ...buildWorkerArgs(folder)],
        stdin: "piped",
        stdout: "piped",
      }).spawn();
      const reader = child.stdout.getReader();
      await reader.read(); // it has started
      const ps = new Deno.Command("ps", { args: ["-o", "ni=", "-p", String(child.pid)] });
      assertEquals(new TextDecoder().decode((await ps.output()).stdout).trim(), "19");
      await child.stdin.close();
      await child.status;
      await reader.cancel();
    });
  });
});

describe("JobPool", () => {
  it("passes progress and answer of a job in a process to all its callers", async () => {
    await withJobData(async ({ folder }) => {
      const reporting = [
        `console.log(JSON.stringify({ number, progress: { done: 1, of: 2 } }));`,
        `console.log(JSON.stringify({ number, done: true, answer: ["a.bin", null] }));`,
      ].join("\n");
      const pool = new JobPool(() => new ProcessWorker(writeWorker(folder, reporting)), 1);
      const reported: unknown[] = [];
      const onProgress = (progress: unknown) => void reported.push(progress);
      const runs = [pool.run(job, { onProgress }), pool.run(job, { onProgress }), pool.run(job)];
      assertEquals(await Promise.all(runs), Array(3).fill(["a.bin", null]));
      assertEquals(reported, Array(2).fill({ done: 1, of: 2 }));
      await pool.close();
    });
  });

  it("starts no more at once than its width", async () => {
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
