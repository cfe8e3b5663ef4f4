import { buildMask } from "../finding.ts";
import { findFlat } from "./flat.ts";
import { findOutOfRange, findStuck } from "./hourly_power.ts";

/**
 * Replaces values that say nothing about whether a turbine runs by NaN: impossible power, and values that repeat or
 * hardly change.
 *
 * @param power Hourly mean power, kW; missing is NaN
 * @param ratedPower Rated power, kW
 */
export function blankFaults(power: Float64Array, ratedPower: number): Float64Array {
  const faults = buildMask([
    ...findOutOfRange(power, ratedPower),
    ...findStuck(power, ratedPower),
    ...findFlat(power, ratedPower),
  ], power.length);
  return power.map((value, i) => faults[i] === 1 ? NaN : value);
}
