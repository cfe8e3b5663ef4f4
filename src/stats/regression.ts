import { mean, sumOf } from "./spread.ts";

/** Ranks of values, the mean rank for equal ones. */
function rankValues(values: Float64Array): Float64Array {
  const order = Uint32Array.from(values, (_, i) => i).sort((a, b) => values[a] - values[b]);
  const ranks = new Float64Array(values.length);
  for (let from = 0, to; from < order.length; from = to) {
    to = from + 1;
    while (to < order.length && values[order[to]] === values[order[from]]) to++;
    for (let i = from; i < to; i++) ranks[order[i]] = (from + to - 1) / 2;
  }
  return ranks;
}

/**
 * Computes Spearman's rank correlation: how closely one series rises with another, whatever their scales.
 *
 * @param one Values without NaN
 * @param other As many values without NaN
 * @returns -1 to 1; NaN if one of them does not vary
 */
export function computeRankCorrelation(one: Float64Array, other: Float64Array): number {
  const [a, b] = [rankValues(one), rankValues(other)];
  const middle = (a.length - 1) / 2;
  let [products, squares, otherSquares] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    products += (a[i] - middle) * (b[i] - middle);
    squares += (a[i] - middle) ** 2;
    otherSquares += (b[i] - middle) ** 2;
  }
  return products / Math.sqrt(squares * otherSquares);
}

/** Variance over squared mean below which a series is constant except for rounding. */
const ROUNDING = 1e-24;

/** Sums of squares and products of two series of the same length around their means; 0 if one does not vary. */
export function computeCentredSums(x: ArrayLike<number>, y: ArrayLike<number>) {
  const n = x.length;
  const [meanX, meanY] = [mean(x), mean(y)];
  let [xx, yy, xy] = [0, 0, 0];
  for (let i = 0; i < n; i++) {
    const [dx, dy] = [x[i] - meanX, y[i] - meanY];
    xx += dx * dx;
    yy += dy * dy;
    xy += dx * dy;
  }
  const varying = (sum: number, mean: number) => sum > ROUNDING * n * mean ** 2 ? sum : 0;
  return { meanX, meanY, xx: varying(xx, meanX), yy: varying(yy, meanY), xy };
}

/** Pearson's correlation of two series of the same length; NaN if one of them does not vary. */
export function correlation(x: ArrayLike<number>, y: ArrayLike<number>): number {
  const { xx, yy, xy } = computeCentredSums(x, y);
  return xx > 0 && yy > 0 ? xy / Math.sqrt(xx * yy) : NaN;
}

/** A straight line fitted by least squares. */
export interface Regression {
  /** Rise of y for each unit of x. */
  readonly slope: number;
  /** Standard error of the slope; NaN with fewer than three points. */
  readonly slopeError: number;
  /** y at x = 0. */
  readonly intercept: number;
  /** Correlation coefficient of Pearson; `undefined` if y does not vary. */
  readonly r: number | undefined;
}

/** Fits a line of y on x by least squares; `undefined` if x does not vary. */
export function fitLine(x: ArrayLike<number>, y: ArrayLike<number>): Regression | undefined {
  const { meanX, meanY, xx, yy, xy } = computeCentredSums(x, y);
  if (!(xx > 0 && xx < Infinity)) return undefined;
  const slope = xy / xx;
  const squares = sumOf(x, (xi, i) => (y[i] - meanY - slope * (xi - meanX)) ** 2);
  return {
    slope,
    slopeError: x.length < 3 ? NaN : Math.sqrt(squares / (x.length - 2) / xx),
    intercept: meanY - slope * meanX,
    r: yy > 0 && yy < Infinity
      ? Math.max(-1, Math.min(1, xy / Math.sqrt(xx * yy))) // rounding may give a little more than 1
      : undefined,
  };
}
