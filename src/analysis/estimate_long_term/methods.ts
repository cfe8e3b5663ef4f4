import { ArgumentError } from "../../api/errors.ts";
import { MIN_PERIODS } from "../../windindex/calibration/training_energies.ts";
import {
  addShares,
  buildShare,
  computeReach,
  type ErrorShare,
  LASTING_PRIOR,
  NO_ERROR,
} from "../../windindex/uncertainty/error_terms.ts";
import {
  computeSeasonGap,
  type Draws,
  estimateBootstrapError,
  estimateLevelError,
  estimateSeasonError,
  estimateYearsError,
} from "../series/mean_uncertainty.ts";
import { type IndexPeriod, isUsable, type RecordScreening, type UsablePeriod } from "./record.ts";
import { estimateByTimeStep, type TimeStep, type TimeStepData } from "./time_step.ts";
import type { EstimateShares } from "./uncertainty.ts";
import type { LongTermFinding } from "./words.ts";
import { sumOf } from "../../stats/spread.ts";

/** Month indices of a normal year: twelve times 100 %. */
const NORMAL_YEAR = 1200;

/**
 * Estimates the energy of a normal year by the sums of production and month indices, MWh. A period with a share of its
 * hours counts with that share on both sides.
 *
 * Source: the Danish wind index, by which twelve normal months sum to 1200.
 */
function estimateByRatio(periods: readonly UsablePeriod[], weights: Float64Array): number {
  let [produced, indices] = [0, 0];
  periods.forEach((period, i) => {
    const weight = weights[i] * period.weight;
    produced += weight * period.produced;
    indices += weight * period.months * period.index;
  });
  return NORMAL_YEAR * produced / indices;
}

/** Estimates the energy of a normal year by a straight line through the mean monthly energies, read at 100 %, MWh. */
function estimateByRegression(
  periods: readonly UsablePeriod[],
  weights: Float64Array,
): number {
  const mean = (of: (period: UsablePeriod) => number) => {
    let [sum, count] = [0, 0];
    periods.forEach((period, i) => {
      const weight = weights[i] * period.weight;
      sum += weight * of(period);
      count += weight;
    });
    return sum / count;
  };
  // Weighted, unlike stats/regression.ts, because a draw of the bootstrap can contain a period several times.
  const energy = ({ produced, months }: UsablePeriod) => produced / months;
  const [x, y] = [mean(({ index }) => index), mean(energy)];
  const covariance = mean((period) => (period.index - x) * (energy(period) - y));
  const variance = mean(({ index }) => (index - x) ** 2);
  return 12 * (y + (100 - x) * covariance / variance);
}

/** Names of the methods, in their order. */
export const METHODS = {
  ratio: "1200 method",
  regression: "regression",
  timeStep: "time-step calibration",
} as const;

/** Name of a method. */
export type MethodName = typeof METHODS[keyof typeof METHODS];

/** Fewest months of a method: a quarter; for a line as many as in calibration. */
export const MIN_MONTHS = { ratio: 3, regression: MIN_PERIODS, timeStep: 3 } as const;

/** The normal year by one method: its row in the frame `estimates`, and its errors. */
export interface Estimate {
  readonly method: MethodName;
  /** Energy of the normal year, MWh, with the ends of its 90 % interval. */
  readonly p50: number;
  readonly low: number;
  readonly high: number;
  /** Standard error, % of the normal year. */
  readonly standard_error: number;
  /** Its errors by source. */
  readonly shares: EstimateShares;
  /** Half width of the 90 % interval of its logarithm. */
  readonly width: number;
  /** Months that it uses. */
  readonly months: number;
  /** Hours compared; `null` if months are compared. */
  readonly hours: number | null;
}

/** The estimates, and the reasons for missing ones. */
export interface Estimates {
  /** In the order of {@linkcode METHODS}. */
  readonly estimates: readonly Estimate[];
  /** Result of the time-step calibration. */
  readonly timeStep: TimeStep | undefined;
  /** Missing methods, with reasons. */
  readonly missing: readonly LongTermFinding[];
}

function buildEstimate(
  method: MethodName,
  p50: number,
  { calibration, season, level }: EstimateShares,
  months: number,
  hours: number | null,
): Estimate {
  const error = addShares(calibration, season, level);
  const [width, deviation] = [computeReach(error), Math.sqrt(error.variance)];
  return {
    method,
    p50,
    low: p50 / Math.exp(width),
    high: p50 * Math.exp(width),
    standard_error: 100 * deviation,
    months,
    hours,
    width,
    shares: { calibration, season, level },
  };
}

/**
 * Subtracts the part of a lasting error that calibration by time steps already includes: the error of a turbine at its
 * climate point.
 */
function lessSite({ variance }: ErrorShare): ErrorShare {
  return buildShare(Math.sqrt(Math.max(0, variance - LASTING_PRIOR.site ** 2)));
}

/** Estimates by the 1200 method or the regression; with years, the interval comes from their scatter. */
function estimateByIndex(
  kind: "ratio" | "regression",
  periods: readonly IndexPeriod[],
  annual: boolean,
  lasting: ErrorShare,
  draws: Draws,
): Estimate | LongTermFinding {
  const usable = periods.filter(isUsable);
  const min = annual && kind === "ratio" ? 1 : MIN_MONTHS[kind];
  const method = METHODS[kind];
  const by = annual ? "year" : "month";
  const counted = usable.length;
  if (counted < min) {
    const of = periods.length;
    return { code: "too_few_periods", method, by, periods: counted, of, needed: min };
  }
  const estimate = (weights: Float64Array) =>
    (kind === "ratio" ? estimateByRatio : estimateByRegression)(usable, weights);
  const energy = estimate(new Float64Array(usable.length).fill(1));
  if (!(energy > 0) || !Number.isFinite(energy)) {
    return { code: "no_line", method, by, periods: counted };
  }
  const calibration = annual && kind === "ratio"
    ? estimateYearsError(usable.map(({ produced, index }) => produced / index))
    : estimateBootstrapError(counted, estimate, draws);
  const months = usable.map(({ first, weight }) => ({ number: first, weight }));
  // Annual energies have no season, and already show how the level moves, but no error common to all years.
  const season = annual ? NO_ERROR : estimateSeasonError(computeSeasonGap(months));
  const level = addShares(annual ? NO_ERROR : estimateLevelError(counted), lasting);
  const shares = { calibration, season, level };
  return buildEstimate(method, energy, shares, annual ? 12 * counted : counted, null);
}

/**
 * Estimates the normal year by each method that the record allows.
 *
 * @param lasting Error that more years do not reduce
 * @param action Action named in messages
 * @throws {ArgumentError} If the model data lack columns or rows
 */
export function estimateByMethods(
  record: RecordScreening,
  periods: readonly IndexPeriod[],
  data: TimeStepData | undefined,
  lasting: ErrorShare,
  draws: Draws,
  action: string,
): Estimates {
  const annual = record.resolution === "year";
  const min = annual ? 1 : MIN_MONTHS.timeStep;
  const timeStepResult = data ? estimateByTimeStep(record, data, draws, min, action) : undefined;
  const timeStep = typeof timeStepResult === "object" ? timeStepResult : undefined;
  const results: (Estimate | LongTermFinding)[] = [
    estimateByIndex("ratio", periods, annual, lasting, draws),
    estimateByIndex("regression", periods, annual, lasting, draws),
  ];
  if (timeStep) {
    const used = timeStep.periods.filter((period) => period.used);
    results.push(buildEstimate(
      METHODS.timeStep,
      timeStep.energy,
      { ...timeStep.shares, level: addShares(timeStep.shares.level, lessSite(lasting)) },
      annual ? 12 * used.length : used.length,
      sumOf(used, ({ validHours }) => validHours),
    ));
  } else {
    const why = typeof timeStepResult === "string" ? timeStepResult : undefined;
    results.push({ code: "no_time_step", method: METHODS.timeStep, why });
  }
  return {
    estimates: results.flatMap((result) => "code" in result ? [] : [result]),
    timeStep: timeStep,
    missing: results.flatMap((result) => "code" in result ? [result] : []),
  };
}

/**
 * Chooses the estimate behind P50, P75 and P90.
 *
 * @param action Action named in messages
 * @throws {ArgumentError} If the method named by the caller gave no estimate
 */
export function chooseEstimate(
  { estimates, timeStep }: Estimates,
  named: string | undefined,
  action: string,
): Estimate {
  if (named === undefined) return estimates.at(timeStep ? -1 : 0)!; // uses every hour, like the index
  const estimate = estimates.find(({ method }) => method === named);
  if (estimate) return estimate;
  const known = estimates.map(({ method }) => method).join(", ");
  throw new ArgumentError(
    `Cannot ${action}: the method "${named}" gives no estimate for this record. Choose one of these: ${known}`,
  );
}
