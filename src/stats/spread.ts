/**
 * Quantile of sorted values, interpolated between the two nearest (type 7 of Hyndman and Fan, 1996); NaN for an empty
 * array.
 *
 * @param sorted Values in rising order without NaN
 * @param share Share of the values below it, 0 to 1: 0.5 is the median
 */
export function quantile(sorted: Float64Array, share: number): number {
  if (sorted.length === 0) return NaN;
  const at = share * (sorted.length - 1);
  const below = Math.floor(at);
  const above = Math.min(below + 1, sorted.length - 1);
  return sorted[below] + (at - below) * (sorted[above] - sorted[below]);
}

/**
 * Sum of values, or of a figure of each item, in their order.
 *
 * @param of The figure. @default the value itself
 */
export function sumOf<T>(items: ArrayLike<T>, of: (item: T, i: number) => number = Number) {
  let sum = 0;
  for (let i = 0; i < items.length; i++) sum += of(items[i], i);
  return sum;
}

/** Median of values in any order without NaN; NaN for an empty array. */
export function median(values: ArrayLike<number>): number {
  return quantile(new Float64Array(values).sort(), 0.5);
}

/** Arithmetic mean; NaN for an empty array. */
export function mean(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i];
  return sum / values.length;
}

/** Variance of a sample: sum of squares around its mean over n - 1. */
export function variance(values: ArrayLike<number>): number {
  const middle = mean(values);
  return sumOf(values, (value) => (value - middle) ** 2) / (values.length - 1);
}

/** Standard deviation of a normal distribution over its median distance to the median. */
const TO_DEVIATION = 1.4826;

/** Computes middle and standard deviation by medians, so a few outliers do not move them. */
export function computeRobustSpread(
  values: ArrayLike<number>,
): { middle: number; deviation: number } {
  const middle = median(values);
  const distance = median(Float64Array.from(values, (value) => Math.abs(value - middle)));
  const count = values.length;
  // The median distance of a small sample is too small by about this factor (C. Croux and P. Rousseeuw, 1992).
  return { middle, deviation: TO_DEVIATION * distance * count / (count - 0.8) };
}
