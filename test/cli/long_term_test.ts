/**
 * Production of a normal year: on the sample's record, first as its task, and on records of which the answer is known.
 *
 * @module
 */
import { assert, assertAlmostEquals, assertEquals, assertMatch } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import pl from "nodejs-polars";
import { connect, exampleFile, modelData, monthlyIndices, readFrame } from "../../mod.ts";
import { callCommand, callRefused, callSuccessfully } from "./_command.ts";
import { runSuccessfully, runTask } from "./_task.ts";

interface Row {
  basis: string;
  method: string;
  months: number;
  p50: number;
  low: number;
  high: number;
}

const rowsOf = async (path: string) => (await readFrame(path)).toRecords() as unknown as Row[];

/** Estimates of all months by one method. */
async function whole(path: string, method = "1200 method"): Promise<Row> {
  const rows = await rowsOf(path);
  return rows.find((row) => row.basis === "all months" && row.method === method)!;
}

describe("deno task long-term on the sample", () => {
  let folder: string;

  beforeAll(async () => {
    folder = await Deno.makeTempDir();
  });
  afterAll(() => Deno.remove(folder, { recursive: true }));

  it("estimates a normal year from the months in which the turbine ran, and names the others", async () => {
    const out = await runSuccessfully("long-term", "--sample", "--to", folder);
    const wide = out.split("\n").filter((line) => line.length > 80 && line.trim().includes(" "));
    assertEquals([wide, out.includes("null")], [[], false], "W13");
    // The four outages are built into the sample; the example's import finds the same.
    assertMatch(
      out.replaceAll(/\n +/g, " "),
      /Left out, 5 of 48 months: 2022-04 \(standstill: 165 h\), 2022-10 \(incomplete: 97\.9 % .*, 2023-08 \(standstill: 75 h\), 2024-03 .*, 2024-08/,
    );
    const rows = await rowsOf(`${folder}/long_term_T1.csv`);
    assertEquals([...new Set(rows.map(({ basis }) => basis))], [
      "2021 alone",
      "2022 alone",
      "2023 alone",
      "2024 alone",
      "all months",
    ]);
    const all = rows.filter(({ basis }) => basis === "all months");
    assertEquals(all.map(({ method }) => method), [
      "1200 method",
      "regression",
      "time-step calibration",
    ]);
    assertEquals(all.map(({ months }) => months), [43, 43, 48]);
    // The index is calibrated with the same production: its normal year is 9,781 MWh.
    for (const { p50, low, high } of all) {
      assertAlmostEquals(p50 / 9781, 1, 0.01);
      assert(low < 9781 && 9781 < high);
    }
    for (const name of ["", "_months", "_uncertainty"]) {
      assert((await Deno.stat(`${folder}/long_term_T1${name}.svg`)).size > 5000);
    }
  });

  it("writes P50, P75 and P90 of one, ten and twenty years, and what makes them uncertain", async () => {
    const exceedance = await readFrame(`${folder}/long_term_T1_exceedance.csv`);
    const [one, ten, twenty] = exceedance.toRecords() as unknown as Record<string, number>[];
    assertEquals([one.years, ten.years, twenty.years], [1, 10, 20]);
    assert(one.p90 < one.p75 && one.p75 < ten.p75 && ten.p75 < twenty.p75 && twenty.p75 < one.p50);
    const uncertainty = await readFrame(`${folder}/long_term_T1_uncertainty.csv`);
    const errors = uncertainty.getColumn("standard_error").toArray() as number[];
    assertAlmostEquals(Math.hypot(...errors), one.standard_error, 1e-9);
  });

  it("writes each month, with the reason where it does not count", async () => {
    const months = await readFrame(`${folder}/long_term_T1_months.csv`);
    assertEquals(months.height, 48);
    const kept = months.getColumn("kept").toArray() as boolean[];
    const reasons = months.getColumn("reason").toArray() as string[];
    assertEquals(kept.filter((one) => !one).length, 5);
    assertEquals(reasons.map((reason) => reason === ""), kept);
  });

  it("takes the inter-annual variability from its caller", async () => {
    const out = await callSuccessfully(
      "long-term",
      "--sample",
      "--variability",
      "12",
      "--to",
      folder,
    );
    assertMatch(out.replaceAll(/\s+/g, " "), /reference period 2\.7 % .* year to year 12\.0 %/);
  });

  it("leaves out the months of --without, and refuses those that it does not have", async () => {
    await callSuccessfully(
      "long-term",
      "--sample",
      "--without",
      "2021-01, 2023-02",
      "--to",
      folder,
    );
    const rows = (await rowsOf(`${folder}/long_term_T1.csv`))
      .filter(({ method }) => method === "1200 method");
    assertEquals(rows.map(({ months }) => months), [
      11,
      10,
      10,
      10,
      41,
    ]);
    const words = ["long-term", "--sample", "--without"];
    assertMatch(await callRefused(...words, "2024-3"), /2024-3/);
    assertMatch(
      await callRefused(...words, "2019-01"),
      /without 2019-01: the record has 2021-01 to 2024-12/,
    );
  });

  it("never compares the production of one turbine with the index of another", async () => {
    assertMatch(
      await callRefused("long-term", "--sample", "--turbine", "T2"),
      /Cannot estimate: the sample has production of T1 only/,
    );
    const site = await Deno.realPath(await exampleFile("site.json"));
    assertMatch(
      await callRefused("long-term", "--sample", "--production", site, "--turbine", "X"),
      /Cannot find production of X: the site file has E1/,
    );
  });

  it("says what it takes, and never uses the sample by accident", async () => {
    const help = await callSuccessfully("long-term", "--help");
    assert(help.includes("deno task long-term") && help.includes("--sample"));
    const bare = await runTask("long-term", "--production", "x.json");
    assertEquals(bare.code, 1);
    assertMatch(bare.error, /neither VINDKIT_URL nor a data directory is set/);
    assertMatch(
      await callRefused("long-term", "--sample", "--production", "/none.json"),
      /Cannot read \/none\.json/,
    );
  });
});

describe("deno task long-term on a known record", () => {
  const connection = connect({ sample: true });
  let folder: string;
  let normalYear: number;

  /** Writes production of T1 with its site file, and gives the words that name it. */
  async function record(
    resolution: "hour" | "month",
    rows: readonly string[],
    exclude: readonly object[] = [],
  ): Promise<string[]> {
    const site = JSON.parse(await Deno.readTextFile(await exampleFile("site.json")));
    const [turbine] = site.turbines;
    const production = {
      file: "own.csv",
      time: "time",
      column: "value",
      resolution,
      unit: resolution === "hour" ? "kW" : "MWh",
    };
    const own = {
      ...site,
      turbines: [{ ...turbine, id: "T1", production: [production], exclude }],
    };
    await Deno.writeTextFile(`${folder}/site.json`, JSON.stringify(own));
    await Deno.writeTextFile(`${folder}/own.csv`, `time,value\n${rows.join("\n")}\n`);
    return ["long-term", "--sample", "--production", `${folder}/site.json`, "--to", folder];
  }

  beforeAll(async () => {
    folder = await Deno.makeTempDir();
    const [month] = (await monthlyIndices("T1", { from: "2024-01", to: "2024-01", connection }))
      .toRecords() as unknown as { predicted_production: number; month_index: number }[];
    normalYear = 1200 * month.predicted_production / month.month_index;
  });
  afterAll(async () => {
    await connection.close();
    await Deno.remove(folder, { recursive: true });
  });

  it("finds the normal year of a turbine that gives 0.9 times the model, with every 60th hour missing", async () => {
    const model = await modelData("T1", { from: 2023, to: 2024, connection });
    const stamps = model.select(
      pl.col("time").dt.convertTimeZone("UTC").dt.strftime("%Y-%m-%dT%H:%M:%SZ"),
    ).getColumn("time").toArray() as string[];
    const power = model.getColumn("power").toArray() as number[];
    const words = await record(
      "hour",
      stamps.map((stamp, i) => `${stamp},${i % 60 === 0 ? "" : 0.9 * power[i]}`),
    );
    const out = await callSuccessfully(...words);
    const all = await whole(`${folder}/long_term_T1.csv`);
    assertAlmostEquals(all.p50 / (0.9 * normalYear), 1, 0.002, out);
  });

  it("leaves out a month of production far below its wind, and names it", async () => {
    const indices = await monthlyIndices("T1", { from: "2023-01", to: "2024-12", connection });
    const months = indices.getColumn("month").cast(pl.Utf8).toArray() as string[];
    const energies = indices.getColumn("predicted_production").toArray() as number[];
    const words = await record(
      "month",
      months.map((month, i) => {
        const share = month.startsWith("2024-06") ? 0.5 : 1;
        return `${month.slice(0, 7)},${share * energies[i]}`;
      }),
    );
    assertMatch(await callSuccessfully(...words), /Left out, 1 of 24 months: 2024-06 \([^]*\)/);
    const all = await whole(`${folder}/long_term_T1.csv`);
    assertEquals(all.months, 23);
    assertAlmostEquals(all.p50 / normalYear, 1, 1e-6);
    const line = await whole(`${folder}/long_term_T1.csv`, "regression");
    assertAlmostEquals(line.p50 / normalYear, 1, 1e-6);
  });

  it("leaves out months of which the site file excludes a day, and says which are left where too few are", async () => {
    const outage = { from: "2024-02-10", to: "2024-02-12", reason: "gearbox" };
    const words = await record(
      "month",
      ["2024-01,900", "2024-02,800", "2024-03,", "2024-04,600"],
      [outage],
    );
    const { code, error } = await callCommand(...words);
    assertEquals(code, 1);
    assertMatch(error, /Cannot estimate the long-term production.*2024-02.*2024-03/s);
  });
});
