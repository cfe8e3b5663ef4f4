import type { DataFrame } from "nodejs-polars";
import type { Ownership } from "../../frames/ownership.ts";
import type { ProductionFormat } from "../../frames/production/production_format.ts";
import type { PresetFormat } from "../../frames/presets/preset_format.ts";
import type { CurvePoint, PowerControl, PowerUnit } from "../../windindex/turbine/power_curve.ts";
import type { Exclusion } from "../site_data.ts";

/** The dataset that a site's climate belongs to. */
export interface DatasetDefinition {
  /** Its identifier in `coverage()` and orders: `a-z`, `0-9`, `_`, `.`, `-`. */
  readonly service_id: string;
  /** Short name. */
  readonly short_description: string;
  /** Description. @default {""} */
  readonly long_description?: string;
  /** URL of its documentation. @default {""} */
  readonly url?: string;
  /** Lines that every product of the data must show. @default the attributions of its frames or source; for `era5` the line of Copernicus */
  readonly attribution?: readonly string[];
}

/** Climate of one point, or of the points of NetCDF4 files: files or a frame. */
export interface ClimateDefinition {
  /** Paths of files, consecutive in time. Either `files` or `frame`. */
  readonly files?: readonly string[];
  /** A frame with a timestamp column, for example from `downloadClimate()` or `readFrame()`. Either `files` or `frame`. */
  readonly frame?: DataFrame;
  /** Format of the files. @default by their endings */
  readonly format?: "netcdf" | "parquet" | "csv";
  /** Latitude of the point, deg; NetCDF4 files contain it. */
  readonly latitude?: number;
  /** Longitude of the point, deg; NetCDF4 files contain it. */
  readonly longitude?: number;
  /** Elevation of the climate model's ground, m. @default the turbine's elevation */
  readonly elevation?: number;
  /** Meaning of a timestamp: `instant` (ERA5), or the `start`, `end` or `middle` of the averaged hour. */
  readonly stamp: "instant" | "start" | "end" | "middle";
  /** The timestamp column, or this column and the time zone of timestamps without offset. @default the column `time` of a frame */
  readonly time?: string | { readonly column: string; readonly zone?: string };
  /** Column and unit of each variable, such as `wind_speed_100`, and values that mean missing only there. @default the columns of a frame that have these names and units */
  readonly variables?: Readonly<
    Record<
      string,
      {
        readonly column: string;
        readonly unit?: string;
        readonly null_values?: readonly (string | number)[];
      }
    >
  >;
  /** Values that mean missing, such as -999, in addition to an empty cell, "NaN", "-" and the like. @default none */
  readonly null_values?: readonly (string | number)[];
}

/** Climate from a source: ERA5 at the turbines, which `importSite()` fetches with `era5()`. */
export interface ReanalysisSource {
  /** The service to fetch from: the Climate Data Store of Copernicus, or Open-Meteo. */
  readonly source: "cds" | "open-meteo";
  /** The grid point nearest to each turbine, or the four around it. @default {1} */
  readonly points?: 1 | 4;
  /** First year, month or day, UTC. */
  readonly from: string | number;
  /** Last year, month or day, included, UTC. @default the last one published */
  readonly to?: string | number;
}

/** A reanalysis: a dataset and its climate. */
export interface ReanalysisDefinition {
  /** The dataset. */
  readonly dataset: DatasetDefinition;
  /** Its climate: files or frames, one entry per point unless files have several points; or a source. */
  readonly climate: readonly ClimateDefinition[] | ReanalysisSource;
  /** Wind shear up to hub height, for wind at one height only. @default the power law with the exponent 1/7 */
  readonly shear?: { readonly exponent: number } | { readonly roughness: number };
}

/** Production files: their format, or their preset and differences from it. */
export type ProductionDefinition = (ProductionFormat | PresetFormat) & {
  /** Path of a file, a folder or zip archive of many files, a pattern like "data/*.csv", or a list of paths. */
  readonly file: string | readonly string[];
};

/** A CSV file with a power curve. */
export interface PowerCurveFile {
  /** Path of the file. */
  readonly file: string;
  /** Name of the column with the wind speed, m/s. */
  readonly wind_speed: string;
  /** Name of the column with the power at 1.225 kg/m3. */
  readonly power: string;
  /** Unit of the power. @default {"kW"} */
  readonly unit?: PowerUnit;
  /** Rows to read, if the file has several curves: values by column name, such as `{ model: "V80" }`. @default all rows */
  readonly where?: Readonly<Record<string, string>>;
}

/** A turbine, or several identical ones measured together. */
export interface TurbineDefinition {
  /** Identifier in all calls. */
  readonly id: string;
  /** Name in reports. */
  readonly name: string;
  /** Latitude, deg. */
  readonly latitude: number;
  /** Longitude, deg. */
  readonly longitude: number;
  /** Elevation of the ground above sea level, m (the sea: 0). */
  readonly elevation: number;
  /** Height of the hub above ground, m. */
  readonly hub_height: number;
  /** Diameter of the rotor, m. */
  readonly rotor_diameter: number;
  /** Rated power of one unit, kW. */
  readonly rated_power: number;
  /** Number of identical turbines measured together. @default {1} */
  readonly units?: number;
  /** IANA time zone in which months begin. */
  readonly time_zone: string;
  /** How the turbine limits its power: by pitching its blades, or by stall. */
  readonly power_control: PowerControl;
  /**
   * Points (m/s, kW at 1.225 kg/m3), as from `parametricPowerCurve()`; a CSV file; or a `.wtg` of WAsP.
   */
  readonly power_curve:
    | readonly CurvePoint[]
    | PowerCurveFile
    | { readonly file: string };
  /** Production of this turbine: a frame of `readProduction()`, or files. @default none */
  readonly production?: DataFrame | readonly ProductionDefinition[];
  /** Days to exclude from the calibration. @default none */
  readonly exclude?: readonly Exclusion[];
  /** Whether to compute the uncalibrated index of its place (k = 1, marked as such) as long as it has no production. @default {false} */
  readonly location_index?: boolean;
  /** Owners and their shares, for reports of one owner. @default not stated */
  readonly ownership?: readonly Ownership[];
}

/** A site: climate, turbines and their production. */
export interface SiteDefinition extends Omit<ReanalysisDefinition, "dataset"> {
  /** Name of the site: `a-z`, `0-9`, `_`, `-`. */
  readonly site: string;
  /** The dataset of its climate. @default `climate`, or `era5` or `era5_open_meteo` for climate from a source; with the attributions of its frames */
  readonly dataset?: DatasetDefinition;
  /** Additional reanalyses; each turbine's index uses the ones that predict its production best. @default none */
  readonly other_reanalyses?: readonly ReanalysisDefinition[];
  /** Turbines of the site. */
  readonly turbines: readonly TurbineDefinition[];
  /** Production of several turbines: a frame of `readProduction()` with `turbine_id`, or files with a column per turbine or a column that names the turbine of each row. @default none */
  readonly production?: DataFrame | readonly ProductionDefinition[];
}
