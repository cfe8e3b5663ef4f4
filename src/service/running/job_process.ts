/**
 * A worker: does the jobs of its standard input, a line of JSON each, for the data directory that it is given, or for the
 * database and the files that its environment names, since a command line is for all to read.
 *
 * @module
 */
import { setPriority } from "node:os";
import {
  describeFailure,
  formatLine,
  type JobProgress,
  type JobRequest,
  type JobResult,
  type Numbered,
  readLines,
} from "../../storage/jobs/job_message.ts";
import { doJob, type JobTask } from "../../storage/jobs/job.ts";
import { createJobHandlers } from "./job_handlers.ts";
import type { StorageAddress } from "../../storage/storage_address.ts";
import { openWorkPlace } from "./work_place.ts";

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

async function work(address: StorageAddress): Promise<void> {
  setPriority(NICENESS);
  // Ctrl-C and a supervisor's SIGTERM reach all processes of a service: it ends this one by its input, after its job.
  for (const signal of ["SIGINT", "SIGTERM"] as const) Deno.addSignalListener(signal, () => {});
  const place = await openWorkPlace(address);
  const handlers = createJobHandlers(place);
  report({ number: 0, done: true }); // it has started
  for await (const line of readLines(Deno.stdin.readable)) {
    const { number, ...job }: Numbered<JobRequest> = JSON.parse(line);
    const task: JobTask = {
      commit: place.commitOf(job.attempt),
      report: (progress) => report({ progress, number }),
    };
    let result: JobResult;
    try {
      result = { done: true, answer: await doJob(handlers, job as JobRequest, task) };
    } catch (error) {
      result = describeFailure(error);
    }
    report({ ...result, number });
  }
  await place.close();
  Deno.exit(); // the listeners would keep it
}

const [data = {
  database: Deno.env.get("VINDKIT_DATABASE")!,
  files: Deno.env.get("VINDKIT_FILES")!,
}] = Deno.args;
await work(data);
