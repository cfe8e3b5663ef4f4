/** Probability that a figure is within its interval, %. */
export const INTERVAL_LEVEL = 90;

/** Quantile 0.95 of the normal distribution: half the width of a 90 % interval, in standard deviations. */
export const NORMAL_95 = 1.6448536269514722;

/** Bounds of a figure at the probability {@linkcode INTERVAL_LEVEL}. */
export interface Interval {
  /** Lower bound. */
  readonly low: number;
  /** Upper bound. */
  readonly high: number;
}

/** Builds an interval from the squared half width of its logarithm, so that no energy is below 0. */
export function buildInterval(value: number, squaredWidth: number): Interval {
  const ratio = Math.exp(Math.sqrt(squaredWidth));
  return { low: value / ratio, high: value * ratio };
}
