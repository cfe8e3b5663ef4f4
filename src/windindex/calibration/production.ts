import { DAY, HOUR, type HourAxis } from "../../time/hourly.ts";

/** Hourly mean power of one unit. */
export interface HourlyProduction {
  /** Kind of the series. */
  readonly kind: "hourly";
  /** The hours; a value is the mean of the hour that starts at its timestamp. */
  readonly axis: HourAxis;
  /** Mean power of one unit, kW; missing is NaN. */
  readonly power: Float64Array;
  /** Power limit of one unit, kW; NaN without a limit. @default no limits are known */
  readonly limit?: Float64Array | undefined;
}

/** Energy of one period, by one unit. */
export interface EnergyPeriod {
  /** Name of the period: "2018-05-03", "2018-05" or "2018". */
  readonly label: string;
  /** Start, milliseconds since 1970 UTC. */
  readonly start: number;
  /** End, exclusive, milliseconds since 1970 UTC. */
  readonly end: number;
  /** Energy of one unit, kWh; missing is NaN. */
  readonly energy: number;
  /**
   * Share of the hours that the energy covers, 0 to 1: hours with a known energy in which the unit could run. Which
   * hours these were is unknown.
   * @default {1}
   */
  readonly share?: number;
}

/** Energy of days, months or years, by one unit. */
export interface PeriodProduction {
  /** Kind of the series. */
  readonly kind: "periods";
  /** The periods, in order of time, without overlap. */
  readonly periods: readonly EnergyPeriod[];
}

/** Whether production is daily. */
export function isDaily(production: Production): production is PeriodProduction {
  return production.kind === "periods" &&
    production.periods.every(({ start, end }) => end - start <= DAY + HOUR);
}

/** Spreads the energy of days evenly over their hours, for checks that need only the mean power; missing is NaN. */
export function spreadDays({ periods }: PeriodProduction): HourlyProduction {
  const [{ start }, { end }] = [periods[0], periods[periods.length - 1]];
  const power = new Float64Array(Math.round((end - start) / HOUR)).fill(NaN);
  for (const day of periods) {
    const hours = (day.end - day.start) / HOUR;
    const from = Math.round((day.start - start) / HOUR);
    power.fill(day.energy / hours, from, from + Math.round(hours));
  }
  return { kind: "hourly", axis: { start, length: power.length }, power };
}

/**
 * Sums days to months. A calibration uses months: the error of a day is several times the error of a month and shared
 * with the days around it, so daily periods would show less of a month's error than twelve months do. A month counts
 * from its first known day to its last, with the share of these hours that is known.
 *
 * @param days Days in order of time, at least one
 * @param masked 1 for days that must not count
 */
export function addDays(days: readonly EnergyPeriod[], masked: Uint8Array): EnergyPeriod[] {
  const months = Map.groupBy(days.keys(), (row) => days[row].label.slice(0, 7));
  return [...months].map(([label, rows]): EnergyPeriod => {
    const known = rows.filter((row) => masked[row] === 0 && !Number.isNaN(days[row].energy))
      .map((row) => days[row]);
    const all = known.length === 0 ? rows.map((row) => days[row]) : known;
    const [{ start }, { end }] = [all[0], all[all.length - 1]];
    if (known.length === 0) return { label, start, end, energy: NaN };
    const energy = known.reduce((sum, day) => sum + day.energy, 0);
    const hours = known.reduce((sum, day) => sum + countEnergyHours(day), 0);
    const share = hours * HOUR / (end - start);
    return { label, start, end, energy, ...share < 1 ? { share } : {} };
  });
}

/** Production by hour or by period, already divided by the number of units. */
export type Production = HourlyProduction | PeriodProduction;

/** Counts the hours that the energy of a period covers. */
export function countEnergyHours({ start, end, share = 1 }: EnergyPeriod): number {
  return share * (end - start) / HOUR;
}
