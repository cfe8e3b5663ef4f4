import type { Store } from "../store/store.ts";
import { doJob, type Job, JobError, type JobHandlers, type RunOptions } from "./job.ts";

/** An attempt at a job by a worker of the queue. The worker holds the job until the queue counts another attempt. */
export interface Attempt {
  /** The job in the queue. */
  readonly id: string;
  /** Number of earlier attempts. */
  readonly retryCount: number;
}

/** Options for doing a job. */
export interface DoOptions extends RunOptions {
  /** Attempt at a queued job. */
  readonly attempt?: Attempt;
}

/** A worker that does one job after the other. */
export interface JobWorker {
  /**
   * Does a job.
   *
   * @returns Its answer, as JSON
   * @throws {Refusal} If the job itself was refused
   * @throws {WorkerLostError} If the worker ended before the job did
   * @throws {Error} If the job failed
   */
  do(job: Job, options?: DoOptions): Promise<unknown>;
  /** Ends it once its job is done, or after a deadline. */
  end(): Promise<void>;
}

/** The worker ended before its job did. */
export class WorkerLostError extends Error {
  readonly begun: boolean;
  readonly overdue: boolean;

  /**
   * @param message How it ended
   * @param options `begun`: whether it had begun the job; `overdue`: whether the job exceeded its deadline
   */
  constructor(message: string, options: { begun: boolean; overdue?: boolean }) {
    super(message);
    this.name = "WorkerLostError";
    this.begun = options.begun;
    this.overdue = options.overdue ?? false;
  }
}

/**
 * Builds the error of a job that was given up. Only a job that never ends is hopeless; other reasons for losing its
 * workers, such as a lack of memory, may pass.
 *
 * @param lost Number of workers lost, and of those killed because the job exceeded its deadline
 */
export function buildGivenUp(
  { kind }: Job,
  { begun, message }: WorkerLostError,
  lost: { readonly all: number; readonly overdue: number },
): JobError {
  if (!begun) {
    return new JobError(
      `Cannot run ${kind}: no worker could start (${message})`,
      { passes: true },
    );
  }
  const final = lost.overdue === lost.all;
  return new JobError(
    `Cannot run ${kind}: ${
      lost.all === 1 ? "a worker" : `${lost.all} workers`
    } ended during the job (${message}). ` +
      "Look for memory problems and crashes in the system's log",
    { final, passes: !final },
  );
}

/**
 * Creates a worker that runs in this thread: if no other caller waits for answers, a process would only take longer.
 */
export function createInlineWorker(handlers: Partial<JobHandlers>, store: Store): JobWorker {
  return {
    do: (job, { onProgress } = {}) =>
      doJob(handlers, job, {
        commit: (body) => store.transaction(body),
        report: (progress) => onProgress?.(progress),
      }),
    end: () => Promise.resolve(),
  };
}
