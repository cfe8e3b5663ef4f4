import type { DataFrame } from "nodejs-polars";
import { month as monthColumn } from "../../api/columns/columns.ts";
import { calendarMonth } from "../../show/text/numbers.ts";
import { HOUR } from "../../time/hourly.ts";
import { clockAt } from "../../time/zones.ts";
import { ramp } from "../drawing/theme.ts";
import type { Spec } from "./marks.ts";
import { readNumberColumn, refusePlot } from "./read.ts";

/** Width of a month from which the axis shows its letter, pixels; below, it shows years only. */
const MIN_LETTER_WIDTH = 13;

/** Width of a bar, pixels. */
const MAX_BAR_WIDTH = 48;

/** Space for a year on the axis, pixels. */
const MIN_YEAR_WIDTH = 36;

/** Width of a month from which bars have gaps, pixels: narrower gaps would flicker. */
const MIN_GAP_WIDTH = 3;

/** All months from the first to the last of a list, including months that are missing in it. */
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

/** The smallest of 1, 2, 5, 10, 20, 50 and 100 years that is not below `least`. */
export function roundUpYears(least: number): number {
  return [1, 2, 5, 10, 20, 50].find((years) => years >= least) ?? 100;
}

/** Horizontal channel of months: texts, not instants, so no time zone can shift them. */
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
  // a year under the first month must not overlap the next January's
  const untilJanuary = januaries.length === 0 ? Infinity : months.indexOf(januaries[0]) * step;
  const first = untilJanuary >= MIN_YEAR_WIDTH ? months[0] : "";
  const letter = "substring('JFMAMJJASOND', +slice(datum.value, 5) - 1, +slice(datum.value, 5))";
  const labelExpr = `slice(datum.value, 5) === '01' || datum.value === '${first}' ` +
    `? [${letter}, slice(datum.value, 0, 4)] : ${letter}`;
  return { ...common, labelAlign: "center", labelExpr, ticks: false };
}

/**
 * Position of each year in a frame.
 *
 * @throws {ArgumentError} If one is missing, not a whole number or duplicated
 */
export function readYearPositions(
  frame: DataFrame,
  name: string,
  plot: string,
): Map<number, number> {
  const positions = new Map<number, number>();
  readNumberColumn(frame, name, plot).forEach((year, i) => {
    if (year === null || !Number.isInteger(year) || positions.has(year)) {
      refusePlot(
        plot,
        `${name} ${year ?? "of row " + (i + 1)} ${
          year === null
            ? "is missing"
            : positions.has(year)
            ? "is duplicated"
            : "is not a whole number"
        }. Keep one row per year`,
      );
    }
    positions.set(year, i);
  });
  return positions;
}

/** All years from the first to the last. */
export function listYears(years: Iterable<number>): number[] {
  const all = [...years];
  const first = Math.min(...all);
  return Array.from({ length: Math.max(...all) - first + 1 }, (_, i) => first + i);
}

/** Horizontal channel of years, with as many labels as fit. */
export function buildYearChannel(years: readonly number[], width: number, title: string): Spec {
  const every = roundUpYears(MIN_YEAR_WIDTH * years.length / width);
  const round = years.filter((year) => year % every === 0).map(String);
  return {
    field: "period",
    type: "ordinal",
    scale: { domain: years.map(String), paddingInner: 0.15, paddingOuter: 0.1 },
    axis: { labelAngle: 0, title, values: round.length > 0 ? round : [String(years[0])] },
  };
}

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

/** The next label by the clock: 6:00, 12:00, 18:00 also on a day of 23 hours. */
function addStep(at: Temporal.ZonedDateTime, step: Step): Temporal.ZonedDateTime {
  const next = at.toPlainDateTime().add(step);
  // Labels of days start again each month, with space before the first day's label.
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

/** Colours of `count` classes, from pale to dark. */
export function pickClassColors(count: number): string[] {
  if (count === 1) return [ramp[3]];
  return Array.from(
    { length: count },
    (_, i) => ramp[Math.round(i * (ramp.length - 1) / (count - 1))],
  );
}

/** The smallest step of 1, 2 or 5 times a power of ten that divides a length into at most `most` parts. */
export function chooseRoundStep(length: number, most: number): number {
  const least = length / most;
  const power = 10 ** Math.floor(Math.log10(least));
  return [1, 2, 5, 10].map((factor) => factor * power).find((step) => step >= least * (1 - 1e-9)) ??
    10 * power;
}
