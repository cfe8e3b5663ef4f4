import { setPriority } from "node:os";
import {
  describeFailure,
  formatLine,
  type JobProgress,
  type JobRequest,
  type JobResult,
  type Numbered,
  readLines,
} from "../../storage/jobs/job_result.ts";
import { doJob, type JobHandlers, type JobTask } from "../../storage/jobs/job.ts";
import type { Attempt } from "../../storage/jobs/job_worker.ts";

/** Where a worker does jobs. */
export interface WorkPlace {
  /** What does them, by kind. */
  readonly handlers: Partial<JobHandlers>;
  /**
   * Returns the function that ends a job and commits its changes.
   *
   * @param attempt Which attempt at a queued job it is
   */
  commitOf(attempt?: Attempt): JobTask["commit"];
  close(): Promise<void>;
}

/** Niceness of a worker, the most there is: what answers goes first. */
const NICENESS = 19;

function report(result: Numbered<JobProgress | JobResult>): void {
  try {
    Deno.stdout.writeSync(new TextEncoder().encode(formatLine(result)));
  } catch (error) {
    if (error instanceof Deno.errors.BrokenPipe) Deno.exit(); // the service was killed; its next start goes on
    throw error;
  }
}

/**
 * Does the jobs that it reads from standard input, a line of JSON each, until the input ends.
 *
 * @param open Opens what the jobs work on
 */
export async function doJobs(open: () => Promise<WorkPlace>): Promise<void> {
  setPriority(NICENESS);
  // Ctrl-C and a supervisor's SIGTERM reach all processes of a service: it ends this one by its input, after its job.
  for (const signal of ["SIGINT", "SIGTERM"] as const) Deno.addSignalListener(signal, () => {});
  const place = await open();
  report({ number: 0, done: true }); // it has started
  for await (const line of readLines(Deno.stdin.readable)) {
    const { number, ...job }: Numbered<JobRequest> = JSON.parse(line);
    const task: JobTask = {
      commit: place.commitOf(job.attempt),
      report: (progress) => report({ progress, number }),
    };
    let result: JobResult;
    try {
      result = { done: true, answer: await doJob(place.handlers, job as JobRequest, task) };
    } catch (error) {
      result = describeFailure(error);
    }
    report({ ...result, number });
  }
  await place.close();
  Deno.exit(); // the listeners would keep it
}
