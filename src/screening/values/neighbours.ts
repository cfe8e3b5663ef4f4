import { quantile } from "../../stats/spread.ts";
import { type Finding, findRuns, listHours } from "../finding.ts";
import { POWER_RANGE } from "./hourly_power.ts";

/** Largest power of a turbine that is stopped while its neighbours run, as a share of its rated power. */
export const IDLE_POWER = 0.01;

/** Median capacity factor of the neighbours that shows enough wind for the turbine next to them. */
const RUNNING_CAPACITY_FACTOR = 0.1;

/** Share of the neighbours' median below which the hour before or after a stop belongs to it. */
const PART_OF_NEIGHBOURS = 0.5;

/** Hourly production of a turbine nearby, on the axis of the checked turbine. */
export interface Neighbour {
  /** Hourly mean power, kW; missing is NaN. */
  readonly power: Float64Array;
  /** Rated power, kW. */
  readonly ratedPower: number;
}

/**
 * Finds hours in which a turbine is stopped while its neighbours run, from production only.
 *
 * An hour is idle if the turbine produces at most {@linkcode IDLE_POWER} of its rated power and the median capacity
 * factor of the neighbours with a value is at least {@linkcode RUNNING_CAPACITY_FACTOR}. The hours before and after
 * such a run belong to it if the turbine produces less than half of the neighbours' median, because it stopped or
 * started within them. Power below {@linkcode POWER_RANGE} is not a standstill.
 *
 * One neighbour is enough: the wind differs less within a site than from cut-in to a tenth of rated power, and a
 * stopped neighbour causes no finding. (Kelmarsh 2018: one neighbour instead of three finds at most 14 h a year more,
 * and misses the hours in which both were stopped.) With three or more, the median also tolerates one wrong neighbour.
 *
 * @param power Hourly mean power, kW; missing is NaN and never idle
 * @param neighbours Turbines nearby, on the same hours; hours without any value of them are skipped
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
  // A code for a missing value such as -999 is not a standstill.
  const isPower = (i: number) => power[i] >= POWER_RANGE[0] * ratedPower;
  const isIdle = (i: number) =>
    isPower(i) && power[i] <= IDLE_POWER * ratedPower && medianAt(i) >= RUNNING_CAPACITY_FACTOR;
  const isPart = (i: number) =>
    isPower(i) && power[i] < PART_OF_NEIGHBOURS * medianAt(i) * ratedPower;

  const idle = new Uint8Array(power.length);
  for (const { from, to } of findRuns(power.length, isIdle)) {
    idle.fill(1, isPart(from - 1) ? from - 1 : from, isPart(to) ? to + 1 : to);
  }
  const runs = findRuns(idle.length, (i) => idle[i] === 1);
  return listHours("idle", runs, () => "stopped while neighbours ran");
}

/** Fewest hours equal to a neighbour's, and fewest different values of them, that cannot be chance. */
const [MIN_SAME, MIN_DIFFERENT] = [24, 12];

/**
 * Finds hours that equal a neighbour's: one of the two has the records of the other, but it is unknown which.
 *
 * @param power Hourly mean power, kW; missing is NaN and equals nothing
 * @param neighbours Turbines nearby, on the same hours
 * @param range Power that differs from turbine to turbine, kW: above standstill and below rated power
 */
export function findSame(
  power: Float64Array,
  neighbours: readonly Pick<Neighbour, "power">[],
  [low, high]: readonly [number, number],
): Finding[] {
  const varies = (i: number) => power[i] > low && power[i] < high;
  const runs = neighbours.flatMap((neighbour) =>
    findRuns(power.length, (i) => power[i] === neighbour.power[i]).filter(({ from, to }) =>
      to - from >= MIN_SAME &&
      new Set(power.subarray(from, to).filter((_, i) => varies(from + i))).size >= MIN_DIFFERENT
    )
  );
  return listHours("same", runs, () => "equal to the values of a neighbour");
}
