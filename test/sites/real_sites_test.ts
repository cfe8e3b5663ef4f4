/**
 * Two real sites from their files to the client: imported, served over HTTP, queried with a key. The data are not part
 * of the project: without them these tests are skipped; their names say why.
 *
 * Kelmarsh wind farm data, CC-BY-4.0, doi 10.5281/zenodo.5841833; Horns Rev 1: Danish register of wind turbines,
 * Energistyrelsen; ERA5: contains modified Copernicus Climate Change Service information; power curves: Open Energy
 * Database turbine library, ODbL-1.0.
 *
 * @module
 */
import { assert, assertAlmostEquals, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl, { type DataFrame } from "nodejs-polars";
import { readSiteFile, type Site } from "../../src/sites/declaration/site.ts";
import { defineSite } from "../../src/sites/declaration/define_site.ts";
import { importSite } from "../../src/sites/import_site.ts";
import { allAnswers } from "./declaration/_all_answers.ts";
import { toDefinition, withFrames } from "./declaration/_definition.ts";
import {
  type MonthlyReportResource,
  monthlyReportResource,
} from "../../src/api/resources/report_resource.ts";
import { connect, type Connection } from "../../src/client/connection/connection.ts";
import { monthlyIndices } from "../../src/client/calls/monthly_indices.ts";
import { modelData } from "../../src/client/calls/model_data.ts";
import { monthlyReport } from "../../src/client/calls/reports.ts";
import { turbineDetails, turbines } from "../../src/client/calls/turbines.ts";
import { provenance } from "../../src/frames/origin/provenance.ts";
import { readSiteProduction } from "../../src/sites/production/site_production.ts";
import { serve } from "../../src/service/running/serve.ts";
import { openService } from "../../src/service/running/service.ts";
import { correlation } from "../../src/stats/regression.ts";
import { DEFAULT_SMOOTHING } from "../../src/windindex/calibration/training_energies.ts";
import { importFile } from "./_site.ts";

function present(): boolean {
  try {
    return Deno.statSync(new URL("../../../shared/data/", import.meta.url)).isDirectory;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

function check(name: string, body: () => Promise<void>): void {
  if (present()) it(name, body);
  else it.ignore(`${name} (skipped: ../shared/data is not here)`, body);
}

function siteFile(name: string): string {
  return new URL(`${name}.json`, import.meta.url).pathname;
}

/** Imports a site into a new data directory, serves it, and passes on a connection over HTTP. */
async function served(
  name: string,
  body: (connection: Connection, k: ReadonlyMap<string, number>) => Promise<void>,
): Promise<void> {
  const data = await Deno.makeTempDir();
  try {
    const imported = await importFile(siteFile(name), data);
    const factors = new Map(
      imported.turbines.map(({ turbine, calibration }) => [
        turbine.id,
        calibration!.calibration.k,
      ]),
    );
    const service = await openService(data);
    const server = serve(service);
    try {
      const key = await service.issueLocalKey();
      await body(connect({ url: server.url, key }), factors);
    } finally {
      await server.close();
    }
  } finally {
    await Deno.remove(data, { recursive: true });
  }
}

async function readReport(
  id: string,
  month: string,
  connection: Connection,
): Promise<MonthlyReportResource> {
  return monthlyReportResource.parse(await monthlyReport(id, month, { connection }));
}

function column<T = number>(frame: DataFrame, name: string): T[] {
  return frame.getColumn(name).toArray() as T[];
}

/** Returns the instants of the datetime column, milliseconds since 1970. */
function instants(frame: DataFrame): number[] {
  return column<Date | number>(frame, "time").map(Number);
}

/** Sums modelled and produced energy of the months of 2018, over hours with both. */
function monthlyPairs(model: DataFrame, production: DataFrame): [number[], number[]] {
  const stamps = instants(model);
  const modelled = new Map(
    column<number | null>(model, "power").map((power, i) => [stamps[i], power]),
  );
  const sums = new Map<string, [number, number]>();
  const produced = column<number | null>(production, "power");
  instants(production).forEach((stamp, i) => {
    const [a, b] = [modelled.get(stamp) ?? null, produced[i]];
    if (a === null || b === null) return;
    const month = new Date(stamp).toISOString().slice(0, 7);
    const sum = sums.get(month) ?? [0, 0];
    sums.set(month, [sum[0] + a, sum[1] + b]);
  });
  const pairs = [...sums.values()];
  return [pairs.map(([a]) => a), pairs.map(([, b]) => b)];
}

/** Returns the answers about two turbines of Kelmarsh, imported into a new data directory. */
async function answersOf(site: Site): Promise<Record<string, string>> {
  const data = await Deno.makeTempDir();
  try {
    await importSite(site, { data });
    return await allAnswers(data, ["KWF1", "KWF5"], ["2018-05", "2021-06"]);
  } finally {
    await Deno.remove(data, { recursive: true });
  }
}

describe("Kelmarsh", () => {
  check("gives byte-identical answers through defineSite() with frames", async () => {
    const path = siteFile("kelmarsh");
    const declared = JSON.parse(await Deno.readTextFile(path));
    const definition = toDefinition(declared, path.slice(0, path.lastIndexOf("/")));
    const fromFile = await answersOf(await readSiteFile(path));
    assertEquals(Object.values(fromFile).filter((text) => !text.startsWith("200 ")), []);
    assertEquals(await answersOf(defineSite(await withFrames(definition))), fromFile);
  });

  check("is imported, served and asked for its four turbines", async () => {
    await served("kelmarsh", async (connection, factors) => {
      const ids = column<string>(await turbines({ connection }), "turbine_id");
      assertEquals(ids, ["KWF1", "KWF3", "KWF4", "KWF5"]);

      const indices = await monthlyIndices(ids, { connection });
      assertEquals(provenance(indices)[0]?.world, "own");
      assert(provenance(indices)[0].attribution.some((line) => line.includes("Copernicus")));
      const production = new Map(
        (await readSiteProduction(await readSiteFile(siteFile("kelmarsh")))).map((
          { turbineId, frame },
        ) => [
          turbineId,
          frame,
        ]),
      );
      for (const id of ids) {
        const k = factors.get(id)!;
        assert(k > 0.84 && k < 0.95, `${id}: k is ${k}`);

        // August 2017 to July 2021; the record ends in the first hour of the next month.
        const rows = indices.filter(pl.col("turbine_id").eq(pl.lit(id)));
        const fullMonths = column<number | null>(rows, "month_index").filter((value) =>
          value !== null
        );
        assertEquals(fullMonths.length, 48, id);

        const model = await modelData(id, { from: "2017-12-31", to: "2019-01-01", connection });
        const [modelled, produced] = monthlyPairs(model, production.get(id)!);
        assertEquals(modelled.length, 12);
        const r = correlation(modelled, produced);
        assert(r >= 0.98, `${id}: r is ${r}`);
      }
      const { training_start, training_end } = await turbineDetails("KWF1", { connection });
      assertEquals([training_start, training_end], ["2018-01-01", "2018-12-31"]);

      for (const id of ids) {
        const { calibration, indices } = await readReport(id, "2018-12", connection);
        assertEquals(calibration.scaling, "sector", id);
        assertEquals(calibration.parameters.length, 12, id);
        assertEquals(calibration.parameters[3].name, "90 deg", id);
        const errors = new Map(
          calibration.candidates.filter(({ smoothing }) => smoothing === DEFAULT_SMOOTHING)
            .map((entry) => [entry.scaling, entry.error]),
        );
        // One year shows no season.
        assertEquals([...errors.keys()], ["factor", "hour", "sector"], id);
        assert(errors.get("sector")! < errors.get("factor")!, id);
        assert(errors.get("factor")! < 9, `${id}: ${errors.get("factor")} %`);
        assert(calibration.k_low! < calibration.k && calibration.k < calibration.k_high!, id);
        const [low, high] = [indices.predicted_production_low, indices.predicted_production_high];
        const energy = indices.predicted_production as number;
        assert(low as number < energy && energy < (high as number), id);

        // Standstill while the others ran: the months of 2018, most hours first.
        const idle = calibration.findings.find((line) => line.startsWith("idle, "))!;
        assertMatch(idle, /^idle, \d+ h: 2018-\d\d \(\d+ h\), .* The fit excludes them\.$/, id);
        const hours = Number(/^idle, (\d+) h/.exec(idle)![1]);
        assert(hours >= 60 && hours <= 110, `${id}: ${hours} h idle`);
        const gap = calibration.findings.find((line) => line.startsWith("gap, "))!;
        assertEquals(calibration.findings.length, 2, calibration.findings.join("\n"));
        // 254 hours from 23 October 02:00 UTC on: 214 in October, in addition to 12 others, and 40 in November.
        const [, october, november] = /^gap, \d+ h: 2018-10 \((\d+) h\), 2018-11 \((\d+) h\)/
          .exec(gap)!.map(Number);
        assertEquals(october, 226, id);
        assert(november >= 40, `${id}: ${gap}`);
        assertMatch(gap, /Request the missing values from the source/, id);
      }
    });
  });
});

describe("Horns Rev 1", () => {
  check("is imported and served; its outages are found and not taken for calm years", async () => {
    await served("horns_rev", async (connection, factors) => {
      const k = factors.get("HR1")!;
      assert(k >= 0.86 && k <= 0.92, `k is ${k}`);

      const { calibration, notes } = await readReport("HR1", "2006-12", connection);
      assertEquals(
        notes.filter((note) => note.startsWith("Left out")),
        [
          "Left out of the calibration: " +
          "2003 (outage: produced 85 % of the energy expected from its wind and the other periods), " +
          "2004 (outage: produced 59 % of the energy expected from its wind and the other periods).",
        ],
      );
      const window = [calibration.training_start, calibration.training_end];
      assertEquals(window, ["2005-01-01", "2006-12-31"]);
      // Two annual values select no model.
      assertEquals([calibration.periods, calibration.scaling], [2, "factor"]);
      assertEquals(calibration.parameters, [{ name: "k", value: calibration.k }]);
      assertEquals(calibration.candidates.map(({ scaling }) => scaling), ["factor"]);
      // The interval reflects the disagreement of the two years: each predicts the other within 2.5 %.
      assert(calibration.k_low! < 0.985 * k && calibration.k_high! > 1.015 * k);

      const indices = await monthlyIndices("HR1", { from: "1997-01", to: "2008-12", connection });
      assertEquals(indices.height, 144);
      const year = (wanted: number) => {
        const rows = column<number>(indices, "predicted_production").slice(
          12 * (wanted - 1997),
          12 * (wanted - 1996),
        );
        return rows.reduce((sum, energy) => sum + energy, 0);
      };
      const annualIndex = (wanted: number) =>
        column<number>(indices, "last_full_year_index")[12 * (wanted - 1997) + 11];
      const [{ frame }] = await readSiteProduction(await readSiteFile(siteFile("horns_rev")));
      const produced = new Map(
        column<number>(frame, "year").map((year, i) => [year, column<number>(frame, "energy")[i]]),
      );
      // Transformers were replaced in 2003 and 2004, so production is far below the model.
      for (const [wanted, ratio] of [[2003, 0.85], [2004, 0.59]]) {
        assertAlmostEquals(produced.get(wanted)! / year(wanted), ratio, 0.02);
      }
      // The wind of 2004 was normal, so it does not explain the loss.
      assertAlmostEquals(annualIndex(2004), 100, 5);
      for (const wanted of [2005, 2006]) {
        assertAlmostEquals(produced.get(wanted)! / year(wanted), 1, 0.025);
      }
    });
  });
});
