/** Location indices, without production: import, keeping, replacement, and their marks up to the reader. */
import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertMatch,
  assertNotEquals,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ArgumentError } from "../../src/api/errors.ts";
import { modelData } from "../../src/client/calls/model_data.ts";
import { monthlyIndices } from "../../src/client/calls/monthly_indices.ts";
import { monthlyReport } from "../../src/client/calls/reports.ts";
import { turbineDetails } from "../../src/client/calls/turbines.ts";
import { monthlyIndex, windIndices } from "../../src/client/calls/wind_indices.ts";
import { extractNumbers } from "../../src/frames/frame.ts";
import { provenance } from "../../src/frames/origin/provenance.ts";
import { plotMonthlyIndices } from "../../src/plots/index/monthly_indices.ts";
import { makeFleetReport } from "../../src/report/make_fleet_report.ts";
import { importSite } from "../../src/sites/import_site.ts";
import { formatImport } from "../../src/sites/fleet/format_import.ts";
import { locationIndex, type PlacedTurbine } from "../../src/sites/location_index.ts";
import { withService } from "../../src/testing/mod.ts";
import { importFile, type TestSite, withSite } from "./_site.ts";
import { defineSourced, fetchFrom, withSource } from "./_sourced_site.ts";

const MARK = /^UNCALIBRATED location index \(k = 1, no production\)/;

type Declared = TestSite["declared"]["turbines"][number];

/** Imports the small site with a changed turbine. */
async function importChanged(site: TestSite, data: string, change: (turbine: Declared) => void) {
  change(site.declared.turbines[0]);
  return await importFile(await site.siteFile(), data);
}

const located = (turbine: Declared) =>
  void Object.assign(turbine, { production: [], location_index: true });

describe("an import of a turbine with location_index", () => {
  it("without production gives an index at k = 1, with the mark first", async () => {
    await withSite(async (site, data) => {
      const result = await importChanged(site, data, located);
      const [{ calibration, months, outcome }] = result.turbines;
      assertEquals([outcome, calibration!.calibration.k, calibration!.trainingStart], [
        "first",
        1,
        null,
      ]);
      assertMatch(calibration!.notes[0], MARK);
      assertEquals(calibration!.referenceYears, [2023, 2024]);
      const [january] = months.filter(({ year }) => year === 2023);
      assert(january.predicted_production_low! < january.predicted_production!);
      const text = formatImport(result);
      assertStringIncludes(text, "E1  UNCALIBRATED index of its place");
      assert(!text.includes("null"), text);
    });
  });

  it("is kept by the next import, becomes a new revision with production, and keeps its 100 %", async () => {
    await withSite(async (site, data) => {
      const { production } = site.declared.turbines[0];
      const [first] = (await importChanged(site, data, located)).turbines;
      await site.editColumn(
        "climate.csv",
        "wind_speed_100",
        (value) => String(1.01 * Number(value)),
      );
      const [repeated] = (await importFile(await site.siteFile(), data)).turbines;
      assertEquals([repeated.outcome, repeated.calibration!.revision], ["unchanged", 1]);
      const [fitted] = (await importChanged(site, data, (turbine) => {
        turbine.production = production;
      })).turbines;
      const { revision, referenceYears, notes, calibration } = fitted.calibration!;
      assertEquals([fitted.outcome, revision], ["other production", 2]);
      assertEquals(referenceYears, first.calibration!.referenceYears);
      assertNotEquals(calibration.k, 1);
      assert(!notes.some((note) => MARK.test(note)));
    });
  });

  it("drops the index of a turbine that lost its production, unless location_index is declared", async () => {
    await withSite(async (site, data) => {
      await importFile(await site.siteFile(), data);
      const [lost] = (await importChanged(site, data, (turbine) => {
        turbine.production = [];
      })).turbines;
      assertEquals([lost.outcome, lost.calibration], ["none", null]);
      const [placed] = (await importChanged(site, data, located)).turbines;
      assertMatch(placed.calibration!.notes[0], MARK);
    });
  });
});

describe("a stored location index", () => {
  it("is marked in details, frames, charts, pages and reports of a service", async () => {
    await withSite(async (site, data) => {
      await importChanged(site, data, located);
      await withService(async ({ url, key, connection }) => {
        const details = await turbineDetails("E1", { connection });
        assertEquals([details.calibrated, details.data_ready, details.training_start], [
          false,
          true,
          null,
        ]);
        const months = await monthlyIndices("E1", { connection });
        const parts = [
          details,
          months,
          await turbineDetails(["E1"], { connection }),
          await windIndices("E1", { connection }),
          await monthlyIndex("E1", "2023-05", { connection }),
          await modelData("E1", { from: "2023-05-01", to: "2023-05-02", connection }),
          months.filter(months.getColumn("month_index").isNotNull()).tail(3), // a derived frame
        ];
        for (const part of parts) assertMatch(provenance(part)[0].notes![0], MARK);
        assertStringIncludes(Deno.inspect(months), "UNCALIBRATED");
        assertStringIncludes(Deno.inspect(details), "UNCALIBRATED");

        const svg = await plotMonthlyIndices(months).svg();
        assertStringIncludes(svg, "UNCALIBRATED location index (k = 1");

        const report = await monthlyReport("E1", "2023-05", { connection });
        assertMatch(report.notes![0], MARK);
        assertEquals([report.calibration!.training_start, report.calibration!.k], [null, 1]);

        const headers = { "x-auth": key.reveal(), accept: "text/html" };
        const page = await (await fetch(`${url}/fleet`, { headers })).text();
        assertStringIncludes(page, "UNCALIBRATED location index");
        const feed = await (await fetch(`${url}/news.atom`, { headers })).text();
        assertStringIncludes(feed, "E1 (uncalibrated): ");
        assertMatch(page, /aria-label="[^"]*\(preliminary, uncalibrated\)|\(uncalibrated\)/);
        const card = await (await fetch(`${url}/fleet/turbines/E1`, { headers })).text();
        assertStringIncludes(card, "(uncalibrated)");

        const files = await Array.fromAsync(
          await makeFleetReport("E1", { month: "2023-05", connection }),
        );
        for (const { name, content } of files) {
          assertStringIncludes(content, "uncalibrated", name);
        }
        const page1 = files.find(({ name }) => name.endsWith("E1.md"))!.content;
        assertStringIncludes(page1, "UNCALIBRATED location index");
        const fleet = files.find(({ name }) => name === "index.md")!.content;
        assertStringIncludes(fleet, "The figures of 1 turbine are not calibrated");
      }, { data });
    });
  });

  it("keeps its mark in the cache", async () => {
    await withSite(async (site, data) => {
      await importChanged(site, data, located);
      await withService(async ({ connection }) => {
        await monthlyIndices("E1", { connection, cache: "use" });
        const stored = await monthlyIndices("E1", { connection, cache: "only" });
        const [{ notes }] = provenance(stored);
        assertEquals(notes!.length, 2);
        assertMatch(notes![0], MARK);
      }, { data });
    });
  });
});

/** Returns the turbine of the small site as a place. */
function placeOf({ declared: { turbines: [turbine] } }: TestSite): PlacedTurbine {
  const { latitude, longitude, elevation, hub_height, rotor_diameter, rated_power } = turbine;
  return { latitude, longitude, elevation, hub_height, rotor_diameter, rated_power };
}

describe("locationIndex()", () => {
  const climate = { source: "cds", from: "2023", to: "2024" } as const;

  it("computes the index of a place in one call", async () => {
    await withSource(async (site, server) => {
      const era5 = fetchFrom(server);
      const months = await locationIndex(placeOf(site), { climate, era5 });
      const [source] = provenance(months);
      assertMatch(source.notes![0], MARK);
      assertEquals(source.notes![1], "100 % is the mean of 2023 to 2024 (2 years)");
      const index = extractNumbers(months, "month_index").filter((value) => !Number.isNaN(value));
      assertAlmostEquals(index.reduce((sum, value) => sum + value, 0) / index.length, 100, 1e-9);
    });
  });

  it("gives the same as an import of the same turbine", async () => {
    await withSource(async (site, server, data) => {
      const era5 = fetchFrom(server);
      const power_curve = [{ wind_speed: 3, power: 0 }, { wind_speed: 25, power: 2300 }];
      const time_zone = "Europe/Copenhagen";
      const place = { ...placeOf(site), power_curve, time_zone };
      const months = await locationIndex(place, { climate, era5 });
      const turbine = { ...site.declared.turbines[0], production: [], location_index: true };
      const turbines = [{ ...turbine, ...place }];
      await importSite(defineSourced(site, { climate, turbines }), { data, era5 });
      await withService(async ({ connection }) => {
        const stored = await monthlyIndices("E1", { connection });
        const [expected, actual] = [stored, months].map((one) =>
          extractNumbers(one, "month_index")
        );
        actual.forEach((value, i) => {
          if (!Number.isNaN(value)) assertAlmostEquals(value, expected[i], 1e-6);
        });
      }, { data });
    });
  });

  it("rejects an invalid place, and climate from a source without era5", async () => {
    const place = { latitude: 95, longitude: 8, elevation: 0, hub_height: 80 };
    const turbine = { ...place, rotor_diameter: 92, rated_power: 2300 };
    await assertRejects(() => locationIndex(turbine, { climate }), ArgumentError, "latitude");
    const near = { ...turbine, latitude: 55 };
    await assertRejects(() => locationIndex(near, { climate }), ArgumentError, "era5");
  });
});
