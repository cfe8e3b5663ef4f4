import { doJob, type Job, type JobHandlers } from "./job.ts";

/** Does one job after the other. */
export interface JobWorker {
  /**
   * Does a job.
   *
   * @returns What it answers, as JSON
   * @throws {Refusal} If the job itself was refused
   * @throws {WorkerLostError} If the worker ended before the job
   * @throws {Error} If the job failed
   */
  do(job: Job): Promise<unknown>;
  /** Ends it once its job is done, or after a deadline. */
  end(): Promise<void>;
}

/** A worker that ended before its job. */
export class WorkerLostError extends Error {
  /** Whether it had begun the job, which may be why it ended. */
  readonly begun: boolean;
  /** Whether it was killed since the job exceeded its deadline. */
  readonly overdue: boolean;

  /**
   * @param message How it ended
   * @param options `begun`: whether it had begun the job; `overdue`: whether that exceeded its deadline
   */
  constructor(message: string, options: { begun: boolean; overdue?: boolean }) {
    super(message);
    this.name = "WorkerLostError";
    this.begun = options.begun;
    this.overdue = options.overdue ?? false;
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
