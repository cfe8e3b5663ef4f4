import type { DataFrame } from "nodejs-polars";
import { formatEnds } from "../parts/months.ts";
import type { Column } from "../../api/columns/column.ts";
import { readNumberColumn } from "../parts/read_columns.ts";
import { assertOrdered, type FanInterval } from "./interval.ts";
import { classifyRecord } from "../parts/month_state.ts";
import type { Period } from "../parts/periods.ts";
import { formatFigures } from "../../show/text/numbers.ts";

/**
 * Figures and intervals of the periods of a fan; the ends of the intervals are lists, the widest first.
 *
 * @throws {ArgumentError} If a lower end is above its upper one
 */
export function readFanRows(
  frame: DataFrame,
  periods: readonly Period[],
  figure: Column,
  intervals: readonly FanInterval[],
  what: string,
) {
  const place = (values: readonly (number | null)[]) =>
    periods.map(({ at }) => at === undefined ? null : values[at]);
  const values = place(readNumberColumn(frame, figure.name, what));
  const ends = intervals.map((interval) => {
    const [low, high] = [
      readNumberColumn(frame, interval.low, what),
      readNumberColumn(frame, interval.high, what),
    ];
    assertOrdered(frame, interval, low, high, what);
    // An interval that misses one end is left out.
    const whole = low.map((value, i) => value !== null && high[i] !== null);
    const placeWhole = (side: readonly (number | null)[]) =>
      place(side.map((value, i) => whole[i] ? value : null));
    return { low: placeWhole(low), high: placeWhole(high) };
  });
  const alone = findLoneValues(values);
  const loneEnds = ends.map(({ low }) => findLoneValues(low));
  return periods.map(({ period, label }, i) => ({
    period,
    label,
    value: values[i],
    state: classifyRecord(values[i], null),
    lone: alone[i],
    low: ends.map(({ low }) => low[i]),
    high: ends.map(({ high }) => high[i]),
    loneAt: loneEnds.map((flags) => flags[i]),
  }));
}

/** Finds the values between two gaps: a line or an area of one value is invisible, so it needs its own mark. */
function findLoneValues(values: readonly (number | null)[]): boolean[] {
  const known = (i: number) => (values[i] ?? null) !== null;
  return values.map((_, i) => known(i) && !known(i - 1) && !known(i + 1));
}

/** A month or year with its figure and the ends of its intervals. */
export type FanRow = ReturnType<typeof readFanRows>[number];

/** What a fan shows, as text for screen readers. */
export function formatFanAltText(
  title: string,
  rows: readonly FanRow[],
  { unit = "" }: Column,
  widest: FanInterval | undefined,
): string {
  const span = formatEnds(rows);
  const last = rows.findLast((row) => row.value !== null);
  const gaps = rows.filter((row) => row.value === null).length;
  const text = (...values: readonly (number | null)[]) =>
    formatFigures(values.map((value) => value ?? 0), unit);
  const end = last === undefined ? "No data" : `${last.label}: ${text(last.value)}` +
    (widest === undefined || last.low[0] === null
      ? ""
      : `, ${widest.percent} % interval ${text(last.low[0], last.high[0])}`);
  const kind = widest === undefined ? "Line without an interval" : "Line in a fan of intervals";
  return `${kind}. ${title}. ${span}. ${end}` +
    (gaps > 0 ? `. ${gaps} of ${rows.length} without data` : "") + ".";
}
