import { findRuns } from "../runs.ts";
import type { Finding } from "../finding.ts";

/** Hours with exactly the same wind that show a stuck logger. */
const REPEATED_HOURS = 6;

/** Wind up to which repeated values are a calm, m/s. */
const STILL = 0.5;

/**
 * Finds values outside of their plausible range.
 *
 * @param values Hourly values; missing is NaN
 * @param range Smallest and largest plausible value; `null` leaves a side open
 * @param unit Unit, for messages
 */
export function findOutOfBounds(
  values: Float64Array,
  range: readonly [number | null, number | null],
  unit: string,
): Finding[] {
  const [low, high] = [range[0] ?? -Infinity, range[1] ?? Infinity];
  const bounds = range[0] === null
    ? `above ${high} ${unit}`
    : range[1] === null
    ? `below ${low} ${unit}`
    : `outside of ${low} to ${high} ${unit}`;
  return findRuns(values.length, (i) => values[i] < low || values[i] > high).map((
    { from, to },
  ) => ({
    kind: "out_of_range",
    from,
    to,
    message: `${to - from} h with values ${bounds.trimEnd()}`,
  }));
}

/**
 * Finds stretches of {@linkcode REPEATED_HOURS} hours or more of exactly the same wind speed, calms left out.
 *
 * @param speeds Hourly wind speeds, m/s; missing is NaN
 */
export function findRepeatedWind(speeds: Float64Array): Finding[] {
  const repeats = (i: number) => i > 0 && speeds[i] > STILL && speeds[i] === speeds[i - 1];
  return findRuns(speeds.length, repeats)
    .filter(({ from, to }) => to - from + 1 >= REPEATED_HOURS)
    .map(({ from, to }) => ({
      kind: "stuck",
      from: from - 1,
      to,
      message: `${to - from + 1} h with exactly ${speeds[from]} m/s`,
    }));
}
