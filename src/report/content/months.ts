import pl, { type DataFrame } from "nodejs-polars";
import { pickColumns } from "../../api/columns/column.ts";
import { figures, monthlyIndicesFrame } from "../../api/columns/columns.ts";
import { ArgumentError } from "../../api/errors.ts";

const [turbineColumn, monthColumn] = pickColumns(monthlyIndicesFrame, ["turbine_id", "month"]);

/** Reads a frame with one row per month: numbers and texts of a column by month, "2023-05"; `null` if missing. */
export function readMonthRows(frame: DataFrame) {
  const dated = frame.withColumn(pl.col(monthColumn.name).cast(pl.Utf8));
  const rows = new Map(dated.toRecords().map((row) => [String(row.month).slice(0, 7), row]));
  const read = (column: string, month: string): unknown => rows.get(month)?.[column];
  return {
    number(column: string, month: string): number | null {
      const value = read(column, month);
      return typeof value === "number" && Number.isFinite(value) ? value : null;
    },
    text(column: string, month: string): string | null {
      const value = read(column, month);
      return typeof value === "string" ? value : null;
    },
  };
}

/** Rows of a frame by month. */
export type MonthRows = ReturnType<typeof readMonthRows>;

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
        `${missing.map((column) => column.name).join(", ")}. Give a frame from monthlyIndices()`,
    );
  }
  const ids = columns.includes(turbineColumn.name)
    ? indices.getColumn(turbineColumn.name).toArray()
    : [];
  const turbineRows = ids.every((one) => one === id)
    ? indices
    : indices.filter(pl.col(turbineColumn.name).eq(pl.lit(id)));
  if (turbineRows.height === 0) {
    throw new ArgumentError(
      `Cannot report on turbine "${id}": the indices have no row of this turbine. Give a frame from ` +
        `monthlyIndices() for the turbine`,
    );
  }
  return turbineRows;
}

/** The months up to and including one, in order. */
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
