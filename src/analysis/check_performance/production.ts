import type { DataFrame } from "nodejs-polars";
import { readAvailabilityColumn, readLimitColumn } from "../../frames/production/period_shares.ts";
import { productionColumns } from "../../frames/production/production_columns.ts";
import { buildRefuse } from "../../frames/read_columns.ts";
import { HOUR, type HourAxis, placeOnGrid } from "../../time/hourly.ts";
import { formatMonthLabel, monthNumberOf, monthOfNumber, startOfMonth } from "../../time/zones.ts";
import { computeMonthlyEnergies } from "../../windindex/index/monthly_energy.ts";
import { readProductionRows } from "../series/production_rows.ts";
import { findStops, listHourEdges, type TurbineStates } from "../series/turbine_states.ts";
import { ACTION } from "./options.ts";

/** Kind of the periods. */
export type PeriodKind = "month" | "year";

/** A month or year; times are milliseconds since 1970 UTC. */
export interface Period {
  /** Months since year 0, or the year. */
  readonly number: number;
  /** "2018-05", or "2018". */
  readonly label: string;
  /** Start, and end, exclusive, in the zone of the turbine. */
  readonly start: number;
  readonly end: number;
  readonly hours: number;
}

/** Production of a month or year; missing is NaN. */
export interface ProducedPeriod extends Period {
  /** Energy, MWh. */
  readonly energy: number;
  /** Share of the period in which the turbine could run; `undefined` without a column or log that states it. */
  readonly availability: number | undefined;
  /** Hours for which the energy is known; `undefined` without such a column. */
  readonly validHours: number | undefined;
  /** Share of the hours with values, for months that are sums of hours. */
  readonly completeness: number;
}

/** Stated limit of each hour, kW, NaN for none; and the share of it that a log calls curtailed. */
export interface StatedLimits {
  readonly limit?: Float64Array | undefined;
  readonly curtailed?: Float64Array | undefined;
}

/** Hourly production. */
export interface ProducedHours {
  readonly kind: "hour";
  readonly axis: HourAxis;
  /** Mean power, kW; missing is NaN. */
  readonly power: Float64Array;
  /** Share of the hour in which the turbine could run; missing is NaN. */
  readonly availability: Float64Array | undefined;
  /** Stated limits of the power. */
  readonly stated: StatedLimits;
  /** Zone of the timestamps. */
  readonly timeZone: string;
}

/** Production of months without gaps, or of years. */
export interface ProducedPeriods {
  readonly kind: PeriodKind;
  readonly periods: readonly ProducedPeriod[];
  /** Zone whose calendar counts. */
  readonly timeZone: string;
  /** Sentences on periods whose share of the hours is unknown. */
  readonly notes: readonly string[];
}

/** Formats a month or a year: "2018-05" or "2018". */
export function labelOf(number: number, by: PeriodKind): string {
  return by === "month" ? formatMonthLabel(monthOfNumber(number)) : String(number);
}

/** Finds a month or year in the calendar of a zone. */
export function locate(by: PeriodKind, number: number, timeZone: string): Period {
  const months = by === "month" ? 1 : 12;
  const first = monthOfNumber(months * number);
  const [start, end] = [first, first.add({ months })].map((month) => startOfMonth(month, timeZone));
  return { number, label: labelOf(number, by), start, end, hours: (end - start) / HOUR };
}

/**
 * Reads production by hour, month or year, and its availability if it has one.
 *
 * @param timeZone Zone whose calendar counts. @default UTC, or the timestamps' zone
 * @param action Action named in messages
 * @param ratedPower Rated power of the producing turbines, kW, for limits given as shares of it
 * @throws {ArgumentError} If columns are missing, of another type, or repeat a period
 * @throws {DataFormatError} If hours do not begin whole hours apart
 */
export function readProducedSeries(
  production: DataFrame,
  timeZone?: string,
  action: string = ACTION,
  ratedPower = NaN,
): ProducedHours | ProducedPeriods {
  const rows = readProductionRows(production, action);
  if (rows.kind === "hour") {
    const sorted = production.sort(productionColumns.hour[0].name);
    const shares = readAvailabilityColumn(sorted, buildRefuse(`${action} from production`));
    const availability = shares && placeOnGrid(rows.grid, shares);
    const limit = readLimitColumn(sorted, ratedPower, buildRefuse(`${action} from production`));
    const stated = { limit: limit && placeOnGrid(rows.grid, limit) };
    return { ...rows, axis: rows.grid.axis, availability, stated };
  }
  const { kind, numbers, notes } = rows;
  const last = numbers[numbers.length - 1];
  const all = kind === "year"
    ? numbers
    : Array.from({ length: last - numbers[0] + 1 }, (_, i) => numbers[0] + i);
  const rowOf = new Map(numbers.map((number, row) => [number, row]));
  const periods = all.map((number): ProducedPeriod => {
    const of = (values: Float64Array | undefined) => values && (values[rowOf.get(number)!] ?? NaN);
    const energy = of(rows.energy)!;
    const [availability, validHours] = [of(rows.availability), of(rows.validHours)];
    const period = locate(kind, number, timeZone ?? "UTC");
    return { ...period, energy, availability, validHours, completeness: NaN };
  });
  return { kind, periods, timeZone: timeZone ?? "UTC", notes };
}

/** Sums hourly production by months; months with at least 98 % valid hours have an energy, scaled to all hours. */
export function sumProducedMonths(
  { power, axis }: ProducedHours,
  timeZone: string,
): ProducedPeriods {
  const periods = computeMonthlyEnergies(power, axis, timeZone).map((month): ProducedPeriod => ({
    ...locate("month", monthNumberOf(month), timeZone),
    energy: month.energy === null ? NaN : month.energy / 1000,
    availability: undefined,
    validHours: undefined,
    completeness: month.completeness,
  }));
  return { kind: "month", periods, timeZone, notes: [] };
}

/**
 * Adds stops and limits from a log. An hour or month without an entry is checked like any other, because a log may have
 * gaps.
 */
export function addStops(
  production: ProducedHours | ProducedPeriods,
  states: TurbineStates,
): ProducedHours | ProducedPeriods {
  const add = (share: number, stated: number | undefined) => share > 0 ? 1 - share : stated ?? NaN;
  if (production.kind === "hour") {
    const edges = listHourEdges(production.axis);
    const { shares } = findStops(states, edges);
    const availability = shares.map((share, i) => add(share, production.availability?.[i]));
    const { shares: curtailed } = findStops({ spells: states.curtailed }, edges);
    return { ...production, availability, stated: { ...production.stated, curtailed } };
  }
  const periods = production.periods.map((period) => {
    const { shares: [share] } = findStops(states, [period.start, period.end]);
    return { ...period, availability: add(share, period.availability) };
  });
  return { ...production, periods };
}
