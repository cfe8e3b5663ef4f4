import type { Finding } from "../finding.ts";
import { quantile } from "../../stats/spread.ts";

/** Hours to compare: a day, the shortest stretch that people copy to fill a gap. */
const BLOCK = 24;

/** Fewest different values of a block within the range: calms, full load and power limits are equal without a copy. */
const MIN_VALUES = 12;

/** Weight of an hour in the key of a block, against that of the hour after it: no two hours have a round ratio. */
const WEIGHT = 0.754_877_666;

/** Whether hours are whole days of a clock, which may have changed between them. */
const isDays = (hours: number) =>
  hours > 1 && Math.abs(hours - BLOCK * Math.round(hours / BLOCK)) <= 1;

/**
 * Finds hours that equal earlier ones, a day of them or more, for example a month that was copied over the next.
 * Compares values exactly, at a distance of whole days, or an hour more or less if clocks change.
 *
 * @param power Hourly mean power, kW; missing is NaN and equals nothing
 * @param range Power that differs from hour to hour, kW: above standstill and below rated power
 * @param step Hours from one compared block to the next: a day is faster if no clock changes, and finds copies of two
 * days or more
 */
export function findCopied(
  power: Float64Array,
  [low, high]: readonly [number, number],
  step: 1 | 24 = 1,
): Finding[] {
  const varies = (i: number) => power[i] > low && power[i] < high;
  const first = new Map<number, number>(); // position of the first block by its key
  const findings: Finding[] = [];
  for (let at = 0; at + BLOCK <= power.length; at += step) {
    let [key, changes] = [0, 0];
    for (let i = at; i < at + BLOCK; i++) {
      key = key * WEIGHT + power[i];
      if (varies(i) && power[i] !== power[i - 1]) changes++;
    }
    if (Number.isNaN(key) || changes < MIN_VALUES) continue;
    const lag = at - (first.get(key) ?? at);
    if (lag === 0) first.set(key, at);
    else if (!isDays(lag)) first.set(key, NaN); // not a copy, but a series that repeats itself
    if (!isDays(lag)) continue;
    const end = findings.at(-1)?.to ?? 0;
    let [from, to] = [at, at];
    while (to < power.length && power[to] === power[to - lag]) to++;
    while (from > Math.max(end, lag) && power[from - 1] === power[from - 1 - lag]) from--;
    const values = new Set(power.subarray(at, to).filter((value) => value > low && value < high));
    if (to - at < BLOCK || values.size < MIN_VALUES) continue;
    // Hours at its ends may be equal by chance.
    while (!varies(from)) from++;
    while (!varies(to - 1)) to--;
    const message = `${to - from} h equal to the hours ${Math.round(lag / BLOCK)} days before`;
    findings.push({ kind: "copied", from, to, message });
    at = step * Math.ceil(to / step) - step;
  }
  return findings;
}

/** Most equal energies expected by chance in a record: with more, they do not show a copy. */
const MAX_CHANCE = 0.001;

/** Most periods with one value: a value that occurs more often is a plan or an estimate, not a copy. */
const MAX_EQUAL = 3;

/** Smallest range of the energies of a wind turbine, as a share of their median: with a smaller one, equal energies mean nothing. */
const MIN_RANGE = 0.1;

/** Largest number of decimals of a value in a file. */
const MAX_DECIMALS = 9;

/** Finds the smallest step of values as written: 0.001 for 412.537 and 298.1. */
function findStep(values: Float64Array): number {
  const isWritten = (decimals: number) =>
    values.every((value) => Math.abs(value - Number(value.toFixed(decimals))) <= 1e-9 * value);
  for (let decimals = 0; decimals < MAX_DECIMALS; decimals++) {
    if (isWritten(decimals)) return 10 ** -decimals;
  }
  return 10 ** -MAX_DECIMALS;
}

/**
 * Finds months or years whose energy exactly equals an earlier one, alone or several in a row, for example a month that
 * was exported again under the name of the next. Ignores energies that are rounded so much that some are equal by
 * chance.
 *
 * @param periods Energy of each period in the unit of the file or a decimal multiple, by all units; missing is NaN
 * @returns One finding a period, in order of time
 */
export function findCopiedPeriods(
  periods: readonly { readonly label: string; readonly energy: number }[],
): Finding[] {
  const values = Float64Array.from(periods, ({ energy }) => energy);
  const known = values.filter((value) => value > 0).sort();
  const range = quantile(known, 0.9) - quantile(known, 0.1);
  if (!(range > MIN_RANGE * quantile(known, 0.5))) return [];
  const counts = Map.groupBy(known, (value) => value);
  const isCopy = (i: number, lag: number) =>
    values[i] === values[i - lag] && (counts.get(values[i])?.length ?? Infinity) <= MAX_EQUAL;
  // People usually copy a month over the next one, or over the same month of another year.
  const countPairs = (lag: number) =>
    known.length * (lag === 1 || lag % 12 === 0 ? 2 : known.length / 2);
  const chance = findStep(known) / range;
  const findings = new Map<number, Finding>();
  for (let lag = 1; lag < values.length; lag++) {
    for (let from = lag, to; from < values.length; from = to + 1) {
      to = from;
      while (isCopy(to, lag)) to++;
      if (to === from || !(countPairs(lag) * chance ** (to - from) <= MAX_CHANCE)) continue;
      for (let i = from; i < to; i++) {
        if (findings.has(i)) continue;
        const message = `${periods[i].label}: exactly the energy of ${periods[i - lag].label}`;
        findings.set(i, { kind: "copied", from: i, to: i + 1, message });
      }
    }
  }
  return [...findings.values()].sort((a, b) => a.from - b.from);
}
