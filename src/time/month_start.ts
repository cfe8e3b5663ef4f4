import { HOUR, type HourAxis, positionAtOrAfter } from "./hourly.ts";
import { monthAt, startOfMonth } from "./zones.ts";

/**
 * Finds the position of the first hour that starts in a month. A clock may go back over the month's first midnight
 * (St John's, 1 November 2009): hours that start in the old month again still belong to it.
 *
 * @param axis The hours; the position may be outside of them
 */
export function findMonthStart(
  axis: HourAxis,
  month: Temporal.PlainYearMonth,
  timeZone: string,
): number {
  let position = positionAtOrAfter(axis, startOfMonth(month, timeZone));
  while (
    Temporal.PlainYearMonth.compare(monthAt(axis.start + position * HOUR, timeZone), month) < 0
  ) position++;
  return position;
}
