import { findRuns, type Run } from "../runs.ts";
import type { Finding } from "../finding.ts";
import { expectsPower } from "./expected_power.ts";
import { findStuckValues } from "./measured_values.ts";

/** Hourly power that is possible, as shares of the rated power: standby consumption and short overshoot are real. */
export const POWER_RANGE = [-0.02, 1.05] as const;

/** Largest power of a standstill, as a share of the rated power. */
const STANDSTILL_POWER = 0.002;

/** Hours without power that are an outage and not a calm: without a model, since calms of three days are rare. */
export const STANDSTILL_HOURS = 72;

/**
 * Finds hourly power outside of {@linkcode POWER_RANGE}.
 *
 * @param power Hourly mean power, kW; missing is NaN
 * @param ratedPower Rated power, kW
 */
export function findOutOfRange(power: Float64Array, ratedPower: number): Finding[] {
  const [low, high] = [POWER_RANGE[0] * ratedPower, POWER_RANGE[1] * ratedPower];
  return findRuns(power.length, (i) => power[i] < low || power[i] > high).map(({ from, to }) => ({
    kind: "out_of_range",
    from,
    to,
    message: `${to - from} h with power outside of ${low.toFixed(0)} to ${high.toFixed(0)} kW`,
  }));
}

/**
 * Finds long standstill: {@linkcode STANDSTILL_HOURS} hours or more without power. Where it is known what the wind leads
 * to expect, hours in which {@linkcode expectsPower} finds too little are a calm.
 *
 * @param power Hourly mean power, kW; missing is NaN
 * @param ratedPower Rated power, kW
 * @param expected Expected power of the same hours, kW; missing is NaN
 */
export function findStandstill(
  power: Float64Array,
  ratedPower: number,
  expected?: Float64Array,
): Finding[] {
  const still = STANDSTILL_POWER * ratedPower;
  const isCalm = (run: Run) => expected && expectsPower(expected, run, ratedPower) === false;
  return findRuns(power.length, (i) => power[i] <= still)
    .filter((run) => run.to - run.from >= STANDSTILL_HOURS && !isCalm(run))
    .map(({ from, to }) => ({
      kind: "standstill",
      from,
      to,
      message: `${to - from} h without power`,
    }));
}

/**
 * Finds stretches of exactly the same power below rated.
 *
 * @param power Hourly mean power, kW; missing is NaN
 * @param ratedPower Rated power, kW
 */
export function findStuck(power: Float64Array, ratedPower: number): Finding[] {
  return findStuckValues(power, [STANDSTILL_POWER * ratedPower, 0.95 * ratedPower], "kW");
}

/**
 * Finds outages: long standstill, and stretches in which the power does not change.
 *
 * @param power Hourly mean power, kW; missing is NaN
 * @param ratedPower Rated power, kW
 * @param expected Expected power of the same hours, kW; missing is NaN. @default outages are found from production alone
 */
export function findOutages(
  power: Float64Array,
  ratedPower: number,
  expected?: Float64Array,
): Finding[] {
  const findings = [
    ...findStandstill(power, ratedPower, expected),
    ...findStuck(power, ratedPower),
  ];
  return findings.sort((a, b) => a.from - b.from);
}
