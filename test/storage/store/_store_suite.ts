/**
 * The suite that every store must pass, with SQLite or another database.
 *
 * @module
 */
import { putSite, SiteChangedError } from "../../../src/sites/keep/put_site.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { windIndicesCsv } from "../../../src/api/columns/columns.ts";
import { ArgumentError, ConfigurationError } from "../../../src/api/errors.ts";
import type { World } from "../../../src/api/world.ts";
import { sha256 } from "../../../src/disk/hashes.ts";
import { issueKey, MAX_REQUESTED_KEYS } from "../../../src/service/licences/licences.ts";
import type { BuiltOrder, Order } from "../../../src/storage/store/orders.ts";
import type { StoredMonth, StoredPoint } from "../../../src/sites/keep/site_record.ts";
import type { Store } from "../../../src/storage/store/store.ts";
import { builtOrder } from "./_orders.ts";
import { fillStore, readAnswers, readDocuments } from "./_contents.ts";
import {
  dataset,
  licence,
  month,
  type Months,
  order,
  pickFigures,
  point,
  site,
  turbine,
} from "./_records.ts";
import { type Sites, sitesOf } from "../../../src/sites/keep/sites.ts";
import { listSiteFiles, wantedFiles } from "../../../src/sites/keep/named_files.ts";
import type { KeyWay, NewKey } from "../../../src/storage/store/licences.ts";

/** The parts of the store. */
type Parts = Pick<Store, "licences" | "orders">;

/** Fields of an order that a test may set. */
type OwnOrder = Partial<Omit<BuiltOrder, "state">> & Partial<Pick<Order, "state">>;

/** A call of each method of a part of the store. */
type PartCalls<Part> = { readonly [Name in keyof Part]: () => Promise<unknown> };

/** Opens the store in a folder, and creates it if it is missing. */
export type OpenStore = (folder: string, world?: World) => Store | Promise<Store>;

/**
 * Tests a store.
 *
 * @param name Name of the store
 * @param open Opens the store
 */
export function storeSuite(name: string, open: OpenStore): void {
  describe(name, () => {
    let folder: string;
    let store: Store;

    beforeEach(async () => {
      folder = await Deno.makeTempDir();
      store = await open(folder);
    });
    afterEach(async () => {
      await store.close();
      await Deno.remove(folder, { recursive: true });
    });

    async function reopen(): Promise<void> {
      await store.close();
      store = await open(folder);
    }

    describe("the world", () => {
      it("is the owner's by default", async () => {
        assertEquals(await store.world(), "own");
      });

      it("is set by the first opening, even if a later one names another", async () => {
        const other = await Deno.makeTempDir();
        await (await open(other, "sample")).close();
        const reopened = await open(other, "own");
        try {
          assertEquals(await reopened.world(), "sample");
        } finally {
          await reopened.close();
          await Deno.remove(other, { recursive: true });
        }
      });
    });

    describe("licences and keys", () => {
      it("are read as stored, also after reopening", async () => {
        const open = { ...licence, serialNumber: "S-2", expires: null, turbines: null };
        await store.licences.put(licence);
        await store.licences.put({ ...open, datasets: null });
        await reopen();
        assertEquals(await store.licences.get("S-1"), licence);
        assertEquals(await store.licences.get("S-2"), { ...open, datasets: null });
      });

      it("are not found if missing", async () => {
        assertEquals(await store.licences.get("S-1"), undefined);
        assertEquals(await store.licences.findByKey("0c"), undefined);
      });

      it("are replaced under the same serial number, and their keys stay", async () => {
        await store.licences.put(licence);
        await store.licences.addKey({ hash: "0c", serialNumber: "S-1", expires: null });
        const renewed = { ...licence, expires: null, email: "b@example.com", datasets: ["era5"] };
        await store.licences.put(renewed);
        const [key] = await store.licences.keys("S-1");
        assertEquals(key.hash, "0c");
        assertEquals(await store.licences.findByKey("0c"), { licence: renewed, key });
      });

      it("are found by a key with changes by another opening at once", async () => {
        await store.licences.put(licence);
        await store.licences.addKey({ hash: "0c", serialNumber: "S-1", expires: null });
        await store.licences.addKey({ hash: "0d", serialNumber: "S-1", expires: null });
        const other = await open(folder);
        try {
          const find = async (hash: string) => (await store.licences.findByKey(hash))?.licence;
          assertEquals([await find("0c"), await find("0d")], [licence, licence]);
          const narrowed = { ...licence, turbines: [] };
          await other.licences.put(narrowed);
          assertEquals(await find("0c"), narrowed);
          await other.licences.removeKeys("S-1", "0c");
          assertEquals([await find("0c"), await find("0d")], [undefined, narrowed]);
          await store.licences.put(licence);
          assertEquals(await find("0d"), licence);
          await store.licences.removeKeys("S-1");
          assertEquals(await find("0d"), undefined);
        } finally {
          await other.close();
        }
      });

      it("have several keys, each with its end", async () => {
        await store.licences.put(licence);
        for (const [hash, expires] of [["0c", "2999-12-31"], ["0d", null]] as const) {
          await store.licences.addKey({ hash, serialNumber: "S-1", expires });
        }
        await reopen();
        assertEquals((await store.licences.findByKey("0c"))?.key.expires, "2999-12-31");
        assertEquals((await store.licences.findByKey("0d"))?.key.expires, null);
      });

      it("do not count expired keys, which still say that they have expired", async () => {
        await store.licences.put(licence);
        const today = Temporal.Now.plainDateISO("UTC");
        const add = (hash: string, days: number) =>
          store.licences.addKey({
            hash,
            serialNumber: "S-1",
            expires: today.add({ days }).toString(),
          });
        await add("0c", 1);
        await add("0d", -1);
        assertEquals((await store.licences.all())[0].keys, 1);
        await add("0e", 1);
        assertEquals((await store.licences.findByKey("0d"))?.licence, licence);
        assertEquals((await store.licences.all())[0].keys, 2);
      });

      it("lose only the removed key, and none if it is unknown", async () => {
        await store.licences.put(licence);
        for (const hash of ["0c", "0d"]) {
          await store.licences.addKey({ hash, serialNumber: "S-1", expires: null });
        }
        for (const hash of ["0c", "unknown"]) await store.licences.removeKeys("S-1", hash);
        assertEquals(await store.licences.findByKey("0c"), undefined);
        assert(await store.licences.findByKey("0d"));
      });

      it("are listed by serial number, with the number of their keys but no key", async () => {
        assertEquals(await store.licences.all(), []);
        const other = { ...licence, serialNumber: "S-0", turbines: null };
        for (const entry of [licence, other]) await store.licences.put(entry);
        for (const hash of ["0c", "0d"]) {
          await store.licences.addKey({ hash, serialNumber: "S-1", expires: null });
        }
        await reopen();
        assertEquals(await store.licences.all(), [
          { licence: other, keys: 0 },
          { licence, keys: 2 },
        ]);
      });

      it("are removed with only their keys and orders, at once for another opening too", async () => {
        for (const serialNumber of ["S-1", "S-2"]) {
          await store.licences.put({ ...licence, serialNumber });
          await store.licences.addKey({ hash: `key ${serialNumber}`, serialNumber, expires: null });
          const orderFields = { id: serialNumber, serialNumber, token: `token ${serialNumber}` };
          const built = { state: "complete", file: "0f.csv", expires: 0 } as const;
          await store.orders.place({ ...order, ...built, ...orderFields }, 0);
        }
        await store.licences.addKey({ hash: "0d", serialNumber: "S-1", expires: null });
        const other = await open(folder);
        try {
          assert(await other.licences.findByKey("key S-1"));
          assertEquals(await store.licences.remove("S-1"), 2);
          for (const opening of [store, other]) {
            assertEquals(await opening.licences.get("S-1"), undefined);
            for (const hash of ["key S-1", "0d"]) {
              assertEquals(await opening.licences.findByKey(hash), undefined);
            }
            assertEquals(await opening.orders.get("S-1"), undefined);
            assertEquals(await opening.orders.findByToken("token S-1"), undefined);
            assertEquals((await opening.licences.all()).map(({ keys }) => keys), [1]);
            assertEquals(
              (await opening.licences.findByKey("key S-2"))?.licence.serialNumber,
              "S-2",
            );
            assertEquals((await opening.orders.findByToken("token S-2"))?.id, "S-2");
          }
        } finally {
          await other.close();
        }
      });

      it("leave nothing to a later licence with the same serial number", async () => {
        await store.licences.put(licence);
        await store.licences.addKey({ hash: "0c", serialNumber: "S-1", expires: null });
        await store.orders.place(order, 0);
        await store.licences.remove("S-1");
        await store.licences.put(licence);
        assertEquals(await store.licences.all(), [{ licence, keys: 0 }]);
        assertEquals(await store.licences.findByKey("0c"), undefined);
        assertEquals(await store.orders.get("order-1"), undefined);
      });

      it("report nothing removed if there was none", async () => {
        assertEquals(await store.licences.remove("S-1"), undefined);
        await store.licences.put(licence);
        assertEquals(await store.licences.remove("s-1"), undefined);
        assertEquals(await store.licences.remove("S-1"), 0);
        assertEquals(await store.licences.remove("S-1"), undefined);
      });

      it("R6: list their valid keys in the order of issue, with time and way", async () => {
        await store.licences.put(licence);
        await store.licences.put({ ...licence, serialNumber: "S-2" });
        const key = (hash: string, more: Partial<NewKey> = {}): NewKey => ({
          hash,
          serialNumber: "S-1",
          expires: null,
          ...more,
        });
        for (
          const one of [
            key("0b", { way: "sign-in", issued: 2, expires: "2999-12-31" }),
            key("0c", { way: "request", issued: 1 }),
            key("0d"),
            key("0e", { issued: 3, expires: "2020-12-31" }),
            key("0f", { issued: 4, serialNumber: "S-2" }),
          ]
        ) await store.licences.addKey(one);
        await reopen();
        assertEquals(await store.licences.keys("S-1"), [
          { ...key("0d"), way: null, issued: null },
          { ...key("0c"), way: "request", issued: 1 },
          { ...key("0b"), way: "sign-in", issued: 2, expires: "2999-12-31" },
        ]);
        assertEquals(await store.licences.keys("nobody"), []);
      });

      it("R6: keep ten requested keys: an eleventh ends the oldest; other keys do not count", async () => {
        await store.licences.put(licence);
        const issue = async (way: KeyWay) => {
          const hash = sha256(await issueKey(licence, store.licences, way));
          for (const now = Date.now(); Date.now() === now;); // each at a different instant
          return hash;
        };
        const others = [await issue("command"), await issue("sign-in")];
        const requested: string[] = [];
        for (let i = 0; i < MAX_REQUESTED_KEYS + 3; i++) requested.push(await issue("request"));
        others.push(await issue("command"));
        const left = new Set((await store.licences.keys("S-1")).map(({ hash }) => hash));
        assertEquals(left, new Set([...others, ...requested.slice(3)]));
        for (const hash of requested.slice(0, 3)) {
          assertEquals(await store.licences.findByKey(hash), undefined);
        }
      });

      it("R6: keep ten keys even if many are requested at once, by several openings", async () => {
        await store.licences.put(licence);
        const other = await open(folder);
        try {
          await Promise.all(
            Array.from(
              { length: 40 },
              (_, i) => issueKey(licence, (i % 2 ? store : other).licences, "request"),
            ),
          );
          const last = sha256(await issueKey(licence, other.licences, "request"));
          const keys = await store.licences.keys("S-1");
          assertEquals(keys.length, MAX_REQUESTED_KEYS);
          assert(keys.some(({ hash }) => hash === last));
        } finally {
          await other.close();
        }
      });

      it("are needed before a key", async () => {
        await assertRejects(async () =>
          await store.licences.addKey({ hash: "0c", serialNumber: "nobody", expires: null })
        );
        assertEquals(await store.licences.findByKey("0c"), undefined);
      });
    });

    describe("a site", () => {
      it("is read completely, also after reopening", async () => {
        const record = site();
        await putSite(store, record);
        await reopen();
        const [expected] = record.turbines;
        const { attribution } = dataset;
        const stored = { ...expected.stored, site: "coast", attribution, edition: 1 };
        assertEquals(await sitesOf(store).fingerprint("coast"), "1");
        assertEquals(await sitesOf(store).turbineIds(), ["T1"]);
        const { published, ...turbine } = (await sitesOf(store).turbine("T1"))!;
        assertEquals(turbine, stored);
        const [{ at, ...first }, ...later] = published!;
        assertEquals([first, later], [{ edition: 1, production: null }, []]);
        assert(Math.abs(Date.now() - at) < 600_000);
        assertEquals(await sitesOf(store).points("era5"), [point]);
        assertEquals((await sitesOf(store).months("T1")).map(pickFigures), [
          { ...month(1), revision: 1 },
          { ...month(2), revision: 1 },
        ]);
        const { id, ...known } = (await sitesOf(store).dataset("era5"))!;
        assertEquals(known, dataset);
        assert(Number.isSafeInteger(id));
        assertEquals(await sitesOf(store).datasets(), [{ id, ...known }]);
      });

      it("records when its last editions with news were stored, with one time for all turbines", async () => {
        const ids = Array.from({ length: 60 }, (_, i) => `T${i + 10}`); // more than one batch
        const put = async (...months: Months) =>
          await putSite(store, site({ turbines: ids.map((id) => turbine(id, months)) }));
        for (let i = 0; i < 30; i++) {
          await put(month(1, { month_index: 100 + i }));
          if (i === 20) await put(month(1, { month_index: 120 })); // no news
        }
        const all = await sitesOf(store).turbines(ids);
        const [{ published }] = all;
        assertEquals(published!.map(({ edition }) => edition), [
          ...Array.from({ length: 15 }, (_, i) => 7 + i),
          ...Array.from({ length: 9 }, (_, i) => 23 + i),
        ]);
        for (const one of all) assertEquals(one.published, published);
      });

      it("has the site file of its last import, if any", async () => {
        await putSite(store, site({ siteFile: "/srv/wind/site.json" }));
        await reopen();
        assertEquals([...await sitesOf(store).siteFiles()], [["coast", "/srv/wind/site.json"]]);
        await sitesOf(store).setSiteFile("coast", "/srv/moved.json");
        await store.verify();
        assertEquals([...await sitesOf(store).siteFiles()], [["coast", "/srv/moved.json"]]);
        await putSite(store, site());
        assertEquals([...await sitesOf(store).siteFiles()], [["coast", undefined]]);
      });

      it("is not found where it is missing", async () => {
        assertEquals(await sitesOf(store).fingerprint("coast"), undefined);
        assertEquals(await sitesOf(store).edition("coast"), 0);
        assertEquals(await sitesOf(store).turbine("T1"), undefined);
        assertEquals(await sitesOf(store).dataset("era5"), undefined);
        assertEquals([await sitesOf(store).turbineIds(), await sitesOf(store).datasets()], [
          [],
          [],
        ]);
        assertEquals([await sitesOf(store).points("era5"), await sitesOf(store).months("T1")], [
          [],
          [],
        ]);
        assertEquals(await sitesOf(store).month("T1", 2023, 1), undefined);
      });

      it("removes what its next record no longer names", async () => {
        const far = { ...point, latitude: 60 };
        await putSite(
          store,
          site({
            points: [point, far],
            turbines: [turbine("T1", [month(1)]), turbine("T2", [month(1)])],
          }),
        );
        await putSite(store, site({ points: [far], turbines: [turbine("T2", [month(1)])] }));
        assertEquals(await sitesOf(store).turbineIds(), ["T2"]);
        assertEquals(await sitesOf(store).months("T1"), []);
        assertEquals(await sitesOf(store).points("era5"), [far]);
      });

      it("keeps turbines that its next record only names", async () => {
        const [one, two] = [turbine("T1", [month(1)]), turbine("T2", [month(1)])];
        await putSite(store, site({ turbines: [one, two] }));
        const read = async (id: string) => [
          await sitesOf(store).turbine(id),
          await sitesOf(store).months(id),
          await sitesOf(store).calibration(id, 1),
        ];
        const before = await read("T1");
        const revised = await putSite(
          store,
          site({
            turbines: [turbine("T2", [month(1, { month_index: 1 })])],
            keptTurbines: ["T1"],
          }),
        );
        assertEquals([...revised.keys()], ["T2"]);
        assertEquals(await sitesOf(store).turbineIds(), ["T1", "T2"]);
        assertEquals(await read("T1"), before);
        assertEquals((await sitesOf(store).turbine("T2"))!.edition, 2);
        assert((await wantedFiles(store, 0)).includes(one.stored.modelFile!));
        await store.verify();
      });

      it("is not stored if a turbine to be kept is not stored", async () => {
        await putSite(store, site({ site: "hill", turbines: [turbine("T9", [])] }));
        await putSite(store, site());
        for (const missing of ["T2", "T9"]) {
          const record = site({ fingerprint: "2", turbines: [], keptTurbines: ["T1", missing] });
          await assertRejects(() => putSite(store, record), SiteChangedError);
        }
        assertEquals(await sitesOf(store).fingerprint("coast"), "1");
        assertEquals(await sitesOf(store).turbineIds(), ["T1", "T9"]);
      });

      it("leaves turbines and points of other sites alone", async () => {
        const far = { ...point, latitude: 60 };
        await putSite(store, site());
        await putSite(store, site({ site: "hill", points: [far], turbines: [turbine("T9", [])] }));
        await putSite(store, site({ site: "hill", points: [], turbines: [] }));
        assertEquals(await sitesOf(store).turbineIds(), ["T1"]);
        assertEquals(await sitesOf(store).points("era5"), [point]);
      });

      it("is stored completely or not at all", async () => {
        await putSite(store, site());
        const before = [
          await sitesOf(store).turbine("T1"),
          await sitesOf(store).points("era5"),
          await sitesOf(store).datasets(),
        ];
        const broken = month(3, { completeness: null as never });
        // Everything is valid except the last month of the last turbine.
        const record = site({
          fingerprint: "2",
          datasets: [{ ...dataset, shortDescription: "other" }],
          points: [{ ...point, file: "0d.parquet" }, { ...point, latitude: 60 }],
          turbines: [turbine("T1", [month(1, { month_index: 1 })]), turbine("T2", [broken])],
        });
        await assertRejects(async () => await putSite(store, record));
        assertEquals(await sitesOf(store).fingerprint("coast"), "1");
        assertEquals(
          [
            await sitesOf(store).turbine("T1"),
            await sitesOf(store).points("era5"),
            await sitesOf(store).datasets(),
          ],
          before,
        );
        assertEquals(await sitesOf(store).turbineIds(), ["T1"]);
        assertEquals((await sitesOf(store).months("T1")).map(pickFigures), [
          { ...month(1), revision: 1 },
          { ...month(2), revision: 1 },
        ]);
        // The store still works.
        await putSite(store, site({ fingerprint: "3" }));
        assertEquals(await sitesOf(store).fingerprint("coast"), "3");
      });

      it("is replaced under its name; all datasets keep their numbers", async () => {
        await putSite(store, site());
        const elsewhere = { ...dataset, serviceId: "other" };
        await putSite(
          store,
          site({
            site: "hill",
            datasets: [elsewhere],
            points: [{ ...point, serviceId: "other" }],
            turbines: [turbine("T2", [])],
          }),
        );
        const numbers = (await sitesOf(store).datasets()).map((
          { id, serviceId },
        ) => [id, serviceId]);
        await putSite(
          store,
          site({
            fingerprint: "2",
            datasets: [{ ...dataset, url: "" }],
            points: [{ ...point, hours: 1 }],
          }),
        );
        assertEquals(
          (await sitesOf(store).datasets()).map(({ id, serviceId }) => [id, serviceId]),
          numbers,
        );
        assertEquals((await sitesOf(store).dataset("era5"))!.url, "");
        assertEquals((await sitesOf(store).points("era5")).map(({ hours }) => hours), [1]);
        assertEquals((await sitesOf(store).points("other")).length, 1);
        assertEquals(await sitesOf(store).fingerprint("hill"), "1");
      });

      it("is rejected if computed from another edition than the stored one", async () => {
        const other = await open(folder);
        try {
          for (const opening of [store, other]) {
            assertEquals(await sitesOf(opening).edition("coast"), 0);
          }
          await putSite(store, site(), 0);
          const late = site({ fingerprint: "2", points: [], turbines: [] });
          await assertRejects(() => putSite(other, late, 0), SiteChangedError, '"coast"');
          assertEquals(await sitesOf(other).fingerprint("coast"), "1");
          assertEquals(await sitesOf(other).turbineIds(), ["T1"]);
          assertEquals(await sitesOf(other).edition("coast"), 1);
          await putSite(other, site({ fingerprint: "2" }), 1);
          await assertRejects(() => putSite(store, site(), 1), SiteChangedError);
          assertEquals([
            await sitesOf(store).edition("coast"),
            await sitesOf(store).edition("hill"),
          ], [
            2,
            0,
          ]);
        } finally {
          await other.close();
        }
      });

      it("counts the editions of each of its turbines", async () => {
        await putSite(store, site());
        await putSite(store, site({ turbines: [turbine("T1", [month(1)]), turbine("T2", [])] }));
        const editions = ["T1", "T2"].map(async (id) =>
          (await sitesOf(store).turbine(id))?.edition
        );
        assertEquals(await Promise.all(editions), [2, 1]);
      });

      it("never takes a turbine from another site", async () => {
        await putSite(store, site());
        await assertRejects(
          () => putSite(store, site({ site: "hill" })),
          ArgumentError,
          'the turbine "T1" belongs to the site "coast"',
        );
        assertEquals((await sitesOf(store).turbine("T1"))?.site, "coast");
        assertEquals(await sitesOf(store).fingerprint("hill"), undefined);
      });

      it("keeps the attribution of its data, even if another site has the same dataset", async () => {
        const far = { ...point, latitude: 60 };
        const others = [{ ...dataset, attribution: ["Another"] }];
        await putSite(store, site());
        await putSite(
          store,
          site({ site: "hill", datasets: others, points: [far], turbines: [turbine("T2", [])] }),
        );
        const lines = ["T1", "T2"].map(async (id) =>
          (await sitesOf(store).turbine(id))?.attribution
        );
        assertEquals(await Promise.all(lines), [dataset.attribution, ["Another"]]);
        assertEquals((await sitesOf(store).points("era5")).map(({ attribution }) => attribution), [
          dataset.attribution,
          ["Another"],
        ]);
      });

      it("lists turbines by identifier", async () => {
        const turbines = ["T2", "B", "T1"].map((id) => turbine(id, []));
        await putSite(store, site({ turbines }));
        assertEquals(await sitesOf(store).turbineIds(), ["B", "T1", "T2"]);
      });

      it("lists turbines page by page, each after the last one of the page before", async () => {
        const turbines = ["T2", "B", "T1", "é", "a"].map((id) => turbine(id, []));
        await putSite(store, site({ turbines }));
        assertEquals(await sitesOf(store).nextTurbineIds("", 2), ["B", "T1"]);
        assertEquals(await sitesOf(store).nextTurbineIds("T1", 2), ["T2", "a"]);
        assertEquals(await sitesOf(store).nextTurbineIds("a", 2), ["é"]);
        assertEquals(await sitesOf(store).nextTurbineIds("é", 2), []);
        assertEquals(await sitesOf(store).nextTurbineIds("T", 1), ["T1"]); // after an identifier that does not exist
      });

      it("selects the identifiers that turbines have, each once", async () => {
        const turbines = ["T2", "B", "T1"].map((id) => turbine(id, []));
        await putSite(store, site({ turbines }));
        const wanted = ["T77", "T2", "'", "B", "T2", "t1"];
        assertEquals(await sitesOf(store).findTurbineIds(wanted), ["B", "T2"]);
        assertEquals(await sitesOf(store).findTurbineIds([]), []);
      });

      it("return several turbines at once, each with its months", async () => {
        await putSite(
          store,
          site({
            turbines: [
              turbine("T2", [month(11), month(12)]),
              turbine("B", []),
              turbine("T1", [month(1)]),
            ],
          }),
        );
        await putSite(
          store,
          site({
            turbines: [turbine("T2", [month(11, { month_index: 7 })]), turbine("B", [])],
          }),
        );
        const wanted = ["T2", "T77", "B", "T2"];
        assertEquals(await sitesOf(store).turbines(wanted), [
          (await sitesOf(store).turbine("B"))!,
          (await sitesOf(store).turbine("T2"))!,
        ]);
        const months = await sitesOf(store).months("T2");
        assertEquals(months.map(({ month_index }) => month_index), [7, null]);
        assertEquals([...await sitesOf(store).fleetMonths(wanted)], [["T2", months]]);
        assertEquals(await sitesOf(store).turbines([]), []);
        assertEquals((await sitesOf(store).fleetMonths([])).size, 0);
      });

      it("have a new version after each import that stores something, for all openings", async () => {
        const other = await open(folder);
        try {
          const versions = [await sitesOf(store).version()];
          for (const fingerprint of ["1", "1", "2"]) { // repeated: figures may differ even then
            await putSite(store, site({ fingerprint }));
            assertEquals(await sitesOf(other).version(), await sitesOf(store).version());
            versions.push(await sitesOf(store).version());
          }
          assertEquals(new Set(versions).size, 4);
          await sitesOf(store).setSiteFile("coast", "/data/coast.json");
          await store.orders.place(order, 0);
          assertEquals(await sitesOf(store).version(), versions[3]);
        } finally {
          await other.close();
        }
      });
    });

    it("is as new as the request, and newer after its version was read", async () => {
      const other = await open(folder);
      try {
        const read = async (store: Store) =>
          (await sitesOf(store).month("T1", 2023, 1))?.month_index;
        const put = (month_index: number) =>
          putSite(other, site({ turbines: [turbine("T1", [month(1, { month_index })])] }));
        await put(90);
        const early = store.forRequest();
        const version = await sitesOf(early).version();
        assertEquals(await read(early), 90);
        await put(91);
        assertEquals([await read(store), await read(store.forRequest())], [91, 91]);
        assert([90, 91].includes((await read(early))!));
        assert(await sitesOf(early).version() !== version);
        assertEquals(await read(early), 91);
      } finally {
        await other.close();
      }
    });

    describe("the last months with figures", () => {
      const none = { month_index: null };
      const last = async (...ids: string[]) =>
        (await sitesOf(store).lastMonths(ids)).map((
          { turbine_id, year, month },
        ) => [turbine_id, year, month]);

      it("are those of the requested turbines, by identifier", async () => {
        const months = [month(12), month(1, { year: 2024 }), month(2, { year: 2024 })];
        await putSite(
          store,
          site({
            turbines: [
              turbine("T2", [month(11), month(12)]),
              turbine("B", months),
              turbine("T1", []),
            ],
          }),
        );
        assertEquals(await last("T2", "T1", "B", "T77"), [["B", 2024, 2], ["T2", 2023, 12]]);
        assertEquals(await last("T2"), [["T2", 2023, 12]]);
        assertEquals(await last(), []);
      });

      it("skip months without figures, and turbines without any", async () => {
        await putSite(
          store,
          site({
            turbines: [
              turbine("T1", [month(1), month(2, none), month(3, none)]),
              turbine("T2", [month(1, none)]),
            ],
          }),
        );
        assertEquals(await last("T1", "T2"), [["T1", 2023, 1]]);
      });

      it("use the latest revision of a month, which may have lost or gained figures", async () => {
        const put = (...months: Months[number][]) =>
          putSite(store, site({ turbines: [turbine("T1", months)] }));
        await put(month(1), month(2));
        await put(month(1), month(2, none));
        assertEquals(await last("T1"), [["T1", 2023, 1]]);
        await put(month(1), month(2), month(3));
        assertEquals(await last("T1"), [["T1", 2023, 3]]);
        await put(month(1), month(2));
        assertEquals(await last("T1"), [["T1", 2023, 2]]);
        await reopen();
        assertEquals(await last("T1"), [["T1", 2023, 2]]);
      });
    });

    describe("months", () => {
      const put = async (...months: Months[number][]) =>
        await putSite(store, site({ turbines: [turbine("T1", months)] }));
      const revisions = async () =>
        (await sitesOf(store).months("T1")).map(({ month, revision }) => [month, revision]);

      it("get no new revision for the same figures", async () => {
        await put(month(1), month(2, { month_index: null }));
        await put(month(1), month(2, { month_index: null }));
        assertEquals(await revisions(), [[1, 1], [2, 1]]);
      });

      it("get no new revision for a difference in the last digits", async () => {
        await put(month(1, { predicted_production: 600 }));
        await put(month(1, { predicted_production: 600 * (1 + 1e-12) }));
        assertEquals(await revisions(), [[1, 1]]);
      });

      for (
        const [label, change] of Object.entries<Partial<StoredMonth>>({
          "another figure": { last12_month_index: 99 },
          "a figure that is gone": { month_index: null },
          "another completeness": { completeness: 0.99 },
          "another state": { status: "preliminary" },
        })
      ) {
        it(`get a new revision for ${label}, and the old one stays readable`, async () => {
          await put(month(1), month(2));
          await put(month(1, change), month(2));
          await reopen();
          assertEquals(await revisions(), [[1, 2], [2, 1]]);
          assertEquals(pickFigures(await sitesOf(store).month("T1", 2023, 1)), {
            ...month(1, change),
            revision: 2,
          });
          assertEquals(pickFigures(await sitesOf(store).month("T1", 2023, 1, 1)), {
            ...month(1),
            revision: 1,
          });
        });
      }

      it("get a new revision even for a return to earlier figures", async () => {
        for (const value of [1, 2, 1]) await put(month(1, { month_index: value }));
        assertEquals(await revisions(), [[1, 3]]);
      });

      it("lose their figures in a new revision if gone", async () => {
        await put(month(1), month(2));
        await put(month(1));
        const [, february] = await sitesOf(store).months("T1");
        assertEquals([february.month, february.revision], [2, 2]);
        assertEquals([february.month_index, february.completeness], [null, 0]);
        assertEquals(
          (await sitesOf(store).month("T1", 2023, 2, 1))?.month_index,
          month(2).month_index,
        );
      });

      it("are counted if their figures changed", async () => {
        assertEquals(
          await put(month(1), month(2)),
          new Map([["T1", { newEnergy: [], trailing: 0 }]]),
        );
        const changed = month(2, { month_index: 1 });
        const names = (newEnergy: readonly string[], trailing = 0) =>
          new Map([["T1", { newEnergy, trailing }]]);
        assertEquals(await put(month(1), changed, month(3)), names(["2023-02"]));
        assertEquals(await put(month(1)), names(["2023-02", "2023-03"]));
        const moved = month(1, { last12_month_index: 1 });
        assertEquals(await put(moved), names([], 1));
      });

      it("get no new revision for a resampled interval, and keep the published one", async () => {
        await put(month(1));
        await put(month(1, { predicted_production_low: 80, predicted_production_high: 130 }));
        assertEquals((await sitesOf(store).months("T1")).map(pickFigures), [{
          ...month(1),
          revision: 1,
        }]);
      });

      it("get a new revision for an added interval", async () => {
        const none = { predicted_production_low: null, predicted_production_high: null };
        await put(month(1, none));
        await put(month(1, none));
        await put(month(1));
        assertEquals((await sitesOf(store).months("T1")).map(pickFigures), [{
          ...month(1),
          revision: 2,
        }]);
        assertEquals(pickFigures(await sitesOf(store).month("T1", 2023, 1, 1)), {
          ...month(1, none),
          revision: 1,
        });
      });

      it("get the interval of their revision with other figures", async () => {
        await put(month(1));
        const otherFigures = { month_index: 1, predicted_production_low: 80 };
        await put(month(1, otherFigures));
        assertEquals(pickFigures(await sitesOf(store).month("T1", 2023, 1)), {
          ...month(1, otherFigures),
          revision: 2,
        });
        assertEquals(pickFigures(await sitesOf(store).month("T1", 2023, 1, 1)), {
          ...month(1),
          revision: 1,
        });
      });

      it("have no interval if gone", async () => {
        await put(month(1));
        await put();
        const gone = (await sitesOf(store).month("T1", 2023, 1))!;
        assertEquals([gone.revision, gone.predicted_production], [2, null]);
        assertEquals([gone.predicted_production_low, gone.predicted_production_high], [null, null]);
      });

      it("can be read as of an edition, with the calibration of that time", async () => {
        const published = async (revision: number, k: number, months: Months) => {
          const { stored } = turbine("T1", months);
          const calibration = {
            ...stored.calibration!,
            revision,
            calibration: { ...stored.calibration!.calibration, k },
          };
          const turbines = [{ stored: { ...stored, calibration }, months }];
          return await putSite(store, site({ turbines }));
        };
        const [january, february] = [month(1), month(2)];
        const replaced = month(2, { month_index: 1 });
        await published(1, 0.9, [january, february]);
        await published(1, 0.9, [january, february, month(3)]); // the calibration holds
        await published(1, 0.9, [january, replaced, month(3)]);
        await published(2, 0.95, [month(1, { month_index: 2 }), replaced, month(3)]);
        await reopen();
        const at = async (edition?: number) =>
          (await sitesOf(store).months("T1", edition)).map((entry) => [
            entry.month,
            entry.revision,
            entry.edition,
            entry.calibration,
          ]);
        assertEquals(await at(0), []);
        assertEquals(await at(1), [[1, 1, 1, 1], [2, 1, 1, 1]]);
        assertEquals(await at(2), [[1, 1, 1, 1], [2, 1, 1, 1], [3, 1, 2, 1]]);
        assertEquals(await at(3), [[1, 1, 1, 1], [2, 2, 3, 1], [3, 1, 2, 1]]);
        assertEquals(await at(4), [[1, 2, 4, 2], [2, 2, 3, 1], [3, 1, 2, 1]]);
        assertEquals(await at(5), await at(4));
        assertEquals(await at(), await at(4));
        assertEquals((await sitesOf(store).months("T1", 1)).map(pickFigures), [
          { ...january, revision: 1 },
          { ...february, revision: 1 },
        ]);
        assertEquals((await sitesOf(store).turbine("T1"))!.edition, 4);
        assertEquals((await sitesOf(store).calibration("T1", 1))?.calibration.k, 0.9);
        assertEquals((await sitesOf(store).calibration("T1", 2))?.calibration.k, 0.95);
        assertEquals(await sitesOf(store).calibration("T1", 3), undefined);
        const { calibration, nextRevision } = await sitesOf(store).latestCalibration("T1");
        assertEquals([calibration?.calibration.k, nextRevision], [0.95, 3]);
        const none = { calibration: null, nextRevision: 1 };
        assertEquals(await sitesOf(store).latestCalibration("absent"), none);
      });

      it("are replaced after the last one with figures: their first published row is the second revision", async () => {
        const partial = (completeness: number, figures: Partial<StoredMonth> = {}) => {
          const none = windIndicesCsv.filter((one) => !one.notNull && one.name !== "revision")
            .map(({ name }) => [name, null] as const);
          return month(2, { ...Object.fromEntries(none), completeness, ...figures });
        };
        for (const part of [0.1, 0.2, 0.3]) await put(month(1), partial(part));
        await reopen();
        assertEquals(await revisions(), [[1, 1], [2, 1]]);
        const [, february] = await sitesOf(store).months("T1", 1);
        assertEquals([february.completeness, february.edition], [0.3, 1]);
        await put(month(1), month(2));
        assertEquals(await revisions(), [[1, 1], [2, 2]]);
        await put(month(1), partial(0.5));
        await put(month(1), partial(0.6, { status: "preliminary" }));
        assertEquals(await revisions(), [[1, 1], [2, 3]]);
        assertEquals((await sitesOf(store).month("T1", 2023, 2, 2))?.completeness, 1);
        await put(month(1), partial(0.6), month(3));
        await put(month(1), partial(0.7), month(3)); // reports of March have February in their history
        assertEquals(await revisions(), [[1, 1], [2, 4], [3, 1]]);
        await store.verify();
      });

      it("begin with revision 1", async () => {
        await put(month(1));
        await put(month(1, { month_index: 1 }), month(2));
        assertEquals(await revisions(), [[1, 2], [2, 1]]);
      });

      it("have no revision beyond the latest", async () => {
        await put(month(1));
        assertEquals(await sitesOf(store).month("T1", 2023, 1, 2), undefined);
        assertEquals(await sitesOf(store).month("T1", 2023, 1, 0), undefined);
      });

      it("are listed in order of time, separately for each turbine", async () => {
        const months = [month(2), month(12, { year: 2022 }), month(1)];
        const turbines = [turbine("T1", months), turbine("T2", [month(7)])];
        await putSite(store, site({ turbines }));
        const listed = (await sitesOf(store).months("T1")).map(({ year, month }) => [year, month]);
        assertEquals(listed, [[2022, 12], [2023, 1], [2023, 2]]);
        assertEquals((await sitesOf(store).months("T2")).length, 1);
      });

      it("keep figures to the last bit", async () => {
        const value = 0.1 + 0.2;
        await put(month(1, { month_index: value }));
        await reopen();
        assertEquals((await sitesOf(store).month("T1", 2023, 1))!.month_index, value);
      });
    });

    describe("points", () => {
      it("are listed by dataset, from south-west to north-east", async () => {
        const at = (latitude: number, longitude: number) => ({ ...point, latitude, longitude });
        await putSite(store, site({ points: [at(56, 8), at(-3, 8), at(56, -8)] }));
        const places = (await sitesOf(store).points("era5")).map((stored) => [
          stored.latitude,
          stored.longitude,
        ]);
        assertEquals(places, [[-3, 8], [56, -8], [56, 8]]);
      });

      it("of several sites at one place stay apart: the longest series is served, of equal ones the latest", async () => {
        const file = async () =>
          (await sitesOf(store).points("era5")).map((
            { file, attribution },
          ) => [file, ...attribution]);
        const putPoint = async (name: string, pointFields: Partial<StoredPoint>) =>
          await putSite(
            store,
            site({
              site: name,
              datasets: [{ ...dataset, attribution: [name] }],
              points: [{ ...point, file: `${name}.parquet`, ...pointFields }],
              turbines: [turbine(`T ${name}`, [])],
            }),
          );
        await putPoint("a", {});
        await putPoint("b", { hours: point.hours - 1 });
        assertEquals(await file(), [["a.parquet", "a"]]);
        await putPoint("c", { start: point.start + 3_600_000 });
        await putPoint("d", {});
        assertEquals(await file(), [["c.parquet", "c"]]);
        for (const name of ["a", "b", "c", "d"]) {
          const files = (await listSiteFiles(store.documents, name)).map(({ name }) => name);
          assertEquals(files, [`${name}.parquet`, "0b.parquet"]);
        }
        await putPoint("c", { latitude: 60 });
        await reopen();
        assertEquals(await file(), [["a.parquet", "a"], ["c.parquet", "c"]]);
        await store.verify();
      });

      it("in a file of several sites belong to each of them", async () => {
        await putSite(store, site());
        await putSite(store, site({ site: "hill", turbines: [turbine("T2", [])] }));
        for (const name of ["coast", "hill"]) {
          assertEquals((await listSiteFiles(store.documents, name)).length, 2);
        }
        assertEquals((await listSiteFiles(store.documents)).length, 2);
      });

      it("are replaced at the same position", async () => {
        await putSite(store, site());
        await putSite(store, site({ points: [{ ...point, elevation: 12, file: "0e.parquet" }] }));
        assertEquals(await sitesOf(store).points("era5"), [{
          ...point,
          elevation: 12,
          file: "0e.parquet",
        }]);
      });
    });

    describe("orders", () => {
      const now = 1e12;
      const result = { state: "complete", token: "t", file: "0f.csv", expires: now } as const;
      const place = async (orderFields: OwnOrder = {}, at = now) =>
        await store.orders.place({ ...order, ...orderFields } as Order, at);
      /** Places an order, and builds it. */
      const placeBuilt = async (orderFields: OwnOrder = {}) => {
        const { id } = await place({ ...orderFields, state: "approved" });
        assert(await store.orders.update(id, result));
      };
      /** Places an order with unique parameters, so it is not joined. */
      const placeAnother = async (id: string, orderFields: OwnOrder = {}) =>
        await place({ id, parameters: { start_year: id }, ...orderFields });

      it("are read as placed, also after reopening", async () => {
        assertEquals(await place(), order);
        await reopen();
        assertEquals(await store.orders.get("order-1"), order);
        assertEquals(await store.orders.get("order-2"), undefined);
      });

      for (const state of ["placed", "approved", "complete"] as const) {
        it(`join an equal one that is ${state}, also through another opening`, async () => {
          const stateFields = state === "complete" ? result : { state };
          await place(stateFields);
          const other = await open(folder);
          try {
            const { filetype, ...rest } = order.parameters;
            const parameters = { filetype, ...rest }; // in any order
            const joined = await other.orders.place({ ...order, id: "order-2", parameters }, now);
            assertEquals(joined, { ...order, ...stateFields });
            assertEquals(await store.orders.get("order-2"), undefined);
          } finally {
            await other.close();
          }
        });
      }

      for (const state of ["delivered", "failed"] as const) {
        it(`do not join an equal one that is ${state}`, async () => {
          await place(state === "failed" ? { state } : { ...result, state });
          assertEquals((await place({ id: "order-2" })).id, "order-2");
          assertEquals((await place({ id: "order-3" })).id, "order-2");
          assertEquals((await store.orders.get("order-1"))!.state, state);
        });
      }

      it("do not join an equal one after its data were replaced, but do if they stay", async () => {
        await putSite(store, site());
        await placeBuilt();
        await putSite(store, site({ fingerprint: "2" }));
        assertEquals((await place({ id: "order-2" })).id, "order-1");
        await putSite(
          store,
          site({ fingerprint: "3", points: [{ ...point, file: "0d.parquet" }] }),
        );
        assertEquals((await place({ id: "order-2" })).id, "order-2");
      });

      it("can be joined if another site adds a shorter series, but not if it adds a longer one", async () => {
        const putOther = (hours: number) =>
          putSite(
            store,
            site({
              site: "hill",
              points: [{ ...point, hours, file: `${hours}.parquet` }],
              turbines: [],
            }),
          );
        await putSite(store, site());
        await placeBuilt();
        await putOther(point.hours - 1);
        assertEquals((await place({ id: "order-2" })).id, "order-1");
        await putOther(point.hours + 1);
        assertEquals((await place({ id: "order-2" })).id, "order-2");
      });

      it("do not join an equal one after its site has lost the dataset", async () => {
        const other = { ...dataset, serviceId: "other" };
        const points = [point, { ...point, serviceId: "other" }];
        await putSite(store, site({ datasets: [dataset, other], points }));
        await placeBuilt({ serviceId: "other" });
        await putSite(store, site({ fingerprint: "2" }));
        assertEquals((await place({ id: "order-2", serviceId: "other" })).id, "order-2");
      });

      it("do not join an equal one after its address has expired", async () => {
        await placeBuilt();
        assertEquals((await place({ id: "order-2" }, now + 1)).id, "order-2");
      });

      for (
        const [label, difference] of Object.entries<OwnOrder>({
          "another licence": { serialNumber: "S-2" },
          "another dataset": { serviceId: "other" },
          "another parameter": { parameters: { ...order.parameters, start_year: 2021 } },
          "a parameter more": { parameters: { ...order.parameters, end_year: 2021 } },
          "text in the place of a number": {
            parameters: { ...order.parameters, start_year: "2020" },
          },
        })
      ) {
        it(`are separate for ${label}`, async () => {
          await place();
          assertEquals((await place({ id: "order-2", ...difference })).id, "order-2");
          assertEquals((await place({ id: "order-3" })).id, "order-1");
        });
      }

      it("change only in the named fields", async () => {
        await place();
        const another = await placeAnother("order-2");
        assert(await store.orders.update("order-1", { state: "approved" }));
        assertEquals(await store.orders.get("order-1"), { ...order, state: "approved" });
        await store.orders.update("order-1", result);
        assertEquals(await store.orders.get("order-1"), { ...order, ...result });
        await store.orders.update("order-1", { state: "delivered", expires: now - 1 });
        const ended = { ...order, ...result, state: "delivered", expires: now - 1 } as const;
        assertEquals(await store.orders.get("order-1"), ended);
        assertEquals(await store.orders.get("order-2"), another);
        assert(!await store.orders.update("order-3", { state: "failed" }));
      });

      it("change only to a state that may follow: the first of two processes wins", async () => {
        await place();
        assert(!await store.orders.update("order-1", result), "it is not approved yet");
        assert(await store.orders.update("order-1", { state: "approved" }));
        assert(!await store.orders.update("order-1", { state: "approved" }));
        assert(!await store.orders.update("order-1", { state: "delivered" }));
        assert(await store.orders.update("order-1", result));
        for (const change of [{ ...result, token: "second" }, { state: "failed" } as const]) {
          assert(!await store.orders.update("order-1", change));
          assertEquals(await store.orders.get("order-1"), { ...order, ...result });
        }
        assert(await store.orders.update("order-1", { state: "delivered" }));
        assert(!await store.orders.update("order-1", result));
      });

      it("are found by their token, once they have one", async () => {
        await place({ state: "approved" });
        for (const token of ["t", "t\0", "\ud800"]) {
          assertEquals(await store.orders.findByToken(token), undefined);
        }
        await store.orders.update("order-1", result);
        assertEquals((await store.orders.findByToken("t"))!.id, "order-1");
      });

      it("never share a token", async () => {
        await place(result);
        await assertRejects(() => placeAnother("order-2", result));
        assertEquals(await store.orders.get("order-2"), undefined);
      });

      it("never share a name", async () => {
        await place();
        await assertRejects(() => place({ serialNumber: "S-2" }));
        assertEquals(await store.orders.get("order-1"), order);
      });

      it("are unfinished until they have their file or failed, oldest first", async () => {
        for (const state of ["placed", "approved", "failed"] as const) {
          await placeAnother(state, { state });
        }
        await placeAnother("complete", result);
        await placeAnother("delivered", { ...result, token: "u", state: "delivered" });
        await placeAnother("a later one");
        await reopen();
        const unfinished = (await store.orders.unfinished()).map(({ id }) => id);
        assertEquals(unfinished, ["placed", "approved", "a later one"]);
        await placeAnother("another's", { serialNumber: "L-2" });
        const licenceOrders = await store.orders.unfinished("L-2");
        assertEquals(licenceOrders.map(({ id }) => id), ["another's"]);
        const first = await store.orders.unfinished(undefined, 2);
        assertEquals(first.map(({ id }) => id), ["placed", "approved"]);
      });

      it("need their files until the last address has expired, each listed once", async () => {
        const placeFile = (token: string, file: string, expires: number) =>
          placeAnother(token, { state: "delivered", token, file, expires });
        await placeAnother("not built yet");
        await placeFile("longer", "0a.csv", now + 1);
        await placeFile("held", "0b.csv", now);
        await placeFile("ended", "0c.csv", now - 1);
        await placeFile("ended, held by another", "0b.csv", now - 1);
        assertEquals((await wantedFiles(store, now)).sort(), ["0a.csv", "0b.csv"]);
        assertEquals(await wantedFiles(store, now + 1), ["0a.csv"]);
        assertEquals(await wantedFiles(store, now, ["0b.csv", "0c.csv", "other"]), ["0b.csv"]);
        assertEquals(await wantedFiles(store, now, []), []);
      });
    });

    describe("a transaction", () => {
      const change = (opening: Store) =>
        opening.transaction(async (all) => {
          await putSite(all, site());
          await all.licences.put(licence);
          await all.licences.addKey({ hash: "0c", serialNumber: "S-1", expires: null });
          await all.orders.place(order, 0);
          await all.orders.update(order.id, { state: "approved" });
          return [
            await sitesOf(all).fingerprint("coast"),
            (await sitesOf(all).turbine("T1"))?.edition,
            (await all.orders.get(order.id))?.state,
          ];
        });
      const isThere = async (opening: Store) => [
        await sitesOf(opening).fingerprint("coast") !== undefined,
        await sitesOf(opening).turbine("T1") !== undefined,
        await opening.licences.findByKey("0c") !== undefined,
        await opening.orders.get(order.id) !== undefined,
      ];

      it("sees its changes, which are visible together afterwards, for another opening too", async () => {
        const other = await open(folder);
        try {
          for (const opening of [store, other]) {
            assertEquals(new Set(await isThere(opening)).size, 1);
          }
          assertEquals(await change(store), ["1", 1, "approved"]);
          for (const opening of [store, other]) assert((await isThere(opening)).every(Boolean));
          await store.verify();
        } finally {
          await other.close();
        }
      });

      it("changes nothing if its body fails, or continues after a failure", async () => {
        await assertRejects(
          () =>
            store.transaction(async (all) => {
              await change(all);
              throw new TypeError("no");
            }),
          TypeError,
          "no",
        );
        assert(!(await isThere(store)).some(Boolean));
        await assertRejects(
          () =>
            store.transaction(async (all) => {
              await change(all);
              await putSite(all, site(), 7).catch(() => {});
            }),
          SiteChangedError,
        );
        assert(!(await isThere(store)).some(Boolean));
        await change(store);
      });

      it("is invisible to others before its end, and others write before or after it", async () => {
        const other = await open(folder);
        const [started, ended] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
        try {
          const running = store.transaction(async (all) => {
            await all.licences.put(licence);
            await putSite(all, site({ fingerprint: "own" }));
            started.resolve();
            await ended.promise;
          });
          await started.promise;
          for (const opening of [store, other]) {
            assertEquals(await opening.licences.get("S-1"), undefined);
            assertEquals(await sitesOf(opening).turbineIds(), []);
          }
          const later = await open(folder);
          const writes = [
            putSite(later, site({ fingerprint: "third" })).then(() => later.close()),
            other.licences.put({ ...licence, email: "c@example.com" }),
            store.transaction((all) => all.orders.place(order, 0)),
          ];
          ended.resolve();
          await Promise.all([running, ...writes]);
          assertEquals((await store.licences.get("S-1"))?.email, "c@example.com");
          assertEquals(await sitesOf(store).fingerprint("coast"), "third");
          assertEquals(await sitesOf(store).edition("coast"), 2);
          assertEquals(await other.orders.get(order.id), order);
        } finally {
          await other.close();
        }
      });

      it("is the only one of many at once that moves an order from its state, with all other changes", async () => {
        await store.orders.place({ ...order, state: "approved" }, 0);
        const other = await open(folder);
        try {
          const changed = await Promise.all(
            Array.from(
              { length: 10 },
              (_, i) =>
                (i % 2 === 0 ? store : other).transaction(async (all) => {
                  await all.licences.put({ ...licence, serialNumber: `L-${i}` });
                  const builtFields = { token: `${i}`, file: `${i}`, expires: 0 };
                  const isFirst = await all.orders.update(order.id, {
                    state: "complete",
                    ...builtFields,
                  });
                  if (!isFirst) {
                    await all.licences.remove(`L-${i}`);
                  }
                  return isFirst;
                }),
            ),
          );
          assertEquals(changed.filter(Boolean).length, 1);
          const first = `${changed.indexOf(true)}`;
          assertEquals((await builtOrder(store, order.id)).file, first);
          assertEquals((await store.licences.all()).map(({ licence }) => licence.serialNumber), [
            `L-${first}`,
          ]);
        } finally {
          await other.close();
        }
      });
    });

    it("names no file while naming is excluded, and excludes naming only when none is being named", async () => {
      const other = await open(folder);
      const removed = new Set<string>();
      try {
        const files = Array.from({ length: 10 }, (_, i) => `${i}.csv`);
        for (const file of files) {
          const orderFields = { id: file, parameters: { file }, state: "approved" } as const;
          await store.orders.place({ ...order, ...orderFields }, 0);
        }
        /** Removes the files that no row names, in a transaction. */
        const remove = (opening: Store) =>
          opening.excludeNaming(async (all) => {
            const wanted = await wantedFiles(all, 0);
            for (const file of files) if (!wanted.includes(file)) removed.add(file);
          });
        /** Names a file, unless it is gone. */
        const name = (opening: Store, file: string) =>
          opening.transaction(async (all) => {
            await all.orders.update(file, { state: "complete", token: file, file, expires: 0 });
            if (removed.has(file)) throw new TypeError("gone");
          });
        for (const file of files) {
          removed.clear();
          const [named] = await Promise.allSettled([
            name(store, file),
            remove(other),
            remove(store),
          ]);
          const isNamed = (await store.orders.get(file))?.state === "complete";
          assertEquals(isNamed, named.status === "fulfilled");
          assertEquals(removed.has(file), !isNamed);
        }
      } finally {
        await other.close();
      }
    });

    describe("its rows", () => {
      it("fill an empty store identically, and are not mixed with others", async () => {
        const elsewhere = await Deno.makeTempDir();
        const other = await open(elsewhere);
        try {
          await fillStore(store);
          await other.load((write) => store.snapshot(write));
          assertEquals(await readDocuments(other), await readDocuments(store));
          assertEquals(await readAnswers(other), await readAnswers(store));
          await other.verify();
          const before = await readDocuments(other);
          const mix = () => other.load((write) => store.snapshot(write));
          await assertRejects(mix, ConfigurationError, "already has sites, licences or orders");
          assertEquals(await readDocuments(other), before);
          await putSite(other, site({ fingerprint: "3" }));
          await putSite(other, site({ site: "new", points: [], turbines: [] }));
        } finally {
          await other.close();
          await Deno.remove(elsewhere, { recursive: true });
        }
      });

      it("are all stored or none if reading ends early", async () => {
        const elsewhere = await Deno.makeTempDir();
        const other = await open(elsewhere);
        try {
          await fillStore(store);
          const empty = await readDocuments(other);
          const cut = () =>
            other.load((write) =>
              store.snapshot(async (kind, documents) => {
                if (kind === "order") throw new TypeError("cut");
                await write(kind, documents);
              })
            );
          await assertRejects(cut, TypeError, "cut");
          assertEquals(await readDocuments(other), empty);
          assertEquals(Object.keys(empty), ["world"]);
        } finally {
          await other.close();
          await Deno.remove(elsewhere, { recursive: true });
        }
      });

      it("are a snapshot, even if others change them meanwhile", async () => {
        await fillStore(store);
        const before = await readDocuments(store);
        const other = await open(folder);
        const read: typeof before = {};
        try {
          await store.snapshot(async (kind, documents) => {
            if (kind === "world") await putSite(other, site({ fingerprint: "9" }));
            (read[kind] ??= []).push(...documents);
          });
          assertEquals(read, before);
          assertEquals(await sitesOf(store).fingerprint("coast"), "9");
        } finally {
          await other.close();
        }
      });
    });

    it("is locked for updates by one opening at a time, until that ends or is closed", async () => {
      const other = await open(folder);
      try {
        {
          await using first = await store.lockUpdates();
          assert(first);
          assertEquals(await other.lockUpdates(), undefined);
          assertEquals(await store.lockUpdates(), undefined);
          await store.licences.put(licence); // nothing else waits for the lock
          assertEquals(await other.licences.get("S-1"), licence);
        }
        await using second = await other.lockUpdates();
        assert(second);
      } finally {
        await other.close();
      }
    });

    it("rejects every call once it is closed, and never throws synchronously", async () => {
      const { licences, orders } = store;
      const sites = sitesOf(store);
      const ofStore: PartCalls<
        Omit<Store, keyof Parts | "address" | "attempts" | "documents" | "forRequest" | "close">
      > = {
        world: () => store.world(),
        check: () => store.check(),
        verify: () => store.verify(),
        now: () => store.now(),
        identity: () => store.identity(),
        beginIdentity: () => store.beginIdentity(),
        confirmIdentity: () => store.confirmIdentity({ id: "", pending: true }),
        transaction: () => store.transaction(() => Promise.resolve()),
        excludeNaming: () => store.excludeNaming(() => Promise.resolve()),
        lockUpdates: () => store.lockUpdates(),
        snapshot: () => store.snapshot(() => Promise.resolve()),
        load: () => store.load(() => Promise.resolve()),
      };
      const ofSites: PartCalls<Sites> = {
        turbineIds: () => sites.turbineIds(),
        nextTurbineIds: () => sites.nextTurbineIds("", 1),
        findTurbineIds: () => sites.findTurbineIds(["T1"]),
        version: () => sites.version(),
        turbines: () => sites.turbines(["T1"]),
        fleetMonths: () => sites.fleetMonths(["T1"]),
        turbine: () => sites.turbine("T1"),
        months: () => sites.months("T1"),
        newsOf: () => sites.newsOf({ turbine: { id: "T1" } } as never, 0, 1),
        lastMonths: () => sites.lastMonths(["T1"]),
        month: () => sites.month("T1", 2023, 1),
        calibration: () => sites.calibration("T1", 1),
        latestCalibration: () => sites.latestCalibration("T1"),
        datasets: () => sites.datasets(),
        dataset: () => sites.dataset("era5"),
        points: () => sites.points("era5"),
        climateEnd: () => sites.climateEnd("coast"),
        fingerprint: () => sites.fingerprint("coast"),
        edition: () => sites.edition("coast"),
        siteFiles: () => sites.siteFiles(),
        setSiteFile: () => sites.setSiteFile("coast", undefined),
      };
      const ofLicences: PartCalls<Store["licences"]> = {
        all: () => licences.all(),
        get: () => licences.get("S-1"),
        keys: () => licences.keys("S-1"),
        findByKey: () => licences.findByKey("0c"),
        put: () => licences.put(licence),
        remove: () => licences.remove("S-1"),
        addKey: () => licences.addKey({ hash: "0d", serialNumber: "S-1", expires: null }),
        removeKeys: () => licences.removeKeys("S-1"),
      };
      const ofOrders: PartCalls<Store["orders"]> = {
        place: () => orders.place(order, 0),
        get: () => orders.get("order-1"),
        findByToken: () => orders.findByToken("t"),
        unfinished: () => orders.unfinished(),
        update: () => orders.update("order-1", { state: "failed" }),
      };
      const files = {
        wantedFiles: () => wantedFiles(store, 0),
        listSiteFiles: () => listSiteFiles(store.documents),
      };
      const asked = [ofStore, ofSites, ofLicences, ofOrders, files].flatMap((part) =>
        Object.entries(part)
      );
      await putSite(store, site());
      await sites.turbine("T1"); // not even from the cache
      await store.close();
      const answers = asked.map(([, ask]) => ask());
      const ends = (await Promise.allSettled(answers)).map((
        { status },
        i,
      ) => [asked[i][0], status]);
      assertEquals(ends, asked.map(([name]) => [name, "rejected"]));
      store = await open(folder);
    });

    it("is the same through two openings at once", async () => {
      const other = await open(folder);
      try {
        await putSite(store, site());
        assertEquals(await sitesOf(other).fingerprint("coast"), "1");
        await other.orders.place(order, 0);
        assertEquals(await store.orders.get("order-1"), order);
      } finally {
        await other.close();
      }
    });
  });
}
