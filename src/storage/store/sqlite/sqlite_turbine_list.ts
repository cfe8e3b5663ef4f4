import { toIds } from "../site_rows.ts";
import { readTurbineIds } from "./contents.ts";
import type { RecordCache } from "./record_cache.ts";
import type { SqliteDatabase } from "./sqlite_database.ts";

/** How many of the turbines are found by the index that a single one is found by. */
const COUNT_FOUND = `SELECT count(*) AS found FROM turbines AS listed
  JOIN turbines AS own ON own.turbine_id = listed.turbine_id`;

/**
 * Compares the list of turbines with its seal, and looks whether the index leads to all of it: a turbine that is not found
 * then is none. Once between two imports, since that reads the whole list.
 *
 * @param read Knows whether the list has been compared
 * @throws {DamagedFileError} If it is not as it was written
 */
export function verifyTurbineList(database: SqliteDatabase, read: RecordCache): void {
  read.checkOnce("turbines", () =>
    database.snapshot(() => {
      const { length } = readTurbineIds(database);
      if (database.get(COUNT_FOUND)!.found !== length) database.refuse("an index of turbines");
    }));
}

/**
 * Identifiers of some turbines of the list, once that is verified.
 *
 * @param rest What follows the name of the table in the query
 */
export function selectTurbineIds(
  database: SqliteDatabase,
  read: RecordCache,
  rest: string,
  ...values: (string | number)[]
): string[] {
  return database.snapshot(() => {
    verifyTurbineList(database, read);
    return toIds(database.all(`SELECT turbine_id FROM turbines ${rest}`, ...values));
  });
}
