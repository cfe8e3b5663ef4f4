/**
 * The two scripts that are made to be copied, run as tasks on the sample.
 *
 * @module
 */
import { assert, assertAlmostEquals, assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl from "nodejs-polars";
import { exampleFile } from "../../mod.ts";

const ROOT = new URL("../../", import.meta.url).pathname;

async function task(...words: string[]): Promise<{ code: number; out: string; error: string }> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", ...words],
    cwd: ROOT,
    env: { VINDKIT_URL: "", VINDKIT_KEY: "", VINDKIT_DATA: "", NO_COLOR: "1" },
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, out: text(stdout), error: text(stderr) };
}

describe("deno task fleet-summary", () => {
  it("writes the month of the fleet as Parquet, CSV and HTML, and says what it leaves out", async () => {
    const folder = await Deno.makeTempDir();
    const { code, out } = await task("fleet-summary", "--sample", "--to", folder);
    assertEquals(code, 0);
    assertMatch(out, /^T8 is left out: .*no data/);
    assertMatch(
      out,
      /In 2025-12 the wind gave 7 turbines \d+\.\d % of the energy of a normal month/,
    );

    const summary = pl.readParquet(`${folder}/fleet_2025-12.parquet`);
    assertEquals(summary.height, 7);
    assertEquals(pl.readCSV(`${folder}/fleet_2025-12.csv`).columns, summary.columns);
    const [first] = summary.toRecords() as Record<string, number>[];
    assertAlmostEquals(
      first.normal_production,
      100 * first.predicted_production / first.month_abnormality_index,
    );

    const html = await Deno.readTextFile(`${folder}/fleet_2025-12.html`);
    assert(html.includes("SYNTHETIC") && html.includes("<svg") && html.includes("Vesterklit"));
    assert(!/src=|href="http/.test(html), "the page needs the network");
    await Deno.remove(folder, { recursive: true });
  });

  it("takes a month and some turbines", async () => {
    const folder = await Deno.makeTempDir();
    const words = ["--sample", "--month", "2024-05", "--turbines", "T1,T2", "--to", folder];
    assertEquals((await task("fleet-summary", ...words)).code, 0);
    assertEquals(pl.readParquet(`${folder}/fleet_2024-05.parquet`).height, 2);
    await Deno.remove(folder, { recursive: true });
  });
});

describe("deno task long-term", () => {
  it("estimates a normal year from the sample's record, from each whole year and from all months", async () => {
    const folder = await Deno.makeTempDir();
    const { code, out } = await task("long-term", "--sample", "--to", folder);
    assertEquals(code, 0);
    assertMatch(out, /Left out for missing hours: 2022-04, 2022-10\n/);
    const table = pl.readCSV(`${folder}/long_term_T1.csv`);
    assertEquals(table.getColumn("basis").toArray(), [
      "2021 alone",
      "2023 alone",
      "2024 alone",
      "all months",
    ]);
    // The index is calibrated with the same production: all months give its normal year, 9,781 MWh, but for outages.
    const [all] = table.tail(1).toRecords() as Record<string, number>[];
    assertAlmostEquals(all.by_ratio / 9781, 1, 0.02);
    assertAlmostEquals(all.by_regression / all.by_ratio, 1, 0.01);
    assert((await Deno.stat(`${folder}/long_term_T1.svg`)).size > 5000);
    await Deno.remove(folder, { recursive: true });
  });

  it("leaves out the months that it is told to", async () => {
    const folder = await Deno.makeTempDir();
    const words = ["--sample", "--without", "2024-03,2024-08", "--to", folder];
    assertEquals((await task("long-term", ...words)).code, 0);
    const table = pl.readCSV(`${folder}/long_term_T1.csv`);
    assertEquals(table.getColumn("basis").toArray(), ["2021 alone", "2023 alone", "all months"]);
    assertEquals(table.getColumn("months").toArray().map(Number), [12, 12, 44]);
    await Deno.remove(folder, { recursive: true });
  });

  it("names the turbines of the site file where it has no such one", async () => {
    const site = await Deno.realPath(await exampleFile("site.json"));
    const { code, error } = await task(
      "long-term",
      "--sample",
      "--production",
      site,
      "--turbine",
      "X",
    );
    assertEquals(code, 1);
    assertMatch(error, /Cannot find production of X: the site file has E1/);
  });
});

describe("both", () => {
  for (const name of ["fleet-summary", "long-term"]) {
    it(`${name} says what it takes, and never uses the sample by accident`, async () => {
      const help = await task(name, "--help");
      assertEquals(help.code, 0);
      assert(help.out.includes(`deno task ${name}`) && help.out.includes("--sample"));
      const bare = await task(name, ...(name === "long-term" ? ["--production", "x.json"] : []));
      assertEquals(bare.code, 1);
      assertMatch(bare.error, /neither VINDKIT_URL nor a data directory is set/);
    });
  }
});
