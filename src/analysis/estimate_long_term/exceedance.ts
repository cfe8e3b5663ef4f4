/** Standard deviations below the mean of a normal distribution at which a value is exceeded with 75 and 90 %. */
const Z_SCORES = { 75: 0.6745, 90: 1.2816 } as const;

/** An estimate of the normal year, and the inter-annual variability. */
export interface NormalYear {
  /** Energy of the normal year, MWh. */
  readonly p50: number;
  /** Its standard uncertainty, as a share. */
  readonly uncertainty: number;
  /** Standard deviation of years over their mean, as a share; `null` where it is unknown. */
  readonly interAnnualVariability: number | null;
}

/**
 * Computes the annual energy that the mean of some years exceeds with a probability, MWh:
 * `P50 (1 - z sqrt(uncertainty^2 + interAnnualVariability^2 / years))`, both independent and normal.
 *
 * Source: independent uncertainties add in squares, JCGM 100:2008 (GUM), 5.1.2; the mean of n independent years
 * varies by `1 / sqrt(n)` of what one does.
 *
 * @param percent The probability
 * @param years How many years
 * @returns `null` where the inter-annual variability is unknown, or the uncertainty too large for a normal distribution
 */
export function computeExceedance(
  { p50, uncertainty, interAnnualVariability }: NormalYear,
  percent: keyof typeof Z_SCORES,
  years: number,
): number | null {
  if (interAnnualVariability === null) return null;
  const spread = Math.hypot(uncertainty, interAnnualVariability / Math.sqrt(years));
  const energy = p50 * (1 - Z_SCORES[percent] * spread);
  return energy > 0 ? energy : null;
}
