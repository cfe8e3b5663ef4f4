/**
 * The public entry, plus exports that only our commands use.
 *
 * @module
 */
export * from "./entry.ts";
export type { RecognizedColumn } from "../frames/presets/recognize_file.ts";
export { suspectUnit } from "../screening/values/wrong_unit.ts";
export { computeDistance } from "../windindex/climate/site_weights.ts";
export {
  convertVariable,
  listClimateUnits,
  readClimateUnit,
} from "./declaration/climate_variables.ts";
export { siteFields } from "./declaration/site_schema.ts";
export { type FetchEra5, hasClimateSource } from "./climate/fetch_reanalyses.ts";
export type { StoredMonth, StoredTurbine } from "./keep/site_record.ts";
export { claimFiles, listSiteFiles, wantedFiles } from "./keep/named_files.ts";
export { type Sites, sitesOf } from "./keep/sites.ts";
export {
  findLargestChange,
  formatTurbineNews,
  groupLines,
  hasNews,
  listCauses,
  type TurbineNews,
} from "./keep/turbine_news.ts";
export { readClimate } from "./climate/read_climate.ts";
export { readCurve } from "./power_curves/read_turbine.ts";
export { selectPoints } from "./calibration/select_points.ts";
export { readExclusions, readFleetProduction } from "./production/site_production.ts";
export { SourceFiles } from "./source_files.ts";
export { describePartial } from "./site_data.ts";
