import { backup, DatabaseSync } from "node:sqlite";
import { ConfigurationError } from "../../../api/errors.ts";
import { NAMED_FILES, SCHEMA_VERSION } from "./schema.ts";

/** A file of a data directory that a row names. */
export interface NamedFile {
  /** Name: the hash of its content, and an ending. */
  readonly name: string;
  /** What it is, in words. */
  readonly what: string;
  /** Site whose import makes it; `null` where none does. */
  readonly site: string | null;
}

/**
 * Copies a database as it is at one moment, while others read and write it, into a single file.
 *
 * @param from Path of the database
 * @param to Path of the copy, where there is nothing yet
 * @param now Moment against which download addresses are held, milliseconds since 1970 UTC
 * @returns The files that the rows of the copy name, each once
 * @throws {ConfigurationError} If the database is damaged, or of a newer program
 */
export async function snapshotDatabase(
  from: string,
  to: string,
  now: number,
): Promise<NamedFile[]> {
  try {
    using source = new DatabaseSync(from);
    // All pages in one step: a copy in several would begin anew whenever somebody writes.
    await backup(source, to, { rate: -1 });
    using copy = new DatabaseSync(to);
    const [{ integrity_check: found }] = copy.prepare("PRAGMA integrity_check(1)").all();
    if (found !== "ok") throw new Error(String(found));
    const { user_version: version } = copy.prepare("PRAGMA user_version").get()!;
    if (Number(version) > SCHEMA_VERSION) {
      throw new ConfigurationError(
        `Cannot back up ${from}: its schema has version ${version}, this program knows ` +
          `${SCHEMA_VERSION}. Use the program that serves it`,
      );
    }
    copy.exec("PRAGMA journal_mode = DELETE"); // one file, to be read also where nothing can be written
    const rows = copy.prepare(NAMED_FILES).all(now) as unknown as NamedFile[];
    return [...new Map(rows.filter(({ name }) => name).map((row) => [row.name, row])).values()];
  } catch (cause) {
    if (cause instanceof ConfigurationError) throw cause;
    throw new ConfigurationError(
      `Cannot back up ${from}: it cannot be copied, or the copy is damaged ` +
        `(${
          (cause as Error).message
        }). If the disk is not full, the last backup is the one to go back to`,
      { cause },
    );
  }
}
