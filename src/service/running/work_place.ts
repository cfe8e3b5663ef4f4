import { type DataDirectory, openDataDirectory } from "../data_directory.ts";
import type { JobTask } from "../jobs/job.ts";
import type { Attempt } from "../jobs/job_worker.ts";
import { createCommit } from "../jobs/queue/commit_job.ts";
import { openBoss } from "../jobs/queue/open_boss.ts";
import { openShared, type SharedStorage } from "../storage.ts";

/** Where a worker does jobs. */
export interface WorkPlace extends DataDirectory {
  /**
   * What ends a job.
   *
   * @param attempt Which begin of a queued job it is
   */
  commitOf(attempt?: Attempt): JobTask["commit"];
  /** Closes it. */
  close(): Promise<void>;
}

/**
 * Opens a data directory for a worker of its service.
 *
 * @param path The directory
 */
export function openOwnPlace(path: string): WorkPlace {
  const { store, files } = openDataDirectory(path);
  return {
    store,
    files,
    commitOf: () => (body) => store.transaction(body),
    close: () => store.close(),
  };
}

/**
 * Opens what machines share for a worker of their queue.
 *
 * @param storage Where it is
 */
export async function openSharedPlace(storage: SharedStorage): Promise<WorkPlace> {
  const { store, files } = await openShared(storage);
  const boss = await openBoss(storage.database);
  return {
    store,
    files,
    commitOf: (attempt) => createCommit(store, boss, attempt!), // all its jobs are of the queue
    async close() {
      await boss.stop({ graceful: false });
      await store.close();
    },
  };
}
