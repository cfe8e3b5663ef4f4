/**
 * Climate orders: over HTTP from placed to the address and the file, and across a restart.
 *
 * @module
 */
import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from "@std/testing/bdd";
import { unzipSync } from "fflate";
import { operationOf } from "../../src/api/operations.ts";
import { openDataDirectory } from "../../src/service/data_directory.ts";
import { LOCAL_LICENCE } from "../../src/service/licences.ts";
import { ADDRESS_LIFETIME, ORDER_FILES, Orders } from "../../src/service/orders.ts";
import { parquetToFrame } from "../../src/service/series.ts";
import { Files } from "../../src/service/store/files.ts";
import { SqliteStore } from "../../src/service/store/sqlite_store.ts";
import type { Licence } from "../../src/service/store/store.ts";
import {
  type Answered,
  pathOf,
  type ServedSample,
  serveSample,
  SHARED_SAMPLE,
  validValues,
} from "./_sample.ts";

describe("climate orders over HTTP", () => {
  let sample: ServedSample;

  beforeAll(async () => {
    sample = await serveSample();
  });
  afterAll(async () => await sample.close());

  async function place(fileType = "csv", key = sample.keys.full): Promise<string> {
    const values = { ...validValues.place_order, filetype: fileType };
    const { status, text } = await sample.ask(pathOf(operationOf("place_order"), values), { key });
    assertEquals(status, 200, text);
    return JSON.parse(text);
  }

  async function statusOf(id: string, key = sample.keys.full): Promise<Answered> {
    return await sample.ask(pathOf(operationOf("order_status"), { order_id: id }), { key });
  }

  /** Polls to the address; each poll gives the order's work a turn. */
  async function addressOf(id: string): Promise<{ url: string; words: string[] }> {
    const words: string[] = [];
    for (let i = 0; i < 1000; i++) {
      const word = JSON.parse((await statusOf(id)).text);
      if (word.startsWith("http")) return { url: word, words };
      words.push(word);
    }
    throw new Error(`It is still ${words.at(-1)}`);
  }

  async function fileOf(fileType: string): Promise<Answered> {
    const { url } = await addressOf(await place(fileType));
    assert(url.startsWith(sample.url), url);
    return await sample.ask(url.slice(sample.url.length));
  }

  it("go from placed over approved to the address, and never back", async () => {
    const { words, url } = await addressOf(await place());
    const order = ["placed", "approved"];
    const states = words.map((word) => order.indexOf(word));
    assert(!states.includes(-1), words.join());
    assertEquals(states, [...states].sort());
    assertMatch(url, new RegExp(`^${sample.url}${ORDER_FILES}/[\\w-]{32}/[0-9a-f]{64}\\.csv$`));
  });

  it("have names of their own, also for the same parameters", async () => {
    const ids = await Promise.all([place(), place(), place()]);
    assertEquals(new Set(ids).size, 3);
    for (const id of ids) assertMatch(id, /^[\w-]{32}$/);
    const urls = await Promise.all(ids.map(async (id) => (await addressOf(id)).url));
    assertEquals(new Set(urls).size, 3, "the addresses are as unguessable as the ids");
  });

  it("of another licence are not found", async () => {
    const id = await place();
    for (const key of [sample.keys.t2, sample.keys.nothing]) {
      const { status, text } = await statusOf(id, key);
      assertEquals(status, 404);
      assertEquals(text, (await statusOf(id, sample.keys.nothing)).text);
    }
    assertEquals((await statusOf(id)).status, 200);
  });

  it("stand at their address without a key, and nowhere else", async () => {
    const { url } = await addressOf(await place());
    const path = url.slice(sample.url.length);
    assertEquals((await sample.ask(path)).status, 200);
    assertEquals(
      (await sample.ask(path.replace(/\/[\w-]{32}\//, `/${"A".repeat(32)}/`))).status,
      404,
    );
  });

  it("of csv are what the direct download gives", async () => {
    const { bytes, headers } = await fileOf("csv");
    const values = { ...validValues.download_climate, filetype: "csv" };
    const path = pathOf(operationOf("download_climate"), values);
    const direct = await sample.ask(path, { key: sample.keys.full });
    assertEquals(bytes, direct.bytes);
    assertEquals(headers.get("content-length"), String(bytes.length));
    assertEquals(headers.get("content-type"), "text/tab-separated-values");
  });

  it("of csv have a preamble with the place, a header and the hours of the years", async () => {
    const { text } = await fileOf("csv");
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

  it("of zipcsv have that csv as their only member", async () => {
    const { bytes, headers } = await fileOf("zipcsv");
    assertEquals(headers.get("content-type"), "application/zip");
    const members = unzipSync(bytes);
    assertEquals(Object.keys(members), ["era5_55.5_7.75_2023-2023.csv"]);
    assertEquals(members["era5_55.5_7.75_2023-2023.csv"], (await fileOf("csv")).bytes);
  });

  it("of zipraw have the series as Parquet and what it is about", async () => {
    const { bytes, headers } = await fileOf("zipraw");
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
      assertEquals((await fileOf(fileType)).bytes, (await fileOf(fileType)).bytes);
    }
  });
});

describe("Orders", () => {
  let folder: string;
  let store: SqliteStore;
  let files: Files;
  let orders: Orders;
  const other: Licence = { ...LOCAL_LICENCE, serialNumber: "other" };
  const values = { ...validValues.place_order, filetype: "csv" };

  /** A data directory with one point of the sample. */
  beforeEach(async () => {
    folder = await Deno.makeTempDir();
    store = new SqliteStore(`${folder}/store.sqlite`);
    files = new Files(`${folder}/files`);
    const shared = openDataDirectory(SHARED_SAMPLE);
    const [point] = await shared.store.points("era5");
    const { id: _id, ...dataset } = (await shared.store.dataset("era5"))!;
    shared.store.close();
    await files.put(await shared.files.read(point.file), "parquet");
    await store.putSite({ site: "s", fingerprint: "", dataset, points: [point], turbines: [] });
    Object.assign(values, { lat: point.latitude, lon: point.longitude });
    orders = new Orders(store, files);
  });
  afterEach(async () => {
    await orders.close();
    store.close();
    await Deno.remove(folder, { recursive: true });
  });

  const statusOf = (id: string, licence = LOCAL_LICENCE) => orders.status(licence, id, "http://h");

  /** Waits for the work under way, as the service does when it stops, and goes on with a new one. */
  async function restart(): Promise<void> {
    await orders.close();
    orders = new Orders(store, files);
    await orders.resume();
  }

  /** Works all open orders off: each run ends what is under way, and the next takes up what was not begun. */
  async function workOff(): Promise<void> {
    for (let runs = 0; (await store.openOrders()).length > 0; runs++) {
      assert(runs < 20, "the orders are not worked off");
      await restart();
    }
  }

  async function finished(): Promise<string> {
    const id = await orders.place(LOCAL_LICENCE, values);
    await workOff();
    return id;
  }

  it("remembers an order before it says its name", async () => {
    const id = await orders.place(LOCAL_LICENCE, values);
    const stored = (await store.order(id))!;
    assertEquals([stored.serialNumber, stored.serviceId], ["local", "era5"]);
    assertEquals(stored.parameters, values);
  });

  it("takes up after reopening what an earlier run left placed or approved", async () => {
    for (const state of ["placed", "approved"] as const) {
      await store.addOrder({
        id: state,
        serialNumber: "local",
        serviceId: "era5",
        parameters: values,
        state,
        token: null,
        file: null,
        expires: null,
      });
    }
    store.close();
    store = new SqliteStore(`${folder}/store.sqlite`);
    await workOff();
    for (const id of ["placed", "approved"]) {
      assertMatch((await statusOf(id))!, /^http:\/\/h\//, id);
    }
  });

  it("begins nothing new once it is closed, and forgets nothing", async () => {
    const ids = [];
    for (let i = 0; i < 3; i++) ids.push(await orders.place(LOCAL_LICENCE, values));
    await orders.close();
    const open = (await store.openOrders()).length;
    assert(open >= 2, "at most one of them was under way");
    await workOff();
    for (const id of ids) assertMatch((await statusOf(id))!, /^http/);
  });

  it("gives an address for a week, then says delivered", async () => {
    const before = Date.now();
    const id = await finished();
    const { expires, token } = (await store.order(id))!;
    assert(expires! >= before + ADDRESS_LIFETIME && expires! <= Date.now() + ADDRESS_LIFETIME);
    assertMatch((await statusOf(id))!, /^http/);
    assertNotEquals(await orders.file(token!), undefined);

    await store.updateOrder(id, { expires: Date.now() - 1 });
    assertEquals(await statusOf(id), "delivered");
    assertEquals(await orders.file(token!), undefined);
  });

  it("knows no order of another licence", async () => {
    const id = await finished();
    assertEquals(await statusOf(id, other), undefined);
    assertEquals(await statusOf("no-such-order"), undefined);
  });

  it("says unknown of an order that failed, logs why, and goes on with the next", async () => {
    const logged: unknown[] = [];
    const { error } = console;
    console.error = (...what) => logged.push(what);
    try {
      const [{ file }] = await store.points("era5");
      await Deno.rename(files.path(file), `${folder}/away`);
      const failing = await finished();
      assertEquals(await statusOf(failing), "unknown");
      assertEquals(logged.length, 1);
      await Deno.rename(`${folder}/away`, files.path(file));
      const next = await finished();
      assertMatch((await statusOf(next))!, /^http/);
    } finally {
      console.error = error;
    }
  });
});
