import { backup, DatabaseSync } from "node:sqlite";
import { ConfigurationError } from "../../../api/errors.ts";
import { NAMED_FILES, SCHEMA_VERSION } from "./schema.ts";

/** A file of a data directory that a row names. */
export interface NamedFile {
  /** Name: the hash of its content, and an ending. */
  readonly name: string;
  /** What it is, in words. */
  readonly what: string;
  /** Site whose import creates it; `null` for other files. */
  readonly site: string | null;
}

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
    using copy = new DatabaseSync(to);
    const [{ integrity_check: found }] = copy.prepare("PRAGMA integrity_check(1)").all();
    if (found !== "ok") throw new Error(String(found));
    const { user_version: version } = copy.prepare("PRAGMA user_version").get()!;
    if (Number(version) > SCHEMA_VERSION) {
      throw new ConfigurationError(
        `Cannot back up ${from}: its schema has version ${version}, this version reads ` +
          `${SCHEMA_VERSION}. Use the version that serves it`,
      );
    }
    copy.exec("PRAGMA journal_mode = DELETE"); // one file, readable also on a read-only disk
    const rows = copy.prepare(NAMED_FILES).all(now) as unknown as NamedFile[];
    return [...new Map(rows.filter(({ name }) => name).map((row) => [row.name, row])).values()];
  } catch (cause) {
    if (cause instanceof ConfigurationError) throw cause;
    throw new ConfigurationError(
      `Cannot back up ${from}: it cannot be copied, or the copy is damaged ` +
        `(${(cause as Error).message}). If the disk is not full, restore the last backup`,
      { cause },
    );
  }
}
