import type { DataFrame } from "nodejs-polars";
import { addedColumn, type Column, withEnds } from "../../api/columns/column.ts";
import { month, time } from "../../api/columns/columns.ts";
import { buildFrame } from "../../frames/frame.ts";
import { remedies } from "../../screening/finding.ts";
import type { MonthLag } from "../../screening/shift/shift.ts";
import type { CardRow } from "../../show/card.ts";
import {
  calendarMonth,
  formatCount,
  formatShare,
  monthColumnName,
} from "../../show/text/numbers.ts";
import { quantile, sumOf } from "../../stats/spread.ts";
import { dayAt, formatMonthLabel } from "../../time/zones.ts";
import { listMonthSpans } from "../../windindex/index/monthly_energy.ts";
import type { SeriesFinding } from "./findings.ts";
import type { QualitySeries } from "./quality_series.ts";
import type { QualityFinding } from "./words.ts";

/** The findings of `checkQuality()`: one row each, in order of time. */
export const findingColumns: readonly Column[] = [
  addedColumn(
    "kind",
    "utf8",
    "Finding",
    "Kind of the finding: a gap, a standstill, a shift and so on.",
  ),
  { ...time, name: "from", label: "From", description: "Start of the finding.", tag: "ours" },
  { ...time, name: "to", label: "To", description: "End of the finding.", tag: "ours" },
  addedColumn("hours", "f64", "Hours", "Hours of the finding; for gaps, missing hours.", "h"),
  addedColumn("message", "utf8", "What", "The finding in words."),
  addedColumn("remedy", "utf8", "Remedy", "Advice for repair; the check changes no values."),
];

/** Columns of the calendar months, January first: `jan` to `dec`. */
const monthShareColumns: readonly Column[] = Array.from({ length: 12 }, (_, i) => {
  const name = calendarMonth(`2000-${String(i + 1).padStart(2, "0")}`);
  return {
    name: monthColumnName(i + 1),
    dtype: "f64",
    range: [0, 1],
    label: name.slice(0, 3),
    description:
      `Share of the hours of ${name} that have a value. In the month in which the record begins or ends, ` +
      "all hours count; missing outside the record.",
    tag: "ours",
  };
});

/** The completeness of `checkQuality()`: one row per year, one column per month. */
export const completenessColumns: readonly Column[] = [
  addedColumn("year", "i32", "Year", "Calendar year."),
  ...monthShareColumns,
];

/** The lags of `checkQuality()`: one row per month with enough values. */
export const lagColumns: readonly Column[] = [
  month,
  ...withEnds(
    addedColumn("lag", "f64", "Lag", "Lag of the production behind the model.", "h"),
  ),
  {
    name: "correlation",
    dtype: "f64",
    range: [-1, 1],
    label: "Correlation",
    description: "Correlation of production and model at that lag.",
    tag: "ours",
  },
];

/** Completeness of a calendar month. */
export interface MonthShare {
  /** Calendar year. */
  readonly year: number;
  /** Calendar month, 1 to 12. */
  readonly month: number;
  /** Share of its hours that have a value. */
  readonly share: number;
  /** Whether the record begins or ends within it. @default neither */
  readonly cut?: "begins" | "ends" | "begins and ends" | undefined;
}

/** Computes the completeness of each month that a series touches, over the month's real hours in its zone. */
export function computeMonthShares(
  { values, perHour, axis, timeZone, rows: [first, end] }: QualitySeries,
): MonthShare[] {
  return listMonthSpans(axis, timeZone).map(({ year, month, ...hours }) => {
    const [from, to] = [hours.from * perHour, hours.to * perHour];
    const monthValues = values.subarray(Math.max(0, from), to);
    const valid = monthValues.reduce((count, value) => Number.isNaN(value) ? count : count + 1, 0);
    const [begins, ends] = [first > from, end < to];
    const cut = begins && ends ? "begins and ends" : begins ? "begins" : ends ? "ends" : undefined;
    return { year, month, share: valid / (to - from), cut };
  });
}

/** Builds a table of years by months; months outside of the record are null. */
export function buildCompletenessTable(shares: readonly MonthShare[]): DataFrame {
  const [first, last] = [shares[0].year, shares[shares.length - 1].year];
  const years = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  const known = new Map(shares.map(({ year, month, share }) => [12 * year + month, share]));
  return buildFrame(completenessColumns, {
    year: years,
    ...Object.fromEntries(monthShareColumns.map(({ name }, i) => [
      name,
      years.map((year) => known.get(12 * year + i + 1) ?? null),
    ])),
  });
}

/** Most months that a sentence names. */
const MAX_NAMED = 6;

/** Rows of the findings. */
export function listFindings(findings: readonly SeriesFinding[]) {
  return findings.map((finding) => ({
    kind: finding.kind,
    from: finding.start,
    to: finding.end,
    hours: finding.hours,
    message: messageOf(finding),
    remedy: remedyOf(finding),
  }));
}

/** Message without the remedy, which has its own column. */
function messageOf({ kind, message }: SeriesFinding): string {
  const end = `. ${remedies[kind]}`;
  return message.endsWith(end) ? message.slice(0, -end.length) : message;
}

function remedyOf({ kind, weather }: SeriesFinding): string {
  return weather && kind === "out_of_range"
    ? "Check the unit and the marks for missing values"
    : remedies[kind];
}

/** Groups findings by kind, most hours first. */
function listKinds(findings: readonly SeriesFinding[], timeZone: string): QualityFinding[] {
  const kinds = [...new Set(findings.map(({ kind }) => kind))].map((kind) => {
    const ofKind = findings.filter((finding) => finding.kind === kind)
      .toSorted((a, b) => b.hours - a.hours);
    return { kind, ofKind, hours: sumOf(ofKind, (finding) => finding.hours) };
  }).sort((a, b) => b.hours - a.hours);
  return kinds.map(({ kind, ofKind, hours }) => ({
    code: "problem",
    kind,
    findings: ofKind.length,
    hours,
    longest: messageOf(ofKind[0]),
    from: dayAt(ofKind[0].start, timeZone).toString(),
    remedy: remedyOf(ofKind[0]),
  }));
}

/** Lists completeness, findings by their kind, and the lag behind the model. */
export function listResults(
  findings: readonly SeriesFinding[],
  shares: readonly MonthShare[],
  share: number,
  timeZone: string,
  lags: readonly MonthLag[],
): QualityFinding[] {
  const worst = shares.filter((month) => month.share < 1).sort((a, b) => a.share - b.share);
  const least = worst.slice(0, MAX_NAMED).map((one) => (
    { month: formatMonthLabel(one), share: one.share, cut: one.cut ?? null }
  ));
  const results: QualityFinding[] = [
    { code: "complete", share, least, more: worst.length - least.length },
    ...(findings.length === 0 ? [{ code: "no_problems" } as const] : listKinds(findings, timeZone)),
  ];
  if (lags.length > 0) {
    const sorted = Float64Array.from(lags, ({ lag }) => lag).sort();
    const [low, median, high] = [0, 0.5, 1].map((share) => quantile(sorted, share));
    results.push({ code: "lag", median, low, high, months: lags.length });
  }
  return results;
}

/** Lists the figures above the tables. */
export function listFacts(
  { column, resolution, rows, timeZone, share }: {
    readonly column: Column;
    readonly resolution: string;
    readonly rows: number;
    readonly timeZone: string;
    readonly share: number;
  },
): CardRow[] {
  const { label, unit } = column;
  return [
    { label: "Column", value: unit ? `${label} (${unit})` : label },
    { label: "Values", value: `${formatCount(rows, "row")}, ${resolution}` },
    { label: "Zone of the months", value: timeZone },
    { label: "Completeness", value: `${formatShare(share)} %` },
  ];
}
