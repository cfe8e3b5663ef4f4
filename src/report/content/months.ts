import pl, { type DataFrame } from "nodejs-polars";
import { pickColumns } from "../../api/columns/column.ts";
import { figures, monthlyIndicesFrame } from "../../api/columns/columns.ts";
import { ArgumentError } from "../../api/errors.ts";

const [turbineColumn, monthColumn] = pickColumns(monthlyIndicesFrame, ["turbine_id", "month"]);

/** Rows of a frame by month, "2023-05". */
export interface MonthRows {
  /** A number of a month; `null` where it is missing. */
  number(column: string, month: string): number | null;
  /** A text of a month; `null` where it is missing. */
  text(column: string, month: string): string | null;
}

/** Reads a frame with one row a month: each column once, since reading a value from a frame takes much longer than from an array. */
export function readMonthRows(frame: DataFrame): MonthRows {
  const dates = frame.getColumn(monthColumn.name).cast(pl.Utf8).toArray() as string[];
  const positions = new Map(dates.map((date, i) => [date.slice(0, 7), i]));
  const series = frame.getColumns();
  const columns = new Map(frame.columns.map((name, i) => [name, series[i]]));
  const read = new Map<string, readonly unknown[]>();
  const value = (column: string, month: string) => {
    const i = positions.get(month);
    if (i === undefined || !columns.has(column)) return null;
    if (!read.has(column)) read.set(column, columns.get(column)!.toArray());
    return read.get(column)![i];
  };
  return {
    number(column, month) {
      const found = value(column, month);
      return typeof found === "number" && Number.isFinite(found) ? found : null;
    },
    text(column, month) {
      const found = value(column, month);
      return typeof found === "string" ? found : null;
    },
  };
}

/**
 * Selects the indices of one turbine, in the order of the months.
 *
 * @throws {ArgumentError} If the frame lacks a column, or has no row of the turbine
 */
export function selectIndices(id: string, indices: DataFrame): DataFrame {
  const { columns } = indices;
  const missing = [monthColumn, ...figures].filter(({ name }) => !columns.includes(name));
  if (missing.length > 0) {
    throw new ArgumentError(
      `Cannot report on turbine "${id}": its indices lack the columns ` +
        `${missing.map((column) => column.name).join(", ")}. Give the frame of monthlyIndices()`,
    );
  }
  const ids = columns.includes(turbineColumn.name)
    ? indices.getColumn(turbineColumn.name).toArray()
    : [];
  const own = ids.every((one) => one === id)
    ? indices
    : indices.filter(pl.col(turbineColumn.name).eq(pl.lit(id)));
  if (own.height === 0) {
    throw new ArgumentError(
      `Cannot report on turbine "${id}": the indices have no row of it. Give the frame of ` +
        `monthlyIndices() for this turbine`,
    );
  }
  return own;
}

/** The months that end with one, in their order. */
export function listMonthsTo(month: string, count: number): string[] {
  const last = Temporal.PlainYearMonth.from(month);
  return Array.from(
    { length: count },
    (_, i) => last.subtract({ months: count - 1 - i }).toString(),
  );
}

/** The last calendar quarter and year that are complete at the end of a month. */
export function findCompletePeriods(month: string): {
  readonly quarter: readonly [first: string, last: string];
  readonly year: number;
} {
  const at = Temporal.PlainYearMonth.from(month);
  const last = at.subtract({ months: at.month % 3 });
  return {
    quarter: [last.subtract({ months: 2 }).toString(), last.toString()],
    year: at.month === 12 ? at.year : at.year - 1,
  };
}
