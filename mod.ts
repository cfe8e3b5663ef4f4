/**
 * Wind indices and climate data in Polars frames: ask a service, your own data, or the built-in sample.
 *
 * @example Two years of a turbine, as a chart
 * ```ts
 * import { monthlyIndices, plotMonthlyIndices } from "@vindkit/vindkit";
 *
 * const index = await monthlyIndices("T1", { from: "2022-01", to: "2023-12" });
 * const chart = plotMonthlyIndices(index);
 * console.log((await chart.svg()).length);
 * ```
 *
 * @module
 */
export {
  ArgumentError,
  ConfigurationError,
  DataChangedError,
  DataFormatError,
  type ErrorFacts,
  FileTypeError,
  LicenceError,
  NetworkError,
  NoAccessError,
  NoDataError,
  NotCachedError,
  NotFoundError,
  OrderFailedError,
  OrderUncertainError,
  ServiceError,
  TimeoutError,
  TooManyRequestsError,
  VindkitError,
} from "./src/api/errors.ts";
export type { DateLike, MonthLike } from "./src/api/calendar.ts";
export type { Column, Dtype, Tag } from "./src/api/columns/column.ts";
export { type FileType, fileTypes } from "./src/api/operations/climate_data.ts";
export { operations } from "./src/api/operations/operations.ts";
export type {
  Group,
  Operation,
  OperationError,
  OperationId,
  Success,
} from "./src/api/operations/operation.ts";
export type { Parameter, ParameterType, ParameterValue } from "./src/api/operations/parameter.ts";
export type { ResponseHeader } from "./src/api/operations/response_headers.ts";
export type { SentParameters } from "./src/api/operations/request_path.ts";
export type { Meaning } from "./src/api/errors.ts";
export type { MonthlyReportResource } from "./src/api/resources/report_resource.ts";
export type { TurbineDetailsResource } from "./src/api/resources/resources.ts";
export type { World } from "./src/api/world.ts";

export { connect, type Connection } from "./src/client/connection/connection.ts";
export {
  type CallOptions,
  closeDefaultConnection,
  type FrameOptions,
} from "./src/client/connection/default_connection.ts";
export { checkConnection, type ConnectionCheck } from "./src/client/calls/check_connection.ts";
export { Secret } from "./src/client/connection/secret.ts";
export type { CacheMode, ConnectOptions } from "./src/client/connection/settings.ts";
export type { Timeouts } from "./src/client/http/transport.ts";
export type { RequestEvent } from "./src/client/http/request_event.ts";
export type { Failure, FanOutOptions } from "./src/client/answers/fan_out.ts";
export { failures } from "./src/client/answers/joined_frame.ts";
export { PartialError } from "./src/client/answers/partial_error.ts";
export { type TurbineDetails, turbineDetails, turbines } from "./src/client/calls/turbines.ts";
export { modelData, type ModelDataOptions } from "./src/client/calls/model_data.ts";
export {
  type MonthlyIndex,
  monthlyIndex,
  windIndices,
  type WindIndicesOptions,
} from "./src/client/calls/wind_indices.ts";
export { monthlyIndices, type MonthlyIndicesOptions } from "./src/client/calls/monthly_indices.ts";
export type { ClimateOptions, Place } from "./src/client/answers/climate_files.ts";
export {
  coverage,
  type CoverageOptions,
  datasets,
  downloadClimate,
  saveClimate,
} from "./src/client/calls/climate_data.ts";
export type { ClimateOrder } from "./src/client/orders/climate_order.ts";
export { orderAndWait, type OrderAndWaitOptions } from "./src/client/orders/order_and_wait.ts";
export { type OrderStatus, orderStatus } from "./src/client/orders/order_status.ts";
export { orders, type OrdersFrame } from "./src/client/orders/orders.ts";
export {
  attachOrder,
  placeOrder,
  type PlaceOrderOptions,
} from "./src/client/orders/place_order.ts";
export type { WaitOptions } from "./src/client/orders/wait_for_order.ts";
export { lockData } from "./src/client/cache/lock_data.ts";
export { checkData } from "./src/client/calls/check_data.ts";
export {
  type MonthlyReport,
  monthlyReport,
  type MonthlyReportOptions,
  reportMonths,
  reportTurbines,
} from "./src/client/calls/reports.ts";
export { requestApiKey, type RequestApiKeyOptions } from "./src/client/calls/user_access.ts";
export { exampleFile, type ExampleFileOptions } from "./src/client/calls/example_file.ts";

export { type Provenance, provenance, withProvenance } from "./src/frames/provenance.ts";
export { type ProductionFormat, readProduction } from "./src/frames/production/production.ts";
export { toHours, type ToHoursOptions } from "./src/frames/production/to_hours.ts";
export { readFrame, type ReadFrameOptions } from "./src/frames/storage/read_frame.ts";
export { saveFrame, type SaveFrameOptions } from "./src/frames/storage/save_frame.ts";
export { type Bundle, type Displayable, JUPYTER_DISPLAY } from "./src/show/jupyter.ts";
export { type Table, table, type TableOptions } from "./src/show/table/table.ts";
export {
  compareActual,
  type CompareActualOptions,
} from "./src/analysis/compare_actual/compare_actual.ts";
export {
  type CheckedTurbine,
  checkPerformance,
  type CheckPerformanceOptions,
  type NamedOutage,
  type NormalBand,
  type OutageBound,
  type PerformanceBasis,
  type PerformanceCheck,
} from "./src/analysis/check_performance/check_performance.ts";
export {
  estimateLongTerm,
  type EstimateLongTermOptions,
  type LongTermEstimate,
} from "./src/analysis/estimate_long_term/estimate_long_term.ts";
export {
  type Budget,
  type BudgetToDate,
  type ExpectedEnergy,
  planBudget,
  type PlanBudgetOptions,
} from "./src/analysis/plan_budget/plan_budget.ts";
export {
  type ExplainedData,
  explainIndex,
  type ExplainIndexOptions,
  type IndexExplanation,
} from "./src/analysis/explain_index/explain_index.ts";
export {
  checkQuality,
  type CheckQualityOptions,
  type QualityReport,
} from "./src/analysis/check_quality/check_quality.ts";
export {
  compareReferences,
  type CompareReferencesOptions,
  type ReferenceCandidate,
  type ReferenceComparison,
} from "./src/analysis/compare_references/compare_references.ts";
export type { Location } from "./src/windindex/climate/site_weights.ts";
export type { Stamp } from "./src/windindex/climate/climate.ts";
export type { Interval } from "./src/windindex/uncertainty.ts";
export type { Chart, ChartSpec, PngOptions } from "./src/plots/drawing/chart.ts";
export type { PlotOptions } from "./src/plots/parts/plot_options.ts";
export {
  plotActualAgainstPredicted,
  type PlotActualAgainstPredictedOptions,
} from "./src/plots/actual_predicted/actual_predicted.ts";
export {
  plotPerformance,
  type PlotPerformanceOptions,
} from "./src/plots/performance/performance.ts";
export { plotLongTerm, type PlotLongTermOptions } from "./src/plots/long_term/long_term.ts";
export { plotMonthlyIndices, type PlotMonthlyIndicesOptions } from "./src/plots/monthly_indices.ts";
export { plotPowerCurve, type PlotPowerCurveOptions } from "./src/plots/power_curve.ts";
export { plotBudget, type PlotBudgetOptions } from "./src/plots/budget.ts";
export { plotMonthOfYears, type PlotMonthOfYearsOptions } from "./src/plots/month_of_years.ts";
export { plotCompleteness, type PlotCompletenessOptions } from "./src/plots/completeness.ts";
export { plotReferences, type PlotReferencesOptions } from "./src/plots/references/references.ts";
export {
  plotCorrelation,
  type PlotCorrelationOptions,
} from "./src/plots/correlation/correlation.ts";
export {
  type MappedTurbine,
  plotCoverageMap,
  type PlotCoverageMapOptions,
} from "./src/plots/maps/coverage_map.ts";
export {
  plotSpeedDistribution,
  type PlotSpeedDistributionOptions,
} from "./src/plots/speed_distribution.ts";
export { plotTimeSeries, type PlotTimeSeriesOptions } from "./src/plots/time_series/time_series.ts";
export { plotWindCycles, type PlotWindCyclesOptions } from "./src/plots/wind_cycles/wind_cycles.ts";
export { plotWindRose, type PlotWindRoseOptions } from "./src/plots/wind_rose/wind_rose.ts";
export type { JoinBy } from "./src/plots/correlation/paired.ts";
export type { SectorCount } from "./src/plots/wind_rose/compass.ts";
export { plotFleetIndices, type PlotFleetIndicesOptions } from "./src/plots/fleet_indices.ts";
export { plotFleetMap, type PlotFleetMapOptions } from "./src/plots/maps/fleet_map.ts";
export {
  plotIndexCalendar,
  type PlotIndexCalendarOptions,
} from "./src/plots/index_calendar/index_calendar.ts";
export { plotIndexLines, type PlotIndexLinesOptions } from "./src/plots/index_lines/index_lines.ts";
export { plotShortfall, type PlotShortfallOptions } from "./src/plots/shortfall/shortfall.ts";
export {
  type FanInterval,
  plotUncertaintyFan,
  type PlotUncertaintyFanOptions,
} from "./src/plots/uncertainty_fan/uncertainty_fan.ts";
