import type { DataFrame } from "nodejs-polars";
import { pickColumns } from "../../api/columns/column.ts";
import { monthlyIndicesFrame } from "../../api/columns/columns.ts";
import { MIN_SHARE } from "../../frames/production/period_shares.ts";
import { MIN_COMPLETENESS } from "../../windindex/index/monthly_energy.ts";
import {
  type ComparedMonth,
  findMonthSpan,
  listMonths,
  productionSide,
  readComparedSeries,
  sumMonths,
} from "../series/compared_series.ts";
import { ArgumentError } from "../../api/errors.ts";
import { calendarMonth } from "../../show/text/numbers.ts";
import { mean, sumOf, variance } from "../../stats/spread.ts";
import { monthOfNumber } from "../../time/zones.ts";
import { type ErrorShare, NO_ERROR } from "../../windindex/uncertainty/error_terms.ts";
import { listReadings } from "../series/answer.ts";
import { computeMonthNormals, readIndexMonths } from "../series/index_months.ts";
import type { BudgetFinding } from "./words.ts";

const [completenessColumn] = pickColumns(monthlyIndicesFrame, ["completeness"]);

/** A month of production. */
export interface ProducedMonth {
  /** Energy of all hours, MWh; `null` if it is missing or has less than 98 % of them. */
  readonly energy: number | null;
  /** The same, but from half of the hours on, scaled by the valid hours of a monthly energy. */
  readonly scaled: number | null;
  /** Share of its hours with production; `null` if unknown. */
  readonly completeness: number | null;
}

/** Production by months since year 0, in order of time. */
export type ProductionByMonth = ReadonlyMap<number, ProducedMonth>;

/**
 * Reads the months of production; empty without production.
 *
 * @param production Hours or months of one turbine
 * @param timeZone Zone that sets the months of hourly production. @default the timestamps'
 * @returns The months, and sentences on averaged steps below an hour
 */
export function readProducedMonths(
  production: DataFrame | undefined,
  timeZone: string | undefined,
) {
  if (!production) return { months: new Map(), notes: [] };
  const read = readComparedSeries(production, productionSide, completenessColumn);
  if (read.kind === "hour") {
    const rows = sumMonths(timeZone ? { ...read, timeZone } : read);
    return {
      months: new Map(rows.map(({ number, energy, completeness }) => {
        const known = toNull(energy);
        return [number, { energy: known, scaled: known, completeness }];
      })),
      notes: read.notes,
    };
  }
  const rows = new Map(read.months.map((month) => [month.number, month]));
  const months = listMonths(findMonthSpan([...rows.keys()]), timeZone ?? "UTC");
  return {
    months: new Map(
      months.map(({ number, hours }) => [number, scaleMonth(rows.get(number), hours)]),
    ),
    notes: read.notes,
  };
}

const toNull = (value: number): number | null => Number.isNaN(value) ? null : value;

/** Scales a monthly energy from its known hours to all hours. */
function scaleMonth(month: ComparedMonth | undefined, hours: number): ProducedMonth {
  if (!month) return { energy: null, scaled: null, completeness: null };
  const { energy, validHours } = month;
  const share = Math.min(1, validHours / hours);
  const completeness = Number.isNaN(share) ? month.completeness : share;
  const incomplete = completeness < MIN_COMPLETENESS;
  const scaled = Number.isNaN(share)
    ? incomplete ? NaN : energy
    : share >= MIN_SHARE
    ? energy / share
    : NaN;
  return {
    energy: incomplete ? null : toNull(scaled),
    scaled: toNull(scaled),
    completeness: toNull(completeness),
  };
}

/** Monthly energies of the past, modelled or produced. */
export interface EnergyHistory {
  /** Whether the energies are modelled or produced. */
  readonly basis: "prediction" | "production normals";
  /** Energy by months since year 0, MWh. */
  readonly energies: ReadonlyMap<number, number>;
  /** Energy of a normal month by the indices, January first, MWh; `undefined` for production. */
  readonly normals: readonly (number | null)[] | undefined;
  /** Assumptions and warnings. */
  readonly notes: readonly BudgetFinding[];
}

const [predicted] = pickColumns(monthlyIndicesFrame, ["predicted_production"]);

function dropNulls(rows: Iterable<readonly [number, number | null]>): Map<number, number> {
  return new Map(
    [...rows].filter((row): row is readonly [number, number] => row[1] !== null),
  );
}

function readIndexHistory(indices: DataFrame, action: string): EnergyHistory {
  const months = readIndexMonths(indices, action);
  const { months: normals, notes } = computeMonthNormals(months, action);
  if (normals.every((normal) => normal === null)) {
    throw new ArgumentError(
      `Cannot ${action}: the normal months are unknown, because no month of the indices has both ` +
        `predicted_production and month_abnormality_index. Give the frame from monthlyIndices()`,
    );
  }
  const energies = dropNulls(months.map(({ number, predicted }) => [number, predicted] as const));
  return { basis: "prediction", energies, normals, notes: listReadings(notes) };
}

function readProductionHistory(
  production: DataFrame,
  action: string,
  timeZone: string | undefined,
): EnergyHistory {
  const { months } = readProducedMonths(production, timeZone);
  const energies = dropNulls([...months].map(([number, { scaled }]) => [number, scaled] as const));
  if (energies.size === 0) {
    throw new ArgumentError(
      `Cannot ${action}: no month of the production is complete. Give whole months of production, or monthly indices of the turbine`,
    );
  }
  return {
    basis: "production normals",
    energies,
    normals: undefined,
    notes: [{ code: "own_production_is_normal" }],
  };
}

/**
 * Reads the monthly energies of a turbine in the past.
 *
 * @param history Monthly indices, or production if there are none
 * @param action Action named in messages
 * @param timeZone Zone that sets the months of hourly production. @default the timestamps'
 * @throws {ArgumentError} If columns are missing or of another type, or there are no normal months
 */
export function readEnergyHistory(
  history: DataFrame,
  action: string,
  timeZone: string | undefined,
): EnergyHistory {
  return history.columns.includes(predicted.name)
    ? readIndexHistory(history, action)
    : readProductionHistory(history, action, timeZone);
}

/** Months outside of the budget, for comparison, so no year is compared with itself. */
export interface BudgetReference {
  /** Energy of a normal month, January first, MWh. */
  readonly normals: readonly (number | null)[];
  /** Energies of the months outside of the budget, by their position, MWh. */
  readonly energies: ReadonlyMap<number, number>;
}

/** Fewest years of a calendar month for its normal. */
const MIN_YEARS_OF_NORMAL = 3;

/** Fewest years for the year-to-year spread. */
export const MIN_YEARS_OF_SPREAD = 5;

/** Computes the means of calendar months that have production in enough years. */
function computeOwnNormals(energies: ReadonlyMap<number, number>): (number | null)[] {
  return Array.from({ length: 12 }, (_, name) => {
    const monthEnergies = [...energies].filter(([number]) => number % 12 === name).map((
      [, value],
    ) => value);
    return monthEnergies.length < MIN_YEARS_OF_NORMAL ? null : mean(monthEnergies);
  });
}

/**
 * Builds the reference of a budget.
 *
 * @param target Positions of the months of the budget
 * @param action Action named in messages
 * @throws {ArgumentError} If a month of the budget has no normal
 */
export function buildBudgetReference(
  history: EnergyHistory,
  target: readonly number[],
  action: string,
): BudgetReference {
  const budgeted = new Set(target);
  const energies = new Map([...history.energies].filter(([number]) => !budgeted.has(number)));
  const normals = history.normals ?? computeOwnNormals(energies);
  const missing = target.find((number) => normals[number % 12] === null);
  if (missing === undefined) {
    if (target.some((number) => normals[number % 12]! > 0)) return { normals, energies };
    throw new ArgumentError(
      `Cannot ${action} of ${
        monthOfNumber(target[0])
      }: the production of the other years is 0. Give months in which the turbine ran, or monthly indices of the turbine`,
    );
  }
  const month = monthOfNumber(missing);
  const name = calendarMonth(month.toString());
  if (history.normals) {
    throw new ArgumentError(
      `Cannot ${action} of ${month}: the indices have no normal value for ${name}. Give indices of whole years`,
    );
  }
  const numbers = [...history.energies.keys()];
  const [first, last] = [Math.min(...numbers), Math.max(...numbers)].map(monthOfNumber);
  throw new ArgumentError(
    `Cannot ${action} of ${month}: apart from the budget period, fewer than ${MIN_YEARS_OF_NORMAL} years have production in ${name}. The record runs from ${first} to ${last}. Give more years, or monthly indices of the turbine`,
  );
}

/** Sums some months in each other year in which all of them are known, keyed by the offset in years. */
function sumYears(
  energies: ReadonlyMap<number, number>,
  months: readonly number[],
): Map<number, number> {
  const positions = [...energies.keys()];
  const [first, last] = [Math.min(...positions), Math.max(...positions)];
  const back = Math.ceil((months[months.length - 1] - first) / 12);
  const ahead = Math.ceil((last - months[0]) / 12);
  const sums = new Map<number, number>();
  for (let years = -back; years <= ahead; years++) {
    const yearEnergies = months.map((number) => energies.get(number + 12 * years));
    if (yearEnergies.includes(undefined)) continue;
    sums.set(years, yearEnergies.reduce<number>((sum, value) => sum + value!, 0));
  }
  return sums;
}

/**
 * Estimates the deviation of a sum over some months from its mean, from the sums over the same months in n other years.
 * Months of a year are summed before they are compared, so windy years stay windy. More than twelve months are several
 * years, which vary independently about one mean and share its error: sum s^2 + (sum s)^2 / n, which is s^2 (1 + 1/n)
 * for one year.
 *
 * @param references The months outside of the budget, of one turbine or of several; only years that all of them have
 * count
 * @param months Positions of the months
 * @param factors Weight of each turbine
 * @returns Its variance, MWh^2; `undefined` with fewer than five years
 */
export function estimateSpread(
  references: readonly Pick<BudgetReference, "energies">[],
  months: readonly number[],
  factors: readonly number[] = [1],
): ErrorShare | undefined {
  if (months.length === 0) return NO_ERROR;
  const blocks = Array.from(
    { length: Math.ceil(months.length / 12) },
    (_, i) => months.slice(12 * i, 12 * (i + 1)),
  );
  const sums = blocks.map((block) => {
    const [first, ...others] = references.map(({ energies }) => sumYears(energies, block));
    const common = [...first.keys()].filter((year) =>
      others.every((energies) => energies.has(year))
    );
    return common.map((year) =>
      sumOf([first, ...others], (energies, i) => factors[i] * energies.get(year)!)
    );
  });
  const years = Math.min(...sums.map(({ length }) => length));
  if (years < MIN_YEARS_OF_SPREAD) return undefined;
  const deviations = sums.map((yearSums) => Math.sqrt(variance(yearSums)));
  const squares = sumOf(deviations, (one) => one ** 2);
  const together = sumOf(deviations);
  return { variance: squares + together ** 2 / years, freedom: years - 1 };
}
