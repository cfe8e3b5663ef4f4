import { assert, assertEquals, assertRejects } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { ArgumentError } from "../../../src/api/errors.ts";
import { exampleFile } from "../../../src/client/calls/access.ts";
import { readProduction } from "../../../src/frames/presets/read_production.ts";
import { provenance } from "../../../src/frames/origin/provenance.ts";
import { connect, monthlyIndices, turbineDetails, turbines } from "../../../mod.ts";
import { importSite, readSiteFile } from "../../../src/sites/mod.ts";
import { importFile } from "../../sites/_site.ts";

describe("exampleFile()", () => {
  let home: string;
  const file = (name: string) => exampleFile(name, { home });

  beforeAll(async () => {
    home = await Deno.makeTempDir();
  });
  afterAll(() => Deno.remove(home, { recursive: true }));

  it("refuses an unknown name, lists the names, and writes nothing", async () => {
    for (const name of ["site.jsn", "../site.json", ""]) {
      const { message } = await assertRejects(() => file(name), ArgumentError);
      assert(message.includes("site.json, climate.csv, production.csv"), message);
    }
    assertEquals([...Deno.readDirSync(home)], []);
  });

  it("writes the files at the first use, below the home folder, and no second time", async () => {
    const path = await file("production.csv");
    assert(path.startsWith(`${home}/`), path);
    const { mtime } = await Deno.stat(path);
    assertEquals(await file("production.csv"), path);
    assertEquals((await Deno.stat(path)).mtime, mtime);
  });

  it("returns production that readProduction() reads as documented", async () => {
    const hours = await readProduction(await file("production.csv"), {
      column: "power",
      time: "time",
      resolution: "hour",
      unit: "kW",
    });
    assertEquals(hours.columns, ["time", "power"]);
    assert(hours.height > 30_000);
  });

  it("says SYNTHETIC above each table, even after it was read, because users pass files on", async () => {
    const tables = ["climate.csv", "production.csv", "production_monthly.csv", "power_curve.csv"];
    for (const name of tables) {
      assert((await Deno.readTextFile(await file(name))).startsWith("# SYNTHETIC: "), name);
    }
    const months = await readProduction(await file("production_monthly.csv"), {
      column: "energy",
      time: "month",
      resolution: "month",
      unit: "MWh",
    });
    assertEquals(provenance(months)[0]?.world, "sample");
  });

  it("V5: keeps the mark through an import: figures served from these files are SYNTHETIC", async () => {
    const data = await Deno.makeTempDir();
    try {
      const { text } = await importSite(await readSiteFile(await file("site.json")), { data });
      assert(text.startsWith("SYNTHETIC: "), text);
      await using connection = connect({ data });
      for (
        const answer of [
          await turbines({ connection }),
          await turbineDetails("E1", { connection }),
          (await monthlyIndices("E1", { connection })).tail(12),
        ]
      ) assertEquals(provenance(answer).map(({ world }) => world), ["sample"]);
      await connection.close();

      // The sample and real sites exclude each other.
      const site = JSON.parse(await Deno.readTextFile(await file("site.json")));
      const folder = `${home}/real`;
      await Deno.mkdir(folder);
      for (const name of ["climate.csv", "production.csv", "power_curve.csv"]) {
        const [, ...lines] = (await Deno.readTextFile(await file(name))).split("\n");
        await Deno.writeTextFile(`${folder}/${name}`, lines.join("\n"));
      }
      site.site = "real";
      site.turbines[0].id = "R1";
      await Deno.writeTextFile(`${folder}/site.json`, JSON.stringify(site));
      const { message } = await assertRejects(
        async () => importSite(await readSiteFile(`${folder}/site.json`), { data }),
        ArgumentError,
      );
      assert(message.includes("the data already contain SYNTHETIC sites"), message);
      const other = `${home}/data`;
      await importSite(await readSiteFile(`${folder}/site.json`), { data: other });
      const refused = await assertRejects(
        async () => importSite(await readSiteFile(await file("site.json")), { data: other }),
        ArgumentError,
      );
      assert(
        refused.message.includes(
          "the data already contain real sites. Import this site into another data directory",
        ),
      );
    } finally {
      await Deno.remove(data, { recursive: true });
    }
  });

  it("returns a site file that can be imported unchanged", async () => {
    const data = await Deno.makeTempDir();
    try {
      const { turbines } = await importFile(await file("site.json"), data);
      assertEquals(turbines.map(({ turbine }) => turbine.id), ["E1"]);
      assert(turbines[0].months.length > 240);
    } finally {
      await Deno.remove(data, { recursive: true });
    }
  });
});
