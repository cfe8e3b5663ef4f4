import { quantile } from "../../stats/quantile.ts";
import { findRuns } from "../runs.ts";
import type { Finding } from "../finding.ts";
import { POWER_RANGE } from "./hourly_power.ts";

/** Power up to which a turbine stands still beside running neighbours, as a share of its rated power. */
export const IDLE_POWER = 0.01;

/** Median capacity factor of the neighbours from which they run: a turbine beside them then has wind enough. */
const RUNNING_CAPACITY_FACTOR = 0.1;

/** Share of the neighbours' median below which the hour beside a stop counts to it. */
const PART_OF_NEIGHBOURS = 0.5;

/** Hourly production of a turbine nearby, on the axis of the turbine that is judged. */
export interface Neighbour {
  /** Hourly mean power, kW; missing is NaN. */
  readonly power: Float64Array;
  /** Rated power, kW. */
  readonly ratedPower: number;
}

/**
 * Finds hours in which a turbine stands still while its neighbours run, from production alone.
 *
 * An hour is idle where the turbine gives at most {@linkcode IDLE_POWER} of its rated power and the median capacity factor
 * of the neighbours with a value is at least {@linkcode RUNNING_CAPACITY_FACTOR}. The hours beside such a run count to it
 * where the turbine gives less than half of the neighbours' median: it stopped or started within them. Power below that of
 * {@linkcode POWER_RANGE} is no standstill.
 *
 * One neighbour is enough: between cut-in and a tenth of rated power lies more than the wind differs within a site, and a
 * neighbour that stops itself accuses nobody. (Kelmarsh 2018: one neighbour instead of three finds at most 14 h a year more,
 * and misses what both stood still.) From three on, the median also bears one that is wrong.
 *
 * @param power Hourly mean power, kW; missing is NaN and never idle
 * @param neighbours Turbines nearby, on the same hours; hours in which none has a value are not judged
 * @param ratedPower Rated power, kW
 */
export function findIdle(
  power: Float64Array,
  neighbours: readonly Neighbour[],
  ratedPower: number,
): Finding[] {
  const factors = new Float64Array(neighbours.length);
  const medianAt = (i: number): number => {
    let count = 0;
    for (const neighbour of neighbours) {
      const factor = neighbour.power[i] / neighbour.ratedPower;
      if (!Number.isNaN(factor)) factors[count++] = factor;
    }
    return quantile(factors.subarray(0, count).sort(), 0.5);
  };
  // A mark for a missing value such as -999 is no standstill.
  const isPower = (i: number) => power[i] >= POWER_RANGE[0] * ratedPower;
  const isIdle = (i: number) =>
    isPower(i) && power[i] <= IDLE_POWER * ratedPower && medianAt(i) >= RUNNING_CAPACITY_FACTOR;
  const isPart = (i: number) =>
    isPower(i) && power[i] < PART_OF_NEIGHBOURS * medianAt(i) * ratedPower;

  const idle = new Uint8Array(power.length);
  for (const { from, to } of findRuns(power.length, isIdle)) {
    idle.fill(1, isPart(from - 1) ? from - 1 : from, isPart(to) ? to + 1 : to);
  }
  return findRuns(idle.length, (i) => idle[i] === 1).map(({ from, to }) => ({
    kind: "idle",
    from,
    to,
    message: `${to - from} h still while neighbours ran`,
  }));
}
