import { endOfAxis, findMonthStart, HOUR, type HourAxis } from "../../time/hourly.ts";
import { monthAt } from "../../time/zones.ts";

/** Share of a month's hours that must be valid for the month to count. */
export const MIN_COMPLETENESS = 0.98;

/** Modelled energy of one calendar month in the turbine's zone. */
export interface MonthlyEnergy {
  /** Calendar year. */
  readonly year: number;
  /** Calendar month, 1 to 12. */
  readonly month: number;
  /** Hours that start in the month. */
  readonly hours: number;
  /** Hours with climate. */
  readonly validHours: number;
  /** `validHours / hours`. */
  readonly completeness: number;
  /** Energy of the valid hours scaled to all hours, kWh; `null` below {@linkcode MIN_COMPLETENESS}. */
  readonly energy: number | null;
  /** Whether any hour is preliminary. */
  readonly preliminary: boolean;
}

/** Positions of the hours of one month on an axis; they may be outside of it. */
export interface MonthSpan {
  /** Calendar year. */
  readonly year: number;
  /** Calendar month, 1 to 12. */
  readonly month: number;
  /** Position of the first hour that starts in the month. */
  readonly from: number;
  /** Position after the last such hour. */
  readonly to: number;
}

/** Lists the calendar months that an axis touches. An hour belongs to the local month in which it starts. */
export function listMonthSpans(axis: HourAxis, timeZone: string): MonthSpan[] {
  if (axis.length === 0) return [];
  const spans: MonthSpan[] = [];
  let month = monthAt(axis.start, timeZone);
  let from = findMonthStart(axis, month, timeZone);
  const end = endOfAxis(axis);
  while (axis.start + from * HOUR < end) {
    const next = month.add({ months: 1 });
    const to = findMonthStart(axis, next, timeZone);
    spans.push({ year: month.year, month: month.month, from, to });
    month = next;
    from = to;
  }
  return spans;
}

/**
 * Computes the modelled energy of each calendar month that the record touches.
 *
 * @param power Mean power of each hour, kW; missing is NaN
 * @param preliminary 1 for hours whose climate may still change
 */
export function computeMonthlyEnergies(
  power: Float64Array,
  axis: HourAxis,
  timeZone: string,
  preliminary?: Uint8Array,
): MonthlyEnergy[] {
  return listMonthSpans(axis, timeZone).map(({ year, month, from, to }) => {
    let sum = 0;
    let validHours = 0;
    let flagged = false;
    for (let i = Math.max(0, from); i < Math.min(to, power.length); i++) {
      if (preliminary && preliminary[i] === 1) flagged = true;
      const value = power[i];
      if (value !== value) continue;
      sum += value;
      validHours++;
    }
    const hours = to - from;
    const completeness = validHours / hours;
    return {
      year,
      month,
      hours,
      validHours,
      completeness,
      energy: completeness >= MIN_COMPLETENESS ? sum * hours / validHours : null,
      preliminary: flagged,
    };
  });
}
