/** Share of the rated power from which on a limit is none: it is how the turbine runs. */
const MAX_LIMIT = 0.98;

/** Share of a limit that the wind leads to expect where the limit matters: with less it changes next to nothing. */
export const MATTERS = 0.5;

/** Whether a limit of the power, kW, holds a turbine back; one that is missing, NaN, does not. */
export const isLimit = (limit: number, ratedPower: number): boolean =>
  limit < MAX_LIMIT * ratedPower;

/** How far the power may be above a limit, as a share of the rated power, and in which share of its hours: those in which it begins. */
const [ABOVE, MAX_ABOVE] = [0.1, 0.5] as const;

/** Whether the power is so often above a limit that this cannot be one: in another unit, or 0 for no limit. */
export function isNoLimit(power: Float64Array, limit: Float64Array, ratedPower: number): boolean {
  const hours = [...limit.keys()].filter((i) => isLimit(limit[i], ratedPower) && power[i] > 0);
  const above = hours.filter((i) => power[i] > limit[i] + ABOVE * ratedPower);
  return above.length > MAX_ABOVE * hours.length;
}

/** What is wrong with such a limit, and what to do. */
export const NO_LIMIT =
  "the power is above the limit in most of its hours. Check the unit of the limit. If there is no limit, leave the cell empty instead of writing 0";

/**
 * Marks the hours that a limit holds back: those in which it is in force and at least half of it is expected. The power that
 * was produced does not choose them, so that expected less produced energy is what the limit took on average.
 *
 * @param limit Limits of the hours, kW; none is NaN
 * @param expected Expected power of the same hours, kW; where it is missing all count
 * @param ratedPower Rated power, kW
 * @returns 1 for each
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
