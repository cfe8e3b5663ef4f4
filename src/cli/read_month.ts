import { MisuseError } from "./command.ts";

/**
 * Reads a month that an option gives.
 *
 * @param text The month, such as "2025-12"
 * @throws {MisuseError} If it is not a month
 */
export function readMonth(text: string, option: string): string {
  try {
    if (Temporal.PlainYearMonth.from(text).toString() === text) return text;
  } catch {
    // Reported below.
  }
  throw new MisuseError(`Cannot read "${text}" in ${option}: give a month such as 2025-12`);
}
