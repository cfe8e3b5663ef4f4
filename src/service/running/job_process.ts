/** A worker of a service: does the jobs of its standard input, a line of JSON each, on the storage it is given. */
import { setPriority } from "node:os";
import {
  describeFailure,
  formatLine,
  type JobResult,
  type Numbered,
  readLines,
} from "../jobs/job_message.ts";
import { doJob, type Job } from "../jobs/job.ts";
import { openStorage } from "../storage.ts";
import type { StorageAddress } from "../storage_address.ts";
import { createJobHandlers } from "./job_handlers.ts";

/** Niceness of a worker, the most there is: what answers goes first. */
const NICENESS = 19;

function report(result: Numbered<JobResult>): void {
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
  const storage = await openStorage(address);
  const handlers = createJobHandlers(storage);
  report({ number: 0, done: true }); // it has started
  for await (const line of readLines(Deno.stdin.readable)) {
    const { number, ...job }: Numbered<Job> = JSON.parse(line);
    let result: JobResult;
    try {
      result = { done: true, answer: await doJob(handlers, job as Job) };
    } catch (error) {
      result = describeFailure(error);
    }
    report({ ...result, number });
  }
  await storage.close();
  Deno.exit(); // the listeners would keep it
}

const [data = {
  database: Deno.env.get("VINDKIT_DATABASE")!,
  files: Deno.env.get("VINDKIT_FILES")!,
}] = Deno.args;
await work(data);
