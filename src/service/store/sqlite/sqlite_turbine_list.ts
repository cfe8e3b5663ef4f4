import { toIds } from "../site_rows.ts";
import { AMONG_TURBINES, readTurbineIds } from "./contents.ts";
import type { RecordCache } from "./record_cache.ts";
import type { SqliteDatabase } from "./sqlite_database.ts";

/** How many of the turbines are found by the index that a single one is found by. */
const COUNT_FOUND = `SELECT count(*) AS found FROM turbines AS listed
  JOIN turbines AS own ON own.turbine_id = listed.turbine_id`;

/** The list of turbines in a SQLite store, of which parts are read. */
export class SqliteTurbineList {
  readonly #database: SqliteDatabase;
  readonly #read: RecordCache;

  /** @param read Knows whether the list has been compared with its seal */
  constructor(database: SqliteDatabase, read: RecordCache) {
    this.#database = database;
    this.#read = read;
  }

  /** Identifiers of the next turbines after one, in their order. */
  next(after: string, limit: number): string[] {
    return this.#select("WHERE turbine_id > ? ORDER BY turbine_id LIMIT ?", after, limit);
  }

  /** Those of some identifiers that are of turbines, in their order. */
  find(ids: readonly string[]): string[] {
    return this.#select(AMONG_TURBINES, JSON.stringify(ids));
  }

  /**
   * Compares the list with its seal, and looks whether the index leads to all of it: a turbine that is not found then is
   * none. Once between two imports, since that reads the whole list.
   *
   * @throws {DamagedFileError} If it is not as it was written
   */
  verify(): void {
    this.#read.checkOnce("turbines", () =>
      this.#database.snapshot(() => {
        const { length } = readTurbineIds(this.#database);
        if (this.#database.get(COUNT_FOUND)!.found === length) return;
        this.#database.refuse("an index of turbines");
      }));
  }

  #select(rest: string, ...values: (string | number)[]): string[] {
    return this.#database.snapshot(() => {
      this.verify();
      return toIds(this.#database.all(`SELECT turbine_id FROM turbines ${rest}`, ...values));
    });
  }
}
