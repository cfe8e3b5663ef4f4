import { HOUR, type HourAxis } from "../../time/hourly.ts";
import { startOfMonth } from "../../time/zones.ts";
import { listMonthSpans, MIN_COMPLETENESS } from "./monthly_energy.ts";
import { fitLine } from "../../stats/regression.ts";
import { mean } from "../../stats/spread.ts";
import { studentQuantile } from "../../stats/student.ts";

/** Fewest whole years for a trend: a line through two years has no interval. */
const MIN_YEARS = 3;

/** Mean of a calendar year. */
export interface AnnualMean {
  readonly year: number;
  /** Mean of its valid hours. */
  readonly mean: number;
}

/** Trend of annual means, % of their mean per decade, with its 90 % interval. */
export interface Trend {
  readonly trend: number;
  /** Lower end of its interval. */
  readonly low: number;
  /** Upper end. */
  readonly high: number;
}

/**
 * Computes the means of calendar years in which at least 98 % of the hours have a value.
 *
 * @param values Hourly values; missing is NaN
 */
export function computeAnnualMeans(
  values: Float64Array,
  axis: HourAxis,
  timeZone: string,
): AnnualMean[] {
  const sums = new Map<number, { sum: number; valid: number }>();
  for (const { year, from, to } of listMonthSpans(axis, timeZone)) {
    const yearSum = sums.get(year) ?? { sum: 0, valid: 0 };
    for (let i = Math.max(0, from); i < Math.min(to, values.length); i++) {
      if (Number.isNaN(values[i])) continue;
      yearSum.sum += values[i];
      yearSum.valid++;
    }
    sums.set(year, yearSum);
  }
  return [...sums].flatMap(([year, { sum, valid }]) => {
    const [start, end] = [year, year + 1].map((each) =>
      startOfMonth(Temporal.PlainYearMonth.from({ year: each, month: 1 }), timeZone)
    );
    return valid * HOUR >= MIN_COMPLETENESS * (end - start) ? [{ year, mean: sum / valid }] : [];
  });
}

/**
 * Fits a trend by least squares, with an interval by Student's t, as if the years were independent.
 *
 * @returns `undefined` with fewer than three years
 */
export function fitAnnualTrend(means: readonly AnnualMean[]): Trend | undefined {
  const n = means.length;
  if (n < MIN_YEARS) return undefined;
  const values = means.map((each) => each.mean);
  const { slope, slopeError } = fitLine(means.map(({ year }) => year), values)!;
  const reach = studentQuantile(n - 2) * slopeError;
  const middle = mean(values);
  const perDecade = (change: number) => 1000 * change / middle;
  return {
    trend: perDecade(slope),
    low: perDecade(slope - reach),
    high: perDecade(slope + reach),
  };
}
