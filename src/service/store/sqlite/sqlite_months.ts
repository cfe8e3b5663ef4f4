import type { FreshMonth, LastMonth, RevisedMonths, StoredMonth } from "../site_record.ts";
import { findMonth, selectLatest } from "../month_history.ts";
import { MONTH_COLUMNS, storedColumns } from "../month_table.ts";
import { reviseMonths } from "../revise_months.ts";
import { toMonth } from "../site_rows.ts";
import { readFleetMonthRows, readHistories, readMonthRows } from "./contents.ts";
import type { RecordCache } from "./record_cache.ts";
import type { SqliteDatabase } from "./sqlite_database.ts";

const PUT = `INSERT OR REPLACE INTO months (turbine_id, ${MONTH_COLUMNS}) VALUES (?${
  ", ?".repeat(storedColumns.length)
})`;

/** The months of the turbines in a SQLite store. */
export class SqliteMonths {
  readonly #database: SqliteDatabase;
  readonly #read: RecordCache;

  /**
   * @param database Their database
   * @param read Months that were read
   */
  constructor(database: SqliteDatabase, read: RecordCache) {
    this.#database = database;
    this.#read = read;
  }

  /** Every month of a turbine in order of time: the latest revision, or the latest up to an edition. */
  all(turbineId: string, edition?: number): StoredMonth[] {
    return selectLatest(this.#revisions(turbineId), edition);
  }

  /** Every month of several turbines, the latest revision; they are not cached, as they are many. */
  ofFleet(turbineIds: readonly string[]): Map<string, StoredMonth[]> {
    const fleet = [...readFleetMonthRows(this.#database, turbineIds)];
    return new Map(
      fleet.filter(([, rows]) => rows.length > 0)
        .map(([id, rows]) => [id, selectLatest(rows.map(toMonth))]),
    );
  }

  /** The last month with figures of each of some turbines. */
  last(turbineIds: readonly string[]): LastMonth[] {
    return readHistories(this.#database, turbineIds)
      .filter(({ last_month }) => last_month !== null)
      .map(({ turbine_id, last_month }) => ({
        turbine_id: String(turbine_id),
        year: Math.floor(Number(last_month) / 12),
        month: Number(last_month) % 12 + 1,
      }));
  }

  /** One month of a turbine; the latest revision unless one is named. */
  one(
    turbineId: string,
    year: number,
    month: number,
    revision: number | undefined,
  ): StoredMonth | undefined {
    return findMonth(this.#revisions(turbineId), { year, month, revision });
  }

  /**
   * All revisions of all months of a turbine, in order of time: read and compared with their seal as a whole.
   */
  #revisions(turbineId: string): readonly StoredMonth[] {
    return this.#read.get(
      `months ${turbineId}`,
      () => readMonthRows(this.#database, turbineId).map(toMonth),
    )!;
  }

  /**
   * Adds a revision of each month whose figures differ from its latest one; a month that is gone loses its figures.
   *
   * @param before Months of the turbine as they are
   * @param months Months of the turbine as they are now
   * @param of `calibration`: revision of that behind the figures, `undefined` without one; `edition` of the turbine
   * @returns Published months whose figures changed
   */
  put(
    turbineId: string,
    before: readonly StoredMonth[],
    months: readonly FreshMonth[],
    of: { calibration: number | undefined; edition: number },
  ): RevisedMonths {
    const { rows, ...revised } = reviseMonths(before, months, of);
    for (const month of rows) {
      this.#database.run(PUT, turbineId, ...storedColumns.map(({ name }) => month[name]));
    }
    return revised;
  }
}
