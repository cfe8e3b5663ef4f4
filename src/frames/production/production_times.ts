/**
 * Checks the times of production, with remedies that fit: energies are added up, powers are averaged.
 *
 * @module
 */
import { DataFormatError } from "../../api/errors.ts";
import {
  assertSteps,
  DAY,
  findClockAdvice,
  findSkippingZone,
  HOUR,
  repeatsHour,
  SORT,
} from "../../time/hourly.ts";
import { formatStamp } from "../../time/stamps.ts";
import { computeOffset } from "../../time/zones.ts";
import { findFutureProblem } from "../cells/period_cells.ts";
import { findResolution, isStamped, stepNames } from "./production_columns.ts";
import { isEnergy } from "./units.ts";
import type { ProductionFormat } from "./production_format.ts";

/** Source of the stamps, as for {@linkcode assertSteps}. */
type StampSeries = Parameters<typeof assertSteps>[1];

/** Fields of a declaration that concern times and their periods. */
type TimesFormat = Pick<ProductionFormat, "resolution" | "unit" | "time_format" | "stamp">;

/** Rows that are further apart may have the month as the day. */
const LONG_STEP = 20 * DAY;

/** Most times that are repeated by chance, or because clocks go back. */
const MAX_REPEATS = 6;

/** Day and month are swapped if swapping turns at least this many steps of a month into steps of a day or less. */
const MIN_SWAPS = 2;

/**
 * Refuses stamps after the current year, because production cannot have them.
 *
 * @param stamps Milliseconds since 1970 UTC, in the order of the rows
 */
export function assertPast(
  stamps: Float64Array,
  series: StampSeries,
  how: Pick<TimesFormat, "time_format">,
): void {
  const now = Date.now();
  const row = stamps.findIndex((stamp) => stamp > now && !!findFutureProblem(stamp, "", DAY));
  if (row === -1) return;
  refuseStamp(stamps, row, series, findFutureProblem(stamps[row], how.time_format, DAY)!);
}

/**
 * Refuses stamps that the rows of production cannot have.
 *
 * @param repeats Whether rows may repeat a time, in any order: steps are checked later
 */
export function assertStamps(
  stamps: Float64Array,
  series: StampSeries,
  how: TimesFormat,
  repeats: boolean,
): void {
  assertPast(stamps, series, how);
  assertNoSwap(stamps, series);
  if (repeats) return;
  assertProductionSteps(stamps, series, how);
  assertNoLocalClock(stamps, series);
}

function refuseStamp(
  stamps: Float64Array,
  row: number,
  { file, place, line }: StampSeries,
  problem: string,
): never {
  const value = formatStamp(stamps[row]);
  const facts = { code: "time_format", row: line?.(row), value } as const;
  throw new DataFormatError(`Cannot use ${file}: ${place(row)}: ${value} ${problem}`, facts);
}

/**
 * Refuses times in which day and month are swapped, as Excel does up to the 12th of a month: a time is about a month or
 * more from the one before it, but a day at most after swapping back.
 */
export function assertNoSwap(
  stamps: Float64Array,
  series: StampSeries,
  remedy =
    "If all times are texts, correct time_format. Otherwise export them again as texts like 2023-05-31 13:00, and " +
    "leave time_format out",
): void {
  const toLocal = (stamp: number) => stamp + computeOffset(stamp, series.timeZone ?? "UTC");
  let [first, swaps] = [-1, 0];
  for (let row = 1; row < stamps.length; row++) {
    if (!(Math.abs(stamps[row] - stamps[row - 1]) > LONG_STEP)) continue;
    const [earlier, later] = [stamps[row - 1], stamps[row]].map(toLocal);
    const [before, after] = [swap(earlier), swap(later)];
    const pairs = [[before, after], [before, later], [earlier, after]];
    if (!pairs.some(([a, b]) => Math.abs(a - b) <= DAY)) continue;
    if (swaps++ === 0) first = row;
  }
  if (swaps < MIN_SWAPS) return;
  const problem = `comes after ${
    formatStamp(stamps[first - 1])
  }: day and month are probably swapped in some of the times. ${remedy}`;
  refuseStamp(stamps, first, series, problem);
}

/** Swaps day and month of a local time; NaN if the day cannot be a month. */
function swap(local: number): number {
  const date = new Date(local);
  const [month, day] = [date.getUTCMonth() + 1, date.getUTCDate()];
  if (day > 12) return NaN;
  return Date.UTC(date.getUTCFullYear(), day - 1, month) + local % DAY;
}

/**
 * Checks steps as {@linkcode assertSteps} does, with remedies for production.
 *
 * @throws {DataFormatError} If they are not regular; the message names the place and the remedy
 */
export function assertProductionSteps(
  stamps: Float64Array,
  series: StampSeries,
  how: TimesFormat,
): void {
  try {
    assertSteps(stamps, series);
  } catch (error) {
    const reason = error instanceof DataFormatError && explain(stamps, error, series, how);
    if (!reason) throw error;
    const { code, field, row, value } = error;
    throw new DataFormatError(`Cannot use ${series.file}: ${reason}`, { code, field, row, value });
  }
}

/** Explains a problem of stamps, and the remedy if production needs another one than other hours. */
function explain(
  stamps: Float64Array,
  { code, value }: DataFormatError,
  series: StampSeries,
  how: TimesFormat,
): string | undefined {
  let [row, explanation] = [-1, undefined as string | undefined];
  if (code === "time_order") {
    row = stamps.findIndex((stamp, i) => stamp < stamps[i - 1]);
    explanation = explainDisorder(stamps, row, series, how);
  } else if (code === "time_repeated") {
    row = stamps.findIndex((stamp, i) => stamp === stamps[i - 1]);
    explanation = explainRepeats(stamps, row, series, how);
  } else if (code === "resolution") {
    const time = value === undefined ? NaN : Date.parse(String(value));
    row = stamps.findIndex((stamp) => Math.floor(stamp) === time && formatStamp(stamp) === value);
    explanation = explainSteps(stamps, row, series, how);
  }
  const at = row === -1 ? 1 : row; // no row is wrong by itself, only the first distance
  return explanation && `${series.place(at)}: ${formatStamp(stamps[at])} ${explanation}`;
}

/** Explains stamps that are not as far apart as declared, and what to do with their powers or energies. */
function explainSteps(
  stamps: Float64Array,
  row: number,
  { step }: StampSeries,
  { resolution, unit }: TimesFormat,
): string {
  const name = isStamped(resolution) ? stepNames[resolution] : resolution;
  const expected = resolution === "day" ? "the start of a day" : `a whole ${name}`;
  const distances = stamps.slice(1).map((stamp, i) => stamp - stamps[i]).sort();
  const usual = distances[(distances.length - 1) >> 1] ?? step;
  const actual = findResolution(usual);
  if (actual === resolution && resolution === "day") {
    return `is not ${expected}. Write the date alone, or declare the time_zone in which its days begin at 00:00`;
  }
  if (actual === resolution) {
    return `is not ${expected}. Write the time at which its period begins, or remove the row`;
  }
  const distance = usual % DAY === 0
    ? `${usual / DAY} day${usual === DAY ? "" : "s"}`
    : `${Number((usual / 60_000).toFixed(2))} minutes`;
  const text = `is not ${
    row === -1 ? "one step after the row before" : expected
  }: the rows are ${distance} apart`;
  if (actual !== undefined) return `${text}. Declare resolution "${actual}"`;
  if (usual < HOUR) {
    const combine = isEnergy(unit) ? "Add up the energies" : "Average the powers";
    return `${text}. ${combine} of each hour, and declare resolution "hour"`;
  }
  return isEnergy(unit)
    ? `${text}. Add up the energies of each month, and declare resolution "month"`
    : `${text}. Multiply each power by its hours, add up the energies of each month, and declare ` +
      'resolution "month" and their unit';
}

/** Advice for a table with several series. */
const SEVERAL =
  'Declare "turbine" (the column that names the turbine of each row) or "where". If the table has no such column, ' +
  "give each turbine its own file";

/** Problem of a table with several series, and advice. */
const TURBINES =
  `the table has several turbines, one below the other, or repeats some rows. ${SEVERAL}`;

/**
 * Explains times that step back: sorting is the remedy only if there is no other reason for the step.
 *
 * @param several Problem and advice if other rows have the same times
 */
export function explainDisorder(
  stamps: Float64Array,
  first: number,
  series: StampSeries,
  how: Partial<TimesFormat>,
  several = TURBINES,
): string | undefined {
  const { step, timeZone = "UTC" } = series;
  const clockOf = (row: number) => stamps[row] + computeOffset(stamps[row], timeZone);
  const steps = stamps.slice(1).map((stamp, i) => stamp - stamps[i]);
  const [falls, rises] = [steps.filter((one) => one < 0), steps.filter((one) => one > 0)]
    .map(({ length }) => length);
  // If the newest row comes first, the wrong time is the one that steps forward.
  const newestFirst = falls > rises;
  const row = newestFirst ? 1 + steps.findIndex((one) => one > 0) : first;
  if (row === 0) return undefined;
  const [before, at] = newestFirst ? [row, row - 1] : [row - 1, row];
  const local = clockOf(at);
  const after = `comes after ${formatStamp(stamps[first - 1])}`;
  const wrongTime = at === first ? "it" : formatStamp(stamps[at]);
  const back = clockOf(before) - local;
  const next = stamps[newestFirst ? at - 1 : at + 1];
  const continues = next === undefined ? !hasDuplicates(stamps) : next - stamps[at] > DAY; // the next row may begin the next day
  if (local % DAY === 0 && back === DAY - step && continues) {
    return `${after}: ${wrongTime} is probably the end of that day. Write it as 00:00 of the next day`;
  }
  if (back === DAY / 2 - step) {
    return `${after}: AM and PM are probably missing. Export the times again, with 24 hours a day`;
  }
  if (addYear(local) - local - back === step) {
    return `${after}: the year of ${
      wrongTime === "it" ? "the row" : wrongTime
    } is probably one too low. ` +
      "Correct the years from this row on";
  }
  if (!hasDuplicates(stamps)) return `${after}${SORT}`;
  const advice = back < HOUR ? adviseClock(stamps[at], series, how) : undefined;
  return advice
    ? `${after}. ${advice}`
    : `${after}, and other rows have the same times: ${several}. Remove duplicate rows`;
}

function addYear(local: number): number {
  const date = new Date(local);
  return date.setUTCFullYear(date.getUTCFullYear() + 1);
}

function hasDuplicates(stamps: Float64Array): boolean {
  const sorted = Float64Array.from(stamps).sort();
  return sorted.some((stamp, i) => stamp === sorted[i - 1]);
}

/** Explains times that more than one row has. */
function explainRepeats(
  stamps: Float64Array,
  row: number,
  series: StampSeries,
  how: TimesFormat,
): string | undefined {
  const advice = adviseClock(stamps[row], series, how);
  if (advice) return `is duplicated. ${advice}`;
  const count = stamps.filter((stamp, i) => stamp === stamps[i - 1]).length;
  if (count <= MAX_REPEATS) return undefined;
  return `is duplicated, and so are ${
    count - 1
  } other times: the rows belong to several turbines, or the times have lost ` +
    `their minutes. ${SEVERAL}. If the minutes are lost, export the times again`;
}

/** Advises on the probable clock of a file that repeats a time; `undefined` if no clock goes back then. */
function adviseClock(
  stamp: number,
  { timeZone, step }: StampSeries,
  { stamp: edge }: Partial<TimesFormat>,
): string | undefined {
  if (timeZone === undefined || edge === "end") {
    return findClockAdvice(stamp, timeZone, adviseOffset);
  }
  const local = stamp + computeOffset(stamp, timeZone);
  // An hour stamped at its end is repeated if its start is.
  if (!repeatsHour(local, timeZone) && !repeatsHour(local - step, timeZone)) {
    return findClockAdvice(stamp, timeZone, adviseOffset);
  }
  return `That night the clocks of ${timeZone} repeat an hour. If the timestamps mark the end of their period, declare ` +
    `stamp "end". If they have an offset, such as Z, it is wrong. ${adviseOffset(timeZone)}`;
}

/** Advises how to declare times whose offset, such as "Z", differs from their clock. */
export function adviseOffset(zone: string): string {
  return 'Put the offset in brackets in time_format, such as "YYYY-MM-DD[T]HH:mm:ss[Z]", and declare ' +
    `time_zone "${zone}", or the zone of the place`;
}

/**
 * Refuses times without summer time, as in UTC, that skip the hour which a local clock skips in spring: they are
 * probably local, so in summer they are an hour late.
 */
function assertNoLocalClock(stamps: Float64Array, series: StampSeries): void {
  const { step, timeZone = "UTC" } = series;
  if (timeZone !== "UTC" && !timeZone.startsWith("Etc/")) return;
  const gaps: number[] = [];
  for (let row = 1; row < stamps.length; row++) {
    if (stamps[row] - stamps[row - 1] === HOUR + step) gaps.push(row);
  }
  const offset = computeOffset(stamps[0] ?? 0, timeZone);
  const hits = gaps.map((row) => findSkippingZone(stamps[row - 1] + step + offset));
  const zones = hits.filter((zone) => zone !== undefined);
  if (zones.length === 0 || zones.length < gaps.length / 2) return;
  const row = gaps[hits.indexOf(zones[0])];
  const [zone] = zones;
  const advice = series.timeZone === undefined
    ? adviseOffset(zone)
    : `Declare time_zone "${zone}", or the zone of the place`;
  const text =
    `comes after ${
      formatStamp(stamps[row - 1])
    }, without the hour that the clocks of ${zone} skip, so the times are probably local. ${advice}. ` +
    "If they are not local, add the missing rows with empty values";
  const facts = { code: "time_zone", row: series.line?.(row) } as const;
  throw new DataFormatError(
    `Cannot use ${series.file}: ${series.place(row)}: ${formatStamp(stamps[row])} ${text}`,
    facts,
  );
}

/**
 * Whether the order of the rows may cause an error, or ends of periods that are their start plus their length: the
 * caller then reads the times in another way.
 */
export function isTimeError(error: unknown): boolean {
  return error instanceof DataFormatError &&
    ["time_zone", "time_order", "time_repeated"].includes(error.code ?? "");
}

/** Chooses the error to throw if both readings of the times fail: the error of the rows from the last one, if they are in order that way. */
export function chooseError(error: unknown, other: unknown): unknown {
  const [code, otherCode] = [error, other].map((one) => (one as DataFormatError).code);
  const inOrder = otherCode !== "time_order" && otherCode !== "time_zone";
  return code === "time_order" && inOrder ? other : error;
}
