import type { DataFrame } from "nodejs-polars";
import { month as monthColumn, time as timeColumn } from "../../api/columns/columns.ts";
import { ArgumentError } from "../../api/errors.ts";
import { readMonthColumn, requireColumns } from "../parts/read_columns.ts";
import { formatStamp } from "../parts/time_axis.ts";
import { readFiniteNumbers, readZonedStamps } from "../parts/values.ts";

/** Column by which the rows of two frames are paired. */
export type JoinBy = "time" | "month";

/** One of the two series. */
interface Side {
  readonly frame: DataFrame;
  readonly column: string;
  /** Its name in messages: "x" or "y". */
  readonly name: string;
}

/** Pairs of values, and the number of rows without a partner. */
export interface Pairs {
  /** Values of the first series. */
  readonly x: Float64Array;
  /** Values of the second series. */
  readonly y: Float64Array;
  /** Time stamp or month of a pair, in words. */
  readonly labelAt: (i: number) => string;
  /** Rows of the first series without one of the second. */
  readonly onlyX: number;
  /** Rows of the second series without one of the first. */
  readonly onlyY: number;
  /** Pairs in which a value is missing. */
  readonly missing: number;
}

/** Key of each row: an instant or a month, as a number or a text. */
function readKeys({ frame }: Side, by: JoinBy, what: string): readonly (number | string)[] {
  return by === "month"
    ? readMonthColumn(frame, monthColumn.name, what)
    : [...readZonedStamps(frame, what).epochs];
}

function formatKey(key: number | string): string {
  return typeof key === "number" ? `${formatStamp(key, "UTC")} UTC` : key;
}

/** Values by key, NaN for a missing one. */
function readValuesByKey(side: Side, by: JoinBy, what: string): Map<number | string, number> {
  const on = by === "month" ? monthColumn.name : timeColumn.name;
  requireColumns(side.frame, [on, side.column], what, "modelData() or monthlyIndices()");
  const values = readFiniteNumbers(side.frame, side.column, what);
  const rows = new Map<number | string, number>();
  readKeys(side, by, what).forEach((key, i) => {
    if (rows.has(key)) {
      throw new ArgumentError(
        `Cannot plot ${what}: ${formatKey(key)} is duplicated in ${side.name}. ` +
          `Keep one row per ${by === "month" ? "month" : "time stamp"}, of one turbine`,
      );
    }
    rows.set(key, values[i]);
  });
  return rows;
}

function formatSpan(rows: ReadonlyMap<number | string, number>): string {
  let [first, last] = [...rows.keys()].slice(0, 1).flatMap((key) => [key, key]);
  for (const key of rows.keys()) {
    if (key < first) first = key;
    if (key > last) last = key;
  }
  return `${formatKey(first)} to ${formatKey(last)}`;
}

/**
 * Pairs two series by their time stamps or months.
 *
 * @throws {ArgumentError} If a column is missing, a stamp is duplicated, or no pair has both values
 */
export function joinPairs(first: Side, second: Side, by: JoinBy, what: string): Pairs {
  const [xs, ys] = [readValuesByKey(first, by, what), readValuesByKey(second, by, what)];
  const keys: (number | string)[] = [];
  let common = 0;
  for (const [key, value] of xs) {
    const other = ys.get(key);
    if (other === undefined) continue;
    common++;
    if (!Number.isNaN(value) && !Number.isNaN(other)) keys.push(key);
  }
  if (keys.length === 0) {
    throw new ArgumentError(
      `Cannot plot ${what}: ` +
        (common === 0
          ? `x and y have no ${by === "month" ? "month" : "stamp"} in common; ` +
            `x has ${formatSpan(xs)}, y has ${formatSpan(ys)}. Give series that overlap`
          : `none of the ${common} pairs has both values. ` +
            `Choose other columns with { xColumn, yColumn }`),
    );
  }
  return {
    x: Float64Array.from(keys, (key) => xs.get(key)!),
    y: Float64Array.from(keys, (key) => ys.get(key)!),
    labelAt: (i) => formatKey(keys[i]),
    onlyX: xs.size - common,
    onlyY: ys.size - common,
    missing: common - keys.length,
  };
}
