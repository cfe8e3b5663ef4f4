import { z } from "zod";
import {
  ArgumentError,
  ConfigurationError,
  DataFormatError,
  LicenceError,
  ServiceError,
  TooManyRequestsError,
  type VindkitError,
} from "../api/errors.ts";
import type { Environment } from "../disk/home.ts";
import { describeMisfit } from "../client/answers/read_answer.ts";
import { parseJson } from "../client/http/body.ts";
import { isHeaderKey, Secret } from "../client/connection/settings.ts";
import type { Transport } from "../client/http/transport.ts";
import { PartFile } from "../client/orders/fetch_file.ts";
import type { GridPoint } from "../frames/grid_points.ts";
import { checkHours, type ClimateHours } from "./climate_hours.ts";
import { type Block, findLastDay, findSettledEnd } from "./months.ts";
import {
  quote,
  readRoot,
  requestSource,
  type Session,
  type SourceAddress,
  type SourceAnswer,
} from "./source_link.ts";
import type { SourceReader } from "./stored_months.ts";

/** Requested variables: name and unit at the source, our column, and power of ten to its unit. */
const variables = [
  ["wind_speed_100m", "m/s", "wind_speed_100", 0],
  ["wind_direction_100m", "°", "wind_direction_100", 0],
  ["wind_speed_10m", "m/s", "wind_speed_10", 0],
  ["wind_direction_10m", "°", "wind_direction_10", 0],
  ["temperature_2m", "°C", "temperature", 0],
  ["surface_pressure", "hPa", "pressure", 2],
] as const;

const series = z.array(z.number().nullable());
const placeSchema = z.object({
  latitude: z.number(),
  longitude: z.number(),
  utc_offset_seconds: z.literal(0),
  hourly_units: z.object(
    Object.fromEntries(variables.map(([name, unit]) => [name, z.literal(unit)])),
  ),
  hourly: z.object({ time: z.array(z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d$/)) })
    .catchall(series),
});

/** Shifts the decimal point; multiplying would turn 1013.2 hPa into 101320.00000000001 Pa. */
function shift(value: number, power: number): number {
  return power === 0 ? value : Number(`${value}e${power}`);
}

/**
 * Reads an answer: hours of each place, up to the last hour with wind.
 *
 * @param settledEnd First instant that may be preliminary, ms since 1970 UTC
 * @throws {DataFormatError} If unit, time zone or layout differ from the request
 */
function readAnswer(json: unknown, settledEnd: number): ClimateHours[] {
  const file = "the answer of Open-Meteo";
  const result = z.array(placeSchema).safeParse([json].flat()); // a single place is not in a list
  if (!result.success) {
    throw new DataFormatError(
      `Cannot use ${file}: ${
        describeMisfit(result.error, [json].flat())
      }. If you set OPEN_METEO_URL, check that address. Otherwise, tell the developers of Vindkit`,
    );
  }
  return result.data.map(({ latitude, longitude, hourly }) => {
    const stamps = Float64Array.from(hourly.time, (text) => Date.parse(`${text}Z`));
    const values = variables.map(([name, , column, power]) => {
      const numbers = series.safeParse(hourly[name]).data;
      if (numbers?.length === stamps.length) {
        return [
          column,
          Float64Array.from(numbers, (value) => value === null ? NaN : shift(value, power)),
        ];
      }
      throw new DataFormatError(
        `Cannot use ${file}: ${name} is missing, or lacks some hours. If you set OPEN_METEO_URL, check that address. Otherwise, tell the developers of Vindkit`,
      );
    });
    const known = hourly[variables[0][0]] as readonly (number | null)[];
    // Unpublished days are null.
    const length = known.findLastIndex((value) => value !== null) + 1;
    const cut = Object.fromEntries(values.map(([name, all]) => [name, all.slice(0, length)]));
    return checkHours({
      file,
      latitude,
      longitude,
      stamps: stamps.slice(0, length),
      values: cut,
    }, settledEnd);
  });
}

/** Reads hourly ERA5 of Open-Meteo from files, which are its unchanged answers. */
export const openMeteoReader: SourceReader = {
  dataset: "era5",
  readFile: async (path, settledEnd) =>
    readAnswer(parseJson(await Deno.readTextFile(path)), settledEnd),
};

/** Notice before the first request without a key. */
export const OPEN_METEO_TERMS =
  "Open-Meteo without a key is for non-commercial use, up to 10,000 calls a day " +
  "(https://open-meteo.com/en/terms); its data are CC BY 4.0. For commercial use, set " +
  'OPEN_METEO_KEY, or use { source: "cds" }';

/** Most months in a request: ten years of six variables count as about 160 of the 600 calls per minute. */
const MAX_MONTHS = 120;

const refusalSchema = z.object({ reason: z.string() });

/**
 * Finds address and key of Open-Meteo: `OPEN_METEO_URL` for your own server, `OPEN_METEO_KEY` for commercial use.
 *
 * @throws {ConfigurationError} If the address is not https:, or the key cannot be an HTTP header; the message shows
 * neither
 */
export function findOpenMeteo(environment: Environment): SourceAddress {
  const key = environment.get("OPEN_METEO_KEY")?.trim() || undefined;
  if (key && !isHeaderKey(key)) {
    throw new ConfigurationError(
      "Cannot use OPEN_METEO_KEY: it has a character that an HTTP header cannot have, such as a space. Set the key exactly as you received it",
    );
  }
  const host = key ? "customer-archive-api.open-meteo.com" : "archive-api.open-meteo.com";
  const root = `https://${host}`;
  return {
    url: readRoot(environment.get("OPEN_METEO_URL")?.trim() || root, "OPEN_METEO_URL", root),
    key: key ? new Secret(key) : undefined,
    keyHeader: "X-Api-Key",
    read: { url: "OPEN_METEO_URL", key: "OPEN_METEO_KEY" },
  };
}

function buildRefusal(answer: SourceAnswer, transport: Transport): VindkitError {
  const { status, url, json, excerpt } = answer;
  const reason = refusalSchema.safeParse(json).data?.reason ?? excerpt;
  const message = `Cannot get ERA5 data from Open-Meteo: ${
    quote(reason, transport) || "the service gave no reason"
  } (HTTP status ${status})`;
  const facts = { status, url: new URL(url).origin };
  if (status === 429) {
    return new TooManyRequestsError(message, {
      ...facts,
      hint:
        "Open-Meteo allows 600 calls a minute, 5,000 an hour and 10,000 a day. A call for ten " +
        "years counts as about 160. Wait, or request less",
    });
  }
  if (status === 401 || status === 403 || /api.?key/i.test(reason)) {
    return new LicenceError(message, { ...facts, hint: "Check OPEN_METEO_KEY" });
  }
  return status < 500
    ? new ArgumentError(message, { ...facts, hint: "Check the place and the period" })
    : new ServiceError(message, { ...facts, hint: "Try again later" });
}

/** Builds a query that states model, units, time zone and cell, because the service's defaults differ. */
function buildQuery({ points, months }: Block, askedAt: string): URLSearchParams {
  const list = (pick: (point: GridPoint) => number | string) => points.map(pick).join(",");
  return new URLSearchParams({
    latitude: list(({ latitude }) => latitude),
    longitude: list(({ longitude }) => longitude),
    start_date: months.first.toPlainDate({ day: 1 }).toString(),
    end_date: findLastDay(months, askedAt).toString(),
    hourly: variables.map(([name]) => name).join(","),
    models: "era5",
    wind_speed_unit: "ms",
    temperature_unit: "celsius",
    timezone: "UTC",
    cell_selection: "nearest",
    elevation: list(() => "nan"), // otherwise the service adjusts temperatures to the terrain height
  });
}

/** Fetches missing months of grid points from Open-Meteo, at most ten years at once. */
export async function fetchFromOpenMeteo(
  session: Session,
  wanted: Block,
): Promise<void> {
  const { connection, transport, stored, progress, signal } = session;
  const findMissing = () => stored.findMissing(wanted, () => MAX_MONTHS);
  if (!transport.key && await findMissing()) console.error(OPEN_METEO_TERMS);
  while (await findMissing()) {
    using part = await PartFile.open(connection.home, transport.baseUrl, signal); // one at a time
    const block = await findMissing();
    if (!block) return; // another process has fetched it
    const askedAt = Temporal.Now.instant().toString();
    const url = `${transport.baseUrl}/v1/archive?${buildQuery(block, askedAt)}`;
    const answer = await requestSource(transport, { url, signal });
    if (answer.status !== 200) throw buildRefusal(answer, transport);
    const hours = readAnswer(answer.json, findSettledEnd(askedAt));
    await part.begin({ tag: null, total: null });
    await part.write(answer.bytes);
    await stored.store(block, hours, { askedAt, notes: [] }, part, progress);
  }
}
