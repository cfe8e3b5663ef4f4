/** Quantiles of the normal distribution, by their probability, %. */
const NORMAL = {
  75: 0.6744897501960817,
  90: 1.2815515655446004,
  95: 1.6448536269514722,
} as const;

/** Probability of a quantile, %. */
export type QuantilePercent = keyof typeof NORMAL;

/** Quantiles for 1 to 4 degrees of freedom, for which the series below is not exact to four digits. */
const FEW: Readonly<Record<QuantilePercent, readonly number[]>> = {
  75: [1, 0.816496580927726, 0.7648923284043454, 0.7406970841126827],
  90: [3.077683537175253, 1.885618083164127, 1.637744353696210, 1.533206274058944],
  95: [6.313751514675043, 2.919985580353726, 2.353363434801824, 2.131846786326650],
};

/**
 * Converts a quantile of the normal distribution to the same quantile of Student's t.
 *
 * Source: Cornish-Fisher expansion, M. Abramowitz and I. Stegun, "Handbook of Mathematical Functions", 26.7.5.
 */
function expandQuantile(x: number, freedom: number): number {
  return x + (x ** 3 + x) / (4 * freedom) +
    (5 * x ** 5 + 16 * x ** 3 + 3 * x) / (96 * freedom ** 2) +
    (3 * x ** 7 + 19 * x ** 5 + 17 * x ** 3 - 15 * x) / (384 * freedom ** 3) +
    (79 * x ** 9 + 776 * x ** 7 + 1482 * x ** 5 - 1920 * x ** 3 - 945 * x) /
      (92_160 * freedom ** 4);
}

/**
 * Quantile of Student's t: standard errors from the middle that are exceeded with the remaining probability.
 *
 * @param freedom Degrees of freedom, 1 or more; up to 4 they are rounded down
 * @param percent Probability of the quantile; a two-sided 90 % interval reaches to the 95 % quantile
 */
export function studentQuantile(freedom: number, percent: QuantilePercent = 95): number {
  const few = FEW[percent];
  return freedom <= few.length
    ? few[Math.floor(freedom) - 1]
    : expandQuantile(NORMAL[percent], freedom);
}

/**
 * Converts standard deviations of a normal distribution to the standard errors of Student's t with the same
 * probability. With four degrees of freedom, the result is too small by 0.7 % for three deviations, and by 2.0 % for
 * 3.5; with more, the error is smaller.
 *
 * @param deviations Standard deviations of a normal distribution, at most 3.5
 * @param freedom Degrees of freedom, 4 or more
 */
export function studentReach(deviations: number, freedom: number): number {
  return expandQuantile(deviations, freedom);
}
