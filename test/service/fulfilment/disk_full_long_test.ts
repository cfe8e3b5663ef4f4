/**
 * A disk that is full for a while, at ten points of an order: on a separate file system in memory, which only root may
 * mount. No client requests the status of an order here.
 *
 * @module
 */
import { builtOrder } from "../../storage/store/_orders.ts";
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { resetFailureLog } from "../../../src/storage/failures/failure_log.ts";
import { openStorage } from "../../../src/storage/storage.ts";
import { LOCAL_LICENCE } from "../../../src/service/licences/licences.ts";
import { Orders } from "../../../src/service/fulfilment/orders.ts";
import { openJobs } from "../../../src/service/running/open_jobs.ts";
import { sha256 } from "../../../src/disk/hashes.ts";
import { canMount, nameMounting, SmallDisk } from "../_small_disk.ts";
import { putClimatePoint } from "../_climate_data.ts";
import { validValues } from "../_sample.ts";

const PLACES = 10;

/** Size of the file system, and additional free bytes at each point: a file of a year has about ten times as many. */
const [SIZE, STEP] = [24 * 2 ** 20, 64 * 2 ** 10];

/** Free bytes that suffice to store an order, but not to build it. */
const ORDER_SPACE = 128 * 2 ** 10;

/** Fills a file system up to some bytes. */
async function fill(folder: string, free: number): Promise<void> {
  using filler = await Deno.open(`${folder}/filler`, { write: true, create: true });
  const page = new Uint8Array(4096);
  try {
    while (true) await filler.write(page);
  } catch {
    const { size } = await filler.stat();
    await filler.truncate(Math.max(0, size - free));
  }
}

/** Lets others work until a condition holds. */
async function until(holds: () => Promise<boolean> | boolean): Promise<void> {
  while (!await holds()) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** A service's orders on a data directory. */
async function openOrders(folder: string) {
  const directory = await openStorage(folder);
  const orders = new Orders(directory.store, openJobs(folder, directory, 1));
  await orders.resume();
  return {
    ...directory,
    orders,
    close: async () => {
      await orders.close();
      await directory.store.close();
    },
  };
}

describe("a full disk", () => {
  const check = canMount ? it : it.ignore;
  const title = "H5 F48 at ten places delays orders and loses none, also across a restart";
  check(nameMounting(title), async () => {
    await using disk = (await SmallDisk.mount(String(SIZE)))!;
    const { folder } = disk;
    const { error } = console;
    let failures = 0;
    console.error = () => void failures++;
    try {
      const storage = await openStorage(folder, { create: true, world: "sample" });
      const { points: [{ latitude: lat, longitude: lon }] } = await putClimatePoint(storage);
      await storage.store.close();
      let service = await openOrders(folder);
      const values = { ...validValues.place_order, filetype: "csv", lon };
      let failed = 0;
      for (let place = 0; place < PLACES; place++) {
        failures = 0;
        resetFailureLog(); // a cause is printed once a minute
        await fill(folder, ORDER_SPACE);
        const parameters = { ...values, lat: lat + place * 1e-6, start_year: 2005 + place };
        const id = await service.orders.place(LOCAL_LICENCE, {
          ...parameters,
          end_year: 2005 + place,
        });
        await fill(folder, place * STEP);
        const stateOf = async () => (await service.store.orders.get(id))!.state;
        await until(async () => failures > 0 || await stateOf() === "complete");
        if (failures > 0) failed++;
        if (place % 4 !== 0) { // otherwise it continues by itself, after a pause
          await service.close();
          service = await openOrders(folder);
        }
        await Deno.remove(`${folder}/filler`);
        await until(async () => await stateOf() === "complete");
        const { file } = await builtOrder(service.store, id);
        const bytes = await service.files.read(file);
        assertEquals(file, `${sha256(bytes)}.csv`);
      }
      assert(failed >= PLACES / 2, `the disk was full for ${failed} orders only`);
      assertEquals(await service.store.orders.unfinished(), []);
      const parts = (await service.files.names()).filter((name) => name.endsWith(".part"));
      assertEquals(parts, []);
      await service.close();
    } finally {
      console.error = error;
    }
  });
});
