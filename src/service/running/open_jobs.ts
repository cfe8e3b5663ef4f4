import { ArgumentError } from "../../api/errors.ts";
import { findDeno } from "../../disk/find_deno.ts";
import { JobPool } from "../../storage/jobs/job_pool.ts";
import { createFallback } from "../../storage/jobs/fallback_worker.ts";
import { createInlineWorker } from "../../storage/jobs/job_worker.ts";
import { ProcessWorker } from "../../storage/jobs/process_worker.ts";
import type { Storage } from "../../storage/open_storage.ts";
import type { StorageAddress } from "../../storage/storage_address.ts";
import { createJobHandlers } from "./job_handlers.ts";

/** Most workers: each takes memory. */
const MAX_WORKERS = 64;

/** Says, once, that a service that should have workers has none. */
function reportNoWorkers(cause: string): void {
  console.error(`No worker can be started, so the thread that answers builds orders: ${cause}`);
}

/** Permissions of a worker by what it works on: a data directory needs no network, and has no exports to write. */
function listAccess(data: StorageAddress): string[] {
  if (typeof data === "string") return [`--allow-write=${data}`];
  const folders = [Deno.env.get("TMPDIR") ?? "/tmp"]; // for pieces of exports
  if (!data.files.startsWith("s3:")) folders.push(data.files);
  return ["--allow-net", `--allow-write=${folders.join()}`];
}

/**
 * Builds the command line of a worker: without network where it works in a data directory, and writing there only.
 *
 * @param data Where its data are kept; a shared storage is not in the command line, as all users of a machine see that
 */
export function buildWorkerArgs(data: StorageAddress): string[] {
  return [
    "run",
    "--quiet",
    "--no-prompt",
    "--v8-flags=--single-threaded-gc", // niceness is a thread's: those of the collector would go beside what answers
    "--allow-ffi",
    "--allow-read",
    ...listAccess(data),
    "--allow-env",
    "--allow-sys=cpus,hostname,networkInterfaces,setPriority",
    import.meta.resolve("./job_process.ts"),
    ...typeof data === "string" ? [data] : [],
  ];
}

/** Starts a worker. */
export function startWorker(data: StorageAddress): ProcessWorker {
  if (typeof data === "string") return new ProcessWorker(buildWorkerArgs(data));
  const env = { VINDKIT_DATABASE: data.database, VINDKIT_FILES: data.files };
  return new ProcessWorker(buildWorkerArgs(data), { env });
}

/** Starts a worker of a data directory unless it is known before that this process cannot; it does not ask. */
function startAllowed(data: string): ProcessWorker {
  const { state } = Deno.permissions.querySync({ name: "run", command: findDeno() });
  if (state !== "granted") throw new Error("allow it with --allow-run=deno");
  if (data.includes(",")) throw new Error(`no permission can name ${data}, for its comma`);
  return startWorker(data);
}

/**
 * Opens the jobs of the service of a data directory.
 *
 * @param workers Processes that do jobs; with 0 this thread does them, and where none can be started
 * @throws {ArgumentError} If the number of workers is not valid
 */
export function openJobs(data: string, storage: Storage, workers: number): JobPool {
  if (!Number.isSafeInteger(workers) || workers < 0 || workers > MAX_WORKERS) {
    throw new ArgumentError(
      `Cannot start workers: ${workers} is not a whole number from 0 to ${MAX_WORKERS}`,
    );
  }
  const inline = createInlineWorker(createJobHandlers(storage), storage.store);
  if (workers === 0) return new JobPool(() => inline, 1);
  return new JobPool(createFallback(() => startAllowed(data), inline, reportNoWorkers), workers);
}
