import { createJobHandlers } from "./do_jobs.ts";
import { ArgumentError } from "../../api/errors.ts";
import { findDeno } from "../../disk/home.ts";
import { JobPool } from "../../storage/jobs/job_pool.ts";
import {
  createInlineWorker,
  type DoOptions,
  type JobWorker,
  WorkerLostError,
} from "../../storage/jobs/job_worker.ts";
import { buildProcessArgs, ProcessWorker } from "../../storage/jobs/process_worker.ts";
import type { Storage } from "../../storage/storage.ts";
import type { Job } from "../../storage/jobs/job.ts";

/**
 * Starts workers. If none has ever started, the machine or its settings forbid it, so a retry would fail too: their jobs
 * then go to another worker, one after the other.
 *
 * @param instead Worker that does the jobs in that case
 * @param report Called once in that case, with the cause
 * @returns A function that starts a worker
 */
export function createFallback(
  start: () => JobWorker,
  instead: JobWorker,
  report: (cause: string) => void,
): () => JobWorker {
  let state: "untried" | "started" | "given up" = "untried";
  let last: Promise<unknown> = Promise.resolve();

  function doInstead(job: Job, options?: DoOptions): Promise<unknown> {
    const done = last.then(() => instead.do(job, options));
    last = done.catch(() => {}); // its caller has the error
    return done;
  }

  return () => {
    let worker: JobWorker | undefined;
    let ended = false;
    return {
      do: async (job, options) => {
        if (state !== "given up") {
          try {
            worker ??= start();
            const answer = await worker.do(job, options);
            state = "started";
            return answer;
          } catch (error) {
            const hasStarted = worker !== undefined &&
              !(error instanceof WorkerLostError && !error.begun);
            if (hasStarted) state = "started";
            if (state === "started" || ended) throw error;
            if (state === "untried") report((error as Error).message);
            state = "given up";
          }
        }
        return await doInstead(job, options);
      },
      end: async () => {
        ended = true;
        await worker?.end();
      },
    };
  };
}

/** Most workers: each takes memory. */
const MAX_WORKERS = 64;

/** Reports, once, that a service could not start its workers. */
function reportNoWorkers(cause: string): void {
  console.error(
    `Cannot start workers: ${cause}. The thread that answers requests now builds the orders, too`,
  );
}

/** Builds the command line of a worker of a data directory: no network, and write access only to that directory. */
export function buildWorkerArgs(data: string): string[] {
  const program = import.meta.resolve("./job_process.ts");
  return buildProcessArgs(program, [`--allow-write=${data}`], data);
}

/** Starts a worker of a data directory, or throws if permission is lacking; it never prompts for permission. */
function startAllowed(data: string): ProcessWorker {
  const { state } = Deno.permissions.querySync({ name: "run", command: findDeno() });
  if (state !== "granted") throw new Error("the run permission is missing. Give --allow-run=deno");
  if (data.includes(",")) {
    throw new Error(`the path ${data} has a comma, which Deno's permissions cannot express`);
  }
  return new ProcessWorker(buildWorkerArgs(data));
}

/**
 * Opens the jobs of the service of a data directory.
 *
 * @param workers Processes that do jobs; with 0, or if none can be started, this thread does them
 * @throws {ArgumentError} If the number of workers is not valid
 */
export function openJobs(data: string, storage: Storage, workers: number): JobPool {
  if (!Number.isSafeInteger(workers) || workers < 0 || workers > MAX_WORKERS) {
    throw new ArgumentError(
      `Cannot start workers: their number is ${workers}. Give a whole number from 0 to ${MAX_WORKERS}`,
    );
  }
  const inline = createInlineWorker(createJobHandlers(storage), storage.store);
  if (workers === 0) return new JobPool(() => inline, 1);
  return new JobPool(createFallback(() => startAllowed(data), inline, reportNoWorkers), workers);
}
