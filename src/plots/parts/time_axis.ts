import { HOUR } from "../../time/hourly.ts";
import { clockAt } from "../../time/zones.ts";
import { calendarMonth } from "../../show/text/month.ts";
import type { Spec } from "./assemble.ts";

/** Space for a label, pixels. */
const LABEL_WIDTH = 56;

const DAY = 24 * HOUR;

/** Distance of two labels: exactly one field is set. */
interface Step {
  readonly hours?: number;
  readonly days?: number;
  readonly months?: number;
  readonly years?: number;
}

/** Possible distances of labels, each with its approximate length, ms. */
const STEPS: readonly (readonly [Step, number])[] = [
  ...[1, 3, 6, 12].map((hours) => [{ hours }, hours * HOUR] as const),
  ...[1, 2, 5, 10].map((days) => [{ days }, days * DAY] as const),
  ...[1, 3, 6].map((months) => [{ months }, months * 30.4 * DAY] as const),
  ...[1, 2, 5, 10, 20, 50, 100].map((years) => [{ years }, years * 365.25 * DAY] as const),
];

/** A day in words: "3 May 2023". */
export function formatDay(epoch: number, zone: string): string {
  const { year, month, day } = clockAt(epoch, zone);
  return `${day} ${formatMonthName(month)} ${year}`;
}

function formatMonthName(month: number): string {
  return calendarMonth(`0000-${String(month).padStart(2, "0")}`);
}

/** The last label at or before an instant. */
function findFirstLabel(start: Temporal.ZonedDateTime, step: Step) {
  const day = start.startOfDay();
  if (step.hours !== undefined || step.days !== undefined) {
    return step.days === undefined || step.days === 1 ? day : day.with({ day: 1 });
  }
  const { months, years = 1 } = step;
  if (months !== undefined) return day.with({ day: 1, month: 1 });
  return day.with({ day: 1, month: 1, year: Math.floor(start.year / years) * years });
}

function formatLabel(at: Temporal.ZonedDateTime, step: Step): string {
  if (step.years !== undefined) return String(at.year);
  const short = formatMonthName(at.month).slice(0, 3);
  if (step.months !== undefined) return at.month === 1 ? String(at.year) : short;
  const midnight = at.hour === 0 && at.minute === 0;
  if (step.days !== undefined || midnight) return `${at.day} ${short}`;
  return at.toPlainTime().toString({ smallestUnit: "minute" });
}

/** Labels of a time axis by their instant, ms since 1970 UTC. */
export function buildTimeLabels(
  from: number,
  to: number,
  zone: string,
  width: number,
): Map<number, string> {
  const most = Math.max(2, Math.floor(width / LABEL_WIDTH));
  const [step] = STEPS.find(([, length]) => (to - from) / length <= most) ??
    STEPS[STEPS.length - 1];
  const labels = new Map<number, string>();
  let at = findFirstLabel(clockAt(from, zone), step);
  while (at.epochMilliseconds <= to) {
    if (at.epochMilliseconds >= from) labels.set(at.epochMilliseconds, formatLabel(at, step));
    at = addStep(at, step);
  }
  return labels;
}

/** The next label, on the clock: 6:00, 12:00, 18:00 also on a day of 23 hours. */
function addStep(at: Temporal.ZonedDateTime, step: Step): Temporal.ZonedDateTime {
  const next = at.toPlainDateTime().add(step);
  // Labels of days start again each month, with space before the label of its first day.
  const days = step.days ?? 0;
  if (days > 1 && (next.month !== at.month || next.daysInMonth - next.day < days / 2)) {
    return at.with({ day: 1 }).add({ months: 1 });
  }
  return next.toZonedDateTime(at.timeZoneId);
}

/** Horizontal channel of instants, ms since 1970, labelled in a zone: the browser's own zone cannot shift it. */
export function buildTimeChannel(
  field: string,
  from: number,
  to: number,
  zone: string,
  width: number,
  labelled: boolean,
): Spec {
  const labels = buildTimeLabels(from, to, zone, width);
  const axis = {
    values: [...labels.keys()],
    labels: labelled,
    labelExpr: `(${JSON.stringify(Object.fromEntries(labels))})[datum.value]`,
    title: labelled ? `Time, ${zone}` : null,
    grid: true,
  };
  return { field, type: "quantitative", scale: { domain: [from, to], nice: false }, axis };
}
