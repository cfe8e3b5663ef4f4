import { computeRobustSpread } from "../../stats/spread.ts";
import { studentReach } from "../../stats/student.ts";
import type { PeriodResult } from "./check_result.ts";

/** Range of the ratio of a normal month or year. */
export interface NormalBand {
  /** Median ratio, %. */
  readonly middle: number;
  /** Lower end, %. */
  readonly low: number;
  /** Upper end, %. */
  readonly high: number;
  /** Number of months or years that it comes from. */
  readonly periods: number;
}

/** Smallest share of a period's hours for a ratio that is judged, and without outages counts for the band. */
export const MIN_COMPLETENESS_OF_RATIO = 0.8;

/** Fewest periods of each kind for a band. */
export const MIN_PERIODS_FOR_BAND = { month: 6, year: 5 } as const;

/**
 * Standard deviations from the median that limit the band. By chance one in 200 normal periods is outside, counted in
 * draws of 6 to 48 normal deviates.
 */
const DEVIATIONS = 3;

/** Whether a period has enough hours to be judged. */
export function isJudged({ predicted, produced, completeness }: PeriodResult): boolean {
  return predicted > 0 && Number.isFinite(produced) && !(completeness < MIN_COMPLETENESS_OF_RATIO);
}

/**
 * Computes the band of normal ratios: the median and three standard deviations of a normal distribution to either side, more for few periods by Student's t. The standard deviation comes from the median distance to the median, which a few bad months do not widen.
 *
 * @param ratios Ratios of the periods, as shares; unknown ones are NaN
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
