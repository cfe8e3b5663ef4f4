import { ArgumentError } from "../../api/errors.ts";
import { findDeno } from "../../disk/find_deno.ts";
import type { DataDirectory } from "../data_directory.ts";
import { JobPool } from "../jobs/job_pool.ts";
import { createInlineWorker } from "../jobs/job_worker.ts";
import { ProcessWorker } from "../jobs/process_worker.ts";
import { createJobHandlers } from "./job_handlers.ts";

/** Most workers: each takes memory. */
const MAX_WORKERS = 64;

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
function maySpawn(): boolean {
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
  if (workers > 0 && maySpawn()) {
    return new JobPool(() => new ProcessWorker(buildWorkerArgs(path)), workers);
  }
  if (workers > 0) {
    console.error(
      "No worker can be started, so orders are built by the thread that answers: allow it with --allow-run=deno",
    );
  }
  return new JobPool(() => createInlineWorker(createJobHandlers(directory)), 1);
}
