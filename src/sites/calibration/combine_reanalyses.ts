import { formatMonthLabel } from "../../time/zones.ts";
import type { TrainingInput } from "../../windindex/calibration/training.ts";
import { computeAnnualMeans, fitAnnualTrend } from "../../windindex/index/annual_trend.ts";
import {
  computeMonthlyEnergies,
  type MonthlyEnergy,
} from "../../windindex/index/monthly_energy.ts";
import { computeNormals, type ReferencePeriod } from "../../windindex/index/reference_period.ts";
import {
  chooseReanalyses,
  type ReanalysisChoice,
} from "../../windindex/reanalyses/choose_reanalyses.ts";
import { combineHours, type ModelledHours } from "../../windindex/reanalyses/modelled_hours.ts";
import type { Turbine } from "../../windindex/turbine/turbine.ts";
import {
  combineErrors,
  combineMonthErrors,
  type WeightedReanalysis,
} from "../../windindex/uncertainty/combined_errors.ts";
import {
  buildMonthIntervals,
  buildUncertainty,
  computeErrors,
  computeLocationUncertainty,
  computeMonthErrors,
  computeUncertainty,
  type PredictedMonths,
  type Uncertainty,
} from "../../windindex/uncertainty/uncertainty.ts";
import { isCalibrated, measureUnseenFit } from "../../windindex/calibration/unseen_fit.ts";
import type { StoredCalibration, StoredReanalysis } from "../keep/site_record.ts";
import type { FittedReanalysis } from "./fit_reanalyses.ts";
import { computeLag } from "./time_shift.ts";

/** Several reanalyses as the one model of a turbine. */
export interface CombinedReanalyses {
  /** The reanalyses, in the order declared. */
  readonly fitted: readonly FittedReanalysis[];
  readonly choice: ReanalysisChoice;
  /** The reanalysis with the largest weight. */
  readonly main: FittedReanalysis;
  readonly hours: ModelledHours;
  /** Months with hours that some weighted reanalyses lack, each with the reanalyses that supply these hours. */
  readonly filled: ReadonlyMap<string, readonly string[]>;
}

/** Finds the months in which some hours come from only a part of the reanalyses. */
function findFilledMonths(
  sources: Int8Array,
  hours: ModelledHours,
  ranked: readonly FittedReanalysis[],
  timeZone: string,
): Map<string, string[]> {
  const filled = new Map<string, Set<string>>();
  // Sums a 0/1 flag per source as if it were power: a month above 0 has hours of that source.
  ranked.forEach(({ serviceId }, position) => {
    const flags = Float64Array.from(sources, (source) => source === position ? 1 : 0);
    for (const { year, month, energy } of computeMonthlyEnergies(flags, hours.axis, timeZone)) {
      if (!(energy! > 0)) continue;
      const label = formatMonthLabel({ year, month });
      filled.set(label, (filled.get(label) ?? new Set()).add(serviceId));
    }
  });
  return new Map([...filled].sort().map(([label, ids]) => [label, [...ids]]));
}

/**
 * Describes the months that lack a reanalysis of the index. They belong to this import's record, not to the
 * calibration.
 */
export function describeFilledMonths({ filled }: CombinedReanalyses): string[] {
  const months = [...Map.groupBy(filled, ([, ids]) => ids.join(" and "))].map(([ids, entries]) => {
    const [first, last] = [entries[0][0], entries[entries.length - 1][0]];
    return entries.length === 1
      ? `${first} from ${ids}`
      : `${entries.length} months of ${first} to ${last} from ${ids}`;
  });
  return months.length === 0 ? [] : [
    `Hours filled because a reanalysis is missing: ${
      months.join("; ")
    }. They change when the missing reanalysis ` +
    "is added.",
  ];
}

function readChoice({ reanalyses, choice }: StoredCalibration): ReanalysisChoice {
  return {
    ...choice,
    weights: reanalyses.map(({ weight }) => weight),
    errors: reanalyses.map(({ error }) => choice.error === null ? null : error),
  };
}

/**
 * Combines the calibrated reanalyses of a turbine into one model, chosen by their errors of unseen periods.
 *
 * @param fitted The reanalyses, the main one first
 * @param kept An earlier calibration that is kept, with its weights; `null` without one
 */
export function combineReanalyses(
  fitted: readonly FittedReanalysis[],
  { timeZone }: Turbine,
  kept: StoredCalibration | null,
): CombinedReanalyses {
  const choice = kept
    ? readChoice(kept)
    : chooseReanalyses(fitted.map(({ calibration }) => calibration));
  const { weights, errors } = choice;
  const main = fitted[weights.indexOf(Math.max(...weights))];
  if (fitted.length === 1) return { fitted, choice, main, hours: main.hours, filled: new Map() };
  const order = [...fitted.keys()].sort((a, b) =>
    weights[b] - weights[a] || (errors[a] ?? Infinity) - (errors[b] ?? Infinity) || a - b
  );
  const ranked = order.map((i) => fitted[i]);
  const { source, ...hours } = combineHours(
    order.map((i) => ({ hours: fitted[i].hours, weight: weights[i] })),
  );
  return { fitted, choice, main, hours, filled: findFilledMonths(source, hours, ranked, timeZone) };
}

/** Mean annual energy of the reference period by one reanalysis, kWh; NaN if it lacks a part of the period. */
function computeAnnual(
  { hours }: FittedReanalysis,
  timeZone: string,
  { years }: ReferencePeriod,
): number {
  const months = computeMonthlyEnergies(hours.power, hours.axis, timeZone)
    .filter(({ year, energy }) => years.includes(year) && energy !== null);
  return months.length < 12 * years.length ? NaN : computeNormals(months, { years }).year;
}

/** Collects the inputs of the spread between the reanalyses. */
function measureSpread(
  { fitted, choice: { weights, errors } }: CombinedReanalyses,
  { timeZone }: Turbine,
  reference: ReferencePeriod,
): Omit<WeightedReanalysis, "months">[] {
  return fitted.map((one, i) => ({
    weight: weights[i],
    unseen: errors[i],
    annual: computeAnnual(one, timeZone, reference),
  }));
}

/** Computes the intervals of the combined model. */
export function computeCombinedUncertainty(
  combined: CombinedReanalyses,
  turbine: Turbine,
  predicted: PredictedMonths,
): Uncertainty {
  const { fitted, choice: { error }, main } = combined;
  if (!isCalibrated(main.calibration)) return computeLocationUncertainty(main.training, predicted);
  if (fitted.length === 1) return computeUncertainty(main.training, main.calibration, predicted);
  const annual = computeNormals(predicted.months, predicted.reference).year;
  const reanalyses = measureSpread(combined, turbine, predicted.reference).map((one, i) => ({
    ...one,
    errors: one.weight > 0
      ? computeErrors(fitted[i].training, fitted[i].calibration, predicted)
      : null,
  }));
  return buildUncertainty(combineErrors(reanalyses, annual, error), main.calibration.k, predicted);
}

/** Computes only the monthly intervals of the combined model: a kept calibration has the others. */
export function computeCombinedIntervals(
  combined: CombinedReanalyses,
  turbine: Turbine,
  predicted: PredictedMonths,
): Uncertainty["months"] {
  const { months, reference } = predicted;
  const { fitted, choice: { error }, main } = combined;
  if (!isCalibrated(main.calibration)) {
    return computeCombinedUncertainty(combined, turbine, predicted).months;
  }
  const errorsOf = ({ training, calibration }: FittedReanalysis) =>
    computeMonthErrors(training, calibration, months);
  if (fitted.length === 1) return buildMonthIntervals(months, errorsOf(fitted[0]));
  const reanalyses = measureSpread(combined, turbine, reference).map((one, i) => ({
    ...one,
    months: one.weight > 0 ? errorsOf(fitted[i]) : [],
  }));
  const annual = computeNormals(months, reference).year;
  return buildMonthIntervals(months, combineMonthErrors(reanalyses, annual, error));
}

/** Builds the record of each reanalysis: calibration, weight, error, lag and trend. */
export function recordReanalyses(
  { fitted, choice }: CombinedReanalyses,
  inputs: readonly TrainingInput[],
  { timeZone }: Turbine,
): StoredReanalysis[] {
  return fitted.map(({ serviceId, calibration, hours }, i) => ({
    serviceId,
    weight: choice.weights[i],
    calibration,
    error: choice.errors[i] ?? measureUnseenFit(calibration.periods)?.error ?? null,
    lag: computeLag(inputs, hours, timeZone),
    trend: fitAnnualTrend(computeAnnualMeans(hours.power, hours.axis, timeZone))?.trend ?? null,
  }));
}

/** Computes the months of the combined model. */
export function computeCombinedMonths(
  { hours }: CombinedReanalyses,
  { timeZone }: Turbine,
): MonthlyEnergy[] {
  return computeMonthlyEnergies(hours.power, hours.axis, timeZone, hours.preliminary);
}
