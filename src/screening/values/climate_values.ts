import { type Finding, findRuns, listHours, type Run } from "../finding.ts";
import { mean, median } from "../../stats/spread.ts";
import { HOUR } from "../../time/hourly.ts";

/** Hours with exactly the same value that show a stuck logger. */
const STUCK_HOURS = 6;

/** Wind up to which repeated values are a calm, m/s. */
const STILL = 0.5;

/**
 * Finds values outside of their plausible range.
 *
 * @param values Hourly values; missing is NaN
 * @param range Smallest and largest plausible value; `null` leaves a side open
 * @param unit Unit, for messages
 */
export function findOutOfBounds(
  values: Float64Array,
  range: readonly [number | null, number | null],
  unit: string,
): Finding[] {
  const [low, high] = [range[0] ?? -Infinity, range[1] ?? Infinity];
  const bounds = range[0] === null
    ? `above ${high} ${unit}`
    : range[1] === null
    ? `below ${low} ${unit}`
    : `outside ${low} to ${high} ${unit}`;
  const runs = findRuns(values.length, (i) => values[i] < low || values[i] > high);
  return listHours("out_of_range", runs, () => `with values ${bounds.trimEnd()}`);
}

/**
 * Finds stretches of {@linkcode STUCK_HOURS} hours or more of exactly the same value.
 *
 * @param values Hourly values; missing is NaN
 * @param range Judges values above the first and below the second
 * @param unit Unit, for messages
 */
export function findStuckValues(
  values: Float64Array,
  [low, high]: readonly [number, number],
  unit: string,
): Finding[] {
  const repeats = (i: number) =>
    i > 0 && values[i] > low && values[i] < high && values[i] === values[i - 1];
  const runs = findRuns(values.length, repeats).map(({ from, to }) => ({ from: from - 1, to }))
    .filter(({ from, to }) => to - from >= STUCK_HOURS);
  return listHours("stuck", runs, ({ from }) => `with exactly ${values[from]} ${unit}`);
}

/** Finds stretches of exactly the same wind speed (m/s), except calms; missing is NaN. */
export function findRepeatedWind(speeds: Float64Array): Finding[] {
  return findStuckValues(speeds, [STILL, Infinity], "m/s");
}

/** Fewest hours from which to judge a series: four days. */
const MIN_HOURS = 96;

/** Hours after which directions cover the whole circle: a month. */
const MONTH = 720;

/** Finds stretches in which one value repeats, of at least this many hours; wind of reanalyses repeats for 3 h at most. */
export function findRepeats(values: Float64Array, hours: number): Run[] {
  const runs: Run[] = [];
  for (let from = 0, i = 1; i <= values.length; i++) {
    if (i < values.length && values[i] === values[from]) continue;
    if (i - from >= hours) runs.push({ from, to: i });
    from = i;
  }
  return runs;
}

/** Largest share of hours with the value of the hour before: wind in whole m/s has less than half. */
const MAX_HELD = 0.6;

/** Whether the hours repeat values of longer steps. */
export function isHeld(values: Float64Array): boolean {
  let [same, count] = [0, 0];
  for (let i = 1; i < values.length; i++) {
    if (values[i] === values[i - 1]) same++;
    if (values[i] === values[i]) count++;
  }
  return count >= MIN_HOURS && same > MAX_HELD * count;
}

/** Smallest step between hours, as a share of the range, that shows an overflow of packed integers; steps of wind have 0.45 at most. */
const FOLD = 0.8;

/** Largest share of overflows among the steps; a series that only alternates has more. */
const MAX_FOLDS = 0.2;

/**
 * Finds the first step between the largest and the smallest values, if there are three or more: packed integers have
 * overflowed, for example if windy months were added to a file of calm ones.
 *
 * @param values Hourly values; missing is NaN
 * @returns Position after the step; -1 if there is none
 */
export function findFold(values: Float64Array): number {
  const [low, high] = findEnds(values);
  if (values.length < MIN_HOURS || !(high > low)) return -1;
  const large = FOLD * (high - low);
  let [first, count] = [-1, 0];
  for (let i = 1; i < values.length; i++) {
    const step = values[i] - values[i - 1];
    if (step > large || step < -large) {
      if (count++ === 0) first = i;
    }
  }
  return count >= 3 && count < MAX_FOLDS * values.length ? first : -1;
}

/** Finds the smallest and the largest value, except for one number. */
function findEnds(values: ArrayLike<number>, but = NaN): [number, number] {
  let [low, high] = [Infinity, -Infinity];
  for (let i = 0; i < values.length; i++) {
    const value = values[i];
    if (value < low && value !== but) low = value;
    if (value > high && value !== but) high = value;
  }
  return [low, high];
}

/** Distance of a mark for missing from all other values, as a share of their range; the largest of a real series has 0.12. */
const MARK_GAP = 0.25;

/**
 * Finds a number that means missing: the smallest or largest value, if it occurs three times or more, far from all
 * others.
 *
 * @param values Values as a file has them; missing is NaN
 */
export function findMark(values: ArrayLike<number>): number | undefined {
  if (values.length < MIN_HOURS) return undefined;
  const ends = findEnds(values);
  return ends.find((end) => {
    if (end === 0 || countOf(values, end) < 3) return false; // zeros are judged by the hours around them
    const [low, high] = findEnds(values, end);
    const gap = end < low ? low - end : end - high;
    return high > low && gap > MARK_GAP * (high - low);
  });
}

/** Wind next to which 0 m/s cannot be real, m/s: in reanalyses wind changes by a few m/s in an hour. */
const WINDY = 3;

/** Fewest hours of 0 m/s between hours of wind that show that 0 means missing. */
export const MIN_DROPS = 3;

/** Counts hours of 0 m/s between hours of wind: these zeros mean missing. */
export function countDrops(speeds: Float64Array): number {
  let count = 0;
  for (let i = 1; i + 1 < speeds.length; i++) {
    if (speeds[i] === 0 && speeds[i - 1] > WINDY && speeds[i + 1] > WINDY) count++;
  }
  return count;
}

/** Counts how often a value occurs. */
export function countOf(values: ArrayLike<number>, number: number): number {
  let count = 0;
  for (let i = 0; i < values.length; i++) if (values[i] === number) count++;
  return count;
}

/** Part of the circle, deg, without directions in a month or more that is suspicious: a site has all directions. */
const UNUSED_SECTOR = 180;

/**
 * Finds impossible directions of a site.
 *
 * @param directions Directions, deg; missing is NaN
 * @returns `radians` if none exceeds 2 pi, `mark` if all negative ones are the same number, three times or more,
 * `sector` if they stay within half of the circle
 */
export function judgeDirections(
  directions: Float64Array,
): "radians" | "mark" | "sector" | undefined {
  const [low, high] = findEnds(directions);
  if (directions.length < MIN_HOURS || low > high) return undefined;
  if (Math.max(-low, high) < 6.3 && high > low) return "radians";
  const isOne = low < 0 && directions.every((value) => !(value < 0) || value === low);
  if (isOne && countOf(directions, low) >= 3) return "mark";
  if (directions.length < MONTH) return undefined;
  const used = new Uint8Array(36);
  for (const value of directions) {
    if (value === value) used[Math.floor((value + 360) % 360 / 10)] = 1;
  }
  return 10 * countOf(used, 1) < 360 - UNUSED_SECTOR ? "sector" : undefined;
}

/** Fewest hours for the mean of a month. */
const MONTH_HOURS = 600;

/** A month whose mean differs from the same months of other years. */
export interface OddMonth {
  /** As 2021-03. */
  readonly month: string;
  /** Its mean over the median of the same months of all years. */
  readonly ratio: number;
}

/**
 * Finds months whose mean wind differs much from the same months of all years.
 *
 * @param speeds Hourly wind speeds, m/s; missing is NaN
 * @param start First hour, ms since 1970 UTC
 * @param usual Lowest and highest usual ratio; months within are not listed
 */
export function findOddMonths(
  speeds: Float64Array,
  start: number,
  [low, high]: readonly [number, number],
): OddMonth[] {
  const months: { month: string; mean: number }[] = [];
  for (let from = 0; from < speeds.length;) {
    const first = new Date(start + from * HOUR);
    const next = Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + 1);
    const to = Math.min(speeds.length, Math.ceil((next - start) / HOUR));
    const valid = speeds.subarray(from, to).filter((speed) => speed === speed);
    if (valid.length >= MONTH_HOURS) {
      months.push({ month: first.toISOString().slice(0, 7), mean: mean(valid) });
    }
    from = to;
  }
  const ofYear = Map.groupBy(months, ({ month }) => month.slice(5));
  return months.flatMap(({ month, mean }) => {
    const same = ofYear.get(month.slice(5))!.map((one) => one.mean);
    const ratio = mean / median(Float64Array.from(same));
    return same.length > 1 && !(ratio >= low && ratio <= high) ? [{ month, ratio }] : [];
  });
}
