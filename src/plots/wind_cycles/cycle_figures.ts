import { monthNumberOf, monthOfNumber, startOfMonth } from "../../time/zones.ts";
import type { LocalClockParts } from "../parts/values.ts";

/** The four seasons by their months: names that are right on both sides of the equator. */
export const SEASONS = ["Dec to Feb", "Mar to May", "Jun to Aug", "Sep to Nov"] as const;

/** Completeness that a month needs for its mean to count. */
export const MIN_MONTH_SHARE = 0.8;

/** Mean of a season at an hour of the clock. */
export interface HourMean {
  /** Name of the season. */
  readonly season: string;
  /** Hour of the clock, 0 to 23. */
  readonly hour: number;
  /** Mean of the values. */
  readonly mean: number;
  /** Number of values. */
  readonly count: number;
}

/** Means by season and hour of the clock; without the hours that have no value. */
export function computeDailyCycle(values: Float64Array, clock: LocalClockParts): HourMean[] {
  const sums = new Float64Array(4 * 24);
  const counts = new Float64Array(4 * 24);
  for (let i = 0; i < values.length; i++) {
    if (Number.isNaN(values[i])) continue;
    const season = Math.floor(clock.months[i] % 12 / 3);
    const cell = season * 24 + clock.hours[i];
    sums[cell] += values[i];
    counts[cell]++;
  }
  return [...counts].flatMap((count, cell) =>
    count === 0 ? [] : [{
      season: SEASONS[Math.floor(cell / 24)],
      hour: cell % 24,
      mean: sums[cell] / count,
      count,
    }]
  );
}

/** A calendar month over the years. */
export interface MonthMean {
  /** Calendar month, 1 to 12. */
  readonly month: number;
  /** Mean of the means of its years. */
  readonly mean: number;
  /** Lowest mean of a year. */
  readonly low: number;
  /** Highest mean of a year. */
  readonly high: number;
  /** Number of years that count. */
  readonly years: number;
}

/** Calendar months over the years, and how many months of the record had too few values to count. */
export function computeYearlyCycle(
  values: Float64Array,
  clock: LocalClockParts,
  zone: string,
  step: number,
): { readonly months: MonthMean[]; readonly leftOut: number } {
  const sums = new Map<number, { sum: number; count: number }>();
  for (let i = 0; i < values.length; i++) {
    const number = monthNumberOf({ year: clock.years[i], month: clock.months[i] });
    let month = sums.get(number);
    if (!month) sums.set(number, month = { sum: 0, count: 0 });
    if (Number.isNaN(values[i])) continue;
    month.sum += values[i];
    month.count++;
  }
  const means: number[][] = Array.from({ length: 12 }, () => []);
  for (const [number, { sum, count }] of sums) {
    const length = startOfMonth(monthOfNumber(number + 1), zone) -
      startOfMonth(monthOfNumber(number), zone);
    if (count * step >= MIN_MONTH_SHARE * length) means[number % 12].push(sum / count);
  }
  const counted = means.reduce((total, years) => total + years.length, 0);
  const months = means.flatMap((years, i): MonthMean[] =>
    years.length === 0 ? [] : [{
      month: i + 1,
      mean: years.reduce((total, mean) => total + mean, 0) / years.length,
      low: Math.min(...years),
      high: Math.max(...years),
      years: years.length,
    }]
  );
  return { months, leftOut: sums.size - counted };
}
