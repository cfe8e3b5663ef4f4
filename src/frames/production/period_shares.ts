import pl, { type DataFrame } from "nodejs-polars";
import { HOUR } from "../../time/hourly.ts";
import { dayAt, monthOfNumber, startOfDay } from "../../time/zones.ts";
import { readNumbers, type Refuse } from "../read_columns.ts";
import type { Column } from "../../api/columns/column.ts";
import { productionColumns, productionExtras } from "./production_columns.ts";

/** Hours by which valid hours may exceed a month: the turbine's clock may skip an hour in it, and a file may add one. */
const CLOCK_CHANGES = 2;

/** Largest share of the rated power that a limit may be. */
export const MAX_LIMIT = 1.1;

/** Smallest share of valid hours from which the energy of a month or year is scaled to all hours. */
export const MIN_SHARE = 0.5;

const { availability, limit, limitShare, validHours } = productionExtras;
const [, power] = productionColumns.hour;
const [, energy] = productionColumns.month;

/**
 * Counts hours of a calendar month or year, without changes of the clock.
 *
 * @param number Months since year 0, or the year
 */
export function countHours(kind: "month" | "year", number: number): number {
  return kind === "month"
    ? 24 * monthOfNumber(number).daysInMonth
    : 24 * monthOfNumber(12 * number).daysInYear;
}

/** Counts the hours of the calendar day that begins at an instant, ms since 1970 UTC: 23 to 25 if clocks change. */
export function countDayHours(start: number, timeZone: string): number {
  if (timeZone === "UTC") return 24;
  return (startOfDay(dayAt(start, timeZone).add({ days: 1 }), timeZone) - start) / HOUR;
}

/** Reads a column of numbers, or of booleans as 0 or 1. */
export function readShares(frame: DataFrame, name: string, refuse: Refuse): Float64Array {
  const truths = frame.getColumn(name).dtype.variant === "Bool";
  const numbers = truths ? frame.withColumn(pl.col(name).cast(pl.Float64)) : frame;
  return readNumbers(numbers, name, refuse);
}

/**
 * Reads the availability of hours, months or years; a boolean column says whether the turbine could run.
 *
 * @returns Shares from 0 to 1, NaN if unknown; `undefined` without the column
 */
export function readAvailabilityColumn(
  frame: DataFrame,
  refuse: Refuse,
): Float64Array | undefined {
  const { name } = availability;
  if (!frame.columns.includes(name)) return undefined;
  const shares = readShares(frame, name, refuse);
  const outside = shares.find((share) => share < 0 || share > 1);
  if (outside !== undefined) {
    refuse(
      `column "${name}" has ${outside}, which is not a share from 0 to 1. Divide percentages by 100`,
    );
  }
  return shares;
}

/**
 * Reads the limits of the power; a boolean column says whether it was limited, and the power itself is then the limit.
 *
 * @returns kW, or shares of the rated power, NaN if there is none; `undefined` without the column
 */
export function readLimits(
  frame: DataFrame,
  { name }: Column,
  refuse: Refuse,
): Float64Array | undefined {
  if (!frame.columns.includes(name)) return undefined;
  const limits = readShares(frame, name, refuse);
  const negative = limits.find((level) => level < 0);
  if (negative !== undefined) refuse(`column "${name}" has ${negative}, which is below 0`);
  const above = name === limitShare.name && limits.find((share) => share > MAX_LIMIT);
  if (above) refuse(`column "${name}" has ${above}, more than the rated power. Divide % by 100`);
  if (frame.getColumn(name).dtype.variant !== "Bool") return limits;
  const powers = readNumbers(frame, power.name, refuse);
  return limits.map((flag, i) => flag === 1 ? Math.max(0, powers[i]) : NaN);
}

/**
 * Reads the limits of the power, kW.
 *
 * @param ratedPower Rated power, kW, for limits that are shares of it
 * @returns NaN if there is none; `undefined` without such a column
 */
export function readLimitColumn(
  frame: DataFrame,
  ratedPower: number,
  refuse: Refuse,
): Float64Array | undefined {
  return readLimits(frame, limit, refuse) ??
    readLimits(frame, limitShare, refuse)?.map((share) => share * ratedPower);
}

/**
 * Reads the hours of months or years for which the energy is known.
 *
 * @param hours Hours of the period of each row
 * @returns Hours, NaN if unknown; `undefined` without the column
 */
export function readValidHoursColumn(
  frame: DataFrame,
  hours: readonly number[],
  refuse: Refuse,
): Float64Array | undefined {
  const { name } = validHours;
  if (!frame.columns.includes(name)) return undefined;
  const valid = readNumbers(frame, name, refuse);
  const row = valid.findIndex((value, i) => value < 0 || value > hours[i] + CLOCK_CHANGES);
  if (row !== -1) {
    refuse(
      `column "${name}" has ${valid[row]} h in row ${row + 1}, but the period has ${hours[row]} ` +
        "h. Give the hours for which the energy is known",
    );
  }
  return valid;
}

/**
 * Computes the share of each period's hours that its energy covers; an unknown share counts as all of them.
 *
 * @param hours Hours of each period
 * @param valid Hours for which the energy is known, NaN if unknown
 * @param available Share of these in which the turbine could run, NaN if unknown
 * @returns Shares from 0 to 1
 */
export function computeShares(
  hours: readonly number[],
  valid: Float64Array | undefined,
  available?: Float64Array,
): Float64Array {
  const orElse = (value: number | undefined, otherwise: number) =>
    value === undefined || Number.isNaN(value) ? otherwise : value;
  // A month may be declared with 744 h although the clock skips one of them.
  return Float64Array.from(
    hours,
    (all, i) => Math.min(1, orElse(valid?.[i], all) / all) * orElse(available?.[i], 1),
  );
}

/**
 * Describes how many energies cover only a share of their hours.
 *
 * @param shares Shares of all periods, 0 to 1
 * @returns "5 of 12 energies cover only 66.7 % to 99.9 % of their hours"; `undefined` if all cover all hours
 */
export function describeShares(shares: ArrayLike<number>): string | undefined {
  const all = Array.from(shares);
  const parts = all.filter((share) => share < 1);
  if (parts.length === 0) return undefined;
  const [low, high] = [Math.min(...parts), Math.max(...parts)]
    .map((share) => `${Number((100 * share).toFixed(1))} %`);
  return `${parts.length} of ${all.length} energies cover only ${
    low === high ? low : `${low} to ${high}`
  } of their hours`;
}

/**
 * Describes, in sentences, how many shares of months or years are missing in the columns of a file.
 *
 * @param columns Names of the columns
 */
export function describeUnknownShares(
  frame: DataFrame,
  columns: readonly string[] = [validHours.name, availability.name],
): string[] {
  const energies = frame.getColumn(energy.name);
  return columns.flatMap((name) => {
    if (!frame.columns.includes(name)) return [];
    const shares = frame.getColumn(name);
    const count = Array.from({ length: frame.height }, (_, row) => row)
      .filter((row) => shares.get(row) === null && energies.get(row) !== null).length;
    return count === 0
      ? []
      : [`${count} of ${frame.height} rows without "${name}" count for the whole period`];
  });
}
