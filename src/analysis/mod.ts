/**
 * The analyses: each takes frames and gives frames with what they say, so that they run on data of any origin.
 *
 * @example What a turbine lost in a year
 * ```ts
 * import { modelData, monthlyIndices, turbineDetails } from "@vindkit/vindkit";
 * import { checkPerformance } from "@vindkit/vindkit/analysis";
 *
 * const range = { from: 2022, to: 2023 };
 * const predicted = await modelData("T1", range);
 * const indices = await monthlyIndices("T1", { from: "2022-01", to: "2023-12" });
 * const details = await turbineDetails("T1");
 * const production = predicted.select("time", "power");
 * console.log(checkPerformance(production, { predicted, indices, details }));
 * ```
 *
 * @module
 */
export { compareActual, type CompareActualOptions } from "./compare_actual/compare_actual.ts";
export {
  checkPerformance,
  type CheckPerformanceOptions,
  type NamedOutage,
  type NormalBand,
  type PerformanceBasis,
  type PerformanceCheck,
  type TurbineFacts,
} from "./check_performance/check_performance.ts";
export {
  estimateLongTerm,
  type EstimateLongTermOptions,
  type LongTermEstimate,
} from "./estimate_long_term/estimate_long_term.ts";
export {
  type Budget,
  type BudgetToDate,
  type ExpectedEnergy,
  planBudget,
  type PlanBudgetOptions,
} from "./plan_budget/plan_budget.ts";
export {
  explainIndex,
  type ExplainIndexData,
  type ExplainIndexOptions,
  type IndexExplanation,
} from "./explain_index/explain_index.ts";
export {
  checkQuality,
  type CheckQualityOptions,
  type QualityReport,
} from "./check_quality/check_quality.ts";
export {
  compareReferences,
  type CompareReferencesOptions,
  type ReferenceCandidate,
  type ReferenceComparison,
} from "./compare_references/compare_references.ts";
export {
  type FleetMonthSummary,
  summarizeFleet,
  type SummarizeFleetOptions,
} from "./summarize_fleet/summarize_fleet.ts";
export type { Location } from "../windindex/climate/site_weights.ts";
export type { Stamp } from "../windindex/climate/climate.ts";
export type { Interval } from "../windindex/uncertainty/interval.ts";
