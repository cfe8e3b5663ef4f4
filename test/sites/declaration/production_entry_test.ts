import pl, { type DataFrame } from "nodejs-polars";
import { zipSync } from "fflate";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { partsOf, readSiteFile } from "../../../src/sites/declaration/site.ts";
import { ArgumentError } from "../../../src/api/errors.ts";
import { readProduction } from "../../../src/frames/presets/read_production.ts";
import { provenance } from "../../../src/frames/origin/provenance.ts";
import { productionFields } from "../../../src/frames/production/production_format.ts";
import { saveSite } from "../../../src/sites/declaration/save_site.ts";
import {
  readProductionEntry,
  readTurbineProduction,
} from "../../../src/sites/production/read_production.ts";
import { readTurbine } from "../../../src/sites/power_curves/read_turbine.ts";
import { readSiteProduction } from "../../../src/sites/production/site_production.ts";
import { SourceFiles } from "../../../src/sites/source_files.ts";
import { listColumn } from "../../frames/_text.ts";
import { greenbyteFile, hillOfTowieFile, tenMinutes } from "../../frames/presets/_files.ts";
import { fieldCases, writeCase } from "../../frames/production/_field_cases.ts";

/** Builds a turbine of a site file. */
function turbine(id: string, production: readonly object[] = []) {
  return {
    id,
    name: id,
    latitude: 55,
    longitude: 8,
    elevation: 0,
    hub_height: 80,
    rotor_diameter: 80,
    rated_power: 2000,
    time_zone: "Europe/Copenhagen",
    power_control: "pcPitch",
    power_curve: [{ wind_speed: 4, power: 70 }, { wind_speed: 25, power: 2000 }],
    production,
  };
}

/** Builds a site file of turbines; its climate is not read. */
function siteText(turbines: readonly object[], production?: readonly object[]): string {
  return JSON.stringify({
    site: "test",
    dataset: { service_id: "test", short_description: "test" },
    climate: [{ files: ["climate.nc"], stamp: "instant" }],
    turbines,
    production,
  });
}

async function inFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    await body(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Converts a format to an entry of a site file. */
function buildEntry(how: object, file: string): Record<string, unknown> {
  const fields = Object.entries(how);
  return { file, ...Object.fromEntries(fields) };
}

/** Selects the rows of one turbine, without its name. */
function selectTurbine(frame: DataFrame, id: string): DataFrame {
  return frame.columns.includes("turbine_id")
    ? frame.filter(pl.col("turbine_id").eq(pl.lit(id))).drop("turbine_id")
    : frame;
}

const contentOf = (frame: DataFrame) => [
  frame.columns,
  frame.dtypes.map(String),
  frame.toRecords(),
];

describe("a production entry of a site file", () => {
  for (const [field, one] of Object.entries(fieldCases)) {
    it(`gives the same frame as readProduction() if "${field}" is needed`, async () => {
      await inFolder(async (folder) => {
        const file = await writeCase(folder, one);
        const path = `${folder}/site.json`;
        await Deno.writeTextFile(path, siteText([turbine("E1", [buildEntry(one.how, file)])]));
        const [{ frame }] = await readSiteProduction(await readSiteFile(path));
        const wanted = await readProduction(`${folder}/${file}`, one.how);
        assertEquals(contentOf(frame), contentOf(selectTurbine(wanted, "E1")));
        assert(frame.height > 0);
      });
    });
  }

  it("may name a preset and a zip of its files, for the turbine of the entry", async () => {
    await inFolder(async (folder) => {
      const files = {
        "a/Turbine_Data_1.csv": greenbyteFile({ rows: tenMinutes("2016-03-01 00:00:00", ["1"]) }),
      };
      await Deno.writeFile(`${folder}/all.zip`, zipSync(files));
      const stations = hillOfTowieFile(["1", "2"], ["2019-03-01 00:10:00"]);
      await Deno.writeFile(`${folder}/long.csv`, stations);
      const path = `${folder}/site.json`;
      const towie = { file: "long.csv", preset: "hill-of-towie" };
      const turbines = [
        turbine("E1", [{ file: "all.zip", preset: "greenbyte" }]),
        turbine("E2", [{ ...towie, turbines: ["2"] }]),
      ];
      await Deno.writeTextFile(path, siteText(turbines));
      const read = await readSiteProduction(await readSiteFile(path));
      assertEquals(read.map(({ frame }) => frame.columns), [["time", "power"], ["time", "power"]]);
      assertEquals(read.map(({ frame }) => listColumn(frame, "power")), [[1], [100]]);
      await Deno.writeTextFile(path, siteText([turbine("E1", [towie])]));
      await assertRejects(
        async () => await readSiteProduction(await readSiteFile(path)),
        ArgumentError,
        'its rows belong to the turbines "1", "2". Declare which of these names',
      );
      await Deno.writeTextFile(path, siteText([turbine("E1", [{ file: "x", preset: "edb" }])]));
      await assertRejects(
        async () => await readSiteProduction(await readSiteFile(path)),
        ArgumentError,
        '"edb" is unknown. Give',
      );
    });
  });

  it("of the site names the turbines of its rows, and is read once for all", async () => {
    await inFolder(async (folder) => {
      const stamps = ["2019-03-01 00:10:00", "2019-03-01 00:20:00"];
      await Deno.writeFile(`${folder}/long.csv`, hillOfTowieFile(["7", "8", "9"], stamps));
      const path = `${folder}/site.json`;
      const read = async (ids: readonly string[], change: object) => {
        const entry = { file: "long.csv", preset: "hill-of-towie", ...change };
        await Deno.writeTextFile(path, siteText(ids.map((id) => turbine(id)), [entry]));
        return (await readSiteProduction(await readSiteFile(path)))
          .map(({ turbineId, frame }) => [turbineId, listColumn(frame, "power")]);
      };
      assertEquals(await read(["8", "9"], {}), [["8", [100, 101]], ["9", [200, 201]]]);
      assertEquals(await read(["T1", "T2", "T3"], { turbines: { T3: "7", T1: "9" } }), [
        ["T1", [200, 201]],
        ["T3", [0, 1]],
      ]);
      assertEquals(await read(["7", "8"], { turbines: ["8"] }), [["8", [100, 101]]]);
      const message = async (ids: readonly string[], change: object) =>
        (await assertRejects(() => read(ids, change), ArgumentError)).message;
      assertEquals(
        await message(["T1", "T2"], {}),
        'Cannot read long.csv: it has no turbine "T1", "T2". It has "7", "8", "9". Give the name ' +
          'that the file uses for the turbine: "turbines": {"T1":"7"}',
      );
      assertStringIncludes(
        await message(["T1"], { turbines: ["7", "8"] }),
        'production[0].turbines: "8" is not the id of a turbine. Use "T1", with its name in the file: ' +
          '{ "T1": "8" }',
      );

      const files: string[] = [];
      await Deno.writeTextFile(
        path,
        siteText([turbine("7"), turbine("9")], [{ file: "long.csv", preset: "hill-of-towie" }]),
      );
      const { folder: of, frames, declared } = partsOf(await readSiteFile(path), "test");
      const sources = new SourceFiles({ folder: of, frames }, (name) => files.push(name));
      for (const { id, production: [entry] } of declared.turbines) {
        assertEquals((await readProductionEntry(entry, id, sources)).height, 2);
      }
      assertEquals(files, ["long.csv"]);
    });
  });

  it("of a turbine may name it only by its id", async () => {
    await inFolder(async (folder) => {
      await Deno.writeFile(`${folder}/a.csv`, hillOfTowieFile(["7", "8"], ["2019-03-01 00:10:00"]));
      const path = `${folder}/site.json`;
      const read = async (turbines: object) => {
        const entry = { file: "a.csv", preset: "hill-of-towie", turbines };
        await Deno.writeTextFile(path, siteText([turbine("T1", [entry])]));
        return (await readSiteProduction(await readSiteFile(path)))[0].frame;
      };
      assertEquals(listColumn(await read({ T1: "8" }), "power"), [100]);
      await assertRejects(
        () => read({ T2: "8" }),
        ArgumentError,
        'Cannot read a.csv: the site declares it for "T2", but not for "T1"',
      );
    });
  });

  it("of the site has a column for each turbine that it names", async () => {
    await inFolder(async (folder) => {
      const file = await writeCase(folder, fieldCases.column);
      const turbines = ["E1", "E2", "E3"].map((id) => turbine(id));
      const path = `${folder}/site.json`;
      await Deno.writeTextFile(path, siteText(turbines, [buildEntry(fieldCases.column.how, file)]));
      const read = await readSiteProduction(await readSiteFile(path));
      assertEquals(
        read.map(({ turbineId, frame }) => [turbineId, frame.getColumn("power").toArray()]),
        [["E1", [1, 2]], ["E2", [10, 20]]],
      );

      const { declared, ...where } = partsOf(await readSiteFile(path), "test");
      const files: string[] = [];
      const sources = new SourceFiles(where, (name) => files.push(name));
      for (const { id, production } of declared.turbines) {
        for (const entry of production) await readProductionEntry(entry, id, sources);
      }
      assertEquals(files, [file]); // M14: once for both
    });
  });

  it("keeps status and availability of a park, whose power is divided by its units", async () => {
    await inFolder(async (folder) => {
      const file = await writeCase(folder, fieldCases.status);
      const park = { ...turbine("E1", [buildEntry(fieldCases.status.how, file)]), units: 2 };
      const path = `${folder}/site.json`;
      await Deno.writeTextFile(path, siteText([park]));
      const [{ frame }] = await readSiteProduction(await readSiteFile(path));
      assertEquals(frame.getColumn("power").toArray(), [0.5, 0]);
      assertEquals(frame.getColumn("status").toArray(), ["Run", "Stop"]);
    });
  });
});

describe("H3: a production entry of many files", () => {
  /** Months of two turbines; the last ten minutes of each are repeated in the next file. */
  const months = {
    "tblSCTurGrid_2019_01.csv": hillOfTowieFile(["7", "8"], [
      "2019-01-31 23:50:00",
      "2019-02-01 00:00:00",
    ]),
    "tblSCTurGrid_2019_02.csv": hillOfTowieFile(
      ["7", "8"],
      ["2019-02-01 00:00:00", "2019-02-01 00:10:00"],
      (s, row) => String(100 * s + row + 1),
    ),
  };
  const forms = {
    "a list": ["data/tblSCTurGrid_2019_01.csv", "data/tblSCTurGrid_2019_02.csv"],
    "a folder": "data",
    "a pattern": "data/tblSCTurGrid_2019_*.csv",
    "a zip archive": "all.zip",
  };

  async function inSite(body: (folder: string) => Promise<void>): Promise<void> {
    await inFolder(async (folder) => {
      await Deno.mkdir(`${folder}/data`);
      for (const [name, bytes] of Object.entries(months)) {
        await Deno.writeFile(`${folder}/data/${name}`, bytes);
      }
      await Deno.writeFile(`${folder}/all.zip`, zipSync(months));
      await body(folder);
    });
  }

  const wanted = { file: "data/tblSCTurGrid_2019_01.csv", preset: "hill-of-towie" };

  for (const [form, file] of Object.entries(forms)) {
    it(`gives the same frame as readProduction() for ${form}, reading each file once`, async () => {
      await inSite(async (folder) => {
        const entry = { ...wanted, file, turbines: { T1: "7", T2: "8" } };
        const path = `${folder}/site.json`;
        await Deno.writeTextFile(path, siteText([turbine("T1"), turbine("T2")], [entry]));
        const names = [file].flat().map((name) => `${folder}/${name}`);
        const how = { preset: "hill-of-towie", turbines: entry.turbines } as const;
        const allRows = await readProduction(names, how);
        const { declared, ...where } = partsOf(await readSiteFile(path), "test");
        const files: string[] = [];
        const sources = new SourceFiles(where, (name) => files.push(name));
        for (const { id, production: [one] } of declared.turbines) {
          const frame = await readProductionEntry(one, id, sources);
          assertEquals(frame.toRecords(), selectTurbine(allRows, id).toRecords());
          assertEquals(frame.height, 3);
          assertEquals(provenance(frame), provenance(allRows));
          assertEquals(provenance(frame).map((one) => one.parameters.file), Object.keys(months));
        }
        assertEquals(files, form === "a zip archive" ? [file] : forms["a list"]);
      });
    });
  }

  it("of a turbine reports rows shared by its files, which two entries may not have", async () => {
    await inSite(async (folder) => {
      const path = `${folder}/site.json`;
      const read = async (files: readonly (string | readonly string[])[]) => {
        const entries = files.map((file) => ({ ...wanted, file, turbines: ["7"] }));
        await Deno.writeTextFile(path, siteText([turbine("T1", entries)]));
        const { declared: { turbines: [one] }, ...where } = partsOf(
          await readSiteFile(path),
          "test",
        );
        const built = await readTurbine(one, new SourceFiles(where));
        return await readTurbineProduction(one.production, built, new SourceFiles(where));
      };
      const { notes } = await read([forms["a list"]]);
      assertStringIncludes(
        notes.join("\n"),
        "data/tblSCTurGrid_2019_01.csv and 1 more: 1 rows are in two files with the same values or none; Vindkit counts them once.",
      );
      await assertRejects(
        () => read(forms["a list"]),
        ArgumentError,
        "data/tblSCTurGrid_2019_01.csv and data/tblSCTurGrid_2019_02.csv cover the same time, so its energy would count twice. Leave out one " +
          'of these files, or name both files in one entry, "file": [ … ], so shared rows count only once',
      );
    });
  });

  it("is rejected if no file is named or found", async () => {
    await inSite(async (folder) => {
      const message = async (file: unknown) => {
        const path = `${folder}/site.json`;
        const entries = [{ ...wanted, file, turbines: ["7"] }];
        await Deno.writeTextFile(path, siteText([turbine("T1", entries)]));
        const read = async () => await readSiteProduction(await readSiteFile(path));
        return (await assertRejects(read, ArgumentError)).message;
      };
      const what = "the path of the production file, a list of these, a folder, a pattern like " +
        '"data/*.csv" or a zip archive of many';
      const place = "turbines[0].production[0].file";
      assertStringIncludes(await message(undefined), `${place}: is missing. Give ${what}`);
      assertStringIncludes(await message(5), `${place}: is 5. Give ${what}`);
      assertStringIncludes(
        await message([]),
        `${place}: is a list of 0. Give a list of at least one path`,
      );
      assertStringIncludes(await message(["a.csv", 5]), `${place}[1]: is 5. Give the path of`);
      assertStringIncludes(await message("no/*.csv"), "no/*.csv: no file matches this pattern");
      assertStringIncludes(await message(["data", "no.csv"]), "Cannot read no.csv: the file ");
    });
  });

  it("is saved with paths relative to the site file", async () => {
    await inSite(async (folder) => {
      const entry = { ...wanted, file: forms["a list"], turbines: ["7"] };
      await Deno.writeTextFile(`${folder}/site.json`, siteText([turbine("T1", [entry])]));
      await Deno.mkdir(`${folder}/other`);
      await saveSite(await readSiteFile(`${folder}/site.json`), `${folder}/other/site.json`);
      const { turbines: [{ production: [saved] }] } = JSON.parse(
        await Deno.readTextFile(`${folder}/other/site.json`),
      );
      assertEquals(saved.file, [
        "../data/tblSCTurGrid_2019_01.csv",
        "../data/tblSCTurGrid_2019_02.csv",
      ]);
    });
  });
});

describe("S5: shares of periods in a site file", () => {
  it("apply to each unit when the energy of a park is divided", async () => {
    await inFolder(async (folder) => {
      const { how } = fieldCases.valid_hours;
      const file = await writeCase(folder, fieldCases.valid_hours);
      const park = { ...turbine("E1", [buildEntry(how, file)]), units: 2 };
      const path = `${folder}/site.json`;
      await Deno.writeTextFile(path, siteText([park]));
      const [{ frame }] = await readSiteProduction(await readSiteFile(path));
      assertEquals(listColumn(frame, "energy"), [250, 200, null]);
      assertEquals(listColumn(frame, "valid_hours"), [700, null, 0]);
      assertEquals(listColumn(frame, "availability"), [0.9, 1, null]);
    });
  });
});

describe("the table of production fields in docs/site-file-fields.md", () => {
  it("has exactly the fields of the schema", async () => {
    const path = new URL("../../../docs/site-file-fields.md", import.meta.url);
    const page = await Deno.readTextFile(path);
    const from = page.indexOf("## Production file");
    const table = page.slice(from, page.indexOf("\n## ", from + 1));
    const named = [...table.matchAll(/^\| (`.*?`) +\|/gm)].flatMap(([, cell]) =>
      cell.split(", ").map((name) => name.replaceAll("`", ""))
    );
    assertEquals(
      named.sort(),
      ["file", "preset", ...Object.keys(productionFields)].sort(),
    );
  });
});
