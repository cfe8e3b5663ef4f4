/**
 * The open service: all 14 operations of the API on your own data or on the built-in sample.
 *
 * @module
 */
export type { World } from "../api/world.ts";
export type { ClientInfo } from "./limits/login_throttle.ts";
export { exportParquet, type ExportParquetOptions } from "./export/export_parquet.ts";
export type { ExportName } from "./export/export_table.ts";
export type { ExportAccount } from "./export/write_export.ts";
export { apiReference } from "./pages/api_reference.ts";
export { backUp, type BackupAccount, type BackUpOptions } from "./backup.ts";
export { defaultDataDirectory } from "./data_directory.ts";
export type { SharedStorage, StorageAddress } from "./storage_address.ts";
export { defineSite } from "./import/declaration/define_site.ts";
export type {
  ClimateDefinition,
  DatasetDefinition,
  PowerCurveFile,
  ProductionDefinition,
  ReanalysisDefinition,
  ReanalysisSource,
  SiteDefinition,
  TurbineDefinition,
} from "./import/declaration/site_definition.ts";
export { readSiteFile } from "./import/declaration/read_site_file.ts";
export { saveSite, type SaveSiteOptions } from "./import/declaration/save_site.ts";
export type { Site } from "./import/declaration/site.ts";
export { siteFileSchema } from "./import/declaration/site_file.ts";
export { type ImportAccount, importSite, type ImportSiteOptions } from "./import/import_site.ts";
export type { FetchEra5 } from "./import/fetch_reanalyses.ts";
export type { Exclusion } from "./import/site_data.ts";
export { readSiteProduction, type SiteProduction } from "./import/site_production.ts";
export {
  type AddedLicence,
  addLicence,
  type AddLicenceOptions,
  listKeys,
  listLicences,
  type NewLicence,
  revokeKey,
  revokeLicence,
} from "./licences/licence_book.ts";
export { keyTable, licenceTable } from "./licences/licence_table.ts";
export { isEverywhere } from "./running/listen_address.ts";
export { EXAMPLE_FILES, type ExampleFileName, writeExampleFiles } from "./sample/example_files.ts";
export { type OrderPace, parseOrderPace } from "./fulfilment/order_pace.ts";
export type { RequestLimitsOptions } from "./limits/request_limits.ts";
export { type AnswerRecord, RequestLog } from "./routing/request_log.ts";
export { SAMPLE_FOLDER } from "./sample/sample_world.ts";
export { serve, type ServeOptions, type Server } from "./running/serve.ts";
export {
  openSample,
  openService,
  type OpenServiceOptions,
  type Service,
} from "./running/service.ts";
export type { KeyWay, Licence, LicenceEntry, StoredKey } from "./store/licence.ts";
export type { CurvePoint, PowerControl } from "../windindex/turbine/power_curve.ts";
export {
  parametricPowerCurve,
  type ParametricPowerCurveOptions,
} from "../windindex/turbine/parametric_power_curve.ts";
