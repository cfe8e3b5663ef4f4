import { assertBegun } from "../../api/calendar.ts";
import { ArgumentError } from "../../api/errors.ts";

/**
 * One end of a range, at its own precision: a year (`2023`), a month (`"2023-05"`), a day (`"2023-05-01"`), or the hour
 * that starts at a local time (`"2023-05-01T14:00"`) or at an instant (`"2023-05-01T12:00Z"`); the same as `Temporal`
 * values.
 */
export type RangeBound =
  | number
  | string
  | Temporal.PlainYearMonth
  | Temporal.PlainDate
  | Temporal.PlainDateTime
  | Temporal.ZonedDateTime
  | Temporal.Instant;

/** A range of time. It includes both ends, at their precision; without a bound, that side is open. */
export interface TimeRange {
  /** First year, month, day or hour. @default the first one with data */
  readonly from?: RangeBound | undefined;
  /** Last year, month, day or hour, included. @default the last one with data */
  readonly to?: RangeBound | undefined;
}

/** Precision of a bound. */
type Precision = "year" | "month" | "day" | "hour";

/** A parsed bound: its first and its last day, or its hour. */
type Bound =
  & { readonly name: "from" | "to"; readonly text: string }
  & (
    | {
      readonly precision: "year" | "month" | "day";
      readonly first: Temporal.PlainDate;
      readonly last: Temporal.PlainDate;
    }
    | { readonly precision: "hour"; readonly hour: Temporal.PlainDateTime | Temporal.Instant }
  );

type DayBound = Extract<Bound, { first: Temporal.PlainDate }>;

const FORMS = '2023, "2023-05", "2023-05-01" or "2023-05-01T14:00"';

function refuse(name: string, value: unknown, problem: string): never {
  const text = typeof value === "string" ? JSON.stringify(value.slice(0, 40)) : String(value);
  throw new ArgumentError(`Cannot use "${name}": ${text.slice(0, 60)} ${problem}`);
}

function daysOfText(text: string): Omit<DayBound, "name" | "text"> | undefined {
  const [, year, month, day] = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?$/.exec(text) ?? [];
  if (year === undefined) return undefined;
  const at = { year: Number(year), month: Number(month ?? 1), day: Number(day ?? 1) };
  const first = Temporal.PlainDate.from(at, { overflow: "reject" });
  if (day !== undefined) return { precision: "day", first, last: first };
  const [precision, unit] = month === undefined
    ? ["year", "years"] as const
    : ["month", "months"] as const;
  return { precision, first, last: first.add({ [unit]: 1 }).subtract({ days: 1 }) };
}

/** Years of a range: no hourly record starts earlier, and no plan ends later. */
const [FIRST_YEAR, LAST_YEAR] = [1700, 2100];

function readBound(name: "from" | "to", value: RangeBound): Bound {
  if ((value as unknown) instanceof Date) {
    throw new ArgumentError(`Cannot use "${name}": a Date has no time zone. Give ${FORMS}`);
  }
  const text = String(value); // notebooks are not type-checked, so this can be any value
  let bound: Bound;
  try {
    const days = daysOfText(text);
    if (days) bound = { name, text, ...days };
    else if (!/^\d{4}-\d{2}-\d{2}T\d{2}/.test(text)) throw new RangeError("no such form");
    else {
      const zoned = /(Z|[+-]\d{2}(:?\d{2})?)(\[|$)/.test(text);
      const hour = zoned ? Temporal.Instant.from(text) : Temporal.PlainDateTime.from(text);
      bound = { name, text: text.slice(0, 40), precision: "hour", hour };
    }
  } catch {
    refuse(name, value, `is not a year, month, day or hour. Give ${FORMS}`);
  }
  const year = dayOf(bound, 0).year;
  if (year < FIRST_YEAR || year > LAST_YEAR) {
    refuse(
      name,
      value,
      `is outside the years ${FIRST_YEAR} to ${LAST_YEAR}. Give a year within this range`,
    );
  }
  return bound;
}

/** The first day of a bound; for an instant, whose time zone is open, its UTC day with a margin of `margin` days. */
function dayOf(bound: Bound, margin: number): Temporal.PlainDate {
  if (bound.precision !== "hour") return margin > 0 ? bound.last : bound.first;
  if (bound.hour instanceof Temporal.PlainDateTime) return bound.hour.toPlainDate();
  return bound.hour.toZonedDateTimeISO("UTC").toPlainDate().add({ days: margin });
}

/** The bounds of a range, in order. */
function readBounds(
  range: TimeRange,
  when: "begun" | "any" = "begun",
): { readonly from: Bound | undefined; readonly to: Bound | undefined } {
  const from = range.from === undefined ? undefined : readBound("from", range.from);
  const to = range.to === undefined ? undefined : readBound("to", range.to);
  if (from && when === "begun") assertBegun(dayOf(from, -1), "from", from.text);
  if (from && to && Temporal.PlainDate.compare(dayOf(from, -1), dayOf(to, 1)) > 0) {
    throw new ArgumentError(
      `Cannot use the range: "from" (${from.text}) is after "to" (${to.text}). Swap them`,
    );
  }
  return { from, to };
}

function refuseFiner(bound: Bound, needed: Precision, example: string): never {
  throw new ArgumentError(
    `Cannot use "${bound.name}": ${bound.text} is a${bound.precision === "hour" ? "n" : ""} ` +
      `${bound.precision}, but this range needs whole ${needed}s. Give ${example}`,
  );
}

/** Months of a range, without open sides. */
export interface MonthRange {
  /** First month. */
  readonly from?: Temporal.PlainYearMonth | undefined;
  /** Last month, included. */
  readonly to?: Temporal.PlainYearMonth | undefined;
}

/**
 * Reads a range of months; a year is its twelve months.
 *
 * @param when Whether `from` must have begun, as it must to request data
 * @throws {ArgumentError} If a bound is finer than a month or not a time, `from` is after `to`, or has not begun
 */
export function readMonthRange(range: TimeRange, when: "begun" | "any" = "begun"): MonthRange {
  const { from, to } = readBounds(range, when);
  const month = (bound: Bound, day: "first" | "last") =>
    bound.precision === "year" || bound.precision === "month"
      ? bound[day].toPlainYearMonth()
      : refuseFiner(bound, "month", '"2023-05"');
  return {
    from: from && month(from, "first"),
    to: to && month(to, "last"),
  };
}

/**
 * Reads a range of whole years; both bounds are required.
 *
 * @throws {ArgumentError} If a bound is missing, finer than a year or not a time, `from` is after `to`, or has not begun
 */
export function readYearRange(
  range: { readonly from: RangeBound; readonly to: RangeBound },
): { from: number; to: number } {
  const { from, to } = readBounds(range);
  for (const [name, bound] of Object.entries({ from, to })) {
    if (!bound) throw new ArgumentError(`Cannot use the range: "${name}" is missing. Give a year`);
    if (bound.precision !== "year") {
      refuseFiner(bound, "year", `${dayOf(bound, 0).year}, and filter the frame`);
    }
  }
  return { from: (from as DayBound).first.year, to: (to as DayBound).first.year };
}

/** Days that contain a range, and its hours if a bound is an hour. */
export interface DayRange {
  /** First day. */
  readonly first?: Temporal.PlainDate | undefined;
  /** Day after the last one. */
  readonly end?: Temporal.PlainDate | undefined;
  /** First instant of the range in a time zone, ms since 1970 UTC, if `from` is an hour. */
  readonly firstHour?: ((timeZone: string) => number) | undefined;
  /** First instant after the range in a time zone, ms since 1970 UTC, if `to` is an hour. */
  readonly endHour?: ((timeZone: string) => number) | undefined;
}

/**
 * Reads a range of days or hours.
 *
 * @throws {ArgumentError} If a bound is not a time, `from` is after `to`, or has not begun
 */
export function readDayRange(range: TimeRange): DayRange {
  const { from, to } = readBounds(range);
  return {
    first: from && dayOf(from, -1),
    end: to && dayOf(to, 1).add({ days: 1 }),
    firstHour: from?.precision === "hour" ? (zone) => startOf(from, zone) : undefined,
    endHour: to?.precision === "hour" ? (zone) => endOf(to, zone) : undefined,
  };
}

/**
 * Reads a span of time in a time zone.
 *
 * @param timeZone Time zone of days and local times
 * @returns Its first instant and the first one after it, ms since 1970 UTC
 * @throws {ArgumentError} If a bound is missing or not a time, or `from` is after `to`
 */
export function readSpan(
  range: { readonly from: RangeBound; readonly to: RangeBound },
  timeZone: string,
): [from: number, to: number] {
  const [from, to] = [readBound("from", range.from), readBound("to", range.to)];
  const span: [number, number] = [startOf(from, timeZone), endOf(to, timeZone)];
  if (span[0] < span[1]) return span;
  throw new ArgumentError(
    `Cannot use the range: "from" (${from.text}) is after "to" (${to.text}). Swap them`,
  );
}

const HOUR = 3_600_000;

function instantOf(hour: Temporal.PlainDateTime | Temporal.Instant, timeZone: string): number {
  return hour instanceof Temporal.Instant
    ? hour.epochMilliseconds
    : hour.toZonedDateTime(timeZone).epochMilliseconds;
}

function startOf(bound: Bound, timeZone: string): number {
  return bound.precision === "hour"
    ? instantOf(bound.hour, timeZone)
    : bound.first.toZonedDateTime(timeZone).epochMilliseconds;
}

function endOf(bound: Bound, timeZone: string): number {
  return bound.precision === "hour"
    ? instantOf(bound.hour, timeZone) + HOUR
    : bound.last.add({ days: 1 }).toZonedDateTime(timeZone).epochMilliseconds;
}
