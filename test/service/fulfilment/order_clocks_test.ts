/**
 * Orders of machines whose clocks differ: their database decides when an address expires.
 *
 * @module
 */
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { it } from "@std/testing/bdd";
import { removeOrphanFiles } from "../../../src/sites/keep/named_files.ts";
import { ADDRESS_LIFETIME } from "../../../src/service/fulfilment/build_order.ts";
import { LOCAL_LICENCE } from "../../../src/service/licences/licences.ts";
import { describeWithPostgres } from "../../_postgres.ts";
import { builtOrder } from "../../storage/store/_orders.ts";
import { waitForAddress } from "../_address.ts";
import { putClimatePoint } from "../_climate_data.ts";
import { inlineOrders } from "../_inline_orders.ts";
import { validValues } from "../_sample.ts";
import { makeQueue, openQueueStorage } from "../../machines/queue/_queue_data.ts";

const DAY = 24 * 3_600_000;
const ORIGIN = "http://localhost:8080";

/** Moves the clock of this process until it is disposed of. */
function moveClock(days: number): Disposable {
  const { now } = Date;
  Date.now = () => now.call(Date) + days * DAY;
  return { [Symbol.dispose]: () => void (Date.now = now) };
}

describeWithPostgres("R11: an order of machines whose clocks differ", (server) => {
  for (const [worker, serverDays] of [[-8, 0], [8, 0], [0, -8], [0, 8]]) {
    it(`has its address for a week if a worker's clock is ${worker} days off and a server's ${serverDays}`, async () => {
      const folder = await Deno.makeTempDir();
      const { error } = console;
      console.error = () => {}; // hides the expected message about a file that is built again
      await using storage = await openQueueStorage(await makeQueue(server()), folder);
      const { store, files } = storage;
      const { points: [{ latitude: lat, longitude: lon }] } = await putClimatePoint(storage);
      const values = { ...validValues.place_order, lat, lon };
      const start = Date.now();
      const ask = async (days: number) => {
        using _clock = moveClock(days);
        const orders = inlineOrders(store, files);
        const id = await orders.place(LOCAL_LICENCE, values);
        const address = await waitForAddress(async () =>
          (await orders.status(LOCAL_LICENCE, id, ORIGIN))!
        );
        const token = address.split("/").at(-2)!;
        assertEquals((await orders.findByToken(token))?.id, id);
        assertEquals(await orders.rebuild((await store.orders.get(id))!), true);
        assertEquals(await removeOrphanFiles(store, files), []);
        await orders.close();
        return id;
      };
      const id = await ask(worker);
      const { expires, file } = await builtOrder(store, id);
      const lifetime = expires - start;
      assert(
        lifetime >= ADDRESS_LIFETIME - 1000 && lifetime < ADDRESS_LIFETIME + DAY,
        `${lifetime}`,
      );
      assertEquals(await ask(serverDays), id); // it is open: joined
      assertStringIncludes((await files.names()).join(), file);
      console.error = error;
      await Deno.remove(folder, { recursive: true });
    });
  }
});
