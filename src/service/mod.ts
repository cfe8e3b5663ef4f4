/**
 * The open service: all 14 operations of the API on your own data or on the built-in sample.
 *
 * @module
 */
export type { World } from "../api/world.ts";
export type { ClientInfo } from "./limits/login_throttle.ts";
export { apiReference } from "./pages/api_reference.ts";
export { backUp, type BackupAccount, type BackUpOptions } from "./backup.ts";
export { defaultDataDirectory } from "../storage/data_directory.ts";
export type { StorageAddress } from "../storage/storage.ts";
export { defineSite } from "../sites/declaration/define_site.ts";
export type {
  ClimateDefinition,
  DatasetDefinition,
  PowerCurveFile,
  ProductionDefinition,
  ReanalysisDefinition,
  ReanalysisSource,
  SiteDefinition,
  TurbineDefinition,
} from "../sites/declaration/site_definition.ts";
export { readSiteFile } from "../sites/declaration/read_site_file.ts";
export { saveSite, type SaveSiteOptions } from "../sites/declaration/save_site.ts";
export type { Site } from "../sites/declaration/site.ts";
export { siteFileSchema } from "../sites/declaration/site_file.ts";
export { type ImportAccount, importSite, type ImportSiteOptions } from "../sites/import_site.ts";
export type { FetchEra5 } from "../sites/fetch_reanalyses.ts";
export type { Exclusion } from "../sites/site_data.ts";
export { readSiteProduction, type SiteProduction } from "../sites/site_production.ts";
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
export { EXAMPLE_FILES, type ExampleFileName, writeExampleFiles } from "../sample/example_files.ts";
export { type OrderPace, parseOrderPace } from "./fulfilment/order_pace.ts";
export type { RequestLimitsOptions } from "./limits/request_limits.ts";
export { type AnswerRecord, RequestLog } from "./routing/request_log.ts";
export { SAMPLE_FOLDER } from "../sample/sample_world.ts";
export { serve, type ServeOptions, type Server } from "./running/serve.ts";
export {
  openSample,
  openService,
  type OpenServiceOptions,
  type Service,
} from "./running/service.ts";
export type { KeyWay, Licence, LicenceEntry, StoredKey } from "../storage/store/licence.ts";
export type { CurvePoint, PowerControl } from "../windindex/turbine/power_curve.ts";
export {
  parametricPowerCurve,
  type ParametricPowerCurveOptions,
} from "../windindex/turbine/parametric_power_curve.ts";
