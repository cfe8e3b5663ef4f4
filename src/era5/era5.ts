import type { DataFrame } from "nodejs-polars";
import { type Column, ownColumn } from "../api/columns/column.ts";
import { describeValue } from "../api/error_text.ts";
import { ArgumentError, ConfigurationError, DataFormatError } from "../api/errors.ts";
import type { Place } from "../client/answers/climate_files.ts";
import { connect, type Connection } from "../client/connection/connection.ts";
import {
  type CallOptions,
  callOptions,
  resolveConnection,
} from "../client/connection/default_connection.ts";
import { Ledger } from "../client/orders/ledger.ts";
import { runStoppable } from "../client/orders/run_stoppable.ts";
import type { Environment } from "../disk/home.ts";
import { CsvReader } from "../frames/csv/csv_reader.ts";
import { extractEpochs, extractNumbers } from "../frames/frame.ts";
import {
  findPoints,
  FIRST_ERA5_YEAR,
  type GridPoint,
  wrapLongitude,
} from "../frames/grid_points.ts";
import { readNetcdf } from "../frames/netcdf.ts";
import { listCells } from "../frames/netcdf_grid.ts";
import { describeFrame } from "../frames/provenance.ts";
import { type RangeBound, readDayRange, readSpan } from "../show/options/range.ts";
import { declareOptions, readOptions } from "../show/options/read_options.ts";
import { startProgress } from "../show/progress.ts";
import type { CdsProduct } from "./cds_block.ts";
import { checkHours } from "./climate_hours.ts";
import { convertVariables, era5Variables } from "./era5_variables.ts";
import { fetchFromCds } from "./fetch_from_cds.ts";
import { fetchFromOpenMeteo, findOpenMeteo, OPEN_METEO_TERMS } from "./fetch_from_open_meteo.ts";
import { findCdsAccess } from "./find_cds_access.ts";
import { joinHours } from "./join_hours.ts";
import { type Block, findLastPublished, listMonths, type Months } from "./months.ts";
import { openMeteoReader } from "./open_meteo_answer.ts";
import { readMember } from "./read_member.ts";
import { type Era5Status, PAUSES, type Pauses } from "./session.ts";
import { type Era5Source, openSource } from "./source_link.ts";
import { StoredMonths } from "./stored_months.ts";

const GRID = "reanalysis-era5-single-levels";

function pad(number: number): string {
  return String(number).padStart(2, "0");
}

function listNumbers(from: number, to: number): string[] {
  return Array.from({ length: to - from + 1 }, (_, i) => pad(from + i));
}

/**
 * The smallest area that contains the given grid points, deg; if they lie on both sides of 180 deg, its east is 180 or
 * more.
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
  maxMonths: 3,
  countMonths: ({ month }) => 13 - month, // it multiplies years and months

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
      const own = grid.variables.get(short)?.unit;
      if (own === undefined || own === unit) continue; // a missing one is refused with the list of all
      throw new DataFormatError(
        `Cannot use ${GRID}: its variable ${short} has the unit "${own}", not "${unit}"`,
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
  return ownColumn(name, dtype, name, name);
}

/** Columns of the files by name; the service chooses the order of the variables. */
const columns: readonly Column[] = [
  column("valid_time", "datetime"),
  column("latitude", "f64"),
  column("longitude", "f64"),
  ...era5Variables.map(([, short]) => column(short, "f64")),
];

/** Refuses a file of more than one point. */
function readDegrees(values: Float64Array, name: string): number {
  const [first] = values;
  if (values.every((value) => value === first)) return first;
  throw new DataFormatError(
    `Cannot use ${POINT}: its ${name} is ${[...new Set(values)].slice(0, 3).join(", ")}, not of ` +
      "one point",
  );
}

/** ERA5 hourly time series at a point, which come within a minute as CSV, zipped or not. */
const pointProduct: CdsProduct = {
  dataset: POINT,
  fileType: "csv",
  maxMonths: Infinity,
  countMonths: () => Infinity,
  complete: (points) => [...points],

  buildInputs: ({ points: [{ latitude, longitude }], months: { first } }, lastDay) => ({
    variable: era5Variables.map(([request]) => request),
    location: { longitude, latitude },
    date: [`${first.toPlainDate({ day: 1 })}/${lastDay}`],
    data_format: "csv",
  }),

  async readFile(path, settledEnd) {
    const reader = new CsvReader(columns, { file: POINT, timeZone: "UTC", extra: false });
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

export type { Era5Status };

/** Options of {@linkcode era5}. */
export interface Era5Options extends CallOptions, Place {
  /** First year, month, day or hour, UTC. */
  from: RangeBound;
  /** Last year, month, day or hour, included, UTC. */
  to: RangeBound;
  /** The nearest grid point, or the four around the place. @default {1} */
  points?: 1 | 4;
  /** Service that is asked. @default {"cds"} */
  source?: Era5Source;
  /** Longest wait for a request to the Climate Data Store, ms. @default {7_200_000} */
  timeout?: number | undefined;
  /** Called for each new state of such a request. */
  onStatus?: ((status: Era5Status) => void) | undefined;
}

const OPTIONS = declareOptions<Era5Options>()("latitude! longitude! from! to! onStatus", {
  points: 1,
  timeout: 7_200_000,
  source: "cds",
}, callOptions);

function assertArguments(
  { latitude, longitude, points, source, timeout, onStatus }: Era5Options,
) {
  const refuse = (name: string, value: unknown, wanted: string) => {
    throw new ArgumentError(`Cannot get ERA5: ${name} is ${describeValue(value)}, not ${wanted}`);
  };
  const within = (value: unknown, limit: number) =>
    typeof value === "number" && Math.abs(value) <= limit;
  if (!within(latitude, 90)) refuse("latitude", latitude, "-90 to 90 deg");
  if (!within(longitude, 180)) refuse("longitude", longitude, "-180 to 180 deg");
  if (![undefined, 1, 4].includes(points)) refuse("points", points, "1 or 4");
  if (![undefined, "cds", "open-meteo"].includes(source)) {
    refuse("source", source, '"cds" or "open-meteo"');
  }
  if (timeout !== undefined && !(Number.isFinite(timeout) && timeout > 0)) {
    refuse("timeout", timeout, "a positive time in ms");
  }
  if (onStatus !== undefined && typeof onStatus !== "function") {
    refuse("onStatus", onStatus, "a function");
  }
}

/** Reads a range: its first instant and the first one after it, and the months of it that may be published. */
function readMonths(from: RangeBound, to: RangeBound): [span: readonly [number, number], Months] {
  readDayRange({ from, to }); // refuses what has not begun
  const span = readSpan({ from, to }, "UTC");
  const [first, end] = [span[0], span[1] - 1].map((at) =>
    Temporal.PlainDate.from(new Date(at).toISOString().slice(0, 10)).toPlainYearMonth()
  );
  if (first.year < FIRST_ERA5_YEAR) {
    throw new ArgumentError(`Cannot get ERA5 from ${from}: it begins in ${FIRST_ERA5_YEAR}`);
  }
  const published = findLastPublished(Temporal.Now.instant().toString());
  const [last] = [end, published].sort(Temporal.PlainYearMonth.compare);
  return [span, { first, last }];
}

/**
 * Finds the connection, which is needed for home and limits only: a faulty address or key in the environment is no
 * error.
 */
function resolveHome(options: CallOptions): Connection {
  try {
    return resolveConnection(options);
  } catch (error) {
    if (!(error instanceof ConfigurationError)) throw error;
    return connect({ sample: true });
  }
}

/**
 * Lists the required credits for the data: both services ask for them, and Copernicus also wants changes to be named.
 *
 * @param fetchedAt When the data were received, ISO 8601 UTC
 */
function listAttributions(source: Era5Source, fetchedAt: string): string[] {
  const [year, day] = [fetchedAt.slice(0, 4), fetchedAt.slice(0, 10)];
  return [
    `Contains modified Copernicus Climate Change Service information ${year}: ERA5 hourly data on ` +
    `single levels, doi 10.24381/cds.adbb2d47, received ${day}, CC BY 4.0. Neither the European ` +
    "Commission nor ECMWF is responsible for any use of it",
    ...(source === "open-meteo" ? ["Weather data by Open-Meteo.com, CC BY 4.0"] : []),
  ];
}

/**
 * ERA5 reanalysis of a place, straight from the Copernicus Climate Data Store or from Open-Meteo: the way to climate of
 * your own. Received data are stored by grid point and month; after a crash the same call continues. Ctrl-C ends the
 * call.
 *
 * @param options The place; first and last hour, UTC; `points`: 1, or 4 around the place; `source`; `timeout`:
 * longest wait
 * of a request in ms (two hours); `onStatus` for each new state of one; connection, signal, use of the cache
 * @returns A frame of `time` (Datetime, UTC, hourly instants), `latitude`, `longitude` of the grid point (Float64, deg),
 * `wind_speed_100`, `wind_speed_10` (m/s), `wind_direction_100`, `wind_direction_10` (deg), `temperature` (degC),
 * `pressure` (Pa), from Copernicus also `wind_u_100`, `wind_v_100`, `wind_u_10`, `wind_v_10` (m/s), and `preliminary`
 * (Boolean; null if the source does not say); sorted by point, then time
 * @throws {ArgumentError} If an option is not valid, before anything is sent
 * @throws {LicenceError} If there is no key, or it is not known
 * @throws {NoAccessError} If the licence of the dataset is not accepted; the message has the page
 * @throws {OrderFailedError} If a request failed there; the message has the reason
 * @throws {TooManyRequestsError} If the service has had too many requests
 * @throws {TimeoutError} If a request takes longer than the longest wait; the same call continues it
 * @throws {DataFormatError} If an answer cannot be read, or is not what was asked for; it is not stored
 * @throws {NoDataError} If there is no hour within the range
 *
 * @example A year of the grid point nearest to a place
 * ```ts ignore
 * import { era5 } from "@vindkit/vindkit";
 *
 * const wind = await era5({ latitude: 55.5, longitude: 7.9, from: 2023, to: 2023 });
 * console.log(wind.height); // 8760
 * ```
 */
export async function era5(options: Era5Options): Promise<DataFrame> {
  readOptions("era5()", options, OPTIONS);
  return await getEra5(options, Deno.env);
}

/**
 * As {@linkcode era5}, for tests.
 *
 * @param environment Addresses and keys; not taken from the process, since all of its tests share one environment
 * @param pauses Pauses between requests
 */
export async function getEra5(
  options: Era5Options,
  environment: Environment,
  pauses: Pauses = PAUSES,
): Promise<DataFrame> {
  assertArguments(options);
  const chosen = { ...OPTIONS.defaults, ...options };
  const { latitude, longitude, from, to, points, source } = chosen;
  const [span, months] = readMonths(from, to);
  const wanted: Block = { points: findPoints(options, points), months };
  const connection = resolveHome(options);
  const address = source === "cds" ? findCdsAccess(environment) : findOpenMeteo(environment);
  const transport = openSource(connection, address);
  const product = points === 1 ? pointProduct : gridProduct;
  const reader = source === "cds" ? product : openMeteoReader;
  const stored = await StoredMonths.open(connection, options.cache, transport.baseUrl, reader);
  const notes = new Set<string>();
  if (!stored.offline) {
    const wayOn = "The same call goes on from there, also in another process";
    await runStoppable("get ERA5", wayOn, options.signal, async (signal) => {
      const left = (await stored.findMissing(wanted))?.left;
      using progress = startProgress(`ERA5 of ${new URL(transport.baseUrl).hostname}`, {
        ...(left ? { total: left, unit: "months" } : {}),
        silent: !connection.progress,
      });
      const { timeout, onStatus } = chosen;
      const ledger = new Ledger(connection.home);
      const gaps = new Map<string, string>();
      const parts = { connection, transport, ledger, stored, pauses, progress, gaps, notes };
      const session = { ...parts, timeout, onStatus, signal };
      return source === "cds"
        ? await fetchFromCds(session, product, wanted)
        : await fetchFromOpenMeteo(session, wanted);
    });
  }
  const { pieces, files } = await stored.read(wanted);
  const { frame, columns, notes: found } = joinHours(pieces, span);
  for (const note of files.flatMap((file) => file.notes)) notes.add(note);
  if (source === "open-meteo" && !transport.key) notes.add(OPEN_METEO_TERMS);
  const fetchedAt = files.map((file) => file.askedAt).sort().at(-1)!;
  return describeFrame(frame, columns, {
    operation: "era5",
    parameters: {
      latitude,
      longitude,
      from: new Date(span[0]).toISOString(),
      end: new Date(span[1]).toISOString(),
      points,
      source: transport.baseUrl,
    },
    fetchedAt,
    sha256: files.map((file) => file.sha256),
    world: "live",
    attribution: listAttributions(source, fetchedAt),
    notes: [...found, ...notes],
  });
}
