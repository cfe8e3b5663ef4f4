import { findRuns } from "../runs.ts";
import type { Finding } from "../finding.ts";

/** Hours with exactly the same value that show a stuck logger. */
const STUCK_HOURS = 6;

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
 * Finds stretches of {@linkcode STUCK_HOURS} hours or more of exactly the same value.
 *
 * @param values Hourly values; missing is NaN
 * @param range Values above the first and below the second are judged
 * @param unit Unit, for messages
 */
export function findStuckValues(
  values: Float64Array,
  [low, high]: readonly [number, number],
  unit: string,
): Finding[] {
  const repeats = (i: number) =>
    i > 0 && values[i] > low && values[i] < high && values[i] === values[i - 1];
  return findRuns(values.length, repeats)
    .filter(({ from, to }) => to - from + 1 >= STUCK_HOURS)
    .map(({ from, to }) => ({
      kind: "stuck",
      from: from - 1,
      to,
      message: `${to - from + 1} h with exactly ${values[from]} ${unit}`,
    }));
}

/** Finds stretches of exactly the same wind speed (m/s), calms left out; missing is NaN. */
export function findRepeatedWind(speeds: Float64Array): Finding[] {
  return findStuckValues(speeds, [STILL, Infinity], "m/s");
}
