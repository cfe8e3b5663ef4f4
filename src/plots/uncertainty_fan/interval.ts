import type { DataFrame } from "nodejs-polars";
import { predictedInterval } from "../../api/columns/columns.ts";
import { ArgumentError } from "../../api/errors.ts";
import { formatNumber } from "../../show/text/numbers.ts";
import { nested } from "../drawing/theme.ts";

/** An interval around a figure, by the names of its columns. */
export interface FanInterval {
  /** Column of the lower end. */
  readonly low: string;
  /** Column of the upper end. */
  readonly high: string;
  /** Probability that the true value is inside, %. */
  readonly percent: number;
}

/** The interval that every month of our service has. */
export const DEFAULT_INTERVALS: readonly FanInterval[] = [
  { low: predictedInterval[0].name, high: predictedInterval[1].name, percent: 90 },
];

/**
 * The intervals from the widest to the narrowest.
 *
 * @throws {ArgumentError} If there is no interval or more than four, or a percentage is not between 0 and 100 or is duplicated
 */
export function sortIntervals(intervals: readonly FanInterval[], what: string): FanInterval[] {
  if (intervals.length === 0 || intervals.length > nested.length) {
    throw new ArgumentError(
      `Cannot plot ${what}: ${intervals.length} intervals were given. Give 1 to ${nested.length}`,
    );
  }
  const percents = new Set<number>();
  for (const { low, high, percent } of intervals) {
    if (!(percent > 0 && percent < 100) || percents.has(percent)) {
      throw new ArgumentError(
        `Cannot plot ${what}: the interval "${low}" to "${high}" has ${percent} %. ` +
          "Give each a percentage of its own between 0 and 100",
      );
    }
    percents.add(percent);
  }
  return [...intervals].sort((a, b) => b.percent - a.percent);
}

/** Probabilities that the lower and the upper end are exceeded, %. */
function computeExceedance({ percent }: FanInterval): [low: string, high: string] {
  const level = (value: number) => formatNumber(value, Number.isInteger(value) ? 0 : 1);
  return [level(50 + percent / 2), level(50 - percent / 2)];
}

/** An interval with the common names of its ends: P95 is exceeded with 95 % probability. */
export function formatIntervalName(interval: FanInterval): string {
  const [low, high] = computeExceedance(interval);
  return `${formatNumber(interval.percent)} % interval (P${low} to P${high})`;
}

/** Explains the names of the ends. */
export function formatExceedance(interval: FanInterval): string {
  const [low, high] = computeExceedance(interval);
  return `P${low} is exceeded in ${low} of 100 cases, P${high} in ${high}.`;
}

/**
 * Checks that no lower end is above its upper one.
 *
 * @throws {ArgumentError} If one is
 */
export function assertOrdered(
  frame: DataFrame,
  interval: FanInterval,
  low: readonly (number | null)[],
  high: readonly (number | null)[],
  what: string,
): void {
  for (let i = 0; i < frame.height; i++) {
    const [lower, upper] = [low[i], high[i]];
    if (lower !== null && upper !== null && lower > upper) {
      throw new ArgumentError(
        `Cannot plot ${what}: in row ${i + 1} "${interval.low}" is ${lower}, above ` +
          `"${interval.high}", ${upper}. Swap the columns, or check where they come from`,
      );
    }
  }
}
