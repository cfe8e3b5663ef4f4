import type { JobTask } from "../../storage/jobs/job.ts";
import type { Attempt } from "../../storage/jobs/job_worker.ts";
import { createCommit } from "../../machines/queue/commit_job.ts";
import { openBoss } from "../../machines/queue/open_boss.ts";
import { openShared, openStorage, type Storage } from "../../storage/open_storage.ts";
import type { StorageAddress } from "../../storage/storage_address.ts";

/** Where a worker does jobs. */
export interface WorkPlace extends Storage {
  /**
   * What ends a job.
   *
   * @param attempt Which begin of a queued job it is
   */
  commitOf(attempt?: Attempt): JobTask["commit"];
  close(): Promise<void>;
}

/**
 * Opens data for a worker: of the service of a data directory, or of the queue of what machines share.
 *
 * @throws {ConfigurationError} If they are missing, cannot be read, or have another schema
 */
export async function openWorkPlace(address: StorageAddress): Promise<WorkPlace> {
  if (typeof address === "string") {
    const { store, files, close } = await openStorage(address);
    return { store, files, commitOf: () => (body) => store.transaction(body), close };
  }
  const { store, files, close } = await openShared(address);
  const boss = await openBoss(address.database);
  return {
    store,
    files,
    commitOf: (attempt) => createCommit(store, boss, attempt!), // all its jobs are of the queue
    async close() {
      await boss.stop({ graceful: false });
      await close();
    },
  };
}
