/**
 * Files that nothing names any more: which go, and which stay.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { removeOrphanFiles } from "../../../src/service/files/orphan_files.ts";
import { LOCAL_LICENCE } from "../../../src/service/licences/licences.ts";
import { ADDRESS_LIFETIME } from "../../../src/service/fulfilment/build_order.ts";
import { type OrderData, withOrderData } from "../fulfilment/_order_data.ts";
import { inlineOrders } from "../_inline_orders.ts";

const DAY = 24 * 3_600_000;
const other = { ...LOCAL_LICENCE, serialNumber: "other" };

/** Places an order and waits until it has its file. */
async function finished({ store, files, values }: OrderData, licence = LOCAL_LICENCE) {
  const orders = inlineOrders(store, files);
  const id = await orders.place(licence, values);
  while ((await store.orders.get(id))!.expires === null) {
    await new Promise((done) => setTimeout(done));
  }
  await orders.close();
  return { id, file: (await store.orders.get(id))!.file! };
}

/** Makes a file look as if it had been put some days ago. */
async function age({ files }: OrderData, name: string, days: number): Promise<void> {
  const then = new Date(Date.now() - days * DAY);
  await Deno.utime(files.path(name), then, then);
}

describe("the file of an order", () => {
  it("goes a day after its address has ended, and nothing else does", async () => {
    await withOrderData(async (data) => {
      const { store, files, site } = data;
      const { file } = await finished(data);
      const others = [
        `${site.points[0].file}.UTC.csv`,
        `${site.points[0].file}.UTC.rows`,
        "a.part",
      ];
      for (const name of others) await Deno.writeTextFile(files.path(name), "");
      for (const name of await files.names()) await age(data, name, 30);

      const end = Date.now() + ADDRESS_LIFETIME;
      for (const now of [Date.now(), end, end + DAY - 60_000]) {
        assertEquals(await removeOrphanFiles(store, files, now), []);
      }
      assertEquals(await removeOrphanFiles(store, files, end + DAY + 60_000), [file]);
      assertEquals((await files.names()).sort(), [site.points[0].file, ...others].sort());
    });
  });

  it("stays while the address of any order leads to it", async () => {
    await withOrderData(async (data) => {
      const { store, files } = data;
      const [first, second] = [await finished(data), await finished(data, other)];
      assertEquals(first.file, second.file, "the same content is the same file");
      await age(data, first.file, 30);
      await store.orders.update(first.id, { expires: Date.now() - 2 * DAY });
      assertEquals(await removeOrphanFiles(store, files), []);
      await store.orders.update(second.id, { expires: Date.now() - 2 * DAY });
      assertEquals(await removeOrphanFiles(store, files), [first.file]);
    });
  });

  it("goes where its order is gone with its licence, unless it was put within a day", async () => {
    await withOrderData(async (data) => {
      const { store, files } = data;
      const { file } = await finished(data, other);
      await store.licences.put(other);
      await store.licences.remove(other.serialNumber);
      assertEquals(await removeOrphanFiles(store, files), []);
      await age(data, file, 2);
      assertEquals(await removeOrphanFiles(store, files), [file]);
    });
  });

  it("stays while its order is complete and has no address yet", async () => {
    await withOrderData(async (data) => {
      const { store, files, values } = data;
      const orders = inlineOrders(store, files, { polls: 1 });
      const id = await orders.place(LOCAL_LICENCE, values);
      for (let polls = 0; polls < 3; polls++) await orders.status(LOCAL_LICENCE, id, "http://h");
      await orders.close();
      const { state, file } = (await store.orders.get(id))!;
      assertEquals(state, "complete");
      await age(data, file!, 30);
      assertEquals(await removeOrphanFiles(store, files), []);
    });
  });

  it("is built again where the same is ordered after it was removed", async () => {
    await withOrderData(async (data) => {
      const { store, files } = data;
      const { id, file } = await finished(data);
      await age(data, file, 30);
      await store.orders.update(id, { expires: Date.now() - 2 * DAY });
      const next = await finished(data); // its worker removes the first one
      assertEquals(next.file, file);
      assert((await files.names()).includes(file));
      assert(Date.now() - (await Deno.stat(files.path(file))).mtime!.getTime() < DAY);
    });
  });

  it("is not looked for where nothing was ever put", async () => {
    await withOrderData(async ({ store, files, folder }) => {
      await Deno.remove(`${folder}/files`, { recursive: true });
      assertEquals(await removeOrphanFiles(store, files), []);
    });
  });
});
