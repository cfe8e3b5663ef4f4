import { computeRobustSpread } from "../../stats/spread.ts";
import { studentReach } from "../../stats/student.ts";
import type { PeriodResult } from "./check_result.ts";

/** Where the ratio of a normal month or year lies. */
export interface NormalBand {
  /** Median ratio, %. */
  readonly middle: number;
  /** Lower end, %. */
  readonly low: number;
  /** Upper end, %. */
  readonly high: number;
  /** Months or years that it rests on. */
  readonly periods: number;
}

/** Share of a period's hours from which its ratio is judged, and from which it counts for the band where no outage was. */
export const MIN_COMPLETENESS_OF_RATIO = 0.8;

/** Periods of each kind from which a band can be told. */
export const MIN_PERIODS_FOR_BAND = { month: 6, year: 5 } as const;

/** Standard deviations that no normal period is away. By chance one in 200 is, counted in draws of 6 to 48 normal deviates. */
const DEVIATIONS = 3;

/** Whether a period has enough hours to be judged. */
export function isJudged({ predicted, produced, completeness }: PeriodResult): boolean {
  return predicted > 0 && Number.isFinite(produced) && !(completeness < MIN_COMPLETENESS_OF_RATIO);
}

/**
 * Where the ratio of a normal period lies: around the median, as far as three standard deviations of a normal
 * distribution, more for few periods as Student's t says. The standard deviation comes from the median distance to the
 * median, which a few bad months do not widen.
 *
 * @param ratios Ratios of the periods, as shares; those that are not known are NaN
 * @param by Their kind
 * @returns `null` with fewer than six months or five years
 */
export function computeNormalBand(
  ratios: Iterable<number>,
  by: "month" | "year",
): NormalBand | null {
  const known = [...ratios].filter(Number.isFinite);
  const count = known.length;
  if (count < MIN_PERIODS_FOR_BAND[by]) return null;
  const { middle, deviation } = computeRobustSpread(known);
  const half = studentReach(DEVIATIONS, count - 1) * deviation * Math.sqrt(1 + 1 / count);
  return {
    middle: 100 * middle,
    low: 100 * Math.max(0, middle - half),
    high: 100 * (middle + half),
    periods: count,
  };
}
