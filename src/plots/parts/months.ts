import { month as monthColumn } from "../../api/columns/columns.ts";
import { formatMonthSpan } from "../../show/text/month.ts";
import type { Spec } from "./assemble.ts";

/** Width of a month from which the axis shows its letter, pixels; below, it shows years only. */
const MIN_LETTER_WIDTH = 13;

/** Width of a bar, pixels. */
const MAX_BAR_WIDTH = 48;

/** Space for a year at the axis, pixels. */
const MIN_YEAR_WIDTH = 36;

/** Width of a month from which bars have gaps, pixels: narrower gaps would flicker. */
const MIN_GAP_WIDTH = 3;

/** All months from the first to the last of a list, with those that are missing in it. */
export function listMonths(months: readonly string[]): string[] {
  const sorted = [...months].sort();
  const all: string[] = [];
  const last = Temporal.PlainYearMonth.from(sorted[sorted.length - 1]);
  let month = Temporal.PlainYearMonth.from(sorted[0]);
  for (; Temporal.PlainYearMonth.compare(month, last) <= 0; month = month.add({ months: 1 })) {
    all.push(month.toString());
  }
  return all;
}

/** Formats the time from the first to the last month or year of rows in order of time. */
export function formatSpan(periods: readonly string[]): string {
  return formatMonthSpan(periods[0], periods[periods.length - 1]);
}

/** Names the first and the last of rows in order of time: "May 2023 to July 2024", "May 2023" where they are one. */
export function formatEnds(rows: readonly { readonly label: string }[]): string {
  return [...new Set([rows[0].label, rows[rows.length - 1].label])].join(" to ");
}

/** The smallest of 1, 2, 5, 10, 20, 50 and 100 years that is not below `least`. */
export function roundUpYears(least: number): number {
  return [1, 2, 5, 10, 20, 50].find((years) => years >= least) ?? 100;
}

/** Horizontal channel of months: texts, not instants, so that no time zone can shift them. */
export function buildMonthChannel(months: readonly string[], width: number): Spec {
  const step = width / months.length;
  const scale = {
    domain: months,
    paddingInner: step < MIN_GAP_WIDTH ? 0 : Math.max(0.15, 1 - MAX_BAR_WIDTH / step),
    paddingOuter: 0.1,
  };
  return { field: "month", type: "ordinal", scale, axis: buildMonthAxis(months, step) };
}

function buildMonthAxis(months: readonly string[], step: number): Spec {
  const common = { labelAngle: 0, labelPadding: 4, title: monthColumn.label };
  const januaries = months.filter((month) => month.endsWith("-01"));
  if (step < MIN_LETTER_WIDTH) {
    const every = roundUpYears(MIN_YEAR_WIDTH / (12 * step));
    const round = januaries.filter((month) => Number(month.slice(0, 4)) % every === 0);
    // A span without a round year, or without any January, still gets one label.
    const values = round.length > 0 ? round : [januaries[0] ?? months[0]];
    return { ...common, labelExpr: "slice(datum.value, 0, 4)", values };
  }
  // A year under the first month must not overlap that of a January close by.
  const untilJanuary = januaries.length === 0 ? Infinity : months.indexOf(januaries[0]) * step;
  const first = untilJanuary >= MIN_YEAR_WIDTH ? months[0] : "";
  const letter = "substring('JFMAMJJASOND', +slice(datum.value, 5) - 1, +slice(datum.value, 5))";
  const labelExpr = `slice(datum.value, 5) === '01' || datum.value === '${first}' ` +
    `? [${letter}, slice(datum.value, 0, 4)] : ${letter}`;
  return { ...common, labelAlign: "center", labelExpr, ticks: false };
}
