import { LAG_REACH, LaggedSums } from "./lagged_sums.ts";

/** Fewest hours with both values for a lag: ten days. */
export const MIN_LAG_PAIRS = 240;

/** The lag with the highest correlation of two series. */
interface BestLag {
  /** Whole hours that the first series comes later than the second. */
  readonly lag: number;
  /** Pearson's correlation at that lag. */
  readonly correlation: number;
  /** The same without a lag; NaN where a series does not vary in those hours. */
  readonly unlagged: number;
}

/**
 * Finds the whole-hour lag, less than {@linkcode LAG_REACH} either way, at which two hourly series correlate best.
 *
 * @param late The series that may come late; missing is NaN
 * @param early The other one, on the same hours
 * @returns `undefined` where fewer than {@linkcode MIN_LAG_PAIRS} hours have both, or a series does not vary
 */
export function findBestLag(late: Float64Array, early: Float64Array): BestLag | undefined {
  const sums = new LaggedSums(late, early, 0, late.length);
  if (sums.pairs < MIN_LAG_PAIRS) return undefined;
  const correlations = sums.correlations(new Array(sums.days).keys());
  let best: number | undefined;
  for (let lag = -LAG_REACH + 1; lag < LAG_REACH; lag++) {
    const correlation = correlations[lag + LAG_REACH];
    if (Number.isNaN(correlation)) continue;
    if (best === undefined || correlation > correlations[best + LAG_REACH]) best = lag;
  }
  if (best === undefined) return undefined;
  return {
    lag: best,
    correlation: correlations[best + LAG_REACH],
    unlagged: correlations[LAG_REACH],
  };
}
