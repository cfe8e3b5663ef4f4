/** Wind speed below which the ratio of two speeds is not used for shear, m/s. */
const CALM = 0.5;

/** Exponent of the power law where two heights do not give it: 1/7, of neutral flow over open land. */
export const NEUTRAL_EXPONENT = 1 / 7;

/** Bounds of the hourly exponent: outside, two reanalysis heights do not represent the wind at a rotor. */
export const EXPONENT_RANGE = [-0.2, 0.6] as const;

/**
 * Computes the exponent of the power law from the speeds at two heights, limited to {@linkcode EXPONENT_RANGE};
 * {@linkcode NEUTRAL_EXPONENT} in calms.
 *
 * @param low Wind speed at the lower height, m/s
 * @param high Wind speed at the upper height, m/s
 * @param logHeightRatio Natural logarithm of upper over lower height
 */
export function computeShearExponent(low: number, high: number, logHeightRatio: number): number {
  if (low < CALM || high < CALM) return NEUTRAL_EXPONENT;
  const exponent = Math.log(high / low) / logHeightRatio;
  return Math.min(EXPONENT_RANGE[1], Math.max(EXPONENT_RANGE[0], exponent));
}

/**
 * Computes the wind speed at hub height by the power law, m/s.
 *
 * @param speed Wind speed at the reference height, m/s
 * @param referenceHeight Height of that speed above ground, m
 * @param hubHeight Hub height above ground, m
 * @param exponent Wind shear exponent
 */
export function applyPowerLaw(
  speed: number,
  referenceHeight: number,
  hubHeight: number,
  exponent: number,
): number {
  return speed * (hubHeight / referenceHeight) ** exponent;
}

/**
 * Computes the factor between two heights by the logarithmic law of neutral flow.
 *
 * @param referenceHeight Height of the known speed above ground, m
 * @param hubHeight Hub height above ground, m
 * @param roughness Roughness length, m
 */
export function computeLogLawFactor(
  referenceHeight: number,
  hubHeight: number,
  roughness: number,
): number {
  return Math.log(hubHeight / roughness) / Math.log(referenceHeight / roughness);
}
