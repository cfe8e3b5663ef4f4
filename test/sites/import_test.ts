/**
 * Whole imports: repeating one does nothing, a failing one leaves no trace, a longer record adds months, and only an
 * explicit recalibration changes the meaning of 100 %.
 *
 * @module
 */
import { cpSync } from "node:fs";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from "@std/testing/bdd";
import { readSiteFile } from "../../src/sites/declaration/site.ts";
import { storeSite } from "../../src/sites/fleet/store_site.ts";
import { readSite } from "../../src/sites/import_site.ts";
import { FolderFiles } from "../../src/storage/files/folder/folder_files.ts";
import { openStorage } from "../../src/storage/storage.ts";
import type { StoredMonth, StoredTurbine } from "../../src/sites/keep/site_record.ts";
import { hashesBelow, importFile, makeSite, type TestSite } from "./_site.ts";
import { sitesOf } from "../../src/sites/keep/sites.ts";
import { wantedFiles } from "../../src/sites/keep/named_files.ts";

interface StoredSite {
  readonly turbine: StoredTurbine;
  readonly months: StoredMonth[];
  readonly fingerprint: string;
}

async function readStored(data: string): Promise<StoredSite> {
  const { store } = await openStorage(data);
  try {
    return {
      turbine: (await sitesOf(store).turbine("E1"))!,
      months: await sitesOf(store).months("E1"),
      fingerprint: (await sitesOf(store).fingerprint("example"))!,
    };
  } finally {
    await store.close();
  }
}

function formatMonth({ year, month }: StoredMonth): string {
  return `${year}-${String(month).padStart(2, "0")}`;
}

function mapRevisions(months: readonly StoredMonth[]): Record<string, number> {
  return Object.fromEntries(months.map((month) => [formatMonth(month), month.revision]));
}

/** Lists months of 2023 and 2024, each with a revision. */
function everyMonth(revision: number, from = 0, to = 24): Record<string, number> {
  return Object.fromEntries(
    Array.from({ length: to - from }, (_, i) => [
      `${2023 + Math.floor((from + i) / 12)}-${String((from + i) % 12 + 1).padStart(2, "0")}`,
      revision,
    ]),
  );
}

/** Cuts the climate before a timestamp. */
async function cutClimate(site: TestSite, stamp: string): Promise<() => Promise<void>> {
  const allHours = await Deno.readTextFile(site.path("climate.csv"));
  await Deno.writeTextFile(site.path("climate.csv"), allHours.slice(0, allHours.indexOf(stamp)));
  return () => Deno.writeTextFile(site.path("climate.csv"), allHours);
}

describe("an import", () => {
  let site: TestSite;
  let data: string;
  let imported: string; // a data directory with the imported site

  beforeAll(async () => {
    imported = await Deno.makeTempDir();
    const first = await makeSite();
    await importFile(await first.siteFile(), imported);
    await Deno.remove(first.folder, { recursive: true });
  });
  afterAll(() => Deno.remove(imported, { recursive: true }));
  beforeEach(async () => {
    site = await makeSite();
    data = await Deno.makeTempDir();
  });
  afterEach(async () => {
    await Deno.remove(site.folder, { recursive: true });
    await Deno.remove(data, { recursive: true });
  });

  const run = async (options?: { recalibrate?: boolean }) =>
    await importFile(await site.siteFile(), data, options);

  /** Sets the data directory to the state after the first import. */
  const importFirst = () => cpSync(imported, data, { recursive: true });

  it("stores turbine, calibration, model and the months of the record", async () => {
    const result = await run();
    assertEquals([result.site, result.unchanged], ["example", false]);
    const { turbine, months } = await readStored(data);
    assertEquals([turbine.site, turbine.attribution], [
      "example",
      site.declared.dataset.attribution,
    ]);
    assertEquals(turbine.calibration!.revision, 1);
    assertEquals(turbine.calibration!.referenceYears, [2023, 2024]);
    assert((await new FolderFiles(`${data}/files`).names()).includes(turbine.modelFile!));
    assertEquals(mapRevisions(months), everyMonth(1));
    for (const month of months) {
      assertEquals(month.status, "final");
      assert(month.month_index! > 20 && month.month_index! < 250, formatMonth(month));
    }
  });

  it("gives indices that satisfy their identities", async () => {
    importFirst();
    const { months } = await readStored(data);
    const mean = (values: (number | null)[]) =>
      values.reduce((sum: number, value) => sum + value!, 0) / values.length;
    assert(Math.abs(mean(months.map((month) => month.month_index)) - 100) < 1e-9);
    for (let number = 1; number <= 12; number++) {
      const sameMonths = months.filter(({ month }) => month === number);
      assert(Math.abs(mean(sameMonths.map((month) => month.month_abnormality_index)) - 100) < 1e-9);
    }
    for (const month of months.filter(({ month }) => month === 12)) {
      assert(Math.abs(month.last12_month_index! - month.last_full_year_index!) < 1e-9);
    }
  });

  it("of the same files again is unchanged and writes nothing", async () => {
    await run();
    const before = await hashesBelow(data);
    const times = () =>
      [...Deno.readDirSync(`${data}/files`)].map(({ name }) =>
        Deno.statSync(`${data}/files/${name}`).mtime!.getTime()
      );
    const written = times();
    const repeated = await run();
    assertEquals(repeated, {
      site: "example",
      unchanged: true,
      turbines: [],
      kept: [],
      revised: new Map(),
      failures: [],
    });
    assertEquals(await hashesBelow(data), before);
    assertEquals(times(), written);
  });

  it("of the same files from another folder is unchanged", async () => {
    importFirst();
    const elsewhere = await makeSite();
    try {
      assert((await importFile(await elsewhere.siteFile(), data)).unchanged);
    } finally {
      await Deno.remove(elsewhere.folder, { recursive: true });
    }
  });

  it("of a renamed turbine gives no month a new revision", async () => {
    importFirst();
    site.declared.turbines[0].name = "Renamed";
    assertEquals((await run()).unchanged, false);
    const { turbine, months } = await readStored(data);
    assertEquals(turbine.turbine.name, "Renamed");
    assertEquals(mapRevisions(months), everyMonth(1));
  });

  it("keeps the replaced model for a day, for open answers; then another import removes it", async () => {
    const restore = await cutClimate(site, "2024-12-15T00");
    await run();
    const { files, store } = await openStorage(data);
    const age = async () => {
      const monthAgo = new Date(Date.now() - 30 * 24 * 3_600_000);
      for (const name of await files.names()) {
        await Deno.utime(files.path(name), monthAgo, monthAgo);
      }
    };
    const model = (await readStored(data)).turbine.modelFile!;
    const replaced = [model, `${model}.UTC.csv`];
    await Deno.writeTextFile(files.path(replaced[1]), "rendered");
    const left = async () => {
      const names = await files.names();
      return replaced.filter((name) => names.includes(name));
    };

    await age();
    await restore();
    await run();
    assertEquals(await left(), replaced);

    await age();
    await site.edit("production.csv", (text) => text.replace(/\.(\d)\n/, ".0\n"));
    await run();
    assertEquals(await left(), []);
    const names = await files.names();
    for (const name of await wantedFiles(store, Date.now())) assert(names.includes(name), name);
    await store.close();
  });

  it("of a source with one changed byte computes again", async () => {
    importFirst();
    const { fingerprint } = await readStored(data);
    await site.edit("production.csv", (text) => text.replace(/\.(\d)\n/, ".0\n"));
    assertEquals((await run()).unchanged, false);
    assert((await readStored(data)).fingerprint !== fingerprint);
  });

  it("that fails at its last step leaves the database as it was", async () => {
    importFirst();
    const before = await readStored(data);
    site.declared.turbines[0].hub_height = 90;
    const { store, files } = await openStorage(data);
    const commit = store.transaction.bind(store);
    store.transaction = (body) =>
      commit(async (store) => {
        await body(store);
        throw new Error("the disk is full"); // the last step
      });
    try {
      const read = await readSite(await readSiteFile(await site.siteFile()));
      await assertRejects(
        () => storeSite(read, { store, files }),
        Error,
        "the disk is full",
      );
    } finally {
      await store.close();
    }
    assertEquals(await readStored(data), before);
    // The next import must work.
    assertEquals((await run()).unchanged, false);
    assertEquals((await readStored(data)).turbine.turbine.hubHeight, 90);
  });

  /** Hashes of the files from before: new files of a failed import stay for a day, for the next one. */
  async function hashesOfNamed(before: Record<string, string>): Promise<Record<string, string>> {
    const now = await hashesBelow(data);
    return Object.fromEntries(Object.keys(before).map((path) => [path, now[path]]));
  }

  it("that fails in all of its turbines leaves the database as it was, and names all", async () => {
    importFirst();
    const before = await hashesBelow(data);
    const [first] = site.declared.turbines;
    const production = [{ ...first.production[0], unit: "MWh" as const }];
    site.declared.turbines = ["E1", "E2"].map((id) => ({ ...first, id, production }));
    const { message } = await assertRejects(() => run(), Error);
    const [head, ...lines] = message.split("\n");
    assertEquals(head, "Cannot import example: all of its 2 turbines failed");
    assertEquals(lines.map((line) => line.slice(0, 40)), [
      "  E1: Cannot use the production of E1 in",
      "  E2: Cannot use the production of E2 in",
    ]);
    assertEquals(await hashesOfNamed(before), before);
  });

  it("M10: aborted between two turbines leaves the database as it was", async () => {
    importFirst();
    const before = await hashesBelow(data);
    const [first] = site.declared.turbines;
    site.declared.turbines = [{ ...first, hub_height: 90 }, { ...first, id: "E2" }];
    const read = await readSite(await readSiteFile(await site.siteFile()));
    const { store, files } = await openStorage(data);
    const stop = new AbortController();
    let turbines = 0;
    const onTurbine = () => {
      turbines++;
      stop.abort(new Error("Stopped"));
    };
    try {
      await assertRejects(
        () => storeSite(read, { store, files }, { signal: stop.signal, onTurbine }),
        Error,
        "Stopped",
      );
    } finally {
      await store.close();
    }
    assertEquals([turbines, await hashesOfNamed(before)], [1, before]);
  });

  it("of a longer record adds months and keeps the reference period", async () => {
    const lengthen = await cutClimate(site, "2024-07-01T00");
    await run();
    const short = await readStored(data);
    assertEquals(short.turbine.calibration!.referenceYears, [2023]);
    assertEquals(mapRevisions(short.months), everyMonth(1, 0, 18));

    await lengthen();
    await run();
    const long = await readStored(data);
    assertEquals(long.turbine.calibration!.referenceYears, [2023]);
    assertEquals(mapRevisions(long.months), everyMonth(1));
    const plain = (months: StoredMonth[]) => months.slice(0, 18).map((month) => ({ ...month }));
    assertEquals(plain(long.months), plain(short.months));
  });

  it("of a longer record completes a cut month, as its second revision", async () => {
    const lengthen = await cutClimate(site, "2024-06-15T00");
    await run();
    const { months: short } = await readStored(data);
    assertEquals(short.at(-1)!.month_index, null, "half a month has no index");
    await lengthen();
    await run();
    const { months } = await readStored(data);
    assertEquals(mapRevisions(months), { ...everyMonth(1), "2024-06": 2 });
    assert(months.find((month) => formatMonth(month) === "2024-06")!.month_index !== null);
  });

  it("with recalibrate chooses the reference period again: a revision of all months", async () => {
    const lengthen = await cutClimate(site, "2024-07-01T00");
    await run();
    await lengthen();
    await run();
    const kept = await readStored(data);
    await run({ recalibrate: true });
    const { turbine, months } = await readStored(data);
    assertEquals(turbine.calibration!.referenceYears, [2023, 2024]);
    assert(turbine.calibration!.revision > kept.turbine.calibration!.revision);
    assertEquals(mapRevisions(months), everyMonth(2));
    // Earlier reports stay readable.
    const { store } = await openStorage(data);
    const earlier = await sitesOf(store).month("E1", 2023, 1, 1);
    await store.close();
    assertEquals({ ...earlier }, { ...kept.months[0] });
  });

  it("with recalibrate and the same reference period changes no month", async () => {
    importFirst();
    assertEquals((await run({ recalibrate: true })).unchanged, false);
    assertEquals(mapRevisions((await readStored(data)).months), everyMonth(1));
  });

  it("of two sites keeps them apart", async () => {
    importFirst();
    const { months } = await readStored(data);
    const other = await makeSite();
    try {
      other.declared.site = "other";
      other.declared.dataset.service_id = "other-climate";
      Object.assign(other.declared.turbines[0], { id: "E2", hub_height: 100 });
      await importFile(await other.siteFile(), data);
    } finally {
      await Deno.remove(other.folder, { recursive: true });
    }
    const { store } = await openStorage(data);
    try {
      assertEquals(await sitesOf(store).turbineIds(), ["E1", "E2"]);
      assertEquals((await sitesOf(store).turbine("E1"))!.site, "example");
      assertEquals((await sitesOf(store).turbine("E2"))!.site, "other");
      assertEquals(await sitesOf(store).months("E1"), months);
      assertEquals((await sitesOf(store).datasets()).map(({ serviceId }) => serviceId), [
        "example-climate",
        "other-climate",
      ]);
    } finally {
      await store.close();
    }
  });

  it("marks months with preliminary reanalysis, and gives their replacement a new revision", async () => {
    site.declared.climate[0].variables!.preliminary = { column: "expver" };
    const flag = (flagged: (stamp: string) => boolean) =>
      site.editLines("climate.csv", ([header, ...rows]) => [
        header.endsWith("expver") ? header : `${header},expver`,
        ...rows.map((row) => row.split(",").slice(0, 8).join(",") + (flagged(row) ? ",1" : ",0")),
      ]);
    await flag((row) => row >= "2024-11-15");
    await run();
    const states = async () =>
      Object.fromEntries(
        (await readStored(data)).months.slice(-4).map((month) => [
          formatMonth(month),
          [month.status, month.revision],
        ]),
      );
    assertEquals(await states(), {
      "2024-09": ["final", 1],
      "2024-10": ["final", 1],
      "2024-11": ["preliminary", 1],
      "2024-12": ["preliminary", 1],
    });
    await flag(() => false);
    await run();
    assertEquals(await states(), {
      "2024-09": ["final", 1],
      "2024-10": ["final", 1],
      "2024-11": ["final", 2],
      "2024-12": ["final", 2],
    });
  });
});
