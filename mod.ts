/**
 * Wind indices and climate data in Polars frames: ask a service, your own data, or the built-in sample.
 *
 * One import is enough for a notebook. Ranges are `{ from, to }`, both included: `2023`, `"2023-05"`, `"2023-05-01"` or an
 * hour. What else a function takes is in its options: its documentation names each.
 *
 * ### Wind index
 * - Turbines: `turbines`, `turbineDetails` (`TurbineDetails`)
 * - Months: `monthlyIndices`, `windIndices`, `monthlyIndex` (`MonthlyIndex`)
 * - Hours: `modelData`
 * - Reports of the service: `reportTurbines`, `reportMonths`, `monthlyReport` (`MonthlyReport`)
 * - Of many turbines, those that failed: `failures` (`Failure`), `PartialError`
 *
 * ### Climate data
 * - What there is: `datasets`, `coverage`
 * - Ordered: `orderAndWait`, `placeOrder` and `attachOrder` (`ClimateOrder`), `orderStatus` (`OrderStatus`), `orders`
 * - At once: `downloadClimate`, `saveClimate`
 * - Reanalysis from its own services: `era5`
 *
 * ### Files of your own
 * - Production: `readProduction` (`ProductionFormat`), `toHours`, `toMonths`, `selectPeriod`
 * - Turbines and status logs: `readTurbines`, `readEvents`
 * - Prices: `readPrices` (`PriceFormat`)
 * - Files of the sample: `exampleFile`
 *
 * ### Frames
 * - Polars: `pl` (`DataFrame`); any frame as a table: `table` (`Table`)
 * - Saved: `saveFrame`, `readFrame`
 * - Where figures come from: `provenance` (`Provenance`), `withProvenance`
 *
 * ### Questions and their charts
 * - How much wind was there? `plotMonthlyIndices`, `plotFleetIndices`, `plotIndexCalendar`
 * - Why is the index of a month what it is? `explainIndex`
 * - Was it the wind or the turbine? `compareActual`, `plotActualAgainstPredicted`
 * - Is production normal, and what was lost? `checkPerformance`, `plotPerformance`, `plotShortfall`
 * - How long could the turbine run, and what did stops cost? `measureAvailability`, `plotAvailability`
 * - What does a normal year give, and how sure is it? `estimateLongTerm`, `plotLongTerm`,
 *   `plotUncertainty`
 * - What can be expected next year? `planBudget`, `plotBudget`
 * - Why is production below its budget? `explainBudget`
 * - What was production worth? `priceProduction`
 * - Can the data be used? `checkQuality`, `plotCompleteness`
 * - Which reference suits the turbine? `compareReferences`, `plotReferences`, `plotCorrelation`
 * - How good is my index? `proveIndex`, `plotProof`
 * - What if the hub were higher, the curve another? `whatIf`, `plotWhatIf`
 * - How is the fleet doing? `summarizeFleet`, `plotFleetMonth`, `plotFleetMap`
 * - What is the wind like? `plotWindRose`, `plotTimeSeries`, `plotPowerCurve`,
 *   `plotCoverageMap`
 * - Each answer is an `Answer`: frames, findings, sentences, and where they come from; its chart takes it
 * - Each chart is a `Chart`, and takes `PlotOptions`
 *
 * ### Which data
 * - The sample, your own or a service: `connect` (`Connection`, `ConnectOptions`), `checkConnection` (`ConnectionCheck`),
 *   `closeDefaultConnection`
 * - The same figures next year: `lockData`
 * - Access: `requestApiKey` (`Secret`)
 * - Any answer as the service sent it: `rawAnswer` (`RawAnswer`)
 * - What all calls take: `CallOptions`, `TimeRange`; what values energy: `PriceOptions`
 *
 * ### Errors
 * One class for each thing that a caller does something different about, all of them a `VindkitError`.
 * - The call: `ArgumentError`, `ConfigurationError`
 * - The data: `NoDataError`, `NotFoundError`, `DataFormatError`, `DataChangedError`, `NotCachedError`, `FileTypeError`
 * - Access: `NoAccessError`, `LicenceError`, `TooManyRequestsError`
 * - The way: `NetworkError`, `TimeoutError`, `ServiceError`, `CancelledError`
 * - Orders: `OrderFailedError`, `OrderUncertainError`
 * - What an error says to code: `ErrorCode`, `ErrorFacts`
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
import "./src/disk/check_permissions.ts"; // first: before Polars is loaded

// Wind index
export { type TurbineDetails, turbineDetails, turbines } from "./src/client/calls/turbines.ts";
export { monthlyIndices } from "./src/client/calls/monthly_indices.ts";
export { monthlyIndex, windIndices } from "./src/client/calls/wind_indices.ts";
export type { MonthlyIndex } from "./src/api/columns/month_columns.ts";
export { modelData } from "./src/client/calls/model_data.ts";
export {
  type MonthlyReport,
  monthlyReport,
  reportMonths,
  reportTurbines,
} from "./src/client/calls/reports.ts";
export { failures } from "./src/client/answers/join_frames.ts";
export type { Failure } from "./src/client/answers/fan_out.ts";
export { PartialError } from "./src/client/answers/join_frames.ts";

// Climate data
export {
  coverage,
  datasets,
  downloadClimate,
  saveClimate,
} from "./src/client/calls/climate_data.ts";
export { orderAndWait } from "./src/client/orders/place_order.ts";
export { attachOrder, placeOrder } from "./src/client/orders/place_order.ts";
export type { ClimateOrder } from "./src/client/orders/climate_order.ts";
export { type OrderStatus, orderStatus } from "./src/client/orders/order_status.ts";
export { orders } from "./src/client/orders/orders.ts";
export { era5 } from "./src/era5/era5.ts";

// Files of your own
export { readProduction } from "./src/frames/presets/read_production.ts";
export { type PriceFormat, readPrices } from "./src/frames/presets/read_prices.ts";
export type { ProductionFormat } from "./src/frames/production/production_format.ts";
export { toHours } from "./src/frames/production/to_hours.ts";
export { toMonths } from "./src/frames/production/to_months.ts";
export { selectPeriod } from "./src/frames/select_period.ts";
export { readTurbines } from "./src/frames/presets/read_turbines.ts";
export { readEvents } from "./src/frames/events/read_events.ts";
export { exampleFile } from "./src/client/calls/access.ts";

// Frames
export { type DataFrame, default as pl } from "nodejs-polars";
export { type Table, table } from "./src/show/table/table.ts";
export { saveFrame } from "./src/frames/storage/save_frame.ts";
export { readFrame } from "./src/frames/storage/read_frame.ts";
export { type Provenance, provenance, withProvenance } from "./src/frames/origin/provenance.ts";

// Questions and their charts
export type { Answer } from "./src/analysis/series/answer.ts";
export type { PriceOptions } from "./src/analysis/series/prices.ts";
export { plotMonthlyIndices } from "./src/plots/index/monthly_indices.ts";
export { plotFleetIndices } from "./src/plots/index/fleet_indices.ts";
export { plotIndexCalendar } from "./src/plots/index/index_calendar.ts";
export { explainIndex } from "./src/analysis/explain_index/explain_index.ts";
export { compareActual } from "./src/analysis/compare_actual/compare_actual.ts";
export { plotActualAgainstPredicted } from "./src/plots/comparison/actual_predicted.ts";
export { plotFleetMonth } from "./src/plots/losses/fleet_month.ts";
export { checkPerformance } from "./src/analysis/check_performance/check_performance.ts";
export { plotPerformance } from "./src/plots/losses/performance.ts";
export { plotShortfall } from "./src/plots/losses/shortfall.ts";
export { measureAvailability } from "./src/analysis/measure_availability/measure_availability.ts";
export { plotAvailability } from "./src/plots/losses/availability.ts";
export { estimateLongTerm } from "./src/analysis/estimate_long_term/estimate_long_term.ts";
export { plotLongTerm, plotUncertainty } from "./src/plots/index/long_term.ts";
export { planBudget } from "./src/analysis/plan_budget/plan_budget.ts";
export { explainBudget } from "./src/analysis/explain_budget/explain_budget.ts";
export { plotBudget } from "./src/plots/index/budget.ts";
export { priceProduction } from "./src/analysis/price_production/price_production.ts";
export { checkQuality } from "./src/analysis/check_quality/check_quality.ts";
export { plotCompleteness } from "./src/plots/hours/completeness.ts";
export { compareReferences } from "./src/analysis/compare_references/compare_references.ts";
export { plotReferences } from "./src/plots/comparison/references.ts";
export { proveIndex } from "./src/analysis/prove_index/prove_index.ts";
export { plotProof } from "./src/plots/comparison/proof.ts";
export { whatIf } from "./src/analysis/what_if/what_if.ts";
export { plotWhatIf } from "./src/plots/comparison/what_if.ts";
export { plotCorrelation } from "./src/plots/comparison/correlation.ts";
export { summarizeFleet } from "./src/analysis/summarize_fleet/summarize_fleet.ts";
export { plotFleetMap } from "./src/plots/maps/fleet_map.ts";
export { plotWindRose } from "./src/plots/hours/wind_rose.ts";
export { plotTimeSeries } from "./src/plots/hours/time_series.ts";
export { plotPowerCurve } from "./src/plots/hours/power_curve.ts";
export { plotCoverageMap } from "./src/plots/maps/coverage_map.ts";
export type { Chart } from "./src/plots/drawing/chart.ts";
export type { PlotOptions } from "./src/plots/grammar/chart.ts";

// Which data
export { connect, type Connection } from "./src/client/connection/connection.ts";
export type { ConnectOptions } from "./src/client/connection/settings.ts";
export { checkConnection, type ConnectionCheck } from "./src/client/calls/access.ts";
export {
  type CallOptions,
  closeDefaultConnection,
} from "./src/client/connection/default_connection.ts";
export { lockData } from "./src/client/connection/default_connection.ts";
export { requestApiKey } from "./src/client/calls/access.ts";
export { Secret } from "./src/client/connection/settings.ts";
export { type RawAnswer, rawAnswer } from "./src/client/calls/access.ts";
export type { TimeRange } from "./src/show/options/range.ts";

// Errors
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
