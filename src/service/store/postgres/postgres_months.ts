import type { FreshMonth, LastMonth, RevisedMonths, StoredMonth } from "../site_record.ts";
import { findMonth, selectLatest } from "../month_history.ts";
import { MONTH_COLUMNS, storedColumns } from "../month_table.ts";
import { reviseMonths } from "../revise_months.ts";
import { toMonth } from "../site_rows.ts";
import type { Records } from "./fresh_records.ts";
import { findTable } from "../stored_tables.ts";
import type { PostgresQueries } from "./postgres_queries.ts";
import { insertRows } from "./postgres_rows.ts";

/** Months as they are now of a turbine, and what they belong to. */
export interface TurbineMonths {
  readonly turbineId: string;
  readonly months: readonly FreshMonth[];
  /** `calibration`: revision of that behind the figures, `undefined` without one; `edition` of the turbine. */
  readonly of: { readonly calibration: number | undefined; readonly edition: number };
}

const TABLE = findTable("months");

/** A month that has no figures yet is replaced under its revision. */
const REPLACE = `ON CONFLICT (${TABLE.key.join(", ")}) DO UPDATE SET ` +
  storedColumns.map(({ name }) => `${name} = excluded.${name}`).join(", ");

/** The months of the turbines in a PostgreSQL store. */
export class PostgresMonths {
  readonly #database: PostgresQueries;
  readonly #records: Records;

  /**
   * @param database Their database
   * @param records Months that were read
   */
  constructor(database: PostgresQueries, records: Records) {
    this.#database = database;
    this.#records = records;
  }

  /** Every month of a turbine in order of time: the latest revision, or the latest up to an edition. */
  async all(turbineId: string, edition?: number): Promise<StoredMonth[]> {
    return selectLatest(await this.#revisions(turbineId), edition);
  }

  /** One month of a turbine; the latest revision unless one is named. */
  async one(
    turbineId: string,
    year: number,
    month: number,
    revision: number | undefined,
  ): Promise<StoredMonth | undefined> {
    return findMonth(await this.#revisions(turbineId), { year, month, revision });
  }

  /** Every month of several turbines, the latest revision; they are not cached, as they are many. */
  async ofFleet(turbineIds: readonly string[]): Promise<Map<string, StoredMonth[]>> {
    // One turbine after the other by its key: with many at once PostgreSQL would read the whole table for each batch.
    const rows = await this.#database.all(
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
  async last(turbineIds: readonly string[]): Promise<LastMonth[]> {
    const rows = await this.#database.all(
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

  #revisions(turbineId: string): Promise<readonly StoredMonth[]> {
    return this.#records.get(`months ${turbineId}`, async () => {
      const rows = await this.#database.all(
        `SELECT ${MONTH_COLUMNS} FROM vindkit.months WHERE turbine_id = $1
         ORDER BY year, month, revision`,
        turbineId,
      );
      return rows.map(toMonth);
    });
  }

  /**
   * Adds a revision of each month of some turbines whose figures differ from its latest one; a month that is gone loses its
   * figures.
   *
   * @returns Published months whose figures changed, of each turbine
   */
  async put(turbines: readonly TurbineMonths[]): Promise<RevisedMonths[]> {
    const before = await this.ofFleet(turbines.map(({ turbineId }) => turbineId));
    const changes = turbines.map(({ turbineId, months, of }) => ({
      turbineId,
      ...reviseMonths(before.get(turbineId) ?? [], months, of),
    }));
    const written = changes.flatMap(({ turbineId, rows }) =>
      rows.map((month) => ({ turbine_id: turbineId, ...month }))
    );
    await insertRows(this.#database, TABLE, written, REPLACE);
    return changes.map(({ own, trailing }) => ({ own, trailing }));
  }
}
