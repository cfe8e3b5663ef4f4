/**
 * Production of a normal year, run as its task: on the sample's record, and on records of which the answer is known.
 *
 * @module
 */
import { assert, assertAlmostEquals, assertEquals, assertMatch } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import pl from "nodejs-polars";
import { connect, exampleFile, modelData, monthlyIndices } from "../../mod.ts";
import { done, refused, task } from "./_task.ts";

interface Row {
  basis: string;
  months: number;
  by_ratio: number;
  by_regression: number;
}

const rowsOf = (path: string) => pl.readCSV(path).toRecords() as unknown as Row[];

describe("deno task long-term on the sample", () => {
  let folder: string;

  beforeAll(async () => {
    folder = await Deno.makeTempDir();
  });
  afterAll(() => Deno.remove(folder, { recursive: true }));

  it("estimates a normal year from the months in which the turbine ran, and names the others", async () => {
    const out = await done("long-term", "--sample", "--to", folder);
    // The four outages are built into the sample; the example's import finds the same.
    assertMatch(
      out,
      /Left out: 2022-04 \(97\.08 % of its hours\), 2022-10 \(97\.99 % of its hours\), 2023-08 \(75 h of standstill\), 2024-03 \(148 h of standstill\), 2024-08 \(144 h of standstill\)\n/,
    );
    const rows = rowsOf(`${folder}/long_term_T1.csv`);
    assertEquals(rows.map(({ basis }) => basis), [
      "2021 alone",
      "2022 alone",
      "2023 alone",
      "2024 alone",
      "all months",
    ]);
    const all = rows[4];
    assertEquals(all.months, 43);
    // The index is calibrated with the same production: its normal year is 9,781 MWh.
    assertAlmostEquals(all.by_ratio / 9781, 1, 0.01);
    assertAlmostEquals(all.by_regression / all.by_ratio, 1, 0.01);
    assert((await Deno.stat(`${folder}/long_term_T1.svg`)).size > 5000);
  });

  it("writes each month, with the reason where it does not count", () => {
    const months = pl.readCSV(`${folder}/long_term_T1_months.csv`);
    assertEquals(months.columns, ["month", "produced", "month_index", "completeness", "left_out"]);
    assertEquals(months.height, 48);
    assertEquals(months.getColumn("left_out").dropNulls().toArray().length, 5);
  });

  it("leaves out the months that it is told to, and refuses those that it does not have", async () => {
    const out = await done(
      "long-term",
      "--sample",
      "--without",
      "2021-01, 2023-02",
      "--to",
      folder,
    );
    assertMatch(out, /Left out: 2021-01 \(--without\), 2022-04 .*, 2023-02 \(--without\), 2023-08/);
    assertEquals(rowsOf(`${folder}/long_term_T1.csv`).map(({ months }) => months), [
      11,
      10,
      10,
      10,
      41,
    ]);
    const words = ["long-term", "--sample", "--without"];
    assertMatch(await refused(...words, "2024-3"), /Cannot read "2024-3" in --without/);
    assertMatch(await refused(...words, "2019-01"), /Cannot leave out 2019-01: the record has/);
  });

  it("never holds the production of one turbine against the index of another", async () => {
    assertMatch(
      await refused("long-term", "--sample", "--turbine", "T2"),
      /Cannot begin: the sample has production of T1 only/,
    );
    const site = await Deno.realPath(await exampleFile("site.json"));
    assertMatch(
      await refused("long-term", "--sample", "--production", site, "--turbine", "X"),
      /Cannot find production of X: the site file has E1/,
    );
  });

  it("says what it takes, and never uses the sample by accident", async () => {
    const help = await done("long-term", "--help");
    assert(help.includes("deno task long-term") && help.includes("--sample"));
    const bare = await task("long-term", "--production", "x.json");
    assertEquals(bare.code, 1);
    assertMatch(bare.error, /neither VINDKIT_URL nor a data directory is set/);
    assertMatch(
      await refused("long-term", "--sample", "--production", "/none.json"),
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

  it("finds the normal year of a turbine that gives 1.1 times the model, with every 60th hour missing", async () => {
    const model = await modelData("T1", { start: "2023-01-01", end: "2025-01-01", connection });
    const stamps = model.select(
      pl.col("time").dt.convertTimeZone("UTC").dt.strftime("%Y-%m-%dT%H:%M:%SZ"),
    ).getColumn("time").toArray() as string[];
    const power = model.getColumn("power").toArray() as number[];
    const words = await record(
      "hour",
      stamps.map((stamp, i) => `${stamp},${i % 60 === 0 ? "" : 1.1 * power[i]}`),
    );
    const out = await done(...words);
    const all = rowsOf(`${folder}/long_term_T1.csv`).at(-1)!;
    assertEquals(all.basis, "all months");
    assertAlmostEquals(all.by_ratio / (1.1 * normalYear), 1, 0.002, out);
  });

  it("asks about months of production that lie far below their wind, and counts them until told", async () => {
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
    const out = await done(...words);
    assertMatch(
      out,
      /Far below their wind, but counted: 2024-06 \(50 % of the usual\)\. .*--without/,
    );
    assertEquals(rowsOf(`${folder}/long_term_T1.csv`).at(-1)!.months, 24);
    const told = await done(...words, "--without", "2024-06");
    assert(!told.includes("Far below"), told);
    const all = rowsOf(`${folder}/long_term_T1.csv`).at(-1)!;
    assertEquals(all.months, 23);
    assertAlmostEquals(all.by_ratio / normalYear, 1, 1e-6);
    assertAlmostEquals(all.by_regression / normalYear, 1, 1e-6);
  });

  it("says which months are left out where too few count", async () => {
    const outage = { from: "2024-02-10", to: "2024-02-12", reason: "gearbox" };
    const words = await record(
      "month",
      ["2024-01,900", "2024-02,800", "2024-03,", "2024-04,600"],
      [outage],
    );
    assertMatch(
      (await task(...words)).error,
      /Cannot estimate T1: 2 months count, 6 are needed\. Left out: 2024-02 \(excluded: gearbox\), 2024-03 \(no production\)/,
    );
  });
});
