import { dirname } from "node:path";
import { nameFailure } from "../../../disk/name_failure.ts";

/** Name of the file that is locked, beside the database. */
const LOCK = "update.lock";

/**
 * Locks a database against other updates of this machine. The system ends the lock with the process, also a killed one.
 *
 * @param database Path of the database
 * @returns `undefined` where another update has it
 * @throws {Error} If the file of the lock cannot be opened
 */
export async function lockUpdates(database: string): Promise<AsyncDisposable | undefined> {
  const path = `${dirname(database)}/${LOCK}`;
  const file = await Deno.open(path, { write: true, create: true, mode: 0o600 })
    .catch((cause) => Promise.reject(nameFailure(`lock ${path}`, cause)));
  if (await file.tryLock(true)) {
    return { [Symbol.asyncDispose]: () => Promise.resolve(file.close()) };
  }
  file.close();
}
