import { buildMask, type Finding, findRuns, listHours, type Run } from "../finding.ts";
import { findCopied } from "./copied.ts";
import { findStuckValues } from "./climate_values.ts";
import { sumOf } from "../../stats/spread.ts";

/** Hourly power that is possible, as shares of the rated power: standby consumption and short overshoot are real. */
export const POWER_RANGE = [-0.02, 1.05] as const;

/** Largest power of a standstill, as a share of the rated power. */
const STANDSTILL_POWER = 0.002;

/** Hours without power that are an outage and not a calm if there is no model: calms of three days are rare. */
export const STANDSTILL_HOURS = 72;

/**
 * Finds hourly power outside of {@linkcode POWER_RANGE}.
 *
 * @param power Hourly mean power, kW; missing is NaN
 * @param ratedPower Rated power, kW
 */
export function findOutOfRange(power: Float64Array, ratedPower: number): Finding[] {
  const [low, high] = [POWER_RANGE[0] * ratedPower, POWER_RANGE[1] * ratedPower];
  const runs = findRuns(power.length, (i) => power[i] < low || power[i] > high);
  const bounds = `with power outside ${low.toFixed(0)} to ${high.toFixed(0)} kW`;
  return listHours("out_of_range", runs, () => bounds);
}

/**
 * Finds long standstill: {@linkcode STANDSTILL_HOURS} hours or more without power. With expected power, hours in which
 * {@linkcode expectsPower} finds too little are a calm.
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
  const runs = findRuns(power.length, (i) => power[i] <= still)
    .filter((run) => run.to - run.from >= STANDSTILL_HOURS && !isCalm(run));
  return listHours("standstill", runs, () => "without power");
}

/**
 * Finds stretches of exactly the same power below rated.
 *
 * @param power Hourly mean power, kW; missing is NaN
 * @param ratedPower Rated power, kW
 */
export function findStuck(power: Float64Array, ratedPower: number): Finding[] {
  return findStuckValues(power, varyingPower(ratedPower), "kW");
}

/** Power that is never the same for long, kW: above standstill and below rated power. */
export function varyingPower(ratedPower: number): [low: number, high: number] {
  return [STANDSTILL_POWER * ratedPower, 0.95 * ratedPower];
}

/**
 * Finds outages, of the turbine or of its records: long standstill, stretches in which the power does not change, and
 * copies of earlier hours.
 *
 * @param power Hourly mean power, kW; missing is NaN
 * @param ratedPower Rated power, kW
 * @param expected Expected power of the same hours, kW; missing is NaN. @default outages are found from production only
 */
export function findOutages(
  power: Float64Array,
  ratedPower: number,
  expected?: Float64Array,
): Finding[] {
  const findings = [
    ...findStandstill(power, ratedPower, expected),
    ...findStuck(power, ratedPower),
    ...findCopied(power, varyingPower(ratedPower)),
  ];
  return findings.sort((a, b) => a.from - b.from);
}

/** Smallest mean expected power of a stop, as a share of the rated power: with less, a calm is as likely. */
const MIN_EXPECTED_POWER = 0.1;

/**
 * Hours after which a stop needs no more expected energy: a model misses a calm for hours, not for days, so a calm
 * within a long stop does not mean that the turbine runs. In 150 synthetic worlds of 24 to 36 months without a stop,
 * the 46 stretches of three days or more without power have at most 1.7 h of rated power expected by the smoothed
 * curve; these 36 hours require 3.6. `deno task soak cleanWorlds` counts standstill in other worlds.
 */
const LONGEST_CALM_ERROR = 36;

/**
 * Judges whether a running turbine would have produced in a stretch of hours without power: whether the expected energy
 * is at least {@linkcode MIN_EXPECTED_POWER} over the stretch, or over {@linkcode LONGEST_CALM_ERROR} hours if it is
 * longer.
 *
 * @param expected Expected power of the hours, kW; missing is NaN and does not count
 * @param stretch The hours without power
 * @param ratedPower Rated power, kW
 * @returns `undefined` if no hour of the stretch has a value
 */
export function expectsPower(
  expected: Float64Array,
  { from, to }: Run,
  ratedPower: number,
): boolean | undefined {
  const known = expected.subarray(from, to).filter((power) => !Number.isNaN(power));
  if (known.length === 0) return undefined;
  const energy = sumOf(known);
  const hours = Math.min(known.length, LONGEST_CALM_ERROR);
  return energy >= MIN_EXPECTED_POWER * ratedPower * hours;
}

/**
 * Computes the mean of the hour that starts at each position of an axis finer than hourly. Every `perHour`-th mean is
 * the hourly series; the others are the hours of a clock that is late by a part of an hour.
 *
 * @param values Values of equal parts of an hour; missing is NaN
 * @param perHour Parts of an hour
 * @returns As many means; NaN if a part of the hour is missing or beyond the end
 */
export function computeHourMeans(values: Float64Array, perHour: number): Float64Array {
  const means = new Float64Array(values.length).fill(NaN);
  for (let i = 0; i + perHour <= values.length; i++) {
    let sum = 0;
    for (let part = i; part < i + perHour; part++) sum += values[part];
    means[i] = sum / perHour;
  }
  return means;
}

/** Hours with nearly constant power that the wind does not explain: a power limit or a frozen logger. */
const FLAT_HOURS = 12;

/** Largest spread of flat power within {@linkcode FLAT_HOURS} hours, as a share of the rated power. */
const FLAT_SPREAD = 0.01;

/** Power to check, as shares of the rated power: in calms and at rated power every turbine is flat. */
const POWER_BOUNDS = [0.1, 0.9] as const;

/**
 * Finds power that hardly changes below rated power: every hour in a stretch of {@linkcode FLAT_HOURS} hours within
 * {@linkcode FLAT_SPREAD} of rated power. Leaves out hours that {@linkcode findStuck} finds.
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
  const runs = findRuns(power.length, (i) => flat[i] === 1 && stuck[i] === 0);
  return listHours("flat", runs, ({ from, to }) => {
    const sorted = power.slice(from, to).sort();
    return `within ${sorted[0].toFixed(0)} to ${sorted[sorted.length - 1].toFixed(0)} kW`;
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
 * Replaces values that do not show whether a turbine runs with NaN: impossible power, and values that repeat or hardly
 * change.
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
