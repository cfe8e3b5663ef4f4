/**
 * Imports of fleets with failing turbines: the others are imported, each failure is named with a remedy, and stored
 * figures of failed turbines stay.
 *
 * @module
 */
import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { readSiteFile } from "../../src/sites/declaration/site.ts";
import { type ImportAccount, importSite } from "../../src/sites/import_site.ts";
import { sitesOf } from "../../src/sites/keep/sites.ts";
import { openStorage } from "../../src/storage/storage.ts";
import { callCommand } from "../cli/_command.ts";
import type { SiteData } from "../../src/sites/site_data.ts";
import type { ImportResult } from "../../src/sites/fleet/store_site.ts";
import { buildGridSite, changePower, changeTurbine, importData } from "./_grid_site.ts";
import { makeSite, type TestSite } from "./_site.ts";

/** A turbine of the site file. */
type Declared = TestSite["declared"]["turbines"][number];

let site: TestSite;
let data: string;

async function importFleet(): Promise<ImportAccount> {
  return await importSite(await readSiteFile(await site.siteFile()), { data });
}

async function readStored() {
  await using storage = await openStorage(data);
  const sites = sitesOf(storage.store);
  return await Promise.all(
    (await sites.turbines(await sites.turbineIds())).map(async (stored) => ({
      id: stored.turbine.id,
      edition: stored.edition,
      calibration: stored.calibration?.revision,
      months: await sites.months(stored.turbine.id),
    })),
  );
}

/** Ways to break a turbine, and the message of its failure. */
const faults: Readonly<Record<string, [(turbine: Declared) => Declared, RegExp]>> = {
  "a missing file": [
    (one) => ({ ...one, production: [{ ...one.production[0], file: "gone.csv" }] }),
    /^Cannot read gone\.csv: the file \S+ is missing\. Correct the path, which is relative to the site file's folder\. /,
  ],
  "a column that its file does not have": [
    (one) => ({ ...one, production: [{ ...one.production[0], column: "kw" }] }),
    /^Cannot read other\.csv: .*"kw"/,
  ],
  "powers of another unit": [
    (one) => ({ ...one, production: [{ ...one.production[0], unit: "MW" }] }),
    /^Cannot use the production of E2 in 2023-01.*unit/,
  ],
  "a power curve of another turbine": [
    (one) => ({ ...one, rated_power: 100 }),
    /^Cannot use the power curve of power_curve\.csv for E2: .*rated/,
  ],
  "a place far from the climate": [
    (one) => ({ ...one, latitude: -40 }),
    /^Cannot .*-?\d+ km/,
  ],
};

describe("an import of a fleet", () => {
  beforeEach(async () => {
    site = await makeSite();
    data = await Deno.makeTempDir();
    const [first] = site.declared.turbines;
    await Deno.copyFile(site.path("production.csv"), site.path("other.csv"));
    const [entry] = first.production;
    site.declared.turbines = [
      first,
      { ...first, id: "E2", name: "E2", production: [{ ...entry, file: "other.csv" }] },
    ];
  });
  afterEach(async () => {
    await Deno.remove(site.folder, { recursive: true });
    await Deno.remove(data, { recursive: true });
  });

  for (const [name, [spoil, expected]] of Object.entries(faults)) {
    it(`SI8: imports the others despite a turbine with ${name}, and reports that first`, async () => {
      const [first, second] = site.declared.turbines;
      site.declared.turbines = [first, spoil(second)];
      const { unchanged, failures, text, summary } = await importFleet();
      assertEquals([unchanged, failures.map(({ id }) => id)], [false, ["E2"]]);
      const [{ message }] = failures;
      assertMatch(message, expected);
      assertMatch(message, /\. It has no indices yet$/);
      assertEquals(
        text.split("\n")[0],
        "example: imported, except E2 (see Not imported)",
      );
      assertEquals(summary.trimStart().split("\n").slice(0, 2), [
        "Not imported; please check:",
        `  E2: ${message}`,
      ]);
      assert(text.endsWith(summary));
      assertEquals((await readStored()).map(({ id, edition }) => [id, edition]), [["E1", 1]]);
    });
  }

  it("SI8: names all failures of reading and computing at once, equal ones in one line", async () => {
    const [first, second] = site.declared.turbines;
    const spoiled = Object.values(faults).map(([spoil], i) => ({
      ...spoil(second),
      id: `E${i + 2}`,
    }));
    site.declared.turbines = [first, ...spoiled, { ...spoiled[0], id: "E9" }];
    const { failures, summary } = await importFleet();
    assertEquals(failures.map(({ id }) => id).sort(), ["E2", "E3", "E4", "E5", "E6", "E9"]);
    assertMatch(summary, /\n {2}E2, E9: Cannot read gone\.csv/);
    assertEquals((await readStored()).map(({ id }) => id), ["E1"]);
  });

  it("SI8: repeats the failure if no file has changed, without computing the others or calling the import unchanged", async () => {
    const [first, second] = site.declared.turbines;
    site.declared.turbines = [first, faults["powers of another unit"][0](second)];
    const { failures } = await importFleet();
    const before = await readStored();
    const repeated = await importFleet();
    assertEquals([repeated.unchanged, repeated.failures], [false, failures]);
    assertStringIncludes(repeated.text, "E1: not computed, because declaration");
    assertEquals(await readStored(), before);
  });

  it("SI8: keeps all stored data of a failed turbine, and imports it once it is repaired", async () => {
    await importFleet();
    const before = await readStored();
    assertEquals(before.map(({ id, edition }) => [id, edition]), [["E1", 1], ["E2", 1]]);
    const good = await Deno.readTextFile(site.path("other.csv"));
    await Deno.writeTextFile(site.path("other.csv"), "nonsense\n");
    const [{ id, message }, ...more] = (await importFleet()).failures;
    assertEquals([id, more], ["E2", []]);
    const today = new Date().toISOString().slice(0, 10);
    assertStringIncludes(message, `. It keeps the indices of edition 1, stored on ${today} (UTC)`);
    const [, kept] = await readStored();
    assertEquals(kept, before[1]);

    await Deno.writeTextFile(site.path("other.csv"), good);
    const repaired = await importFleet();
    assertEquals([repaired.failures, repaired.unchanged], [[], false]);
    const now = await readStored();
    assertEquals(now[1].months, before[1].months);
    assertEquals((await importFleet()).unchanged, true);
  });

  it("SI8: keeps the hourly model of a failed turbine", async () => {
    const grid = buildGridSite();
    await importData(grid, data);
    const broken = changeTurbine(grid, "T2", ({ turbine }) => ({
      turbine: { ...turbine, latitude: -55 },
    }));
    const { failures, kept } = await importData(broken, data);
    assertEquals(failures.map(({ id }) => id), ["T2"]);
    assertEquals(kept.map(({ turbine }) => turbine.id).includes("T2"), false);
    await using storage = await openStorage(data);
    const { modelFile } = (await sitesOf(storage.store).turbine("T2"))!;
    assert(await storage.files.find(modelFile!));
  });

  for (
    const [label, spoil] of [
      ["its file", (data: SiteData) => {
        const [, gone, ...others] = data.turbines;
        const { id, latitude, longitude } = gone.turbine;
        const failures = [{ id, message: "Cannot read it", latitude, longitude }];
        return { ...data, turbines: [data.turbines[0], ...others], failures };
      }],
      [
        "its unit",
        (data: SiteData) => changePower(data, "T2", (power) => power.map((value) => value / 1000)),
      ],
    ] as const
  ) {
    it(`SI8: revises no month of a neighbour when a turbine fails by ${label} or is repaired`, async () => {
      const grid = buildGridSite();
      const first = await importData(grid, data);
      const findingsOf = ({ turbines }: ImportResult, id: string) =>
        turbines.find(({ turbine }) => turbine.id === id)!.findings.join();
      assertStringIncludes(findingsOf(first, "T1"), "neighbour");
      const before = await readStored();

      const { failures, turbines, kept, revised } = await importData(spoil(grid), data);
      assertEquals(failures.map(({ id }) => id), ["T2"]);
      assertEquals(turbines.map(({ turbine, outcome }) => [turbine.id, outcome]), [
        ["T1", "neighbours missing"],
      ]);
      assertEquals(kept.map(({ turbine }) => turbine.id), ["T3", "T4"]);
      assertEquals(revised.get("T1"), { newEnergy: [], trailing: 0 });
      const repaired = await importData(grid, data);
      assertEquals(repaired.turbines.map(({ turbine, outcome }) => [turbine.id, outcome]), [
        ["T1", "unchanged"],
      ]);
      const now = await readStored();
      assertEquals(now.map(({ months }) => months), before.map(({ months }) => months));
      assertEquals(now.map(({ calibration }) => calibration), [1, 1, 1, 1]);
    });
  }

  it("SI8: does not use a turbine with a wrong unit as a neighbour: the first index of others is as without it", async () => {
    const grid = buildGridSite();
    const [one, two, ...others] = grid.turbines;
    const alone = await importData({ ...grid, turbines: [one, ...others] }, data);
    const wrong = changePower(grid, two.turbine.id, (power) => power.map((value) => value / 1000));
    const folder = await Deno.makeTempDir();
    const { turbines, failures } = await importData(wrong, folder);
    assertEquals(failures.map(({ id }) => id), ["T2"]);
    assertEquals(
      turbines.map(({ calibration, months }) => [calibration, months]),
      alone.turbines.map(({ calibration, months }) => [calibration, months]),
    );
    await Deno.remove(folder, { recursive: true });
  });

  it("SI8: fails completely if no turbine can be imported, with all failures, and stores nothing", async () => {
    const [, second] = site.declared.turbines;
    const [gone, unit] = ["a missing file", "powers of another unit"].map((one) => faults[one][0]);
    site.declared.turbines = [{ ...gone(second), id: "E1" }, unit(second)];
    const { message } = await assertRejects(importFleet, Error);
    const lines = message.split("\n");
    assertEquals(lines[0], "Cannot import example: all of its 2 turbines failed");
    assertMatch(lines[1], /^ {2}E1: Cannot read gone\.csv/);
    assertMatch(lines[2], /^ {2}E2: Cannot use the production of E2/);
    await using storage = await openStorage(data);
    assertEquals(await sitesOf(storage.store).turbineIds(), []);
  });

  it("SI8: fails completely if the climate is faulty", async () => {
    await Deno.writeTextFile(site.path("climate.csv"), "nonsense\n");
    await assertRejects(importFleet, Error, "climate.csv");
  });

  it("SI8: exits with 78 as a command, and names the failed turbines on standard error", async () => {
    await Deno.writeTextFile(site.path("other.csv"), "nonsense\n");
    const words = ["import", await site.siteFile(), "--data", data] as const;
    for (const expected of [/^E1 .*: wind speed/m, /^E1: not computed/m]) {
      const { code, out, error } = await callCommand(...words);
      assertEquals(code, 78);
      assertMatch(out, expected);
      assertMatch(
        error,
        /^Cannot import all of example: 1 turbine failed\n {2}E2: Cannot read other\.csv.* It has no indices yet$/,
      );
    }
  });
});
