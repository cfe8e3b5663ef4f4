import type { Report } from "./declared_values.ts";
import type { DatasetDefinition, ReanalysisSource } from "./site_definition.ts";

/** Formats of climate files. */
export const FORMATS = ["netcdf", "parquet", "csv"] as const;

type ClimateFormat = typeof FORMATS[number];

/** Format of a climate file, as declared or by its ending; `undefined` if unknown. */
export function findClimateFormat(
  declared: ClimateFormat | undefined,
  file: string,
): ClimateFormat | undefined {
  if (declared) return declared;
  if (/\.nc4?$/.test(file)) return "netcdf";
  if (/\.parquet$/.test(file)) return "parquet";
  if (/\.(csv|tsv|txt)(\.gz)?$/.test(file)) return "csv";
}

/** Fields that tables need and NetCDF4 does not, in words. */
const needed = {
  latitude: "the latitude of the point in deg, north positive",
  longitude: "the longitude of the point in deg, east positive",
  time: '{ "column": "time" }, the name of the column with the time',
  variables:
    '{ "wind_speed_100": { "column": "…", "unit": "m/s" } } and so on: names of variables, ' +
    "each with its column and unit",
} as const;

/**
 * Reports missing fields of a climate source: a table need not state its point, and its columns may have any name.
 *
 * @param source The user's declaration: any field may be missing or have the wrong type
 */
export function addClimateProblems(
  source: Readonly<Record<string, unknown>>,
  report: Report,
): void {
  const declared = FORMATS.find((format) => format === source.format);
  const files: readonly unknown[] = Array.isArray(source.files) ? source.files : [];
  const formats = files.map((file) =>
    typeof file === "string" ? findClimateFormat(declared, file) : declared
  );
  const missing = (Object.keys(needed) as (keyof typeof needed)[])
    .filter((field) => source[field] === undefined);
  const isTable = formats.some((format) => format !== "netcdf" && format !== undefined);
  for (const [i, format] of formats.entries()) {
    if (format || source.format !== undefined || typeof files[i] !== "string") continue;
    report(
      ["files", i],
      `the ending of ${
        JSON.stringify(files[i])
      } does not show the format. Give format "netcdf", "parquet" or "csv"` +
        (isTable || missing.length === 0
          ? ""
          : `, and for parquet and csv also ${missing.join(", ")}`),
    );
  }
  if (!isTable) return;
  for (const field of missing) {
    report([field], `is missing. Give ${needed[field]}; only NetCDF4 files contain it`);
  }
}

/** The dataset of climate without a declared one. */
export const DEFAULT_DATASET: DatasetDefinition = {
  service_id: "climate",
  short_description: "Climate data of the site",
};

/** The dataset of each source. Their values and terms differ, so they are different datasets. */
export const SOURCE_DATASETS: Readonly<Record<ReanalysisSource["source"], DatasetDefinition>> = {
  cds: {
    service_id: "era5",
    short_description: "ERA5",
    long_description: "ERA5 hourly data on single levels",
    url: "https://doi.org/10.24381/cds.adbb2d47",
  },
  "open-meteo": {
    service_id: "era5_open_meteo",
    short_description: "ERA5 of Open-Meteo",
    long_description: "ERA5 hourly data on single levels, as Open-Meteo serves them",
    url: "https://open-meteo.com/",
  },
};

/** The attribution that Copernicus requires with everything made from ERA5. */
export function buildEra5Attribution(): string {
  return "Contains modified Copernicus Climate Change Service information " +
    `${
      new Date().getUTCFullYear()
    }; neither the European Commission nor ECMWF is responsible for any use of it`;
}
