import type { Store } from "../../storage/mod.ts";

/** Another update of the same data is running. */
export class UpdateRunningError extends Error {}

/**
 * Locks data against other updates until it is disposed of, or the process ends.
 *
 * @param data Where that is, for the message
 * @throws {UpdateRunningError} If another update has the lock
 */
export async function lockUpdates(store: Store, data: string): Promise<AsyncDisposable> {
  const lock = await store.lockUpdates();
  if (lock) return lock;
  throw new UpdateRunningError(
    `Cannot update ${data}: another update of it is running. Run the same again when it has ended`,
  );
}
