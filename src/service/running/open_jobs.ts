import { ArgumentError } from "../../api/errors.ts";
import { findDeno } from "../../disk/find_deno.ts";
import type { DataDirectory } from "../data_directory.ts";
import type { StorageAddress } from "../storage.ts";
import { JobPool } from "../jobs/job_pool.ts";
import { createFallback } from "../jobs/fallback_worker.ts";
import { createInlineWorker } from "../jobs/job_worker.ts";
import { ProcessWorker } from "../jobs/process_worker.ts";
import { createJobHandlers } from "./job_handlers.ts";

/** Most workers: each takes memory. */
const MAX_WORKERS = 64;

/** Says, once, that a service that should have workers has none. */
function reportNoWorkers(cause: string): void {
  console.error(`No worker can be started, so the thread that answers builds orders: ${cause}`);
}

/**
 * Builds the command line of a worker: writing in its data directory only, and without network; one of a queue gets its
 * addresses by its environment.
 *
 * @param address Where the data are
 */
export function buildWorkerArgs(address: StorageAddress): string[] {
  const own = typeof address === "string";
  return [
    "run",
    "--quiet",
    "--no-prompt",
    "--v8-flags=--single-threaded-gc", // niceness is a thread's: those of the collector would go beside what answers
    "--allow-ffi",
    "--allow-read",
    `--allow-write=${own ? address : address.files}`,
    ...own ? [] : ["--allow-net"],
    "--allow-env",
    "--allow-sys=cpus,hostname,networkInterfaces,setPriority",
    import.meta.resolve("./job_process.ts"),
    ...own ? [address] : [],
  ];
}

/** Why this process cannot start workers, as far as is known before; it does not ask. */
function findHindrance(path: string): string | undefined {
  const { state } = Deno.permissions.querySync({ name: "run", command: findDeno() });
  if (state !== "granted") return "allow it with --allow-run=deno";
  return path.includes(",") ? `no permission can name ${path}, for its comma` : undefined;
}

/**
 * Opens the jobs of a data directory.
 *
 * @param path The directory
 * @param directory The same, open
 * @param workers Processes that do jobs; with 0 this thread does them, and where none can be started
 * @throws {ArgumentError} If the number of workers is not valid
 */
export function openJobs(path: string, directory: DataDirectory, workers: number): JobPool {
  if (!Number.isSafeInteger(workers) || workers < 0 || workers > MAX_WORKERS) {
    throw new ArgumentError(
      `Cannot start workers: ${workers} is not a whole number from 0 to ${MAX_WORKERS}`,
    );
  }
  const inline = createInlineWorker(createJobHandlers(directory), directory.store);
  if (workers === 0) return new JobPool(() => inline, 1);
  const hindrance = findHindrance(path);
  if (hindrance === undefined) {
    const start = () => new ProcessWorker(buildWorkerArgs(path));
    return new JobPool(createFallback(start, inline, reportNoWorkers), workers);
  }
  return new JobPool(() => {
    reportNoWorkers(hindrance);
    return inline;
  }, 1);
}
