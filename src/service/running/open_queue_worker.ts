import { QueueWorker } from "../../machines/queue/queue_worker.ts";
import { openShared } from "../../storage/open_storage.ts";
import type { SharedStorage } from "../../storage/storage_address.ts";
import { startWorker } from "./open_jobs.ts";

/**
 * Begins to do the jobs of the queue that machines share, each in a process of its own.
 *
 * @param width How many jobs are done at once
 * @throws {ConfigurationError} If the address is wrong, or the database or the queue has another schema
 */
export async function openQueueWorker(
  storage: SharedStorage,
  width: number,
): Promise<QueueWorker> {
  await (await openShared(storage)).close(); // says what is wrong before a job is begun
  return await QueueWorker.open(storage.database, () => startWorker(storage), width);
}
