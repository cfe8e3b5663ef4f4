/**
 * Quantile of sorted values, interpolated between the two nearest (type 7 of Hyndman and Fan, 1996); NaN for an empty
 * array.
 *
 * @param sorted Values in rising order without NaN
 * @param share Which quantile, 0 to 1: 0.5 is the median
 */
export function quantile(sorted: Float64Array, share: number): number {
  if (sorted.length === 0) return NaN;
  const at = share * (sorted.length - 1);
  const below = Math.floor(at);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
}

/** Median of values in any order without NaN; NaN for an empty array. */
export function median(values: ArrayLike<number>): number {
  return quantile(Float64Array.from(values).sort(), 0.5);
}
