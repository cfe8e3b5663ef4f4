import type { SeededRandom } from "../../stats/seeded_random.ts";
import type { LagErrors } from "./lagged_sums.ts";

/**
 * Finds the lag with the smallest error, in positions, and that error, refined by a parabola through it and the two beside it.
 *
 * @param sums Sums of squared errors at each lag, from the most negative one on
 */
export function findLowestError(sums: Float64Array) {
  const reach = (sums.length - 1) / 2;
  let best = 1;
  for (let lag = 2; lag < sums.length - 1; lag++) if (sums[lag] < sums[best]) best = lag;
  const [before, least, after] = [sums[best - 1], sums[best], sums[best + 1]];
  const bend = before - 2 * least + after;
  // At an end of the range the minimum may be outside of it: no parabola then.
  const isBottom = before >= least && after >= least && bend > 0;
  const fraction = isBottom ? 0.5 * (before - after) / bend : 0;
  return { lag: best - reach + fraction, error: least - 0.25 * (before - after) * fraction };
}

/**
 * Adds the errors of a day to sums.
 *
 * @param sums Sums at each lag, which are changed
 * @param errors Errors by day and lag
 * @param row Which of the days with values
 * @param sign 1 adds them, -1 takes them away
 */
export function addErrors(sums: Float64Array, { errors, lags }: LagErrors, row: number, sign = 1) {
  const at = row * lags;
  for (let lag = 0; lag < lags; lag++) sums[lag] += sign * errors[at + lag];
}

/** Days that are drawn together: weather lasts for days. */
const BLOCK = 7;

/**
 * Draws days with replacement, in blocks of a week that go on from the first at the end.
 *
 * @param drawn Rows that are drawn, from its position `from` to `to`, of the rows from `from` to `to`
 */
export function drawDays(drawn: Int32Array, from: number, to: number, random: SeededRandom) {
  for (let i = from; i < to;) {
    const start = random.below(to - from);
    for (let k = 0; k < BLOCK && i < to; k++, i++) drawn[i] = from + (start + k) % (to - from);
  }
}
