import type { FreshMonth, LastMonth, RevisedMonths, StoredMonth } from "../site_record.ts";
import { selectLatest } from "../month_history.ts";
import { MONTH_COLUMNS, storedColumns } from "../month_table.ts";
import { reviseMonths } from "../revise_months.ts";
import { toMonth } from "../site_rows.ts";
import { readFleetMonthRows, readHistories } from "./contents.ts";
import type { SqliteDatabase } from "./sqlite_database.ts";

const PUT = `INSERT OR REPLACE INTO months (turbine_id, ${MONTH_COLUMNS}) VALUES (?${
  ", ?".repeat(storedColumns.length)
})`;

/** Every month of several turbines, the latest revision. */
export function readFleetMonths(
  database: SqliteDatabase,
  turbineIds: readonly string[],
): Map<string, StoredMonth[]> {
  const fleet = [...readFleetMonthRows(database, turbineIds)];
  return new Map(
    fleet.filter(([, rows]) => rows.length > 0)
      .map(([id, rows]) => [id, selectLatest(rows.map(toMonth))]),
  );
}

/** The last month with figures of each of some turbines. */
export function readLastMonths(
  database: SqliteDatabase,
  turbineIds: readonly string[],
): LastMonth[] {
  return readHistories(database, turbineIds)
    .filter(({ last_month }) => last_month !== null)
    .map(({ turbine_id, last_month }) => ({
      turbine_id: String(turbine_id),
      year: Math.floor(Number(last_month) / 12),
      month: Number(last_month) % 12 + 1,
    }));
}

/**
 * Adds a revision of each month whose figures differ from its latest one; a month that is gone loses its figures.
 *
 * @param of `calibration`: revision of that behind the figures, `undefined` without one; `edition` of the turbine
 * @returns Published months whose figures changed
 */
export function putMonths(
  database: SqliteDatabase,
  turbineId: string,
  before: readonly StoredMonth[],
  months: readonly FreshMonth[],
  of: { calibration: number | undefined; edition: number },
): RevisedMonths {
  const { rows, ...revised } = reviseMonths(before, months, of);
  for (const month of rows) {
    database.run(PUT, turbineId, ...storedColumns.map(({ name }) => month[name]));
  }
  return revised;
}
