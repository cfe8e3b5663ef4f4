import type { DataFrame } from "nodejs-polars";
import type { Column } from "../../api/columns/column.ts";
import { buildRows } from "../../frames/frame.ts";
import { describeFrame, type Origin } from "../../frames/provenance.ts";
import { dayAt, formatMonthLabel } from "../../time/zones.ts";
import { quantile } from "../../stats/spread.ts";
import { remedies } from "../../screening/finding.ts";
import type { MonthLag } from "../../screening/shift/shift.ts";
import type { CardRow } from "../../show/card.ts";
import { formatNumber, formatShare } from "../../show/text/numbers.ts";
import { findingColumns } from "./quality_columns.ts";
import type { MonthShare } from "./month_shares.ts";
import type { SeriesFinding } from "./series_findings.ts";

/** Largest number of months that a sentence names. */
const MAX_NAMED = 6;

/** Builds the frame of findings, with instants in the zone. */
export function buildFindingsFrame(
  findings: readonly SeriesFinding[],
  timeZone: string,
  origin: Origin,
): DataFrame {
  const rows = findings.map((finding) => ({
    kind: finding.kind,
    from: finding.start,
    to: finding.end,
    hours: finding.hours,
    message: messageOf(finding),
    remedy: remedyOf(finding),
  }));
  const frame = buildRows(findingColumns, rows, timeZone);
  return describeFrame(frame, findingColumns, origin);
}

/** Message without the remedy, which is a column of its own. */
function messageOf({ kind, message }: SeriesFinding): string {
  const end = `. ${remedies[kind]}`;
  return message.endsWith(end) ? message.slice(0, -end.length) : message;
}

function remedyOf({ kind, weather }: SeriesFinding): string {
  return weather && kind === "out_of_range"
    ? "Check the unit and the marks for missing values"
    : remedies[kind];
}

/** Describes findings, one sentence a kind, most hours first. */
function describeKinds(findings: readonly SeriesFinding[], timeZone: string): string[] {
  const kinds = [...new Set(findings.map(({ kind }) => kind))].map((kind) => {
    const own = findings.filter((finding) => finding.kind === kind)
      .toSorted((a, b) => b.hours - a.hours);
    return { kind, own, hours: own.reduce((sum, finding) => sum + finding.hours, 0) };
  }).sort((a, b) => b.hours - a.hours);
  return kinds.map(({ kind, own, hours }) => {
    const [longest] = own;
    const name = kind.replaceAll("_", " ");
    const head = `${name[0].toUpperCase()}${name.slice(1)}: `;
    const where = `${messageOf(longest)}, from ${dayAt(longest.start, timeZone)}. ` +
      remedyOf(longest);
    return own.length === 1
      ? `${head}${where}`
      : `${head}${own.length} findings, ${formatNumber(hours, hours % 1 === 0 ? 0 : 1)} h ` +
        `together; the longest: ${where}`;
  });
}

/** Writes completeness and findings in sentences. */
export function writeSummary(
  findings: readonly SeriesFinding[],
  shares: readonly MonthShare[],
  share: number,
  timeZone: string,
): string[] {
  const worst = shares.filter((month) => month.share < 1).sort((a, b) => a.share - b.share);
  const named = worst.slice(0, MAX_NAMED)
    .map((month) =>
      `${formatMonthLabel(month)} ${formatShare(month.share)} %` +
      (month.cut ? ` (the record ${month.cut} in it)` : "")
    ).join(", ");
  const more = worst.length - MAX_NAMED;
  return [
    `${formatShare(share)} % of the hours from the first row to the last have a value` +
    (worst.length === 0
      ? ""
      : `; the least complete months: ${named}${more > 0 ? ` and ${more} more` : ""}`),
    ...(findings.length === 0
      ? ["The checks found no problems"]
      : describeKinds(findings, timeZone)),
  ];
}

/** Describes the lag of a series behind the model. */
export function describeLags(lags: readonly MonthLag[]): string[] {
  if (lags.length === 0) return [];
  const sorted = Float64Array.from(lags, ({ lag }) => lag).sort();
  const [low, middle, high] = [0, 0.5, 1].map((share) => quantile(sorted, share).toFixed(2));
  const months = `${lags.length} month${lags.length === 1 ? "" : "s"}`;
  return [`Lag behind the model: ${middle} h in the median of ${months}, from ${low} to ${high} h`];
}

/** Lists the figures above the tables. */
export function listFacts(
  { column, what, rows, timeZone, share }: {
    readonly column: Column;
    readonly what: string;
    readonly rows: number;
    readonly timeZone: string;
    readonly share: number;
  },
): CardRow[] {
  const { label, unit } = column;
  return [
    { label: "Column", value: unit ? `${label} (${unit})` : label },
    { label: "Values", value: `${formatNumber(rows)} row${rows === 1 ? "" : "s"}, ${what}` },
    { label: "Zone of the months", value: timeZone },
    { label: "Completeness", value: `${formatShare(share)} %` },
  ];
}
