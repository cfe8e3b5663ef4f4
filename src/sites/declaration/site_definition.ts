import type { DataFrame } from "nodejs-polars";
import type { Ownership } from "../../frames/ownership.ts";
import type { ProductionFormat } from "../../frames/production/production_format.ts";
import type { PresetFormat } from "../../frames/presets/preset_format.ts";
import type { CurvePoint, PowerControl, PowerUnit } from "../../windindex/turbine/power_curve.ts";
import type { Exclusion } from "../site_data.ts";

/** A dataset: whose climate data a site uses. */
export interface DatasetDefinition {
  /** Its identifier in `coverage()` and orders: `a-z`, `0-9`, `_`, `.`, `-`. */
  readonly service_id: string;
  /** Its name in a few words. */
  readonly short_description: string;
  /** What it is. @default {""} */
  readonly long_description?: string;
  /** Address of its own description. @default {""} */
  readonly url?: string;
  /** Lines that everything made of the data must show. @default those of its frames or source, and of `era5` the line of Copernicus */
  readonly attribution?: readonly string[];
}

/** Where the climate of a point, or of the points of NetCDF4 files, comes from: files, or a frame. */
export interface ClimateDefinition {
  /** Paths of files that follow each other in time. Either `files` or `frame`. */
  readonly files?: readonly string[];
  /** A frame with a column of stamps, as of `downloadClimate()` or `readFrame()`. Either `files` or `frame`. */
  readonly frame?: DataFrame;
  /** Format of the files. @default found by their endings */
  readonly format?: "netcdf" | "parquet" | "csv";
  /** Latitude of the point, deg; NetCDF4 has its own. */
  readonly latitude?: number;
  /** Longitude of the point, deg; NetCDF4 has its own. */
  readonly longitude?: number;
  /** Elevation of the climate model's ground, m. @default that of the turbine */
  readonly elevation?: number;
  /** What a stamp means: `instant` (ERA5), or the mean of the hour, stamped at its `start`, `end` or `middle`. */
  readonly stamp: "instant" | "start" | "end" | "middle";
  /** The column of the stamps, or the column and the zone of stamps without offset. @default the column `time` of a frame */
  readonly time?: string | { readonly column: string; readonly zone?: string };
  /** Column and unit of each variable, such as `wind_speed_100`, and what means missing in it alone. @default the columns of a frame that have these names and units */
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
  /** Values of the files that mean missing, as -999, in addition to an empty cell, "NaN", "-" and the like. @default none */
  readonly null_values?: readonly (string | number)[];
}

/** Climate that comes from its source: ERA5 at the turbines, which `importSite()` gets with `era5()`. */
export interface ReanalysisSource {
  /** The service that is asked: the Climate Data Store of Copernicus, or Open-Meteo. */
  readonly source: "cds" | "open-meteo";
  /** The grid point nearest to each turbine, or the four around it. @default {1} */
  readonly points?: 1 | 4;
  /** First year, month or day, UTC. */
  readonly from: string | number;
  /** Last year, month or day, included, UTC. @default the last one that is published */
  readonly to?: string | number;
}

/** A reanalysis: a dataset and its climate. */
export interface ReanalysisDefinition {
  /** The dataset. */
  readonly dataset: DatasetDefinition;
  /** Its climate: files or frames, one for each point unless files have several; or the source that has it. */
  readonly climate: readonly ClimateDefinition[] | ReanalysisSource;
  /** How to reach hub height, for wind at one height only. @default the power law with the exponent 1/7 */
  readonly shear?: { readonly exponent: number } | { readonly roughness: number };
}

/** Production files: their format, or their preset and what differs from it. */
export type ProductionDefinition = (ProductionFormat | PresetFormat) & {
  /** Path of a file, of a folder or a zip archive of many, a pattern like "data/*.csv", or a list of such. */
  readonly file: string | readonly string[];
};

/** A CSV file with a power curve. */
export interface PowerCurveFile {
  /** Its path. */
  readonly file: string;
  /** Name of the column with the wind speed, m/s. */
  readonly wind_speed: string;
  /** Name of the column with the power at 1.225 kg/m3. */
  readonly power: string;
  /** Unit of the power. @default {"kW"} */
  readonly unit?: PowerUnit;
  /** Rows to read, if the file has other curves too: values of columns by name, as `{ model: "V80" }`. @default all rows */
  readonly where?: Readonly<Record<string, string>>;
}

/** A turbine, or several equal ones that are measured together. */
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
  /** Number of equal turbines measured together. @default {1} */
  readonly units?: number;
  /** IANA zone: months begin there. */
  readonly time_zone: string;
  /** How it limits its power: by pitching its blades, or by stall. */
  readonly power_control: PowerControl;
  /**
   * Points (m/s, kW at 1.225 kg/m3), as of `parametricPowerCurve()`; a CSV file; or a `.wtg` of WAsP.
   */
  readonly power_curve:
    | readonly CurvePoint[]
    | PowerCurveFile
    | { readonly file: string };
  /** Its own production: a frame of `readProduction()`, or files. @default none */
  readonly production?: DataFrame | readonly ProductionDefinition[];
  /** Days that must not be fitted. @default none */
  readonly exclude?: readonly Exclusion[];
  /** As long as it has no production: the index of its place all the same, k = 1, marked as uncalibrated. @default {false} */
  readonly location_index?: boolean;
  /** Who owns it, for the share of an owner in reports. @default not stated */
  readonly ownership?: readonly Ownership[];
}

/** A site: climate, turbines and their production. */
export interface SiteDefinition extends Omit<ReanalysisDefinition, "dataset"> {
  /** Name of the site: `a-z`, `0-9`, `_`, `-`. */
  readonly site: string;
  /** The dataset of its climate. @default `climate`; of a source `era5`, or `era5_open_meteo`; with the attributions of its frames */
  readonly dataset?: DatasetDefinition;
  /** Further reanalyses; for each turbine the index is made of those that predict it best. @default none */
  readonly other_reanalyses?: readonly ReanalysisDefinition[];
  /** Its turbines. */
  readonly turbines: readonly TurbineDefinition[];
  /** Production of several turbines: a frame of `readProduction()` with `turbine_id`, or files that have a column for each, or name that of a row. @default none */
  readonly production?: DataFrame | readonly ProductionDefinition[];
}
