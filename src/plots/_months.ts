import { month as monthColumn } from "../api/columns.ts";
import type { Spec } from "./_assemble.ts";

/** Least room for the letter of a month, pixels; with less, the axis shows years alone. */
const LETTER_WIDTH = 13;

/** Most width of a bar, pixels. */
const MOST_BAR_WIDTH = 48;

/** Least room for a year at the axis, pixels. */
const YEAR_WIDTH = 36;

/** All months from the first to the last of a list: none is left out. */
export function monthsBetween(months: readonly string[]): string[] {
  const sorted = [...months].sort();
  const all: string[] = [];
  const last = Temporal.PlainYearMonth.from(sorted[sorted.length - 1]);
  let month = Temporal.PlainYearMonth.from(sorted[0]);
  for (; Temporal.PlainYearMonth.compare(month, last) <= 0; month = month.add({ months: 1 })) {
    all.push(month.toString());
  }
  return all;
}

/** Horizontal channel of months: texts, not instants, so that no time zone can shift them. */
export function monthChannel(months: readonly string[], width: number): Spec {
  const step = width / months.length;
  const scale = {
    domain: months,
    paddingInner: Math.max(0.15, 1 - MOST_BAR_WIDTH / step),
    paddingOuter: 0.1,
  };
  return { field: "month", type: "ordinal", scale, axis: monthAxis(months, step) };
}

function monthAxis(months: readonly string[], step: number): Spec {
  const common = { labelAngle: 0, labelPadding: 4, title: monthColumn.label };
  const januaries = months.filter((month) => month.endsWith("-01"));
  if (step < LETTER_WIDTH) {
    const years = Math.ceil(YEAR_WIDTH / (12 * step));
    const values = januaries.filter((month) => Number(month.slice(0, 4)) % years === 0);
    return { ...common, labelExpr: "slice(datum.value, 0, 4)", values };
  }
  // A year under the first month must not run into that of a January close by.
  const untilJanuary = januaries.length === 0 ? Infinity : months.indexOf(januaries[0]) * step;
  const first = untilJanuary >= YEAR_WIDTH ? months[0] : "";
  const letter = "substring('JFMAMJJASOND', +slice(datum.value, 5) - 1, +slice(datum.value, 5))";
  const labelExpr = `slice(datum.value, 5) === '01' || datum.value === '${first}' ` +
    `? [${letter}, slice(datum.value, 0, 4)] : ${letter}`;
  return { ...common, labelAlign: "center", labelExpr, ticks: false };
}
