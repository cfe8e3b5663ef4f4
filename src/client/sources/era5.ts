import type { DataFrame } from "nodejs-polars";
import { checkOptions, describeValue, type OptionNames } from "../../api/check_options.ts";
import { ArgumentError } from "../../api/errors.ts";
import { type RangeBound, readDayRange, readSpan } from "../../api/range.ts";
import { describeFrame } from "../../frames/provenance.ts";
import type { Place } from "../answers/climate_files.ts";
import {
  type CallOptions,
  callOptions,
  resolveConnection,
} from "../connection/default_connection.ts";
import { runStoppable } from "../orders/run_stoppable.ts";
import type { WaitOptions } from "../orders/wait_for_order.ts";
import { listAttributions } from "./attribution.ts";
import { findCdsAccess } from "./cds_access.ts";
import type { GridArea } from "./cds_product.ts";
import { fetchFromCds } from "./cds_source.ts";
import { joinHours } from "./climate_hours.ts";
import { gridProduct } from "./grid_product.ts";
import type { Months } from "./months.ts";
import { fetchFromOpenMeteo, findOpenMeteo } from "./open_meteo.ts";
import { pointProduct } from "./point_product.ts";
import { SourceFiles } from "./source_file.ts";
import { type Era5Source, openSource } from "./source_link.ts";

/** Options of {@linkcode era5}. */
export interface Era5Options
  extends CallOptions, Place, Pick<WaitOptions, "onStatus" | "timeout" | "firstPause"> {
  /** First year, month, day or hour, UTC. */
  from: RangeBound;
  /** Last year, month, day or hour, included, UTC. */
  to: RangeBound;
  /** The nearest grid point, or the four around the place. @default {1} */
  points?: 1 | 4;
  /** Service that is asked. @default {"cds"} */
  source?: Era5Source;
}

const OPTIONS: OptionNames<Era5Options> = {
  latitude: "needed",
  longitude: "needed",
  from: "needed",
  to: "needed",
  points: "optional",
  source: "optional",
  onStatus: "optional",
  timeout: "optional",
  firstPause: "optional",
  ...callOptions,
};

/** Grid points of ERA5 on a degree. */
const PER_DEGREE = 4;

function assertArguments(
  { latitude, longitude, points, source, timeout, firstPause }: Era5Options,
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
  if (timeout !== undefined && !(timeout > 0)) refuse("timeout", timeout, "a positive time in ms");
  if (firstPause !== undefined && !(firstPause >= 0)) {
    refuse("firstPause", firstPause, "a time in ms");
  }
}

/** The nearest grid point, or the cell of four around a place; two turbines of a cell ask for the same. */
function findArea({ latitude, longitude, points = 1 }: Era5Options): GridArea {
  const wrap = (degrees: number) => degrees >= 180 ? degrees - 360 : degrees;
  if (points === 1) {
    const north = Math.round(latitude * PER_DEGREE) / PER_DEGREE;
    const west = wrap(Math.round(longitude * PER_DEGREE) / PER_DEGREE);
    return { north, west, south: north, east: west };
  }
  const step = 1 / PER_DEGREE;
  const south = Math.min(Math.floor(latitude * PER_DEGREE) / PER_DEGREE, 90 - step);
  const west = wrap(Math.floor(longitude * PER_DEGREE) / PER_DEGREE);
  return { north: south + step, west, south, east: west + step };
}

function listPoints({ north, west, south, east }: GridArea) {
  const all = [south, north].flatMap((latitude) =>
    [west, east].map((longitude) => ({ latitude, longitude }))
  );
  return north === south ? all.slice(0, 1) : all;
}

/**
 * ERA5 reanalysis of a place, straight from the Copernicus Climate Data Store or from Open-Meteo: the way to climate of
 * your own. Files are stored; after a crash the same call continues. Ctrl-C ends it.
 *
 * @param options The place; first and last hour, UTC; one grid point or four; source; longest wait of a request in ms
 * (two hours); connection, signal, use of the cache
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
  checkOptions("era5()", options, OPTIONS);
  assertArguments(options);
  const { latitude, longitude, from, to, points = 1, source = "cds" } = options;
  readDayRange({ from, to }); // refuses what has not begun
  const span = readSpan({ from, to }, "UTC");
  const today = Temporal.Now.plainDateISO("UTC");
  const dayOf = (at: number) => Temporal.PlainDate.from(new Date(at).toISOString().slice(0, 10));
  const last = dayOf(span[1] - 1);
  const months: Months = {
    first: dayOf(span[0]).toPlainYearMonth(),
    last: (Temporal.PlainDate.compare(last, today) < 0 ? last : today).toPlainYearMonth(),
  };
  const connection = resolveConnection(options);
  const area = findArea(options);
  const address = source === "cds" ? findCdsAccess() : findOpenMeteo();
  const transport = openSource(connection, address);
  const notes = new Set<string>();
  const { pieces, files } = await runStoppable(
    `get ERA5 of ${latitude}, ${longitude}`,
    "Orders stay placed: the same call continues them, also in another process",
    options.signal,
    async (signal) => {
      const stored = await SourceFiles.open(connection, options.cache);
      return source === "cds"
        ? await fetchFromCds(
          { ...options, connection, transport, files: stored, notes, signal },
          points === 1 ? pointProduct : gridProduct,
          area,
          months,
        )
        : await fetchFromOpenMeteo(
          connection,
          transport,
          stored,
          listPoints(area),
          months,
          signal,
        );
    },
  );
  const { frame, columns, notes: found } = joinHours(pieces, span);
  const fetchedAt = files.map((file) => file.fetchedAt).sort().at(-1)!;
  const unknown = frame.getColumn("preliminary").nullCount();
  if (unknown > 0) {
    notes.add(
      `${unknown} hours of the last months may be preliminary (ERA5T): the source does not say`,
    );
  }
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
