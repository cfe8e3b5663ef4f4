/** Share of the rated power from which on a limit is none: it is how the turbine runs. */
const MAX_LIMIT = 0.98;

/** Share of a limit that the wind leads to expect where the limit matters: with less it changes next to nothing. */
export const MATTERS = 0.5;

/** Whether a limit of the power, kW, holds a turbine back; one that is missing, NaN, does not. */
export const isLimit = (limit: number, ratedPower: number): boolean =>
  limit < MAX_LIMIT * ratedPower;

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
