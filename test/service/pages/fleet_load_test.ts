/**
 * Many concurrent requests for the page of a fleet, over HTTP and from a real store whose reads a test counts.
 *
 * @module
 */
import { assert, assertEquals, assertNotEquals, assertStringIncludes } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { addLicence } from "../../../src/service/mod.ts";
import { setImmediate } from "node:timers";
import { openStorage } from "../../../src/storage/storage.ts";
import { Sites, sitesOf } from "../../../src/sites/keep/sites.ts";
import { type Fleet, serveFleet } from "./_fleet.ts";

const turbines = Array.from({ length: 100 }, (_, i) => ({
  id: `W${String(i).padStart(3, "0")}`,
  name: `Park ${i}`,
  latitude: 50 + (i % 10) * 0.3,
  longitude: 5 + Math.floor(i / 10) * 0.5,
}));

describe("SV3: the page of a fleet", () => {
  let fleet: Fleet;
  const { fleetMonths } = Sites.prototype;
  beforeAll(async () => void (fleet = await serveFleet(turbines)));
  afterAll(async () => {
    Sites.prototype.fleetMonths = fleetMonths;
    await fleet.close();
  });

  const ask = async (path: string, key = fleet.key) => {
    const response = await fetch(fleet.url + path, { headers: { "x-auth": key } });
    const text = await response.text();
    assertEquals(response.status, 200, text);
    return text;
  };

  /** How often months are read while requests are answered, and whether two reads followed without a pause. */
  async function watchReads(paths: readonly string[]) {
    let reads = 0;
    let paused = true;
    let together = 0;
    Sites.prototype.fleetMonths = async function (ids) {
      reads++;
      if (!paused) together++;
      paused = false;
      setImmediate(() => paused = true);
      return await fleetMonths.call(this, ids);
    };
    const texts = await Promise.all(paths.map((path) => ask(path)));
    Sites.prototype.fleetMonths = fleetMonths;
    return { reads, together, texts };
  }

  it("is made once for 40 concurrent requests, and kept", async () => {
    const { reads: once } = await watchReads(["/fleet?width=400"]);
    const { reads, texts } = await watchReads(Array(40).fill("/fleet?width=401"));
    assertEquals([reads, new Set(texts).size], [once, 1]);
    assertEquals((await watchReads(["/fleet?width=401"])).reads, 0);
  });

  it("is made in parts, and other requests are answered between any two parts of any page", async () => {
    const widths = Array.from({ length: 10 }, (_, i) => `/fleet?width=${500 + i}`);
    const { reads, together } = await watchReads(widths);
    assert(reads >= 50, `${reads} reads`);
    assertEquals(together, 0);
  });

  it("differs by licence, and changes with the turbines that the licence covers", async () => {
    const licence = { serialNumber: "S-1", email: "a@example.org" };
    const { key } = await addLicence(fleet.data, { ...licence, turbines: ["W000", "W001"] });
    const all = await ask("/fleet");
    const two = await ask("/fleet", key);
    assertStringIncludes(all, "Park 99");
    assert(!two.includes("Park 2<") && two.includes("Park 1<"), "others' turbines");
    await addLicence(fleet.data, { ...licence, turbines: ["W002"] }, { replace: true });
    const other = await ask("/fleet", key);
    assert(other.includes("Park 2<") && !other.includes("Park 1<"), "the turbines before");
    assertEquals(await ask("/fleet"), all);
  });

  it("changes with an import", async () => {
    const before = await ask("/fleet");
    const { store } = await openStorage(fleet.data);
    await store.transaction(async ({ documents }) => {
      const [{ entry, contents }] = await documents.read<{ turbine: object }>("turbine", {
        ids: ["W000"],
      });
      const [record, ...rest] = contents;
      const turbine = { ...record.turbine, name: "Renamed" };
      await documents.put("turbine", [{ ...entry, parts: [{ ...record, turbine }, ...rest] }]);
    });
    assertEquals((await sitesOf(store).turbine("W000"))?.turbine.name, "Renamed");
    await store.close();
    const after = await ask("/fleet");
    assertNotEquals(after, before);
    assertStringIncludes(after, "Renamed");
  });
});
