/** A line of least squares. */
export interface Regression {
  /** Rise of y for each unit of x. */
  readonly slope: number;
  /** y where x is 0. */
  readonly intercept: number;
  /** Correlation coefficient of Pearson; `undefined` where y does not vary. */
  readonly r: number | undefined;
}

function meanOf(values: Float64Array): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** The line of least squares of y on x; `undefined` where x does not vary. */
export function regression(x: Float64Array, y: Float64Array): Regression | undefined {
  const [meanX, meanY] = [meanOf(x), meanOf(y)];
  let [xx, yy, xy] = [0, 0, 0];
  for (let i = 0; i < x.length; i++) {
    const [dx, dy] = [x[i] - meanX, y[i] - meanY];
    xx += dx * dx;
    yy += dy * dy;
    xy += dx * dy;
  }
  // What is left of equal values after rounding is no variation.
  const varies = (sum: number, mean: number) =>
    Number.isFinite(sum) && sum > x.length * (1e-12 * mean) ** 2;
  if (!varies(xx, meanX)) return undefined;
  const slope = xy / xx;
  const r = varies(yy, meanY) ? Math.max(-1, Math.min(1, xy / Math.sqrt(xx * yy))) : undefined;
  return { slope, intercept: meanY - slope * meanX, r };
}
