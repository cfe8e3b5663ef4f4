import type { DataFrame } from "nodejs-polars";
import { type FileType, fileTypes } from "../api/climate_data.ts";
import { coverageList, datasetList } from "../api/columns.ts";
import { ArgumentError } from "../api/errors.ts";
import type { ParameterValues } from "../api/request_path.ts";
import { readClimateFile } from "../frames/climate_file.ts";
import { describeFrame } from "../frames/provenance.ts";
import { writeAtomically } from "../home/atomic_write.ts";
import { type Answer, ask } from "./ask.ts";
import { type CallOptions, connectionOf } from "./default_connection.ts";
import { provenanceOf, recordsFrame } from "./frame_of_answer.ts";

/**
 * Lists the climate datasets.
 *
 * @param options Connection and signal
 * @returns A frame of `id` (Int64), `service_id`, `data_group`, `data_type`, `short_description`, `long_description`,
 * `url_description` (String)
 * @throws {NoDataError} If the licence covers none
 *
 * @example
 * ```ts
 * import { datasets } from "@vindkit/vindkit";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals((await datasets()).getColumn("service_id").toArray(), ["era5"]);
 * ```
 */
export async function datasets(options: CallOptions = {}): Promise<DataFrame> {
  const answer = await ask("datasets", {}, options);
  const provenance = await provenanceOf(answer, connectionOf(options));
  return describeFrame(recordsFrame(answer, datasetList), datasetList, provenance);
}

/** A place on the globe. */
export interface Place {
  /** Latitude, deg, positive north, -90 to 90. */
  latitude: number;
  /** Longitude, deg, positive east, -180 to 180. */
  longitude: number;
}

/** Options of {@linkcode coverage}. */
export interface CoverageOptions extends CallOptions, Place {
  /** Radius around the place, km, 1 to 500. @default {150} */
  maxDistance?: number;
  /** Number of points, 1 to 9. @default {1} */
  numPoints?: number;
}

/**
 * The points of a dataset nearest to a place.
 *
 * @param dataset Identifier of the dataset
 * @param options The place, radius in km, number of points; connection and signal
 * @returns A frame of `distance_to_request_location` (Float64, km), `last_updated` (Date), `latitude`, `longitude`
 * (Float64, deg) and `start_year` (Date, the first day with data)
 * @throws {ArgumentError} If the place is none, before anything is sent
 * @throws {NoDataError} If there is no point within the radius
 * @throws {NoAccessError} If the licence does not cover the dataset
 *
 * @example The four points around a turbine
 * ```ts
 * import { coverage } from "@vindkit/vindkit";
 * import { assertEquals } from "@std/assert";
 *
 * const near = await coverage("era5", { latitude: 55.5, longitude: 7.9, numPoints: 4 });
 * assertEquals(near.height, 4);
 * ```
 */
export async function coverage(dataset: string, options: CoverageOptions): Promise<DataFrame> {
  const answer = await ask("coverage", {
    service_id: dataset,
    lat: options.latitude,
    lon: options.longitude,
    max_distance: options.maxDistance,
    num_points: options.numPoints,
  }, options);
  const provenance = await provenanceOf(answer, connectionOf(options));
  return describeFrame(recordsFrame(answer, coverageList), coverageList, provenance);
}

/** What climate data are wanted. */
export interface ClimateOptions extends CallOptions, Place {
  /** First year, included. */
  startYear: number;
  /** Last year, included. */
  endYear: number;
  /** Format on the wire. @default {"zipcsv"} */
  fileType?: FileType;
}

/** Parameters of an order or a download by wire name. */
export function climateParameters(dataset: string, options: ClimateOptions): ParameterValues {
  if (options.startYear > options.endYear) {
    throw new ArgumentError(
      `Cannot ask for climate data: startYear ${options.startYear} is after endYear ${options.endYear}`,
    );
  }
  return {
    service_id: dataset,
    lat: options.latitude,
    lon: options.longitude,
    start_year: options.startYear,
    end_year: options.endYear,
    filetype: options.fileType ?? fileTypes[0],
  };
}

/** Refuses a file type that makes no frame. */
export function assertFrameType(fileType: FileType | undefined): void {
  if (fileType !== "zipraw") return;
  throw new ArgumentError(
    "Cannot read zipraw into a frame: it is the format of another program. Use zipcsv, or saveClimate()",
  );
}

/** The frame in a climate body, with its declared columns and provenance. */
export async function climateFrame(answer: Answer, options: CallOptions): Promise<DataFrame> {
  const { frame, columns } = await readClimateFile(answer.bytes, answer.url);
  return describeFrame(frame, columns, await provenanceOf(answer, connectionOf(options)));
}

/**
 * Climate data of the point nearest to a place, downloaded at once.
 *
 * @param dataset Identifier of the dataset
 * @param options The place, first and last year; connection and signal
 * @returns A frame of `time` (Datetime, UTC) and the variables of the dataset (Float64), such as `wind_speed_100` (m/s)
 * @throws {ArgumentError} If place or years are none, before anything is sent
 * @throws {NoDataError} If there is no data
 * @throws {NoAccessError} If the licence does not cover the dataset
 * @throws {TooManyRequestsError} If too many requests of the licence are under way
 *
 * @example A year
 * ```ts
 * import { downloadClimate } from "@vindkit/vindkit";
 * import { assertEquals } from "@std/assert";
 *
 * const wind = await downloadClimate("era5", {
 *   latitude: 55.5,
 *   longitude: 7.75,
 *   startYear: 2023,
 *   endYear: 2023,
 * });
 * assertEquals(wind.height, 8760);
 * ```
 */
export async function downloadClimate(
  dataset: string,
  options: ClimateOptions,
): Promise<DataFrame> {
  assertFrameType(options.fileType);
  const answer = await ask("download_climate", climateParameters(dataset, options), options);
  return await climateFrame(answer, options);
}

/**
 * Saves climate data of the point nearest to a place as a file, in any of the three formats, as the service sends it.
 *
 * @param dataset Identifier of the dataset
 * @param path Where to
 * @param options The place, first and last year, `fileType`; connection and signal
 * @throws {ArgumentError} If place or years are none, before anything is sent
 * @throws {NoDataError} If there is no data
 *
 * @example
 * ```ts
 * import { saveClimate } from "@vindkit/vindkit";
 *
 * const path = await Deno.makeTempFile({ suffix: ".zip" });
 * await saveClimate("era5", path, {
 *   latitude: 55.5,
 *   longitude: 7.75,
 *   startYear: 2023,
 *   endYear: 2023,
 *   fileType: "zipraw",
 * });
 * await Deno.remove(path);
 * ```
 */
export async function saveClimate(
  dataset: string,
  path: string,
  options: ClimateOptions,
): Promise<void> {
  const answer = await ask("download_climate", climateParameters(dataset, options), options);
  await writeAtomically(path, answer.bytes);
}
