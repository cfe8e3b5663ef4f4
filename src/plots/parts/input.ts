import pl, { type DataFrame, type Series } from "nodejs-polars";
import { ArgumentError } from "../../api/errors.ts";
import { type Provenance, provenance } from "../../frames/provenance.ts";
import type { PlotOptions } from "./plot_options.ts";
import { clipped } from "./text.ts";

/** Whether a frame has a column; Object.keys would make a series of each to see whether it is there. */
function hasColumn(frame: DataFrame, name: string): boolean {
  return Reflect.ownKeys(frame).includes(name);
}

/**
 * Checks that a frame can be plotted.
 *
 * @throws {ArgumentError} If it has no rows or lacks a column
 */
export function requireColumns(
  frame: DataFrame,
  names: readonly string[],
  what: string,
  madeBy: string,
): void {
  const missing = names.filter((name) => !hasColumn(frame, name));
  if (missing.length > 0) {
    const list = missing.map((name) => `"${clipped(name)}"`).join(", ");
    throw new ArgumentError(
      `Cannot plot ${what}: the frame has no ${
        missing.length > 1 ? "columns" : "column"
      } ${list}. Give a frame as ${madeBy} makes it, ` +
        `or rename a column of yours`,
    );
  }
  if (frame.getColumn(names[0]).length === 0) {
    throw new ArgumentError(`Cannot plot ${what}: the frame has no rows`);
  }
}

function missingValues(frame: DataFrame): null[] {
  const length = Object.values(frame as unknown as Record<string, Series>)[0]?.length ?? 0;
  return Array.from({ length }, () => null);
}

const NUMERIC = /^((U?Int|Float)\d+|Decimal)$/;

/** Whether a column holds numbers. */
export function isNumeric(series: Series): boolean {
  return NUMERIC.test(series.dtype.variant);
}

/**
 * Checks that a column holds numbers: texts would be taken for missing values.
 *
 * @throws {ArgumentError} If it holds something else
 */
export function assertNumbers(frame: DataFrame, name: string, what: string): void {
  const series = frame.getColumn(name);
  // A column without any value has no type of its own.
  if (isNumeric(series) || series.nullCount() === series.length) return;
  throw new ArgumentError(
    `Cannot plot ${what}: column "${clipped(name)}" holds ${series.dtype.variant}, not numbers. ` +
      `Make it numbers with pl.col("${clipped(name)}").cast(pl.Float64)`,
  );
}

/**
 * Values of a column as numbers; `null` where a value is missing, not finite, or the column is not there.
 *
 * @throws {ArgumentError} If it holds something else than numbers
 */
export function numbersIn(frame: DataFrame, name: string, what: string): (number | null)[] {
  if (!hasColumn(frame, name)) return missingValues(frame);
  assertNumbers(frame, name, what);
  const values = frame.getColumn(name).cast(pl.Float64).toArray() as (number | null)[];
  return values.map((value) => value !== null && Number.isFinite(value) ? value : null);
}

/** Values of a column as texts; `null` where a value is missing or the column is not there. */
export function textsIn(frame: DataFrame, name: string): (string | null)[] {
  if (!hasColumn(frame, name)) return missingValues(frame);
  return frame.getColumn(name).cast(pl.Utf8).toArray() as (string | null)[];
}

/**
 * Values of a column of dates as months, "2023-05".
 *
 * @throws {ArgumentError} If the column is not of dates, or misses one
 */
export function monthsIn(frame: DataFrame, name: string, what: string): string[] {
  const series = frame.getColumn(name);
  if (series.dtype.variant !== "Date" || series.nullCount() > 0) {
    throw new ArgumentError(
      `Cannot plot ${what}: column "${name}" must hold a date in every row. ` +
        `Make dates with pl.col("${name}").str.strptime(pl.Date, "%Y-%m-%d")`,
    );
  }
  return (series.cast(pl.Utf8).toArray() as string[]).map((date) => date.slice(0, 7));
}

/** Where the plotted figures come from. */
export function originOf(
  frame: DataFrame | undefined,
  options: PlotOptions,
): Provenance | undefined {
  const counted = options.source ?? frame;
  return counted && provenance(counted);
}
