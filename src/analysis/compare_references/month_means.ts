import type { HourAxis } from "../../time/hourly.ts";
import { monthNumberOf } from "../../time/zones.ts";
import { listMonthSpans, MIN_COMPLETENESS } from "../../windindex/index/monthly_energy.ts";
import { countEnergyHours, type EnergyPeriod } from "../../windindex/calibration/production.ts";
import { MIN_SHARE } from "../../frames/production/period_shares.ts";
import type { ProductionSeries } from "./reference_fit.ts";

/**
 * Computes the mean of each month in which at least 98 % of the hours have a value, by months since year 0.
 *
 * @param values Hourly values; missing is NaN
 */
export function computeMonthMeans(
  values: Float64Array,
  axis: HourAxis,
  timeZone: string,
): Map<number, number> {
  return new Map(
    listMonthSpans(axis, timeZone).flatMap(({ year, month, from, to }) => {
      const own = values.subarray(Math.max(0, from), Math.max(0, to))
        .filter((value) => !Number.isNaN(value));
      if (own.length < MIN_COMPLETENESS * (to - from)) return [];
      const mean = own.reduce((sum, value) => sum + value, 0) / own.length;
      return [[monthNumberOf({ year, month }), mean] as const];
    }),
  );
}

/**
 * Computes the mean power of each month of the production, in any unit: of a monthly energy over the hours that it is of,
 * where these are at least half of the month.
 */
export function computeProducedMeans(
  { production, timeZone }: ProductionSeries,
): Map<number, number> {
  if (production.kind === "hourly") {
    return computeMonthMeans(production.power, production.axis, timeZone);
  }
  return new Map(
    production.periods.filter(isKnown).map((period) => [
      monthNumberOf(Temporal.PlainYearMonth.from(period.label)),
      period.energy / countEnergyHours(period),
    ]),
  );
}

/** Whether the energy of a month is known for at least half of its hours. */
export function isKnown({ energy, share = 1 }: EnergyPeriod): boolean {
  return !Number.isNaN(energy) && share >= MIN_SHARE;
}
