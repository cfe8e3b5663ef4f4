import { buildMask, type Finding, findRuns } from "../finding.ts";
import { findOutOfRange, findStuck } from "./hourly_power.ts";

/** Hours with nearly constant power that the wind does not explain: a power limit or a frozen logger. */
const FLAT_HOURS = 12;

/** Largest spread of the power in {@linkcode FLAT_HOURS} hours that is flat, as a share of the rated power. */
const FLAT_SPREAD = 0.01;

/** Power that is checked, as shares of the rated power: in calms and at rated power every turbine is flat. */
const POWER_BOUNDS = [0.1, 0.9] as const;

/**
 * Finds power that hardly changes below rated power: every hour in a stretch of {@linkcode FLAT_HOURS} hours within
 * {@linkcode FLAT_SPREAD} of rated power. Hours that {@linkcode findStuck} finds are left out.
 *
 * @param power Hourly mean power, kW; missing is NaN
 * @param ratedPower Rated power, kW
 */
export function findFlat(power: Float64Array, ratedPower: number): Finding[] {
  const flat = new Uint8Array(power.length);
  for (let from = 0; from + FLAT_HOURS <= power.length; from++) {
    if (isFlat(power, from, ratedPower)) flat.fill(1, from, from + FLAT_HOURS);
  }
  const stuck = buildMask(findStuck(power, ratedPower), power.length);
  return findRuns(power.length, (i) => flat[i] === 1 && stuck[i] === 0).map(({ from, to }) => {
    const sorted = power.slice(from, to).sort();
    const range = `${sorted[0].toFixed(0)} to ${sorted[sorted.length - 1].toFixed(0)} kW`;
    return { kind: "flat", from, to, message: `${to - from} h within ${range}` };
  });
}

function isFlat(power: Float64Array, from: number, ratedPower: number): boolean {
  const [lowest, highest] = [POWER_BOUNDS[0] * ratedPower, POWER_BOUNDS[1] * ratedPower];
  let [low, high] = [Infinity, -Infinity];
  for (let i = from; i < from + FLAT_HOURS; i++) {
    // Written so that NaN is not flat.
    if (!(power[i] >= lowest && power[i] <= highest)) return false;
    low = Math.min(low, power[i]);
    high = Math.max(high, power[i]);
    if (high - low > FLAT_SPREAD * ratedPower) return false;
  }
  return true;
}

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
