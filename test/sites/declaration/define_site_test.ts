import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl from "nodejs-polars";
import { ArgumentError } from "../../../src/api/errors.ts";
import { readProduction } from "../../../src/frames/presets/read_production.ts";
import { describeFrame } from "../../../src/frames/origin/provenance.ts";
import { climateColumnByName } from "../../../src/api/columns/climate_columns.ts";
import { defineSite } from "../../../src/sites/declaration/define_site.ts";
import type { SiteDefinition } from "../../../src/sites/declaration/site_definition.ts";
import { partsOf, readSiteFile, type Site } from "../../../src/sites/declaration/site.ts";
import { saveSite } from "../../../src/sites/declaration/save_site.ts";
import { importSite } from "../../../src/sites/import_site.ts";
import { SourceFiles } from "../../../src/sites/source_files.ts";
import { readSiteProduction } from "../../../src/sites/production/site_production.ts";
import { parametricPowerCurve } from "../../../src/sites/power_curves/parametric_power_curve.ts";
import { hillOfTowieFile } from "../../frames/presets/_files.ts";
import { listColumn } from "../../frames/_text.ts";
import { withSite } from "../_site.ts";
import { allAnswers } from "./_all_answers.ts";
import { toDefinition, withFrames } from "./_definition.ts";

const MONTHS = ["2023-01", "2024-06", "2024-12"];

/** Builds a frame of 2023 hours with custom columns. */
function hours(columns: Record<string, number[]>) {
  const { length } = Object.values(columns)[0];
  const start = Date.UTC(2023, 0, 1);
  const stamps = Array.from({ length }, (_, i) => new Date(start + i * 3_600_000));
  return pl.DataFrame({ time: stamps, ...columns })
    .withColumn(pl.col("time").cast(pl.Datetime("us", "UTC")));
}

const turbine = (id: string) => ({
  id,
  name: id,
  latitude: 55,
  longitude: 8,
  elevation: 0,
  hub_height: 80,
  rotor_diameter: 80,
  rated_power: 2000,
  time_zone: "Europe/Copenhagen",
  power_control: "pcPitch" as const,
  power_curve: parametricPowerCurve({ ratedPower: 2000, rotorDiameter: 80 }),
});

const small: SiteDefinition = {
  site: "small",
  climate: [{ files: ["climate.nc"], stamp: "instant" }],
  turbines: [turbine("T1"), turbine("T2")],
};

/** Returns the message of a rejected definition. */
function refusal(change: object): string {
  return assertThrows(() => defineSite({ ...small, ...change }), ArgumentError).message;
}

/** Returns the declaration of a site, in the form of a site file. */
const declared = (site: Site) => partsOf(site, "test").declared;

describe("defineSite()", () => {
  it("gives byte-identical answers for frames, for files and for the site file of the same data", async () => {
    await withSite(async (site, data) => {
      const path = await site.siteFile();
      const definition = toDefinition(site.declared, site.folder);
      const sites = {
        siteFile: await readSiteFile(path),
        files: defineSite(definition),
        frames: defineSite(await withFrames(definition)),
      };
      const answers = [];
      for (const [name, one] of Object.entries(sites)) {
        await importSite(one, { data: `${data}/${name}` });
        answers.push(await allAnswers(`${data}/${name}`, ["E1"], MONTHS));
      }
      assertEquals(Object.values(answers[0]).filter((text) => !text.startsWith("200 ")), []);
      assertEquals(answers[1], answers[0]);
      assertEquals(answers[2], answers[0]);
    });
  });

  it("gives byte-identical answers when saved and imported from its site file", async () => {
    await withSite(async (site, data) => {
      const defined = defineSite(await withFrames(toDefinition(site.declared, site.folder)));
      await saveSite(defined, `${data}/saved/site.json`);
      await importSite(defined, { data: `${data}/a` });
      const before = await allAnswers(`${data}/a`, ["E1"], MONTHS);
      const saved = await readSiteFile(`${data}/saved/site.json`);
      await importSite(saved, { data: `${data}/b` });
      assertEquals(await allAnswers(`${data}/b`, ["E1"], MONTHS), before);
    });
  });

  it("says SYNTHETIC if a frame has invented figures", async () => {
    await withSite(async (site, data) => {
      await site.edit("production.csv", (text) => `# SYNTHETIC: a test\n${text}`);
      const defined = defineSite(await withFrames(toDefinition(site.declared, site.folder)));
      const { text } = await importSite(defined, { data });
      assertStringIncludes(text, "SYNTHETIC");
    });
  });

  it("reads production of several turbines from one frame, with status, availability and time zone", async () => {
    const file = await Deno.makeTempFile({ suffix: ".csv" });
    await Deno.writeTextFile(
      file,
      "Zeit;P1;S1;A1;P2;S2;A2\n01.05.2023 00:00;10;Run;100;20;Run;50\n01.05.2023 01:00;;Stop;0;21;Run;100\n",
    );
    const production = await readProduction(file, {
      column: { T1: "P1", T2: "P2" },
      status: { T1: "S1", T2: "S2" },
      availability: { T1: "A1", T2: "A2" },
      availability_unit: "%",
      time: "Zeit",
      time_format: "DD.MM.YYYY HH:mm",
      time_zone: "Europe/Berlin",
      resolution: "hour",
      unit: "kW",
    });
    const [first, second] = await readSiteProduction(defineSite({ ...small, production }));
    assertEquals([first.turbineId, second.turbineId], ["T1", "T2"]);
    const rows = production.filter(pl.col("turbine_id").eq(pl.lit("T2"))).drop("turbine_id");
    assertEquals(String(second.frame), String(rows));
    await Deno.remove(file);
  });

  for (
    const [resolution, text] of [
      ["month", "p,e\n2023-01,500\n2023-02,\n"],
      ["year", "p,e\n2022,5000\n2023,6000\n"],
    ] as const
  ) {
    it(`reads production of a ${resolution} from a frame`, async () => {
      const file = await Deno.makeTempFile({ suffix: ".csv" });
      await Deno.writeTextFile(file, text);
      const production = await readProduction(file, {
        column: "e",
        time: "p",
        resolution,
        unit: "MWh",
      });
      const turbines = [{ ...turbine("T1"), production }];
      const [{ frame }] = await readSiteProduction(defineSite({ ...small, turbines }));
      assertEquals(String(frame), String(production));
      await Deno.remove(file);
    });
  }

  it("uses the variables of a frame whose columns state their units, and its attribution", () => {
    const names = ["wind_speed_100", "wind_direction_100"];
    const frame = describeFrame(
      hours({ wind_speed_100: [8, 9], wind_direction_100: [270, 280] }),
      names.map((name) => climateColumnByName(name)!),
      {
        operation: "download_climate",
        parameters: {},
        sha256: [],
        world: "own",
        attribution: ["ERA5"],
      },
    );
    const climate = [{ frame, latitude: 55, longitude: 8, stamp: "instant" as const }];
    const { climate: [source], dataset } = declared(defineSite({ ...small, climate }));
    assertEquals(source.files, ["small_climate.parquet"]);
    assertEquals(source.variables?.wind_speed_100, { column: "wind_speed_100", unit: "m/s" });
    assertEquals([dataset.service_id, dataset.attribution], ["climate", ["ERA5"]]);
  });

  it("V13: rejects ambiguous frames", () => {
    const frame = hours({ wind_speed_100: [8], wind_direction_100: [270] });
    const place = { latitude: 55, longitude: 8, stamp: "instant" };
    assertStringIncludes(
      refusal({ climate: [{ ...place, frame }] }),
      "climate[0]: the frame does not state the units of wind_speed_100, wind_direction_100. Declare the " +
        "variables, each with its unit: variables: { wind_speed_100: { column: " +
        '"wind_speed_100", unit: "m/s" }, wind_direction_100: { column: "wind_direction_100", unit: "deg" } }',
    );
    assertStringIncludes(
      refusal({ climate: [{ ...place, frame, variables: { pressure: { column: "p" } } }] }),
      'climate[0]: the frame has no column "p". It has time, wind_speed_100, wind_direction_100',
    );
    assertStringIncludes(refusal({ climate: frame }), "climate: is a frame. Give a list");
    assertEquals(
      refusal({ climate: [frame] }),
      "Cannot define a site: climate[0]: is a frame. Give { frame, latitude, longitude, stamp }",
    );
    const power = hours({ power: [8, 9] });
    assertStringIncludes(
      refusal({ production: power }),
      'production: the frame has no column "turbine_id". Move the frame to the entry of its turbine',
    );
    const others = power.withColumn(pl.lit("T9").alias("turbine_id"));
    assertStringIncludes(
      refusal({ production: others }),
      'production: the turbine_id "T9" is not "T1", "T2". Use the ids of the turbines in the frame',
    );
    assertStringIncludes(
      refusal({ turbines: [{ ...turbine("T1"), production: frame }] }),
      'turbines[0].production: the frame needs "time" and "power", or "energy" and "month" or "year"; it has',
    );
  });

  it("S20: accepts the name of a frame's time column, and rejects anything that is not a name", () => {
    const frame = hours({ wind_speed_100: [8], wind_direction_100: [270] })
      .rename({ time: "time_utc" });
    const variables = {
      wind_speed_100: { column: "wind_speed_100", unit: "m/s" },
      wind_direction_100: { column: "wind_direction_100", unit: "deg" },
    };
    const source = { frame, latitude: 55, longitude: 8, stamp: "instant" as const, variables };
    const { climate: [one] } = declared(
      defineSite({ ...small, climate: [{ ...source, time: "time_utc" }] }),
    );
    assertEquals(one.time, { column: "time_utc" });
    assertEquals(
      refusal({ climate: [{ ...source, time: "zeit" }] }),
      'Cannot define a site: climate[0]: the frame has no column "zeit". It has time_utc, wind_speed_100, ' +
        "wind_direction_100",
    );
    assertStringIncludes(
      refusal({ climate: [{ ...source, time: 5 }] }),
      "climate[0].time: is 5. Give",
    );
    assertStringIncludes(
      refusal({ climate: [{ ...source, time: "time_utc", variables: { pressure: {} } }] }),
      "climate[0].variables.pressure.column: is missing. Give",
    );
  });

  it("L8: explains a list of frames, and rows without a time step", () => {
    const power = hours({ power: [8, 9] });
    assertEquals(
      refusal({ production: [power] }),
      "Cannot define a site: production[0]: is a frame. Give the frame itself, not a list of it",
    );
    const of = (production: unknown) => refusal({ turbines: [{ ...turbine("T1"), production }] });
    assertEquals(
      of([power]),
      "Cannot define a site: turbines[0].production[0]: is a frame. Give the frame itself, not a list of it",
    );
    assertStringIncludes(of(power.head(1)), "the frame has 1 rows, so its step is unknown");
    assertStringIncludes(of(power.reverse()), "not in order of time, or repeat a time");
  });

  it("V13: names all problems at once, and the new name of an old field", () => {
    const message = refusal({
      turbines: [{ ...turbine("T1"), hubHeight: 80, rated_power: "2 MW" }, turbine("T1")],
      production: [{
        file: "a.csv",
        column: "P",
        time: "t",
        resolution: "hour",
        unit: "kW",
        timezone: "UTC",
      }],
    });
    assertEquals(message.split("\n  "), [
      "Cannot define a site, 5 faults:",
      'turbines[0].rated_power: is "2 MW". Give the rated power of one unit in kW, a number of 1 to 50000',
      'turbines[0]: the field "hubHeight" is unknown: did you mean "hub_height"?',
      'production[0]: the field "timezone" is unknown: did you mean "time_zone"?',
      'turbines[1].id: the id "T1" is duplicated. Give each turbine its own id',
      'production[0].column: names no turbines. Give "turbine", the column that names the turbine of each row. ' +
      'Or give a column for each turbine, { "T3": "WTG 03 / Power" }, or move the entry to its turbine',
    ]);
  });

  it("H3: accepts many files of many turbines named by id, and saves them so", async () => {
    const folder = await Deno.makeTempDir();
    for (const [name, day] of [["long", "01"], ["next", "02"]]) {
      const rows = hillOfTowieFile(["7", "file"], [`2019-03-${day} 00:10:00`]);
      await Deno.writeFile(`${folder}/${name}.csv`, rows);
    }
    const site = defineSite({
      ...small,
      production: [{
        file: [`${folder}/long.csv`, `${folder}/next.csv`],
        preset: "hill-of-towie",
        turbines: { T1: "7", T2: "file" },
      }],
    });
    await saveSite(site, `${folder}/site.json`);
    const saved = JSON.parse(await Deno.readTextFile(`${folder}/site.json`));
    const turbines = { T1: "7", T2: "file" };
    assertEquals(saved.production, [
      { file: ["long.csv", "next.csv"], preset: "hill-of-towie", turbines },
    ]);
    for (const one of [site, await readSiteFile(`${folder}/site.json`)]) {
      const read = await readSiteProduction(one);
      assertEquals(read.map(({ turbineId, frame }) => [turbineId, listColumn(frame, "power")]), [
        ["T1", [0, 0]],
        ["T2", [100, 100]],
      ]);
    }
    await Deno.remove(folder, { recursive: true });
  });

  it("is needed: importSite() rejects the path of a site file, with a remedy", async () => {
    const { message } = await assertRejects(
      () => importSite("site.json" as never, { data: "never" }),
      ArgumentError,
    );
    assertStringIncludes(
      message,
      '"site.json" is not a site. Give a site from defineSite() or readSiteFile()',
    );
    await assertRejects(() => Deno.stat("never"), Deno.errors.NotFound);
  });
});

describe("saveSite()", () => {
  it("replaces no file by default, and then writes nothing", async () => {
    const folder = await Deno.makeTempDir();
    const production = hours({ power: [8, 9, 10] });
    const site = defineSite({ ...small, turbines: [{ ...turbine("T1"), production }] });
    await Deno.writeTextFile(`${folder}/small_production_t1.parquet`, "mine");
    const { message } = await assertRejects(
      () => saveSite(site, `${folder}/site.json`),
      ArgumentError,
    );
    assertStringIncludes(message, "small_production_t1.parquet exists. Choose another folder");
    assertEquals([...Deno.readDirSync(folder)].length, 1);
    await saveSite(site, `${folder}/site.json`, { overwrite: true });
    const names = [...Deno.readDirSync(folder)].map(({ name }) => name).sort();
    assertEquals(names, [
      "site.json",
      "small_production_t1.parquet",
      "small_production_t1.parquet-metadata.json",
    ]);
    await Deno.remove(folder, { recursive: true });
  });

  it("M1: writes paths that lead to the files if the folder is behind a link", async () => {
    const folder = await Deno.makeTempDir();
    await Deno.mkdir(`${folder}/real/deep`, { recursive: true });
    await Deno.mkdir(`${folder}/data`);
    await Deno.writeTextFile(`${folder}/data/climate.nc`, "");
    await Deno.symlink(`${folder}/real/deep`, `${folder}/link`);
    const climate = [{ files: [`${folder}/data/climate.nc`], stamp: "instant" as const }];
    await saveSite(defineSite({ ...small, climate }), `${folder}/link/site.json`);
    // And again from there, where paths go up from behind the link.
    await saveSite(await readSiteFile(`${folder}/link/site.json`), `${folder}/link/in/site.json`);
    for (const site of ["link", "link/in"]) {
      const sources = new SourceFiles(
        partsOf(await readSiteFile(`${folder}/${site}/site.json`), "test"),
      );
      const saved = JSON.parse(await Deno.readTextFile(`${folder}/${site}/site.json`));
      assertEquals((await sources.read(saved.climate[0].files[0])).length, 0);
    }
    await Deno.remove(folder, { recursive: true });
  });

  it("L9: names obstacles before it writes anything, and keeps the schema for editors", async () => {
    const folder = await Deno.makeTempDir();
    const production = hours({ power: [8, 9, 10] });
    const site = defineSite({ ...small, turbines: [{ ...turbine("T1"), production }] });
    const refuse = async (path: string, message: string) => {
      const save = () => saveSite(site, `${folder}/${path}`, { overwrite: true });
      assertStringIncludes((await assertRejects(save, ArgumentError)).message, message);
    };
    await refuse("small_production_t1.parquet", "the site saves a frame under this name");
    await Deno.mkdir(`${folder}/site.json`);
    await refuse("site.json", `${folder}/site.json is a folder. Choose another name`);
    assertEquals([...Deno.readDirSync(folder)].length, 1);

    const saved = async (path: string) => JSON.parse(await Deno.readTextFile(path));
    await saveSite(defineSite(small), `${folder}/a.json`);
    const text = JSON.stringify({
      $schema: "site.schema.json",
      ...await saved(`${folder}/a.json`),
    });
    await Deno.writeTextFile(`${folder}/b.json`, text);
    await saveSite(await readSiteFile(`${folder}/b.json`), `${folder}/in/c.json`);
    assertEquals((await saved(`${folder}/in/c.json`)).$schema, "../site.schema.json");
    assertEquals((await readSiteFile(`${folder}/in/c.json`)).site, "small");
    await Deno.remove(folder, { recursive: true });
  });

  it("leaves files in place, and writes their paths relative to the site file", async () => {
    const folder = await Deno.makeTempDir();
    const site = defineSite({
      ...small,
      climate: [{ files: [`${folder}/era5/climate.nc`], stamp: "instant" }],
      turbines: [{
        ...turbine("T1"),
        power_curve: {
          file: `${folder}/curve.csv`,
          wind_speed: "v",
          power: "p",
          where: { file: "keepMe" },
        },
      }],
    });
    await saveSite(site, `${folder}/sites/site.json`);
    const saved = JSON.parse(await Deno.readTextFile(`${folder}/sites/site.json`));
    assertEquals(saved.climate[0].files, ["../era5/climate.nc"]);
    assertEquals(saved.turbines[0].power_curve, {
      file: "../curve.csv",
      wind_speed: "v",
      power: "p",
      where: { file: "keepMe" },
    });
    assert(await readSiteFile(`${folder}/sites/site.json`));
    await Deno.remove(folder, { recursive: true });
  });
});
