import type { EnergyPeriod } from "../../windindex/calibration/production.ts";

/** A period without its energy. */
export type Period = Omit<EnergyPeriod, "energy">;

/** First instant of a month on the clocks of a zone, milliseconds since 1970 UTC. */
export function monthStart(month: Temporal.PlainYearMonth, timeZone: string): number {
  return month.toPlainDate({ day: 1 }).toZonedDateTime(timeZone).startOfDay().epochMilliseconds;
}

/**
 * Months or years, one after the other.
 *
 * @param first First month, such as `"2021-01"`
 * @param last Last month, included
 * @param monthsOfPeriod 1 for months, 12 for years
 * @param timeZone IANA zone in which they begin
 */
export function localPeriods(
  first: string,
  last: string,
  monthsOfPeriod: 1 | 12,
  timeZone: string,
): Period[] {
  const periods: Period[] = [];
  const end = Temporal.PlainYearMonth.from(last);
  let month = Temporal.PlainYearMonth.from(first);
  while (Temporal.PlainYearMonth.compare(month, end) <= 0) {
    const next = month.add({ months: monthsOfPeriod });
    periods.push({
      label: monthsOfPeriod === 1 ? month.toString() : String(month.year),
      start: monthStart(month, timeZone),
      end: monthStart(next, timeZone),
    });
    month = next;
  }
  return periods;
}
