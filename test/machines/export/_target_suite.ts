/**
 * Common suite for all targets of exports.
 *
 * @module
 */
import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { afterEach, beforeEach, it } from "@std/testing/bdd";
import { ArgumentError } from "../../../src/api/errors.ts";
import type { ExportTable, ExportTarget } from "../../../src/machines/export/export_table.ts";
import { hoursTable } from "../../../src/machines/export/export_tables.ts";
import { writeExport } from "../../../src/machines/export/export_parquet.ts";
import { openStorage, type StorageHandle } from "../../../src/storage/storage.ts";
import { putFleetSite } from "./_fleet.ts";
import { readLake, readManifest } from "./_lake.ts";

/** An empty target of exports. */
export interface TargetPlace extends AsyncDisposable {
  /** Opens it. */
  open(): Promise<ExportTarget>;
  /** Folder in which its names are files. */
  readonly folder: string;
}

/** Tests an {@linkcode ExportTarget}. */
export function testTarget(create: () => Promise<TargetPlace>): void {
  let place: TargetPlace;
  let target: ExportTarget;
  let folder: string;

  beforeEach(async () => {
    folder = await Deno.makeTempDir();
    place = await create();
    target = await place.open();
  });
  afterEach(async () => {
    target[Symbol.dispose]();
    await place[Symbol.asyncDispose]();
    await Deno.remove(folder, { recursive: true });
  });

  const bytes = (text: string) => new TextEncoder().encode(text);
  const textOf = async (name: string) => (await target.read(name))?.text;

  it("reads the last written content, and lists it with its size", async () => {
    await target.write("hours/year=2021/a", bytes("old"));
    await target.write("hours/year=2021/a", bytes("newer"));
    await target.write("hours/b", bytes("1"));
    await target.write("hours.json", bytes("{}"));
    await target.write("hours2/a", bytes("{}"));
    assertEquals(await textOf("hours/year=2021/a"), "newer");
    const listed = await target.list("hours");
    assertEquals([...listed].sort(), [["hours/b", 1], ["hours/year=2021/a", 5]]);
  });

  it("reports missing names, and removes them without an error", async () => {
    assertEquals(await target.read("hours.json"), undefined);
    assertEquals(await target.list("hours"), new Map());
    await target.remove("hours.json");
    await target.write("hours/a", bytes("1"));
    await target.remove("hours/a");
    assertEquals(await target.list("hours"), new Map());
  });

  it("lists more names than a store sends in one answer", async () => {
    const names = Array.from({ length: 1100 }, (_, i) => `hours/${i}`);
    await Deno.mkdir(`${place.folder}/hours`, { recursive: true });
    for (const name of names) await Deno.writeFile(`${place.folder}/${name}`, bytes("1"));
    assertEquals([...(await target.list("hours")).keys()].sort(), names.sort());
  });

  it("replaces a text only if it is unchanged since it was read", async () => {
    assertEquals(await target.replace("a.json", "one", undefined), true);
    assertEquals(await target.replace("a.json", "other", undefined), false);
    const one = await target.read("a.json");
    assertEquals(one?.text, "one");
    assertEquals(await target.replace("a.json", "two", one?.version), true);
    assertEquals(await target.replace("a.json", "three", one?.version), false);
    assertEquals(await textOf("a.json"), "two");
    await target.remove("a.json");
    assertEquals(await target.replace("a.json", "three", one?.version), false);
    assertEquals(await textOf("a.json"), undefined);
  });

  it("accepts one export at a time: the manifest of an overtaken export is refused", async () => {
    const hours: ExportTable = { ...hoursTable, groupSize: 2 };
    await using data = await createData(folder);
    using other = await place.open();
    const write = target.write.bind(target);
    let overtaken = false;
    target.write = async (name, content) => {
      await write(name, content);
      if (overtaken) return;
      overtaken = true;
      await writeExport(data, other, { ...hours, groupSize: 3 });
    };
    const error = await assertRejects(() => writeExport(data, target, hours), ArgumentError);
    assertStringIncludes(error.message, `Cannot complete the export to ${target.address}: another`);
    assertEquals((await readManifest(place.folder, hours)).groups.length, 2);
    await readLake(place.folder, hours);
    assertEquals((await writeExport(data, other, { ...hours, groupSize: 3 })).newFiles, 0);
  });

  it("refuses an export overtaken by one that changed no figure, but removed the files", async () => {
    const hours: ExportTable = { ...hoursTable, groupSize: 2 };
    await using data = await createData(folder);
    using other = await place.open();
    await writeExport(data, other, hours);
    const regrouped: ExportTable = { ...hours, groupSize: 1 };
    const list = target.list.bind(target);
    let lists = 0;
    target.list = async (folder) => {
      const names = await list(folder);
      if (folder === "hours" && ++lists === 2) await writeExport(data, other, hours); // just before the manifest
      return names;
    };
    await assertRejects(() => writeExport(data, target, regrouped), ArgumentError);
    await readLake(place.folder, hours);
  });
}

/** Data of five turbines. */
async function createData(path: string): Promise<StorageHandle> {
  const data = await openStorage(path, { create: true });
  const ids = ["T1", "T2", "T3", "T4", "T5"];
  await putFleetSite(data, { site: "a", ids, from: "2022-06-01T00", to: "2023-02-01T00" });
  return data;
}
