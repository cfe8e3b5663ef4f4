import { ArgumentError } from "../../api/errors.ts";
import { findDeno } from "../../disk/find_deno.ts";
import type { DataDirectory } from "../data_directory.ts";
import { JobPool } from "../jobs/job_pool.ts";
import { createInlineWorker } from "../jobs/job_worker.ts";
import { ProcessWorker } from "../jobs/process_worker.ts";
import { createJobHandlers } from "./job_handlers.ts";

/** Most workers: each takes memory. */
const MAX_WORKERS = 64;

/** What a service says, once, that should have workers. */
const NO_WORKERS =
  "No worker can be started, so the thread that answers builds orders: allow it with --allow-run=deno";

/**
 * Builds the command line of a worker: without network, and writing in its data directory only.
 *
 * @param path The data directory
 */
export function buildWorkerArgs(path: string): string[] {
  return [
    "run",
    "--quiet",
    "--no-prompt",
    "--allow-ffi",
    "--allow-read",
    `--allow-write=${path}`,
    "--allow-env",
    "--allow-sys=cpus,hostname,networkInterfaces,setPriority",
    import.meta.resolve("./job_process.ts"),
    path,
  ];
}

/** Whether this process may start workers; it does not ask. */
function mayStartWorkers(): boolean {
  return Deno.permissions.querySync({ name: "run", command: findDeno() }).state === "granted";
}

/**
 * Opens the jobs of a data directory.
 *
 * @param path The directory
 * @param directory The same, open
 * @param workers Processes that do jobs; with 0 this thread does them, and where it may not start any
 * @throws {ArgumentError} If the number of workers is not valid
 */
export function openJobs(path: string, directory: DataDirectory, workers: number): JobPool {
  if (!Number.isSafeInteger(workers) || workers < 0 || workers > MAX_WORKERS) {
    throw new ArgumentError(
      `Cannot start workers: ${workers} is not a whole number from 0 to ${MAX_WORKERS}`,
    );
  }
  if (workers > 0 && mayStartWorkers()) {
    return new JobPool(() => new ProcessWorker(buildWorkerArgs(path)), workers);
  }
  return new JobPool(() => {
    if (workers > 0) console.error(NO_WORKERS);
    return createInlineWorker(createJobHandlers(directory));
  }, 1);
}
