import { ArgumentError } from "./errors.ts";

/** A calendar month: `"2023-05"` or a `Temporal.PlainYearMonth`. */
export type MonthLike = string | Temporal.PlainYearMonth;

/** First and last year of a four-digit date. The service decides whether a year has data. */
export const YEAR_RANGE = [1, 9999] as const;

/** Why a text is not a month of the form `2023-05`, or `null` if it is one. */
export function problemWithMonth(text: string): string | null {
  const match = /^(\d{4})-(\d{2})$/.exec(text);
  if (!match) return `"${text.slice(0, 40)}" is not of the form "2023-05"`;
  if (match[1] === "0000") return "0000 is not a year";
  const month = Number(match[2]);
  return month >= 1 && month <= 12 ? null : `${text} has no month from 01 to 12`;
}

/** Why a text is not a date of the form `2023-05-01`, or `null` if it is one. */
export function problemWithDate(text: string): string | null {
  const match = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text);
  if (!match) return `"${text.slice(0, 40)}" is not of the form "2023-05-01"`;
  if (match[1] === "0000") return "0000 is not a year";
  try {
    Temporal.PlainDate.from(text, { overflow: "reject" });
    return null;
  } catch {
    return `${text} is not a day of the calendar`;
  }
}

/**
 * Reads a month given by a caller.
 *
 * @throws {ArgumentError} If the value is not a month
 */
export function toMonth(value: MonthLike, what = "the month"): Temporal.PlainYearMonth {
  const text = String(value); // notebooks are not type-checked, so it may be anything
  const problem = value === undefined || value === null ? "it is missing" : problemWithMonth(text);
  if (problem) {
    throw new ArgumentError(`Cannot read ${what}: ${problem}. Give a month such as "2023-05"`);
  }
  return Temporal.PlainYearMonth.from(text);
}

/** Time zone in which a day begins first. */
const EARLIEST_ZONE = "Pacific/Kiritimati";

/**
 * Refuses a month or a day that has not started in any time zone: no service has data for it.
 *
 * @param text The value as the caller wrote it
 * @throws {ArgumentError} If it is in the future
 */
export function assertBegun(
  value: Temporal.PlainYearMonth | Temporal.PlainDate,
  name: string,
  text: string = value.toString(),
): void {
  const today = Temporal.Now.plainDateISO(EARLIEST_ZONE);
  const first = value instanceof Temporal.PlainDate ? value : value.toPlainDate({ day: 1 });
  if (Temporal.PlainDate.compare(first, today) <= 0) return;
  throw new ArgumentError(`Cannot use ${name}: ${text} has not begun yet. Give an earlier date`);
}
