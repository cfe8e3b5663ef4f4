import type { DataFrame } from "nodejs-polars";
import { coverageList, datasetList } from "../../api/columns/columns.ts";
import { type FrameOptions, frameOptions } from "../connection/default_connection.ts";
import { describeFrame, provenance } from "../../frames/origin/provenance.ts";
import { obtainRecords } from "../answers/read_answer.ts";
import {
  assertFrameType,
  buildClimateParameters,
  type ClimateOptions,
  climateOptions,
  obtainClimateFrame,
  type Place,
  saveClimateFile,
} from "../answers/climate_files.ts";
import { declareOptions, readOptions } from "../../show/options/read_options.ts";
import { describeValue } from "../../api/error_text.ts";
import { ArgumentError } from "../../api/errors.ts";

/**
 * Lists the climate datasets.
 *
 * @param options `onNoData` (`"throw"`, or `"empty"` for a frame without rows); connection and signal
 * @returns A frame of `id` (Int64), `service_id`, `data_group`, `data_type`, `short_description`, `long_description`,
 * `url_description` (String)
 * @throws {NoDataError} If the licence covers no dataset
 *
 * @example
 * ```ts
 * import { datasets } from "@vindkit/vindkit";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals((await datasets()).getColumn("service_id").toArray(), ["era5"]);
 * ```
 */
export async function datasets(options: FrameOptions = {}): Promise<DataFrame> {
  readOptions("datasets()", options, frameOptions);
  return await obtainRecords("datasets", {}, datasetList, options);
}

/** Options of {@linkcode coverage}. */
export interface CoverageOptions extends FrameOptions, Place {
  /** Largest distance from the place, km, 1 to 500. @default 150, set by the service */
  maxDistance?: number;
  /** Number of points, 1 to 9. @default 1, set by the service */
  numPoints?: number;
}

const COVERAGE_OPTIONS = declareOptions<CoverageOptions>()(
  "maxDistance numPoints latitude! longitude!",
  {},
  frameOptions,
);

/** Common synonyms of the options. */
const MEANT = { radius: "maxDistance", count: "numPoints", limit: "numPoints" } as const;

/**
 * The points of a dataset nearest to a place: one, unless `numPoints` asks for more.
 *
 * @param dataset Identifier of the dataset
 * @param options The place, `maxDistance` in km, `numPoints`; `onNoData` (`"throw"`, or `"empty"` for a frame without
 * rows); connection and signal
 * @returns A frame of `distance_to_request_location` (Float64, km), `last_updated` (Date), `latitude`, `longitude`
 * (Float64, deg) and `start_year` (Date, the first day with data)
 * @throws {ArgumentError} If the place is not valid, before anything is sent
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
  readOptions("coverage()", options, COVERAGE_OPTIONS, MEANT);
  const values = {
    service_id: dataset,
    lat: options.latitude,
    lon: options.longitude,
    max_distance: options.maxDistance,
    num_points: options.numPoints,
  };
  const frame = await obtainRecords("coverage", values, coverageList, options);
  const [source] = provenance(frame);
  if (options.numPoints !== undefined || !source) return frame;
  const note =
    "the table has only the nearest point; numPoints (up to 9) adds other points within maxDistance";
  return describeFrame(frame, coverageList, { ...source, notes: [...source.notes ?? [], note] });
}

/**
 * Climate data of the point nearest to a place, downloaded without an order.
 *
 * @param dataset Identifier of the dataset
 * @param options The place, first and last year; `fileType` of the transfer; `columns` and `timeZone`: names and zone
 * of a table if they differ from ours; connection and signal
 * @returns A frame of `time` (Datetime, UTC) and the variables of the dataset (Float64), such as `wind_speed_100` (m/s)
 * @throws {ArgumentError} If place or years are not valid, before anything is sent
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
 *   from: 2023,
 *   to: 2023,
 * });
 * assertEquals(wind.height, 8760);
 * ```
 */
export async function downloadClimate(
  dataset: string,
  options: ClimateOptions,
): Promise<DataFrame> {
  readOptions("downloadClimate()", options, climateOptions);
  assertFrameType(options.fileType);
  return await obtainClimateFrame(buildClimateParameters(dataset, options), options);
}

/**
 * Saves climate data of the point nearest to a place as a file, in any of the three formats, as the service sends it.
 *
 * @param dataset Identifier of the dataset
 * @param path Path of the new file
 * @param options The place, first and last year, `fileType`; `columns` and `timeZone`: names and zone of a table
 * if they differ from ours; connection and signal
 * @throws {ArgumentError} If place or years are not valid, before anything is sent
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
 *   from: 2023,
 *   to: 2023,
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
  readOptions("saveClimate()", options, climateOptions);
  if (typeof path !== "string" || path === "") {
    throw new ArgumentError(
      `Cannot save climate data: the second argument is ${
        describeValue(path)
      }, not a path. Give the path of the file to write`,
    );
  }
  await saveClimateFile(buildClimateParameters(dataset, options), path, options);
}
