import type { Column } from "../../../api/columns/column.ts";
import {
  type ColumnTable,
  isRecord,
  listColumns,
  requireColumns,
} from "../../../api/columns/column_table.ts";
import {
  calendarMonthTable,
  figures,
  intervalTable,
  monthStateTable,
  windIndicesTable,
} from "../../../api/columns/month_columns.ts";
import { turbineItemTable } from "../../../api/columns/turbine_columns.ts";
import { ConfigurationError } from "../../../api/errors.ts";
import { formatMonthLabel } from "../../../time/zones.ts";
import type { FreshMonth, LastMonth, RevisedMonths, StoredMonth } from "../site_record.ts";
import type { Row, SqliteDatabase } from "./sqlite_database.ts";

/** A number that the store counts itself. */
const counted = { ...monthStateTable.revision, notNull: true, optional: false } as const;

/** The columns of a stored month; those of the table `months` beside the turbine. */
const storedMonthTable: ColumnTable<StoredMonth> = {
  ...requireColumns(windIndicesTable),
  status: {
    ...monthStateTable.status,
    dtype: "utf8",
    values: ["final", "preliminary"],
    notNull: true,
    optional: false,
  },
  completeness: { ...monthStateTable.completeness, notNull: true, optional: false },
  revision: counted,
  calibration: counted,
  edition: counted,
};

const storedColumns = listColumns(storedMonthTable);

const NAMES = storedColumns.map(({ name }) => name).join(", ");

const INSERT = `INSERT INTO months (turbine_id, ${NAMES}) VALUES (?${
  ", ?".repeat(storedColumns.length)
})`;

const lastMonthTable: ColumnTable<LastMonth> = { ...turbineItemTable, ...calendarMonthTable };

/** Relative difference below which figures are the same: a recalculation on another machine is not a revision. */
const SAME = 1e-9;

const LATEST_MONTH = `SELECT ${NAMES} FROM months AS own WHERE turbine_id = ? AND revision =
  (SELECT max(revision) FROM months
   WHERE turbine_id = own.turbine_id AND year = own.year AND month = own.month
   AND edition <= ?)`;

/** Year and month are one number on the way, since a query within a query gives one. */
const LAST_MONTHS = `SELECT turbine_id, last / 12 AS year, last % 12 + 1 AS month FROM (
  SELECT turbine_id, (
    SELECT own.year * 12 + own.month - 1 FROM months AS own
    WHERE own.turbine_id = turbines.turbine_id AND own.month_index IS NOT NULL AND own.revision =
      (SELECT max(revision) FROM months
       WHERE turbine_id = own.turbine_id AND year = own.year AND month = own.month)
    ORDER BY own.year DESC, own.month DESC LIMIT 1
  ) AS last FROM turbines WHERE turbine_id IN (SELECT value FROM json_each(?))
) WHERE last IS NOT NULL ORDER BY turbine_id`;

/** An edition later than any: the latest figures. */
const LATEST = Number.MAX_SAFE_INTEGER;

/** @throws {ConfigurationError} If a row is not what the program writes */
function readRow<T>(table: ColumnTable<T>, row: Row): T {
  if (isRecord(table, row)) return row;
  throw new ConfigurationError(
    `Cannot read a month of the database: ${JSON.stringify(row)} does not have the declared ` +
      "columns. Restore a backup",
  );
}

/** Removes the figures of a month whose data are gone: null wherever a month may have no value. */
function removeFigures(month: StoredMonth): StoredMonth {
  const values = storedColumns.map(({ name, notNull }) => [name, notNull ? month[name] : null]);
  return { ...readRow(storedMonthTable, Object.fromEntries(values)), completeness: 0 };
}

/** Whether a value of a month is the same. An interval that was drawn again counts as the same, a new one does not. */
function isSame({ name }: Column, x: string | number | null, y: string | number | null): boolean {
  if (x === y) return true;
  if (x === null || y === null) return false;
  if (name in intervalTable) return true;
  return typeof x === "number" && typeof y === "number" && Math.abs(x - y) <= SAME * Math.abs(x);
}

/** Figures of a month that no other month is part of. */
const ownFigures = figures.filter(({ name }) =>
  name === "month_index" || name === "month_abnormality_index" || name === "predicted_production"
);

const statedColumns = listColumns(requireColumns(windIndicesTable))
  .filter(({ name }) => name !== "revision");

/** The months of the turbines in a SQLite store. */
export class SqliteMonths {
  readonly #database: SqliteDatabase;

  /** @param database Their database */
  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  /** Every month of a turbine in order of time: the latest revision, or the latest up to an edition. */
  all(turbineId: string, edition: number = LATEST): StoredMonth[] {
    return this.#database.all(`${LATEST_MONTH} ORDER BY year, month`, turbineId, edition)
      .map((row) => readRow(storedMonthTable, row));
  }

  /** The last month with figures of each of some turbines. */
  last(turbineIds: readonly string[]): LastMonth[] {
    return this.#database.all(LAST_MONTHS, JSON.stringify(turbineIds))
      .map((row) => readRow(lastMonthTable, row));
  }

  /** One month of a turbine; the latest revision unless one is named. */
  one(
    turbineId: string,
    year: number,
    month: number,
    revision: number | undefined,
  ): StoredMonth | undefined {
    const row = revision === undefined
      ? this.#database.get(
        `${LATEST_MONTH} AND year = ? AND month = ?`,
        turbineId,
        LATEST,
        year,
        month,
      )
      : this.#database.get(
        `SELECT ${NAMES} FROM months WHERE turbine_id = ? AND year = ? AND month = ? AND revision = ?`,
        turbineId,
        year,
        month,
        revision,
      );
    return row && readRow(storedMonthTable, row);
  }

  /**
   * Adds a revision of each month whose figures differ from its latest one; a month that is gone loses its figures.
   *
   * @param calibration Revision of the calibration behind the figures; `undefined` without one
   * @returns Published months whose figures changed
   */
  put(
    turbineId: string,
    calibration: number | undefined,
    edition: number,
    months: readonly FreshMonth[],
  ): RevisedMonths {
    const key = ({ year, month }: FreshMonth) => year * 12 + month;
    const known = new Map(this.all(turbineId).map((month) => [key(month), month]));
    const named = new Set(months.map(key));
    const gone = [...known.values()]
      .filter((month) => !named.has(key(month)) && month.month_index !== null)
      .map(removeFigures);
    const own: string[] = [];
    let trailing = 0;
    for (const fresh of [...months, ...gone]) {
      const latest = known.get(key(fresh));
      const month: StoredMonth = {
        ...fresh,
        revision: (latest?.revision ?? 0) + 1,
        calibration: calibration ?? latest?.calibration ?? 0,
        edition,
      };
      if (latest && statedColumns.every((one) => isSame(one, latest[one.name], month[one.name]))) {
        continue;
      }
      if (latest && figures.some(({ name }) => latest[name] !== null)) {
        if (ownFigures.every((one) => isSame(one, latest[one.name], month[one.name]))) trailing++;
        else own.push(formatMonthLabel(month));
      }
      this.#database.run(INSERT, turbineId, ...storedColumns.map(({ name }) => month[name]));
    }
    return { own: own.sort(), trailing };
  }
}
