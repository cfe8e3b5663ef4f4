import type { DataFrame } from "nodejs-polars";
import { month as monthColumn, time as timeColumn } from "../../api/columns/columns.ts";
import { ArgumentError } from "../../api/errors.ts";
import { monthsIn, requireColumns } from "../parts/input.ts";
import { formatStamp } from "../parts/time_axis.ts";
import { finiteIn, stampsIn } from "../parts/values.ts";

/** By what rows of two frames belong together. */
export type JoinBy = "time" | "month";

/** One of the two sides. */
interface Side {
  readonly frame: DataFrame;
  readonly column: string;
  /** What to call it in messages: "x" or "y". */
  readonly name: string;
}

/** Values that belong together, and the rows that found no partner. */
export interface Paired {
  /** Values of the first side. */
  readonly x: Float64Array;
  /** Values of the second side. */
  readonly y: Float64Array;
  /** When they were, in words. */
  readonly labels: (i: number) => string;
  /** Rows of the first side without one of the second. */
  readonly onlyX: number;
  /** Rows of the second side without one of the first. */
  readonly onlyY: number;
  /** Pairs of which a value is missing. */
  readonly missing: number;
}

/** Key of each row: an instant or a month, as a number or a text. */
function keysOf({ frame }: Side, by: JoinBy, what: string): readonly (number | string)[] {
  return by === "month"
    ? monthsIn(frame, monthColumn.name, what)
    : [...stampsIn(frame, what).epochs];
}

function written(key: number | string): string {
  return typeof key === "number" ? `${formatStamp(key, "UTC")} UTC` : key;
}

/** Values by key, NaN for a missing one. */
function byKey(side: Side, by: JoinBy, what: string): Map<number | string, number> {
  const on = by === "month" ? monthColumn.name : timeColumn.name;
  requireColumns(side.frame, [on, side.column], what, "modelData() or monthlyIndices()");
  const values = finiteIn(side.frame, side.column, what);
  const rows = new Map<number | string, number>();
  keysOf(side, by, what).forEach((key, i) => {
    if (rows.has(key)) {
      throw new ArgumentError(
        `Cannot plot ${what}: ${written(key)} stands twice in ${side.name}. ` +
          `Keep one row a ${by === "month" ? "month" : "stamp"}, of one turbine`,
      );
    }
    rows.set(key, values[i]);
  });
  return rows;
}

function spanOf(rows: ReadonlyMap<number | string, number>): string {
  let [first, last] = [...rows.keys()].slice(0, 1).flatMap((key) => [key, key]);
  for (const key of rows.keys()) {
    if (key < first) first = key;
    if (key > last) last = key;
  }
  return `${written(first)} to ${written(last)}`;
}

/**
 * Brings two series together by their stamps or months.
 *
 * @throws {ArgumentError} If a column is missing, a stamp stands twice, or no pair has both values
 */
export function paired(first: Side, second: Side, by: JoinBy, what: string): Paired {
  const [xs, ys] = [byKey(first, by, what), byKey(second, by, what)];
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
            `x has ${spanOf(xs)}, y has ${spanOf(ys)}. Give series of the same time`
          : `none of the ${common} pairs has both values. ` +
            `Choose other columns with { xColumn, yColumn }`),
    );
  }
  return {
    x: Float64Array.from(keys, (key) => xs.get(key)!),
    y: Float64Array.from(keys, (key) => ys.get(key)!),
    labels: (i) => written(keys[i]),
    onlyX: xs.size - common,
    onlyY: ys.size - common,
    missing: common - keys.length,
  };
}
