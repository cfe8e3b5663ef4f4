import type { Verdict } from "../../analysis/verdict/row.ts";
import { scaleVerdict, sumVerdicts } from "../../analysis/verdict/verdict.ts";
import { findCompletePeriods, listMonthsTo } from "./months.ts";
import { type Figures, isPreliminary, type MonthContent } from "./turbine_content.ts";

/** The fields of a fleet entry that sums need. */
export interface FleetEntry {
  /** Number of turbines of the entry. */
  readonly units: number;
  /** Months up to the month of the report; empty without data. */
  readonly months: readonly MonthContent[];
}

/** Counts the turbines of entries: a park may be one entry. */
export function countUnits(entries: readonly { readonly units: number }[]): number {
  return entries.reduce((sum, { units }) => sum + units, 0);
}

/** Indices of a month, and of longer periods. */
type MonthIndex = "month_index" | "month_abnormality_index";
type LongIndex = "last12_month_index" | "last_full_quarter_index" | "last_full_year_index";

/** Figures of a fleet or park in a month, as in the JSON report: indices of the energy of all its turbines with figures. */
export interface FleetFigures extends Figures {
  /** Entries with figures in the month, and the number of their turbines. */
  readonly turbines: number;
  readonly units: number;
  /** Number of turbines behind the indices of longer periods: a new turbine has a month before it has a year. */
  readonly units_with: Readonly<Record<LongIndex, number>>;
  /** Was it the wind or the turbines? `null` without figures. */
  readonly verdict: Verdict | null;
  /** Turbines with production. */
  readonly units_measured: number;
}

/** A fleet in a month of the history, as in the JSON report. */
export type FleetMonth =
  & Pick<MonthContent, "month" | "status">
  & Pick<
    FleetFigures,
    "turbines" | "predicted_production" | "month_abnormality_index" | "last12_month_index"
  >;

/** Sum of the known values; `null` if there are none. */
function sumKnown(values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null);
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0);
}

/** Sum of the values; `null` if one is missing. */
function sumIfComplete(values: readonly (number | null)[]): number | null {
  return values.includes(null) ? null : sumKnown(values);
}

/** An energy and the normal energy of the same period, MWh. */
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

/** Normal energy of one turbine from its energy and an index of the month, MWh; `null` if one is missing or the index is 0. */
function computeNormal(one: MonthContent | undefined, column: MonthIndex): number | null {
  const [energy, index] = [one?.predicted_production ?? null, one?.[column] ?? null];
  return energy === null || !index ? null : 100 * energy / index;
}

/**
 * Energy of a month and its normal energy. An index of 0 gives no normal energy, so it comes from a month with the same
 * one: any month for `month_index`, the same calendar month for `month_abnormality_index`.
 */
function computeMonthShare(
  entry: FleetEntry,
  month: string,
  column: MonthIndex,
): EnergyShare | null {
  const content = findMonth(entry, month);
  const energy = content?.predicted_production ?? null;
  if (energy === null || content![column] === null) return null;
  const alike = entry.months.findLast((one) =>
    computeNormal(one, column) !== null &&
    (column === "month_index" || one.month.slice(4) === month.slice(4))
  );
  const normal = computeNormal(content, column) ?? computeNormal(alike, column);
  if (normal === null) return null;
  return { energy: entry.units * energy, normal: entry.units * normal };
}

/** Energy of a year from its index, against a normal year of twelve average months. */
function computeYearShare(entry: FleetEntry, month: string, column: LongIndex): EnergyShare | null {
  const index = findMonth(entry, month)?.[column] ?? null;
  const average = computeMonthShare(entry, month, "month_index")?.normal;
  if (index === null || average === undefined) return null;
  return { energy: index / 100 * 12 * average, normal: 12 * average };
}

/** Energy of a quarter against its normal months. */
function computeQuarterShare(entry: FleetEntry, month: string): EnergyShare | null {
  const index = findMonth(entry, month)?.last_full_quarter_index ?? null;
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
  const entries = all.flatMap((entry) => {
    const values = findMonth(entry, month);
    return values && values.predicted_production !== null ? [{ ...entry, values }] : [];
  });
  const energies = (name: keyof Figures) =>
    entries.map(({ units, values }) => {
      const value = values[name];
      return value === null ? null : units * value;
    });
  const judged = all.flatMap((entry) => {
    const verdict = findMonth(entry, month)?.verdict;
    return verdict ? [{ units: entry.units, verdict: scaleVerdict(verdict, entry.units) }] : [];
  });
  const ofMonth = (column: MonthIndex) =>
    computeIndex(entries.map((one) => computeMonthShare(one, month, column)));
  const longer = {
    last12_month_index: entries.map((one) => computeYearShare(one, month, "last12_month_index")),
    last_full_quarter_index: entries.map((one) => computeQuarterShare(one, month)),
    last_full_year_index: entries.map((one) =>
      computeYearShare(one, month, "last_full_year_index")
    ),
  };
  const ofLonger = <T>(compute: (shares: readonly (EnergyShare | null)[]) => T) =>
    Object.fromEntries(
      Object.entries(longer).map(([name, shares]) => [name, compute(shares)]),
    ) as Record<LongIndex, T>;
  return {
    turbines: entries.length,
    units: countUnits(entries),
    month_abnormality_index: ofMonth("month_abnormality_index"),
    month_index: ofMonth("month_index"),
    ...ofLonger(computeIndex),
    predicted_production: sumKnown(energies("predicted_production")),
    predicted_production_low: sumIfComplete(energies("predicted_production_low")),
    predicted_production_high: sumIfComplete(energies("predicted_production_high")),
    units_with: ofLonger((shares) => countUnits(entries.filter((_, i) => shares[i]))),
    verdict: judged.length === 0
      ? null
      : sumVerdicts(judged.map(({ verdict }) => verdict), judged.map(({ units }) => units)),
    units_measured: countUnits(judged.filter(({ verdict }) => verdict.produced !== null)),
  };
}

/** The fleet in each month of its turbines. */
export function computeFleetMonths(all: readonly FleetEntry[]): FleetMonth[] {
  const months = all.find((entry) => entry.months.length > 0)?.months ?? [];
  return months.map(({ month }, at) => {
    const { turbines, predicted_production, month_abnormality_index, last12_month_index } =
      computeFleetFigures(all, month);
    const preliminary = all.some(({ months }) => months[at] && isPreliminary(months[at]));
    return {
      month,
      turbines,
      predicted_production,
      month_abnormality_index,
      last12_month_index,
      status: predicted_production === null ? null : preliminary ? "preliminary" : "final",
    };
  });
}
