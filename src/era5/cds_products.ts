import { addedColumn, type Column } from "../api/columns/column.ts";
import { DataFormatError } from "../api/errors.ts";
import { readBeginning } from "../frames/files/read_file.ts";
import { isZip, unzipEach } from "../frames/files/archive.ts";
import { openCsv } from "../frames/csv/csv_reader.ts";
import { extractEpochs, extractNumbers } from "../frames/frame.ts";
import { type GridPoint, wrapLongitude } from "../frames/grid_points.ts";
import { readNetcdf } from "../frames/netcdf/netcdf.ts";
import { listCells } from "../frames/netcdf/netcdf_grid.ts";
import { checkHours } from "./climate_hours.ts";
import { type Block, listMonths } from "./months.ts";
import { z } from "zod";
import type { SentParameters } from "../api/operations/request_path.ts";
import type { Ledger } from "../client/orders/ledger.ts";
import type { CdsInputs } from "./cds_jobs.ts";
import { parseJson } from "../client/http/body.ts";
import type { SourceReader } from "./stored_months.ts";

/** Requested variables: name in requests, name and unit in files, column in frames. */
const era5Variables = [
  ["100m_u_component_of_wind", "u100", "m s**-1", "wind_u_100"],
  ["100m_v_component_of_wind", "v100", "m s**-1", "wind_v_100"],
  ["10m_u_component_of_wind", "u10", "m s**-1", "wind_u_10"],
  ["10m_v_component_of_wind", "v10", "m s**-1", "wind_v_10"],
  ["2m_temperature", "t2m", "K", "temperature"],
  ["surface_pressure", "sp", "Pa", "pressure"],
] as const;

/** 0 °C, K. */
const ZERO_CELSIUS = 273.15;

/** Computes the direction that the wind comes from, deg, 0 to 360. */
function computeDirection(u: number, v: number): number {
  return (Math.atan2(-u, -v) * 180 / Math.PI + 360) % 360;
}

/**
 * Converts the variables of an ERA5 file to the columns of frames: the wind as components, speed and direction.
 *
 * @param values Values by the names in files: m/s, K, Pa; missing is NaN
 * @throws {DataFormatError} If a variable is missing
 */
function convertVariables(
  values: ReadonlyMap<string, ArrayLike<number>>,
  file: string,
): Record<string, Float64Array> {
  const columns: Record<string, Float64Array> = {};
  for (const [, short, , column] of era5Variables) {
    const series = values.get(short);
    if (!series) {
      throw new DataFormatError(
        `Cannot use ${file}: it has no variable ${short}. The file has ${
          [...values.keys()].join(", ")
        }`,
      );
    }
    columns[column] = short === "t2m"
      ? Float64Array.from(series, (kelvin) => kelvin - ZERO_CELSIUS)
      : Float64Array.from(series);
  }
  for (const height of [100, 10]) {
    const [u, v] = [columns[`wind_u_${height}`], columns[`wind_v_${height}`]];
    columns[`wind_speed_${height}`] = u.map((east, i) => Math.hypot(east, v[i]));
    columns[`wind_direction_${height}`] = u.map((east, i) => computeDirection(east, v[i]));
  }
  return columns;
}

/**
 * Reads a file of the Climate Data Store, which may be zipped regardless of the request. Its first bytes show whether
 * it is.
 *
 * @param dataset Dataset of the file, for messages
 * @param ending Ending of the member's name
 * @param kind Part of the member's name that distinguishes it from others with the same ending
 * @throws {DataFormatError} If the archive is damaged, or has no such member
 */
async function readMember(
  path: string,
  dataset: string,
  ending: string,
  kind: string,
): Promise<Uint8Array> {
  if (!isZip(await readBeginning(path))) return await Deno.readFile(path);
  let content = new Uint8Array();
  await unzipEach(path, dataset, (names) => {
    const all = names.filter((name) => name.toLowerCase().endsWith(ending));
    const members = all.length > 1 ? all.filter((name) => name.includes(kind)) : all;
    if (members.length === 1) return members;
    throw new DataFormatError(
      `Cannot use the archive of ${dataset}: its members are ${
        names.slice(0, 10).join(", ")
      }, but exactly one must contain "${kind}" and end in ${ending}`,
    );
  }, (_, bytes) => {
    content = bytes;
    return Promise.resolve();
  });
  return content;
}

const GRID = "reanalysis-era5-single-levels";

function pad(number: number): string {
  return String(number).padStart(2, "0");
}

function listNumbers(from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, i) => pad(from + i));
}

/**
 * Computes the smallest area that contains the given grid points, deg; if they lie on both sides of 180 deg, east is
 * 180 or more.
 */
function boundPoints(points: readonly GridPoint[]) {
  const latitudes = points.map(({ latitude }) => latitude);
  const longitudes = points.map(({ longitude }) => longitude);
  const apart = Math.max(...longitudes) - Math.min(...longitudes) > 180; // on both sides of 180
  const turned = longitudes.map((one) => apart && one < 0 ? one + 360 : one);
  const [north, south] = [Math.max(...latitudes), Math.min(...latitudes)];
  return { north, west: Math.min(...turned), south, east: Math.max(...turned) };
}

/** ERA5 hourly data on single levels: the grid points of an area as NetCDF. A request takes minutes to hours. */
export const gridProduct: CdsProduct = {
  dataset: GRID,
  fileType: "netcdf",
  countMonths: ({ month }) => 13 - month, // a request covers all combinations of its years and months

  complete(points) {
    const { north, west, south, east } = boundPoints(points);
    return [...new Set([south, north])].flatMap((latitude) =>
      [...new Set([west, east])].map((one) => ({ latitude, longitude: wrapLongitude(one) }))
    );
  },

  buildInputs({ points, months }, lastDay) {
    const { north, west, south, east } = boundPoints(points);
    return {
      product_type: ["reanalysis"],
      variable: era5Variables.map(([request]) => request),
      year: [String(months.first.year)],
      month: listMonths(months).map(({ month }) => pad(month)),
      day: listNumbers(1, months.first.equals(months.last) ? lastDay.day : 31),
      time: listNumbers(0, 23).map((hour) => `${hour}:00`),
      area: [north, west, south, east],
      data_format: "netcdf",
      download_format: "unarchived",
    };
  },

  async readFile(path, settledEnd) {
    const grid = await readNetcdf(await readMember(path, GRID, ".nc", "instant"), GRID);
    for (const [, short, unit] of era5Variables) {
      const stated = grid.variables.get(short)?.unit;
      if (stated === undefined || stated === unit) continue; // convertVariables() rejects a missing one and lists all
      throw new DataFormatError(
        `Cannot use ${GRID}: its variable ${short} has the unit "${stated}", not "${unit}"`,
      );
    }
    const flags = grid.preliminary && { preliminary: Float64Array.from(grid.preliminary) };
    return Array.from(listCells(grid), ({ latitude, longitude, values }) =>
      checkHours({
        file: GRID,
        latitude,
        longitude,
        stamps: grid.times,
        values: { ...flags, ...convertVariables(values, GRID) },
      }, settledEnd));
  },
};

const POINT = "reanalysis-era5-single-levels-timeseries";

function column(name: string, dtype: Column["dtype"]): Column {
  return addedColumn(name, dtype, name, name);
}

/** Columns of the files by name; the service chooses the order of the variables. */
const columns: readonly Column[] = [
  column("valid_time", "datetime"),
  column("latitude", "f64"),
  column("longitude", "f64"),
  ...era5Variables.map(([, short]) => column(short, "f64")),
];

/** Reads a coordinate, and rejects a file with several points. */
function readDegrees(values: Float64Array, name: string): number {
  const [first] = values;
  if (values.every((value) => value === first)) return first;
  throw new DataFormatError(
    `Cannot use ${POINT}: it contains several values of ${name} (${
      [...new Set(values)].slice(0, 3).join(", ")
    }). Give a file with one point`,
  );
}

/** ERA5 hourly time series at a point, as CSV, zipped or not. A request takes less than a minute. */
export const pointProduct: CdsProduct = {
  dataset: POINT,
  fileType: "csv",
  countMonths: () => Infinity,
  complete: (points) => [...points],

  buildInputs: ({ points: [{ latitude, longitude }], months: { first } }, lastDay) => ({
    variable: era5Variables.map(([request]) => request),
    location: { longitude, latitude },
    date: [`${first.toPlainDate({ day: 1 })}/${lastDay}`],
    data_format: "csv",
  }),

  async readFile(path, settledEnd) {
    const reader = openCsv(columns, { file: POINT, timeZone: "UTC", extra: false });
    reader.write(await readMember(path, POINT, ".csv", "-sfc"));
    const { frame } = reader.end();
    if (frame.height === 0) return [];
    const values = new Map(
      era5Variables.map(([, short]) => [short, extractNumbers(frame, short)]),
    );
    return [checkHours({
      file: POINT,
      latitude: readDegrees(extractNumbers(frame, "latitude"), "latitude"),
      longitude: readDegrees(extractNumbers(frame, "longitude"), "longitude"),
      stamps: extractEpochs(frame, "valid_time"),
      values: convertVariables(values, POINT),
    }, settledEnd)];
  },
};

/** A dataset of the Climate Data Store: builds its requests and reads its files. */
export interface CdsProduct extends SourceReader {
  /** Format of its files, as shown by `orders()`. */
  readonly fileType: "csv" | "netcdf";
  /** Returns the largest number of months, starting from a given one, in a single request. */
  countMonths(first: Temporal.PlainYearMonth): number;
  /** Adds the points that a request for these points must include. */
  complete(points: readonly GridPoint[]): GridPoint[];
  /** Builds the inputs of a request, up to the last day that has begun. */
  buildInputs(block: Block, lastDay: Temporal.PlainDate): CdsInputs["inputs"];
}

/** Content of one request to the Climate Data Store. */
export interface CdsBlock extends Block {
  readonly product: CdsProduct;
  /** Parameters that identify the block in the ledger: full months, so they stay the same tomorrow. */
  readonly parameters: SentParameters;
}

const month = z.string().regex(/^\d{4}-(0[1-9]|1[0-2])$/)
  .transform((text) => Temporal.PlainYearMonth.from(text));
const requestSchema = z.strictObject({
  points: z.array(z.strictObject({ latitude: z.number(), longitude: z.number() })).min(1),
  months: z.strictObject({ first: month, last: month }),
});

/** Builds the request block of a product. */
export function buildBlock(product: CdsProduct, { points: wanted, months }: Block): CdsBlock {
  const points = product.complete(wanted);
  const parameters = {
    service_id: product.dataset,
    lat: points[0].latitude,
    lon: points[0].longitude,
    start_year: months.first.year,
    end_year: months.last.year,
    filetype: product.fileType,
    request: JSON.stringify({ points, months }),
  };
  return { product, points, months, parameters };
}

/** Lists the open orders of a product, with their blocks. */
export function listOpenBlocks(ledger: Ledger, place: string, product: CdsProduct) {
  return ledger.listEntries().flatMap((entry) => {
    const { state, parameters } = entry;
    const open = state === "sent" || state === "placed";
    if (!open || entry.place !== place || parameters.service_id !== product.dataset) return [];
    const { data } = requestSchema.safeParse(parseJson(String(parameters.request)));
    return data ? [{ block: buildBlock(product, data), entry }] : [];
  });
}
