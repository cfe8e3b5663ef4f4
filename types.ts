/**
 * The types that signatures of the other entries name: for programs that wrap a call, or declare what one takes or gives.
 * `deno task docs` writes this file.
 *
 * @module
 */
export type { NormalBand } from "./src/analysis/check_performance/band.ts";
export type { PerformanceCheck } from "./src/analysis/check_performance/check_performance.ts";
export type {
  CheckPerformanceOptions,
  NamedOutage,
  TurbineFacts,
} from "./src/analysis/check_performance/options.ts";
export type {
  CheckQualityOptions,
  QualityReport,
} from "./src/analysis/check_quality/check_quality.ts";
export type { CompareActualOptions } from "./src/analysis/compare_actual/compare_actual.ts";
export type { ReferenceCandidate } from "./src/analysis/compare_references/candidates.ts";
export type {
  CompareReferencesOptions,
  ReferenceComparison,
} from "./src/analysis/compare_references/compare_references.ts";
export type {
  EstimateLongTermOptions,
  LongTermEstimate,
} from "./src/analysis/estimate_long_term/estimate_long_term.ts";
export type { MethodName, METHODS } from "./src/analysis/estimate_long_term/methods.ts";
export type { DeclaredLoss } from "./src/analysis/estimate_long_term/uncertainty.ts";
export type { BudgetDeviation } from "./src/analysis/explain_budget/answer.ts";
export type {
  ExplainBudgetOptions,
  FleetDeviations,
  GivenBudget,
} from "./src/analysis/explain_budget/explain_budget.ts";
export type {
  ExplainIndexData,
  ExplainIndexOptions,
  IndexExplanation,
} from "./src/analysis/explain_index/explain_index.ts";
export type {
  Availability,
  AvailabilityMeasured,
  Counting,
  MeasureAvailabilityOptions,
} from "./src/analysis/measure_availability/measure_availability.ts";
export type { Budget, BudgetToDate, ExpectedEnergy } from "./src/analysis/plan_budget/months.ts";
export type { PlanBudgetOptions } from "./src/analysis/plan_budget/plan_budget.ts";
export type {
  PricedProduction,
  PriceProductionOptions,
  Worth,
} from "./src/analysis/price_production/price_production.ts";
export type { IndexProof, ProveIndexOptions } from "./src/analysis/prove_index/prove_index.ts";
export type { Finding, FindingFigure } from "./src/analysis/series/answer.ts";
export type { StateOptions } from "./src/analysis/series/turbine_states.ts";
export type {
  FleetDetails,
  FleetSummary,
  SummarizeFleetOptions,
} from "./src/analysis/summarize_fleet/summarize_fleet.ts";
export type {
  Cause,
  Deviation,
  Figures,
  StepFields,
  StepName,
  Value,
  Verdict,
  VerdictName,
} from "./src/analysis/verdict/row.ts";
export type { WhatIf, WhatIfChanges, WhatIfData } from "./src/analysis/what_if/what_if.ts";
export type { MonthLike } from "./src/api/calendar.ts";
export type { Column, Dtype, Tag } from "./src/api/columns/column.ts";
export type {
  KeyField,
  OnWire,
  Quantity,
  Received,
  WireDate,
  WireNames,
} from "./src/api/columns/column_table.ts";
export type {
  CalendarMonth,
  MonthFigures,
  MonthState,
  PredictedInterval,
  WindIndicesRow,
} from "./src/api/columns/month_columns.ts";
export type {
  CalibrationVerdict,
  calibrationVerdicts,
  TurbineFields,
  TurbineItem,
} from "./src/api/columns/turbine_columns.ts";
export type { ClimateDataId, FileType } from "./src/api/operations/climate_data.ts";
export type { OperationId } from "./src/api/operations/operation.ts";
export type { ParameterValue } from "./src/api/operations/parameter.ts";
export type { ReportId } from "./src/api/operations/reports.ts";
export type { ParameterValues, SentParameters } from "./src/api/operations/request_path.ts";
export type { UserAccessId } from "./src/api/operations/user_access.ts";
export type { WindIndexId } from "./src/api/operations/wind_index.ts";
export type {
  MonthlyReportResource,
  ReportedCalibration,
  ReportedFigures,
  ReportedIntervals,
  ReportedMonth,
  ReportedParts,
  ReportedReanalysis,
  ReportedReference,
  ScalingCandidate,
  ScalingParameter,
} from "./src/api/resources/report_resource.ts";
export type {
  PowerCurvePoint,
  PowerCurveResource,
  ReceivedPowerCurve,
} from "./src/api/resources/resources.ts";
export type { World } from "./src/api/world.ts";
export type { ClimateOptions, Place } from "./src/client/answers/climate_files.ts";
export type { FanOutOptions } from "./src/client/answers/fan_out.ts";
export type { TableForm } from "./src/client/answers/read_answer.ts";
export type { ExampleFileOptions, RequestApiKeyOptions } from "./src/client/calls/access.ts";
export type { CoverageOptions } from "./src/client/calls/climate_data.ts";
export type { ModelDataOptions } from "./src/client/calls/model_data.ts";
export type { MonthlyIndicesOptions } from "./src/client/calls/monthly_indices.ts";
export type { MonthlyReportOptions } from "./src/client/calls/reports.ts";
export type { WindIndicesOptions } from "./src/client/calls/wind_indices.ts";
export type { FrameOptions } from "./src/client/connection/default_connection.ts";
export type { CacheMode } from "./src/client/connection/settings.ts";
export type { RequestEvent, Timeouts } from "./src/client/http/transport.ts";
export type { WaitOptions } from "./src/client/orders/order_status.ts";
export type { OrdersFrame } from "./src/client/orders/orders.ts";
export type { OrderAndWaitOptions, PlaceOrderOptions } from "./src/client/orders/place_order.ts";
export type { Era5Options } from "./src/era5/era5.ts";
export type { Era5Source, Era5Status } from "./src/era5/source_link.ts";
export type { EventsFormat } from "./src/frames/events/read_events.ts";
export type { Origin } from "./src/frames/origin/provenance.ts";
export type { FileNames } from "./src/frames/presets/named_files.ts";
export type { RecognizedColumn } from "./src/frames/presets/recognize_rows.ts";
export type { ToHoursOptions } from "./src/frames/production/to_hours.ts";
export type { SelectPeriodOptions } from "./src/frames/select_period.ts";
export type { ReadFrameOptions } from "./src/frames/storage/read_frame.ts";
export type { SaveFrameOptions } from "./src/frames/storage/save_frame.ts";
export type { Cell, MimeBundle, Output } from "./src/notebook/document/notebook_document.ts";
export type { Parameters } from "./src/notebook/document/parameters.ts";
export type { CellRun, RunProgress } from "./src/notebook/run/run_notebook.ts";
export type { Content } from "./src/notebook/wire/kernel_message.ts";
export type { PlotActualAgainstPredictedOptions } from "./src/plots/comparison/actual_predicted.ts";
export type { PlotCorrelationOptions } from "./src/plots/comparison/correlation.ts";
export type { PngOptions } from "./src/plots/drawing/chart.ts";
export type { ChartSpec, Theme } from "./src/plots/drawing/recolor.ts";
export type { Drawn } from "./src/plots/grammar/read.ts";
export type { PlotPowerCurveOptions } from "./src/plots/hours/power_curve.ts";
export type { SectorCount } from "./src/plots/hours/rose_figures.ts";
export type { PlotTimeSeriesOptions } from "./src/plots/hours/time_series.ts";
export type { PlotWindRoseOptions } from "./src/plots/hours/wind_rose.ts";
export type { PlotFleetIndicesOptions } from "./src/plots/index/fleet_indices.ts";
export type { PlotIndexCalendarOptions } from "./src/plots/index/index_calendar.ts";
export type { PlotMonthlyIndicesOptions } from "./src/plots/index/monthly_indices.ts";
export type { PlotShortfallOptions } from "./src/plots/losses/shortfall.ts";
export type { MapTurbine, PlotCoverageMapOptions } from "./src/plots/maps/coverage_map.ts";
export type { PlotFleetMapOptions } from "./src/plots/maps/fleet_map.ts";
export type { ClientInfo } from "./src/service/limits/login_throttle.ts";
export type { RequestLimitsOptions } from "./src/service/limits/request_limits.ts";
export type { AnswerRecord } from "./src/service/routing/request_log.ts";
export type { Bundle, Displayable, JUPYTER_DISPLAY } from "./src/show/jupyter.ts";
export type { RangeBound } from "./src/show/options/range.ts";
export type { TableOptions } from "./src/show/table/table.ts";
export type { FetchEra5 } from "./src/sites/climate/fetch_reanalyses.ts";
export type { Exclusion } from "./src/sites/site_data.ts";
export type { SharedStorage } from "./src/storage/storage.ts";
export type { HourAxis } from "./src/time/hourly.ts";
export type {
  EnergyPeriod,
  HourlyProduction,
  PeriodProduction,
  Production,
} from "./src/windindex/calibration/production.ts";
export type { TrainingInput } from "./src/windindex/calibration/training.ts";
export type { Stamp } from "./src/windindex/climate/climate.ts";
export type { SiteClimate, SiteLevel } from "./src/windindex/climate/site_climate.ts";
export type { Location } from "./src/windindex/climate/site_weights.ts";
export type { HubConditions } from "./src/windindex/turbine/hub_conditions.ts";
export type {
  CurvePoint,
  POWER_UNITS,
  PowerControl,
  PowerUnit,
} from "./src/windindex/turbine/power_curve.ts";
export type { Turbine } from "./src/windindex/turbine/turbine.ts";
export type { Interval } from "./src/windindex/uncertainty/error_terms.ts";
