import { HOUR } from "../../time/hour_axis.ts";
import { quantile } from "../../stats/quantile.ts";
import type { SeededRandom } from "../../stats/seeded_random.ts";
import { addErrors, drawDays, findLowestError } from "./lag_errors.ts";
import { MIN_DAYS } from "./lag_change.ts";
import type { LagErrors } from "./lagged_sums.ts";

const DRAWS = 200;

/** A lag that changes with summer time. */
export interface SummerLag {
  /** Lag in standard time, hours. */
  readonly standard: number;
  /** Lag in summer time, hours. */
  readonly summer: number;
  /** 90 % interval of their difference, hours. */
  readonly low: number;
  readonly high: number;
  /** Sum of the squared errors with both lags. */
  readonly error: number;
}

/**
 * Finds production whose lag behind the model changes with the summer time of a zone, by as much as its clock: the
 * 90 % interval of the change is nearer to that than to none, and the change itself is nearer to it than to twice that.
 *
 * @param errors Squared errors by day and lag, in hours
 * @param offsets Offset of the zone from UTC on each of these days, ms
 * @param random Draws of days
 */
export function findSummerLag(
  errors: LagErrors,
  offsets: Float64Array,
  random: SeededRandom,
): SummerLag | undefined {
  const standard = offsets.reduce((least, offset) => Math.min(least, offset), Infinity);
  const summerDays = offsets.filter((offset) => offset > standard);
  if (Math.min(summerDays.length, offsets.length - summerDays.length) < MIN_DAYS) return undefined;
  const saved = (summerDays[0] - standard) / HOUR;
  const compare = (rows: Int32Array) => {
    const sums = [new Float64Array(errors.lags), new Float64Array(errors.lags)];
    for (const row of rows) addErrors(sums[Number(offsets[row] > standard)], errors, row);
    return sums;
  };
  const all = Int32Array.from(offsets, (_, row) => row);
  const [winter, summer] = compare(all).map(findLowestError);
  const change = summer.lag - winter.lag;
  if (!(Math.abs(change) > saved / 2 && Math.abs(change) < 1.5 * saved)) return undefined;
  const drawn = new Int32Array(all.length);
  const changes = Float64Array.from({ length: DRAWS }, () => {
    drawDays(drawn, 0, drawn.length, random);
    const [winter, summer] = compare(drawn).map(findLowestError);
    return summer.lag - winter.lag;
  }).sort();
  const [low, high] = [quantile(changes, 0.05), quantile(changes, 0.95)];
  if (!(low > saved / 2 || high < -saved / 2)) return undefined;
  return {
    standard: winter.lag,
    summer: summer.lag,
    low,
    high,
    error: winter.error + summer.error,
  };
}
