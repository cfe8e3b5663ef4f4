/**
 * Sites: your climate, turbines and production, declared in a site file or in a program, and imported into wind indices.
 *
 * @module
 */
import "../disk/check_permissions.ts";

export { defineSite } from "./declaration/define_site.ts";
export type {
  ClimateDefinition,
  DatasetDefinition,
  PowerCurveFile,
  ProductionDefinition,
  ReanalysisDefinition,
  ReanalysisSource,
  SiteDefinition,
  TurbineDefinition,
} from "./declaration/site_definition.ts";
export { readSiteFile, type Site } from "./declaration/site.ts";
export { saveSite, type SaveSiteOptions } from "./declaration/save_site.ts";
export { siteFileSchema } from "./declaration/site_file.ts";
export { type ImportAccount, importSite, type ImportSiteOptions } from "./import_site.ts";
export type { TurbineFailure } from "./site_data.ts";
export { locationIndex, type LocationIndexOptions, type PlacedTurbine } from "./location_index.ts";
export { readTraining, type ReadTrainingOptions } from "./read_training.ts";
export type { TurbineTraining } from "../windindex/calibration/training.ts";
export type { OwnerShare, Ownership } from "../frames/ownership.ts";
export {
  readOwnership,
  readSiteProduction,
  type SiteProduction,
} from "./production/site_production.ts";

// Presets: the layouts of known exports
export { type RecognizedFile, recognizeFile } from "../frames/presets/recognize_file.ts";
export type { PresetFormat } from "../frames/presets/preset_format.ts";
export type { PresetName } from "../frames/presets/presets.ts";

// Power curves
export {
  parametricPowerCurve,
  type ParametricPowerCurveOptions,
} from "./power_curves/parametric_power_curve.ts";
