import type { DataFrame } from "nodejs-polars";
import { extractNumbers } from "../../frames/frame.ts";

/** How a column of a month differs between two bodies. */
export interface RevisedMonth {
  /** Number of the month, see `monthNumberOf()`. */
  readonly month: number;
  readonly column: string;
  /** Mean of the old figures; NaN if there are none. */
  readonly before: number;
  /** Mean of the new figures; NaN if there are none. */
  readonly now: number;
  /** Rows whose figure differs, new and removed ones included. */
  readonly rows: number;
}

interface Sums {
  rows: number;
  before: [sum: number, count: number];
  now: [sum: number, count: number];
}

/** A table whose rows have a key and a month. */
export interface KeyedRows {
  /** All rows, in any order. */
  readonly frame: DataFrame;
  /** Key of each row: its instant, or its month. */
  readonly keys: ArrayLike<number>;
  /** Number of each row's month, see `monthNumberOf()`. */
  readonly months: ArrayLike<number>;
}

/** Lists the numeric columns of both tables, also those that only one has. */
function listNumericColumns(tables: readonly KeyedRows[]): string[] {
  const names = new Set<string>();
  for (const { frame } of tables) {
    for (const name of frame.columns) {
      if (/Float|Int/.test(String(frame.getColumn(name).dtype))) names.add(name);
    }
  }
  return [...names];
}

function readValues({ frame }: KeyedRows, column: string): Float64Array {
  return frame.columns.includes(column)
    ? extractNumbers(frame, column)
    : new Float64Array(frame.height).fill(NaN);
}

function computeMean([sum, count]: [number, number]): number {
  return count === 0 ? NaN : sum / count;
}

/**
 * Compares two tables of the same call by month and column; rows with equal keys belong together.
 *
 * @param skip Columns that are keys
 */
export function findRevisedMonths(
  before: KeyedRows,
  now: KeyedRows,
  skip: readonly string[],
): RevisedMonth[] {
  const found: RevisedMonth[] = [];
  const place = new Map(Array.from(now.keys, (key, row) => [key, row]));
  for (const column of listNumericColumns([before, now]).filter((name) => !skip.includes(name))) {
    const old = readValues(before, column);
    const fresh = readValues(now, column);
    const months = new Map<number, Sums>();
    const findSums = (month: number) => {
      let sums = months.get(month);
      if (!sums) months.set(month, sums = { rows: 0, before: [0, 0], now: [0, 0] });
      return sums;
    };
    const add = (to: [number, number], value: number) => {
      if (Number.isNaN(value)) return;
      to[0] += value;
      to[1]++;
    };
    const seen = new Uint8Array(fresh.length);
    for (let row = 0; row < old.length; row++) {
      const sums = findSums(before.months[row]);
      const other = place.get(before.keys[row]);
      add(sums.before, old[row]);
      if (other !== undefined) seen[other] = 1;
      if (other === undefined || !Object.is(old[row], fresh[other])) sums.rows++;
    }
    for (let row = 0; row < fresh.length; row++) {
      const sums = findSums(now.months[row]);
      add(sums.now, fresh[row]);
      if (!seen[row]) sums.rows++;
    }
    for (const [month, sums] of [...months].sort(([a], [b]) => a - b)) {
      if (sums.rows === 0) continue;
      found.push({
        month,
        column,
        before: computeMean(sums.before),
        now: computeMean(sums.now),
        rows: sums.rows,
      });
    }
  }
  return found.sort((a, b) => a.month - b.month || (a.column < b.column ? -1 : 1));
}
