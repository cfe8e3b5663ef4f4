/** Variance over the square of the mean that rounding leaves. */
const ROUNDING = 1e-24;

/**
 * Pearson's correlation of two series of the same length; NaN where one of them does not vary.
 *
 * @param x One series
 * @param y The other
 */
export function correlation(x: ArrayLike<number>, y: ArrayLike<number>): number {
  const n = x.length;
  let meanX = 0;
  let meanY = 0;
  for (let i = 0; i < n; i++) {
    meanX += x[i] / n;
    meanY += y[i] / n;
  }
  let xy = 0;
  let xx = 0;
  let yy = 0;
  for (let i = 0; i < n; i++) {
    xy += (x[i] - meanX) * (y[i] - meanY);
    xx += (x[i] - meanX) ** 2;
    yy += (y[i] - meanY) ** 2;
  }
  // What rounding leaves of the variance of a constant is none.
  const varies = xx > ROUNDING * n * meanX ** 2 && yy > ROUNDING * n * meanY ** 2;
  return varies ? xy / Math.sqrt(xx * yy) : NaN;
}
