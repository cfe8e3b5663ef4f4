import { formatCommand } from "../../storage/format_command.ts";
import {
  formatStorageOptions,
  type SharedStorage,
  type WatchedJobs,
} from "../../storage/storage.ts";
import { PassingError } from "../../storage/failures/is_passing.ts";
import { QueuedJobs } from "./queued_jobs.ts";

/** How long jobs are waited for while no worker works, ms. */
const PATIENCE = 300_000;

/** How often to look for workers in that time; if the second look finds none either, a message says so. */
const LOOKS = 10;

/**
 * Opens the queue of a shared storage for somebody who waits for its jobs as long as workers work.
 *
 * @param signal Ends the wait
 * @param patience How long to wait while no worker works, ms; the jobs stay in the queue
 * @throws {ConfigurationError} If the address is wrong, or the queue is missing there or of another version
 */
export async function openWatchedJobs(
  storage: SharedStorage & { readonly database: string },
  signal?: AbortSignal,
  patience: number = PATIENCE,
): Promise<WatchedJobs> {
  const jobs = await QueuedJobs.open(storage.database);
  const idle = new AbortController();
  const remedy = `Look whether workers run (${formatCommand("jobs list")}), or start one: ` +
    formatCommand(`work ${formatStorageOptions(storage)}`);
  let looks = 0;
  const look = async () => {
    looks = await jobs.isIdle() ? looks + 1 : 0;
    if (looks === 2) console.error(`No worker does what is waited for. ${remedy}`);
    const found = `No worker has done anything for ${patience / 1000} s, the queue keeps the jobs`;
    if (looks === LOOKS) idle.abort(new PassingError(`${found}. ${remedy}`));
  };
  const timer = setInterval(() => look().catch(() => looks = 0), patience / LOOKS); // workers are cut off as well
  return {
    jobs,
    signal: AbortSignal.any([idle.signal, ...(signal ? [signal] : [])]),
    async [Symbol.asyncDispose]() {
      clearInterval(timer);
      await jobs.close();
    },
  };
}
