/**
 * A site with several reanalyses: which are used for the index, what is reported, and what happens if one ends earlier.
 * The turbine follows its power curve in the wind of the example's climate; each reanalysis is that wind with a wrong
 * factor per month.
 *
 * @module
 */
import { assert, assertAlmostEquals, assertEquals, assertMatch } from "@std/assert";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { formatImport } from "../../../src/sites/fleet/format_import.ts";
import type { ImportResult } from "../../../src/sites/fleet/store_site.ts";
import { buildPath, ORDERED } from "../../service/_answers.ts";
import {
  mapRevisions,
  mapStates,
  monthsBetween,
  readPublished,
  withAsk,
} from "../../service/_published.ts";
import { importFile, makeSite, type TestSite } from "../_site.ts";

/** Ratio of a reanalysis's wind to the true wind, by month counted from January 2021. */
type WindError = (month: number) => number;

const SIZE = 0.06;

/** Errors that are uncorrelated: over four months their product is zero on average. */
const alternating: WindError = (month) => 1 + (month % 2 === 0 ? SIZE : -SIZE);
const paired: WindError = (month) => 1 + (month % 4 < 2 ? SIZE : -SIZE);
/** An error three times as large. */
const bad: WindError = (month) => 1 + 3 * (paired(month) - 1);

const monthOf = (stamp: string) =>
  12 * (Number(stamp.slice(0, 4)) - 2021) + Number(stamp.slice(5, 7)) - 1;

let site: TestSite;
let data: string;
let climate: readonly string[]; // header and rows of the true climate

/** Gives each test a site whose turbine follows its curve, and an empty data directory. */
function eachHasASite(): void {
  beforeEach(async () => {
    data = await Deno.makeTempDir();
    site = await makeSite({
      climate: ["2020-12-31T00", "2025-01-01T01"],
      production: ["2020-12-31T23", "2022-12-31T23"],
    });
    climate = (await Deno.readTextFile(site.path("climate.csv"))).trimEnd().split("\n");
    await produceByCurve();
  });
  afterEach(async () => {
    await Deno.remove(site.folder, { recursive: true });
    await Deno.remove(data, { recursive: true });
  });
}

/** Writes production by the power curve in the mean wind of each hour's two instants. */
async function produceByCurve(): Promise<void> {
  const [, ...points] = (await Deno.readTextFile(site.path("power_curve.csv"))).trimEnd().split(
    "\n",
  )
    .map((line) => line.split(",").map(Number));
  const powerAt = (speed: number) => {
    const above = points.findIndex(([wind]) => wind > speed);
    if (above <= 0) return 0; // below the first or above the last
    const [[v1, p1], [v2, p2]] = [points[above - 1], points[above]];
    return p1 + (p2 - p1) * (speed - v1) / (v2 - v1);
  };
  const names = climate[0].split(",");
  const [low, high] = [10, 100].map((height) => names.indexOf(`wind_speed_${height}`));
  // Between 10 and 100 m by the power law, at 80 m.
  const powers = climate.slice(1).map((row) => {
    const fields = row.split(",");
    const [v10, v100] = [Number(fields[low]), Number(fields[high])];
    return powerAt(v10 * (v100 / v10) ** Math.log10(8) || 0);
  });
  const positions = new Map(climate.slice(1).map((row, i) => [row.slice(0, row.indexOf(",")), i]));
  await site.editLines("production.csv", ([header, ...rows]) => [
    header,
    ...rows.map((row) => {
      const stamp = row.slice(0, row.indexOf(","));
      const i = positions.get(stamp)!;
      return `${stamp},${(0.5 * (powers[i] + powers[i + 1])).toFixed(1)}`;
    }),
  ]);
}

/** Writes a reanalysis: the true climate with an error, from one timestamp to before another. */
async function writeClimate(name: string, error: WindError, from = "", to = "9"): Promise<void> {
  const [header, ...rows] = climate;
  const names = header.split(",");
  const speeds = [10, 100].map((height) => names.indexOf(`wind_speed_${height}`));
  const lines = rows.filter((row) => row >= from && row < to).map((row) => {
    const fields = row.split(",");
    for (const i of speeds) fields[i] = (error(monthOf(row)) * Number(fields[i])).toFixed(3);
    return fields.join(",");
  });
  await Deno.writeTextFile(site.path(name), [header, ...lines, ""].join("\n"));
}

/** Declares a second reanalysis, `other-climate`, in addition to `example-climate`. */
function declareOther(): void {
  const { dataset, climate } = site.declared;
  site.declared.other_reanalyses = [{
    dataset: {
      ...dataset,
      service_id: "other-climate",
      attribution: ["Another reanalysis, by somebody"],
    },
    climate: [{ ...climate[0], files: ["other.csv"] }],
  }];
}

const run = async () => await importFile(await site.siteFile(), data);

/** Reads the errors of unseen periods, the weights and the choice. */
function readChoice({ turbines: [{ calibration }] }: ImportResult) {
  const { choice, reanalyses } = calibration!;
  return {
    ...choice,
    errors: reanalyses.map(({ error }) => error!),
    weights: reanalyses.map(({ weight }) => weight),
  };
}

describe("a site with two reanalyses", () => {
  eachHasASite();

  for (const swapped of [false, true]) {
    it(`uses the reanalysis that predicts unseen months better, the ${swapped ? "second" : "first"}`, async () => {
      await writeClimate("climate.csv", swapped ? bad : alternating);
      await writeClimate("other.csv", swapped ? alternating : bad);
      declareOther();
      const result = await run();
      const { kind, weights, errors } = readChoice(result);
      assertEquals([kind, weights], ["single", swapped ? [0, 1] : [1, 0]]);
      const [worse, better] = swapped ? errors : errors.toReversed();
      assert(worse > 2 * better, `${worse} and ${better}`);
      const { calibration, intervals, notes } = (await readPublished(data)).reports.get("2022-05")!;
      assertEquals(calibration.reanalyses.map(({ service_id, weight }) => [service_id, weight]), [
        ["example-climate", weights[0]],
        ["other-climate", weights[1]],
      ]);
      for (const [i, { error, lag, trend }] of calibration.reanalyses.entries()) {
        assertAlmostEquals(error!, 100 * errors[i], 1e-9);
        assertAlmostEquals(lag!, 0, 0.3);
        assert(trend !== null, "four years have a trend");
      }
      assert(intervals!.parts!.spread > 0);
      assertMatch(
        notes.join("\n"),
        /Prediction error of each reanalysis in unseen periods: example-climate [\d.]+ %, other-climate [\d.]+ %. The index uses the reanalysis with the smallest error\./,
      );
      assertMatch(
        formatImport(result),
        /\n {2}climate example-climate 35,089 h, 100\.0 % complete; other-climate 35,089 h, 100\.0 % complete\n/,
      );
    });
  }

  it("combines two with uncorrelated errors, and predicts better than each", async () => {
    await writeClimate("climate.csv", alternating);
    await writeClimate("other.csv", paired);
    declareOther();
    const combined = await run();
    const { kind, weights, errors, error } = readChoice(combined);
    assert(kind !== "single");
    for (const weight of weights) assertAlmostEquals(weight, 0.5, 0.1);
    // Of four months two are right and two as wrong as before, so the error falls by the root of one half.
    for (const single of errors) assertAlmostEquals(error! / single, Math.SQRT1_2, 0.15);
    assertEquals(combined.turbines[0].filled, []);
    // The combined months lie between those of the two, as far as their calibrations agree.
    const energies = ({ turbines: [{ months }] }: ImportResult) =>
      months.map(({ predicted_production }) => predicted_production!);
    const alone = await Promise.all(["climate.csv", "other.csv"].map(async (file) => {
      const { other_reanalyses: _, ...declared } = site.declared;
      const single = { ...declared, climate: [{ ...declared.climate[0], files: [file] }] };
      await Deno.writeTextFile(site.path(`${file}.json`), JSON.stringify(single));
      const folder = await Deno.makeTempDir();
      const result = await importFile(site.path(`${file}.json`), folder);
      await Deno.remove(folder, { recursive: true });
      return energies(result);
    }));
    energies(combined).forEach((energy, i) => {
      const expected = weights[0] * alone[0][i] + weights[1] * alone[1][i];
      assertAlmostEquals(energy / expected, 1, 1e-9);
    });
  });

  it("continues after the end of one: its missing months are named and preliminary until it continues", async () => {
    await writeClimate("climate.csv", alternating);
    await writeClimate("other.csv", paired, "", "2023-01-01T01");
    declareOther();
    const first = await run();
    const before = await readPublished(data);
    const filled = monthsBetween("2023-01", "2024-12");
    assertEquals(before.lastReport, "2024-12");
    // Local December ends an hour before UTC's, so the other reanalysis has its last hour.
    const states = mapStates(before);
    for (const [month, state] of Object.entries(states)) {
      assertEquals(state, filled.includes(month) ? "preliminary" : "final", month);
    }
    const line =
      "  Hours filled because a reanalysis is missing: 24 months of 2023-01 to 2024-12 from " +
      "example-climate. They change when the missing reanalysis is added.";
    assert(formatImport(first).split("\n").includes(line), formatImport(first));

    await writeClimate("other.csv", paired);
    const second = await run();
    assertEquals(second.turbines[0].outcome, "unchanged");
    assertEquals(second.turbines[0].filled, []);
    const after = await readPublished(data);
    assertEquals(new Set(Object.values(mapStates(after))), new Set(["final"]));
    const revisions = mapRevisions(after);
    for (const month of filled) assertEquals(revisions[month], 2, month);
    assertEquals(after.turbine.calibration!.choice, before.turbine.calibration!.choice);
    // The same as if it had been complete from the beginning.
    const energies = ({ months }: typeof after) =>
      months.map((month) => month.predicted_production!);
    const fresh = await Deno.makeTempDir();
    await importFile(await site.siteFile(), fresh);
    const complete = await readPublished(fresh);
    await Deno.remove(fresh, { recursive: true });
    energies(after).forEach((energy, i) => assertAlmostEquals(energy, energies(complete)[i], 1e-6));
  });

  it("uses the first with fewer than six months, and keeps figures and intervals in a later import", async () => {
    await writeClimate("climate.csv", paired);
    await writeClimate("other.csv", alternating);
    declareOther();
    await site.edit("production.csv", (text) => text.slice(0, text.indexOf("2021-04-30T22")));
    const first = await run();
    const { choice, reanalyses } = first.turbines[0].calibration!;
    assertEquals([choice, reanalyses.map(({ weight }) => weight)], [
      { kind: "single", error: null },
      [1, 0],
    ]);
    assertMatch(
      first.turbines[0].calibration!.notes.join("\n"),
      /With fewer than six common periods, the index uses the first reanalysis, example-climate\./,
    );
    site.declared.turbines[0].name = "Renamed";
    const second = await run();
    assertEquals(second.turbines[0].outcome, "unchanged");
    assertEquals(second.turbines[0].months, first.turbines[0].months);
  });

  it("calls no month final if a reanalysis lacks its last hour", async () => {
    await writeClimate("climate.csv", alternating);
    // The hour from 22:00 to 23:00 UTC, the last of the local year, lacks its second instant.
    await writeClimate("other.csv", paired, "", "2022-12-31T23");
    declareOther();
    await run();
    const states = mapStates(await readPublished(data));
    assertEquals([states["2022-11"], states["2022-12"]], ["final", "preliminary"]);
  });

  it("leaves out one without hours in common with production, with the reason", async () => {
    await writeClimate("climate.csv", alternating);
    await writeClimate("other.csv", paired, "2023-06-01");
    declareOther();
    const { turbines: [{ calibration, months, outcome }] } = await run();
    assertEquals(calibration!.reanalyses.map(({ serviceId }) => serviceId), ["example-climate"]);
    assertEquals(months.length, 48);
    assertMatch(
      calibration!.notes.join("\n"),
      /other-climate is not used\. Cannot calibrate: the production \(.*\) is outside the climate record \(2023-06-01 to 2025-01-01\)\./,
    );
    assertEquals(outcome, "first");
    // It stays left out as long as turbine, reanalyses and production are unchanged.
    await site.edit("climate.csv", (text) => text.replace(/\n[^\n]*\n$/, "\n"));
    assertEquals((await run()).turbines[0].outcome, "unchanged");
  });

  it("shows the attributions of both with combined figures, and offers each for orders", async () => {
    await writeClimate("climate.csv", alternating);
    await writeClimate("other.csv", paired);
    declareOther();
    await run();
    const attribution = site.declared.dataset.attribution[0];
    const [attributions, other] = [[attribution, "Another reanalysis, by somebody"], [
      "Another reanalysis, by somebody",
    ]];
    const turbine = { turbine_id: "E1" };
    const dates = { start_date: "2024-01-01", end_date: "2024-01-08" };
    const answers: readonly [string, readonly string[]][] = [
      [buildPath("wind_indices", turbine), attributions],
      [buildPath("monthly_index", { ...turbine, year: 2024, month: 5 }), attributions],
      [buildPath("model_data", { ...turbine, ...dates }), attributions],
      [buildPath("monthly_report", { ...turbine, period: "2024-05" }), attributions],
      [buildPath("download_climate", ORDERED), [attribution]],
      [buildPath("download_climate", { ...ORDERED, service_id: "other-climate" }), other],
    ];
    await withAsk(data, async (ask) => {
      for (const [path, lines] of answers) {
        const response = await ask(path);
        assertEquals(response.status, 200, path);
        const header = response.headers.get("vindkit-attribution")!;
        assertEquals(header.split(",").map(decodeURIComponent), lines, path);
        await response.body!.cancel();
      }
      const datasets = await (await ask(buildPath("datasets"))).json();
      assertEquals(
        datasets.map(({ service_id }: { service_id: string }) => service_id),
        ["example-climate", "other-climate"],
      );
      const order = await ask(
        buildPath("place_order", { ...ORDERED, service_id: "other-climate" }),
      );
      assertEquals(order.status, 200);
      await order.body!.cancel();
    });
  });
});

describe("a reanalysis added to a site", () => {
  eachHasASite();

  it("causes a new calibration, for another declaration, and so does removing one", async () => {
    await writeClimate("climate.csv", alternating);
    await writeClimate("other.csv", paired);
    const alone = await run();
    declareOther();
    const combined = await run();
    assertEquals(combined.turbines[0].outcome, "other declaration");
    assertEquals(combined.turbines[0].calibration!.revision, 2);
    assert(
      formatImport(combined).includes("because the turbine or its reanalyses have changed"),
    );
    const { reports } = await readPublished(data);
    assertEquals(reports.get("2024-05")!.calibration.reanalyses.length, 2);
    delete site.declared.other_reanalyses;
    const repeated = await run();
    assertEquals(repeated.turbines[0].outcome, "other declaration");
    assertEquals(
      repeated.turbines[0].calibration!.calibration,
      alone.turbines[0].calibration!.calibration,
    );
  });
});
