import { assertEquals, assertNotEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { ConfigurationError } from "../../../src/api/errors.ts";
import { openStorage, type Storage } from "../../../src/storage/storage.ts";
import type { ExportTable } from "../../../src/machines/export/export_table.ts";
import { FolderTarget } from "../../../src/machines/export/open_target.ts";
import { hoursTable, indicesTable } from "../../../src/machines/export/export_tables.ts";
import { writeExport } from "../../../src/machines/export/export_parquet.ts";
import { Sites, sitesOf } from "../../../src/sites/keep/sites.ts";
import { parquetToFrame } from "../../../src/sites/keep/series.ts";
import { hashesBelow } from "../../sites/_site.ts";
import { type FleetSite, putFleetSite } from "./_fleet.ts";
import { listFiles, readLake, readManifest, selectTurbine, valuesOf } from "./_lake.ts";

/** The tables with small groups, and several batches in a group. */
const hours: ExportTable = { ...hoursTable, groupSize: 2 };
const indices: ExportTable = { ...indicesTable, groupSize: 2, batchSize: 1 };

const north: FleetSite = {
  site: "north",
  ids: ["N1", "N2"],
  from: "2021-11-01T00",
  to: "2023-02-01T00",
};
const south: FleetSite = {
  ...north,
  site: "south",
  ids: ["S1", "S2", "S3", "S4"],
  bare: ["S3", "S4"],
};

describe("writeExport", () => {
  let folder: string;
  let lake: string;
  let directory: Storage;

  beforeEach(async () => {
    folder = await Deno.makeTempDir();
    lake = `${folder}/lake`;
    directory = await openStorage(`${folder}/data`, { create: true });
    await putFleetSite(directory, north);
    await putFleetSite(directory, south);
  });
  afterEach(async () => {
    await directory.store.close();
    await Deno.remove(folder, { recursive: true });
  });

  const write = (table: ExportTable, signal?: AbortSignal) =>
    writeExport(directory, new FolderTarget(lake), table, { signal });

  /** Names of the called methods of sites, reported before each call. */
  let listen: (name: "turbines" | "fleetMonths", ids: readonly string[]) => Promise<void> | void;
  const { turbines, fleetMonths } = Sites.prototype;

  beforeEach(() => {
    listen = () => {};
    Sites.prototype.turbines = async function (ids) {
      await listen("turbines", ids);
      return await turbines.call(this, ids);
    };
    Sites.prototype.fleetMonths = async function (ids) {
      const months = await fleetMonths.call(this, ids);
      await listen("fleetMonths", ids);
      return months;
    };
  });
  afterEach(() => void Object.assign(Sites.prototype, { turbines, fleetMonths }));

  it("writes the hours as stored, with null for missing values", async () => {
    const account = await write(hours);
    const rows = (await readLake(lake, hours)).sort(["turbine_id", "time"]);
    assertEquals(rows.columns, [...hours.columns.map(({ name }) => name), "year"]);
    const { modelFile } = (await sitesOf(directory.store).turbine("S2"))!;
    const stored = parquetToFrame(await directory.files.read(modelFile!));
    const turbineRows = selectTurbine(rows, "S2");
    assertEquals(valuesOf(turbineRows, "time"), valuesOf(stored, "time"));
    assertEquals(turbineRows.getColumn("power").nullCount(), 24);
    assertEquals(valuesOf(turbineRows, "wind_speed"), valuesOf(stored, "wind_speed"));
    const perTurbine = stored.height;
    assertEquals(account, {
      turbines: 6,
      rows: 4 * perTurbine,
      files: 6, // three years of two groups: the turbines of the third have no model
      bytes: account.bytes,
      newFiles: 6,
      removedFiles: 0,
      world: "own",
    });
  });

  it("writes the indices as stored, in files of one year, in order of turbine and time", async () => {
    await write(indices);
    const rows = await readLake(lake, indices);
    assertEquals(rows.columns, [...indices.columns.map(({ name }) => name), "year"]);
    for (const id of ["N1", "S2"]) {
      const months = await sitesOf(directory.store).months(id);
      const turbineRows = selectTurbine(rows, id).sort("month");
      for (const { name } of indices.columns.slice(2)) {
        assertEquals(
          valuesOf(turbineRows, name),
          months.map((month) => month[name as keyof typeof month]),
          name,
        );
      }
      assertEquals(valuesOf(turbineRows, "year"), months.map(({ year }) => year));
    }
    assertEquals(rows.getColumn("month_index").nullCount(), 4);
    const { files } = await readManifest(lake, indices);
    for (const [i, { path, year, group, rows: height }] of files.entries()) {
      const before = files.slice(0, i).reduce((sum, file) => sum + file.rows, 0);
      const fileRows = rows.slice(before, height);
      assertStringIncludes(path, `indices/year=${year}/`);
      assertEquals(fileRows.toRecords(), fileRows.sort(["turbine_id", "month"]).toRecords());
      assertEquals(
        valuesOf(fileRows, "turbine_id").every((id) => `${id}`[0] === "NS"[group]),
        true,
      );
    }
  });

  it("names its sources in the manifest", async () => {
    await write(hours);
    await putFleetSite(directory, { ...south, seed: 5 });
    await write(hours);
    const { groups, columns, world } = await readManifest(lake, hours);
    assertEquals(groups.map(({ turbines }) => turbines), [
      [{ turbine_id: "N1", edition: 1 }, { turbine_id: "N2", edition: 1 }],
      [{ turbine_id: "S1", edition: 2 }, { turbine_id: "S2", edition: 2 }],
      [{ turbine_id: "S3", edition: 2 }, { turbine_id: "S4", edition: 2 }],
    ]);
    assertEquals(groups[0].attribution, ["Climate of north"]);
    assertEquals(columns.find(({ name }) => name === "power")?.unit, "kW");
    assertEquals(world, "own");
  });

  it("writes nothing when repeated", async () => {
    for (const table of [hours, indices]) {
      await write(table);
      const before = await hashesBelow(lake);
      const times = Object.keys(before).map((path) => Deno.statSync(path).mtime?.getTime());
      const { newFiles, removedFiles } = await write(table);
      assertEquals([newFiles, removedFiles], [0, 0]);
      assertEquals(await hashesBelow(lake), before);
      assertEquals(
        Object.keys(before).map((path) => Deno.statSync(path).mtime?.getTime()),
        times,
      );
    }
  });

  it("reads and writes only groups with a turbine that was stored again", async () => {
    await write(hours);
    const before = await readManifest(lake, hours);
    const { modelFile } = (await sitesOf(directory.store).turbine("N1"))!;
    await Deno.remove(directory.files.path(modelFile!)); // reading it would fail
    await putFleetSite(directory, { ...south, seed: 5 });
    assertEquals((await write(hours)).newFiles, 3);
    const after = await readManifest(lake, hours);
    assertEquals(after.files.slice(0, 3), before.files.slice(0, 3));
    assertNotEquals(after.files.slice(3), before.files.slice(3));
  });

  it("writes only the year that has changed", async () => {
    await write(hours);
    await putFleetSite(directory, { ...south, to: "2023-03-01T00" });
    const { newFiles, files } = await write(hours);
    assertEquals([newFiles, files], [1, 6]);
  });

  it("keeps the files of the previous export until the next one is complete", async () => {
    const first = new FolderTarget(lake);
    await write(hours);
    const old = listFiles(lake, hours);
    await putFleetSite(directory, { ...south, seed: 5 });
    assertEquals((await write(hours)).removedFiles, 0);
    assertEquals(old.filter((path) => !listFiles(lake, hours).includes(path)), []);
    await first.write("hours/year=2021/notes.txt", new Uint8Array(1)); // not a file of ours
    assertEquals((await write(hours)).removedFiles, 3);
    const { files } = await readManifest(lake, hours);
    assertEquals(
      listFiles(lake, hours),
      [...files.map(({ path }) => path), "hours/year=2021/notes.txt"].sort(),
    );
  });

  it("when stopped before the manifest, leaves the previous export complete, and later continues with the written files", async () => {
    await write(hours);
    const before = await readLake(lake, hours);
    const manifest = await readManifest(lake, hours);
    await putFleetSite(directory, { ...south, seed: 5 });
    const controller = new AbortController();
    class Stopping extends FolderTarget {
      override async write(name: string, bytes: Uint8Array): Promise<void> {
        await super.write(name, bytes);
        controller.abort(new Error("Stopped by Ctrl-C"));
      }
    }
    await assertRejects(
      () => writeExport(directory, new Stopping(lake), hours, { signal: controller.signal }),
      Error,
      "Stopped by Ctrl-C",
    );
    assertEquals(await readManifest(lake, hours), manifest);
    assertEquals((await readLake(lake, hours)).toRecords(), before.toRecords());
    const { newFiles, removedFiles } = await write(hours);
    assertEquals([newFiles, removedFiles], [2, 0]); // one of three years was written before
  });

  it("writes a file again that is missing or cut", async () => {
    await write(hours);
    const [missing, cut] = listFiles(lake, hours);
    await Deno.remove(`${lake}/${missing}`);
    await Deno.truncate(`${lake}/${cut}`, 100);
    assertEquals((await write(hours)).newFiles, 2);
    await readLake(lake, hours); // compares the hashes
  });

  it("reads the months of a turbine from one edition while an import stores it", async () => {
    const { store } = directory;
    let stored = false;
    listen = async (name, ids) => {
      if (name !== "fleetMonths" || !ids.includes("S1") || stored) return;
      stored = true;
      await putFleetSite(directory, { ...south, seed: 5 });
    };
    await writeExport(directory, new FolderTarget(lake), indices);
    const rows = await readLake(lake, indices);
    const months = await sitesOf(store).months("S1");
    const turbineRows = selectTurbine(rows, "S1").sort("month");
    assertEquals(valuesOf(turbineRows, "month_index"), months.map((month) => month.month_index));
    const { groups } = await readManifest(lake, indices);
    assertEquals(groups[1].turbines[0], { turbine_id: "S1", edition: 2 });
  });

  it("reads the records of all turbines of a group together, and months again only if they may change", async () => {
    let reads = 0;
    listen = (name) => {
      if (name === "turbines") reads++;
    };
    const countReads = async (table: ExportTable) => {
      reads = 0;
      await writeExport(directory, new FolderTarget(lake), { ...table, groupSize: 6 });
      return reads;
    };
    assertEquals(await countReads({ ...hours, batchSize: 1 }), 2); // for the comparison with the previous export, and for the export
    assertEquals(await countReads({ ...indices, batchSize: 3 }), 4); // and after the months of each batch
  });

  it("leaves out turbines that are gone", async () => {
    await write(hours);
    await putFleetSite(directory, { ...south, ids: ["S2"], bare: [] });
    assertEquals((await write(hours)).turbines, 3);
    const rows = await readLake(lake, hours);
    assertEquals(rows.getColumn("turbine_id").unique().sort().toArray(), ["N1", "N2", "S2"]);
  });

  it("refuses a manifest that is damaged, foreign or of a later version, and changes nothing", async () => {
    await write(hours);
    const path = `${lake}/hours.manifest.json`;
    const text = await Deno.readTextFile(path);
    for (
      const [damaged, problem] of [
        [text.slice(0, 100), "is damaged and not JSON"],
        [text.replace('"schema_version": 1', '"schema_version": 2'), "(schema_version: "],
        [text.replace('"rows": ', '"rows": -'), "(files.0.rows: "],
        ['{"format":"iceberg"}', "is not a manifest that this version can read"],
        [text.replace('"table": "hours"', '"table": "indices"'), 'belongs to the table "indices"'],
      ]
    ) {
      await Deno.writeTextFile(path, damaged);
      const before = await hashesBelow(lake);
      const error = await assertRejects(() => write(hours), ConfigurationError);
      assertStringIncludes(
        error.message,
        `Cannot export to ${lake}: its file hours.manifest.json `,
      );
      assertStringIncludes(error.message, problem);
      assertStringIncludes(
        error.message,
        "Name another folder. To export everything again, remove this file",
      );
      assertEquals(await hashesBelow(lake), before);
    }
  });
});
