import { figures } from "../../api/columns/month_columns.ts";
import { formatMonthLabel, monthOfNumber } from "../../time/zones.ts";
import type { LockedBody } from "../connection/body_lock.ts";
import type { RevisedMonth } from "./revised_months.ts";

/** A difference between a locked body and the service's. */
export interface Finding extends Partial<RevisedMonth> {
  readonly body: LockedBody;
  /** Remark, such as why nothing could be compared. */
  readonly note?: string;
  /** What is not known where a month is missing: where the bodies differ, or whether they do. */
  readonly unknown?: "where" | "whether";
}

/** Figures of a month that contain other months: they change where one of those does. */
const trailing: readonly string[] = figures.map(({ name }) => name)
  .filter((name) => name.startsWith("last"));

/** Share of the locked figure by which the present one differs: infinite where it vanished, NaN where it is new. */
function computeSize({ before = NaN, now = NaN }: Finding): number {
  if (Number.isNaN(now) && !Number.isNaN(before)) return Infinity;
  return before === now ? 0 : Math.abs(now - before) / Math.abs(before);
}

/** Sorts findings by the size of their difference, the largest first: figures that vanished before all, new ones last. */
export function sortFindings(findings: readonly Finding[]): Finding[] {
  const size = (finding: Finding) => {
    const found = computeSize(finding);
    return Number.isNaN(found) ? -1 : found;
  };
  return findings.toSorted((a, b) => size(b) - size(a));
}

/** Digits that two figures need to be told apart, at least four. */
function formatPair(before: number, now: number): string {
  for (let digits = 4;; digits++) {
    const [a, b] = [before, now].map((value) => String(Number(value.toPrecision(digits))));
    if (a !== b || digits === 15) return `${a} to ${b}`;
  }
}

/** Name of a month in a sentence: of a turbine, or of a place's climate. */
function nameMonth({ body, month }: Finding): string {
  const { turbine_id, service_id } = body.parameters;
  return `${formatMonthLabel(monthOfNumber(month!))} of ${turbine_id ?? service_id}`;
}

/**
 * Says in a sentence what changed among the months that were used.
 *
 * @param findings Differences, the largest first
 * @param used Months that the revised bodies had when they were locked, named as by {@linkcode keyMonth}
 */
export function describeRevision(
  findings: readonly Finding[],
  used: ReadonlySet<string>,
): string {
  const dated = findings.filter(({ month }) => month !== undefined);
  const ofUsed = dated.filter((finding) => used.has(keyMonth(finding.body, finding.month!)));
  const own = ofUsed.filter(({ column }) => !trailing.includes(column!));
  const count = (some: readonly Finding[]) =>
    new Set(some.map(({ body, month }) => keyMonth(body, month!)));
  const [changed, touched, all] = [own, ofUsed, dated].map(count);
  const countBodies = (unknown: Finding["unknown"]) => {
    const { length } = findings.filter((finding) => finding.unknown === unknown);
    return [length, length === 1 ? "body" : "bodies"] as const;
  };
  const [differing, differingNoun] = countBodies("where");
  const [open, openNoun] = countBodies("whether");
  const [largest] = own;
  const shown = largest &&
    (own.find(({ body, month, column }) =>
      body === largest.body && month === largest.month && column === "month_index"
    ) ?? largest);
  const parts = [
    ...(changed.size > 0
      ? [
        `${changed.size} of the ${used.size} months in the locked answers changed${
          changed.size > 1 ? ", most" : ":"
        } ` +
        `${nameMonth(shown)}, ${shown.column} ` +
        (shown.before === undefined || Number.isNaN(shown.before + shown.now!)
          ? "is missing in one of them"
          : formatPair(shown.before, shown.now!)),
      ]
      : differing + open === 0
      ? ["no month that was used changed"]
      : []),
    ...(differing > 0
      ? [`${differing} ${differingNoun} differ${differing === 1 ? "s" : ""}, where is unknown`]
      : []),
    ...(open > 0 ? [`${open} ${openNoun} could not be compared`] : []),
    ...(touched.size > changed.size
      ? [
        `${touched.size - changed.size} more only in figures of twelve months, a quarter or a year`,
      ]
      : []),
    ...(all.size > touched.size
      ? [`${all.size - touched.size} new since the lock was written`]
      : []),
  ];
  return parts.join("; ");
}

/** Names a month of a body: the same month of a turbine in its hours and its indices has one name. */
export function keyMonth({ parameters, operation }: LockedBody, month: number): string {
  return `${parameters.turbine_id ?? `${operation} ${JSON.stringify(parameters)}`} ${month}`;
}
