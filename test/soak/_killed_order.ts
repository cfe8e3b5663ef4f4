import { fileTypes } from "../../src/api/operations/climate_data.ts";
import type { SeededRandom } from "../../src/stats/seeded_random.ts";
import { sha256 } from "../../src/disk/hashes.ts";
import { buildPath } from "../service/_answers.ts";
import type { LongService } from "./_long_service.ts";
import { pause, ServiceProcess } from "./_processes.ts";

/** Longest time from an order's request to the kill, ms: about the time to build the order. */
const MAX_LIFE = 1_000;

let rounds = 0;

/** Issues a key over HTTP; `undefined` if the service died before it answered. */
async function issuedKey({ licence }: LongService, url: string): Promise<string | undefined> {
  const path = buildPath("api_key", { serial_number: licence.serialNumber, email: licence.email });
  return await fetch(new URL(path, url)).then((response) => response.json())
    .then((answer) => answer.api_key as string, () => undefined);
}

/**
 * Kills a service while it builds an order and issues a key, and starts it again.
 *
 * @param long The service's data
 * @param random Draws the moment
 * @param fault Called with each violation
 * @returns Moment of the kill
 */
export async function killedOrder(
  long: LongService,
  random: SeededRandom,
  fault: (text: string) => void,
): Promise<string> {
  const lat = 55 + ++rounds / 1000; // a new order in each round
  const fileType = fileTypes[rounds % fileTypes.length];
  const path = long.path("place_order", fileType, lat);
  await using service = await ServiceProcess.start(long.data);
  const placing = long.ask(service.url, path).then((response) => response.json())
    .then((id) => id as string, () => undefined);
  const issuing = issuedKey(long, service.url);
  await pause(random.uniform() * MAX_LIFE);
  await service.end("SIGKILL");
  const [id, key] = [await placing, await issuing];
  const rows = long.orders(lat);
  const moment = rows[0]?.state ?? "before it was placed";
  if (rows.length > 1) fault(`${rows.length} orders for one call`);
  if (id !== undefined && rows[0]?.id !== id) fault(`order ${id} was confirmed but is lost`);

  await using restarted = await ServiceProcess.start(long.data);
  const { url } = restarted;
  for (const each of [long.key, ...(key === undefined ? [] : [key])]) {
    const response = await long.ask(url, buildPath("turbines"), each);
    await response.body?.cancel();
    if (response.status !== 200) fault(`an issued key gets status ${response.status}`);
  }
  if (rows[0]) await long.addressOf(url, rows[0].id); // the service completes it without a second order
  const again = await (await long.ask(url, path)).json();
  if (rows[0] && again !== rows[0].id) fault(`order ${rows[0].id} became ${again}`);
  const file = await (await fetch(await long.addressOf(url, again))).bytes();
  if (sha256(file) !== await long.hashOf(url, fileType)) fault(`order ${again} has wrong bytes`);
  if (long.orders(lat).length !== 1) fault(`${long.orders(lat).length} orders for one`);
  await restarted.end("SIGTERM");
  if (service.errors + restarted.errors !== "") fault(service.errors + restarted.errors);
  return moment;
}
