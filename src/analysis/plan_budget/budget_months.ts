import type { DataFrame } from "nodejs-polars";
import { buildFrame } from "../../frames/frame.ts";
import { monthAsDays, monthOfNumber } from "../../time/zones.ts";
import type { Interval } from "../../windindex/uncertainty/error_terms.ts";
import { budgetColumns } from "./budget_columns.ts";
import type { EnergyHistory } from "./energy_history.ts";
import type { ProductionByMonth } from "./produced_months.ts";
import type { ProductionLevel } from "./production_level.ts";
import { type BudgetReference, estimateSpread } from "./budget_reference.ts";

/** An expected energy with its 90 % interval, MWh; without an interval where it is unknown. */
export interface ExpectedEnergy {
  /** Energy that is expected, MWh. */
  readonly expected: number;
  /** Its 90 % interval, MWh. */
  readonly interval: Interval | null;
}

/**
 * Estimates the energy of some months: normal months at the level, with the spread of years, the error of the level and the scatter of single months.
 */
export function estimateEnergy(
  reference: BudgetReference,
  level: ProductionLevel,
  months: readonly number[],
): ExpectedEnergy {
  const normal = months.reduce((sum, number) => sum + reference.normals[number % 12]!, 0);
  const expected = level.value * normal;
  const spread = estimateSpread(reference, months);
  if (spread === undefined) return { expected, interval: null };
  const reach = Math.hypot(
    level.value * spread,
    level.reach * normal,
    level.monthReach * Math.sqrt(months.length),
  );
  const interval = { low: Math.max(0, expected - reach), high: expected + reach };
  return { expected, interval };
}

/** Builds the rows of a budget. */
export function buildMonthsFrame(
  history: EnergyHistory,
  reference: BudgetReference,
  level: ProductionLevel,
  produced: ProductionByMonth,
  target: readonly number[],
): DataFrame {
  const own = target.map((number) => estimateEnergy(reference, level, [number]));
  const sums = target.map((_, i) => estimateEnergy(reference, level, target.slice(0, i + 1)));
  const energies = target.map((number) => produced.get(number)?.energy ?? null);
  const gap = energies.indexOf(null);
  const known = gap === -1 ? energies.length : gap;
  const columns = (from: readonly ExpectedEnergy[]) => [
    from.map(({ expected }) => expected),
    from.map(({ interval }) => interval?.low ?? null),
    from.map(({ interval }) => interval?.high ?? null),
  ];
  const [expected, low, high] = columns(own);
  const [sum, sumLow, sumHigh] = columns(sums);
  return buildFrame(budgetColumns, {
    month: target.map((number) => monthAsDays(monthOfNumber(number))),
    expected,
    low,
    high,
    ...(history.basis === "prediction"
      ? { predicted_production: target.map((number) => history.energies.get(number) ?? null) }
      : {}),
    produced: energies,
    completeness: target.map((number) => produced.get(number)?.completeness ?? null),
    cumulative_expected: sum,
    cumulative_low: sumLow,
    cumulative_high: sumHigh,
    cumulative_produced: energies.map((_, i) =>
      i < known ? energies.slice(0, i + 1).reduce<number>((total, one) => total + one!, 0) : null
    ),
  });
}
