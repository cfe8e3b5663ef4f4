import { HOUR, type HourAxis } from "../time/hour_axis.ts";
import { findMonthStart } from "../time/month_start.ts";
import { monthAt } from "../time/zones.ts";
import type { Finding, FindingKind } from "./finding.ts";
import { remedies } from "./remedies.ts";

/** Months that a line names; for more it gives their number. */
const MAX_NAMED = 12;

/**
 * Describes findings in hourly values, one line a kind: hours by local month, most hours first, and the remedy.
 *
 * @param findings Findings whose positions are hours of the axis
 */
export function describeFindings(
  findings: readonly Finding[],
  axis: HourAxis,
  timeZone: string,
): string[] {
  const kinds = Object.keys(remedies) as FindingKind[];
  return kinds.flatMap((kind) => {
    const ofKind = findings.filter((finding) => finding.kind === kind);
    const months = countHoursByMonth(ofKind, axis, timeZone);
    return months.length === 0 ? [] : [formatKind(kind, months)];
  });
}

interface MonthHours {
  readonly label: string;
  hours: number;
}

/** Counts the hours with findings in each month, in order of time; an hour in two findings counts once. */
function countHoursByMonth(
  findings: readonly Finding[],
  axis: HourAxis,
  timeZone: string,
): MonthHours[] {
  const months: MonthHours[] = [];
  let counted = 0; // positions before it are counted
  let monthEnd = 0; // position after the last hour of the current month
  for (const { from, to } of [...findings].sort((a, b) => a.from - b.from)) {
    const end = Math.min(to, axis.length);
    let at = Math.max(from, counted);
    while (at < end) {
      if (at >= monthEnd) {
        const month = monthAt(axis.start + at * HOUR, timeZone);
        monthEnd = findMonthStart(axis, month.add({ months: 1 }), timeZone);
        months.push({ label: month.toString(), hours: 0 });
      }
      const next = Math.min(end, monthEnd);
      months[months.length - 1].hours += next - at;
      at = next;
    }
    counted = Math.max(counted, end);
  }
  return months;
}

function formatKind(kind: FindingKind, months: readonly MonthHours[]): string {
  const total = months.reduce((sum, { hours }) => sum + hours, 0);
  const named = [...months].sort((a, b) => b.hours - a.hours).slice(0, MAX_NAMED)
    .map(({ label, hours }) => `${label} (${hours} h)`).join(", ");
  const more = months.length - MAX_NAMED;
  const rest = more > 0 ? ` and ${more} more month${more === 1 ? "" : "s"}` : "";
  return `${kind.replaceAll("_", " ")}, ${total} h: ${named}${rest}. ${remedies[kind]}.`;
}
