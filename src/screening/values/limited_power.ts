/** Share of the rated power from which a limit has no effect. */
const MAX_LIMIT = 0.98;

/** Smallest expected power, as a share of a limit, for which the limit matters. */
export const MATTERS = 0.5;

/** Whether a limit of the power, kW, holds a turbine back; a missing one, NaN, does not. */
export const isLimit = (limit: number, ratedPower: number): boolean =>
  limit < MAX_LIMIT * ratedPower;

/** How far the power may be above a limit, as a share of the rated power, and in which share of its hours at most: a limit may begin within an hour. */
const [ABOVE, MAX_ABOVE] = [0.1, 0.5] as const;

/** Whether the power is above a limit so often that it cannot be one, such as a limit in another unit, or 0 for no limit. */
export function isNoLimit(power: Float64Array, limit: Float64Array, ratedPower: number): boolean {
  const hours = [...limit.keys()].filter((i) => isLimit(limit[i], ratedPower) && power[i] > 0);
  const above = hours.filter((i) => power[i] > limit[i] + ABOVE * ratedPower);
  return above.length > MAX_ABOVE * hours.length;
}

/** Problem of such a limit, and advice. */
export const NO_LIMIT =
  "the power is above the limit in most of its hours. Check the unit of the limit. If there is no limit, leave the cell empty instead of writing 0";

/**
 * Marks the hours in which a limit holds the turbine back: it is in force, and the expected power is at least half of
 * it. Produced power has no influence on the choice, so expected less produced energy is the loss to the limit on
 * average.
 *
 * @param limit Limits of the hours, kW; none is NaN
 * @param expected Expected power of the same hours, kW; without it, all hours count
 * @param ratedPower Rated power, kW
 * @returns 1 for these hours, else 0
 */
export function markLimited(
  limit: Float64Array,
  expected: Float64Array | undefined,
  ratedPower: number,
): Uint8Array {
  return Uint8Array.from(
    limit,
    (level, i) =>
      isLimit(level, ratedPower) && !(expected && expected[i] < MATTERS * level) ? 1 : 0,
  );
}
