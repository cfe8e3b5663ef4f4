/**
 * Wind indices and climate data in Polars frames: ask a service, your own data, or the built-in sample.
 *
 * - Wind index: `turbines()`, `turbineDetails()`, `monthlyIndices()`, `modelData()`
 * - Climate data: `datasets()`, `coverage()`, `orderAndWait()`, `downloadClimate()`
 * - Reanalysis of your own: `era5()`
 * - Production of your own: `readProduction()`, `toHours()`, `toMonths()`, `selectPeriod()`, `checkQuality()`
 * - Questions: `checkPerformance()`, `estimateLongTerm()`, `planBudget()`,
 *   `explainIndex()`, `compareActual()`, `compareReferences()`, `summarizeFleet()`
 * - Charts: one `plot…()` for each of them, such as `plotMonthlyIndices()`; `table()` shows any frame
 * - Which data: `connect()`, `checkConnection()`, `lockData()`
 *
 * Ranges are `{ from, to }`, both included: `2023`, `"2023-05"`, `"2023-05-01"` or an hour.
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
// Wind index: what the turbine could make, month by month and hour by hour
export { type TurbineDetails, turbineDetails, turbines } from "./src/client/calls/turbines.ts";
export { monthlyIndices, type MonthlyIndicesOptions } from "./src/client/calls/monthly_indices.ts";
export {
  monthlyIndex,
  windIndices,
  type WindIndicesOptions,
} from "./src/client/calls/wind_indices.ts";
export { modelData, type ModelDataOptions } from "./src/client/calls/model_data.ts";
export type { TableForm } from "./src/client/answers/table_form.ts";
export type { Failure, FanOutOptions } from "./src/client/answers/fan_out.ts";
export { failures } from "./src/client/answers/join_frames.ts";
export { PartialError } from "./src/client/answers/partial_error.ts";

// Climate data: what there is, ordered or downloaded
export {
  coverage,
  type CoverageOptions,
  datasets,
  downloadClimate,
  saveClimate,
} from "./src/client/calls/climate_data.ts";
export type { ClimateOptions, Place } from "./src/client/answers/climate_files.ts";
export { orderAndWait, type OrderAndWaitOptions } from "./src/client/orders/order_and_wait.ts";
export {
  attachOrder,
  placeOrder,
  type PlaceOrderOptions,
} from "./src/client/orders/place_order.ts";
export type { ClimateOrder } from "./src/client/orders/climate_order.ts";
export { type OrderStatus, orderStatus } from "./src/client/orders/order_status.ts";
export type { WaitOptions } from "./src/client/orders/wait_for_order.ts";
export { orders, type OrdersFrame } from "./src/client/orders/orders.ts";
export type { FileType } from "./src/api/operations/climate_data.ts";

// Reanalysis from its own services
export { era5, type Era5Options, type Era5Status } from "./src/client/sources/era5.ts";
export type { Era5Source } from "./src/client/sources/source_link.ts";

// Monthly reports of the service, and access to it
export {
  type MonthlyReport,
  monthlyReport,
  type MonthlyReportOptions,
  reportMonths,
  reportTurbines,
} from "./src/client/calls/reports.ts";
export { requestApiKey, type RequestApiKeyOptions } from "./src/client/calls/user_access.ts";
export { type RawAnswer, rawAnswer } from "./src/client/calls/raw_answer.ts";

// Where data come from: the sample, your own, a service; the cache and the data lock
export { connect, type Connection } from "./src/client/connection/connection.ts";
export {
  type CallOptions,
  closeDefaultConnection,
  type FrameOptions,
} from "./src/client/connection/default_connection.ts";
export type { CacheMode, ConnectOptions } from "./src/client/connection/settings.ts";
export { Secret } from "./src/client/connection/secret.ts";
export { checkConnection, type ConnectionCheck } from "./src/client/calls/check_connection.ts";
export { lockData } from "./src/client/cache/lock_data.ts";
export { checkData } from "./src/client/calls/check_data.ts";
export type { Timeouts } from "./src/client/http/transport.ts";
export type { RequestEvent } from "./src/client/http/request_event.ts";

// Files and frames: production, saved frames, where figures come from
export { readProduction } from "./src/frames/presets/read_production.ts";
export type { ProductionFormat } from "./src/frames/production/production_format.ts";
export type { PresetFormat } from "./src/frames/presets/preset_format.ts";
export type { PresetName } from "./src/frames/presets/presets.ts";
export type { FileNames } from "./src/frames/presets/named_files.ts";
export { readTurbines } from "./src/frames/presets/read_turbines.ts";
export { type EventsFormat, readEvents } from "./src/frames/events/read_events.ts";
export {
  type RecognizedColumn,
  type RecognizedFile,
  recognizeFile,
  type RecognizeOptions,
} from "./src/frames/presets/recognize_file.ts";
export { toHours, type ToHoursOptions } from "./src/frames/production/to_hours.ts";
export { toMonths } from "./src/frames/production/to_months.ts";
export { exampleFile, type ExampleFileOptions } from "./src/client/calls/example_file.ts";
export { selectPeriod, type SelectPeriodOptions } from "./src/frames/select_period.ts";
export { saveFrame, type SaveFrameOptions } from "./src/frames/storage/save_frame.ts";
export { readFrame, type ReadFrameOptions } from "./src/frames/storage/read_frame.ts";
export {
  type Origin,
  type Provenance,
  provenance,
  withProvenance,
} from "./src/frames/provenance.ts";
export { type Table, table, type TableOptions } from "./src/show/table/table.ts";
export { type Bundle, type Displayable, JUPYTER_DISPLAY } from "./src/show/jupyter.ts";
export { type DataFrame, default as pl } from "nodejs-polars";

// Analyses and charts
export * from "./src/analysis/mod.ts";
export * from "./src/plots/mod.ts";

// Errors: one class for each thing that a caller does something different about
export {
  ArgumentError,
  CancelledError,
  ConfigurationError,
  DataChangedError,
  DataFormatError,
  type ErrorCode,
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

// Types that these name
export type { MonthLike } from "./src/api/calendar.ts";
export type { RangeBound, TimeRange } from "./src/api/range.ts";
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
  MonthlyIndex,
  MonthState,
  PredictedInterval,
  WindIndicesRow,
} from "./src/api/columns/month_columns.ts";
export type { TurbineFields, TurbineItem } from "./src/api/columns/turbine_columns.ts";
export type { ParameterValue } from "./src/api/operations/parameter.ts";
export type { ParameterValues, SentParameters } from "./src/api/operations/request_path.ts";
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
