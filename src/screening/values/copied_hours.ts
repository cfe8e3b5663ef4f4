import type { Finding } from "../finding.ts";

/** Hours that are compared: a day, the least that is copied to fill a gap. */
const BLOCK = 24;

/** Fewest different values of a block within the range: calms, full load and power limits are alike without a copy. */
const MIN_VALUES = 12;

/** Weight of an hour in the key of a block, against that of the hour after it: no two hours have a round ratio. */
const WEIGHT = 0.754_877_666;

/** Whether hours are whole days of a clock, which may have changed between them. */
const isDays = (hours: number) =>
  hours > 1 && Math.abs(hours - BLOCK * Math.round(hours / BLOCK)) <= 1;

/**
 * Finds hours that equal earlier ones, a day of them or more, as where a month was copied over the next. Values are
 * compared exactly, at a distance of whole days, or an hour from it where clocks change.
 *
 * @param power Hourly mean power, kW; missing is NaN and equals nothing
 * @param range Power that differs from hour to hour, kW: above standstill and below rated power
 * @param step Hours from one block that is compared to the next: a day is quicker where no clock changes, and finds two
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
    else if (!isDays(lag)) first.set(key, NaN); // a series that repeats itself, which nobody has copied
    if (!isDays(lag)) continue;
    const end = findings.at(-1)?.to ?? 0;
    let [from, to] = [at, at];
    while (to < power.length && power[to] === power[to - lag]) to++;
    while (from > Math.max(end, lag) && power[from - 1] === power[from - 1 - lag]) from--;
    const values = new Set(power.subarray(at, to).filter((value) => value > low && value < high));
    if (to - at < BLOCK || values.size < MIN_VALUES) continue;
    // What is alike at its ends by chance is no part of it.
    while (!varies(from)) from++;
    while (!varies(to - 1)) to--;
    const message = `${to - from} h equal to those ${Math.round(lag / BLOCK)} days before`;
    findings.push({ kind: "copied", from, to, message });
    at = step * Math.ceil(to / step) - step;
  }
  return findings;
}
