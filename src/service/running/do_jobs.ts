import { buildOrder, rebuildOrder } from "../fulfilment/build_order.ts";
import { buildDownload } from "../fulfilment/climate_download.ts";
import { readClimateRequest } from "../fulfilment/climate_delivery.ts";
import { gzipFile } from "../../storage/files/gzip_file.ts";
import { renderModelCsv } from "../fulfilment/model_csv.ts";
import { removeOrphanFiles } from "../../sites/keep/named_files.ts";
import { computeChunkFile } from "../../sites/fleet/compute_fleet.ts";
import { sitesOf } from "../../sites/keep/sites.ts";
import type { Storage } from "../../storage/storage.ts";
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

/** Creates the handlers of a service's jobs, by kind; only workers of the queue do exports. */
export function createJobHandlers(storage: Storage): Omit<JobHandlers, "export_group"> {
  const { store, files } = storage;
  return {
    build_order: (order, task) => buildOrder(store, files, order, task),
    rebuild_order: (order, task) => rebuildOrder(store, files, order, task),
    build_download: (parameters) =>
      buildDownload(sitesOf(store), files, readClimateRequest(parameters)),
    render_model_csv: ({ model, timeZone }) => renderModelCsv(files, model, timeZone),
    gzip_file: ({ name }) => gzipFile(files, name),
    compute_chunk: ({ input }, task) => computeChunkFile(files, input, task),
    remove_orphans: async () => void await removeOrphanFiles(store, files),
  };
}

/** Data and handlers of a worker. */
export interface WorkPlace {
  /** Handlers by kind of job. */
  readonly handlers: Partial<JobHandlers>;
  /**
   * Returns the function that ends a job and commits its changes.
   *
   * @param attempt Which attempt at a queued job it is
   */
  commitOf(attempt?: Attempt): JobTask["commit"];
  close(): Promise<void>;
}

/** Niceness of a worker, the maximum: answers to requests come first. */
const NICENESS = 19;

function report(result: Numbered<JobProgress | JobResult>): void {
  try {
    Deno.stdout.writeSync(new TextEncoder().encode(formatLine(result)));
  } catch (error) {
    if (error instanceof Deno.errors.BrokenPipe) Deno.exit(); // the service was killed; its next start continues
    throw error;
  }
}

/**
 * Does the jobs that it reads from standard input, a line of JSON each, until the input ends.
 *
 * @param open Opens the data for the jobs
 */
export async function doJobs(open: () => Promise<WorkPlace>): Promise<void> {
  setPriority(NICENESS);
  // Ctrl-C and a supervisor's SIGTERM reach all processes of a service. The service ends this one by closing its input.
  for (const signal of ["SIGINT", "SIGTERM"] as const) Deno.addSignalListener(signal, () => {});
  const place = await open();
  report({ number: 0, done: true }); // reports that the worker has started
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
  Deno.exit(); // the listeners would keep the process alive
}
