import { KEY_HEADER, operationOf } from "../../src/api/operations/operations.ts";
import { FLEET_PATH } from "../../src/service/pages/addresses.ts";
import { addLicence } from "../../src/service/mod.ts";
import type { BenchmarkRow } from "./_measured.ts";
import { makeFleet } from "../service/pages/_fleet.ts";
import { startLogged } from "./_logged_server.ts";
import { buildPath } from "../service/_sample.ts";
import { sampleService } from "./_sample_service.ts";

const ORDERS = 50;
const LOOPS = 8;

/** Fewest requests of a measurement, enough for a 99th percentile. */
const REQUESTS = 1000;

/** Largest ratio of the 99th percentiles. */
const MAX_RATIO = 3;

const place = { service_id: "era5", lat: 55.5, lon: 7.75, start_year: 2005, end_year: 2024 };

/** Adds a licence; returns its key. */
async function addKey(data: string, serialNumber: string): Promise<string> {
  const { key } = await addLicence(data, { serialNumber, email: `${serialNumber}@example.org` });
  return key!;
}

/** Sends a request; returns the text of its answer. */
async function ask(address: string, key: string): Promise<string> {
  const response = await fetch(address, { headers: { [KEY_HEADER]: key } });
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}

/** Sends requests one after the other while a condition holds. Returns their 99th percentile and longest time, ms, and their number. */
async function probe(
  address: string,
  key: string,
  goesOn: (count: number) => boolean,
): Promise<{ p99: number; longest: number; count: number }> {
  const times: number[] = [];
  while (goesOn(times.length)) {
    const begun = performance.now();
    await ask(address, key);
    times.push(performance.now() - begun);
    await new Promise((resolve) => setTimeout(resolve, 4)); // keeps the load by the probe low
  }
  times.sort((a, b) => a - b);
  const count = times.length;
  return { p99: times[Math.floor(0.99 * count)], longest: times.at(-1)!, count };
}

/** Starts endless downloads in a separate process with a low priority. */
function startDownloads(addresses: readonly string[], key: string): Deno.ChildProcess {
  const program = new URL("_download_loop.ts", import.meta.url).pathname;
  const deno = [Deno.execPath(), "run", "--quiet", "--allow-net=127.0.0.1", program];
  return new Deno.Command("nice", { args: ["-n", "10", ...deno, key, ...addresses] }).spawn();
}

/** Measures a month index of one licence while another orders and downloads as much as it may. */
export async function answerDuringBuilds(): Promise<BenchmarkRow[]> {
  await using service = await sampleService();
  const [key, other] = [await addKey(service.data, "probe"), await addKey(service.data, "load")];
  const month = service.address("monthly_index", { turbine_id: "T1", year: 2024, month: 5 });
  await ask(service.address("coverage", { ...place, num_points: 4 }), key); // the sample creates its climate
  await ask(service.address("model_data", { turbine_id: "T1" }), other);
  await probe(month, key, (count) => count < REQUESTS); // warm
  const idle = await probe(month, key, (count) => count < REQUESTS);

  const ids = await Promise.all(Array.from({ length: ORDERS }, async (_, i) => {
    const values = { ...place, lat: place.lat + i * 1e-6, filetype: "zipcsv" };
    return JSON.parse(await ask(service.address("place_order", values), other)) as string;
  }));
  const begun = performance.now();
  const climate = service.address("download_climate", { ...place, filetype: "zipcsv" });
  const model = service.address("model_data", { turbine_id: "T1" });
  const addresses = Array.from({ length: LOOPS }, (_, i) => i % 2 === 0 ? climate : model);
  const downloads = startDownloads(addresses, other);
  let open = ids.length;
  const builds = (async () => {
    for (const id of ids) {
      const address = service.address("order_status", { order_id: id });
      while (!(await ask(address, other)).includes("http")) {
        await new Promise((resolve) => setTimeout(resolve, 250));
      }
      open--;
    }
  })();
  const busy = await probe(month, key, () => open > 0);
  const seconds = (performance.now() - begun) / 1000;
  await builds;
  downloads.kill();
  await downloads.status;
  const ratio = busy.p99 / idle.p99;
  return [{
    what: `month during ${ORDERS} orders of 20 years and ${LOOPS} downloads`,
    measured: `p99 ${busy.p99.toFixed(1)} ms, idle ${idle.p99.toFixed(1)} ms: ${
      ratio.toFixed(1)
    } times; longest ${busy.longest.toFixed(0)} ms of ${busy.count} in ${seconds.toFixed(0)} s`,
    bound: `p99 of at most ${MAX_RATIO} times the idle one`,
    holds: ratio <= MAX_RATIO && busy.count >= REQUESTS,
  }];
}

/** Turbines of the fleet page, number of simultaneous requests for it, and months of each turbine. */
const FLEET = { turbines: 3000, atOnce: 40, months: 240 };

/** Largest ratio of the 99th percentiles with and without fleet pages. */
const MAX_FLEET_RATIO = 5;

/** Measures a month index of one licence while another requests its fleet page, first the same page, then all widths. */
export async function answerDuringFleet(): Promise<BenchmarkRow[]> {
  const { data, key: other } = await makeFleet(
    Array.from({ length: FLEET.turbines }, (_, i) => ({
      id: `W${i}`,
      name: `Park ${i}`,
      latitude: 50 + (i % 60) * 0.1,
      longitude: 5 + Math.floor(i / 60) * 0.2,
    })),
    FLEET.months,
  );
  await using _data = {
    [Symbol.asyncDispose]: () => Deno.remove(data, { recursive: true }), // after the server has ended
  };
  const key = await addKey(data, "probe");
  await using server = await startLogged(["serve", "--data", data], { VINDKIT_HOME: data });
  const values = { turbine_id: "W7", year: 2024, month: 5 };
  const month = server.url + buildPath(operationOf("monthly_index"), values);
  await probe(month, key, (count) => count < REQUESTS); // warm
  const idle = await probe(month, key, (count) => count < REQUESTS);
  const rows: BenchmarkRow[] = [];
  for (const widths of [1, FLEET.atOnce]) {
    const addresses = Array.from(
      { length: FLEET.atOnce },
      (_, i) => `${server.url}${FLEET_PATH}?width=${1000 + i % widths}`,
    );
    const pages = startDownloads(addresses, other);
    const busy = await probe(month, key, (count) => count < REQUESTS);
    pages.kill();
    await pages.status;
    const ratio = busy.p99 / idle.p99;
    rows.push({
      what: `month during ${FLEET.atOnce} pages of ${FLEET.turbines} turbines, widths: ${widths}`,
      measured: `p99 ${busy.p99.toFixed(1)} ms, idle ${idle.p99.toFixed(1)} ms: ${
        ratio.toFixed(1)
      } times; longest ${busy.longest.toFixed(0)} ms of ${busy.count}`,
      bound: `p99 of at most ${MAX_FLEET_RATIO} times the idle one`,
      holds: ratio <= MAX_FLEET_RATIO,
    });
  }
  return rows;
}
