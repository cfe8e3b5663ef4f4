import { assert, assertEquals, assertMatch } from "@std/assert";
import { storeSite } from "../../../src/sites/fleet/store_site.ts";
import { issueKey } from "../../../src/service/licences/licences.ts";
import { PostgresDatabase } from "../../../src/machines/postgres/postgres_database.ts";
import { MachineProcess } from "../../_machine_process.ts";
import { itWithNginx, startNginx } from "../../_nginx.ts";
import { findFreePort } from "../../_ports.ts";
import { describeWithPostgres } from "../../_postgres.ts";
import { buildPath } from "../_answers.ts";
import { putClimatePoint } from "../_climate_data.ts";
import { buildGridSite } from "../../sites/_grid_site.ts";
import { filesOf, makeQueue, openQueueStorage } from "../../machines/queue/_queue_data.ts";
import { licence } from "../../storage/store/_records.ts";
import { AskingClients } from "./_asking_clients.ts";

/** How often each server is restarted. */
const RESTARTS = 5;

const turbine_id = "T1";

/** Small answers, and files. */
const PATHS = [
  "/healthz",
  buildPath("turbines"),
  buildPath("wind_indices", { turbine_id }),
  buildPath("monthly_index", { turbine_id, year: 2022, month: 5 }),
  buildPath("model_data", { turbine_id, start_date: "2022-01-01", end_date: "2023-01-01" }),
];

const ORDERED = {
  service_id: "one",
  lat: 55,
  lon: 8,
  start_year: 2022,
  end_year: 2022,
  filetype: "csv",
} as const;

async function countOrders(address: string): Promise<unknown> {
  const database = await PostgresDatabase.open(address);
  const [row] = await database.all("SELECT number FROM vindkit.lists WHERE kind = 'order'");
  await database.close();
  return row.number;
}

itWithNginx(
  "R3: the proxy of deploy/nginx.conf cuts requests that are sent slowly after 10 s",
  async () => {
    await using proxy = await startNginx(["127.0.0.1:9", "127.0.0.1:9"]);
    const { hostname, port } = new URL(proxy.url);
    const slow = async (): Promise<number> => {
      const start = performance.now();
      using connection = await Deno.connectTls({
        hostname,
        port: Number(port),
        caCerts: [proxy.certificate],
      });
      const part = new TextEncoder().encode("GET / HTTP/1.1\r\nHost: localhost\r\nX-Slow: ");
      await connection.write(part);
      await connection.read(new Uint8Array(1000)).catch(() => null); // it ends without an answer
      return (performance.now() - start) / 1000;
    };
    const seconds = await Promise.all(Array.from({ length: 4 }, slow));
    for (const time of seconds) assert(time > 9 && time < 20, `cut after ${time} s`);
  },
);

describeWithPostgres("servers behind the proxy of deploy/nginx.conf", (postgres) => {
  itWithNginx("answer every request while they are restarted one after the other", async () => {
    await using open = new AsyncDisposableStack();
    const folder = open.adopt(
      await Deno.makeTempDir(),
      (folder) => Deno.remove(folder, { recursive: true }),
    );
    const database = await makeQueue(postgres());
    const storage = open.use(await openQueueStorage(database, folder));
    await storeSite(buildGridSite(), storage);
    const { points: [{ latitude: lat, longitude: lon }] } = await putClimatePoint(storage);
    const ports = [findFreePort(), findFreePort()] as const;
    const { url, certificate, readProblems } = open.use(
      await startNginx([`127.0.0.1:${ports[0]}`, `127.0.0.1:${ports[1]}`]),
    );
    const env = {
      VINDKIT_HOME: folder,
      VINDKIT_DATABASE: database,
      VINDKIT_FILES: filesOf(folder),
    };
    const startServer = (i: number) => {
      const args = ["serve", "--port", `${ports[i]}`, "--behind-proxy", "--public-url", url];
      return MachineProcess.start("shared", args, env);
    };
    const machines = open.adopt(
      await Promise.all([startServer(0), startServer(1), MachineProcess.start("work", [], env)]),
      (all) => Promise.all(all.map((machine) => machine.end("KILL"))).then(() => {}),
    );
    const download = buildPath("download_climate", {
      ...ORDERED,
      service_id: "era5",
      lat,
      lon,
      start_year: 2005,
      end_year: 2025,
    });

    const { licences } = storage.store;
    let clientCount = 0;
    const clients = new AskingClients({
      url,
      certificate,
      issueKey: async () => {
        const clientLicence = {
          ...licence,
          serialNumber: `client-${clientCount++}`,
          datasets: null,
        };
        await licences.put(clientLicence);
        return await issueKey(clientLicence, licences);
      },
      paths: PATHS,
      download,
      order: ORDERED,
    });
    {
      await using _ = clients;
      await clients.begin();
      for (let restart = 0; restart < 2 * RESTARTS; restart++) {
        const i = restart % 2;
        const readRest = await clients.hold();
        assertEquals(await machines[i].end("TERM"), 0);
        machines[i] = await startServer(i);
        await readRest();
      }
    }
    assertEquals(clients.failures.slice(0, 10), []);
    assert(clients.answers > 100 * RESTARTS, `only ${clients.answers} answers`);
    assertMatch(
      await readProblems(),
      /Connection refused/,
      "no request met a server that was away",
    );
    assert(clients.orders.length > RESTARTS, `only ${clients.orders.length} orders`);
    assertEquals(await countOrders(database), clients.orders.length, "an order was made twice");
  });
});
