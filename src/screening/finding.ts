import { findMonthStart, HOUR, type HourAxis } from "../time/hourly.ts";
import { monthAt } from "../time/zones.ts";
import { sumOf } from "../stats/spread.ts";

/** A stretch of consecutive positions. */
export interface Run {
  /** First position. */
  readonly from: number;
  /** Position after the last one. */
  readonly to: number;
}

/** Finds the stretches of positions at which a condition is true, each as long as possible. */
export function findRuns(length: number, condition: (position: number) => boolean): Run[] {
  const runs: Run[] = [];
  let from = -1;
  for (let i = 0; i <= length; i++) {
    const inside = i < length && condition(i);
    if (inside && from === -1) from = i;
    if (!inside && from !== -1) {
      runs.push({ from, to: i });
      from = -1;
    }
  }
  return runs;
}

/** Kinds of problems in a series. */
export type FindingKind =
  | "out_of_range"
  | "standstill"
  | "idle"
  | "stuck"
  | "copied"
  | "same"
  | "dropped"
  | "flat"
  | "limited"
  | "gap"
  | "duplicate"
  | "unsorted"
  | "resolution"
  | "clock"
  | "clock_change"
  | "clock_step"
  | "wrong_unit"
  | "mixed_units"
  | "shift";

/** Lag of a clock behind the model in the standard and in the summer time of a zone, whole hours. */
export interface ClockLag {
  readonly standard: number;
  readonly summer: number;
}

/** A problem found in a series, which stays unchanged. */
export interface Finding {
  /** Kind of problem, which has its own remedy. */
  readonly kind: FindingKind;
  /** Position of the first value concerned. */
  readonly from: number;
  /** Position after the last one. */
  readonly to: number;
  /** One sentence without its period. */
  readonly message: string;
  /** Remedy, one sentence without its period. @default the remedy of its kind */
  readonly remedy?: string;
  /** Lag of a clock that is wrong in the whole record. */
  readonly lag?: ClockLag;
}

/**
 * Turns stretches of hours into findings.
 *
 * @param describe Description that follows their number of hours
 */
export function listHours(
  kind: FindingKind,
  runs: readonly Run[],
  describe: (run: Run) => string,
): Finding[] {
  return runs.map((run) => ({
    kind,
    from: run.from,
    to: run.to,
    message: `${run.to - run.from} h ${describe(run)}`,
  }));
}

/** Builds a mask of 1 for values in findings and 0 for others. */
export function buildMask(
  findings: readonly Pick<Finding, "from" | "to">[],
  length: number,
): Uint8Array {
  const mask = new Uint8Array(length);
  for (const { from, to } of findings) mask.fill(1, from, to);
  return mask;
}

/** Remedy for each kind of finding, one sentence without its period. */
export const remedies: Readonly<Record<FindingKind, string>> = {
  out_of_range:
    "No turbine can produce that: check the unit, the rated power, the number of units and the marks for missing values",
  standstill: "Ask the operator why the turbine had no production for days",
  idle: "Ask the operator why the turbine was stopped while its neighbours ran",
  stuck: "The logger repeated one value: ask for the original records of these hours",
  copied:
    "The same values occur earlier in the record, so these are probably a copy: ask for the original records",
  same:
    "A neighbour has the same values in the same hours, so one turbine probably has the records of the other: ask for both records again",
  dropped:
    "The same value near 0 occurs alone between hours of high power, so it probably means missing: leave these cells empty",
  flat:
    "The power hardly changed below rated power: ask the operator about a power limit or a frozen logger",
  limited: "The production data show that the power was limited then",
  gap: "Request the missing values from the source, because Vindkit never fills gaps",
  duplicate:
    "Keep one row of each timestamp, and check how the clock was set back in autumn and whether files overlap",
  unsorted:
    "Check for swapped day and month and for the order in which files were joined, then sort the rows by time",
  resolution: "Average the rows to whole hours first",
  clock: "Set the timestamps to the starts of whole hours, and check the clock of the logger",
  clock_change:
    "Check whether the timestamps are local time, UTC or at a fixed offset, and read them again with that time zone",
  clock_step:
    "Ask what changed that day in clock, logger or export, and read the rows before and after it separately, each in their time zone",
  mixed_units:
    "Give readProduction() the unit of that period with other_units, or correct its values in the file",
  wrong_unit: "Check the unit, the rated power and the number of units",
  shift:
    "Check the time zone of the timestamps, and whether they mark the start or the end of the hour",
};

/** Most months that a line names; it counts the others. */
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
  const total = sumOf(months, ({ hours }) => hours);
  const namedMonths = [...months].sort((a, b) => b.hours - a.hours).slice(0, MAX_NAMED)
    .map(({ label, hours }) => `${label} (${hours} h)`).join(", ");
  const more = months.length - MAX_NAMED;
  const others = more > 0 ? ` and ${more} more month${more === 1 ? "" : "s"}` : "";
  return `${kind.replaceAll("_", " ")}, ${total} h: ${namedMonths}${others}. ${remedies[kind]}.`;
}
