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
