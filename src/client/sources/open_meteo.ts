import { z } from "zod";
import {
  ArgumentError,
  ConfigurationError,
  DataFormatError,
  LicenceError,
  ServiceError,
  TooManyRequestsError,
  type VindkitError,
} from "../../api/errors.ts";
import { sha256 } from "../../disk/sha256.ts";
import { SideFile } from "../../disk/side_file.ts";
import type { Environment } from "../../home/home.ts";
import type { Connection } from "../connection/connection.ts";
import { prepareDownloadsFolder } from "../connection/downloads_folder.ts";
import { Secret } from "../connection/secret.ts";
import type { Transport } from "../http/transport.ts";
import { checkHours, type ClimateHours } from "./climate_hours.ts";
import { findSettledEnd, lastDayOf, listMonths, type Months } from "./months.ts";
import {
  isHeaderKey,
  quote,
  requestSource,
  type SourceAddress,
  type SourceAnswer,
} from "./source_link.ts";
import type { SourceFile, SourceFiles } from "./source_file.ts";

/** What is said before the first request without a key. */
export const OPEN_METEO_TERMS =
  "Open-Meteo without a key is for non-commercial use, up to 10,000 calls a day " +
  "(https://open-meteo.com/en/terms); its data are CC BY 4.0. For commercial use set " +
  'OPEN_METEO_KEY, or take { source: "cds" }';

/** Most months of a request: ten years of six variables weigh about 160 of the 600 calls of a minute. */
const MAX_MONTHS = 120;

/** The variables that are asked for: name and unit there, column and factor to its unit. */
const variables = [
  ["wind_speed_100m", "m/s", "wind_speed_100", 1],
  ["wind_direction_100m", "°", "wind_direction_100", 1],
  ["wind_speed_10m", "m/s", "wind_speed_10", 1],
  ["wind_direction_10m", "°", "wind_direction_10", 1],
  ["temperature_2m", "°C", "temperature", 1],
  ["surface_pressure", "hPa", "pressure", 100],
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
const answerSchema = z.union([placeSchema.transform((one) => [one]), z.array(placeSchema)]);
const refusalSchema = z.object({ reason: z.string() });

/**
 * Finds address and key of Open-Meteo: `OPEN_METEO_URL` for a server of one's own, `OPEN_METEO_KEY` for commercial use.
 *
 * @param environment Variables of the environment
 * @throws {ConfigurationError} If the address is not https:, or the key none of a header; the message shows neither
 */
export function findOpenMeteo(environment: Environment = Deno.env): SourceAddress {
  const key = environment.get("OPEN_METEO_KEY") || undefined;
  if (key && !isHeaderKey(key)) {
    throw new ConfigurationError(
      "Cannot use OPEN_METEO_KEY: it has a space or a character that a header cannot have",
    );
  }
  const host = key ? "customer-archive-api.open-meteo.com" : "archive-api.open-meteo.com";
  const url = URL.parse(environment.get("OPEN_METEO_URL") || `https://${host}`);
  const loopback = ["127.0.0.1", "[::1]", "localhost"].includes(url?.hostname ?? "");
  if (!url || !(url.protocol === "https:" || loopback && url.protocol === "http:")) {
    throw new ConfigurationError(
      "Cannot use OPEN_METEO_URL: it is not an address that begins with https://",
    );
  }
  return {
    url: url.origin + url.pathname.replace(/\/+$/, ""),
    key: key ? new Secret(key) : undefined,
    keyHeader: "X-Api-Key",
  };
}

function buildRefusal(answer: SourceAnswer, transport: Transport): VindkitError {
  const { status, url, json, excerpt } = answer;
  const reason = refusalSchema.safeParse(json).data?.reason ?? excerpt;
  const message = `Cannot get ERA5 of Open-Meteo: ${
    quote(reason, transport) || "it gave no reason"
  } (${status})`;
  const facts = { status, url: new URL(url).origin };
  if (status === 429) {
    return new TooManyRequestsError(message, {
      ...facts,
      hint: "Its limits are 600 calls a minute, 5,000 an hour, 10,000 a day; a call of ten years " +
        "counts as about 160. Wait, or ask for less",
    });
  }
  if (status === 401 || status === 403) {
    return new LicenceError(message, { ...facts, hint: "Check OPEN_METEO_KEY" });
  }
  return status < 500
    ? new ArgumentError(message, { ...facts, hint: "Look at place and period" })
    : new ServiceError(message, { ...facts, hint: "Try again later" });
}

function readAnswer(json: unknown, points: number, settledEnd: number): ClimateHours[] {
  const file = "the answer of Open-Meteo";
  const result = answerSchema.safeParse(json);
  if (!result.success || result.data.length !== points) {
    const found = result.success
      ? `it has ${result.data.length} places, not ${points}`
      : result.error.issues[0].message;
    throw new DataFormatError(`Cannot use ${file}: ${found}`);
  }
  return result.data.map(({ latitude, longitude, hourly }) => {
    const stamps = Float64Array.from(hourly.time, (text) => Date.parse(`${text}Z`));
    const values = variables.map(([name, , column, factor]) => {
      const own = series.safeParse(hourly[name]).data;
      if (own?.length === stamps.length) {
        return [column, Float64Array.from(own, (value) => value === null ? NaN : value * factor)];
      }
      throw new DataFormatError(`Cannot use ${file}: ${name} is missing, or not of all hours`);
    });
    const known = hourly[variables[0][0]] as readonly (number | null)[];
    // The days that are not published yet are null.
    const length = known.findLastIndex((value) => value !== null) + 1;
    const cut = Object.fromEntries(values.map(([name, all]) => [name, all.slice(0, length)]));
    return checkHours({
      file,
      latitude,
      longitude,
      stamps: stamps.slice(0, length),
      values: cut,
      preliminary: stamps.slice(0, length).map((at) => at < settledEnd ? 0 : NaN),
    });
  });
}

/** Splits months into runs of at most ten years. */
function splitMonths(months: Months): Months[] {
  const all = listMonths(months);
  return Array.from({ length: Math.ceil(all.length / MAX_MONTHS) }, (_, i) => {
    const part = all.slice(i * MAX_MONTHS, (i + 1) * MAX_MONTHS);
    return { first: part[0], last: part[part.length - 1] };
  });
}

/**
 * Gets the hours of grid points from Open-Meteo. Model, units, zone and cell are stated in the request: its defaults are
 * others.
 *
 * @param points The grid points, deg
 * @param months Months that contain what was asked for
 * @returns Hours by point and file, and the files
 */
export async function fetchFromOpenMeteo(
  connection: Connection,
  transport: Transport,
  stored: SourceFiles,
  points: readonly { readonly latitude: number; readonly longitude: number }[],
  months: Months,
  signal: AbortSignal | undefined,
): Promise<{ readonly pieces: ClimateHours[]; readonly files: SourceFile[] }> {
  const list = (pick: (point: typeof points[number]) => number | string) =>
    points.map(pick).join(",");
  const pieces: ClimateHours[] = [];
  const files: SourceFile[] = [];
  let termsShown = transport.key !== undefined;
  for (const part of splitMonths(months)) {
    const lastDay = lastDayOf(part, Temporal.Now.plainDateISO("UTC"));
    const parameters = {
      latitude: list(({ latitude }) => latitude),
      longitude: list(({ longitude }) => longitude),
      start_date: part.first.toPlainDate({ day: 1 }).toString(),
      end_date: lastDay.toString(),
      hourly: variables.map(([name]) => name).join(","),
      models: "era5",
      wind_speed_unit: "ms",
      temperature_unit: "celsius",
      timezone: "UTC",
      cell_selection: "nearest",
      elevation: list(() => "nan"), // otherwise temperatures are shifted to the height of the terrain
    };
    const lastInstant = lastDay.add({ days: 1 }).toZonedDateTime("UTC").epochMilliseconds - 1;
    const call = { place: transport.baseUrl, operation: "archive", parameters, lastInstant };
    let file = await stored.find(call);
    if (!file) {
      if (stored.offline) stored.refuseOffline(call);
      if (!termsShown) console.info(OPEN_METEO_TERMS);
      termsShown = true;
      file = await fetchPart(call);
    }
    const json = JSON.parse(await Deno.readTextFile(file.path));
    pieces.push(...readAnswer(json, points.length, findSettledEnd(file.fetchedAt)));
    files.push(file);
  }
  return { pieces, files };

  async function fetchPart(
    call: Parameters<SourceFiles["find"]>[0] & {
      readonly parameters: Readonly<Record<string, string>>;
    },
  ): Promise<SourceFile> {
    const url = `${transport.baseUrl}/v1/archive?${new URLSearchParams(call.parameters)}`;
    const answer = await requestSource(transport, { url, signal });
    if (answer.status !== 200) throw buildRefusal(answer, transport);
    readAnswer(answer.json, points.length, 0); // one that cannot be read is not stored
    const bytes = new TextEncoder().encode(JSON.stringify(answer.json));
    await using side = await SideFile.create(
      `${await prepareDownloadsFolder(connection.home)}/open-meteo`,
    );
    await side.write(bytes);
    return await stored.store(call, sha256(bytes), side);
  }
}
