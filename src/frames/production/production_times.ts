import { DataFormatError } from "../../api/errors.ts";
import { assertSteps, DAY, HOUR } from "../../time/hourly.ts";
import { formatStamp } from "../../time/stamps.ts";
import { computeOffset } from "../../time/zones.ts";
import { findFutureProblem } from "../cells/past_times.ts";
import { findResolution, isStamped, stepNames } from "./production_columns.ts";
import type { ProductionFormat } from "./production_format.ts";
import { isEnergy } from "./units.ts";

/**
 * Checks of the times of production, with the remedy that is right for it: energies are added where powers are averaged.
 *
 * @module
 */

/** Where the stamps come from, as of {@linkcode assertSteps}. */
type StampSeries = Parameters<typeof assertSteps>[1];

/** What a declaration says of times and of what happens in their periods. */
type TimesFormat = Pick<ProductionFormat, "resolution" | "unit" | "time_format">;

/** Rows are further apart where a month was taken for a day. */
const LONG_STEP = 20 * DAY;

/** Day and month are swapped if so many steps of a month become steps of a day at most by swapping them. */
const MIN_SWAPS = 2;

/**
 * Refuses stamps after the year that has begun: production has none.
 *
 * @param stamps Milliseconds since 1970 UTC, of the rows in the order of the file
 */
export function assertPast(stamps: Float64Array, series: StampSeries, how: TimesFormat): void {
  const now = Date.now();
  const row = stamps.findIndex((stamp) => stamp > now && !!findFutureProblem(stamp, "", DAY));
  if (row === -1) return;
  refuseStamp(stamps, row, series, findFutureProblem(stamps[row], how.time_format, DAY)!);
}

function refuseStamp(
  stamps: Float64Array,
  row: number,
  { file, place, line }: StampSeries,
  found: string,
): never {
  const value = formatStamp(stamps[row]);
  const facts = { code: "time_format", row: line?.(row), value } as const;
  throw new DataFormatError(`Cannot use ${file}: ${place(row)}: ${value} ${found}`, facts);
}

/**
 * Refuses times in which day and month are swapped, as Excel does it up to the 12th of a month: a time is a month or more
 * from the one before it, and a day at most once they are swapped back.
 */
export function assertNoSwap(stamps: Float64Array, series: StampSeries): void {
  const toLocal = (stamp: number) => stamp + computeOffset(stamp, series.timeZone ?? "UTC");
  let [first, swaps] = [-1, 0];
  for (let row = 1; row < stamps.length; row++) {
    if (!(Math.abs(stamps[row] - stamps[row - 1]) > LONG_STEP)) continue;
    const [one, other] = [stamps[row - 1], stamps[row]].map(toLocal);
    const [before, after] = [swap(one), swap(other)];
    const pairs = [[before, after], [before, other], [one, after]];
    if (!pairs.some(([a, b]) => Math.abs(a - b) <= DAY)) continue;
    if (swaps++ === 0) first = row;
  }
  if (swaps < MIN_SWAPS) return;
  const found =
    `comes after ${formatStamp(stamps[first - 1])}: day and month are probably swapped in ` +
    "some of the times. Export them again, each as 2023-05-31 13:00, or correct time_format";
  refuseStamp(stamps, first, series, found);
}

/** A local time with its day as the month and its month as the day; NaN if it has no such month. */
function swap(local: number): number {
  const date = new Date(local);
  const [month, day] = [date.getUTCMonth() + 1, date.getUTCDate()];
  if (day > 12) return NaN;
  return Date.UTC(date.getUTCFullYear(), day - 1, month) + local % DAY;
}

/**
 * Checks steps as {@linkcode assertSteps} does, with remedies for production.
 *
 * @throws {DataFormatError} If they are not regular; the message names the place and what to do
 */
export function assertProductionSteps(
  stamps: Float64Array,
  series: StampSeries,
  how: TimesFormat,
): void {
  try {
    assertSteps(stamps, series);
  } catch (error) {
    const found = error instanceof DataFormatError && explain(stamps, error, series, how);
    if (!found) throw error;
    const { code, field, row, value } = error;
    throw new DataFormatError(`Cannot use ${series.file}: ${found}`, { code, field, row, value });
  }
}

/** Says what is wrong with stamps, and what to do, where production has another remedy than other hours. */
function explain(
  stamps: Float64Array,
  { code, value }: DataFormatError,
  series: StampSeries,
  how: TimesFormat,
): string | undefined {
  let [row, found] = [-1, undefined as string | undefined];
  if (code === "time_order") {
    row = stamps.findIndex((stamp, i) => stamp < stamps[i - 1]);
    found = explainLastHour(stamps, row, series);
  } else if (code === "resolution") {
    const time = value === undefined ? NaN : Date.parse(String(value));
    row = stamps.findIndex((stamp) => Math.floor(stamp) === time && formatStamp(stamp) === value);
    found = explainSteps(stamps, row, series, how);
  }
  const at = row === -1 ? 1 : row; // no row is off: it is the first distance
  return found && `${series.place(at)}: ${formatStamp(stamps[at])} ${found}`;
}

/** Stamps that are not as far apart as declared: what to make of their powers or energies. */
function explainSteps(
  stamps: Float64Array,
  row: number,
  { step }: StampSeries,
  { resolution, unit }: TimesFormat,
): string {
  const name = isStamped(resolution) ? stepNames[resolution] : resolution;
  const whole = resolution === "day" ? "the start of a day" : `a whole ${name}`;
  const distances = stamps.slice(1).map((stamp, i) => stamp - stamps[i]).sort();
  const usual = distances[(distances.length - 1) >> 1] ?? step;
  const found = findResolution(usual);
  if (found === resolution && resolution === "day") {
    return `is not ${whole}. Write the date alone, or declare the time_zone in which its days begin at 00:00`;
  }
  if (found === resolution) {
    return `is not ${whole}. Write the time at which its period begins, or leave out the row`;
  }
  const apart = usual % DAY === 0
    ? `${usual / DAY} day${usual === DAY ? "" : "s"}`
    : `${Number((usual / 60_000).toFixed(2))} minutes`;
  const text = `is not ${
    row === -1 ? "one step after the row before" : whole
  }: the rows are ${apart} apart`;
  if (found !== undefined) return `${text}. Declare resolution "${found}"`;
  if (usual < HOUR) {
    const combine = isEnergy(unit) ? "Add up the energies" : "Average the powers";
    return `${text}. ${combine} of each hour, and declare resolution "hour"`;
  }
  return isEnergy(unit)
    ? `${text}. Add up the energies of each month, and declare resolution "month"`
    : `${text}. Multiply each power by its hours, add up these energies of each month, and declare ` +
      'resolution "month" and their unit';
}

/** A day whose last hour has the time 00:00 of the same day: sorted, it would be the first. */
function explainLastHour(
  stamps: Float64Array,
  row: number,
  { step, timeZone = "UTC" }: StampSeries,
): string | undefined {
  const [before, local] = [stamps[row - 1], stamps[row]]
    .map((stamp) => stamp + computeOffset(stamp, timeZone));
  if (local % DAY !== 0 || before - local !== DAY - step) return undefined;
  return `comes after ${
    formatStamp(stamps[row - 1])
  }: it is probably the end of that day. Write it as ` +
    "00:00 of the next day";
}
