import { doJob, type Job, type JobHandlers } from "./job.ts";

/** Does one job after the other. */
export interface JobWorker {
  /**
   * Does a job.
   *
   * @throws {Refusal} If the job itself was refused
   * @throws {WorkerLostError} If the worker ended before the job
   * @throws {Error} If the job failed
   */
  do(job: Job): Promise<void>;
  /** Ends it once its job is done, or after a deadline. */
  end(): Promise<void>;
}

/** A worker that ended before its job. */
export class WorkerLostError extends Error {
  /** @param message How it ended */
  constructor(message: string) {
    super(message);
    this.name = "WorkerLostError";
  }
}

/**
 * Creates a worker that is this thread: where nobody else waits for its answers, starting another would only take longer.
 *
 * @param handlers What does jobs, by kind
 */
export function createInlineWorker(handlers: JobHandlers): JobWorker {
  return { do: (job) => doJob(handlers, job), end: () => Promise.resolve() };
}
