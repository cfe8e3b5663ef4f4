import { toNamedFiles } from "../site_rows.ts";
import type { NamedFile } from "../store.ts";
import type { SqliteDatabase } from "./sqlite_database.ts";

/** Every pointer to a file. The file of an order is needed as long as its address is valid. */
const NAMED_FILES = `
  SELECT json_extract(record, '$.file') AS name, 'the series of a point of ' || service_id AS what, site FROM points
  UNION ALL
  SELECT json_extract(record, '$.modelFile'), 'the hourly model of ' || turbine_id, site FROM turbines
  UNION ALL
  SELECT file, 'the file of an order', NULL FROM orders WHERE expires IS NULL OR expires >= ?`;

/**
 * Lists the files that rows name, each once, in any schema so far.
 *
 * @param now Instant at which download addresses are checked, milliseconds since 1970 UTC
 * @param site Whose files; those of all, and of orders, unless given
 */
export function listNamedFiles(
  database: SqliteDatabase,
  now: number,
  site?: string,
): NamedFile[] {
  return toNamedFiles(database.all(NAMED_FILES, now), site);
}
