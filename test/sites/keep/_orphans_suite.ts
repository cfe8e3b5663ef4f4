/**
 * Files that no row names any more: which are removed, and which stay.
 *
 * @module
 */
import { assert, assertEquals } from "@std/assert";
import { afterEach, beforeEach, it } from "@std/testing/bdd";
import { removeOrphanFiles } from "../../../src/sites/keep/named_files.ts";
import { LOCAL_LICENCE } from "../../../src/service/licences/licences.ts";
import { ADDRESS_LIFETIME } from "../../../src/service/fulfilment/build_order.ts";
import { type OrderData, withOrderData } from "../../service/fulfilment/_order_data.ts";
import { inlineOrders } from "../../service/_inline_orders.ts";
import { isBuilt } from "../../../src/storage/store/orders.ts";
import { builtOrder, changeOrder } from "../../storage/store/_orders.ts";
import { age, type FilesDrawer } from "../../storage/files/_files_suite.ts";

const DAY = 24 * 3_600_000;
const other = { ...LOCAL_LICENCE, serialNumber: "other" };

/** Places an order and waits for its file. */
async function finished({ store, files, values }: OrderData, licence = LOCAL_LICENCE) {
  const orders = inlineOrders(store, files);
  const id = await orders.place(licence, values);
  while (!isBuilt((await store.orders.get(id))!)) {
    await new Promise((done) => setTimeout(done));
  }
  await orders.close();
  return { id, file: (await builtOrder(store, id)).file };
}

/**
 * Tests which files are removed and which stay.
 *
 * @param open Opens empty files
 */
export function testOrphans(open: () => Promise<FilesDrawer>): void {
  let drawer: FilesDrawer;

  beforeEach(async () => {
    drawer = await open();
  });
  afterEach(async () => await drawer[Symbol.asyncDispose]());

  const withData = (body: (data: OrderData) => Promise<void>) => withOrderData(body, drawer.files);
  /** Makes a file look as if it had been put some days ago. */
  const ageDays = (name: string, days: number) => age(drawer.at(name), 24 * days);

  it("removes only the file of an order, a day after its address has expired", async () => {
    await withData(async (data) => {
      const { store, files, site } = data;
      const { file } = await finished(data);
      const others = [
        `${site.points[0].file}.UTC.csv`,
        `${site.points[0].file}.UTC.rows`,
        "a.part",
      ];
      for (const name of others) await files.write(name, new Uint8Array());
      for (const name of await files.names()) await ageDays(name, 30);

      const end = Date.now() + ADDRESS_LIFETIME;
      for (const now of [Date.now(), end, end + DAY - 60_000]) {
        assertEquals(await removeOrphanFiles(store, files, now), []);
      }
      assertEquals(await removeOrphanFiles(store, files, end + DAY + 60_000), [file]);
      assertEquals((await files.names()).sort(), [site.points[0].file, ...others].sort());
    });
  });

  it("keeps the file of an order while the address of any order leads to it", async () => {
    await withData(async (data) => {
      const { store, files } = data;
      const [first, second] = [await finished(data), await finished(data, other)];
      assertEquals(first.file, second.file, "the same content is the same file");
      await ageDays(first.file, 30);
      await changeOrder(store, first.id, { expires: Date.now() - 2 * DAY });
      assertEquals(await removeOrphanFiles(store, files), []);
      await changeOrder(store, second.id, { expires: Date.now() - 2 * DAY });
      assertEquals(await removeOrphanFiles(store, files), [first.file]);
    });
  });

  it("removes the file of an order that is gone with its licence, unless it was stored within a day", async () => {
    await withData(async (data) => {
      const { store, files } = data;
      const { file } = await finished(data, other);
      await store.licences.put(other);
      await store.licences.remove(other.serialNumber);
      assertEquals(await removeOrphanFiles(store, files), []);
      await ageDays(file, 2);
      assertEquals(await removeOrphanFiles(store, files), [file]);
    });
  });

  it("removes partly written files of a killed process after a day, even next to a named file", async () => {
    await withData(async (data) => {
      const { store, files } = data;
      const { file } = await finished(data);
      const part = `${file}.${crypto.randomUUID()}.part`;
      await files.write(part, new Uint8Array(3));
      assertEquals(await removeOrphanFiles(store, files), []);
      await ageDays(part, 2);
      assertEquals(await removeOrphanFiles(store, files), [part]);
    });
  });

  it("builds the file of an order again if the same is ordered after its removal", async () => {
    await withData(async (data) => {
      const { store, files } = data;
      const { id, file } = await finished(data);
      await ageDays(file, 30);
      await changeOrder(store, id, { expires: Date.now() - 2 * DAY });
      const next = await finished(data); // its worker removes the first file
      assertEquals(next.file, file);
      assert((await files.names()).includes(file));
      assert(Date.now() - (await files.find(file))!.stored < DAY);
    });
  });
}
