import { backup, DatabaseSync } from "node:sqlite";
import { ConfigurationError } from "../../../api/errors.ts";
import { DamagedFileError, MAKE_ROOM, nameFailure } from "../../../disk/files.ts";
import { isPassing } from "../../failures/is_passing.ts";
import type { Store } from "../store.ts";
import { openSqliteStore } from "./open_sqlite_store.ts";

/**
 * Copies a snapshot of a database, while others read and write it, into a single file of the present version.
 *
 * @param from Path of the database
 * @param to Path of the copy, which must not exist yet
 * @param read Reads data from the copy for the caller
 * @throws {ConfigurationError} If the database is damaged, or of a newer version
 */
export async function snapshotDatabase<T>(
  from: string,
  to: string,
  read: (copy: Store) => Promise<T>,
): Promise<T> {
  try {
    {
      using source = new DatabaseSync(from);
      // All pages in one step: a copy in several steps would restart at each write.
      await backup(source, to, { rate: -1 });
    }
    const copy = await openSqliteStore(to);
    try {
      await copy.snapshot(() => Promise.resolve()); // compares the copy with its hashes
      return await read(copy);
    } finally {
      await copy.close();
      using single = new DatabaseSync(to);
      single.exec("PRAGMA journal_mode = DELETE"); // one file, readable also on a read-only disk
    }
  } catch (cause) {
    const problem = (cause as Error).message;
    if (isPassing(cause) && !(cause instanceof DamagedFileError)) {
      throw nameFailure(
        `copy ${from} to ${to}`,
        cause,
        `${MAKE_ROOM}. If it has enough space, run the same command again`,
      );
    }
    throw new ConfigurationError(
      `Cannot back up ${from}: SQLite could not copy it, or the copy is damaged (${problem}). ` +
        "Restore the last backup",
      { cause },
    );
  }
}
