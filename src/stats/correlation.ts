import { computeCentredSums } from "./centred_sums.ts";

/** Pearson's correlation of two series of the same length; NaN where one of them does not vary. */
export function correlation(x: ArrayLike<number>, y: ArrayLike<number>): number {
  const { xx, yy, xy } = computeCentredSums(x, y);
  return xx > 0 && yy > 0 ? xy / Math.sqrt(xx * yy) : NaN;
}
