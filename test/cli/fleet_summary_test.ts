/**
 * The month of a fleet: on the sample, first as its task, and on a fleet with faults.
 *
 * @module
 */
import { assert, assertAlmostEquals, assertEquals, assertMatch } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import pl from "nodejs-polars";
import { readFrame } from "../../mod.ts";
import { importSite, readSiteFile } from "../../src/sites/mod.ts";
import { copyExample } from "../sites/_site.ts";
import { callRefused, callSuccessfully } from "./_command.ts";
import { runSuccessfully, runTask } from "./_task.ts";

describe("deno task fleet-summary", () => {
  let folder: string;

  beforeAll(async () => {
    folder = await Deno.makeTempDir();
  });
  afterAll(() => Deno.remove(folder, { recursive: true }));

  it("writes the month of the fleet as Parquet, CSV and HTML, and says what it leaves out", async () => {
    const out = await runSuccessfully("fleet-summary", "--sample", "--to", `${folder}/all`);
    assertMatch(out, /^T8 is left out: it has no indices\n/);
    assertMatch(
      out,
      /In 2025-12 the wind would have given 26 turbines [\d,]+ MWh, 90\.2 % of a normal December/, // as the report
    );

    const summary = pl.readParquet(`${folder}/all/fleet_2025-12.parquet`);
    assertEquals(summary.height, 7);
    const units = summary.sort("turbine_id").getColumn("units").toArray();
    assertEquals(units, [1, 1, 20, 1, 1, 1, 1]); // T3 is a park
    assertEquals((await readFrame(`${folder}/all/fleet_2025-12.csv`)).columns, summary.columns);
    const [first] = summary.toRecords() as Record<string, number>[];
    assertAlmostEquals(
      first.normal_production,
      100 * first.predicted_production / first.month_abnormality_index,
    );

    const html = await Deno.readTextFile(`${folder}/all/fleet_2025-12.html`);
    for (const text of ["SYNTHETIC", "<svg", "Vesterklit", "T8 is left out"]) {
      assert(html.includes(text), text);
    }
    assert(!/src=|href="http/.test(html), "the page needs the network");
    const names = [...Deno.readDirSync(`${folder}/all`)].map(({ name }) => name).sort();
    assertEquals(
      names,
      ["csv", "csv-metadata.json", "html", "parquet", "parquet-metadata.json"]
        .map((ending) => `fleet_2025-12.${ending}`),
    );
  });

  it("takes a month and some turbines", async () => {
    const words = ["--month", "2024-05", "--turbines", "T1, T2", "--to", folder];
    const out = await callSuccessfully("fleet-summary", "--sample", ...words);
    assertMatch(out, /^In 2024-05 the wind would have given 2 turbines/);
    assertEquals(pl.readParquet(`${folder}/fleet_2024-05.parquet`).height, 2);
  });

  it("names a turbine that the licence does not have", async () => {
    const out = await callSuccessfully(
      "fleet-summary",
      "--sample",
      "--turbines",
      "T1,T99",
      "--to",
      folder,
    );
    assertMatch(
      out,
      /^T99 is left out: it has no indices\nIn 2025-12 the wind would have given 1 turbine \d/,
    );
  });

  it("refuses an invalid month, a month without figures, and turbines without indices", async () => {
    const words = ["fleet-summary", "--sample"];
    for (const month of ["2025-13", "2025-1", "x", "<b>"]) {
      assertMatch(
        await callRefused(...words, "--month", month),
        new RegExp(`Cannot read "${month}" in --month: give a month such as 2025-12`),
      );
    }
    assertMatch(
      await callRefused(...words, "--month", "2030-01"),
      /no turbine has figures of 2030-01\. The last month that any turbine has is 2025-12/,
    );
    assertMatch(await callRefused(...words, "--turbines", "T98,T99"), /no turbine "T98"/);
    assertMatch(
      await callRefused(...words, "--turbines", "T1,"),
      /names no turbine before or after/,
    );
  });

  it("uses the answers of its data lock again, and says when they are not those any more", async () => {
    const lock = `${folder}/fleet.lock.json`;
    const words = ["fleet-summary", "--sample", "--turbines", "T1", "--lock", lock];
    const first = await callSuccessfully(...words, "--to", folder);
    const text = await Deno.readTextFile(lock);
    assertEquals(
      JSON.parse(text).bodies.map(({ operation }: { operation: string }) => operation).sort(),
      ["turbine_details", "wind_indices"],
    );
    assertEquals(await callSuccessfully(...words, "--to", folder), first);
    await Deno.writeTextFile(lock, text.replaceAll(/"sha256": "./g, '"sha256": "0'));
    assertMatch(await callRefused(...words), /wind_indices.*T1/);
  });

  it("says what it takes, and never uses the sample by accident", async () => {
    const help = await callSuccessfully("fleet-summary", "--help");
    assert(help.includes("deno task fleet-summary") && help.includes("--sample"));
    const bare = await runTask("fleet-summary");
    assertEquals(bare.code, 1);
    assertMatch(bare.error, /neither VINDKIT_URL nor a data directory is set/);
  });
});

describe("deno task fleet-summary on data of one's own", () => {
  let folder: string;

  /** Two turbines whose names are traps; the climate of the second ends half a year earlier. */
  beforeAll(async () => {
    folder = await Deno.makeTempDir();
    await copyExample(folder);
    const site = JSON.parse(await Deno.readTextFile(`${folder}/site.json`));
    const [turbine] = site.turbines;
    const climate = await Deno.readTextFile(`${folder}/climate.csv`);
    await Deno.writeTextFile(`${folder}/early.csv`, climate.slice(0, climate.indexOf("2025-07")));
    const names = { A: "=1+1", B: "<b>@x</b>" };
    const ownership = [{ owner: "A. Hansen", percent: 20 }];
    for (const [id, name] of Object.entries(names)) {
      const [climate] = site.climate;
      const files = [id === "A" ? "climate.csv" : "early.csv"];
      const own = {
        ...site,
        site: id.toLowerCase(),
        climate: [{ ...climate, files }],
        turbines: [{ ...turbine, id, name, ...(id === "A" ? { ownership } : {}) }],
      };
      await Deno.writeTextFile(`${folder}/${id}.json`, JSON.stringify(own));
      await importSite(await readSiteFile(`${folder}/${id}.json`), { data: `${folder}/data` });
    }
  });
  afterAll(() => Deno.remove(folder, { recursive: true }));

  it("names the turbines whose figures end before the month", async () => {
    const out = await callSuccessfully("fleet-summary", "--data", `${folder}/data`, "--to", folder);
    assertMatch(
      out,
      /^B is left out: it has no figures of 2025-12\nIn 2025-12 the wind would have given 1 tu/,
    );
  });

  it("F27 gives a spreadsheet no formula to run, and Parquet the unchanged name", async () => {
    const words = ["--data", `${folder}/data`, "--month", "2025-05", "--to", folder];
    await callSuccessfully("fleet-summary", ...words);
    const csv = await Deno.readTextFile(`${folder}/fleet_2025-05.csv`);
    assert(csv.includes("\nA,'=1+1,"), csv);
    const names = pl.readParquet(`${folder}/fleet_2025-05.parquet`).getColumn("name").toArray();
    assertEquals(names, ["=1+1", "<b>@x</b>"]);
  });

  it("has the share of an owner, as the site files of the imports name them", async () => {
    const words = ["--data", `${folder}/data`, "--month", "2025-05", "--to", folder];
    const out = await callSuccessfully("fleet-summary", ...words, "--owner", "A. Hansen");
    assertMatch(
      out,
      /\nThe share of A\. Hansen in that is [\d.]+ MWh, [\d.]+ % of a normal May\.\n/,
    );
    const { share, predicted_production: all, predicted_share: own } = pl.readParquet(
      `${folder}/fleet_2025-05.parquet`,
    ).sort("turbine_id").toObject() as Record<string, number[]>;
    assertEquals(share, [20, 0]);
    assertAlmostEquals(own[0], 0.2 * all[0]);
    assertMatch(
      await callRefused("fleet-summary", ...words, "--owner", "B"),
      /no turbine has the owner "B"\. Use "A\. Hansen"/,
    );
  });

  it("F26 escapes a turbine's name in the page", async () => {
    const html = await Deno.readTextFile(`${folder}/fleet_2025-05.html`);
    assert(html.includes("&lt;b&gt;@x") && !html.includes("<b>@x"));
  });
});
