import { nameFailure } from "./name_failure.ts";

/** Another update of the same data is running. */
export class UpdateRunningError extends Error {}

/** Name of the file that is locked. */
const LOCK = "update.lock";

/**
 * Locks data against other updates of this machine until the file is closed. The lock ends with the process, also a
 * killed one.
 *
 * @param folder Folder of the lock
 * @param data What is updated, for the message
 * @throws {UpdateRunningError} If another update has it
 * @throws {Error} If the file cannot be opened
 */
export async function lockUpdates(folder: string, data: string): Promise<Disposable> {
  const path = `${folder}/${LOCK}`;
  const file = await Deno.open(path, { write: true, create: true, mode: 0o600 })
    .catch((cause) => Promise.reject(nameFailure(`lock ${path}`, cause)));
  if (await file.tryLock(true)) return file;
  file.close();
  throw new UpdateRunningError(
    `Cannot update ${data}: another update of it is running. Run the same again when it has ended`,
  );
}
