import type { Run } from "../runs.ts";

/** Smallest mean expected power of a stop, as a share of the rated power: with less, a calm is as likely. */
const MIN_EXPECTED_POWER = 0.1;

/**
 * Hours after which a stop needs no more expected energy: a model that misses a calm misses it for hours, not for
 * days, so that calms in a long stop are no sign of a turbine that runs. In 150 synthetic worlds of 24 to 36 months
 * without a stop, the 46 stretches of three days or more without power have at most 1.7 h of rated power expected by
 * the smoothed curve; these 36 hours require 3.6. `deno task soak cleanWorlds` counts standstill in others.
 */
const LONGEST_CALM_ERROR = 36;

/**
 * Judges whether a turbine that runs would have given power in a stretch of hours in which it gave none: the expected
 * energy is that of {@linkcode MIN_EXPECTED_POWER} over the stretch, or over {@linkcode LONGEST_CALM_ERROR} hours if it
 * is longer.
 *
 * @param expected Expected power of the hours, kW; missing is NaN and does not count
 * @param stretch The hours without power
 * @param ratedPower Rated power, kW
 * @returns `undefined` where no hour of the stretch has a value
 */
export function expectsPower(
  expected: Float64Array,
  { from, to }: Run,
  ratedPower: number,
): boolean | undefined {
  const known = expected.subarray(from, to).filter((power) => !Number.isNaN(power));
  if (known.length === 0) return undefined;
  const energy = known.reduce((sum, power) => sum + power, 0);
  const hours = Math.min(known.length, LONGEST_CALM_ERROR);
  return energy >= MIN_EXPECTED_POWER * ratedPower * hours;
}
