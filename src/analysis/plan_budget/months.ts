import type { DataFrame } from "nodejs-polars";
import { addedColumn, type Column, pickColumns } from "../../api/columns/column.ts";
import { month, monthlyIndicesFrame } from "../../api/columns/columns.ts";
import { buildFrame } from "../../frames/frame.ts";
import type { Refuse } from "../../frames/read_columns.ts";
import { monthAsDays, monthOfNumber } from "../../time/zones.ts";
import {
  addShares,
  computeReach,
  type Interval,
  scaleShare,
} from "../../windindex/uncertainty/error_terms.ts";
import { comparisonColumns } from "../series/compared_series.ts";
import type { Answer } from "../series/answer.ts";
import {
  type BudgetReference,
  type EnergyHistory,
  estimateSpread,
  type ProductionByMonth,
} from "./history.ts";
import type { ProductionLevel } from "./level.ts";
import { sumOf } from "../../stats/spread.ts";

const [predicted] = pickColumns(monthlyIndicesFrame, ["predicted_production"]);
const [produced, completeness] = pickColumns(comparisonColumns, ["produced", "completeness"]);

const declareEnergy = (name: string, label: string, description: string): Column => (
  addedColumn(name, "f64", label, description, predicted.unit)
);

/** The months of `planBudget()`. */
export const budgetColumns: readonly Column[] = [
  month,
  declareEnergy(
    "expected",
    "Expected",
    "Energy of a normal month of the same name, at the turbine's level.",
  ),
  declareEnergy(
    "low",
    "Expected, low",
    "Lower end of the 90 % interval of the month, not below 0.",
  ),
  declareEnergy("high", "Expected, high", "Upper end of the 90 % interval of the month."),
  { ...predicted, optional: true },
  { ...produced, description: "Energy that the turbine produced in the month." },
  { ...completeness, description: "Share of the month's hours with production." },
  declareEnergy(
    "cumulative_expected",
    "Expected so far",
    "Sum of the expected energies from the first month on.",
  ),
  declareEnergy(
    "cumulative_low",
    "Expected so far, low",
    "Lower end of the 90 % interval of the sum, not below 0.",
  ),
  declareEnergy(
    "cumulative_high",
    "Expected so far, high",
    "Upper end of the 90 % interval of the sum.",
  ),
  declareEnergy(
    "cumulative_produced",
    "Produced so far",
    "Sum of the produced energies from the first month on; null from the first month without production on.",
  ),
];

/** Production so far, compared with the expected energy of the same months. */
export interface BudgetToDate extends ExpectedEnergy {
  /** Months with production. */
  readonly months: number;
  /** Energy produced in them, MWh. */
  readonly produced: number;
  /** Produced over expected energy, %. */
  readonly ratio: number;
  /**
   * Energy that the wind of these months allowed: modelled energy at the turbine's level, MWh; `null` if a month of it
   * is unknown.
   */
  readonly allowed: number | null;
}

/** Expected production of a turbine by month; it shows itself in notebooks and on the console. */
export interface Budget extends Answer {
  /** Source of the normal months: the model, or the turbine's own production. */
  readonly basis: "prediction" | "production normals";
  /** Produced over modelled energy, the factor on normal months; 1 if unknown. */
  readonly level: number;
  /** Target availability, %; `null` if stops are as in the level. */
  readonly availability: number | null;
  /** Planned degradation, % a year. */
  readonly degradation: number;
  /**
   * `months`, one row each: `month`, `expected`, `low`, `high`, `predicted_production`, `produced` (MWh),
   * `completeness`, and the sums from the first month on. `plotBudget()` draws it.
   */
  readonly frames: { readonly months: DataFrame };
  /** All months together: `expected`, and its 90 % `interval`, MWh. */
  readonly total: ExpectedEnergy;
  /**
   * The `months` with production: `produced`, `expected` with its `interval`, `ratio` (%), and the energy that their
   * wind `allowed`; `null` if there are none.
   */
  readonly toDate: BudgetToDate | null;
  /**
   * Energy produced so far plus the expected energy of the other months, with its `interval`; `null` before the first
   * and after the last month of production.
   */
  readonly forecast: ExpectedEnergy | null;
}

/** An expected energy with its 90 % interval, MWh; without an interval if it is unknown. */
export interface ExpectedEnergy {
  /** Expected energy, MWh. */
  readonly expected: number;
  /** Its 90 % interval, MWh. */
  readonly interval: Interval | null;
}

/** Checks a target availability and a degradation, %. */
export function assertPlanned(availability: number, degradation: number, refuse: Refuse): void {
  if (!(availability > 50 && availability <= 100)) {
    refuse(`an availability of ${availability} is not plausible. Give it in %, such as 97`);
  }
  if (!(degradation >= 0 && degradation < 20)) {
    refuse(`a degradation of ${degradation} is not plausible. Give it in % a year, such as 0.5`);
  }
}

/** Computes the share of a month's energy left after a yearly degradation, %: the first twelve months keep all of it. */
export function computeDecline(degradation: number, first: number, number: number): number {
  return (1 - degradation / 100) ** Math.max(0, Math.floor((number - first) / 12));
}

/** Basis of an estimate: a turbine, or one of a fleet. */
export interface BudgetPart {
  readonly history: EnergyHistory;
  readonly reference: BudgetReference;
  readonly level: ProductionLevel;
  /** Planned share of a month's energy, after availability and degradation. */
  readonly shareOf: (number: number) => number;
  /** Turbines of an entry, or an owner's share of them. */
  readonly weight: number;
}

/**
 * Estimates the energy of some months: normal months at the level, with the spread of years, the error of the level and
 * the scatter of single months. Turbines of a fleet have the same years, so windy years are windy for all; errors of
 * their levels add up in full, as in one wind.
 */
export function estimateEnergy(
  parts: readonly BudgetPart[],
  months: readonly number[],
): ExpectedEnergy {
  const shares = parts.map(({ reference, level, shareOf, weight }) => {
    const normalOf = (number: number) => reference.normals[number % 12]!;
    const normal = sumOf(months, (number) => normalOf(number));
    const planned = sumOf(months, (number) => normalOf(number) * shareOf(number));
    const share = weight * (normal > 0 ? planned / normal : 1);
    const scatter = share ** 2 * (level.ofMonth * normal ** 2 + months.length);
    return {
      expected: weight * level.value * planned,
      factor: share * level.value,
      error: scaleShare(level.month, scatter),
    };
  });
  const expected = sumOf(shares, (one) => one.expected);
  const factors = shares.map(({ factor }) => factor);
  const spread = estimateSpread(parts.map(({ reference }) => reference), months, factors);
  if (spread === undefined) return { expected, interval: null };
  const deviation = sumOf(shares, ({ error }) => Math.sqrt(error.variance));
  const freedom = Math.min(...shares.map(({ error }) => error.freedom));
  const reach = computeReach(addShares(spread, { variance: deviation ** 2, freedom }));
  return { expected, interval: { low: Math.max(0, expected - reach), high: expected + reach } };
}

/** Builds the rows of a budget. */
export function buildMonthsFrame(
  history: EnergyHistory,
  estimate: (months: readonly number[]) => ExpectedEnergy,
  produced: ProductionByMonth,
  target: readonly number[],
): DataFrame {
  const monthly = target.map((number) => estimate([number]));
  const sums = target.map((_, i) => estimate(target.slice(0, i + 1)));
  const energies = target.map((number) => produced.get(number)?.energy ?? null);
  const gap = energies.indexOf(null);
  const known = gap === -1 ? energies.length : gap;
  const columns = (from: readonly ExpectedEnergy[]) => [
    from.map(({ expected }) => expected),
    from.map(({ interval }) => interval?.low ?? null),
    from.map(({ interval }) => interval?.high ?? null),
  ];
  const [expected, low, high] = columns(monthly);
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
