import { ProcessWorker } from "../jobs/process_worker.ts";
import { QueueWorker } from "../jobs/queue/queue_worker.ts";
import { openShared, type SharedStorage } from "../storage.ts";
import { buildWorkerArgs } from "./open_jobs.ts";

/**
 * Begins to do the jobs of the queue that machines share, each in a process of its own.
 *
 * @param storage Where the data are
 * @param width How many jobs are done at once
 * @throws {ConfigurationError} If the address is wrong, or the database or the queue has another schema
 */
export async function openQueueWorker(
  storage: SharedStorage,
  width: number,
): Promise<QueueWorker> {
  const { store } = await openShared(storage); // says what is wrong before a job is begun
  await store.close();
  const env = { VINDKIT_DATABASE: storage.database, VINDKIT_FILES: storage.files };
  const start = () => new ProcessWorker(buildWorkerArgs(storage), { env });
  return await QueueWorker.open(storage.database, start, width);
}
