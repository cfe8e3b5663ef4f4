import { mean } from "./spread.ts";

/** Sums of the squares and products of two series around their means. */
interface CentredSums {
  readonly meanX: number;
  readonly meanY: number;
  /** Squares of x; 0 where x does not vary. */
  readonly xx: number;
  /** Squares of y; 0 where y does not vary. */
  readonly yy: number;
  /** Products of x and y. */
  readonly xy: number;
}

/** Variance over squared mean below which a series is constant but for rounding. */
const ROUNDING = 1e-24;

/** Computes the sums for correlation and regression of two series of the same length. */
export function computeCentredSums(x: ArrayLike<number>, y: ArrayLike<number>): CentredSums {
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
