import { median } from "./quantile.ts";

/** Arithmetic mean; NaN of none. */
export function mean(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i];
  return sum / values.length;
}

/** Variance of a sample: squares around its mean over their number less one. */
export function variance(values: ArrayLike<number>): number {
  const middle = mean(values);
  let squares = 0;
  for (let i = 0; i < values.length; i++) squares += (values[i] - middle) ** 2;
  return squares / (values.length - 1);
}

/** Median distance from the median to the standard deviation of a normal distribution. */
const TO_DEVIATION = 1.4826;

/** Middle and standard deviation of values of which a few may be far out: by medians, which these do not move. */
export function computeRobustSpread(
  values: ArrayLike<number>,
): { middle: number; deviation: number } {
  const middle = median(values);
  const distance = median(Float64Array.from(values, (value) => Math.abs(value - middle)));
  const count = values.length;
  // The median distance of few values is too small by about this (C. Croux and P. Rousseeuw, 1992).
  return { middle, deviation: TO_DEVIATION * distance * count / (count - 0.8) };
}
