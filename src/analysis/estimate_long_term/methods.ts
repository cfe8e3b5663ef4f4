import { monthNumberOf } from "../../time/zones.ts";
import { MIN_PERIODS } from "../../windindex/calibration/training_energies.ts";
import { estimateByRatio, estimateByRegression } from "./index_methods.ts";
import { type IndexPeriod, isUsable } from "./index_periods.ts";
import {
  computeBootstrapWidth,
  computeSeasonGap,
  computeSeasonWidth,
  computeYearsWidth,
  type Draws,
  NORMAL_95,
} from "../series/mean_uncertainty.ts";
import type { RecordScreening } from "./record_screening.ts";
import { estimateByTimeStep, type TimeStep, type TimeStepData } from "./time_step.ts";

/** Names of the methods, in their order. */
export const METHODS = {
  ratio: "1200 method",
  regression: "regression",
  timeStep: "time-step calibration",
} as const;

/** Fewest months a method is made from: a quarter; for a line as many as calibration asks for one. */
export const MIN_MONTHS = { ratio: 3, regression: MIN_PERIODS, timeStep: 3 } as const;

/** The normal year by one method. */
export interface Estimate {
  /** Name of the method. */
  readonly method: string;
  /** Energy of the normal year, MWh. */
  readonly energy: number;
  /** Half width of the 90 % interval of its logarithm. */
  readonly width: number;
  /** Its standard uncertainty, as a share. */
  readonly uncertainty: number;
  /** What of that is the season: how unevenly the months lie in the year, 0 to 1. */
  readonly gap: number;
  /** Months it is made from. */
  readonly months: number;
  /** Hours compared; `null` where months are. */
  readonly hours: number | null;
}

/** The estimates, and why others are missing. */
export interface Estimates {
  /** In the order of {@linkcode METHODS}. */
  readonly estimates: readonly Estimate[];
  /** What the time-step calibration found. */
  readonly timeStep: TimeStep | undefined;
  /** Methods that are missing, with the reason. */
  readonly missing: readonly string[];
}

function buildEstimate(
  method: string,
  energy: number,
  squaredWidth: number,
  months: readonly { number: number; weight: number }[],
  hours: number | null,
  each: number,
): Estimate {
  const gap = each === 12 ? 0 : computeSeasonGap(months);
  const width = Math.sqrt(squaredWidth + computeSeasonWidth(gap));
  const uncertainty = width / NORMAL_95;
  return { method, energy, width, uncertainty, gap, months: each * months.length, hours };
}

/** Position of a period's first month: "2018-05", or "2018". */
function monthNumberOfLabel(label: string): number {
  const [year, month = "1"] = label.split("-");
  return monthNumberOf({ year: Number(year), month: Number(month) });
}

/** The 1200 method and the regression; of years the interval comes from their scatter. */
function estimateByIndex(
  kind: "ratio" | "regression",
  periods: readonly IndexPeriod[],
  annual: boolean,
  draws: Draws,
): Estimate | string {
  const kept = periods.filter(isUsable);
  const least = annual && kind === "ratio" ? 1 : MIN_MONTHS[kind];
  const method = METHODS[kind];
  const unit = annual ? "year" : "month";
  if (kept.length < least) {
    return `No ${method}: ${kept.length} of ${periods.length} ${unit}s count, ${least} are needed.`;
  }
  const estimate = (weights: Float64Array) =>
    (kind === "ratio" ? estimateByRatio : estimateByRegression)(kept, weights);
  const energy = estimate(new Float64Array(kept.length).fill(1));
  if (!(energy > 0) || !Number.isFinite(energy)) {
    return `No ${method}: its line through the ${kept.length} ${unit}s gives no energy at 100 %.`;
  }
  const squaredWidth = annual && kind === "ratio"
    ? computeYearsWidth(kept.map(({ produced, index }) => produced / index))
    : computeBootstrapWidth(kept.length, estimate, draws);
  const months = kept.map(({ first }) => ({ number: first, weight: 1 }));
  return buildEstimate(method, energy, squaredWidth, months, null, annual ? 12 : 1);
}

/**
 * The normal year by each method that the record allows.
 *
 * @param periods Its months or years beside their index
 * @param data Model data and details, where they are given
 * @param draws Number and seed of the bootstraps
 * @param what What is being done, for messages
 * @throws {ArgumentError} If the model data are no model data
 */
export function estimateByMethods(
  record: RecordScreening,
  periods: readonly IndexPeriod[],
  data: TimeStepData | undefined,
  draws: Draws,
  what: string,
): Estimates {
  const annual = record.resolution === "year";
  const least = annual ? 1 : MIN_MONTHS.timeStep;
  const found = data ? estimateByTimeStep(record, data, draws, least, what) : undefined;
  const own = typeof found === "object" ? found : undefined;
  const results: (Estimate | string)[] = [
    estimateByIndex("ratio", periods, annual, draws),
    estimateByIndex("regression", periods, annual, draws),
  ];
  if (own) {
    const used = own.periods.filter((period) => period.used);
    results.push(buildEstimate(
      METHODS.timeStep,
      own.energy,
      own.squaredWidth,
      used.map(({ label, validHours }) => ({
        number: monthNumberOfLabel(label),
        weight: validHours,
      })),
      used.reduce((sum, { validHours }) => sum + validHours, 0),
      annual ? 12 : 1,
    ));
  } else {
    results.push(
      `No ${METHODS.timeStep}: ${
        found ?? "it needs model data and turbine details. Give them as { model, details }"
      }.`,
    );
  }
  return {
    estimates: results.filter((result) => typeof result === "object"),
    timeStep: own,
    missing: results.filter((result) => typeof result === "string"),
  };
}
