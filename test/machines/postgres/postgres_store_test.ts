import { putSite, SiteChangedError } from "../../../src/sites/keep/put_site.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { afterEach, beforeAll, beforeEach, describe, it } from "@std/testing/bdd";
import { describeWithPostgres } from "../../_postgres.ts";
import { isPassing } from "../../../src/storage/failures/is_passing.ts";
import type { World } from "../../../src/api/world.ts";
import { PostgresDatabase } from "../../../src/machines/postgres/postgres_database.ts";
import { migratePostgres } from "../../../src/machines/postgres/postgres_schema.ts";
import { openPostgresStore } from "../../../src/machines/postgres/postgres_store.ts";
import type { Store } from "../../../src/storage/store/store.ts";
import { Documents } from "../../../src/storage/store/documents.ts";
import type { StoredPoint } from "../../../src/sites/keep/site_record.ts";
import { licence, month, order, point, site, turbine } from "../../storage/store/_records.ts";
import { fillStore } from "../../storage/store/_contents.ts";
import { damageSuite } from "../../storage/store/_damage_suite.ts";
import { storeSuite } from "../../storage/store/_store_suite.ts";
import { sitesOf } from "../../../src/sites/keep/sites.ts";

function exists(folder: string): boolean {
  try {
    return Deno.statSync(folder).isDirectory;
  } catch {
    return false;
  }
}

describeWithPostgres("the store on PostgreSQL", (server) => {
  /** A database with empty tables, and one for the data that tests put into a store. */
  let template: string;
  let filled: string;

  beforeAll(async () => {
    template = await server().createDatabase();
    await migratePostgres(template);
    filled = await server().createDatabase(template);
    const store = await openPostgresStore(filled);
    await fillStore(store);
    await store.close();
  });

  /** Each folder of the suite stands for a database, which another folder takes over after its removal. */
  const addresses = new Map<string, string>();

  async function makeAddress(world: World): Promise<string> {
    const free = addresses.keys().find((folder) => !exists(folder));
    if (free === undefined) {
      const address = await server().createDatabase();
      await migratePostgres(address, world);
      return address;
    }
    const address = addresses.get(free)!;
    addresses.delete(free);
    const database = await PostgresDatabase.open(address);
    for (const table of ["documents", "contents"]) {
      await database.run(`DELETE FROM vindkit.${table}`);
    }
    await database.run("UPDATE vindkit.lists SET number = 0, sum = 0");
    await new Documents(database).transaction((all) =>
      all.put("world", [{ id: "world", parts: [world] }])
    );
    await database.close();
    return address;
  }

  storeSuite("a store in PostgreSQL", async (folder, world = "own") => {
    const address = addresses.get(folder) ?? await makeAddress(world);
    addresses.set(folder, address);
    return await openPostgresStore(address);
  });

  damageSuite("a damaged store in PostgreSQL", async () => {
    const address = await server().createDatabase(filled);
    return () => openPostgresStore(address);
  });

  describe("the store of several servers", () => {
    let address: string;
    let stores: Store[];

    beforeEach(async () => {
      address = await server().createDatabase(template);
      stores = await Promise.all([1, 2, 3].map(() => openPostgresStore(address)));
    });
    afterEach(async () => {
      for (const store of stores) await store.close();
    });

    /** A site whose fingerprint and figures all have the same number. */
    const numbered = (number: number, name = "coast") =>
      site({
        site: name,
        fingerprint: `${number}`,
        points: [],
        turbines: Array.from(
          { length: 20 },
          (_, i) => turbine(`${name} ${i}`, [month(1, { month_index: number })]),
        ),
      });

    it("is free for another update if the process of the previous one is killed", async () => {
      const module = new URL("../../../src/machines/postgres/", import.meta.url);
      const child = new Deno.Command(Deno.execPath(), {
        args: [
          "eval",
          `
          import { openPostgresStore } from "${module}postgres_store.ts";
          const store = await openPostgresStore(${JSON.stringify(address)});
          console.log(await store.lockUpdates() !== undefined);
          await new Promise((resolve) => setTimeout(resolve, 60_000));
        `,
        ],
        cwd: Deno.cwd(),
        stdout: "piped",
      }).spawn();
      const reader = child.stdout.getReader();
      assertEquals(new TextDecoder().decode((await reader.read()).value), "true\n");
      assertEquals(await stores[0].lockUpdates(), undefined);
      child.kill("SIGKILL");
      await child.status;
      await reader.cancel();
      const end = performance.now() + 10_000;
      let lock: AsyncDisposable | undefined;
      while (!lock && performance.now() < end) lock = await stores[0].lockUpdates();
      assert(lock);
      await lock[Symbol.asyncDispose]();
    });

    it("stores a site once if several concurrent imports start from the same edition", async () => {
      const puts = await Promise.allSettled(
        stores.map((store, i) => putSite(store, numbered(i), 0)),
      );
      const first = puts.findIndex(({ status }) => status === "fulfilled");
      for (const [i, put] of puts.entries()) {
        if (i !== first) assert((put as PromiseRejectedResult).reason instanceof SiteChangedError);
      }
      assertEquals(await sitesOf(stores[0]).fingerprint("coast"), `${first}`);
      assertEquals(await sitesOf(stores[0]).edition("coast"), 1);
    });

    it("stores different sites concurrently, with one number for their common dataset", async () => {
      await Promise.all(stores.map((store, i) => putSite(store, numbered(i, `site ${i}`))));
      assertEquals([...(await sitesOf(stores[0]).siteFiles()).keys()], [
        "site 0",
        "site 1",
        "site 2",
      ]);
      assertEquals((await sitesOf(stores[0]).datasets()).map(({ id }) => id), [1]);
      assertEquals((await sitesOf(stores[0]).turbineIds()).length, 60);
    });

    it("joins equal orders that are placed concurrently", async () => {
      const placed = await Promise.all(Array.from(
        { length: 12 },
        (_, i) => stores[i % 3].orders.place({ ...order, id: `order-${i}` }, 0),
      ));
      assertEquals(new Set(placed.map(({ id }) => id)).size, 1);
      assertEquals((await stores[0].orders.unfinished()).length, 1);
    });

    it("lets an import pause for longer than other transactions, because it looks for its files", async () => {
      const timeout = await stores[0].transaction(async (all) => {
        const show = async () =>
          (await all.documents.engine.all("SHOW idle_in_transaction_session_timeout"))[0];
        const before = await show();
        await putSite(all, site());
        return [before, await show()];
      });
      const name = "idle_in_transaction_session_timeout";
      assertEquals(timeout, [{ [name]: "1min" }, { [name]: "10min" }]);
    });

    it("completes an order on points of a running import only after the import", async () => {
      const [importing, completing, watching] = stores;
      await putSite(importing, site());
      await importing.orders.place({ ...order, state: "approved" }, 0);
      const stored = Promise.withResolvers<void>();
      const committed = Promise.withResolvers<void>();
      const other = { ...point, file: "0d.parquet" };
      const imported = importing.transaction(async (all) => {
        await putSite(all, site({ fingerprint: "2", points: [other] }));
        stored.resolve();
        await committed.promise;
      });
      await stored.promise;
      let seen: StoredPoint[] | undefined;
      const completed = completing.transaction(async (all) => {
        const built = { token: "t", file: "0f.csv", expires: 0 };
        assert(await all.orders.update(order.id, { state: "complete", ...built }));
        seen = await sitesOf(all).points("era5");
      });
      const waiting = "SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted";
      while (!seen && (await watching.documents.engine.all(waiting)).length === 0);
      committed.resolve();
      await Promise.all([imported, completed]);
      assertEquals(seen, [other]);
    });

    it("shows an import and a revocation in the next request", async () => {
      const [first, ...others] = stores;
      await first.licences.put(licence);
      for (let number = 1; number <= 5; number++) {
        await putSite(first, numbered(number));
        await first.licences.addKey({ hash: `${number}`, serialNumber: "S-1", expires: null });
        for (const store of others.map((all) => all.forRequest())) {
          assert(await store.licences.findByKey(`${number}`));
          assertEquals((await sitesOf(store).months("coast 3"))[0].month_index, number);
          assertEquals((await sitesOf(store).turbine("coast 3"))?.edition, number);
        }
        await first.licences.removeKeys("S-1", `${number}`);
        for (const store of others.map((all) => all.forRequest())) {
          assertEquals(await store.licences.findByKey(`${number}`), undefined);
        }
      }
    });

    it("has all or nothing of a site if the server crashes while storing it", async () => {
      const [first, second] = stores;
      let number = 0;
      const putUntilFailure = async () => {
        while (true) await putSite(first, numbered(++number));
      };
      for (let round = 0; round < 3; round++) {
        const numberBefore = number;
        const failure = assertRejects(putUntilFailure);
        while (number < numberBefore + 3) await sitesOf(second).edition("coast");
        await server().crash();
        assert(isPassing(await failure));
        const lost = await assertRejects(() => sitesOf(second).turbineIds());
        assert(isPassing(lost));
        await server().start();
        const stored = Number(await sitesOf(second).fingerprint("coast"));
        assert(stored === number || stored === number - 1);
        const ids = await sitesOf(second).turbineIds();
        assertEquals(ids.length, 20);
        for (const id of ids) {
          const [{ month_index, revision }] = await sitesOf(second).months(id);
          const { edition } = (await sitesOf(second).turbine(id))!;
          assertEquals([month_index, revision, edition], [stored, edition, edition]);
        }
        assertEquals(
          await sitesOf(second).edition("coast"),
          (await sitesOf(second).turbine(ids[0]))!.edition,
        );
      }
    });
  });
});
