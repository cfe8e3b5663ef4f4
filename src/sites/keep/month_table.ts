import {
  type Columns,
  type ColumnTable,
  isRecord,
  listColumns,
  requireColumns,
} from "../../api/columns/column_table.ts";
import { monthStateTable, windIndicesTable } from "../../api/columns/month_columns.ts";
import { monthNumberOf } from "../../time/zones.ts";
import type { StoredMonth } from "./site_record.ts";

/** A number assigned by the store. */
const counted = { ...monthStateTable.revision, optional: false } as const;

/** The columns of a stored month. */
export const storedMonthTable: ColumnTable<StoredMonth> = {
  ...requireColumns(windIndicesTable),
  calibration: counted,
  edition: counted,
};

/** Its columns in their order. */
export const storedColumns: Columns<StoredMonth> = listColumns(
  storedMonthTable,
);

/** Stored form of months: column names, then the values of each month. */
export type WrittenMonths = readonly (readonly (string | number | null)[])[];

const parsed = new WeakMap<WrittenMonths, readonly StoredMonth[]>();

/** Parses stored months, with null for a column added since; results are cached by their stored form. */
export function parseMonths(written: WrittenMonths): readonly StoredMonth[] {
  const known = parsed.get(written);
  if (known) return known;
  const [names, ...rows] = written;
  const places = storedColumns.map(({ name }) => [name, names.indexOf(name)] as const);
  const months = rows.map((values) =>
    Object.fromEntries(
      places.map(([name, at]) => [name, values[at] ?? null]),
    ) as unknown as StoredMonth
  );
  parsed.set(written, months);
  return months;
}

/**
 * Converts months to their stored form.
 *
 * @throws {TypeError} If a month lacks a value
 */
export function writeMonths(months: readonly StoredMonth[]): WrittenMonths {
  const rows = months.map((month) => {
    if (isRecord(storedMonthTable, { ...month })) {
      return storedColumns.map(({ name }) => month[name]);
    }
    throw new TypeError(`Cannot store a month: a value is missing in ${JSON.stringify(month)}`);
  });
  return [storedColumns.map(({ name }) => name), ...rows];
}

/**
 * Selects the latest revision of every month of a turbine.
 *
 * @param revisions All revisions of all its months, in order of time and revision
 * @param edition Revisions of later editions are left out
 */
export function selectLatest(
  revisions: readonly StoredMonth[],
  edition: number = Infinity,
): StoredMonth[] {
  const latest = new Map<number, StoredMonth>();
  for (const month of revisions) {
    if (month.edition <= edition) latest.set(monthNumberOf(month), month);
  }
  return [...latest.values()];
}
