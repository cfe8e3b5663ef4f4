import type { DataFrame } from "nodejs-polars";
import { readAvailabilityColumn } from "../../frames/production/period_shares.ts";
import { productionColumns } from "../../frames/production/production_columns.ts";
import { buildRefuse } from "../../frames/read_columns.ts";
import { type HourAxis, placeOnGrid } from "../../time/hourly.ts";
import { formatMonthLabel, monthNumberOf, monthOfNumber, startOfMonth } from "../../time/zones.ts";
import { computeMonthlyEnergies } from "../../windindex/index/monthly_energy.ts";
import { readProductionRows } from "../series/production_rows.ts";
import { findStops, listHourEdges, type TurbineStates } from "../series/turbine_states.ts";
import { WHAT } from "./options.ts";

/** Hourly production. */
export interface ProducedHours {
  /** Kind of the series. */
  readonly kind: "hour";
  /** The hours. */
  readonly axis: HourAxis;
  /** Mean power, kW; missing is NaN. */
  readonly power: Float64Array;
  /** Share of the hour in which the turbine could run; missing is NaN. */
  readonly availability: Float64Array | undefined;
  /** Zone of the stamps. */
  readonly timeZone: string;
}

/** Energy of months or years. */
export interface ProducedPeriods {
  /** Kind of the series. */
  readonly kind: "month" | "year";
  /** Months since year 0 without gaps, or years. */
  readonly numbers: readonly number[];
  /** Energy, MWh; missing is NaN. */
  readonly energy: Float64Array;
  /** Share of the period in which the turbine could run; missing is NaN. */
  readonly availability: Float64Array | undefined;
  /** Hours for which the energy is known; missing is NaN. */
  readonly validHours: Float64Array | undefined;
  /** Share of the hours with values, of months that are sums of hours. */
  readonly completeness: Float64Array | undefined;
  /** Which shares of the hours are unknown, in sentences. */
  readonly notes: readonly string[];
}

/**
 * Reads production by hour, month or year, with its availability where it has one.
 *
 * @param what Action, for messages
 * @throws {ArgumentError} If columns are missing, of another type, or repeat a period
 * @throws {DataFormatError} If hours do not begin whole hours apart
 */
export function readProducedSeries(
  production: DataFrame,
  what: string = WHAT,
): ProducedHours | ProducedPeriods {
  const rows = readProductionRows(production, what);
  if (rows.kind === "hour") {
    const { grid, power, timeZone } = rows;
    const [time] = productionColumns.hour;
    const shares = readAvailabilityColumn(
      production.sort(time.name),
      buildRefuse(`${what} from production`),
    );
    const availability = shares && placeOnGrid(grid, shares);
    return { kind: "hour", axis: grid.axis, power, availability, timeZone };
  }
  const { kind, numbers, energy, notes } = rows;
  if (kind === "year") return { ...rows, kind, completeness: undefined };
  const [first, last] = [numbers[0], numbers[numbers.length - 1]];
  const all = Array.from({ length: last - first + 1 }, (_, i) => first + i);
  const placed = (values: Float64Array) => {
    const months = new Float64Array(all.length).fill(NaN);
    numbers.forEach((number, i) => months[number - first] = values[i]);
    return months;
  };
  return {
    kind,
    numbers: all,
    energy: placed(energy),
    availability: rows.availability && placed(rows.availability),
    validHours: rows.validHours && placed(rows.validHours),
    completeness: undefined,
    notes,
  };
}

/** Adds up hourly production by months: those of which at least 98 % of the hours are valid have an energy, scaled to all hours. */
export function sumProducedMonths(
  { power, axis }: ProducedHours,
  timeZone: string,
): ProducedPeriods {
  const months = computeMonthlyEnergies(power, axis, timeZone);
  return {
    kind: "month",
    numbers: months.map(monthNumberOf),
    energy: Float64Array.from(months, ({ energy }) => energy === null ? NaN : energy / 1000),
    availability: undefined,
    validHours: undefined,
    completeness: Float64Array.from(months, ({ completeness }) => completeness),
    notes: [],
  };
}

/** Start and end of a month or year in a zone, milliseconds since 1970 UTC. */
export function boundsOf(
  number: number,
  by: "month" | "year",
  timeZone: string,
): [from: number, to: number] {
  const first = by === "month"
    ? monthOfNumber(number)
    : Temporal.PlainYearMonth.from({ year: number, month: 1 });
  const end = first.add(by === "month" ? { months: 1 } : { years: 1 });
  return [startOfMonth(first, timeZone), startOfMonth(end, timeZone)];
}

/** Formats a month or a year: "2018-05" or "2018". */
export function labelOf(number: number, by: "month" | "year"): string {
  return by === "month" ? formatMonthLabel(monthOfNumber(number)) : String(number);
}

/** Adds what a log says of stops; without one in it, an hour or month is looked at as any other: a log may lack one. */
export function addStops<Production extends ProducedHours | ProducedPeriods>(
  production: Production,
  states: TurbineStates,
  timeZone: string,
): Production {
  const shares = production.kind === "hour"
    ? findStops(states, listHourEdges(production.axis)).shares
    : Float64Array.from(
      production.numbers,
      (number) => findStops(states, boundsOf(number, production.kind, timeZone)).shares[0],
    );
  const availability = shares.map((share, i) =>
    share > 0 ? 1 - share : production.availability?.[i] ?? NaN
  );
  return { ...production, availability };
}
