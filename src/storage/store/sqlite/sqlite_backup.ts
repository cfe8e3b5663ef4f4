import { backup, DatabaseSync } from "node:sqlite";
import { ConfigurationError } from "../../../api/errors.ts";
import type { NamedFile } from "../store.ts";
import { verifyMonths, verifyTables } from "./contents.ts";
import { listNamedFiles } from "./named_files.ts";
import { SCHEMA_VERSION } from "./schema.ts";
import { SqliteDatabase } from "./sqlite_database.ts";

/**
 * Copies a database as it is at one moment, while others read and write it, into a single file.
 *
 * @param from Path of the database
 * @param to Path of the copy, which must not exist yet
 * @param now Instant at which download addresses are checked, milliseconds since 1970 UTC
 * @returns The files that the rows of the copy name, each once
 * @throws {ConfigurationError} If the database is damaged, or of a newer version
 */
export async function snapshotDatabase(
  from: string,
  to: string,
  now: number,
): Promise<NamedFile[]> {
  try {
    using source = new DatabaseSync(from);
    // All pages in one step: a copy in several steps would restart at each write.
    await backup(source, to, { rate: -1 });
    using copy = new SqliteDatabase(to);
    copy.verify();
    const { user_version: version } = copy.get("PRAGMA user_version")!;
    if (Number(version) > SCHEMA_VERSION) {
      throw new ConfigurationError(
        `Cannot back up ${from}: its schema has version ${version}, this version reads ` +
          `${SCHEMA_VERSION}. Use the version that serves it`,
      );
    }
    if (version === SCHEMA_VERSION) {
      verifyTables(copy);
      verifyMonths(copy);
    }
    copy.exec("PRAGMA journal_mode = DELETE"); // one file, readable also on a read-only disk
    return listNamedFiles(copy, now);
  } catch (cause) {
    if (cause instanceof ConfigurationError) throw cause;
    throw new ConfigurationError(
      `Cannot back up ${from}: it cannot be copied, or the copy is damaged ` +
        `(${(cause as Error).message}). If the disk is not full, restore the last backup`,
      { cause },
    );
  }
}
