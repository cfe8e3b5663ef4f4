import pl from "nodejs-polars";
import { climateColumnByName } from "../../api/columns/climate_columns.ts";
import {
  type ClimateParameters,
  climateParameterTable,
  fileMediaTypes,
  type FileType,
} from "../../api/operations/climate_data.ts";
import { areParameters, type ParameterValue } from "../../api/operations/parameter.ts";
import { writeClimateFile } from "../../frames/climate_file.ts";
import { HOUR } from "../../time/hourly.ts";
import { dayAt } from "../../time/zones.ts";
import { zip } from "../../frames/files/archive.ts";
import { computeDistance, type Location } from "../../windindex/climate/site_weights.ts";
import { Refusal } from "../../storage/jobs/refusal.ts";
import { parquetToFrame } from "../../sites/keep/series.ts";
import type { Files } from "../../storage/files/files.ts";
import type { StoredPoint } from "../../sites/keep/site_record.ts";
import type { Sites } from "../../sites/keep/sites.ts";

/** Largest distance of a point from the location of an order, km: the default radius of the coverage search. */
const MAX_ORDER_DISTANCE = 150;

/**
 * Reads the request for a file from the parameters of an order.
 *
 * @throws {Refusal} If they are not valid for an order
 */
export function readClimateRequest(
  parameters: Readonly<Record<string, ParameterValue | undefined>>,
): ClimateParameters {
  if (!areParameters(climateParameterTable, parameters)) {
    throw new Refusal(
      "invalid_argument",
      `Cannot build the file for ${
        JSON.stringify(parameters)
      }: this version of Vindkit does not accept these parameters. Place a new order with valid parameters`,
    );
  }
  return parameters;
}

const ENDINGS: Readonly<Record<FileType, string>> = {
  csv: ".csv",
  zipcsv: ".zip",
  zipraw: "_raw.zip",
};

function nameSeries(
  { service_id, start_year, end_year }: ClimateParameters,
  { latitude, longitude }: Location,
): string {
  return `${service_id}_${latitude}_${longitude}_${start_year}-${end_year}`;
}

/** Media type of a file as a header has it, by its format. */
export function mediaTypeOf(fileType: FileType): string {
  return fileMediaTypes[fileType] + (fileType === "csv" ? "; charset=utf-8" : "");
}

/**
 * Describes the file of a request by its point, or by location and dataset if its data are gone.
 *
 * @returns Its name for its user, and the attributions that its data require
 */
export async function describeClimateFile(sites: Sites, request: ClimateParameters) {
  const point = await findPoint(sites, request).catch((cause) => {
    if (cause instanceof Refusal) return undefined;
    throw cause;
  });
  const { attribution = [] } = point ?? await sites.dataset(request.service_id) ?? {};
  const name = nameSeries(request, point ?? placeOf(request)) + ENDINGS[request.filetype];
  return { name, attribution };
}

/** Points of a dataset with their distance from a location in km, nearest first. */
export async function listNearestPoints(
  sites: Sites,
  serviceId: string,
  location: Location,
): Promise<{ point: StoredPoint; away: number }[]> {
  const points = await sites.points(serviceId);
  return points.map((point) => ({ point, away: computeDistance(point, location) }))
    .sort((a, b) => a.away - b.away);
}

function placeOf({ lat, lon }: ClimateParameters): Location {
  return { latitude: lat, longitude: lon };
}

/**
 * Finds the point nearest to the location of a request, with data in its years.
 *
 * @throws {Refusal} If no point is near enough, or none of the years has data
 */
export async function findPoint(sites: Sites, request: ClimateParameters): Promise<StoredPoint> {
  const { service_id: serviceId, start_year: startYear, end_year: endYear } = request;
  if (startYear > endYear) {
    throw new Refusal("invalid_argument", `start_year ${startYear} is after end_year ${endYear}`);
  }
  const [nearest] = await listNearestPoints(sites, serviceId, placeOf(request));
  if (!nearest || nearest.away > MAX_ORDER_DISTANCE) {
    throw new Refusal("no_data", `no point of ${serviceId} is within ${MAX_ORDER_DISTANCE} km`);
  }
  const { point } = nearest;
  const end = point.start + point.hours * HOUR;
  if (Date.UTC(startYear) >= end || Date.UTC(endYear + 1) <= point.start) {
    const span = [point.start, end - HOUR].map((instant) => dayAt(instant, "UTC")).join(" to ");
    throw new Refusal("no_data", `the point has data from ${span}`);
  }
  return point;
}

function describeColumns(names: readonly string[]): Record<string, string>[] {
  return names.map((name) => {
    const column = climateColumnByName(name);
    return { name, unit: column?.unit ?? "", description: column?.description ?? "Stamp, UTC." };
  });
}

/**
 * Builds the file of a request from the series of its point.
 *
 * @param point The result of {@linkcode findPoint}
 */
export async function deliverClimate(
  files: Files,
  point: StoredPoint,
  request: ClimateParameters,
): Promise<{ extension: string; bytes: Uint8Array }> {
  const { service_id, start_year, end_year, filetype } = request;
  const time = pl.col("time");
  const instant = (year: number) =>
    pl.lit(Date.UTC(year) * 1000).cast(pl.Int64).cast(pl.Datetime("us", "UTC"));
  const frame = parquetToFrame(await files.read(point.file))
    .filter(time.gtEq(instant(start_year)).and(time.lt(instant(end_year + 1))));
  if (filetype === "zipraw") {
    const about = {
      dataset: service_id,
      latitude: point.latitude,
      longitude: point.longitude,
      elevation: point.elevation,
      stamp: point.stamp,
      columns: describeColumns(frame.columns),
    };
    const bytes = await zip({
      "about.json": new TextEncoder().encode(JSON.stringify(about, null, 2) + "\n"),
      "series.parquet": frame.writeParquet({ compression: "zstd" }),
    });
    return { extension: "zip", bytes };
  }
  const text = writeClimateFile(frame, point);
  return filetype === "csv"
    ? { extension: "csv", bytes: text }
    : { extension: "zip", bytes: await zip({ [`${nameSeries(request, point)}.csv`]: text }) };
}
