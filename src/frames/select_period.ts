import pl, { type DataFrame } from "nodejs-polars";
import { declareOptions, readOptions } from "../show/options/read_options.ts";
import { month, time } from "../api/columns/columns.ts";
import { ArgumentError } from "../api/errors.ts";
import { readDayRange, readMonthRange, type TimeRange } from "../show/options/range.ts";
import { checkFrame } from "../show/check_frame.ts";
import { assertTimeZone, monthAsDays, startOfDay } from "../time/zones.ts";
import { zoneOf } from "./frame.ts";
import { withProvenance } from "./origin/provenance.ts";

/** Options of {@linkcode selectPeriod}. */
export interface SelectPeriodOptions extends TimeRange {
  /** IANA zone of the days, months and years, and of the stamps returned. @default null, the zone of the column `time` */
  readonly timeZone?: string | null;
}

const OPTIONS = declareOptions<SelectPeriodOptions>()("from to timeZone");

const TASK = "select a period";

/**
 * Selects the rows of a period: a year, or some months, days or hours. Both ends are included.
 *
 * A day begins at its midnight in the zone of the stamps. If production is in UTC, its months differ from the
 * turbine's: give the turbine's `timeZone`, which also converts the stamps to the zone of model data.
 *
 * @param frame A frame with `time` (a zone included) or `month`, such as model data, production or indices
 * @param options First and last year, month, day or hour, and their zone
 * @returns Its rows in that period, in their order; a frame without rows if there are none
 * @throws {ArgumentError} If the frame has no such column, its stamps have no zone, or a bound is not a time
 *
 * @example The hours of a local month
 * ```ts
 * import { modelData, selectPeriod } from "@vindkit/vindkit";
 * import { assertEquals } from "@std/assert";
 *
 * const model = await modelData("T1", { from: 2023, to: 2024 });
 * const march = selectPeriod(model, { from: "2024-03", to: "2024-03" });
 * assertEquals(march.height, 31 * 24 - 1); // the clocks go forward
 * ```
 */
export function selectPeriod(frame: DataFrame, options: SelectPeriodOptions): DataFrame {
  readOptions("selectPeriod()", options, OPTIONS);
  checkFrame(frame, TASK, "modelData(), readProduction() or monthlyIndices()");
  if (frame.columns.includes(time.name)) return selectHours(frame, options);
  if (frame.columns.includes(month.name)) return selectMonths(frame, options);
  throw new ArgumentError(
    `Cannot ${TASK}: the frame has no column "${time.name}" or "${month.name}". It has ` +
      `${
        frame.columns.join(", ") || "no columns"
      }. Rename the column with the timestamps to "time"`,
  );
}

function selectHours(frame: DataFrame, { timeZone, ...range }: SelectPeriodOptions): DataFrame {
  const frameZone = zoneOf(frame.getColumn(time.name).dtype);
  if (frameZone === undefined) {
    throw new ArgumentError(
      `Cannot ${TASK}: the column "${time.name}" does not contain times with a time ` +
        "zone. Read the file with readProduction(), or add a zone with dt.replaceTimeZone()",
    );
  }
  const zone = timeZone ?? frameZone;
  assertTimeZone(zone);
  const { first, end, firstHour, endHour } = readDayRange(range);
  const from = firstHour?.(zone) ?? (first && startOfDay(first, zone));
  const to = endHour?.(zone) ?? (end && startOfDay(end, zone));
  const converted = zone === frameZone
    ? frame
    : frame.withColumn(pl.col(time.name).dt.convertTimeZone(zone).alias(time.name));
  const epoch = pl.col(time.name).cast(pl.Datetime("ms", zone)).cast(pl.Int64);
  return withProvenance(filterBetween(converted, epoch, from, to), frame);
}

function selectMonths(frame: DataFrame, { timeZone, ...range }: SelectPeriodOptions): DataFrame {
  if (timeZone != null) {
    throw new ArgumentError(`Cannot ${TASK}: months have no time zone. Omit "timeZone"`);
  }
  const { from, to } = readMonthRange(range);
  const day = pl.col(month.name).cast(pl.Date).cast(pl.Int32);
  const end = to && monthAsDays(to.add({ months: 1 }));
  return withProvenance(filterBetween(frame, day, from && monthAsDays(from), end), frame);
}

/** Keeps the rows from one number on, and before another. */
function filterBetween(frame: DataFrame, number: pl.Expr, from?: number, end?: number): DataFrame {
  const begun = from === undefined ? frame : frame.filter(number.gtEq(pl.lit(from)));
  return end === undefined ? begun : begun.filter(number.lt(pl.lit(end)));
}
