import { assertEquals, assertRejects } from "@std/assert";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { exportGroup } from "../../../src/machines/export/export_group.ts";
import { hashLayout, writtenSchema } from "../../../src/machines/export/manifest.ts";
import { indicesTable } from "../../../src/machines/export/export_tables.ts";
import { openStorage, type StorageHandle } from "../../../src/storage/storage.ts";
import { putFleetSite } from "./_fleet.ts";
import { listFiles } from "./_lake.ts";

describe("exportGroup", () => {
  let folder: string;
  let storage: StorageHandle;

  beforeEach(async () => {
    folder = await Deno.makeTempDir();
    storage = await openStorage(`${folder}/data`, { create: true });
    const [from, to] = ["2021-11-01T00", "2022-02-01T00"];
    await putFleetSite(storage, { site: "north", ids: ["N1", "N2"], from, to });
  });
  afterEach(async () => {
    await storage.close();
    await Deno.remove(folder, { recursive: true });
  });

  const group = (layout: string) => ({
    to: `${folder}/lake`,
    what: "indices",
    layout,
    ids: ["N1", "N2", "gone"],
    fingerprint: "",
  });

  it("writes the files of its turbines, and returns their entry for the manifest", async () => {
    const reports: unknown[] = [];
    const answer = await exportGroup(storage, group(hashLayout(indicesTable)), {
      report: (turbines) => reports.push(turbines),
    });
    const { group: written, files } = writtenSchema.parse(JSON.parse(JSON.stringify(answer)));
    assertEquals(written!.turbines.map(({ turbine_id }) => turbine_id), ["N1", "N2"]);
    assertEquals(files.map(({ year, rows }) => [year, rows]), [[2021, 4], [2022, 2]]);
    assertEquals(listFiles(`${folder}/lake`, indicesTable), files.map(({ path }) => path).sort());
    assertEquals(reports.at(-1), 3);
  });

  it("refuses a group of an export with other columns", async () => {
    await assertRejects(
      () => exportGroup(storage, group("another"), { report() {} }),
      Error,
      "this worker and the export run different versions of the program",
    );
  });
});
