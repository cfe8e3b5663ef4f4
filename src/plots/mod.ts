/**
 * The charts: each takes frames, and shows itself in a notebook or is saved as SVG or PNG.
 *
 * @example Months of a turbine as a picture
 * ```ts
 * import { monthlyIndices } from "@vindkit/vindkit";
 * import { plotMonthlyIndices } from "@vindkit/vindkit/plots";
 * import { assertEquals } from "@std/assert";
 *
 * const indices = await monthlyIndices("T1", { from: "2023-01", to: "2023-12" });
 * const svg = await plotMonthlyIndices(indices).svg();
 * assertEquals(svg.startsWith("<svg"), true);
 * ```
 *
 * @module
 */
export type { Chart, PngOptions } from "./drawing/chart.ts";
export type { ChartSpec, Theme } from "./drawing/recolor.ts";
export type { PlotOptions } from "./parts/plot_options.ts";
export {
  plotActualAgainstPredicted,
  type PlotActualAgainstPredictedOptions,
} from "./actual_predicted/actual_predicted.ts";
export { plotPerformance } from "./performance/performance.ts";
export { plotLongTerm } from "./long_term/long_term.ts";
export { plotMonthlyIndices, type PlotMonthlyIndicesOptions } from "./monthly_indices.ts";
export { plotPowerCurve, type PlotPowerCurveOptions } from "./power_curve.ts";
export { plotBudget } from "./budget.ts";
export { plotMonthOfYears, type PlotMonthOfYearsOptions } from "./month_of_years.ts";
export { plotCompleteness } from "./completeness.ts";
export { plotReferences } from "./references/references.ts";
export { plotCorrelation, type PlotCorrelationOptions } from "./correlation/correlation.ts";
export {
  type MapTurbine,
  plotCoverageMap,
  type PlotCoverageMapOptions,
} from "./maps/coverage_map.ts";
export { plotSpeedDistribution, type PlotSpeedDistributionOptions } from "./speed_distribution.ts";
export { plotTimeSeries, type PlotTimeSeriesOptions } from "./time_series/time_series.ts";
export { plotWindCycles, type PlotWindCyclesOptions } from "./wind_cycles/wind_cycles.ts";
export { plotWindRose, type PlotWindRoseOptions } from "./wind_rose/wind_rose.ts";
export type { JoinBy } from "./correlation/pairs.ts";
export type { SectorCount } from "./wind_rose/compass.ts";
export { plotFleetIndices, type PlotFleetIndicesOptions } from "./fleet_indices.ts";
export { plotFleetMap, type PlotFleetMapOptions } from "./maps/fleet_map.ts";
export {
  plotIndexCalendar,
  type PlotIndexCalendarOptions,
} from "./index_calendar/index_calendar.ts";
export { plotIndexLines } from "./index_lines/index_lines.ts";
export {
  plotShortfall,
  type PlotShortfallOptions,
  type ShortfallSteps,
} from "./shortfall/shortfall.ts";
export {
  type FanInterval,
  plotUncertaintyFan,
  type PlotUncertaintyFanOptions,
} from "./uncertainty_fan/uncertainty_fan.ts";
