import { ArgumentError } from "../../api/errors.ts";
import { formatMonthSpan, type MonthSpan } from "../series/local_months.ts";

/** Reads a month as "2024-03" or a year as "2003" into months since year 0. */
function readMonthNames(text: string, what: string): number[] {
  const [, year, month] = /^(\d{4})(?:-(0[1-9]|1[0-2]))?$/.exec(text) ?? [];
  if (year === undefined) {
    throw new ArgumentError(
      `Cannot ${what}: "${text}" in leaveOut is not a month. Give months as "2024-03", or years as "2024"`,
    );
  }
  const first = 12 * Number(year);
  return month === undefined
    ? Array.from({ length: 12 }, (_, i) => first + i)
    : [first + Number(month) - 1];
}

/**
 * Reads the months that a caller leaves out into months since year 0.
 *
 * @param leaveOut Months as "2024-03", or years as "2003" for all their months
 * @param what Action, for messages
 * @throws {ArgumentError} If one is neither a month nor a year
 */
export function readLeftOutMonths(leaveOut: readonly string[], what: string): Set<number> {
  return new Set(leaveOut.flatMap((text) => readMonthNames(text, what)));
}

/**
 * Checks that a record has what a caller leaves out: a misspelt month would leave an outage in.
 *
 * @param leaveOut Months or years
 * @param span First and last month of the record
 * @param what Action, for messages
 * @throws {ArgumentError} If one of them is outside of the record
 */
export function assertInRecord(
  leaveOut: readonly string[],
  span: MonthSpan,
  what: string,
): void {
  const [first, last] = span;
  const outside = leaveOut.filter((text) =>
    !readMonthNames(text, what).some((number) => number >= first && number <= last)
  );
  if (outside.length === 0) return;
  throw new ArgumentError(
    `Cannot ${what} without ${outside.join(", ")}: the record has ${formatMonthSpan(span)}`,
  );
}
