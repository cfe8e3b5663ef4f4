import { mean } from "./spread.ts";

/** Variance over squared mean below which a series is constant but for rounding. */
const ROUNDING = 1e-24;

/** Sums of squares and products of two series of the same length around their means; 0 where one does not vary. */
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

/** Pearson's correlation of two series of the same length; NaN where one of them does not vary. */
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
  /** y where x is 0. */
  readonly intercept: number;
  /** Correlation coefficient of Pearson; `undefined` where y does not vary. */
  readonly r: number | undefined;
}

/** Fits a line of y on x by least squares; `undefined` where x does not vary. */
export function fitLine(x: ArrayLike<number>, y: ArrayLike<number>): Regression | undefined {
  const { meanX, meanY, xx, yy, xy } = computeCentredSums(x, y);
  if (!(xx > 0 && xx < Infinity)) return undefined;
  const slope = xy / xx;
  let squares = 0;
  for (let i = 0; i < x.length; i++) squares += (y[i] - meanY - slope * (x[i] - meanX)) ** 2;
  return {
    slope,
    slopeError: x.length < 3 ? NaN : Math.sqrt(squares / (x.length - 2) / xx),
    intercept: meanY - slope * meanX,
    r: yy > 0 && yy < Infinity
      ? Math.max(-1, Math.min(1, xy / Math.sqrt(xx * yy))) // rounding may give a little more than 1
      : undefined,
  };
}
