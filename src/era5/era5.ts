import type { DataFrame } from "nodejs-polars";
import { describeValue } from "../api/error_text.ts";
import { ArgumentError, ConfigurationError, ServiceError } from "../api/errors.ts";
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
import { findPoints, FIRST_ERA5_YEAR, isNear } from "../frames/grid_points.ts";
import { describeFrame } from "../frames/origin/provenance.ts";
import { type RangeBound, readDayRange, readSpan } from "../show/options/range.ts";
import { declareOptions, type FilledOptions, readOptions } from "../show/options/read_options.ts";
import { startProgress } from "../show/progress.ts";
import { monthAt } from "../time/zones.ts";
import {
  buildBlock,
  type CdsBlock,
  type CdsProduct,
  gridProduct,
  listOpenBlocks,
  pointProduct,
} from "./cds_products.ts";
import {
  fetchFromOpenMeteo,
  findOpenMeteo,
  OPEN_METEO_TERMS,
  openMeteoReader,
} from "./fetch_from_open_meteo.ts";
import { findCdsAccess } from "./find_cds_access.ts";
import { joinHours } from "./climate_hours.ts";
import { type Block, findLastPublished, listMonths, type Months } from "./months.ts";
import {
  type Era5Source,
  type Era5Status,
  openSource,
  PAUSES,
  type Pauses,
  type Session,
} from "./source_link.ts";
import { StoredMonths } from "./stored_months.ts";
import { CostLimitError, UnpublishedError } from "./cds_errors.ts";
import { fetchBlock, UnreadableError } from "./fetch_block.ts";

/**
 * If a request begins less than this many days ago, the store may refuse it, because none of its data are published
 * yet.
 */
const LATE_DAYS = 10;

/** Whether months begin so late that the store may refuse a request for them. */
function isLate({ first }: Months): boolean {
  const day = Temporal.Now.plainDateISO("UTC").subtract({ days: LATE_DAYS });
  return Temporal.PlainDate.compare(first.toPlainDate({ day: 1 }), day) > 0;
}

/** Computes the intersection of two blocks; it may have no points or no months. */
function intersect(a: Block, b: Block): Block {
  const compare = Temporal.PlainYearMonth.compare;
  const [, first] = [a.months.first, b.months.first].sort(compare);
  const [last] = [a.months.last, b.months.last].sort(compare);
  const points = a.points.filter((one) => b.points.some((other) => isNear(one, other)));
  return { points, months: { first, last } };
}

/**
 * Fetches missing months of grid points from the Climate Data Store, one request after the other. Each is as large as
 * the store accepts: a request that costs too much is halved. Finishes open orders before it places new ones.
 */
async function fetchFromCds(
  session: Session,
  product: CdsProduct,
  { points, months }: Block,
): Promise<void> {
  const { stored, transport: { baseUrl }, ledger, notes } = session;
  let size = Infinity;
  let { last } = months;
  let unreadable = 0;
  const isMissing = async (block: Block) => await stored.findMissing(block) !== undefined;

  async function attempt(block: CdsBlock, isStored: () => Promise<boolean>): Promise<void> {
    const { first } = block.months;
    const count = listMonths(block.months).length;
    try {
      await fetchBlock(session, block, isStored);
    } catch (error) {
      if (error instanceof UnpublishedError && isLate(block.months)) {
        notes.add(`${first} is not published yet: ${error.message}`);
        last = first.subtract({ months: 1 });
      } else if (error instanceof CostLimitError && count > 1) size = Math.floor(count / 2);
      else if (!(error instanceof UnreadableError && unreadable++ === 0)) throw error;
    }
  }

  for (const { block, entry } of listOpenBlocks(ledger, baseUrl, product)) {
    const isStored = () => stored.hasSince(block, entry.sentAt);
    if (await isMissing(intersect(block, { points, months })) || await isStored()) {
      await attempt(block, isStored);
    }
  }
  const findSizeFrom = (first: Temporal.PlainYearMonth) =>
    Math.min(size, product.countMonths(first));
  let [before, times] = ["", 0];
  while (true) {
    const wanted = { points, months: { first: months.first, last } };
    const run = await stored.findMissing(wanted, findSizeFrom);
    if (!run) return;
    const block = buildBlock(product, run);
    const key = JSON.stringify(run);
    times = key === before ? times + 1 : 0;
    before = key;
    if (times > 0) { // joining an order whose job cannot be deleted would return the same old file
      for (const { entry } of listOpenBlocks(ledger, baseUrl, product)) {
        ledger.note(entry.entry, { state: "delivered", status: "delivered" });
      }
    }
    if (times > 1) {
      throw new ServiceError(
        `Cannot get ERA5 data for ${run.months.first} to ${run.months.last}: Vindkit fetched these months twice, but they are still missing`,
        { url: baseUrl, hint: "Tell the developers of Vindkit" },
      );
    }
    await attempt(block, async () => !await isMissing(block));
  }
}

export type { Era5Status };

/** Options of {@linkcode era5}. */
export interface Era5Options extends CallOptions, Place {
  /** First year, month, day or hour, UTC. */
  from: RangeBound;
  /** Last year, month, day or hour, included, UTC. */
  to: RangeBound;
  /** The nearest grid point, or the four around the place. @default {1} */
  points?: 1 | 4;
  /** Service to fetch from. @default {"cds"} */
  source?: Era5Source;
  /** Longest wait for a request to the Climate Data Store, ms. @default {7_200_000} */
  timeout?: number | undefined;
  /** Called for each new state of a request to the Climate Data Store. */
  onStatus?: ((status: Era5Status) => void) | undefined;
}

const OPTIONS = declareOptions<Era5Options>()("latitude! longitude! from! to! onStatus", {
  points: 1,
  timeout: 7_200_000,
  source: "cds",
}, callOptions);

type Chosen = FilledOptions<Era5Options, "points" | "timeout" | "source">;

function assertArguments(
  { latitude, longitude, points, source, timeout, onStatus }: Chosen,
) {
  const within = (value: unknown, limit: number) =>
    typeof value === "number" && Math.abs(value) <= limit;
  const checks: [name: string, value: unknown, fits: boolean, wanted: string][] = [
    ["latitude", latitude, within(latitude, 90), "a value from -90 to 90 deg"],
    ["longitude", longitude, within(longitude, 180), "a value from -180 to 180 deg"],
    ["points", points, [1, 4].includes(points), "1 or 4"],
    ["source", source, ["cds", "open-meteo"].includes(source), '"cds" or "open-meteo"'],
    ["timeout", timeout, Number.isFinite(timeout) && timeout > 0, "a positive time in ms"],
    ["onStatus", onStatus, ["undefined", "function"].includes(typeof onStatus), "a function"],
  ];
  for (const [name, value, fits, wanted] of checks) {
    if (fits) continue;
    throw new ArgumentError(
      `Cannot get ERA5: ${name} is ${describeValue(value)}, which is not valid. Give ${wanted}`,
    );
  }
}

/** Reads a range: its first instant, the first instant after it, and its months that may be published. */
function readMonths(from: RangeBound, to: RangeBound): [span: readonly [number, number], Months] {
  readDayRange({ from, to }); // rejects a range that has not begun
  const span = readSpan({ from, to }, "UTC");
  const [first, end] = [span[0], span[1] - 1].map((at) => monthAt(at, "UTC"));
  if (first.year < FIRST_ERA5_YEAR) {
    throw new ArgumentError(
      `Cannot get ERA5 from ${from}: ERA5 begins in ${FIRST_ERA5_YEAR}. Give this year or a later one`,
    );
  }
  const published = findLastPublished(Temporal.Now.instant().toString());
  const [last] = [end, published].sort(Temporal.PlainYearMonth.compare);
  return [span, { first, last }];
}

/**
 * Finds the connection. Only its home and limits are used, so a faulty address or key in the environment is no error.
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
 * Lists the required credits for the data: both services require them, and Copernicus also requires stating changes.
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
 * Fetches ERA5 reanalysis at a place, directly from the Copernicus Climate Data Store or from Open-Meteo. Received data
 * are stored by grid point and month, so after a crash the same call continues. Ctrl-C ends the call.
 *
 * @param options The place; first and last hour, UTC; `points`: 1, or 4 around the place; `source`; `timeout`: longest
 * wait for a request in ms (two hours); `onStatus`: called for each new state of a request; connection, signal, use of
 * the cache
 * @returns A frame of `time` (Datetime, UTC, hourly instants), `latitude`, `longitude` of the grid point (Float64, deg),
 * `wind_speed_100`, `wind_speed_10` (m/s), `wind_direction_100`, `wind_direction_10` (deg), `temperature` (degC),
 * `pressure` (Pa), from Copernicus also `wind_u_100`, `wind_v_100`, `wind_u_10`, `wind_v_10` (m/s), and `preliminary`
 * (Boolean; null if the source does not say); sorted by point, then time
 * @throws {ArgumentError} If an option is not valid, before anything is sent
 * @throws {LicenceError} If there is no key, or the service does not know it
 * @throws {NoAccessError} If the licence of the dataset is not accepted; the message has the page
 * @throws {OrderFailedError} If a request failed at the service; the message has the reason
 * @throws {TooManyRequestsError} If the service received too many requests
 * @throws {TimeoutError} If a request takes longer than the longest wait; the same call continues it
 * @throws {DataFormatError} If an answer cannot be read or does not match the request; it is not stored
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
  return await getEra5(readOptions("era5()", options, OPTIONS), Deno.env);
}

/**
 * {@linkcode era5} with injected dependencies, for tests.
 *
 * @param environment Addresses and keys; not from the process, because its tests share one environment
 * @param pauses Pauses between requests
 */
export async function getEra5(
  options: Era5Options,
  environment: Environment,
  pauses: Pauses = PAUSES,
): Promise<DataFrame> {
  const chosen = readOptions("era5()", options, OPTIONS);
  assertArguments(chosen);
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
    const resumeHint = "Make the same call to continue from there, also in another process";
    await runStoppable("get ERA5", resumeHint, options.signal, async (signal) => {
      const missing = (await stored.findMissing(wanted))?.left;
      using progress = startProgress(`ERA5 of ${new URL(transport.baseUrl).hostname}`, {
        ...(missing ? { total: missing, unit: "months" } : {}),
        silent: !connection.progress,
      });
      const { timeout, onStatus } = chosen;
      const ledger = new Ledger(connection.home);
      const parts = { connection, transport, ledger, stored, pauses, progress, notes };
      const session = { ...parts, timeout, onStatus, signal };
      return source === "cds"
        ? await fetchFromCds(session, product, wanted)
        : await fetchFromOpenMeteo(session, wanted);
    });
  }
  const { pieces, files } = await stored.read(wanted);
  const { frame, columns, notes: pointNotes } = joinHours(pieces, span);
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
    notes: [...pointNotes, ...notes],
  });
}
