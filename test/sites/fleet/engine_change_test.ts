/**
 * What another engine has calibrated is served as it is until the next import, which calibrates once more and says by how
 * much the figures moved.
 *
 * @module
 */
import { assert, assertAlmostEquals, assertEquals, assertMatch } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { formatImport } from "../../../src/sites/fleet/format_import.ts";
import type { ImportResult } from "../../../src/sites/fleet/store_site.ts";
import { mapRevisions, type PublishedFigures, readPublished } from "../../service/_published.ts";
import { makeOlder } from "../_engine.ts";
import { importFile, makeSite, rowsBetween, type TestSite, wholeExample } from "../_site.ts";

describe("the first import by another engine", () => {
  let site: TestSite;
  let data: string;
  let before: PublishedFigures;
  let after: PublishedFigures;
  let result: ImportResult;

  beforeAll(async () => {
    site = await makeSite();
    data = await Deno.makeTempDir();
    await importFile(await site.siteFile(), data);
    await makeOlder(data);
    before = await readPublished(data);
    result = await importFile(await site.siteFile(), data);
    after = await readPublished(data);
  });
  afterAll(async () => {
    await Deno.remove(site.folder, { recursive: true });
    await Deno.remove(data, { recursive: true });
  });

  it("calibrates once more, as one revision of all months, for the engine", () => {
    assertEquals([result.unchanged, result.turbines[0].outcome], [false, "other engine"]);
    const { calibration, edition } = after.turbine;
    assertEquals([calibration!.revision, edition], [2, 2]);
    const next = Object.entries(mapRevisions(before)).map(([month, own]) => [month, own + 1]);
    assertEquals(mapRevisions(after), Object.fromEntries(next));
    assertMatch(
      formatImport(result),
      /\n {2}calibrated again, revision 2 with engine 5, a new model, so the figures of all months change\n/,
    );
  });

  it("keeps the years of the reference period and every report that was published", () => {
    const { referenceYears } = before.turbine.calibration!;
    assertEquals(referenceYears, [2023, 2024]);
    assertEquals(after.turbine.calibration!.referenceYears, referenceYears);
    for (const [name, report] of before.revisions) {
      assertEquals(after.revisions.get(name), report, name);
    }
  });

  it("says in its lines and in the reports what moved by how much", () => {
    const note = after.turbine.calibration!.notes[0];
    const parse = (text: string) => Number(text.replace(",", "").replace("−", "-"));
    const parts =
      /^Engine 5 instead of 3 changes the mean annual energy from ([\d,.]+) MWh to ([\d,.]+) MWh \(([−+][\d.]+) %\); k from ([\d.]+) to ([\d.]+); the half width of its 90 % interval from [\d.]+ % to [\d.]+ %; the abnormality indices of (\d+) months by ([\d.]+) points on average, most in (\d{4}-\d\d) \(([−+][\d.]+) points\)\. The intervals now .*\.$/
        .exec(note);
    assert(parts, note);
    const [oldEnergy, energy, change, oldK, k, months, mean] = parts.slice(1, 8).map(parse);
    const most = parts[8];
    // All of it by what the service published before and publishes now.
    const report = (own: PublishedFigures) => own.reports.get("2024-05")!;
    const energyOf = (own: PublishedFigures) =>
      report(own).reference_period.mean_annual_production!;
    assertAlmostEquals(oldEnergy, energyOf(before), 0.051);
    assertAlmostEquals(energy, energyOf(after), 0.051);
    assertAlmostEquals(change, 100 * (energyOf(after) / energyOf(before) - 1), 0.0051);
    assertAlmostEquals(oldK, report(before).calibration.k, 0.000051);
    assertAlmostEquals(k, report(after).calibration.k, 0.000051);
    const index = (own: PublishedFigures, month: string) =>
      Number(own.table.get(month)!.month_abnormality_index);
    const moved = [...before.table.keys()].map((month) =>
      [month, index(after, month) - index(before, month)] as const
    ).sort(([, a], [, b]) => Math.abs(b) - Math.abs(a));
    assertEquals([months, most], [moved.length, moved[0][0]]);
    assertAlmostEquals(parse(parts[9]), moved[0][1], 0.051);
    const sum = moved.reduce((total, [, change]) => total + Math.abs(change), 0);
    assertAlmostEquals(mean, sum / moved.length, 0.051);
    assert(formatImport(result).split("\n").includes(`  ${note}`));
    assertEquals(report(after).notes[0], note);
  });

  it("is the last: the same site changes nothing, and later production is not fitted", async () => {
    const again = await importFile(await site.siteFile(), data);
    assertEquals([again.unchanged, again.turbines], [true, []]);
    const later = (await wholeExample())["production.csv"];
    const path = site.path("later.csv");
    await Deno.writeTextFile(path, rowsBetween(later, "2023-12-31T23", "2024-03-31T22"));
    const { production } = site.declared.turbines[0];
    production.push({ ...production[0], file: "later.csv" });
    const { turbines: [{ outcome }] } = await importFile(await site.siteFile(), data);
    assertEquals(outcome, "unchanged");
    const now = await readPublished(data);
    assertEquals(mapRevisions(now), mapRevisions(after));
    assertEquals(now.turbine.calibration, after.turbine.calibration);
    assertEquals(now.table, after.table);
  });
});
