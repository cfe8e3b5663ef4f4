/** Lags at which two series are compared reach this far, hours, one beyond the largest that is looked for. */
export const LAG_REACH = 7;

/** Number of lags, from -{@linkcode LAG_REACH} to {@linkcode LAG_REACH}. */
export const LAGS: number = 2 * LAG_REACH + 1;

/** Sums kept for a day and a lag: n, x, y, xx, yy, xy. */
const SUMS = 6;

const DAY = 24;

/** Sums over days and lags from which correlations of any choice of days follow without another look at the hours. */
export class LaggedSums {
  /** Number of days; the last one may be shorter. */
  readonly days: number;
  /** Number of hours in which both series have a value, without lag. */
  readonly pairs: number;
  readonly #sums: Float64Array;
  readonly #total: Float64Array = new Float64Array(LAGS * SUMS);

  /**
   * Sums up a stretch.
   *
   * @param late The series that may come late; missing is NaN
   * @param early The series that it is compared with, on the same axis
   * @param from First position of `late`
   * @param to Position after the last one
   */
  constructor(late: Float64Array, early: Float64Array, from: number, to: number) {
    this.days = Math.ceil(Math.max(0, to - from) / DAY);
    this.#sums = new Float64Array(this.days * LAGS * SUMS);
    for (let lag = 0; lag < LAGS; lag++) {
      for (let i = from; i < to; i++) {
        const x = late[i];
        const y = early[i - (lag - LAG_REACH)] ?? NaN; // beyond the record
        if (Number.isNaN(x) || Number.isNaN(y)) continue;
        const at = (Math.floor((i - from) / DAY) * LAGS + lag) * SUMS;
        this.#sums[at]++;
        this.#sums[at + 1] += x;
        this.#sums[at + 2] += y;
        this.#sums[at + 3] += x * x;
        this.#sums[at + 4] += y * y;
        this.#sums[at + 5] += x * y;
      }
    }
    let pairs = 0;
    for (let day = 0; day < this.days; day++) {
      pairs += this.#sums[(day * LAGS + LAG_REACH) * SUMS];
    }
    this.pairs = pairs;
  }

  /**
   * Pearson's correlation at each lag over some days; NaN where a series does not vary.
   *
   * @param days The days; one that is named twice counts twice
   */
  correlations(days: Iterable<number>): Float64Array {
    const total = this.#total.fill(0);
    for (const day of days) {
      const at = day * total.length;
      for (let i = 0; i < total.length; i++) total[i] += this.#sums[at + i];
    }
    const result = new Float64Array(LAGS);
    for (let lag = 0; lag < LAGS; lag++) {
      const [n, x, y, xx, yy, xy] = total.subarray(lag * SUMS, (lag + 1) * SUMS);
      const [varianceX, varianceY] = [n * xx - x * x, n * yy - y * y];
      // What rounding leaves of the variance of a constant is none.
      const varies = varianceX > 1e-12 * n * xx && varianceY > 1e-12 * n * yy;
      result[lag] = varies ? (n * xy - x * y) / Math.sqrt(varianceX * varianceY) : NaN;
    }
    return result;
  }
}
