import type {
  FreshMonth,
  LastMonth,
  RevisedMonths,
  StoredMonth,
} from "../../storage/store/site_record.ts";
import { MONTH_COLUMNS } from "../../storage/store/month_table.ts";
import { reviseMonths } from "../../storage/store/revise_months.ts";
import { toMonth } from "../../storage/store/site_rows.ts";
import { findTable } from "../../storage/store/stored_tables.ts";
import type { PostgresQueries } from "./postgres_queries.ts";
import { putRows } from "./postgres_rows.ts";

/** Months as they are now of a turbine, and what they belong to. */
interface TurbineMonths {
  readonly turbineId: string;
  readonly months: readonly FreshMonth[];
  /** `calibration`: revision of that behind the figures, `undefined` without one; `edition` of the turbine. */
  readonly of: { readonly calibration: number | undefined; readonly edition: number };
}

/** All revisions of all months of a turbine, in order of time. */
export async function readRevisions(
  all: PostgresQueries,
  turbineId: string,
): Promise<StoredMonth[]> {
  const rows = await all.all(
    `SELECT ${MONTH_COLUMNS} FROM vindkit.months WHERE turbine_id = $1
     ORDER BY year, month, revision`,
    turbineId,
  );
  return rows.map(toMonth);
}

/** Every month of several turbines, the latest revision. */
export async function readFleetMonths(
  all: PostgresQueries,
  turbineIds: readonly string[],
): Promise<Map<string, StoredMonth[]>> {
  // One turbine after the other by its key: with many at once PostgreSQL would read the whole table for each batch.
  const rows = await all.all(
    `SELECT turbine_id, latest.*
     FROM (SELECT DISTINCT unnest($1::text[]) COLLATE "C" AS turbine_id) AS named, LATERAL (
       SELECT DISTINCT ON (year, month) ${MONTH_COLUMNS} FROM vindkit.months
       WHERE months.turbine_id = named.turbine_id ORDER BY year DESC, month DESC, revision DESC
     ) AS latest ORDER BY turbine_id, year, month`,
    turbineIds,
  );
  const fleet = Map.groupBy(rows, ({ turbine_id }) => String(turbine_id));
  return new Map(
    [...fleet].map(([id, own]) => [id, own.map(({ turbine_id: _, ...month }) => toMonth(month))]),
  );
}

/** The last month with figures of each of some turbines. */
export async function readLastMonths(
  all: PostgresQueries,
  turbineIds: readonly string[],
): Promise<LastMonth[]> {
  const rows = await all.all(
    `SELECT turbine_id, year, month
     FROM (SELECT DISTINCT unnest($1::text[]) COLLATE "C" AS turbine_id) AS named, LATERAL (
       SELECT year, month FROM (
         SELECT DISTINCT ON (year, month) year, month, month_index FROM vindkit.months
         WHERE months.turbine_id = named.turbine_id ORDER BY year DESC, month DESC, revision DESC
       ) AS latest WHERE month_index IS NOT NULL LIMIT 1
     ) AS last ORDER BY turbine_id`,
    turbineIds,
  );
  return rows.map(({ turbine_id, year, month }) => ({
    turbine_id: String(turbine_id),
    year: Number(year),
    month: Number(month),
  }));
}

/**
 * Adds a revision of each month of some turbines whose figures differ from its latest one; a month that is gone loses its
 * figures.
 *
 * @returns Published months whose figures changed, of each turbine
 */
export async function putMonths(
  all: PostgresQueries,
  turbines: readonly TurbineMonths[],
): Promise<RevisedMonths[]> {
  const before = await readFleetMonths(all, turbines.map(({ turbineId }) => turbineId));
  const changes = turbines.map(({ turbineId, months, of }) => ({
    turbineId,
    ...reviseMonths(before.get(turbineId) ?? [], months, of),
  }));
  const written = changes.flatMap(({ turbineId, rows }) =>
    rows.map((month) => ({ turbine_id: turbineId, ...month }))
  );
  await putRows(all, findTable("months"), written); // one without figures yet is replaced under its revision
  return changes.map(({ own, trailing }) => ({ own, trailing }));
}
