import { KEY_HEADER } from "../../src/api/operations/operations.ts";
import { addLicence, revokeLicence } from "../../src/service/mod.ts";
import type { BenchmarkRow } from "./_measured.ts";
import { sampleService } from "./_sample_service.ts";
import { startServer } from "./_served.ts";
import { hasWrk, wrk } from "./_wrk.ts";

const SECONDS = 8;
const CONNECTIONS = 32;
const SLOW = 1000;

/** Opens connections that send only a part of a request. */
async function slowConnections(url: string, count: number): Promise<Deno.TcpConn[]> {
  const { hostname, port } = new URL(url);
  const half = new TextEncoder().encode(
    "GET /wind-index/calibrated/ HTTP/1.1\r\nHost: slow\r\nX-A: ",
  );
  return await Promise.all(Array.from({ length: count }, async () => {
    const connection = await Deno.connect({ hostname, port: Number(port) });
    await connection.write(half);
    return connection;
  }));
}

/** Time from the end of a revocation to the first rejection, under load, ms. */
async function revocation(address: string, data: string, load: () => Promise<unknown>) {
  const serialNumber = "bench-revoked";
  const { key } = await addLicence(data, { serialNumber, email: "bench@example.org" });
  const status = async () => {
    const response = await fetch(address, { headers: { [KEY_HEADER]: key! } });
    await response.bytes();
    return response.status;
  };
  const loaded = load();
  if (await status() !== 200) throw new Error("the key does not work");
  await revokeLicence(data, serialNumber);
  const begun = performance.now();
  while (await status() !== 401);
  const milliseconds = performance.now() - begun;
  await loaded;
  return milliseconds;
}

/** Measures small JSON answers under load, with the request log, against a server that only sends the same bytes. */
export async function serveMonthlyIndex(): Promise<BenchmarkRow[]> {
  const what = "monthly index, request log on";
  if (!await hasWrk()) {
    return [{ what, measured: "not measured: wrk is not installed", bound: "", holds: true }];
  }
  await using service = await sampleService();
  const address = service.address("monthly_index", { turbine_id: "T1", year: 2024, month: 5 });
  const body = await Deno.makeTempFile();
  await Deno.writeFile(body, await service.ask(address));
  await using bare = await startServer(body, { "content-type": "application/json" });
  const load = (seconds = SECONDS) => wrk(address, service.key, seconds, CONNECTIONS);
  await load(3); // warm
  const alone = await load();
  const bareLoad = await wrk(bare.url, service.key, SECONDS, CONNECTIONS);
  await Deno.remove(body);
  const ends = await revocation(address, service.data, () => load(3));
  const slow = await slowConnections(address, SLOW);
  const busy = await load();
  for (const connection of slow) connection.close();
  const said = ({ rate, p99, failures }: typeof alone) =>
    `${rate.toFixed(0)} /s, p99 ${p99.toFixed(1)} ms` +
    (failures > 0 ? `, ${failures} failed` : "");
  return [
    {
      what,
      measured: `${said(alone)} (only sending: ${bareLoad.rate.toFixed(0)} /s)`,
      bound: "10,000 /s or more, p99 under 20 ms",
      holds: alone.rate >= 10_000 && alone.p99 < 20 && alone.failures === 0,
    },
    {
      what: `the same with ${SLOW} connections that send half a request`,
      measured: said(busy),
      bound: "three quarters of the rate or more, p99 under 20 ms",
      holds: busy.rate >= 0.75 * alone.rate && busy.p99 < 20 && busy.failures === 0,
    },
    {
      what: "rejection of a revoked key, under load",
      measured: `after ${ends.toFixed(0)} ms`,
      bound: "within 1 s",
      holds: ends <= 1000,
    },
  ];
}
