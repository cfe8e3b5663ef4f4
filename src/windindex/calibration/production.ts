import { HOUR, type HourAxis } from "../../time/hourly.ts";

/** Hourly mean power of one unit. */
export interface HourlyProduction {
  /** Kind of the series. */
  readonly kind: "hourly";
  /** The hours; a value is the mean of the hour that starts at its stamp. */
  readonly axis: HourAxis;
  /** Mean power of one unit, kW; missing is NaN. */
  readonly power: Float64Array;
}

/** Energy of one period, by one unit. */
export interface EnergyPeriod {
  /** Name of the period: "2018-05" or "2018". */
  readonly label: string;
  /** Start, milliseconds since 1970 UTC. */
  readonly start: number;
  /** End, exclusive, milliseconds since 1970 UTC. */
  readonly end: number;
  /** Energy of one unit, kWh; missing is NaN. */
  readonly energy: number;
  /**
   * Share of the hours that the energy covers, 0 to 1: those with a known energy in which the unit could run. Which
   * hours these were is unknown.
   * @default {1}
   */
  readonly share?: number;
}

/** Energy of months or years, by one unit. */
export interface PeriodProduction {
  /** Kind of the series. */
  readonly kind: "periods";
  /** The periods, in order of time, without overlap. */
  readonly periods: readonly EnergyPeriod[];
}

/** Production by hour or by period, already divided by the number of units. */
export type Production = HourlyProduction | PeriodProduction;

/** Counts the hours that the energy of a period covers. */
export function countEnergyHours({ start, end, share = 1 }: EnergyPeriod): number {
  return share * (end - start) / HOUR;
}
