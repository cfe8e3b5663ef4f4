/**
 * Two services on one database and one folder of files, with a worker of its queue: each continues the other's work.
 *
 * @module
 */
import { putSite } from "../../../src/sites/keep/put_site.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { it } from "@std/testing/bdd";
import { KEY_HEADER, operationOf } from "../../../src/api/operations/operations.ts";
import { ConfigurationError } from "../../../src/api/errors.ts";
import { issueKey } from "../../../src/service/licences/licences.ts";
import { openQueueWorker } from "../../../src/machines/open_queue_worker.ts";
import { shareStorage } from "../../../src/machines/shared_storage.ts";
import { openService, type Service } from "../../../src/service/running/service.ts";
import { PostgresDatabase } from "../../../src/machines/postgres/postgres_database.ts";
import { createApp } from "../../../src/service/routing/app.ts";
import { parquetToFrame } from "../../../src/sites/keep/series.ts";
import { inlineJobs, inlineOrders } from "../_inline_orders.ts";
import { describeWithPostgres } from "../../_postgres.ts";
import { filesOf, makeQueue, openQueueStorage } from "../../machines/queue/_queue_data.ts";
import { waitForAddress } from "../_address.ts";
import { putClimatePoint } from "../_climate_data.ts";
import { buildPath, validValues } from "../_sample.ts";
import { licence } from "../../storage/store/_records.ts";

const ORIGIN = "http://wind.example.org";

function ask(service: Service, path: string): Promise<Response> {
  return service.fetch(new Request(path.startsWith("http") ? path : ORIGIN + path));
}

describeWithPostgres("services that share their data", (server) => {
  it("answer for each other's orders and downloads, which a worker of their queue builds once", async () => {
    const folder = await Deno.makeTempDir();
    const database = await makeQueue(server());
    const { store, files } = await openQueueStorage(database, folder);
    const { points: [{ latitude: lat, longitude: lon }] } = await putClimatePoint({ store, files });
    await store.close();
    const storage = shareStorage({ database, files: filesOf(folder) });
    const one = await openService(storage, { trusted: true });
    const two = await openService(storage, { trusted: true });
    const values = { ...validValues.place_order, lat, lon };
    const id = await (await ask(one, buildPath(operationOf("place_order"), values))).json();
    const statusPath = buildPath(operationOf("order_status"), { order_id: id });
    while (await (await ask(two, statusPath)).json() !== "approved");
    await one.close();
    const worker = await openQueueWorker(storage, 1);

    const address = await waitForAddress(async () => await (await ask(two, statusPath)).json());
    const built = await (await ask(two, address)).text();
    assert(built.startsWith("Latitude:") && built.length > 100_000);
    const download = await ask(two, buildPath(operationOf("download_climate"), values));
    assertEquals(await download.text(), built);

    await two.close();
    await worker.close();
    await Deno.remove(folder, { recursive: true });
  });

  it("leave no connection open if the orders that an earlier run left cannot be read", async () => {
    const folder = await Deno.makeTempDir();
    const database = await makeQueue(server());
    const { store, files } = await openQueueStorage(database, folder);
    await putClimatePoint({ store, files });
    await store.close();
    const other = await PostgresDatabase.open(database);
    try {
      await other.run(
        "INSERT INTO vindkit.documents VALUES ('order', 'o', '', 'placed', '', '', '')",
      );
      const storage = shareStorage({ database, files: filesOf(folder) });
      await assertRejects(() => openService(storage), Error, "a row of order");
      const others = "SELECT FROM pg_stat_activity " +
        "WHERE datname = current_database() AND pid <> pg_backend_pid()";
      const end = performance.now() + 10_000; // the server notices a moment later
      while ((await other.all(others)).length > 0) assert(performance.now() < end);
    } finally {
      await other.close();
      await Deno.remove(folder, { recursive: true });
    }
  });

  it("find a download that a worker built from newer data than the request began with", async () => {
    const folder = await Deno.makeTempDir();
    const database = await makeQueue(server());
    const { store, files, close } = await openQueueStorage(database, folder);
    const other = await openQueueStorage(database, folder);
    const site = await putClimatePoint({ store, files });
    const [point] = site.points;
    const jobs = inlineJobs(other.store, files);
    const run = jobs.run.bind(jobs);
    let built = 0;
    jobs.run = async (job) => {
      if (built++ > 0) throw new Error("it is built again and again");
      const shorter = parquetToFrame(await files.read(point.file)).head(point.hours - 24);
      const file = await files.put(shorter.writeParquet(), "parquet");
      const points = [{ ...point, file, hours: point.hours - 24 }];
      await putSite(other.store, { ...site, fingerprint: "2", points });
      return await run(job);
    };
    const orders = inlineOrders(store, files);
    const app = createApp({ store, files, jobs, orders }, { trusted: true });
    const { latitude: lat, longitude: lon } = point;
    const values = { ...validValues.download_climate, lat, lon };
    const path = buildPath(operationOf("download_climate"), values);
    for (let i = 0; i < 2; i++) {
      const answer = await app(new Request(ORIGIN + path));
      assertEquals([answer.status, built], [200, 1]);
      await answer.bytes();
    }
    await orders.close();
    await other.close();
    await close();
    await Deno.remove(folder, { recursive: true });
  });

  it("count wrong keys and e-mails together: a client with too many waits at each, and a valid key works", async () => {
    const folder = await Deno.makeTempDir();
    const database = await makeQueue(server());
    const { store, files } = await openQueueStorage(database, folder);
    await putClimatePoint({ store, files });
    await store.licences.put({ ...licence, datasets: null });
    const key = await issueKey(licence, store.licences);
    await store.close();
    const storage = shareStorage({ database, files: filesOf(folder) });
    const services = [await openService(storage), await openService(storage)];
    const askWith = async (service: Service, key: string) => {
      const headers = { [KEY_HEADER]: key };
      const path = buildPath(operationOf("datasets"), {});
      return (await service.fetch(new Request(ORIGIN + path, { headers }))).status;
    };
    const askKey = async (service: Service, email: string) => {
      const values = { serial_number: licence.serialNumber, email };
      return (await ask(service, buildPath(operationOf("api_key"), values))).status;
    };

    for (let i = 0; i < 10; i++) assertEquals(await askWith(services[i % 2], `wrong ${i}`), 401);
    for (const service of services) {
      assertEquals(await askWith(service, "wrong"), 429);
      assertEquals(await askWith(service, key), 200);
      assertEquals(await askKey(service, licence.email), 200);
    }
    for (let i = 0; i < 10; i++) assertEquals(await askKey(services[i % 2], "no@example.com"), 400);
    for (const service of services) assertEquals(await askKey(service, licence.email), 429);

    const other = await PostgresDatabase.open(database);
    await other.transaction(async (all) => {
      await all.run("LOCK TABLE vindkit.attempts");
      assertEquals(await askWith(services[0], key), 200); // it does not look there
    });
    await other.close();

    for (const service of services) await service.close();
    await Deno.remove(folder, { recursive: true });
  });

  it("do not start if nothing is imported, and the message has no password", async () => {
    const database = await makeQueue(server());
    const opening = () => openService(shareStorage({ database, files: "/nowhere" }));
    const { message } = await assertRejects(opening, ConfigurationError, "it has no imported site");
    assert(!message.includes("word"), message);
  });
});
