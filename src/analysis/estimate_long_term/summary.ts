import { addedColumn, type Column, pickColumns } from "../../api/columns/column.ts";
import { month, monthlyIndicesFrame } from "../../api/columns/columns.ts";
import { productionColumns } from "../../frames/production/production.ts";
import { STANDSTILL_HOURS } from "../../screening/values/hourly_power.ts";
import { MIN_YEARS } from "../../windindex/uncertainty/error_terms.ts";
import { type Estimates, METHODS } from "./methods.ts";
import { type IndexPeriod, isUsable } from "./record.ts";
import type { UncertaintyTables } from "./uncertainty.ts";
import type { LongTermFinding } from "./words.ts";
import { sumOf } from "../../stats/spread.ts";

const [monthIndex, completeness] = pickColumns(monthlyIndicesFrame, [
  "month_index",
  "completeness",
]);
const [year] = productionColumns.year;

const declareEnergy = (name: string, label: string, description: string): Column => (
  addedColumn(name, "f64", label, description, "MWh")
);

const declareError = (description: string): Column => ({
  ...addedColumn("standard_error", "f64", "Standard error", description, "%"),
  range: [0, null],
});

const ofError =
  "Degrees of freedom of the error; null if the error is not estimated from a sample.";
const freedom = addedColumn("freedom", "f64", "Degrees of freedom", ofError);

const hours: Column = {
  name: "hours",
  dtype: "i32",
  unit: "h",
  range: [0, null],
  label: "Hours compared",
  description: "Hours that the time-step calibration compares.",
  tag: "ours",
};

/** The estimates of `estimateLongTerm()`: one row per method. */
export const longTermColumns: readonly Column[] = [
  addedColumn("method", "utf8", "Method", "How the normal year is computed."),
  {
    ...declareEnergy(
      "p50",
      "Normal year",
      "Energy of a normal year by the record, before declared losses.",
    ),
    range: [0, null],
  },
  declareEnergy("low", "Low", "Lower end of the 90 % interval of the normal year."),
  declareEnergy("high", "High", "Upper end of the 90 % interval of the normal year."),
  declareError(
    "Standard error of the normal year, from calibration, season and level between years.",
  ),
  {
    name: "months",
    dtype: "i32",
    range: [1, null],
    label: "Months kept",
    description: "Months that the estimate uses; twelve for a year.",
    tag: "ours",
  },
  {
    name: "left_out",
    dtype: "i32",
    range: [0, null],
    label: "Months left out",
    description: "Months of the record that the estimate does not use.",
    tag: "ours",
  },
  hours,
];

/** The uncertainty of `estimateLongTerm()`: one row per share. */
export const uncertaintyColumns: readonly Column[] = [
  addedColumn("share", "utf8", "Share", "Why the energy of a year is uncertain."),
  declareError("Standard error over the energy of a year."),
  freedom,
  addedColumn("of_variance", "f64", "Of the variance", "Share of the variance of one year.", "%"),
  addedColumn("source", "utf8", "Comes from", "Where the share comes from."),
];

/** The exceedance of `estimateLongTerm()`: one row per number of years. */
export const exceedanceColumns: readonly Column[] = [
  addedColumn("years", "i32", "Years", "Number of years in the mean."),
  declareEnergy("p50", "P50", "Energy of a normal year, less declared losses."),
  ...[75, 90].map((percent) =>
    declareEnergy(
      `p${percent}`,
      `P${percent}`,
      `Energy that the mean of the years exceeds with a probability of ${percent} %.`,
    )
  ),
  declareError("Standard error of the mean of the years, over P50."),
  freedom,
];

const common: readonly Column[] = [
  declareEnergy(
    "produced",
    "Produced",
    "Energy produced, scaled to all hours of the period.",
  ),
  { ...monthIndex, description: "Month index; for a year the mean of its twelve months." },
  {
    ...completeness,
    description:
      "Share of the hours with production that counts; for months and years, from their valid hours and " +
      "availability; null if only energy is known.",
    optional: false,
  },
  addedColumn("kept", "bool", "Kept", "Whether the 1200 method and the regression use the period."),
  addedColumn("reason", "utf8", "Reason", "Why the period is left out; empty if it is kept."),
  hours,
];

/** The months of `estimateLongTerm()`. */
export const longTermMonths: readonly Column[] = [month, ...common];

/** The years of `estimateLongTerm()`, for annual production. */
export const longTermYears: readonly Column[] = [year, ...common];

/** Facts for the findings. */
interface LongTermFacts extends Estimates, UncertaintyTables {
  /** The months or years of the record. */
  readonly periods: readonly IndexPeriod[];
  readonly unit: "month" | "year";
  /** Whole years in the indices. */
  readonly years: number;
  /** Method of P50, P75 and P90. */
  readonly method: string;
  /** Sum of all declared losses, %. */
  readonly lost: number;
}

/** Largest relative difference of methods without a remark. */
const SAME = 0.0005;

/** Lists the results. */
export function listResults(facts: LongTermFacts): LongTermFinding[] {
  const { estimates } = facts;
  const findings = estimates.map(({ method, p50, low, high, months, hours }): LongTermFinding => ({
    code: "normal_year",
    method,
    article: method === METHODS.ratio,
    energy: p50,
    low,
    high,
    months,
    hours,
  }));
  if (estimates.length > 1) {
    const energies = estimates.map(({ p50 }) => p50);
    const mean = sumOf(energies) / energies.length;
    const gap = (Math.max(...energies) - Math.min(...energies)) / mean;
    const narrowest = Math.min(...estimates.map(({ width }) => width));
    findings.push({
      code: "methods_apart",
      apart: 100 * gap,
      far: gap > Math.max(narrowest, SAME),
    });
  }
  const { exceedance, uncertainty, method, lost } = facts;
  if (exceedance[0].standard_error === null) return findings;
  return [
    ...findings,
    { code: "exceeded", method, lost, exceedance },
    { code: "shares", exceedance, uncertainty },
  ];
}

/** The periods left out, with their reasons. */
export function listLeftOut(
  periods: readonly IndexPeriod[],
  by: "month" | "year",
): LongTermFinding[] {
  const leftOut = periods.filter((period) => !isUsable(period))
    .map(({ label, reason }) => ({ period: label, reason }));
  return leftOut.length === 0
    ? []
    : [{ code: "left_out", by, periods: leftOut, of: periods.length }];
}

/** Lists omissions, and results that could not be computed. */
export function listNotes(facts: LongTermFacts): LongTermFinding[] {
  const { missing, timeStep, periods, unit } = facts;
  // A period that all methods leave out is listed once.
  const kept = new Set(periods.filter(isUsable).map(({ label }) => label));
  const outages = (timeStep?.periods ?? []).filter(({ used, label }) => !used && kept.has(label))
    .map(({ label, reason }) => ({ period: label, reason }));
  const notes = listLeftOut(periods, unit);
  if (outages.length > 0) notes.push({ code: "time_step_leaves_out", periods: outages });
  notes.push(...missing, ...(timeStep?.notes ?? []));
  if (facts.exceedance[0].standard_error === null) {
    notes.push({ code: "climate_unknown", needed: MIN_YEARS, years: facts.years });
  }
  return notes;
}

/**
 * Finds which stops the estimate includes.
 *
 * @param hasAvailability Whether energies are scaled by an availability
 */
export function findStops(
  resolution: "hour" | "month" | "year",
  hasAvailability: boolean,
): LongTermFinding {
  if (hasAvailability && resolution !== "hour") return { code: "always_available" };
  const shorter_than = resolution === "hour" ? STANDSTILL_HOURS : null;
  return { code: "stops_included", cells: `${resolution}s`, shorter_than };
}

/** Which facts of the turbine are known. */
interface TurbineKnowledge {
  readonly ratedPower: boolean;
  /** Whether the indices have predicted energies. */
  readonly predicted: boolean;
  readonly zone: boolean;
}

/** Lists checks that were not possible. */
export function listUnchecked(resolution: string, known: TurbineKnowledge): LongTermFinding[] {
  const hourly = resolution === "hour";
  const notes: LongTermFinding[] = [];
  if (!known.ratedPower) {
    notes.push({ code: hourly ? "standstill_by_largest" : "standstill_unclear" });
  }
  if (!known.ratedPower && !known.predicted) notes.push({ code: "unit_unchecked" });
  if (!known.zone && hourly) notes.push({ code: "months_of_utc" });
  return notes;
}
