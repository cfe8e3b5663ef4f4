import type { DataFrame } from "nodejs-polars";
import { month as monthColumn, time as timeColumn } from "../../api/columns/columns.ts";
import { formatClock } from "../../time/zones.ts";
import { listMonths } from "../grammar/axes.ts";
import {
  findEnds,
  readFiniteNumbers,
  readMonthColumn,
  readZonedStamps,
  refusePlot,
  requireColumns,
} from "../grammar/read.ts";
import { formatSpan } from "../grammar/text.ts";

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
  /** Timestamp or month of a pair, in words. */
  readonly labelAt: (i: number) => string;
  /** Rows of the first series without a partner in the second. */
  readonly onlyX: number;
  /** Rows of the second series without a partner in the first. */
  readonly onlyY: number;
  /** Pairs in which a value is missing. */
  readonly missing: number;
  /** Months from the first to the last that are in neither series; 0 for pairs by timestamp. */
  readonly neither: number;
  /** Months from the first pair to the last, in words. */
  readonly span: string;
}

/** Key of each row: an instant or a month, as a number or a text. */
function readKeys({ frame }: Side, by: JoinBy, plot: string): readonly (number | string)[] {
  return by === "month"
    ? readMonthColumn(frame, monthColumn.name, plot)
    : [...readZonedStamps(frame, plot).epochs];
}

function formatKey(key: number | string): string {
  return typeof key === "number" ? `${formatClock(key, "UTC")} UTC` : key;
}

/** Values by key, NaN for a missing one. */
function readValuesByKey(side: Side, by: JoinBy, plot: string): Map<number | string, number> {
  const on = by === "month" ? monthColumn.name : timeColumn.name;
  requireColumns(side.frame, [on, side.column], plot, "modelData() or monthlyIndices()");
  const values = readFiniteNumbers(side.frame, side.column, plot);
  const rows = new Map<number | string, number>();
  readKeys(side, by, plot).forEach((key, i) => {
    if (rows.has(key)) {
      refusePlot(
        plot,
        `${formatKey(key)} is duplicated in ${side.name}. ` +
          `Keep one row per ${by === "month" ? "month" : "timestamp"}, of one turbine`,
      );
    }
    rows.set(key, values[i]);
  });
  return rows;
}

const formatRange = (rows: ReadonlyMap<number | string, number>) =>
  findEnds(rows.keys()).map(formatKey).join(" to ");

/**
 * Pairs two series by their timestamps or months.
 *
 * @throws {ArgumentError} If a column is missing, a timestamp is duplicated, or no pair has both values
 */
export function joinPairs(first: Side, second: Side, by: JoinBy, plot: string): Pairs {
  const [xs, ys] = [readValuesByKey(first, by, plot), readValuesByKey(second, by, plot)];
  const keys: (number | string)[] = [];
  let common = 0;
  for (const [key, value] of xs) {
    const other = ys.get(key);
    if (other === undefined) continue;
    common++;
    if (!Number.isNaN(value) && !Number.isNaN(other)) keys.push(key);
  }
  if (keys.length === 0) {
    refusePlot(
      plot,
      `` +
        (common === 0
          ? `x and y have no ${by === "month" ? "month" : "timestamp"} in common; ` +
            `x has ${formatRange(xs)}, y has ${formatRange(ys)}. Give series that overlap`
          : `no pair (of ${common}) has both values. Choose other columns with { xColumn, yColumn }`),
    );
  }
  const ends = findEnds(keys).map((key) => formatKey(key).slice(0, 7));
  const all = [...xs.keys(), ...ys.keys()];
  return {
    x: Float64Array.from(keys, (key) => xs.get(key)!),
    y: Float64Array.from(keys, (key) => ys.get(key)!),
    labelAt: (i) => formatKey(keys[i]),
    onlyX: xs.size - common,
    onlyY: ys.size - common,
    missing: common - keys.length,
    neither: by === "month" ? listMonths(findEnds(all).map(String)).length - new Set(all).size : 0,
    span: formatSpan(ends),
  };
}
