/**
 * AN1: an owner of two turbines, with monthly energies from a meter, asks about a windy month in which one of them produced
 * too little: from site files through the import to the verdict.
 *
 * @module
 */
import { assert, assertAlmostEquals, assertEquals, assertMatch } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { connect, monthlyIndices } from "../../../mod.ts";
import { formatMonthLabel } from "../../../src/time/zones.ts";
import { copyExample, importFile } from "../../sites/_site.ts";
import { callSuccessfully } from "../_command.ts";

/** The month in question: its wind is worth about 123 % of normal, and A1 produces 76 % of that. */
const MONTH = "2022-08";
const SHARE = 0.76;

/** Deviations of the months from the model at the site, in turn. */
const NOISE = [0.02, -0.01, 0.01, -0.02, 0, 0.015, -0.015];

interface MonthOfIndex {
  readonly month: Date;
  readonly predicted_production: number;
  readonly month_abnormality_index: number;
}

describe("deno task check for an owner", () => {
  let folder: string;
  let data: string;
  let abnormality: number;

  beforeAll(async () => {
    folder = await Deno.makeTempDir();
    await copyExample(folder);
    const declared = JSON.parse(await Deno.readTextFile(`${folder}/site.json`));
    const [turbine] = declared.turbines;

    // The model of the example's hours gives the expected energy of each month.
    await importFile(`${folder}/site.json`, `${folder}/model`);
    await using connection = connect({ data: `${folder}/model` });
    const indices = await monthlyIndices("E1", { from: "2021-01", to: "2022-12", connection });
    const months = (indices.toRecords() as unknown as MonthOfIndex[]).map((row) => ({
      ...row,
      label: formatMonthLabel({
        year: row.month.getUTCFullYear(),
        month: row.month.getUTCMonth() + 1,
      }),
    }));
    assertEquals(months.length, 24);
    abnormality = months.find(({ label }) => label === MONTH)!.month_abnormality_index;

    const turbines = ["A1", "A2"].map((id, turbine) => ({
      id,
      rows: months.map(({ label, predicted_production }, i) => {
        const share = id === "A1" && label === MONTH ? SHARE : 1;
        const energy = share * predicted_production * (1 + NOISE[(i + 3 * turbine) % NOISE.length]);
        return `${label},${energy.toFixed(1)}`;
      }),
    }));
    for (const { id, rows } of turbines) {
      await Deno.writeTextFile(`${folder}/${id}.csv`, ["month,MWh", ...rows].join("\n") + "\n");
    }
    const meter = { column: "MWh", time: "month", resolution: "month", unit: "MWh" };
    const withProduction = turbines.map(({ id }, i) => ({
      ...turbine,
      id,
      name: `Meadow ${i + 1}`,
      longitude: turbine.longitude + i / 200,
      production: [{ file: `${id}.csv`, ...meter }],
    }));
    await Deno.writeTextFile(
      `${folder}/owner.json`,
      JSON.stringify({ ...declared, site: "owner", turbines: withProduction }),
    );
    data = `${folder}/data`;
    await importFile(`${folder}/owner.json`, data);
  });
  afterAll(() => Deno.remove(folder, { recursive: true }));

  const ask = async (...words: string[]) =>
    (await callSuccessfully("check", ...words, "--data", data)).replaceAll(/ *\n(?!\n)/g, " ");

  it("blames the turbine in the first words, although the wind made up for most of it", async () => {
    assertAlmostEquals(abnormality, 123, 1.5);
    const out = await ask("A1", "--month", MONTH);
    const [, title, verdict] = /^(.*?)\s{2,}(\S.*?)\s{2,}/s.exec(out)!;
    assertMatch(title, /^Wind or turbine\? Meadow 1, August 2022/);
    assertMatch(
      verdict,
      /^It was the turbine: stops or other causes cost \d\d\d\.\d MWh \(90 % interval \d\d\d\.\d to \d\d\d\.\d\)\. August 2022: \d\d\d\.\d MWh produced, [\d.]+ MWh \([2-7]\.\d %\) less than a normal August \(.*\)\. Against that, more wind than normal added \d\d\d\.\d MWh/,
    );
    assert(!/as usual/i.test(verdict), verdict);
  });

  it("states its figures: wind and loss nearly cancel each other", async () => {
    const json = await callSuccessfully("check", "--data", data, "--month", MONTH, "--json", "-");
    const { frames: { turbines: { rows } }, verdict: sum } = JSON.parse(json);
    const [first, second] = rows;
    assertEquals([first.turbine_id, second.turbine_id], ["A1", "A2"]); // the larger loss first
    assertEquals([first.verdict, second.verdict], ["unexplained", "wind"]);
    assertEquals(first.causes, "unexplained, wind");
    assertAlmostEquals(first.rest / (first.normal + first.wind), SHARE - 1, 0.03);
    assertAlmostEquals(first.wind / first.normal, 0.23, 0.03);
    assert(first.rest_high < 0 && first.wind_low > 0);
    assertAlmostEquals(first.produced, first.normal + first.wind + first.rest, 1e-6);
    assert(second.rest_low < 0 && second.rest_high > 0);
    for (const step of ["produced", "normal", "wind", "rest"]) {
      assertAlmostEquals(sum[step], first[step] + second[step], 1e-6);
    }
  });

  it("names the turbines of the fleet that need a check", async () => {
    const out = await ask("--month", MONTH);
    assertMatch(out, /^Wind or turbines\? The fleet in August 2022/);
    assertMatch(out, /\sMeadow 1: It was the turbine: stops or other causes cost \d/);
    assert(!/\sMeadow 2: /.test(out)); // its wind needs no action
  });

  it("finds no loss in the month before", async () => {
    const { verdict } = JSON.parse(
      await callSuccessfully("check", "A1", "--data", data, "--month", "2022-07", "--json", "-"),
    );
    assert(!/stops|unexplained/.test(verdict.causes), verdict.text);
  });
});
