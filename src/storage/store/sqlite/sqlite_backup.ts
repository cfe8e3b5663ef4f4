import { backup, DatabaseSync } from "node:sqlite";
import { ConfigurationError } from "../../../api/errors.ts";
import { listOrderFiles } from "../orders.ts";
import { listSiteFiles, type NamedFile } from "../sites.ts";
import { openSqliteStore } from "./open_sqlite_store.ts";

/**
 * Copies a database as it is at one moment, while others read and write it, into a single file of the present version.
 *
 * @param from Path of the database
 * @param to Path of the copy, which must not exist yet
 * @param now Instant at which download addresses are checked, milliseconds since 1970 UTC
 * @returns The files that the copy names, each once
 * @throws {ConfigurationError} If the database is damaged, or of a newer version
 */
export async function snapshotDatabase(
  from: string,
  to: string,
  now: number,
): Promise<NamedFile[]> {
  try {
    {
      using source = new DatabaseSync(from);
      // All pages in one step: a copy in several steps would restart at each write.
      await backup(source, to, { rate: -1 });
    }
    const copy = await openSqliteStore(to);
    try {
      await copy.snapshot(() => Promise.resolve()); // it is compared with its hashes
      const files = await listSiteFiles(copy.documents, {});
      const orders = new Set(await listOrderFiles(copy.documents, now))
        .difference(new Set(files.map(({ name }) => name)));
      const what = "the file of an order";
      return [...files, ...[...orders].map((name) => ({ name, what, site: null }))];
    } finally {
      await copy.close();
      using single = new DatabaseSync(to);
      single.exec("PRAGMA journal_mode = DELETE"); // one file, readable also on a read-only disk
    }
  } catch (cause) {
    const found = (cause as Error).message;
    throw new ConfigurationError(
      `Cannot back up ${from}: it cannot be copied, or the copy is damaged (${found}). ` +
        "If the disk is not full, restore the last backup",
      { cause },
    );
  }
}
