import type { SeededRandom } from "../../stats/seeded_random.ts";

/** Farthest lag at which two series are compared, hours: one more than the largest lag that is reported. */
export const LAG_REACH = 7;

/** Sums stored for a day and a lag: n, x, y, xx, yy, xy. */
const SUMS = 6;

const DAY = 24;

/** Step and range of the lags. */
interface LagSteps {
  /** Positions an hour. @default {1} */
  readonly perHour?: number;
  /** Farthest lag either way, positions. @default {LAG_REACH} */
  readonly reach?: number;
}

/** Squared errors of production from the model, by day and lag. */
export interface LagErrors {
  /** Days with values, counted from the first of the record. */
  readonly days: Int32Array;
  /** Number of lags, from the most negative one on. */
  readonly lags: number;
  /** A row of errors, one for each lag, for each of these days. */
  readonly errors: Float64Array;
  /** Correlation over all days, at the lag where it is largest. */
  readonly correlation: number;
}

/**
 * Adds up a stretch of two series over days and lags, to compute correlations of any choice of days without the hours.
 *
 * @param late The series that may come late; missing is NaN
 * @param early The series to compare it with, on the same axis
 * @param from First position of `late`
 * @param to Position after the last one
 * @returns `days`: number of days, the last of which may be shorter; `pairs`: number of positions at which both series have a
 * value, without lag
 */
export function sumLagged(
  late: Float64Array,
  early: Float64Array,
  from: number,
  to: number,
  { perHour = 1, reach = LAG_REACH }: LagSteps = {},
) {
  const length = DAY * perHour;
  const lags = 2 * reach + 1;
  const days = Math.ceil(Math.max(0, to - from) / length);
  const sums = new Float64Array(days * lags * SUMS);
  const total = new Float64Array(lags * SUMS);
  for (let lag = 0; lag < lags; lag++) {
    const behind = lag - reach;
    // Range in which both series have an hour.
    const [first, end] = [Math.max(from, behind), Math.min(to, early.length + behind)];
    for (let i = first; i < end; i++) {
      const x = late[i];
      const y = early[i - behind];
      if (x !== x || y !== y) continue;
      const at = (Math.floor((i - from) / length) * lags + lag) * SUMS;
      sums[at]++;
      sums[at + 1] += x;
      sums[at + 2] += y;
      sums[at + 3] += x * x;
      sums[at + 4] += y * y;
      sums[at + 5] += x * y;
    }
  }
  let pairs = 0;
  for (let day = 0; day < days; day++) pairs += sums[(day * lags + reach) * SUMS];

  /**
   * Computes Pearson's correlation at each lag, from the most negative one on, over some days; NaN if a series does not
   * vary.
   *
   * @param chosen The days; a repeated day counts twice
   */
  function correlate(chosen: Iterable<number>): Float64Array {
    total.fill(0);
    for (const day of chosen) {
      const at = day * total.length;
      for (let i = 0; i < total.length; i++) total[i] += sums[at + i];
    }
    const result = new Float64Array(lags);
    for (let lag = 0; lag < lags; lag++) {
      const at = lag * SUMS;
      const [n, x, y] = [total[at], total[at + 1], total[at + 2]];
      const [xx, yy, xy] = [total[at + 3], total[at + 4], total[at + 5]];
      const [varianceX, varianceY] = [n * xx - x * x, n * yy - y * y];
      // Below this, the variance is rounding of a constant.
      const varies = varianceX > 1e-12 * n * xx && varianceY > 1e-12 * n * yy;
      result[lag] = varies ? (n * xy - x * y) / Math.sqrt(varianceX * varianceY) : NaN;
    }
    return result;
  }

  /**
   * Computes the squared errors of each day and lag from one straight line, `late = a + b early`, fitted to all days at
   * the lag with the largest correlation. To compare lags, add the errors up over days.
   *
   * @returns Days that have values, and a row of errors for each; `undefined` if a series does not vary
   */
  function computeErrors(): LagErrors | undefined {
    const correlations = correlate(new Array(days).keys());
    const best = correlations.reduce(
      (best, value, lag) => value > (correlations[best] ?? -Infinity) ? lag : best,
      -1,
    );
    if (best === -1) return undefined;
    const [count, sumX, sumY, , sumYY, sumXY] = total.subarray(best * SUMS); // of all days
    const b = (count * sumXY - sumX * sumY) / (count * sumYY - sumY * sumY);
    const a = (sumX - b * sumY) / count;
    const knownDays: number[] = [];
    const errors: number[] = [];
    for (let day = 0; day < days; day++) {
      const daySums = sums.subarray(day * lags * SUMS, (day + 1) * lags * SUMS);
      const middle = (lags - 1) / 2 * SUMS;
      if (daySums[middle] === 0) continue;
      knownDays.push(day);
      for (let at = 0; at < daySums.length; at += SUMS) {
        const [n, x, y, xx, yy, xy] = daySums.subarray(at, at + SUMS);
        errors.push(xx - 2 * a * x - 2 * b * xy + n * a * a + 2 * a * b * y + b * b * yy);
      }
    }
    return {
      days: Int32Array.from(knownDays),
      lags,
      errors: Float64Array.from(errors),
      correlation: correlations[best],
    };
  }

  return { days, pairs, correlate, computeErrors };
}

/**
 * Finds the lag with the smallest error, in positions, and that error, refined by a parabola through it and its two
 * neighbours.
 *
 * @param sums Sums of squared errors at each lag, from the most negative one on; some may be NaN
 * @returns NaN if all are NaN; `least` is the error before refinement
 */
export function findLowestError(sums: Float64Array) {
  const reach = (sums.length - 1) / 2;
  let best = 1;
  for (let lag = 2; lag < sums.length - 1; lag++) {
    if (sums[lag] < sums[best] || Number.isNaN(sums[best])) best = lag;
  }
  const [before, least, after] = [sums[best - 1], sums[best], sums[best + 1]];
  const bend = before - 2 * least + after;
  // At an end of the range, the minimum may be outside, so no parabola is fitted.
  const isBottom = before >= least && after >= least && bend > 0;
  const fraction = isBottom ? 0.5 * (before - after) / bend : 0;
  return {
    lag: Number.isNaN(least) ? NaN : best - reach + fraction,
    error: least - 0.25 * (before - after) * fraction,
    least,
  };
}

/**
 * Adds the errors of a day to sums.
 *
 * @param sums Sums at each lag, which are changed
 * @param errors Errors by day and lag
 * @param row Position among the days with values
 * @param sign 1 adds them, -1 subtracts them
 */
export function addErrors(sums: Float64Array, { errors, lags }: LagErrors, row: number, sign = 1) {
  const at = row * lags;
  for (let lag = 0; lag < lags; lag++) sums[lag] += sign * errors[at + lag];
}

/** Days that are drawn together: weather lasts for days. */
const BLOCK = 7;

/**
 * Draws days with replacement, in blocks of a week that continue from the first day at the end.
 *
 * @param drawn Receives, at positions `from` to `to`, rows drawn from these rows
 */
export function drawDays(drawn: Int32Array, from: number, to: number, random: SeededRandom) {
  for (let i = from; i < to;) {
    const start = random.below(to - from);
    for (let k = 0; k < BLOCK && i < to; k++, i++) drawn[i] = from + (start + k) % (to - from);
  }
}
