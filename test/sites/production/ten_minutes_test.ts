/**
 * Ten-minute production: the import averages it to hours, and its notes count hours that it could not average.
 *
 * @module
 */
import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { readSiteFile } from "../../../src/sites/declaration/site.ts";
import type { ImportResult } from "../../../src/sites/fleet/store_site.ts";
import { readSite } from "../../../src/sites/import_site.ts";
import { factorOf, importFile, type TestSite, withSite } from "../_site.ts";

/** Reads the hourly rows of the site's production, each as six lines of ten minutes. */
async function readSteps(site: TestSite): Promise<[stamp: string, power: string][]> {
  const [, ...rows] = (await Deno.readTextFile(site.path("production.csv"))).trimEnd().split("\n");
  return rows.flatMap((row) => {
    const [stamp, power] = row.split(",");
    const hour = Temporal.Instant.from(stamp);
    return Array.from({ length: 6 }, (_, i): [string, string] => [
      hour.add({ minutes: 10 * i }).toString(),
      power,
    ]);
  });
}

async function write(site: TestSite, name: string, steps: readonly string[][]): Promise<void> {
  const rows = steps.map((step) => step.join(","));
  await Deno.writeTextFile(site.path(name), ["time,power", ...rows, ""].join("\n"));
}

/** Imports the site with its production in ten-minute files. */
async function importSteps(
  change: (site: TestSite, steps: [string, string][]) => Promise<void>,
): Promise<[hours: ImportResult, tenMinutes: ImportResult]> {
  let hours: ImportResult;
  let tenMinutes: ImportResult;
  await withSite(async (site, data) => {
    hours = await importFile(await site.siteFile(), data);
    await change(site, await readSteps(site));
    site.declared.site = "fine";
    site.declared.turbines[0].id = "F1";
    site.declared.dataset.service_id = "fine";
    tenMinutes = await importFile(await site.siteFile(), data);
  });
  return [hours!, tenMinutes!];
}

const notesOf = (result: ImportResult) => result.turbines[0].calibration!.notes;
const entryOf = ({ declared }: TestSite) => declared.turbines[0].production[0];

describe("ten-minute production", () => {
  it("gives the factor of its hours, and the notes count hours with too few steps", async () => {
    let missing = 0; // hours that the sample leaves empty
    const [hours, tenMinutes] = await importSteps(async (site, steps) => {
      missing = steps.filter(([, power]) => power === "").length / 6;
      // The second hour lacks three steps, the third four.
      await write(site, "production.csv", [...steps.slice(0, 9), ...steps.slice(16)]);
      entryOf(site).resolution = "10min";
    });
    assertAlmostEquals(factorOf(tenMinutes), factorOf(hours), 1e-4);
    assertEquals(
      notesOf(tenMinutes).filter((note) => note.includes("10-minute values")),
      [
        "production.csv: Vindkit averaged 10-minute values to 8,760 hourly values. " +
        `${missing + 1} hours have no mean, because fewer than 3 of the 6 values are valid. ` +
        `This includes ${missing} h without a valid value.`,
      ],
    );
    assert(!notesOf(hours).some((note) => note.includes("10-minute values")));
  });

  it("in files that end within an hour gives the factor of its hours", async () => {
    const [hours, tenMinutes] = await importSteps(async (site, steps) => {
      const entry = { ...entryOf(site), resolution: "10min" as const };
      await write(site, "1.csv", steps.slice(0, 20_001));
      await write(site, "2.csv", steps.slice(20_001));
      site.declared.turbines[0].production = ["2.csv", "1.csv"].map((file) => ({ ...entry, file }));
    });
    assertEquals(factorOf(tenMinutes), factorOf(hours));
    assert(
      notesOf(tenMinutes).some((note) =>
        /^1\.csv to 2\.csv: Vindkit averaged 10-minute values/.test(note)
      ),
    );
  });

  it("followed by hours of another file is one series with them", async () => {
    await withSite(async (site) => {
      const hour = entryOf(site);
      const steps = await readSteps(site);
      await write(site, "fine.csv", steps.slice(0, 6 * 4000));
      await site.editLines("production.csv", ([header, ...rows]) => [header, ...rows.slice(4000)]);
      site.declared.turbines[0].production = [
        hour,
        { ...hour, file: "fine.csv", resolution: "10min" },
      ];
      const { turbines: [{ production, notes }] } = await readSite(
        await readSiteFile(await site.siteFile()),
      );
      assertEquals(production.length, 1);
      const [series] = production;
      assert(series.kind === "hourly");
      assertEquals(series.axis.length, 8760);
      assertEquals(notes?.length, 1);
    });
  });
});
