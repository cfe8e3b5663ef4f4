import type { Job } from "./job.ts";
import { type DoOptions, type JobWorker, WorkerLostError } from "./job_worker.ts";

/**
 * Starts workers, and gives their jobs to another one, one after the other, where not one has ever started: the machine
 * or its settings forbid it, so that the next would not start either.
 *
 * @param instead Does the jobs then
 * @param report Called once then, with the cause
 * @returns What starts workers
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
            const begun = worker !== undefined &&
              !(error instanceof WorkerLostError && !error.begun);
            if (begun) state = "started";
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
