/**
 * Reads the columns of frames that users hand in: one answer to what a number, a stamp, a month and a text is, for all
 * analyses and charts.
 *
 * @module
 */
import pl, { type DataFrame, type Series } from "nodejs-polars";
import { ArgumentError } from "../api/errors.ts";
import { shortenText } from "../show/text/short_text.ts";
import { dtypeName, zoneOf } from "./dtype.ts";
import { toFloats } from "./frame.ts";

/** Ends what is being done: says what it was about, and what is wrong with what it was given. */
export type Refuse = (problem: string) => never;

/** Makes the errors of one argument of a function. */
export function buildRefuse(what: string): Refuse {
  return (problem) => {
    throw new ArgumentError(`Cannot ${what}: ${problem}`);
  };
}

/** Stamps of a frame, and the zone of their clock. */
export interface Stamps {
  /** Milliseconds since 1970 UTC, in the order of the rows; NaN where a row has none. */
  readonly epochs: Float64Array;
  /** IANA zone of the column. */
  readonly timeZone: string;
}

const NUMERIC = /^((U?Int|Float)\d+|Decimal)$/;

/** From here on not every whole number is a Float64. */
const EXACT = 2 ** 53;

const DAY = 86_400_000;

/** Whether a column holds numbers. */
export function isNumeric(series: Series): boolean {
  return NUMERIC.test(series.dtype.variant);
}

/** Checks that a column holds numbers, none of which would lose digits. */
export function assertNumbers(series: Series, refuse: Refuse): void {
  // A column without any value has no type of its own.
  if (!isNumeric(series) && series.nullCount() < series.length) {
    refuse(
      `${describeColumn(series)}, not numbers. Make it numbers with ` +
        `pl.col(${quoteName(series.name)}).cast(pl.Float64)`,
    );
  }
  if (!/64|128|Decimal/.test(series.dtype.variant) || series.dtype.variant === "Float64") return;
  const row = toFloats(series).findIndex((value) => Math.abs(value) >= EXACT);
  if (row === -1) return;
  refuse(
    `${describeColumn(series)}, and row ${row + 1} is ${
      series.cast(pl.Utf8).get(row)
    }: beyond 2^53 ` +
      "digits would be lost. Choose a larger unit",
  );
}

/** A column of any kind of numbers; NaN where a value is missing or not finite. */
export function readNumbers(frame: DataFrame, name: string, refuse: Refuse): Float64Array {
  const series = frame.getColumn(name);
  assertNumbers(series, refuse);
  return toFloats(series).map((value) => Number.isFinite(value) ? value : NaN);
}

/**
 * A column of datetimes with a zone.
 *
 * @param gaps Whether a row may have none
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
        "make datetimes of it",
    );
  }
  const timeZone = zoneOf(series.dtype) ?? refuse(
    `${describeColumn(series)}, without a time zone, so nobody knows its hours. Give it one with ` +
      `pl.col(${quoteName(name)}).dt.replaceTimeZone("Europe/Copenhagen")`,
  );
  if (gaps === "no gaps") assertWhole(series, refuse);
  const micros = toFloats(series.cast(pl.Datetime("us")).cast(pl.Int64));
  return { epochs: micros.map((stamp) => stamp / 1000), timeZone };
}

/** A column of dates, one in each row, as positions on the line of all months: years x 12 + months from 0. */
export function readMonths(frame: DataFrame, name: string, refuse: Refuse): number[] {
  const series = frame.getColumn(name);
  if (series.dtype.variant !== "Date") {
    refuse(
      `${describeColumn(series)}, not dates. Make dates with ` +
        `pl.col(${quoteName(name)}).str.strptime(pl.Date, "%Y-%m-%d")`,
    );
  }
  assertWhole(series, refuse);
  return Array.from(series.cast(pl.Int32).toTypedArray() as Int32Array, (days) => {
    const date = new Date(days * DAY);
    const year = date.getUTCFullYear();
    if (!(year >= 1 && year <= 9999)) {
      refuse(
        `${describeColumn(series)} outside of the years 1 to 9999. Look for one that was misread`,
      );
    }
    return 12 * year + date.getUTCMonth();
  });
}

/** A column of any type as texts; `null` where a value is missing. */
export function readTexts(frame: DataFrame, name: string): (string | null)[] {
  return frame.getColumn(name).cast(pl.Utf8).toArray() as (string | null)[];
}

function assertWhole(series: Series, refuse: Refuse): void {
  const missing = series.nullCount();
  if (missing === 0) return;
  refuse(
    `${
      describeColumn(series)
    }, and no value in ${missing} of ${series.length} rows. Filter the rows ` +
      "without one",
  );
}

function quoteName(name: string): string {
  return `"${shortenText(name)}"`;
}

function describeColumn(series: Series): string {
  return `column ${quoteName(series.name)} holds ${dtypeName(series.dtype)}`;
}
