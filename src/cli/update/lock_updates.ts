import { nameFailure } from "./name_failure.ts";

/** Another update of the same data directory is running. */
export class UpdateRunningError extends Error {}

/** Name of the file that is locked. */
const LOCK = "update.lock";

/**
 * Locks a data directory against other updates until the file is closed. The lock ends with the process, also a killed one.
 *
 * @param data The data directory
 * @throws {UpdateRunningError} If another update has it
 * @throws {Error} If the file cannot be opened
 */
export async function lockUpdates(data: string): Promise<Disposable> {
  const path = `${data}/${LOCK}`;
  const file = await Deno.open(path, { write: true, create: true, mode: 0o600 })
    .catch((cause) => Promise.reject(nameFailure(`lock ${path}`, cause)));
  if (await file.tryLock(true)) return file;
  file.close();
  throw new UpdateRunningError(
    `Cannot update ${data}: another update of it is running. Run the same again when it has ended`,
  );
}
