/** Another update of the same data directory is running. */
export class UpdateRunningError extends Error {}

/** Name of the file that is locked. */
const LOCK = "update.lock";

/**
 * Locks a data directory against other updates until the file is closed. The lock ends with the process, also a killed one.
 *
 * @param data The data directory
 * @throws {UpdateRunningError} If another update has it
 */
export async function lockUpdates(data: string): Promise<Disposable> {
  const file = await Deno.open(`${data}/${LOCK}`, { write: true, create: true, mode: 0o600 });
  if (await file.tryLock(true)) return file;
  file.close();
  throw new UpdateRunningError(
    `Cannot update ${data}: another update of it is running. Run the same again when it has ended`,
  );
}
