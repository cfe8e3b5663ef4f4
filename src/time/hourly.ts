import { DataFormatError, type ErrorCode } from "../api/errors.ts";
import { buildLocalClock } from "./local_clock.ts";
import { formatStamp, isLikely, UNLIKELY } from "./stamps.ts";
import { computeClockShift, computeOffset, monthAt, startOfMonth } from "./zones.ts";

/** Milliseconds of an hour. */
export const HOUR = 3_600_000;

/** Milliseconds of a day without a change of the clock. */
export const DAY: number = 24 * HOUR;

/** A regular hourly axis. */
export interface HourAxis {
  /** First stamp, milliseconds since 1970 UTC, on a whole hour. */
  readonly start: number;
  /** Number of stamps. */
  readonly length: number;
}

/** Position of the first stamp at or after an instant; it may be outside of the axis. */
export function positionAtOrAfter(axis: HourAxis, instant: number): number {
  return Math.ceil((instant - axis.start) / HOUR);
}

/** End of the last hour of the axis, exclusive, milliseconds since 1970 UTC. */
export function endOfAxis(axis: HourAxis): number {
  return axis.start + axis.length * HOUR;
}

/**
 * Places hourly values on another axis: NaN if they lack the hour, and everywhere if their hours begin at another
 * minute.
 *
 * @param axis Axis of the result
 * @param source Axis of the values
 * @param values Values at the stamps of their axis
 */
export function alignToAxis(axis: HourAxis, source: HourAxis, values: Float64Array): Float64Array {
  const aligned = new Float64Array(axis.length).fill(NaN);
  const later = (source.start - axis.start) / HOUR;
  if (!Number.isInteger(later)) return aligned;
  const [from, to] = [Math.max(0, later), Math.min(axis.length, later + source.length)];
  if (from < to) aligned.set(values.subarray(from - later, to - later), from);
  return aligned;
}

/** Stamps as positions on a regular hourly axis. */
export interface HourlyGrid {
  /** The hours from the first stamp to the last. */
  readonly axis: HourAxis;
  /** Position on the axis of each stamp. */
  readonly positions: Int32Array;
}

/** Source of stamps, for messages. */
interface StampSource {
  /** Name of the file. */
  readonly file: string;
  /** Line of the first stamp, counted from 1. @default messages count rows */
  readonly firstLine?: number;
  /** How much later the hours of the local clock begin than those of UTC, ms: half an hour in a half-hour zone. @default {0} */
  readonly clockShift?: number;
}

/**
 * Places stamps on a regular hourly axis; hours without a stamp stay empty.
 *
 * @param stamps Milliseconds since 1970 UTC
 * @throws {DataFormatError} If stamps are not in order, duplicated or not whole hours; the message names the line
 */
export function buildHourlyGrid(stamps: Float64Array, source: StampSource): HourlyGrid {
  const { file, firstLine, clockShift } = source;
  const line = (row: number) => (firstLine ?? 1) + row;
  const place = (row: number) => `${firstLine === undefined ? "row" : "line"} ${line(row)}`;
  assertRegular(stamps, { file, place, line, step: HOUR, clockShift });
  const start = stamps[0];
  const positions = new Int32Array(stamps.length);
  for (let i = 0; i < stamps.length; i++) positions[i] = (stamps[i] - start) / HOUR;
  return { axis: { start, length: positions[stamps.length - 1] + 1 }, positions };
}

/** Places values on the axis: NaN for hours without a row. */
export function placeOnGrid(grid: HourlyGrid, values: ArrayLike<number>): Float64Array {
  const result = new Float64Array(grid.axis.length).fill(NaN);
  for (let i = 0; i < grid.positions.length; i++) result[grid.positions[i]] = values[i];
  return result;
}

/** Zones whose clocks go back to different hours, or in different nights. */
const ZONES = [
  "Europe/London",
  "Europe/Paris",
  "Europe/Helsinki",
  "America/New_York",
  "Australia/Sydney",
];

/**
 * Finds a zone in which a local time is in a repeated hour. If a file has the time twice, it may be in the time of such
 * a zone.
 *
 * @param local Local time, ms since 1970 as if it were UTC
 * @returns A zone, as an example of all with the same clock change
 */
export function findRepeatingZone(local: number): string | undefined {
  return ZONES.find((zone) => repeatsHour(local, zone));
}

/** Whether a local time, ms since 1970 as if it were UTC, is in a repeated hour of a zone. */
export function repeatsHour(local: number, zone: string): boolean {
  const place = (rule: "earlier" | "later") =>
    buildLocalClock(zone, rule).toInstant(local * 1000, 0);
  return place("earlier") < place("later");
}

/**
 * Finds a zone in which the clocks skip an hour that a file does not have.
 *
 * @param local First time of the hour on the clock, ms since 1970 as if it were UTC
 */
export function findSkippingZone(local: number): string | undefined {
  return ZONES.find((zone) => Number.isNaN(buildLocalClock(zone).toInstant(local * 1000, 0)));
}

/** Source and step of stamps. */
interface StampSeries {
  /** Name of the file. */
  readonly file: string;
  /** Row or line of a stamp, for messages. */
  readonly place: (row: number) => string;
  /** Number of its row or line. @default unknown */
  readonly line?: (row: number) => number;
  /** Milliseconds from one stamp to the next, or several times that. */
  readonly step: number;
  /** How much later the hours of the local clock begin than those of UTC, ms: half an hour in a half-hour zone. @default as in its zone */
  readonly clockShift?: number | undefined;
  /** IANA zone of the clock of the file. @default unknown */
  readonly timeZone?: string | undefined;
}

/**
 * Checks that stamps are plausible, in order, not duplicated, and each at the start of a step; steps may be missing.
 *
 * @param stamps Milliseconds since 1970 UTC
 * @param series Their source and step
 * @throws {DataFormatError} If they are not; the message names the place
 */
export function assertRegular(stamps: Float64Array, series: StampSeries): void {
  const { file, place, line, step, timeZone } = series;
  if (stamps.length === 0) {
    throw new DataFormatError(
      `Cannot use ${file}: it has no rows. Give a table with at least one row`,
    );
  }
  const refuse = (row: number, code: ErrorCode, fault: string): never => {
    const facts = { code, row: line?.(row), value: formatStamp(stamps[row]) };
    throw new DataFormatError(`Cannot use ${file}: ${place(row)}: ${facts.value} ${fault}`, facts);
  };
  // Steps of UTC, or of the local clock: the first stamp shows which.
  const ofZone = () => timeZone === undefined ? 0 : computeClockShift(stamps[0], timeZone);
  const shift = stamps[0] % step === 0 ? 0 : (series.clockShift ?? ofZone()) % step;
  for (let i = 0; i < stamps.length; i++) {
    const stamp = stamps[i];
    if (!isLikely(stamp)) refuse(i, "time_format", UNLIKELY);
    if (i > 0 && stamp === stamps[i - 1]) {
      refuse(i, "time_repeated", `is duplicated. ${adviseRepeat(stamp, timeZone)}`);
    }
    if (i > 0 && stamp < stamps[i - 1]) {
      const before = formatStamp(stamps[i - 1]);
      refuse(i, "time_order", `comes after ${before}${adviseDisorder(stamps, i, timeZone)}`);
    }
    if ((stamp - shift) % step === 0) continue;
    const problem = step === HOUR
      ? "is not a whole hour. Average the values to hours first"
      : `is not a whole step of ${step / 60_000} minutes. Give regular steps`;
    refuse(i, "resolution", problem);
  }
}

/** Advice for rows that are not sorted. */
export const SORT = ". Sort the rows by time";

/** Advises on a time that steps back: sorting is right only if no time is duplicated. */
function adviseDisorder(
  stamps: Float64Array,
  row: number,
  timeZone: string | undefined,
): string {
  const sorted = Float64Array.from(stamps).sort();
  if (sorted.every((stamp, i) => stamp !== sorted[i - 1])) return SORT;
  const back = stamps[row - 1] - stamps[row];
  if (back < HOUR) {
    const advice = findClockAdvice(stamps[row], timeZone);
    if (advice) return `. ${advice}`;
  }
  return ", and other rows have the same times: the table has several series, one below the other, or repeats " +
    "some rows. Read each series separately, or remove the duplicate rows";
}

/** Advises on a repeated stamp: it may show that the file has another clock than declared. */
function adviseRepeat(stamp: number, timeZone: string | undefined): string {
  return findClockAdvice(stamp, timeZone) ?? "Remove one of the rows";
}

/**
 * Advises on the probable clock of a file that repeats a time.
 *
 * @param stamp The time, ms since 1970 UTC
 * @param timeZone The declared zone. @default the times have their own offset
 * @param adviseOffset Builds the advice for times with a wrong offset
 * @returns `undefined` if no clock goes back then
 */
export function findClockAdvice(
  stamp: number,
  timeZone?: string,
  adviseOffset: (zone: string) => string = () => "Export them again in UTC",
): string | undefined {
  const say = (zone: string, advice: string) =>
    `The clocks of ${zone} repeat that hour, so the times are probably local. ${advice}`;
  if (timeZone === undefined) {
    const zone = findRepeatingZone(stamp);
    return zone && say(zone, adviseOffset(zone));
  }
  if (repeatsHour(stamp, timeZone)) return say(timeZone, adviseOffset(timeZone));
  const zone = findRepeatingZone(stamp + computeOffset(stamp, timeZone));
  return zone && say(zone, `Declare time_zone "${zone}", or the zone of the place`);
}

/**
 * Checks stamps as {@linkcode assertRegular} does, and that rows are not further apart than declared: hours read as ten
 * minutes would count their energy six times.
 *
 * @throws {DataFormatError} If they are not regular, or no two of several are one step apart or less
 */
export function assertSteps(stamps: Float64Array, series: StampSeries): void {
  assertRegular(stamps, series);
  const { file, step } = series;
  if (stamps.length < 3) return; // two rows may well have a gap between them
  let least = Infinity;
  for (let i = 1; i < stamps.length; i++) least = Math.min(least, stamps[i] - stamps[i - 1]);
  if (least <= step) return;
  throw new DataFormatError(
    `Cannot use ${file}: its rows are at least ${least / 60_000} minutes apart, but the declared ` +
      `resolution is ${step / 60_000} minutes. Declare the actual resolution`,
    { code: "resolution", field: "resolution" },
  );
}

/**
 * Finds the position of the first hour that starts in a month. A clock may go back over the month's first midnight
 * (St John's, 1 November 2009): hours that start in the old month again still belong to it.
 *
 * @param axis The hours; the position may be outside of them
 */
export function findMonthStart(
  axis: HourAxis,
  month: Temporal.PlainYearMonth,
  timeZone: string,
): number {
  let position = positionAtOrAfter(axis, startOfMonth(month, timeZone));
  while (
    Temporal.PlainYearMonth.compare(monthAt(axis.start + position * HOUR, timeZone), month) < 0
  ) position++;
  return position;
}
