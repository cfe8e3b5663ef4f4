import { STANDSTILL_HOURS } from "../../screening/values/hourly_power.ts";
import { LEVEL_PRIOR, MIN_YEARS } from "../../windindex/uncertainty/error_terms.ts";
import { computeLevelWidth, computeSeasonWidth } from "../series/mean_uncertainty.ts";
import { computeExceedance } from "./exceedance.ts";
import { type Estimates, METHODS } from "./methods.ts";
import { type IndexPeriod, isUsable } from "./record.ts";
import type { LongTermFound } from "./words.ts";

/** Facts that the findings describe. */
interface LongTermFacts extends Estimates {
  /** The months or years of the record. */
  readonly periods: readonly IndexPeriod[];
  readonly unit: "month" | "year";
  /** Standard deviation of years over their mean, as a share. */
  readonly interAnnualVariability: number | null;
  /** Whole years that the indices have. */
  readonly years: number;
  /** Whether the caller gave the variability. */
  readonly declared: boolean;
}

/** Largest relative difference of methods without a remark. */
const SAME = 0.0005;

/** Lists the results. */
export function listResults({ estimates, interAnnualVariability }: LongTermFacts): LongTermFound[] {
  const found = estimates.map(({ method, energy, width, months, hours }): LongTermFound => ({
    code: "normal_year",
    method,
    article: method === METHODS.ratio,
    energy,
    low: energy / Math.exp(width),
    high: energy * Math.exp(width),
    months,
    hours,
  }));
  if (estimates.length > 1) {
    const energies = estimates.map(({ energy }) => energy);
    const mean = energies.reduce((sum, energy) => sum + energy, 0) / energies.length;
    const apart = (Math.max(...energies) - Math.min(...energies)) / mean;
    const narrowest = Math.min(...estimates.map(({ width }) => width));
    found.push({
      code: "methods_apart",
      apart: 100 * apart,
      far: apart > Math.max(narrowest, SAME),
    });
  }
  const [{ energy: p50, uncertainty }] = estimates;
  const expected = { p50, uncertainty, interAnnualVariability };
  const [p90_1, p90_10] = [1, 10].map((years) => computeExceedance(expected, 90, years));
  if (p90_1 !== null && p90_10 !== null) found.push({ code: "exceeded", p90_1, p90_10 });
  return found;
}

/** The periods left out, with their reasons. */
export function listLeftOut(
  periods: readonly IndexPeriod[],
  by: "month" | "year",
): LongTermFound[] {
  const left = periods.filter((period) => !isUsable(period))
    .map(({ label, reason }) => ({ period: label, reason }));
  return left.length === 0 ? [] : [{ code: "left_out", by, periods: left, of: periods.length }];
}

function findVariability(
  { interAnnualVariability, declared, years }: LongTermFacts,
): LongTermFound {
  if (interAnnualVariability === null) {
    return { code: "variability_unknown", needed: MIN_YEARS, years };
  }
  const variability = 100 * interAnnualVariability;
  return declared
    ? { code: "variability_given", variability }
    : { code: "variability", variability, years, miss: variability / Math.sqrt(years) };
}

/** Lists what was left out, and what could not be computed. */
export function listNotes(facts: LongTermFacts): LongTermFound[] {
  const { estimates, missing, timeStep, periods, unit } = facts;
  const gap = Math.max(...estimates.map((estimate) => estimate.gap));
  // What is left out for all methods is listed once.
  const kept = new Set(periods.filter(isUsable).map(({ label }) => label));
  const outages = (timeStep?.periods ?? []).filter(({ used, label }) => !used && kept.has(label))
    .map(({ label, reason }) => ({ period: label, reason }));
  const notes = listLeftOut(periods, unit);
  if (outages.length > 0) notes.push({ code: "time_step_leaves_out", periods: outages });
  notes.push(...missing, ...(timeStep?.notes ?? []));
  const season = Math.sqrt(computeSeasonWidth(gap));
  // A year without one or two months is not uneven.
  if (season >= 0.01) notes.push({ code: "uneven_months", width: 100 * season });
  // Years show themselves how the level of the reanalysis moves.
  if (unit === "month" && estimates.length > 0) {
    const months = Math.max(...estimates.map((estimate) => estimate.months));
    const width = 100 * Math.sqrt(computeLevelWidth(months));
    notes.push({ code: "level_moves", moves: 100 * LEVEL_PRIOR.deviation, months, width });
  }
  return [...notes, findVariability(facts)];
}

/**
 * Finds which stops the estimate contains.
 *
 * @param hasAvailability Whether energies are scaled by an availability
 */
export function findStops(
  resolution: "hour" | "month" | "year",
  hasAvailability: boolean,
): LongTermFound {
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
export function listUnchecked(resolution: string, known: TurbineKnowledge): LongTermFound[] {
  const hourly = resolution === "hour";
  const notes: LongTermFound[] = [];
  if (!known.ratedPower) {
    notes.push({ code: hourly ? "standstill_by_largest" : "standstill_unclear" });
  }
  if (!known.ratedPower && !known.predicted) notes.push({ code: "unit_unchecked" });
  if (!known.zone && hourly) notes.push({ code: "months_of_utc" });
  return notes;
}
