import { computeCentredSums } from "./centred_sums.ts";

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
