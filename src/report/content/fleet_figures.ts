import type { Verdict } from "../../analysis/verdict/row.ts";
import { scaleVerdict, sumVerdicts } from "../../analysis/verdict/verdict.ts";
import { predictedInterval } from "../../api/columns/columns.ts";
import { findCompletePeriods, listMonthsTo } from "./months.ts";
import { isPreliminary, type MonthContent } from "./turbine_content.ts";

/** An entry of the fleet, as far as sums need it. */
export interface FleetEntry {
  /** Number of turbines of the entry. */
  readonly units: number;
  /** Months that end with the report's own; empty where nothing is known. */
  readonly months: readonly MonthContent[];
}

/** Counts the turbines of entries: a park may be one entry. */
export function countUnits(entries: readonly { readonly units: number }[]): number {
  return entries.reduce((sum, { units }) => sum + units, 0);
}

/** Figures of a fleet or a park in a month: indices of the energy of all its turbines with figures. */
export interface FleetFigures {
  /** Entries with figures in the month, and the number of their turbines. */
  readonly turbines: number;
  readonly units: number;
  /** Predicted energy, MWh. */
  readonly energy: number | null;
  /** Sums of the ends of the turbines' intervals, MWh; `null` where an interval is missing. */
  readonly low: number | null;
  readonly high: number | null;
  /** Against one twelfth of a normal year, %. */
  readonly index: number | null;
  /** Against a normal month of the same name, %. */
  readonly abnormality: number | null;
  /** Twelve months against a normal year, %. */
  readonly last12: number | null;
  readonly quarter: number | null;
  readonly year: number | null;
  /** Number of turbines behind the indices of longer times: a new turbine has a month before it has a year. */
  readonly unitsWith: {
    readonly last12: number;
    readonly quarter: number;
    readonly year: number;
  };
  /** Was it the wind or the turbines? `null` without figures. */
  readonly verdict: Verdict | null;
  /** Turbines with production. */
  readonly measuredUnits: number;
}

/** A fleet in a month of the history. */
export interface FleetMonth {
  readonly month: string;
  /** Turbines with figures. */
  readonly turbines: number;
  readonly energy: number | null;
  readonly abnormality: number | null;
  readonly last12: number | null;
  readonly preliminary: boolean;
}

/** Sum of the known values; `null` where there are none. */
function sumKnown(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}

/** Sum of the values; `null` where one is missing. */
function sumIfComplete(values: readonly (number | null)[]): number | null {
  return values.includes(null) ? null : sumKnown(values);
}

/** An energy and the normal energy of the same time, MWh. */
interface EnergyShare {
  readonly energy: number;
  readonly normal: number;
}

/** Index of the sum of energies, %. */
function computeIndex(shares: readonly (EnergyShare | null)[]): number | null {
  const known = shares.filter((share) => share !== null);
  const normal = sumKnown(known.map((share) => share.normal));
  return normal ? 100 * sumKnown(known.map((share) => share.energy))! / normal : null;
}

function findMonth({ months }: FleetEntry, month: string): MonthContent | undefined {
  return months.find((one) => one.month === month);
}

/** Normal energy of one turbine from its energy and an index of the month, MWh; `null` where one is missing or the index is 0. */
function computeNormal(one: MonthContent | undefined, column: string): number | null {
  const [energy, index] = [one?.figures.predicted_production ?? null, one?.figures[column] ?? null];
  return energy === null || !index ? null : 100 * energy / index;
}

/**
 * Energy of a month and its normal energy by an index. From an index of 0 it cannot be computed; then it is taken from a
 * month with the same normal energy: any month for `month_index`, one of the same name for `month_abnormality_index`.
 */
function computeMonthShare(
  entry: FleetEntry,
  month: string,
  column: "month_index" | "month_abnormality_index",
): EnergyShare | null {
  const own = findMonth(entry, month);
  const energy = own?.figures.predicted_production ?? null;
  if (energy === null || own!.figures[column] === null) return null;
  const alike = entry.months.findLast((one) =>
    computeNormal(one, column) !== null &&
    (column === "month_index" || one.month.slice(4) === month.slice(4))
  );
  const normal = computeNormal(own, column) ?? computeNormal(alike, column);
  if (normal === null) return null;
  return { energy: entry.units * energy, normal: entry.units * normal };
}

/** Energy of a year, by an index of it, against a normal year of twelve average months. */
function computeYearShare(entry: FleetEntry, month: string, column: string): EnergyShare | null {
  const index = findMonth(entry, month)?.figures[column] ?? null;
  const average = computeMonthShare(entry, month, "month_index")?.normal;
  if (index === null || average === undefined) return null;
  return { energy: index / 100 * 12 * average, normal: 12 * average };
}

/** Energy of a quarter against that of its normal months. */
function computeQuarterShare(entry: FleetEntry, month: string): EnergyShare | null {
  const index = findMonth(entry, month)?.figures.last_full_quarter_index ?? null;
  const last = findCompletePeriods(month).quarter[1];
  const normal = sumIfComplete(
    listMonthsTo(last, 3).map((one) =>
      computeMonthShare(entry, one, "month_abnormality_index")?.normal ?? null
    ),
  );
  return index === null || normal === null ? null : { energy: index / 100 * normal, normal };
}

/** Computes the figures of several turbines together. */
export function computeFleetFigures(all: readonly FleetEntry[], month: string): FleetFigures {
  const own = all.flatMap((entry) => {
    const values = findMonth(entry, month);
    return values && values.figures.predicted_production !== null ? [{ ...entry, values }] : [];
  });
  const energies = (name: string) =>
    own.map(({ units, values }) => {
      const value = values.figures[name];
      return value === null ? null : units * value;
    });
  const [low, high] = predictedInterval.map(({ name }) => sumIfComplete(energies(name)));
  const judged = all.flatMap((entry) => {
    const verdict = findMonth(entry, month)?.verdict;
    return verdict ? [{ units: entry.units, verdict: scaleVerdict(verdict, entry.units) }] : [];
  });
  const longer = {
    last12: own.map((one) => computeYearShare(one, month, "last12_month_index")),
    quarter: own.map((one) => computeQuarterShare(one, month)),
    year: own.map((one) => computeYearShare(one, month, "last_full_year_index")),
  };
  const unitsWith = (shares: readonly (EnergyShare | null)[]) =>
    countUnits(own.filter((_, i) => shares[i]));
  return {
    turbines: own.length,
    units: countUnits(own),
    energy: sumKnown(energies("predicted_production")),
    low,
    high,
    index: computeIndex(own.map((one) => computeMonthShare(one, month, "month_index"))),
    abnormality: computeIndex(
      own.map((one) => computeMonthShare(one, month, "month_abnormality_index")),
    ),
    last12: computeIndex(longer.last12),
    quarter: computeIndex(longer.quarter),
    year: computeIndex(longer.year),
    unitsWith: {
      last12: unitsWith(longer.last12),
      quarter: unitsWith(longer.quarter),
      year: unitsWith(longer.year),
    },
    verdict: judged.length === 0
      ? null
      : sumVerdicts(judged.map(({ verdict }) => verdict), judged.map(({ units }) => units)),
    measuredUnits: countUnits(judged.filter(({ verdict }) => verdict.produced !== null)),
  };
}

/** The fleet in each month that its turbines have. */
export function computeFleetMonths(all: readonly FleetEntry[]): FleetMonth[] {
  const months = all.find((entry) => entry.months.length > 0)?.months ?? [];
  return months.map(({ month }, at) => {
    const own = all.filter((entry) => entry.months[at]?.figures.predicted_production != null);
    return {
      month,
      turbines: own.length,
      energy: sumKnown(
        own.map(({ units, months }) => units * months[at].figures.predicted_production!),
      ),
      abnormality: computeIndex(
        own.map((one) => computeMonthShare(one, month, "month_abnormality_index")),
      ),
      last12: computeIndex(own.map((one) => computeYearShare(one, month, "last12_month_index"))),
      preliminary: own.some(({ months }) => isPreliminary(months[at])),
    };
  });
}
