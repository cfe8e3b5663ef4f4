/**
 * Finds problems in the numbers of a column before they become production: a number that means missing, readings of a
 * meter, repeated energies. Each message names the field to declare.
 *
 * @module
 */
import { HOUR } from "../../time/hourly.ts";
import { refuseFile } from "../files/read_file.ts";
import { findStepLength, isStamped, isStep } from "./production_columns.ts";
import { isEnergy } from "./units.ts";
import type { ProductionFormat } from "./production_format.ts";

/** Values of one turbine, as the file has them, in the order of time. */
interface JudgedValues {
  readonly file: string;
  readonly column: string;
  /** Missing is NaN. */
  readonly values: Float64Array;
  /** Start of each period of stamps, ms since 1970 UTC. */
  readonly starts: Float64Array;
  /** Line or row in the file. */
  readonly line: (row: number) => number;
}

/** Fewest rows with a number that means missing, and with one that may also be a power. */
const [MIN_MARKED, MIN_NEGATIVE] = [3, 10];

/** Numbers that people and programs write for missing. */
const MARK = /^-?(?:9{2,}(?:\.9+)?|32767|32768|65535|2147483647|2147483648)$/;

/** Share of a mark that all other values must stay below. */
const NEAR_MARK = 0.9;

/** Finds a number that means missing: a usual mark far from all other values, or -1 or -9 as the only value below zero. */
function findMark(values: Float64Array): { value: number; count: number } | undefined {
  let [low, high, nextLow, nextHigh] = [Infinity, -Infinity, Infinity, -Infinity];
  let [lows, highs, fractions, positives] = [0, 0, 0, 0];
  for (const value of values) {
    if (value < low) [nextLow, low, lows] = [low, value, 0];
    else if (value > low && value < nextLow) nextLow = value;
    if (value > high) [nextHigh, high, highs] = [high, value, 0];
    else if (value < high && value > nextHigh) nextHigh = value;
    if (value === low) lows++;
    if (value === high) highs++;
    if (value > 0) {
      positives++;
      if (!Number.isInteger(value)) fractions++;
    }
  }
  const isMark = (value: number) => MARK.test(String(value));
  if (highs >= MIN_MARKED && isMark(high) && nextHigh < NEAR_MARK * high) {
    return { value: high, count: highs };
  }
  if (lows >= MIN_MARKED && low < 0 && isMark(low) && nextLow > NEAR_MARK * low) {
    return { value: low, count: lows };
  }
  // The consumption of a turbine in calms varies, or is rounded like its powers.
  const isAlone = (low === -1 || low === -9) && nextLow >= 0 && 2 * fractions > positives;
  return isAlone && lows >= MIN_NEGATIVE ? { value: low, count: lows } : undefined;
}

/** Largest share of falls among the changes of a meter: production falls half of the time, a meter once a day or month. */
const MAX_FALLS = 0.15;

/** Fewest changes that show a meter: two days of hours, and of months. */
const [MIN_CHANGES, MIN_MONTHS] = [48, 18];

/** Largest difference of rises that count as equal, as a share. */
const ALIKE = 1e-3;

/** Longest time between the falls of a meter that restarts each day, ms. */
const LONGEST_DAY = 36 * HOUR;

/** Finds the `counter` to declare if values nearly only rise, as the readings of a meter do. */
function findMeter(
  { values, starts }: JudgedValues,
  { resolution }: ProductionFormat,
): "true" | "daily" | "resets" | undefined {
  const falls: number[] = [];
  const rises: number[] = [];
  let [changes, before] = [0, NaN];
  for (let row = 0; row < values.length; row++) {
    const value = values[row];
    if (Number.isNaN(value)) continue;
    if (value < before) falls.push(row);
    else if (value > before) rises.push(value - before);
    if (value !== before && !Number.isNaN(before)) changes++;
    before = value;
  }
  const isPeriod = resolution === "month" || resolution === "year";
  if (changes < (isPeriod ? MIN_MONTHS : MIN_CHANGES)) return undefined;
  if (falls.length > MAX_FALLS * changes) return undefined;
  const usual = rises.sort((a, b) => a - b)[rises.length >> 1];
  const equal = rises.filter((rise) => Math.abs(rise - usual) < ALIKE * usual).length;
  if (2 * equal > rises.length) return undefined; // no wind has equal rises
  if (falls.length === 0) return "true";
  const between = falls.map((row, i) => starts[row] - starts[falls[i - 1]]).slice(1).sort();
  const isDaily = isStep(resolution) && between[between.length >> 1] < LONGEST_DAY;
  return isDaily ? "daily" : "resets";
}

/** Share of the hours with production above which energies are certainly repeated, and fewest of these hours. */
const [MIN_REPEATED, MIN_HOURS] = [0.95, 24];

/** Whether all parts of an hour repeat the energy of the hour, so it would count several times. */
function repeatsEnergy(
  { values, starts }: JudgedValues,
  { resolution, unit }: ProductionFormat,
): boolean {
  if (!isStep(resolution) || !isEnergy(unit)) return false;
  const parts = HOUR / findStepLength(resolution);
  let [hours, repeated] = [0, 0];
  for (let row = 0; parts > 1 && row + parts <= values.length; row++) {
    if (starts[row] % HOUR !== 0 || starts[row + parts - 1] - starts[row] >= HOUR) continue;
    const hourValues = values.subarray(row, row + parts);
    if (!hourValues.every((value) => value > 0)) continue;
    hours++;
    if (hourValues.every((value) => value === hourValues[0])) repeated++;
  }
  return hours >= MIN_HOURS && repeated > MIN_REPEATED * hours;
}

/**
 * Refuses values that contradict their declaration.
 *
 * @param inOrder Whether no row repeats a time
 * @returns Doubts about the declaration, in sentences
 * @throws {DataFormatError} If a number probably means missing, or the values are probably meter readings
 */
export function judgeValues(
  judged: JudgedValues,
  how: ProductionFormat,
  inOrder = true,
): readonly string[] {
  const { file, column, values, line } = judged;
  const refuse = (row: number, problem: string, field: string, value: string | number) =>
    refuseFile(file, problem, { code: "number", field, value, row: line(row), column });
  const mark = how.null_values === undefined ? findMark(values) : undefined;
  if (mark) {
    const { value, count } = mark;
    refuse(
      values.indexOf(value),
      `the value ${value} occurs ${count} times, far from all others, so it probably means missing. ` +
        `Declare null_values [${value}], or [] if it was measured`,
      "null_values",
      value,
    );
  }
  if (!inOrder || how.counter) return [];
  const meter = how.counter === undefined ? findMeter(judged, how) : undefined;
  if (meter) {
    const counter = meter === "true" ? meter : `"${meter}"`;
    const isSum = meter === "resets" && !isStamped(how.resolution);
    const sums = isSum
      ? ". If they are sums since January, give the energy of each month instead"
      : "";
    const problem = "the values rise from row to row, so they are probably meter " +
      `readings. Declare counter ${counter}, or false if they are not readings${sums}`;
    refuse(0, problem, "counter", meter);
  }
  return repeatsEnergy(judged, how)
    ? [
      `column "${column}": all rows of an hour have the same energy, and Vindkit adds them up. If each value is the ` +
      'energy of the whole hour, keep one row of each hour, and declare resolution "hour"',
    ]
    : [];
}
