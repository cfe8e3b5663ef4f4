import { ArgumentError } from "../../api/errors.ts";
import { productionColumns } from "../../frames/production/production.ts";
import { buildRefuse } from "../../frames/read_columns.ts";
import { formatMonthLabel, monthOfNumber } from "../../time/zones.ts";
import {
  computeReach,
  type ErrorShare,
  NO_ERROR,
} from "../../windindex/uncertainty/error_terms.ts";
import { assertLevel } from "../series/level.ts";
import type { EnergyHistory, ProductionByMonth } from "./history.ts";
import type { BudgetFinding } from "./words.ts";
import { sumOf } from "../../stats/spread.ts";

/** Produced over modelled energy of a turbine, with its uncertainty. */
export interface ProductionLevel {
  /** Produced over modelled energy. */
  readonly value: number;
  /** Half the width of its 90 % interval; 0 if it was declared. */
  readonly reach: number;
  /** Deviation of a single month from it, MWh^2; none if it was declared. */
  readonly month: ErrorShare;
  /** Variance of the level over the variance of a month, 1 / MWh^2. */
  readonly ofMonth: number;
  /** Months behind it; 0 if it was declared. */
  readonly months: number;
}

/** Fewest months for a level. */
const MIN_MONTHS_OF_LEVEL = 6;

/**
 * Computes the level of a turbine relative to its model: the sum of produced over the sum of modelled energy. Its
 * interval is the one of a ratio of sums, from the residuals of the months: t sqrt(sum (P - q E)^2 / (n (n - 1))) /
 * mean(E). The variance of a month about it is sum (P - q E)^2 / (n - 1).
 *
 * Source: W. G. Cochran, "Sampling Techniques" (1977), chapter 6, the ratio estimator.
 *
 * @param pairs Produced and modelled energy of each month, MWh
 * @returns `undefined` with fewer than six months
 */
export function computeProductionLevel(
  pairs: readonly (readonly [produced: number, modelled: number])[],
): ProductionLevel | undefined {
  const { length } = pairs;
  if (length < MIN_MONTHS_OF_LEVEL) return undefined;
  const produced = sumOf(pairs, ([produced]) => produced);
  const modelled = sumOf(pairs, ([, model]) => model);
  const value = produced / modelled;
  const squares = sumOf(pairs, ([produced, model]) => (produced - value * model) ** 2);
  const month = { variance: squares / (length - 1), freedom: length - 1 };
  const ofMonth = length / modelled ** 2;
  const reach = computeReach(month) * Math.sqrt(ofMonth);
  return { value, reach, month, ofMonth, months: length };
}

/** Plausible levels: outages or a wrong unit cause others. */
const MIN_LEVEL = 0.05;
const MAX_LEVEL = 2;

const [, energy] = productionColumns.month;

/**
 * Checks the unit of the production against the prediction of its months, or against their normals if they have no
 * prediction yet.
 *
 * @throws {ArgumentError} If both cannot belong to one turbine in the same unit
 */
export function assertProducedLevel(
  { basis, energies, normals }: EnergyHistory,
  produced: ProductionByMonth,
  hourly: boolean,
  action: string,
): void {
  if (basis !== "prediction") return;
  const pairs = [...produced].map(([number, { scaled }]) =>
    [
      scaled,
      energies.get(number) ?? normals?.[number % 12] ?? null,
      formatMonthLabel(monthOfNumber(number)),
    ] as const
  );
  assertLevel(pairs, { hourly, ran: false }, buildRefuse(action));
}

/** Finds the level of the turbine, with notes. */
export function findLevel(
  history: EnergyHistory,
  produced: ProductionByMonth,
  first: number,
  declared: number | undefined,
): { level: ProductionLevel; notes: BudgetFinding[] } {
  const neutral = { value: 1, reach: 0, month: NO_ERROR, ofMonth: 0, months: 0 };
  if (declared !== undefined) {
    if (!(declared > 0 && declared <= MAX_LEVEL)) {
      throw new ArgumentError(
        `Cannot make a budget at a level of ${declared}: a level is the ratio of produced to modelled energy, and must be above 0 and at most 2. Give a level such as 0.97`,
      );
    }
    return { level: { ...neutral, value: declared }, notes: [] };
  }
  if (history.basis === "production normals") return { level: neutral, notes: [] };
  const pairs = [...produced].flatMap(([number, { energy, scaled, completeness }]) => {
    const modelled = history.energies.get(number);
    if (number >= first || scaled === null || modelled === undefined) return [];
    const share = energy === null ? completeness! : 1; // a month with fewer hours counts with its share on both sides
    return [[share * scaled, share * modelled] as const];
  });
  const level = computeProductionLevel(pairs);
  if (level) {
    const { value } = level;
    if (!(value >= MIN_LEVEL && value <= MAX_LEVEL)) {
      throw new ArgumentError(
        `Cannot make a budget at the level of the production: in the ${level.months} months before ${
          monthOfNumber(first)
        }, the production is ${
          Number(value.toPrecision(3))
        } times the modelled energy. Check the unit (${energy.unit}) and the number of turbines, omit months with outages, or give a level`,
      );
    }
    return { level, notes: [{ code: "level_of_months", months: level.months }] };
  }
  return {
    level: neutral,
    notes: [{
      code: "no_level",
      needed: MIN_MONTHS_OF_LEVEL,
      before: monthOfNumber(first).toString(),
      months: pairs.length,
    }],
  };
}
