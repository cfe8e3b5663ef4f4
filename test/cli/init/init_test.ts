/**
 * `deno task init` with options, without a terminal. `init_long_test.ts` answers its questions.
 *
 * @module
 */
import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { copyExample } from "../../sites/_site.ts";
import { callCommand } from "../_command.ts";
import { runTask, runTaskWith } from "../_task.ts";

describe("init with options", () => {
  let folder: string;
  let options: Record<string, string>;
  /** The call with changed options; `undefined` leaves one out. */
  const buildWords = (changes: Record<string, string | undefined>) =>
    Object.entries({ ...options, ...changes })
      .flatMap(([name, value]) => value === undefined ? [] : [`--${name}=${value}`]);
  const run = (changes: Record<string, string | undefined> = {}, ...more: string[]) =>
    callCommand("init", ...buildWords(changes), ...more);

  beforeAll(async () => {
    folder = await Deno.makeTempDir();
    await copyExample(`${folder}/files`);
    await Deno.remove(`${folder}/files/site.json`);
    options = {
      name: "Hill 1",
      position: "55.6, 7.92",
      elevation: "0",
      "time-zone": "Europe/Copenhagen",
      production: `${folder}/files/prod*ction.c?v`,
      "production-unit": "kW",
      "production-stamp": "start",
      climate: `${folder}/files/climate.csv`,
      "climate-position": "55.5, 8",
      "rated-power": "2300",
      "rotor-diameter": "92",
      "hub-height": "80",
      "power-curve": `${folder}/files/power_curve.csv`,
      data: `${folder}/data`,
      to: `${folder}/site`,
    };
  });
  afterAll(() => Deno.remove(folder, { recursive: true }));

  it("V13: makes an index and a chart from files in one call, and overwrites nothing", async () => {
    const { code, out, error } = await runTask("init", ...buildWords({}), "--yes");
    assertEquals([code, error], [0, ""]);
    assertStringIncludes(out, "34949 of 35064 rows have power");
    assertMatch(out, /^hill-1 +2025-12 +\d+\.\d +\d+\.\d +final$/m);
    assertStringIncludes(out, "SYNTHETIC");
    const names = [...Deno.readDirSync(`${folder}/site`)].map(({ name }) => name).sort();
    assertEquals(names, ["first_index.svg", "import.txt", "site.json"]);
    const site = JSON.parse(await Deno.readTextFile(`${folder}/site/site.json`));
    assertEquals(site.climate[0].files, ["../files/climate.csv"]);
    assertEquals(site.turbines[0].production[0].file, "../files/prod*ction.c?v");
    const update = await callCommand("update", "--data", `${folder}/data`);
    assertEquals([update.code, update.error, update.out.split(":")[0]], [3, "", "SYNTHETIC"]);
    const again = await callCommand(
      "import",
      `${folder}/site/site.json`,
      "--data",
      `${folder}/data`,
    );
    assertStringIncludes(again.out, "unchanged");

    const folderTaken = await run({ name: "Hill 2" }, "--yes");
    assertEquals(folderTaken.code, 2);
    assertStringIncludes(folderTaken.error, "site.json exists, and init does not overwrite files");
    const siteTaken = await run({ to: `${folder}/other` }, "--yes");
    assertEquals(siteTaken.code, 2);
    assertStringIncludes(
      siteTaken.error.replaceAll(/\s+/g, " "),
      'already has a site "hill-1", and init does not overwrite it',
    );
    assert(!(await Deno.stat(`${folder}/other`).then(() => true, () => false)));
  });

  it("lists all missing and wrong options, and writes nothing", async () => {
    const { code, out, error } = await callCommand(
      "init",
      "--position",
      "95, 8",
      "--to",
      `${folder}/none`,
    );
    assertEquals([code, out], [2, ""]);
    assertStringIncludes(
      error,
      '--position LAT,LON: position "95, 8" is not a latitude from -90 to 90',
    );
    const needed = [
      "name",
      "elevation",
      "production",
      "climate",
      "rated-power",
      "rotor-diameter",
      "hub-height",
    ];
    for (const name of needed) assertMatch(error, new RegExp(`^  --${name} [A-Z]+: `, "m"));
    assertStringIncludes(
      error,
      "(--yes accepts none (estimated from rated power and rotor diameter))",
    );
    assert(!(await Deno.stat(`${folder}/none`).then(() => true, () => false)));
  });

  it("does not assume the unit of a column, even with --yes", async () => {
    const { code, error } = await run(
      { "production-unit": "", name: "x", to: `${folder}/none` },
      "--yes",
    );
    assertEquals([code, error.split("\n")[0]], [
      2,
      "Cannot use --production-unit: it is empty. Give kW|MW|kWh|MWh|W|GW|Wh|GWh",
    ]);
    const missing = await run(
      { "production-unit": undefined, name: "x", to: `${folder}/none` },
      "--yes",
    );
    assertEquals(missing.code, 2);
    assertStringIncludes(
      missing.error,
      "\n  --production-unit kW|MW|kWh|MWh|W|GW|Wh|GWh: The unit of the production\n",
    );
  });

  it("S10, M11: lists missing options for all files together, even if one cannot be read", async () => {
    const broken = `${folder}/broken.csv`;
    await Deno.writeTextFile(
      broken,
      "time,power,place\n2020-01-01T00:00Z,4,A\n2020-01-01T00:00Z,5,B\n",
    );
    const { code, error } = await run({
      production: broken,
      "production-resolution": "hour",
      to: `${folder}/none`,
      name: "x",
      "climate-position": undefined,
      "rated-power": undefined,
    }, "--yes");
    assertEquals(code, 2);
    assertEquals(error.match(/^ {2}--[\w-]+/gm), [
      "  --rated-power",
      "  --production-turbine",
      "  --climate-position",
    ]);
    assertStringIncludes(error, "2020-01-01T00:00Z is duplicated");
  });

  it("M10: refuses options that the files do not need", async () => {
    const { code, error } = await run(
      { name: "y", to: `${folder}/none`, shear: "exponent=0.3", "climate-from": "2005" },
      "--yes",
    );
    assertEquals(code, 2);
    assertStringIncludes(
      error,
      "Omit them:\n  --climate-from 2005\n  --shear exponent=0.3\n",
    );
  });

  it("SI9: suggests CSV from two services if climate cannot be fetched, which gives the same index as the files", async () => {
    const { climate: _, "climate-position": __, ...others } = options;
    const changed = { ...others, name: "Hill 3", to: `${folder}/offline`, climate: "open-meteo" };
    const words = Object.entries(changed).map(([name, value]) => `--${name}=${value}`);
    const env = { OPEN_METEO_URL: "http://127.0.0.1:9" }; // a port that fetch() blocks
    const { code, out } = await runTaskWith(env, "init", ...words, "--yes");
    assertEquals(code, 1);
    const at = out.indexOf("If you cannot fetch it here");
    assertMatch(
      out.slice(at),
      /https:\/\/open-meteo\.com\/\S+\n {2}https:\/\/cds\.climate\.\S+\nThen give/,
    );
    const call = out.slice(out.indexOf("deno task init", at) + "deno task ".length).trim();

    const factorIn = async (place: string) =>
      / k = ([\d.]+)/.exec(await Deno.readTextFile(`${place}/import.txt`))![1];
    const read = async (csv: string, to: string) => {
      await Deno.writeTextFile(`${folder}/era5.csv`, csv);
      const follow = call.replaceAll(" \\\n", " ").replace("era5.csv", `${folder}/era5.csv`)
        .replaceAll(`${folder}/offline-csv`, to).replaceAll("--name 'Hill 3'", `--name=${to}`);
      const args = [...follow.matchAll(/--[\w-]+(?:[ =](?:'[^']*'|\S+))?/g)].flatMap(([one]) =>
        one.replaceAll("'", "").replace(/^(--[\w-]+) /, "$1=")
      );
      const followed = await callCommand("init", ...args, "--yes");
      assertEquals([followed.code, followed.error], [0, ""]);
      assertStringIncludes(followed.out, "55.5 N, 8 E (12.2 km from the turbine)");
      return await factorIn(to);
    };
    const [header, ...rows] = (await Deno.readTextFile(`${folder}/files/climate.csv`)).trim()
      .split("\n").filter((line) => !line.startsWith("#")).map((line) => line.split(","));
    const column = (name: string) => header.indexOf(name);
    const hours = rows.map((row) => ({
      stamp: row[0].slice(0, 16),
      of: (name: string) => Number(row[column(name)]),
    }));
    const openMeteo = [
      "latitude,longitude,elevation,utc_offset_seconds,timezone,timezone_abbreviation",
      "55.5,8.0,3.0,0,GMT,GMT",
      "",
      "time,wind_speed_10m (km/h),wind_direction_10m (°),wind_speed_100m (km/h),wind_direction_100m (°)," +
      "temperature_2m (°C),surface_pressure (hPa)",
      ...hours.map(({ stamp, of }) =>
        [
          stamp,
          ...[10, 100].flatMap((height) => [
            of(`wind_speed_${height}`) * 3.6,
            of(`wind_direction_${height}`),
          ]),
          of("temperature"),
          of("pressure") / 100,
        ].join()
      ),
    ];
    const copernicus = [
      "valid_time,u10,v10,u100,v100,t2m,sp,latitude,longitude",
      ...hours.map(({ stamp, of }) =>
        [
          stamp.replace("T", " ") + ":00",
          ...[10, 100].flatMap((height) => {
            const radians = of(`wind_direction_${height}`) * Math.PI / 180;
            const speed = of(`wind_speed_${height}`);
            return [-speed * Math.sin(radians), -speed * Math.cos(radians)];
          }),
          of("temperature") + 273.15,
          of("pressure"),
          "55.5,8.0",
        ].join()
      ),
    ];
    const factor = await read(openMeteo.join("\n"), `${folder}/meteo`);
    assertEquals(await read(copernicus.join("\n"), `${folder}/copernicus`), factor);
    // The index of the first test uses climate.csv, which also has humidity.
    assertAlmostEquals(Number(factor), Number(await factorIn(`${folder}/site`)), 0.001);
  });

  it("S9: proposes a new folder named after the site, not the program's folder", async () => {
    const { code, error } = await run({ name: "Åse Høj", to: undefined });
    assertEquals(code, 2);
    assertStringIncludes(error.replaceAll(/\s+/g, " "), "files/ase-hoj (a new folder)");
  });
});
