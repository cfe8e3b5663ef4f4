/**
 * A useless calibration, from the import to the report: the small site with faults that still give plausible figures.
 *
 * @module
 */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { connect, type Connection } from "../../../src/client/connection/connection.ts";
import { monthlyIndices } from "../../../src/client/calls/monthly_indices.ts";
import { monthlyReport } from "../../../src/client/calls/reports.ts";
import { turbineDetails } from "../../../src/client/calls/turbines.ts";
import { provenance } from "../../../src/frames/origin/provenance.ts";
import { checkTurbine } from "../../../src/report/check_turbine.ts";
import { computeTurbine } from "../../../src/sites/calibration/compute_turbine.ts";
import { readSiteFile } from "../../../src/sites/declaration/site.ts";
import { formatImport } from "../../../src/sites/fleet/format_import.ts";
import { readSite } from "../../../src/sites/import_site.ts";
import { readSiteProduction } from "../../../src/sites/production/site_production.ts";
import { importFile, moveProduction, type TestSite, withSite } from "../_site.ts";

/** Multiplies the wind speeds of the power curve. */
const stretchCurve = (site: TestSite, factor: number) =>
  site.editColumn("power_curve.csv", "wind_speed", (speed) => String(Number(speed) * factor));

/** Moves the climate point by some degrees to the north of the turbine. */
function placePoint(site: TestSite, north: number): void {
  const { declared } = site;
  const [{ latitude, longitude }] = declared.turbines;
  const [point] = declared.climate as unknown as Record<string, unknown>[];
  Object.assign(point, { latitude: latitude + north, longitude });
}

async function withConnection(
  data: string,
  body: (connection: Connection) => Promise<void>,
): Promise<void> {
  await using connection = connect({ data });
  await body(connection);
}

describe("a calibration is judged", () => {
  it("SI7 lists no problems for the unchanged small site, and calls it good in the summary", async () => {
    await withSite(async (site, data) => {
      const text = formatImport(await importFile(await site.siteFile(), data));
      assertMatch(text, /E1 .* correlation 0\.\d+, error \d\.\d %; calibration good\n/);
      assert(!/useless|[Pp]oor/.test(text), text);
    });
  });

  it("SI7 says first that production of another time is not explained, with every figure", async () => {
    await withSite(async (site, data) => {
      await moveProduction(site, 24 * 100);
      const text = formatImport(await importFile(await site.siteFile(), data));
      assertMatch(text, /; calibration useless\n/);
      assertMatch(
        text,
        /Please check:\n(.*\n)* {2}E1: USELESS calibration: this wind does not explain this production \(.*its hours have a correlation of -?0\.\d\d with the model.*\)\. Do not use its figures\. Check that climate and production have the same coordinates/,
      );
      await withConnection(data, async (connection) => {
        const details = await turbineDetails("E1", { connection });
        assertEquals(details.calibration_verdict, "useless");
        assertMatch(String(details.calibration_reason), /^.*its hours have a correlation of/);
        const frame = await turbineDetails(["E1"], { connection });
        assertEquals(frame.getColumn("calibration_verdict").toArray(), ["useless"]);
        const months = await monthlyIndices("E1", { connection });
        assertMatch(provenance(months)[0].notes![0], /^USELESS calibration: this wind does not/);
        const report = await monthlyReport("E1", "2024-12", { connection }) as unknown as {
          readonly calibration: { readonly verdict: string };
          readonly notes: readonly string[];
        };
        assertEquals(report.calibration.verdict, "useless");
        assertMatch(report.notes[0], /^USELESS calibration/);
        const [production] = await readSiteProduction(await readSiteFile(await site.siteFile()));
        const check = await checkTurbine("E1", production.frame, { connection });
        assertEquals(
          new Set(check.verdicts.map(({ verdict }) => verdict)),
          new Set(["cannot be told"]),
        );
        assertMatch(
          check.summary[0],
          /^Cannot tell wind from turbine: the modelled wind does not explain the production \(/,
        );
      });
      // The message says to check the times: with the right times, the site is good again.
      await moveProduction(site, -24 * 100);
      const repeated = formatImport(await importFile(await site.siteFile(), data));
      assert(!/USELESS/.test(repeated), repeated);
    });
  });

  it("SI7 calls a point 25 km away with a factor of 0.7 poor, until a nearer one is declared", async () => {
    await withSite(async (site, data) => {
      await stretchCurve(site, 0.76);
      placePoint(site, 0.2248); // 25 km at 111.2 km per degree
      const text = formatImport(await importFile(await site.siteFile(), data));
      assertMatch(
        text,
        /E1: Poor calibration: .*the climate point is 25 km away, and its wind speed needs a factor of 0\.\d\d\. Give the four climate points around the turbine, or a nearer point\./,
      );
      placePoint(site, 0.1);
      const nearer = formatImport(await importFile(await site.siteFile(), data));
      assert(!/Poor calibration/.test(nearer), nearer);
    });
  });

  it("stores the figures for its judgement with the calibration", async () => {
    await withSite(async (site) => {
      const data = await readSite(await readSiteFile(await site.siteFile()));
      const first = { calibration: null, nextRevision: 1, recalibrate: false };
      const { pointDistance, hourCorrelation } = computeTurbine(data, 0, [], first).calibration!;
      assert(Math.abs(pointDistance! - 12.2) < 0.1 && hourCorrelation! > 0.8);
    });
  });
});
