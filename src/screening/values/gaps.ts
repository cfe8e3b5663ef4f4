import { findRuns } from "../runs.ts";
import type { Finding } from "../finding.ts";

/**
 * Finds stretches without values on a regular axis.
 *
 * @param values Values of hours, or of parts of them; missing is NaN
 * @param perHour Values an hour
 */
export function findGaps(values: Float64Array, perHour = 1): Finding[] {
  return findRuns(values.length, (i) => Number.isNaN(values[i])).map(({ from, to }) => ({
    kind: "gap",
    from,
    to,
    message: `${Number(((to - from) / perHour).toFixed(2))} h without a value`,
  }));
}
