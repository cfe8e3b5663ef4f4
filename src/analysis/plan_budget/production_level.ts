import { studentQuantile95 } from "../../stats/student.ts";

/** Produced over modelled energy of a turbine, with its uncertainty. */
export interface ProductionLevel {
  /** Produced over modelled energy. */
  readonly value: number;
  /** Half the width of its 90 % interval; 0 where it was declared. */
  readonly reach: number;
  /** Half the width of the 90 % interval of the deviation of a single month, MWh; 0 where it was declared. */
  readonly monthReach: number;
  /** Months that it comes from; 0 where it was declared. */
  readonly months: number;
}

/** Fewest months for a level. */
export const MIN_MONTHS_OF_LEVEL = 6;

/**
 * Computes the level of a turbine relative to its model: the sum of produced over that of modelled energy. Its interval is that of a ratio
 * of sums, from the residuals of the months: t sqrt(sum (P - q E)^2 / (n (n - 1))) / mean(E). A month deviates from
 * it by t sqrt(sum (P - q E)^2 / (n - 1)).
 *
 * Source: W. G. Cochran, "Sampling Techniques" (1977), chapter 6, the ratio estimator.
 *
 * @param pairs Produced and modelled energy of each month, MWh
 * @returns `undefined` with fewer than six months
 */
export function computeProductionLevel(
  pairs: readonly (readonly [produced: number, modelled: number])[],
): ProductionLevel | undefined {
  const { length } = pairs;
  if (length < MIN_MONTHS_OF_LEVEL) return undefined;
  const produced = pairs.reduce((sum, [own]) => sum + own, 0);
  const modelled = pairs.reduce((sum, [, model]) => sum + model, 0);
  const value = produced / modelled;
  const squares = pairs.reduce((sum, [own, model]) => sum + (own - value * model) ** 2, 0);
  const monthReach = studentQuantile95(length - 1) * Math.sqrt(squares / (length - 1));
  const reach = monthReach / Math.sqrt(length) / (modelled / length);
  return { value, reach, monthReach, months: length };
}
