import pl, { type DataFrame } from "nodejs-polars";
import { type FileType, fileTypes } from "../../api/operations/climate_data.ts";
import { coverageList, datasetList } from "../../api/columns/columns.ts";
import { climateTime } from "../../api/columns/climate_columns.ts";
import { ArgumentError, ConfigurationError, NetworkError } from "../../api/errors.ts";
import type { ParameterValues } from "../../api/operations/request_path.ts";
import { type ClimateFile, readClimateFile } from "../../frames/climate_file.ts";
import { beginning } from "../../frames/archive/file_parts.ts";
import { epochsOf } from "../../frames/frame.ts";
import { isZip } from "../../frames/archive/zip.ts";
import { describeFrame } from "../../frames/provenance.ts";
import { assertWholeFile } from "../../frames/archive/whole_file.ts";
import { SideFile } from "../../disk/side_file.ts";
import { type Obtained, obtainWhole } from "../cache/obtain.ts";
import { keptFile, obtainFile, type UseFile } from "../cache/obtain_file.ts";
import type { Judge } from "../cache/plan.ts";
import {
  type CallOptions,
  connectionOf,
  type FrameOptions,
} from "../connection/default_connection.ts";
import { orEmpty, provenanceOf, recordsFrame } from "../answers/frame_of_answer.ts";
import { ask, type AskOptions } from "../http/ask.ts";

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
export async function datasets(options: FrameOptions = {}): Promise<DataFrame> {
  return await orEmpty(datasetList, options, async () => {
    const { facts, value } = await obtainWhole(
      "datasets",
      {},
      options,
      (answer) => recordsFrame(answer, datasetList),
    );
    return describeFrame(value, datasetList, provenanceOf(facts, connectionOf(options)));
  });
}

/** A place on the globe. */
export interface Place {
  /** Latitude, deg, positive north, -90 to 90. */
  latitude: number;
  /** Longitude, deg, positive east, -180 to 180. */
  longitude: number;
}

/** Options of {@linkcode coverage}. */
export interface CoverageOptions extends FrameOptions, Place {
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
  const values = {
    service_id: dataset,
    lat: options.latitude,
    lon: options.longitude,
    max_distance: options.maxDistance,
    num_points: options.numPoints,
  };
  return await orEmpty(coverageList, options, async () => {
    const { facts, value } = await obtainWhole(
      "coverage",
      values,
      options,
      (answer) => recordsFrame(answer, coverageList),
    );
    return describeFrame(value, coverageList, provenanceOf(facts, connectionOf(options)));
  });
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
  if (options.startYear > Temporal.Now.plainDateISO("UTC").year) {
    throw new ArgumentError(
      `Cannot ask for climate data: startYear ${options.startYear} lies in the future`,
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
  if (fileType !== RAW) return;
  throw new ArgumentError(
    "Cannot read zipraw into a frame: it is the format of another program. Use zipcsv, or saveClimate()",
  );
}

/** The file type that is the format of another program. */
export const RAW: FileType = "zipraw";

/** Milliseconds of a day. */
const DAY = 86_400_000;

/** Months after its last year in which a file may still be revised. */
const SETTLING_MONTHS = 4;

/** A kept file is right still where its last year had been over for four months when it came. */
const judgeClimate: Judge = (entry) => {
  const last = Number(entry.parameters.end_year);
  const settled = Temporal.PlainDate.from({ year: last + 1, month: 1, day: 1 })
    .add({ months: SETTLING_MONTHS });
  const fetched = Temporal.Instant.from(entry.fetched_at).toZonedDateTimeISO("UTC").toPlainDate();
  const reuse = Temporal.PlainDate.compare(settled, fetched) <= 0;
  return Promise.resolve(reuse ? { reuse, note: "from the cache" } : { reuse });
};

/** A climate file that was read, as a frame with its declared columns and provenance. */
export function climateFrame(
  { facts, value }: Obtained<ClimateFile>,
  options: CallOptions,
): DataFrame {
  return describeFrame(value.frame, value.columns, provenanceOf(facts, connectionOf(options)));
}

/** Makes sure that a table whose length nobody said reaches the last hour that the service has of what was asked for. */
async function assertReachesEnd(
  path: string,
  url: string,
  { service_id, lat, lon, end_year }: ParameterValues,
  options: AskOptions,
): Promise<void> {
  await assertWholeFile(path, url);
  if (isZip(await beginning(path))) return; // an archive that is cut is none
  const { frame } = await readClimateFile(path, url);
  const epochs = epochsOf(frame, climateTime.name);
  const near = await ask("coverage", { service_id, lat, lon }, options);
  const [, lastUpdated] = coverageList;
  const last = recordsFrame(near, coverageList).getColumn(lastUpdated.name).cast(pl.Int32)
    .toArray()[0] as number | null;
  const endOfYear = Date.UTC(Number(end_year), 11, 31) / DAY;
  const wanted = Math.min(last ?? endOfYear, endOfYear);
  if (epochs.length > 0 && Math.floor(epochs[epochs.length - 1] / DAY) >= wanted) return;
  throw new NetworkError(
    `Cannot use the file of ${url}: it came without a length and does not reach the last day asked for`,
    { operation: "download_climate", url, hint: "Try again later" },
  );
}

/** Downloads a file by its parameters, or takes it from the cache, and uses it. */
async function fileOf<T>(
  parameters: ParameterValues,
  options: CallOptions,
  use: UseFile<T>,
): Promise<Obtained<T>> {
  const whole = (path: string, url: string, deadline: number) =>
    assertReachesEnd(path, url, parameters, { ...options, within: deadline });
  return await obtainFile("download_climate", parameters, options, use, judgeClimate, whole);
}

/** Downloads a file by its parameters and makes it a frame. */
export async function frameByParameters(
  parameters: ParameterValues,
  options: CallOptions,
): Promise<DataFrame> {
  return climateFrame(await fileOf(parameters, options, readClimateFile), options);
}

/** Downloads a file by its parameters and copies it to a path. */
export async function saveByParameters(
  parameters: ParameterValues,
  path: string,
  options: CallOptions,
): Promise<void> {
  const raw = parameters.filetype === RAW;
  await fileOf(parameters, options, (from, url) => saveCopy(from, path, url, raw));
}

/** The frame of a file that the cache keeps; `undefined` where the service must be asked. */
export async function keptClimate(
  parameters: ParameterValues,
  options: CallOptions,
): Promise<DataFrame | undefined> {
  const id = "download_climate";
  const kept = await keptFile(id, parameters, options, readClimateFile, judgeClimate);
  return kept && climateFrame(kept, options);
}

/** Copies a climate file that is whole, so that nobody sees a part of it under its name. */
export async function saveCopy(from: string, to: string, url: string, raw: boolean): Promise<void> {
  await assertWholeFile(from, url, raw);
  try {
    await using file = await SideFile.create(to, 0o666); // the user's own, as open as their others
    for await (const part of (await Deno.open(from)).readable) await file.write(part);
    await file.commit(to);
  } catch (cause) {
    throw new ConfigurationError(`Cannot save ${to}: ${(cause as Error).message}`, {
      cause,
      hint: "Give a path that can be written to",
    });
  }
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
  return await frameByParameters(climateParameters(dataset, options), options);
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
  await saveByParameters(climateParameters(dataset, options), path, options);
}
