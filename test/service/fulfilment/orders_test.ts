/**
 * Climate orders: over HTTP from placed to the address and the file, and across a restart.
 *
 * @module
 */
import { putSite } from "../../../src/sites/keep/put_site.ts";
import { assert, assertEquals, assertMatch, assertNotEquals, assertRejects } from "@std/assert";
import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from "@std/testing/bdd";
import { unzipSync } from "fflate";
import { operationOf } from "../../../src/api/operations/operations.ts";
import { openStorage } from "../../../src/storage/storage.ts";
import { LOCAL_LICENCE } from "../../../src/service/licences/licences.ts";
import { answerOrderFile } from "../../../src/service/operations/order_file.ts";
import { ADDRESS_LIFETIME } from "../../../src/service/fulfilment/build_order.ts";
import {
  MAX_UNFINISHED_ORDERS,
  ORDER_FILES,
  Orders,
} from "../../../src/service/fulfilment/orders.ts";
import { Refusal } from "../../../src/storage/jobs/refusal.ts";
import { parquetToFrame } from "../../../src/sites/keep/series.ts";
import { sha256 } from "../../../src/disk/hashes.ts";
import type { Files } from "../../../src/storage/files/files.ts";
import { FolderFiles } from "../../../src/storage/files/folder/folder_files.ts";
import { resetFailureLog } from "../../../src/storage/failures/failure_log.ts";
import type { Store } from "../../../src/storage/store/store.ts";
import {
  type AnswerText,
  buildPath,
  type ServedSample,
  serveSample,
  validValues,
} from "../_sample.ts";
import { putClimatePoint } from "../_climate_data.ts";
import { inlineJobs, inlineOrders } from "../_inline_orders.ts";
import { isBuilt } from "../../../src/storage/store/orders.ts";
import { builtOrder, changeOrder } from "../../storage/store/_orders.ts";
import { sitesOf } from "../../../src/sites/keep/sites.ts";
import type { Licence } from "../../../src/storage/store/licences.ts";

describe("climate orders over HTTP", () => {
  let sample: ServedSample;
  let ownKey: string;

  beforeAll(async () => {
    sample = await serveSample();
  });
  beforeEach(async () => {
    ownKey = await sample.newLicence();
  });
  afterAll(async () => await sample.close());

  async function place(fileType = "csv", key = ownKey): Promise<string> {
    const values = { ...validValues.place_order, filetype: fileType };
    const { status, text } = await sample.ask(buildPath(operationOf("place_order"), values), {
      key,
    });
    assertEquals(status, 200, text);
    return JSON.parse(text);
  }

  async function readStatus(id: string, key = ownKey): Promise<AnswerText> {
    return await sample.ask(buildPath(operationOf("order_status"), { order_id: id }), { key });
  }

  /** Polls to the address; each poll gives the order's work a turn. */
  async function waitForAddress(id: string): Promise<{ url: string; words: string[] }> {
    const words: string[] = [];
    for (let i = 0; i < 1000; i++) {
      const word = JSON.parse((await readStatus(id)).text);
      if (word.startsWith("http")) return { url: word, words };
      words.push(word);
    }
    throw new Error(`It is still ${words.at(-1)}`);
  }

  async function downloadFile(fileType: string): Promise<AnswerText> {
    const { url } = await waitForAddress(await place(fileType));
    assert(url.startsWith(sample.url), url);
    return await sample.ask(url.slice(sample.url.length));
  }

  it("go from placed to approved to the address, and never back", async () => {
    const { words, url } = await waitForAddress(await place());
    const order = ["placed", "approved"];
    const states = words.map((word) => order.indexOf(word));
    assert(!states.includes(-1), words.join());
    assertEquals(states, [...states].sort());
    assertMatch(
      url,
      new RegExp(`^${sample.url}${ORDER_FILES}/[\\w-]{32}/era5_55.5_7.75_2023-2023\\.csv$`),
    );
  });

  it("for the same data are one: concurrent requests get one name and one address", async () => {
    const ids = await Promise.all([place(), place(), place()]);
    assertEquals(new Set(ids).size, 1);
    assertMatch(ids[0], /^[\w-]{32}$/);
    const { url } = await waitForAddress(ids[0]);
    assertEquals(await place(), ids[0], "it is complete, but not fetched");
    assertEquals((await waitForAddress(ids[0])).url, url);
  });

  it("have separate names and addresses for other parameters and other licences", async () => {
    const other = await sample.newLicence();
    const ids = [await place(), await place("zipcsv"), await place("csv", other)];
    assertEquals(new Set(ids).size, 3);
    const urls = [(await waitForAddress(ids[0])).url, (await waitForAddress(ids[1])).url];
    assertNotEquals(...urls as [string, string]);
  });

  it("of another licence are not found", async () => {
    const id = await place();
    for (const key of [sample.keys.t2, sample.keys.nothing]) {
      const { status, text } = await readStatus(id, key);
      assertEquals(status, 404);
      assertEquals(text, (await readStatus(id, sample.keys.nothing)).text);
    }
    assertEquals((await readStatus(id)).status, 200);
  });

  it("are served at their address without a key, and nowhere else", async () => {
    const { url } = await waitForAddress(await place());
    const path = url.slice(sample.url.length);
    assertEquals((await sample.ask(path)).status, 200);
    assertEquals(
      (await sample.ask(path.replace(/\/[\w-]{32}\//, `/${"A".repeat(32)}/`))).status,
      404,
    );
  });

  it("K7: of csv equal the direct download, including the name", async () => {
    const { bytes, headers } = await downloadFile("csv");
    const values = { ...validValues.download_climate, filetype: "csv" };
    const path = buildPath(operationOf("download_climate"), values);
    const direct = await sample.ask(path, { key: sample.keys.full });
    assertEquals(bytes, direct.bytes);
    assertEquals(headers.get("content-length"), String(bytes.length));
    for (const name of ["content-type", "content-disposition"]) {
      assertEquals(headers.get(name), direct.headers.get(name));
    }
    assertEquals(
      headers.get("content-disposition"),
      'attachment; filename="era5_55.5_7.75_2023-2023.csv"',
    );
  });

  it("of csv have a preamble with the place, a header and the hours of the years", async () => {
    const { text } = await downloadFile("csv");
    const lines = text.trimEnd().split("\n");
    assertEquals(lines.slice(0, 4), [
      "Latitude: 55.5",
      "Longitude: 7.75",
      "Orography: 0",
      "time\twSpeed.10\twDir.10\twSpeed.100\twDir.100\ttemp\tpress\trelHum",
    ]);
    assertEquals(lines.length, 4 + 8760);
    assert(lines[4].startsWith("2023-01-01T00:00:00Z\t"), lines[4]);
    assert(lines.at(-1)!.startsWith("2023-12-31T23:00:00Z\t"), lines.at(-1));
  });

  it("of zipcsv contain only that csv", async () => {
    const { bytes, headers } = await downloadFile("zipcsv");
    assertEquals(headers.get("content-type"), "application/zip");
    const members = unzipSync(bytes);
    assertEquals(Object.keys(members), ["era5_55.5_7.75_2023-2023.csv"]);
    assertEquals(members["era5_55.5_7.75_2023-2023.csv"], (await downloadFile("csv")).bytes);
  });

  it("of zipraw have the series as Parquet and its description", async () => {
    const { bytes, headers } = await downloadFile("zipraw");
    assertEquals(headers.get("content-type"), "application/zip");
    const members = unzipSync(bytes);
    assertEquals(Object.keys(members), ["about.json", "series.parquet"]);
    const about = JSON.parse(new TextDecoder().decode(members["about.json"]));
    assertEquals(Object.keys(about), [
      "dataset",
      "latitude",
      "longitude",
      "elevation",
      "stamp",
      "columns",
    ]);
    assertEquals([about.dataset, about.latitude, about.stamp], ["era5", 55.5, "instant"]);
    const frame = parquetToFrame(members["series.parquet"]);
    assertEquals(frame.height, 8760);
    assertEquals(about.columns.map(({ name }: { name: string }) => name), frame.columns);
    const speed = about.columns.find(({ name }: { name: string }) => name === "wind_speed_100");
    assertEquals([speed.unit, typeof speed.description], ["m/s", "string"]);
  });

  it("are the same bytes each time", async () => {
    for (const fileType of ["zipcsv", "zipraw"]) {
      assertEquals((await downloadFile(fileType)).bytes, (await downloadFile(fileType)).bytes);
    }
  });
});

describe("Orders", () => {
  let folder: string;
  let store: Store;
  let files: Files;
  let orders: Orders;
  const other: Licence = { ...LOCAL_LICENCE, serialNumber: "other" };
  const values = { ...validValues.place_order, filetype: "csv" };

  /** A data directory with one point of the sample. */
  beforeEach(async () => {
    folder = await Deno.makeTempDir();
    ({ store, files } = await openStorage(folder, { create: true }));
    const { points: [point] } = await putClimatePoint({ store, files });
    Object.assign(values, { lat: point.latitude, lon: point.longitude });
    orders = inlineOrders(store, files);
  });
  afterEach(async () => {
    await orders.close();
    await store.close();
    await Deno.remove(folder, { recursive: true });
  });

  const readStatus = (id: string, licence = LOCAL_LICENCE) =>
    orders.status(licence, id, "http://h");

  /** Waits for the work under way, as the service does when it stops, and continues with a new one. */
  async function restart(): Promise<void> {
    await orders.close();
    orders = inlineOrders(store, files);
    await orders.resume();
  }

  /** Lets a new run finish all open orders. */
  async function workOff(): Promise<void> {
    await restart();
    while ((await store.orders.unfinished()).length > 0) {
      await new Promise((done) => setTimeout(done)); // the work's turn
    }
  }

  async function finished(): Promise<string> {
    const id = await orders.place(LOCAL_LICENCE, values);
    await workOff();
    return id;
  }

  it("stores an order before it returns its name", async () => {
    const id = await orders.place(LOCAL_LICENCE, values);
    const stored = (await store.orders.get(id))!;
    assertEquals([stored.serialNumber, stored.serviceId], ["local", "era5"]);
    assertEquals(stored.parameters, values);
  });

  it("resumes placed and approved orders of an earlier run after reopening", async () => {
    for (const state of ["placed", "approved"] as const) {
      await store.orders.place({
        id: state,
        serialNumber: "local",
        serviceId: "era5",
        parameters: { ...values, filetype: state === "placed" ? "csv" : "zipcsv" },
        state,
      }, Date.now());
    }
    await store.close();
    ({ store } = await openStorage(folder));
    await workOff();
    for (const id of ["placed", "approved"]) {
      assertMatch((await readStatus(id))!, /^http:\/\/h\//, id);
    }
  });

  it("begins no step once it is closed, and loses no order", async () => {
    const { put } = files;
    const closed = Promise.withResolvers<void>();
    files.put = (...file) => {
      closed.resolve(orders.close()); // the others are waiting for their turn by now
      return put.apply(files, file);
    };
    const ids = [];
    for (const filetype of ["csv", "zipcsv", "zipraw"]) {
      ids.push(await orders.place(LOCAL_LICENCE, { ...values, filetype }));
    }
    await closed.promise;
    assertEquals((await store.orders.unfinished()).map(({ id }) => id), ids.slice(1));
    files.put = put;
    await workOff();
    for (const id of ids) assertMatch((await readStatus(id))!, /^http/);
  });

  it("has an address for a week, then reports delivered", async () => {
    const before = Date.now();
    const id = await finished();
    const { expires, token } = await builtOrder(store, id);
    assert(expires >= before + ADDRESS_LIFETIME && expires <= Date.now() + ADDRESS_LIFETIME);
    assertMatch((await readStatus(id))!, /^http/);
    assertNotEquals(await orders.findByToken(token), undefined);

    await changeOrder(store, id, { expires: Date.now() - 1 });
    assertEquals(await readStatus(id), "delivered");
    assertEquals(await orders.findByToken(token), undefined);
  });

  /** Polls until an order has an address, and lets the work run in between. */
  async function waitForAddress(id: string): Promise<string> {
    for (let polls = 0; polls < 10_000; polls++) {
      const word = await readStatus(id);
      if (word?.startsWith("http")) return word;
      await new Promise((done) => setTimeout(done));
    }
    throw new Error(`It is still ${await readStatus(id)}`);
  }

  /** File writes so far: the finished pieces of work. */
  function countWrites(): () => number {
    const { put } = files;
    let writes = 0;
    files.put = (...file) => (writes++, put.apply(files, file));
    return () => writes;
  }

  it("builds the file of two equal requests once, even if they are concurrent", async () => {
    const writes = countWrites();
    const place = () => orders.place(LOCAL_LICENCE, { ...values });
    const ids = await Promise.all([place(), place()]);
    ids.push(await place());
    // Orders are built in the order of the queue: once this one has an address, all earlier ones are done.
    await waitForAddress(await orders.place(LOCAL_LICENCE, { ...values, filetype: "zipcsv" }));
    ids.push(await place());
    assertEquals([new Set(ids).size, writes()], [1, 2]);
  });

  it("builds a file for each licence, and for each different parameter", async () => {
    const ids = [
      await orders.place(LOCAL_LICENCE, values),
      await orders.place(other, values),
      await orders.place(LOCAL_LICENCE, { ...values, filetype: "zipcsv" }),
    ];
    assertEquals(new Set(ids).size, 3);
    await workOff();
    assertMatch((await readStatus(ids[1], other))!, /^http/);
  });

  it("resumes an order that another process left, when it is placed again or its status is requested", async () => {
    const abandoned = inlineOrders(store, files);
    await abandoned.close();
    const id = await abandoned.place(LOCAL_LICENCE, values);
    const polled = await abandoned.place(LOCAL_LICENCE, { ...values, filetype: "zipcsv" });
    assertEquals(await orders.place(LOCAL_LICENCE, values), id);
    while (!isBuilt((await store.orders.get(id))!)) {
      await new Promise((done) => setTimeout(done)); // the work's turn
    }
    await waitForAddress(polled);
  });

  it("resumes orders that another server left after seeing them twice", async () => {
    orders.watch(1);
    const abandoned = inlineOrders(store, files);
    await abandoned.close();
    const ids = [await abandoned.place(LOCAL_LICENCE, values)];
    ids.push(await abandoned.place(LOCAL_LICENCE, { ...values, filetype: "zipcsv" }));
    while ((await store.orders.unfinished()).length > 0) {
      await new Promise((done) => setTimeout(done)); // the work's turn
    }
    for (const id of ids) assertMatch((await readStatus(id))!, /^http/);
  });

  it("H5: continues an order after a failure of the store by itself", async () => {
    const logged: unknown[] = [];
    const { error } = console;
    console.error = (...what) => logged.push(what);
    const { update } = store.orders;
    try {
      store.orders.update = () => Promise.reject(new Error("busy"));
      const id = await orders.place(LOCAL_LICENCE, values);
      while (logged.length === 0) await new Promise((done) => setTimeout(done)); // the work's turn
      store.orders.update = update;
      assertMatch(await waitForAddress(id), /^http/);
      assertEquals(logged.length, 1, "requests for the status try nothing");
    } finally {
      console.error = error;
      store.orders.update = update;
    }
  });

  it("finishes an order once even if two processes work on it", async () => {
    const [building, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const put = files.put.bind(files);
    files.put = async (...file) => {
      building.resolve();
      await released.promise; // both build it at the same time
      return await put(...file);
    };
    const id = await orders.place(LOCAL_LICENCE, values);
    await building.promise;
    const slow = new FolderFiles(`${folder}/files`);
    let first: string | undefined;
    slow.put = async (...file) => {
      released.resolve();
      await orders.close();
      first = await readStatus(id);
      return await put(...file);
    };
    const second = inlineOrders(store, slow);
    await second.resume();
    while (!first) await new Promise((done) => setTimeout(done)); // the work's turn
    await second.close();
    assertMatch(first, /^http/);
    assertEquals(await readStatus(id), first, "the reported address stays");
  });

  it("keeps the address of a delivered order, and the next order for the same is a new one", async () => {
    const id = await finished();
    await orders.markDelivered(id);
    assertEquals((await store.orders.get(id))!.state, "delivered");
    assertMatch((await readStatus(id))!, /^http/);
    const next = await orders.place(LOCAL_LICENCE, values);
    assertNotEquals(next, id);
    await orders.markDelivered(next);
    assertNotEquals((await store.orders.get(next))!.state, "delivered", "it is not complete yet");
  });

  it("treats an order as new after the address of the earlier one has ended", async () => {
    const id = await finished();
    await changeOrder(store, id, { expires: Date.now() - 1 });
    assertNotEquals(await orders.place(LOCAL_LICENCE, values), id);
  });

  it("builds the file again if its data are replaced meanwhile", async () => {
    const [point] = await sitesOf(store).points("era5");
    const { id: _id, ...dataset } = (await sitesOf(store).dataset("era5"))!;
    const { put } = files;
    const built: string[] = [];
    files.put = async (...file) => {
      built.push(await put.apply(files, file));
      if (built.length > 1) return built.at(-1)!;
      const shorter = parquetToFrame(await files.read(point.file)).head(point.hours - 24);
      const series = await put.call(files, shorter.writeParquet(), "parquet");
      const points = [{ ...point, file: series, hours: point.hours - 24 }];
      await putSite(store, {
        site: "s",
        fingerprint: "2",
        world: "own",
        datasets: [dataset],
        points,
        turbines: [],
      });
      return built[0];
    };
    const last = Temporal.Instant.fromEpochMilliseconds(point.start + (point.hours - 2) * 3_600_000)
      .toZonedDateTimeISO("UTC").year;
    const id = await orders.place(LOCAL_LICENCE, { ...values, start_year: last, end_year: last });
    await waitForAddress(id);
    const { file, state } = await builtOrder(store, id);
    assertEquals([state, file, built.length], ["complete", built[1], 2]);
    assertNotEquals(built[0], built[1]);
  });

  it("does not find an order of another licence", async () => {
    const id = await finished();
    assertEquals(await readStatus(id, other), undefined);
    assertEquals(await readStatus("no-such-order"), undefined);
  });

  describe("whose file cannot be built", () => {
    const logged: unknown[] = [];
    const { error } = console;
    let series: string;

    beforeEach(async () => {
      resetFailureLog();
      console.error = (...what) => logged.push(what);
      logged.length = 0;
      resetFailureLog(); // a cause is printed once a minute
      const [{ file }] = await sitesOf(store).points("era5");
      series = files.path(file);
      await Deno.rename(series, `${folder}/away`);
    });
    afterEach(() => void (console.error = error));

    it("H5: are retried automatically, however often their status is requested", async () => {
      const id = await orders.place(LOCAL_LICENCE, values);
      while (logged.length === 0) await new Promise((done) => setTimeout(done)); // the work's turn
      for (let polls = 0; polls < 10; polls++) assertEquals(await readStatus(id), "approved");
      await Deno.rename(`${folder}/away`, series);
      while (!isBuilt((await store.orders.get(id))!)) {
        await new Promise((done) => setTimeout(done)); // without a request
      }
      assertMatch((await readStatus(id))!, /^http/);
    });

    /** Places an order that cannot be built. */
    const placeDamaged = (id = "damaged") =>
      store.orders.place({
        id,
        serialNumber: LOCAL_LICENCE.serialNumber,
        serviceId: "era5",
        parameters: { ...values, lat: "north" },
        state: "approved",
      }, Date.now());

    it("count as failed once even if two processes have them", async () => {
      await placeDamaged();
      const ends: string[] = [];
      const runs = [1, 2].map(() =>
        new Orders(store, inlineJobs(store, files), (state) => ends.push(state))
      );
      for (const one of runs) await one.resume();
      while ((await store.orders.get("damaged"))!.state === "approved") {
        await new Promise((done) => setTimeout(done)); // the work's turn
      }
      for (const one of runs) await one.close();
      assertEquals(ends, ["failed"]);
    });

    it("H5: are unknown if their request is damaged, and the next proceeds", async () => {
      await Deno.rename(`${folder}/away`, series);
      await placeDamaged("other");
      assertEquals(await readStatus("other"), "approved");
      while ((await readStatus("other"))! === "approved") {
        await new Promise((done) => setTimeout(done)); // the work's turn
      }
      assertEquals([await readStatus("other"), logged.length], ["unknown", 1]);
      assertMatch((await readStatus(await finished()))!, /^http/);
    });
  });

  it("refuses too many unbuilt orders of a licence, and accepts another licence's", async () => {
    await orders.close(); // none proceeds
    const { lat } = values as unknown as { lat: number };
    const nearby = (i: number) => ({ ...values, lat: lat + i * 1e-6 });
    for (let i = 0; i < MAX_UNFINISHED_ORDERS; i++) await orders.place(LOCAL_LICENCE, nearby(i));
    const refusal = await assertRejects(() => orders.place(LOCAL_LICENCE, nearby(-1)), Refusal);
    assertEquals([refusal.meaning, refusal.status], ["too_many_requests", 429]);
    assert(refusal.retryAfter! > 0);
    await orders.place({ ...LOCAL_LICENCE, serialNumber: "other" }, values);
  });

  describe("whose file", () => {
    const { error } = console;
    beforeEach(() => void (console.error = () => {}));
    afterEach(() => void (console.error = error));

    const download = (token: string) =>
      answerOrderFile({ store, files, orders }, token, new Headers());

    for (
      const [label, damage] of [
        ["is missing", (path: string) => Deno.removeSync(path)],
        ["is empty", (path: string) => Deno.truncateSync(path, 0)],
        ["has another byte", (path: string) => {
          const bytes = Deno.readFileSync(path);
          bytes[bytes.length >> 1] ^= 1;
          Deno.writeFileSync(path, bytes);
        }],
      ] as const
    ) {
      it(`H1: ${label} is built again, once for all requests`, async () => {
        const { file, token } = await builtOrder(store, await finished());
        const intact = await Deno.readFile(files.path(file));
        damage(files.path(file));
        for (const answer of await Promise.all([download(token), download(token)])) {
          assertEquals([answer.status, answer.headers.get("etag")], [200, `"${sha256(intact)}"`]);
          assertEquals(await answer.bytes(), intact);
        }
      });
    }

    it("H1: is lost after its data were replaced ends, and the next order for the same data is built", async () => {
      const id = await finished();
      const { token } = await builtOrder(store, id);
      const other = await files.put(new TextEncoder().encode("of earlier data"), "csv");
      await changeOrder(store, id, { file: other });
      await Deno.remove(files.path(other));
      const answer = await download(token);
      assertEquals(answer.status, 404);
      assertMatch(await answer.text(), /missing, and its data have changed. Place the order again/);
      assertEquals(await readStatus(id), "delivered");
      const next = await finished();
      assert(next !== id);
      assertMatch((await readStatus(next))!, /^http/);
    });
  });
});
