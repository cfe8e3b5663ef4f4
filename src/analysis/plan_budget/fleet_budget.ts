import { buildRefuse } from "../../frames/read_columns.ts";
import { joinOrigins, type Origin } from "../../frames/origin/provenance.ts";
import { formatCount } from "../../show/text/numbers.ts";
import type { EnergyHistory, ProducedMonth, ProductionByMonth } from "./history.ts";
import type { ProductionLevel } from "./level.ts";
import type { Budget, BudgetPart } from "./months.ts";
import type { BudgetFinding } from "./words.ts";
import { sumOf } from "../../stats/spread.ts";

/** Basis of a budget: a turbine, or all turbines of a fleet. */
export interface BudgetBasis {
  readonly title: string;
  readonly history: EnergyHistory;
  readonly parts: readonly BudgetPart[];
  readonly produced: ProductionByMonth;
  /** Months of the budget. */
  readonly target: readonly number[];
  readonly availability: number | null;
  readonly degradation: number;
  readonly notes: readonly BudgetFinding[];
  readonly origin: Origin;
}

const known = new WeakMap<object, BudgetBasis>();

/** Keeps the basis of a budget, for the sum of a fleet. */
export const rememberBasis = (budget: Budget, basis: BudgetBasis): unknown =>
  known.set(budget, basis);

const refuse = buildRefuse("make the budget of a fleet");

/** Whether these are budgets by turbine. */
export function areBudgets(value: unknown): value is Readonly<Record<string, Budget>> {
  return typeof value === "object" && value !== null &&
    Object.values(value).some((one) => typeof one === "object" && known.has(one));
}

/** Averages the levels of turbines, weighted by normal energy. */
export function averageLevel(parts: readonly BudgetPart[]): ProductionLevel {
  if (parts.length === 1) return parts[0].level;
  const normals = parts.map(({ reference, weight }) =>
    weight * reference.normals.reduce<number>((sum, one) => sum + (one ?? 0), 0)
  );
  const mean = (of: (level: ProductionLevel) => number) =>
    sumOf(parts, ({ level }, i) => normals[i] * of(level)) / sumOf(normals);
  return {
    ...parts[0].level,
    value: mean(({ value }) => value),
    reach: mean(({ reach }) => reach),
    months: Math.min(...parts.map(({ level }) => level.months)),
  };
}

/** Sums energies by month; `null` if one is missing. */
function addEnergies(
  all: readonly { readonly weight: number; readonly of: (number: number) => number | null }[],
  number: number,
): number | null {
  const energies = all.map(({ weight, of }) => {
    const energy = of(number);
    return energy === null ? null : weight * energy;
  });
  return energies.includes(null)
    ? null
    : energies.reduce<number>((total, energy) => total + energy!, 0);
}

/**
 * Sums the budgets of turbines.
 *
 * @param weights Weight of each; 1 unless given
 * @throws {ArgumentError} If one is not an answer of `planBudget()`, or their months differ
 */
export function addBudgets(
  budgets: Readonly<Record<string, Budget>>,
  weights: Readonly<Record<string, number>>,
): BudgetBasis {
  const all = Object.entries(budgets).map(([name, budget]) => {
    const basis = known.get(budget) ??
      refuse(`"${name}" is not an answer of planBudget(). Give an answer for each turbine`);
    const weight = Object.hasOwn(weights, name) ? weights[name] : 1;
    if (!(weight > 0)) refuse(`the weight of "${name}" is ${weight}. Give more than 0`);
    return { basis, weight };
  });
  const unknown = Object.keys(weights).find((name) => !Object.hasOwn(budgets, name));
  if (unknown !== undefined) {
    refuse(`"${unknown}" has a weight, but no budget. Add the budget, or omit the weight`);
  }
  const [{ basis: first }] = all;
  const { target, availability, degradation } = first;
  if (all.some(({ basis }) => basis.target.join() !== target.join())) {
    refuse("the budgets cover different months. Plan all of them with the same { from, to }");
  }
  const sum = (of: (basis: BudgetBasis) => (number: number) => number | null) => {
    const weighted = all.map(({ basis, weight }) => ({ weight, of: of(basis) }));
    return (number: number) => addEnergies(weighted, number);
  };
  const energyOf = sum(({ history }) => (number) => history.energies.get(number) ?? null);
  const madeOf = sum(({ produced }) => (number) => produced.get(number)?.energy ?? null);
  const numbers = [...first.history.energies.keys()];
  const energies = new Map(
    numbers.flatMap((number) => {
      const energy = energyOf(number);
      return energy === null ? [] : [[number, energy] as const];
    }),
  );
  const produced = new Map(target.map((number): [number, ProducedMonth] => {
    const energy = madeOf(number);
    return [number, { energy, scaled: energy, completeness: null }];
  }));
  const withoutLevel = Object.keys(budgets).filter((_, i) =>
    all[i].basis.parts[0].level.months === 0
  );
  return {
    title: `Budget of ${formatCount(all.length, "turbine")}`,
    history: { ...first.history, energies },
    parts: all.flatMap(({ basis, weight }) =>
      basis.parts.map((part) => ({ ...part, weight: weight * part.weight }))
    ),
    produced,
    target,
    availability,
    degradation,
    notes: withoutLevel.length > 0 ? [{ code: "without_level", turbines: withoutLevel }] : [],
    origin: joinOrigins(Object.values(budgets).map(({ frames }) => frames.months)),
  };
}
