import { quantile } from "../../stats/spread.ts";
import type { SeededRandom } from "../../stats/seeded_random.ts";
import { addErrors, drawDays, findLowestError, type LagErrors } from "./lagged_sums.ts";

/** Fewest days with values before and after a change. */
export const MIN_DAYS = 28;

/** Smallest change of a lag, hours: nearer to an hour than to 0. */
const MIN_CHANGE = 0.5;

/** Smallest change at which a record is split, hours: a lag that changes twice hides a part of each change. */
const MIN_SPLIT = 0.25;

/** Days that are permuted together, because weather and season give each month another lag. */
const BLOCK = 28;

/** Largest share of permuted records that may show an equally clear change. */
const MAX_CHANCE = 0.05;

const DRAWS = 200;

/** A day from which on the lag of production behind the model differs. */
export interface LagChange {
  /** The first day with the other lag: a position in {@linkcode LagErrors.days}, like all days here. */
  readonly row: number;
  /** 90 % interval of that day. */
  readonly first: number;
  readonly last: number;
  /** Lags before and from then on, hours, each as far as the next change. */
  readonly before: number;
  readonly after: number;
  /** 90 % interval of their difference, hours. */
  readonly low: number;
  readonly high: number;
  /** Sum of the squared errors with both lags. */
  readonly error: number;
}

type Split = Pick<LagChange, "row" | "before" | "after" | "error">;

/** Splits days in two parts, each with its lag, so that squared errors are smallest; `row` is a position in `rows`. */
function findSplit(errors: LagErrors, rows: Int32Array): Split {
  const right = new Float64Array(errors.lags);
  for (const row of rows) addErrors(right, errors, row);
  const left = new Float64Array(errors.lags);
  let best: Split = { row: -1, before: NaN, after: NaN, error: Infinity };
  for (let i = 0; i <= rows.length - MIN_DAYS; i++) {
    if (i >= MIN_DAYS) {
      const [before, after] = [findLowestError(left), findLowestError(right)];
      const error = before.error + after.error;
      if (error < best.error) best = { row: i, before: before.lag, after: after.lag, error };
    }
    addErrors(left, errors, rows[i]);
    addErrors(right, errors, rows[i], -1);
  }
  return best;
}

/** Finds the stretch of months, not at an end, with another lag that makes the squared errors smallest. */
function findStretch(errors: LagErrors, months: readonly Int32Array[]) {
  const sums = [new Float64Array(errors.lags)]; // cumulative, of all months before each
  for (const [i, rows] of months.entries()) {
    sums.push(sums[i].slice());
    for (const row of rows) addErrors(sums[i + 1], errors, row);
  }
  const total = sums[months.length];
  let best = { from: 0, to: 0, inside: NaN, outside: NaN, error: Infinity };
  for (let from = 1; from < months.length; from++) {
    for (let to = from + 2; to < months.length; to++) {
      const stretch = sums[to].map((sum, lag) => sum - sums[from][lag]);
      const [inside, outside] = [stretch, total.map((sum, lag) => sum - stretch[lag])]
        .map(findLowestError);
      const error = inside.error + outside.error;
      if (error < best.error) {
        best = { from, to, inside: inside.lag, outside: outside.lag, error };
      }
    }
  }
  return best;
}

const listRows = (from: number, to: number) =>
  Int32Array.from({ length: to - from }, (_, i) => from + i);

const listMonths = (from: number, to: number) =>
  Array.from(
    { length: Math.ceil((to - from) / BLOCK) },
    (_, i) => listRows(from + i * BLOCK, Math.min(from + (i + 1) * BLOCK, to)),
  );

/** Whether months in another order hardly ever fit as well, by their smallest error. */
function isRare(
  error: number,
  months: readonly Int32Array[],
  errorOf: (months: readonly Int32Array[]) => number,
  random: SeededRandom,
): boolean {
  const permuted = [...months];
  let chances = 0;
  for (let draw = 0; draw < DRAWS && chances <= MAX_CHANCE * DRAWS; draw++) {
    for (let i = permuted.length - 1; i > 0; i--) {
      const other = random.below(i + 1);
      [permuted[i], permuted[other]] = [permuted[other], permuted[i]];
    }
    if (errorOf(permuted) <= error) chances++;
  }
  return chances <= MAX_CHANCE * DRAWS;
}

const joinRows = (months: readonly Int32Array[]) =>
  Int32Array.from(months.flatMap((rows) => [...rows]));

/** Splits rows repeatedly where a lag changes, or changes and returns. */
function splitRows(errors: LagErrors, from: number, to: number, random: SeededRandom): number[] {
  if (to - from < 2 * MIN_DAYS) return [];
  const months = listMonths(from, to);
  const { row, before, after, error } = findSplit(errors, listRows(from, to));
  const errorOfSplit = (months: readonly Int32Array[]) => findSplit(errors, joinRows(months)).error;
  if (Math.abs(after - before) >= MIN_SPLIT && isRare(error, months, errorOfSplit, random)) {
    const at = from + row;
    return [...splitRows(errors, from, at, random), at, ...splitRows(errors, at, to, random)];
  }
  const stretch = findStretch(errors, months);
  const errorOfStretch = (months: readonly Int32Array[]) => findStretch(errors, months).error;
  return Math.abs(stretch.inside - stretch.outside) >= MIN_CHANGE &&
      isRare(stretch.error, months, errorOfStretch, random)
    ? [stretch.from, stretch.to].map((month) => from + month * BLOCK)
    : [];
}

/** Describes the change between two others. A bootstrap of days, each with its own search, gives the intervals. */
function describeChange(
  errors: LagErrors,
  from: number,
  to: number,
  random: SeededRandom,
): LagChange {
  const { row, ...split } = findSplit(errors, listRows(from, to));
  const drawn = new Int32Array(to);
  const [days, differences] = [new Float64Array(DRAWS), new Float64Array(DRAWS)];
  for (let draw = 0; draw < DRAWS; draw++) {
    drawDays(drawn, from, from + row, random);
    drawDays(drawn, from + row, to, random);
    const { row: day, before, after } = findSplit(errors, drawn.subarray(from));
    days[draw] = from + day;
    differences[draw] = after - before;
  }
  days.sort();
  differences.sort();
  return {
    ...split,
    row: from + row,
    first: Math.floor(quantile(days, 0.05)),
    last: Math.ceil(quantile(days, 0.95)),
    low: quantile(differences, 0.05),
    high: quantile(differences, 0.95),
  };
}

/**
 * Finds days from which on the lag of production behind the model differs, in order of time. A change is found by least
 * squares if fewer than 5 % of records with their months in another order show an equally clear change, and if the 90 %
 * interval of the change is beyond half an hour. Parts are split again, so there may be several changes, and a stretch
 * may differ from the time before and after it.
 *
 * A record of few months has few other orders, so half a year shows only a sharp change.
 *
 * @param errors Squared errors by day and lag, in hours
 */
export function findLagChanges(errors: LagErrors, random: SeededRandom): LagChange[] {
  const splits = splitRows(errors, 0, errors.days.length, random);
  return splits
    .map((_, i) =>
      describeChange(errors, splits[i - 1] ?? 0, splits[i + 1] ?? errors.days.length, random)
    )
    .filter(({ low, high }) => low > MIN_CHANGE || high < -MIN_CHANGE);
}
