import { runsOf } from "./_runs.ts";
import type { Finding } from "./finding.ts";

/**
 * Finds stretches without values on a regular hourly axis.
 *
 * @param values Hourly values; missing is NaN
 */
export function findGaps(values: Float64Array): Finding[] {
  return runsOf(values.length, (i) => Number.isNaN(values[i])).map(({ from, to }) => ({
    kind: "gap",
    from,
    to,
    message: `${to - from} h without a value`,
  }));
}
