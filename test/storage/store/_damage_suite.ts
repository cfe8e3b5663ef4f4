/**
 * Damage that databases do not notice: values changed outside the program, missing rows, and rows reverted to an older
 * state.
 *
 * @module
 */
import { putSite } from "../../../src/sites/keep/put_site.ts";
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { DamagedFileError } from "../../../src/disk/files.ts";
import type { Store } from "../../../src/storage/store/store.ts";
import type { StoredRow } from "../../../src/storage/store/engine.ts";
import { licence, month, site, turbine } from "./_records.ts";
import { sitesOf } from "../../../src/sites/keep/sites.ts";
import { listSiteFiles, wantedFiles } from "../../../src/sites/keep/named_files.ts";

type Ask = (store: Store) => Promise<unknown>;

/** Damaging statements, with `~` before table names, and a call that reads the damaged data. */
const DAMAGE: Readonly<Record<string, readonly [sql: string, ask: Ask]>> = {
  "a figure of a month changed": [
    "UPDATE ~contents SET body = replace(body, '103', '104') WHERE kind = 'turbine' AND id = 'T1' AND part = 1",
    (store) => sitesOf(store).month("T1", 2023, 3),
  ],
  "the months of a turbine are gone": [
    "DELETE FROM ~contents WHERE kind = 'turbine' AND part = 1",
    (store) => sitesOf(store).months("T1"),
  ],
  "a figure of a month of a fleet changed": [
    "UPDATE ~contents SET body = replace(body, '103', '104') WHERE kind = 'turbine' AND part = 1",
    (store) => sitesOf(store).fleetMonths(["B", "T1"]),
  ],
  "the months of a fleet are gone": [
    "DELETE FROM ~contents WHERE kind = 'turbine' AND part = 1",
    (store) => sitesOf(store).fleetMonths(["B", "T1"]),
  ],
  "the last month of a turbine is another one": [
    "UPDATE ~documents SET state = '2030-01' WHERE id = 'T1'",
    (store) => sitesOf(store).lastMonths(["T1"]),
  ],
  "a turbine changed": [
    "UPDATE ~contents SET body = replace(body, '2300', '3200') WHERE id = 'T1'",
    (store) => sitesOf(store).turbine("T1"),
  ],
  "the model of a turbine is another file": [
    "UPDATE ~documents SET search = '0f.parquet' WHERE id = 'T1'",
    ({ documents }) => listSiteFiles(documents, "coast"),
  ],
  "a turbine is gone": [
    "DELETE FROM ~documents WHERE id = 'T1'",
    (store) => sitesOf(store).turbine("T1"),
  ],
  "a turbine is gone from the list": [
    "DELETE FROM ~documents WHERE id = 'T1'",
    (store) => sitesOf(store).nextTurbineIds("", 9),
  ],
  "a turbine is gone from those of a licence": [
    "DELETE FROM ~documents WHERE id = 'T1'",
    (store) => sitesOf(store).findTurbineIds(["T1"]),
  ],
  "a turbine is gone from several": [
    "DELETE FROM ~documents WHERE id = 'T1'",
    (store) => sitesOf(store).turbines(["B", "T1"]),
  ],
  "a turbine has another name": [
    "UPDATE ~documents SET id = 'E9' WHERE id = 'T1'",
    (store) => sitesOf(store).turbineIds(),
  ],
  "a calibration changed": [
    "UPDATE ~contents SET body = replace(body, '0.93', '0.94') WHERE part = 2",
    (store) => sitesOf(store).calibration("T1", 1),
  ],
  "a calibration is gone": [
    "DELETE FROM ~contents WHERE part = 2",
    (store) => sitesOf(store).calibration("T1", 1),
  ],
  "a dataset is gone": [
    "DELETE FROM ~documents WHERE kind = 'dataset'",
    (store) => sitesOf(store).dataset("era5"),
  ],
  "points are gone": [
    "DELETE FROM ~documents WHERE kind = 'points'",
    (store) => sitesOf(store).points("era5"),
  ],
  "a point names another file": [
    "UPDATE ~contents SET body = replace(body, '0d.parquet', '0f.parquet') WHERE kind = 'points'",
    (store) => wantedFiles(store, 0),
  ],
  "a licence covers more": [
    "UPDATE ~contents SET body = replace(body, '2030', '2999') WHERE kind = 'licence'",
    ({ licences }) => licences.get("S-1"),
  ],
  "a licence is gone": [
    "DELETE FROM ~documents WHERE kind = 'licence' AND id = 'S-2'",
    ({ licences }) => licences.all(),
  ],
  "a key belongs to another licence": [
    "UPDATE ~documents SET owner = 'S-1' WHERE kind = 'key'",
    ({ licences }) => licences.findByKey("0d"),
  ],
  "a revoked key is there again": [
    "UPDATE ~lists SET number = number - 1 WHERE kind = 'key'",
    (store) => store.verify(),
  ],
  "an order is finished": [
    "UPDATE ~documents SET state = 'delivered' WHERE kind = 'order'",
    ({ orders }) => orders.get("z"),
  ],
  "an order is gone": [
    "DELETE FROM ~documents WHERE kind = 'order'",
    ({ orders }) => orders.get("z"),
  ],
  "a row has no hash": [
    "UPDATE ~documents SET hash = '' WHERE kind = 'turbine'",
    (store) => sitesOf(store).turbineIds(),
  ],
  "the sum of a list is another one": [
    "UPDATE ~lists SET sum = sum + 1 WHERE kind = 'turbine'",
    (store) => sitesOf(store).turbineIds(),
  ],
  "a list is gone": [
    "DELETE FROM ~lists WHERE kind = 'licence'",
    ({ licences }) => licences.get("S-1"),
  ],
  "its world changed": [
    "UPDATE ~contents SET body = '\"sample\"' WHERE kind = 'world'",
    (store) => store.world(),
  ],
};

/** Reopens the store of the suite, without caches. */
export type Reopen = () => Promise<Store>;

/**
 * Tests how a store detects damage.
 *
 * @param name Name of the store
 * @param make Creates a new store, filled by `fillStore()`
 */
export function damageSuite(name: string, make: () => Promise<Reopen>): void {
  describe(name, () => {
    let reopen: Reopen;
    let store: Store;

    beforeEach(async () => {
      reopen = await make();
      store = await reopen();
    });
    afterEach(async () => await store.close());

    /** Changes the database outside the program, and reopens the store. */
    async function change(...statements: readonly string[]): Promise<void> {
      const { engine } = store.documents;
      for (const sql of statements) await engine.run(sql.replaceAll("~", engine.schema));
      await store.close();
      store = await reopen();
    }

    async function assertDamaged(ask: () => Promise<unknown>): Promise<void> {
      const { message } = await assertRejects(ask, DamagedFileError);
      assertStringIncludes(message, `Cannot use ${store.documents.engine.address}: `);
      assertStringIncludes(message, "the last backup");
    }

    for (const [label, [sql, ask]] of Object.entries(DAMAGE)) {
      it(`H1: is detected if ${label}, by calls that need it and by calls that read everything`, async () => {
        await change(sql);
        const readAll: Ask = async (store) => {
          await store.verify();
          await store.snapshot(() => Promise.resolve());
        };
        for (const one of [ask, readAll, ask]) await assertDamaged(() => one(store));
      });
    }

    it("H1: is detected by the periodic check, except in contents of turbines", async () => {
      await change("UPDATE ~contents SET body = '{}' WHERE kind = 'turbine'");
      await store.check();
      await change("UPDATE ~contents SET body = '{}' WHERE kind = 'key'");
      await assertDamaged(() => store.check());
    });

    it("H1: is detected by the list if a document was reverted to an older state", async () => {
      const { engine } = store.documents;
      const rowsOf = (table: string) =>
        engine.all(`SELECT * FROM ${engine.schema}${table} WHERE kind = 'turbine'`);
      const tables = ["documents", "contents"];
      const before: StoredRow[][] = await Promise.all(tables.map(rowsOf));
      const record = site({ fingerprint: "3", turbines: [turbine("T1", [month(7)])] });
      await putSite(store, { ...record, keptTurbines: ['Ø"\\{}, NULL'] });
      for (const [i, table] of tables.entries()) {
        await engine.run(`DELETE FROM ${engine.schema}${table} WHERE kind = 'turbine'`);
        for (const row of before[i]) {
          const marks = Object.keys(row).map((_, i) => `$${i + 1}`).join(", ");
          const values = Object.values(row) as (string | number)[];
          await engine.run(
            `INSERT INTO ${engine.schema}${table} (${Object.keys(row)}) VALUES (${marks})`,
            ...values,
          );
        }
      }
      await change();
      await assertDamaged(() => sitesOf(store).turbineIds());
      await assertDamaged(() => store.check());
    });

    it("H1: does not affect undamaged data", async () => {
      const turbine = await sitesOf(store).turbine("B");
      await change("UPDATE ~contents SET body = '{}' WHERE kind = 'turbine' AND id = 'T1'");
      await assertDamaged(() => sitesOf(store).turbine("T1"));
      assertEquals(await sitesOf(store).turbine("B"), turbine);
      assertEquals(await store.licences.get("S-1"), licence);
      assertEquals((await sitesOf(store).turbineIds()).length, 3);
    });

    it("H1: is not reported for missing keys, even if asked twice", async () => {
      await store.verify();
      for (let i = 0; i < 2; i++) {
        assertEquals(await store.licences.findByKey("absent"), undefined);
        assertEquals(await sitesOf(store).turbine("absent"), undefined);
        assertEquals(await sitesOf(store).points("absent"), []);
        assertEquals(await store.orders.get("absent"), undefined);
      }
    });
  });
}
