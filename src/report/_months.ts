import pl, { type DataFrame } from "nodejs-polars";
import { pickColumns } from "../api/column.ts";
import { figures, monthlyIndicesFrame } from "../api/columns.ts";
import { ArgumentError } from "../api/errors.ts";
import type { TurbineReport } from "./turbine_report.ts";

const [turbineColumn, monthColumn, statusColumn] = pickColumns(
  monthlyIndicesFrame,
  ["turbine_id", "month", "status"],
);

/** Rows of a frame by month, "2023-05". */
export interface MonthRows {
  /** The months, in their order. */
  readonly months: readonly string[];
  /** A number of a month; `null` where it is missing. */
  number(column: string, month: string): number | null;
  /** A text of a month; `null` where it is missing. */
  text(column: string, month: string): string | null;
}

function has(frame: DataFrame, name: string): boolean {
  return Object.keys(frame).includes(name);
}

/** Reads a frame with one row a month. */
export function monthRows(frame: DataFrame): MonthRows {
  const dates = frame.getColumn(monthColumn.name).cast(pl.Utf8).toArray() as string[];
  const positions = new Map(dates.map((date, i) => [date.slice(0, 7), i]));
  const value = (column: string, month: string) => {
    const i = positions.get(month);
    return i === undefined || !has(frame, column) ? null : frame.getColumn(column).getIndex(i);
  };
  return {
    months: [...positions.keys()].sort(),
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
 * Indices of one turbine alone.
 *
 * @throws {ArgumentError} If the frame lacks a column, or has no row of the turbine
 */
export function indicesOf({ details, indices }: TurbineReport): DataFrame {
  const id = details.turbine_id;
  const missing = [monthColumn, ...figures].filter((column) => !has(indices, column.name));
  if (missing.length > 0) {
    throw new ArgumentError(
      `Cannot report on turbine "${id}": its indices lack the columns ` +
        `${missing.map((column) => column.name).join(", ")}. Give the frame of monthlyIndices()`,
    );
  }
  const own = has(indices, turbineColumn.name)
    ? indices.filter(pl.col(turbineColumn.name).eq(pl.lit(id)))
    : indices;
  if (own.height === 0) {
    throw new ArgumentError(`Cannot report on turbine "${id}": the indices hold no row of it`);
  }
  return own;
}

/** Rows up to a month: a report does not look beyond its own. */
export function upTo(frame: DataFrame, month: string): DataFrame {
  return frame.filter(pl.col(monthColumn.name).cast(pl.Utf8).ltEq(pl.lit(`${month}-31`)));
}

/** Status of a month, or nothing where it is not stated. */
export function statusOf(rows: MonthRows, month: string): string {
  return rows.text(statusColumn.name, month) ?? "";
}

/** The last month that has a figure, or the last of all. */
export function lastMonthWithFigures(all: readonly MonthRows[]): string {
  const name = figures[0].name;
  const known = all.flatMap((rows) =>
    rows.months.filter((month) => rows.number(name, month) !== null)
  );
  const months = known.length > 0 ? known : all.flatMap((rows) => rows.months);
  return [...months].sort()[months.length - 1];
}

/** The twelve months that end with one, in their order. */
export function twelveMonthsTo(month: string): string[] {
  const last = Temporal.PlainYearMonth.from(month);
  return Array.from({ length: 12 }, (_, i) => last.subtract({ months: 11 - i }).toString());
}
