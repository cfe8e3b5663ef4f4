/**
 * Reads columns of frames that users pass to analyses and charts, with the same rules for numbers, stamps, months and
 * texts everywhere.
 *
 * @module
 */
import pl, { type DataFrame, type Series } from "nodejs-polars";
import { ArgumentError } from "../api/errors.ts";
import { shortenText } from "../show/text/plain_text.ts";
import { dtypeName, toFloats, zoneOf } from "./frame.ts";

/** Throws an error with the task and the problem that was found. */
export type Refuse = (problem: string) => never;

/**
 * Builds the function that throws the errors of a task.
 *
 * @param task The task, such as `average production to hours`
 * @param subject Subject of the problem, such as `the indices`. @default the problem names it
 */
export function buildRefuse(task: string, subject?: string): Refuse {
  return (problem) => {
    throw new ArgumentError(`Cannot ${task}: ${subject ? `${subject} ` : ""}${problem}`);
  };
}

/** Stamps of a frame, and the zone of their clock. */
export interface Stamps {
  /** Milliseconds since 1970 UTC, in the order of the rows; NaN for a missing stamp. */
  readonly epochs: Float64Array;
  /** IANA zone of the column. */
  readonly timeZone: string;
}

const NUMERIC = /^((U?Int|Float)\d+|Decimal)$/;

/** From here on, not every whole number is exact as Float64. */
const EXACT = 2 ** 53;

const DAY = 86_400_000;

/** Whether the type of a column is numeric. */
export function isNumeric(series: Series): boolean {
  return NUMERIC.test(series.dtype.variant);
}

/** Refuses a column that is not numeric, or whose numbers would lose digits as Float64. */
export function assertNumbers(series: Series, refuse: Refuse): void {
  // The type of a column without values may be any.
  if (!isNumeric(series) && series.nullCount() < series.length) {
    refuse(
      `${describeColumn(series)}, not numbers. Convert it with pl.col(${
        quoteName(series.name)
      }).cast(pl.Float64)`,
    );
  }
  if (!/64|128|Decimal/.test(series.dtype.variant) || series.dtype.variant === "Float64") return;
  const row = toFloats(series).findIndex((value) => Math.abs(value) >= EXACT);
  if (row === -1) return;
  refuse(
    `${describeColumn(series)}, and row ${row + 1} is ${
      series.cast(pl.Utf8).get(row)
    }: beyond 2^53, ` +
      "digits would be lost. Choose a larger unit",
  );
}

/** Reads a numeric column; NaN if a value is missing or not finite. */
export function readNumbers(frame: DataFrame, name: string, refuse: Refuse): Float64Array {
  const series = frame.getColumn(name);
  assertNumbers(series, refuse);
  return toFloats(series).map((value) => Number.isFinite(value) ? value : NaN);
}

/**
 * Reads a column of datetimes with a zone.
 *
 * @param gaps Whether stamps may be missing
 */
export function readStamps(
  frame: DataFrame,
  name: string,
  refuse: Refuse,
  gaps: "no gaps" | "gaps" = "no gaps",
): Stamps {
  const series = frame.getColumn(name);
  if (series.dtype.variant !== "Datetime") {
    refuse(
      `${
        describeColumn(series)
      }, not datetimes with a time zone. Read the file with readProduction(), or ` +
        "convert the column",
    );
  }
  // Dates of JavaScript, as from toRecords(), are in ms and in UTC.
  const zone = String(series.dtype).includes("(ms") ? "UTC" : "Europe/Copenhagen";
  const timeZone = zoneOf(series.dtype) ?? refuse(
    `${describeColumn(series)} without a time zone, so its hours are unknown. Add one with ` +
      `pl.col(${quoteName(name)}).dt.replaceTimeZone("${zone}")`,
  );
  if (gaps === "no gaps") assertWhole(series, refuse);
  const micros = toFloats(series.cast(pl.Datetime("us")).cast(pl.Int64));
  return { epochs: micros.map((stamp) => stamp / 1000), timeZone };
}

/** Reads a column of dates, none missing, as numbers of months: year x 12 + month from 0. */
export function readMonths(frame: DataFrame, name: string, refuse: Refuse): number[] {
  const series = frame.getColumn(name);
  const { variant } = series.dtype;
  if (variant !== "Date") {
    refuse(
      `${describeColumn(series)}, not dates. Convert it with pl.col(${quoteName(name)}).` +
        (variant === "Datetime" ? "cast(pl.Date)" : 'str.strptime(pl.Date, "%Y-%m-%d")'),
    );
  }
  assertWhole(series, refuse);
  return Array.from(series.cast(pl.Int32).toTypedArray() as Int32Array, (days) => {
    const date = new Date(days * DAY);
    const year = date.getUTCFullYear();
    if (!(year >= 1 && year <= 9999)) {
      refuse(
        `${describeColumn(series)} outside the years 1 to 9999. Look for a misread date`,
      );
    }
    return 12 * year + date.getUTCMonth();
  });
}

/** Reads a column of any type as texts; `null` for a missing value. */
export function readTexts(frame: DataFrame, name: string): (string | null)[] {
  return frame.getColumn(name).cast(pl.Utf8).toArray() as (string | null)[];
}

function assertWhole(series: Series, refuse: Refuse): void {
  const missing = series.nullCount();
  if (missing === 0) return;
  refuse(
    `${describeColumn(series)}, but ${missing} of ${series.length} rows have no value. Remove ` +
      "those rows",
  );
}

function quoteName(name: string): string {
  return `"${shortenText(name)}"`;
}

function describeColumn(series: Series): string {
  return `column ${quoteName(series.name)} contains ${dtypeName(series.dtype)}`;
}
