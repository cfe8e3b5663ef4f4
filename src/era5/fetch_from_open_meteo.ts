import { z } from "zod";
import {
  ArgumentError,
  ConfigurationError,
  LicenceError,
  ServiceError,
  TooManyRequestsError,
  type VindkitError,
} from "../api/errors.ts";
import type { Environment } from "../disk/home.ts";
import { Secret } from "../client/connection/secret.ts";
import type { Transport } from "../client/http/transport.ts";
import { PartFile } from "../client/orders/part_file.ts";
import type { GridPoint } from "../frames/grid_points.ts";
import { type Block, findLastDay, findSettledEnd } from "./months.ts";
import { readAnswer, variables } from "./open_meteo_answer.ts";
import {
  isHeaderKey,
  quote,
  readRoot,
  requestSource,
  type SourceAddress,
  type SourceAnswer,
} from "./source_link.ts";
import type { Session } from "./session.ts";
import { storeAnswer } from "./store_answer.ts";

/** Notice that is shown before the first request without a key. */
export const OPEN_METEO_TERMS =
  "Open-Meteo without a key is for non-commercial use, up to 10,000 calls a day " +
  "(https://open-meteo.com/en/terms); its data are CC BY 4.0. For commercial use set " +
  'OPEN_METEO_KEY, or take { source: "cds" }';

/** Most months of a request: ten years of six variables weigh about 160 of the 600 calls of a minute. */
const MAX_MONTHS = 120;

const refusalSchema = z.object({ reason: z.string() });

/**
 * Finds address and key of Open-Meteo: `OPEN_METEO_URL` for a server of one's own, `OPEN_METEO_KEY` for commercial use.
 *
 * @throws {ConfigurationError} If the address is not https:, or the key none of a header; the message shows neither
 */
export function findOpenMeteo(environment: Environment): SourceAddress {
  const key = environment.get("OPEN_METEO_KEY")?.trim() || undefined;
  if (key && !isHeaderKey(key)) {
    throw new ConfigurationError(
      "Cannot use OPEN_METEO_KEY: it has a space or a character that a header cannot have",
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
  if (status === 401 || status === 403 || /api.?key/i.test(reason)) {
    return new LicenceError(message, { ...facts, hint: "Check OPEN_METEO_KEY" });
  }
  return status < 500
    ? new ArgumentError(message, { ...facts, hint: "Look at place and period" })
    : new ServiceError(message, { ...facts, hint: "Try again later" });
}

/** States model, units, zone and cell, since the defaults of the service differ. */
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
    elevation: list(() => "nan"), // otherwise temperatures are shifted to the height of the terrain
  });
}

/** Fetches what is missing of months of grid points from Open-Meteo, at most ten years at once. */
export async function fetchFromOpenMeteo(
  session: Session,
  wanted: Block,
): Promise<void> {
  const { connection, transport, stored, signal } = session;
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
    await storeAnswer(session, block, hours, { askedAt, notes: [] }, part);
  }
}
