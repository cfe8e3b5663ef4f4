import { writeXlsx } from "hucre/xlsx";
import { assertEquals, assertRejects } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import {
  type ErrorFacts,
  pl,
  type ProductionFormat,
  readFrame,
  readProduction,
  VindkitError,
} from "../../mod.ts";
import { readClimate } from "../../src/sites/climate/read_climate.ts";
import { selectPoints } from "../../src/sites/calibration/select_points.ts";
import { SourceFiles } from "../../src/sites/source_files.ts";
import { readNetcdf } from "../../src/frames/netcdf/netcdf.ts";
import { netcdfFile } from "./netcdf/_netcdf.ts";

/** Facts that errors of readers have in addition to their message (N1): code, field to fix, and place. */

const hourly: ProductionFormat = {
  column: "power",
  time: "time",
  resolution: "hour",
  unit: "kW",
  time_zone: "UTC",
};
/** The same, by the tolerant reader. */
const declared: ProductionFormat = { ...hourly, time_format: "DD.MM.YYYY HH:mm" };
const monthly: ProductionFormat = { ...hourly, resolution: "month", unit: "kWh" };

const rows = (...lines: readonly string[]) => ["time;power", ...lines, ""].join("\n");
const iso = (...stamps: readonly string[]) => rows(...stamps.map((stamp) => `${stamp};1`));

/** A text, its declaration, and the facts of the error. */
const texts: readonly (readonly [string, ProductionFormat, ErrorFacts])[] = [
  // The reader of plain tables.
  [rows("2023-01-01 00:00;many"), hourly, number(2, "many")],
  [rows("2023-01-01 00:00;1,5", "2023-01-01 01:00;1.5"), hourly, number(3, "1.5")],
  [iso("2023-01-01 00:00", "Total"), hourly, time("time_format", 3, "Total")],
  [iso("2023-01-01 00:00", ""), hourly, time("time_format", 3)],
  [iso("01.01.2023 00:00"), hourly, time("time_format", 2, "01.01.2023 00:00")],
  [
    iso("2023-01-01 00:00"),
    { ...hourly, time_zone: undefined },
    time("time_zone", 2, "2023-01-01 00:00"),
  ],
  [
    iso("2023-03-26 02:30"),
    { ...hourly, time_zone: "Europe/Berlin" },
    time("time_zone", 2),
  ],
  [
    iso("2023-10-29 01:00", "2023-10-29 02:00", "2023-10-29 03:00"),
    { ...hourly, time_zone: "Europe/Berlin" },
    time("time_zone", 3),
  ],
  [
    iso("2023-01-01 00:00", "2023-01-01 00:00"),
    hourly,
    { code: "time_repeated", row: 3, value: "2023-01-01T00:00Z" },
  ],
  [
    iso("2023-01-01 01:00", "2023-01-01 00:00", "2023-01-01 02:00"),
    hourly,
    { code: "time_order", row: 3, value: "2023-01-01T00:00Z" },
  ],
  [
    iso("2023-01-01 00:10"),
    hourly,
    { code: "resolution", row: 2, value: "2023-01-01T00:10Z" },
  ],
  [
    iso("2023-01-01 00:00", "2023-01-01 01:00", "2023-01-01 02:00"),
    { ...hourly, resolution: "10min" },
    { code: "resolution", field: "resolution" },
  ],
  ["time;power_mw\n2023-01-01 00:00;1\n", { ...hourly, column: "power_mw" }, {
    code: "unit",
    field: "unit",
    column: "power_mw",
    value: "MW",
  }],
  ["time;energy\n2023-01-01 00:00;1\n", hourly, { code: "columns" }],
  // The tolerant reader.
  [rows("01.01.2023 00:00;many"), declared, number(2, "many")],
  [rows("01.01.2023 00:00;1,5", "01.01.2023 01:00;1.5"), declared, number(3, "1.5")],
  [rows("01.01.2023 00:00;1", "Total;1"), declared, time("time_format", 3, "Total")],
  [rows("01.01.2023 00:00;1", ";1"), declared, time("time_format", 3)],
  [rows("01.13.2023 00:00;1"), declared, time("time_format", 2, "01.13.2023 00:00")],
  [
    rows("01.01.2023 00:00;1"),
    { ...declared, time_zone: undefined },
    time("time_zone", 2, "01.01.2023 00:00"),
  ],
  [
    rows("26.03.2023 02:00;1"),
    { ...declared, time_zone: "Europe/Berlin" },
    time("time_zone", 2, "26.03.2023 02:00"),
  ],
  [
    "day;clock;power\n01.01.2023;25:00;1\n",
    { ...declared, time: ["day", "clock"] },
    { ...time("time_format", 2, "01.01.2023 25:00"), column: "day" },
  ],
  ["time;energy\n01.01.2023 00:00;1\n", declared, { code: "columns" }],
  // Months.
  [rows("01/2023;1"), monthly, time("time_format", 2, "01/2023")],
  [rows("2023-01;1", "2023-01;2"), monthly, time("time_repeated", 3, "2023-01")],
  [rows("2023-02;1", "2023-01;2", "2023-03;2"), monthly, time("time_order", 3, "2023-01")],
  // Declarations.
  [rows(), { ...declared, time_format: "JJ" }, { field: "time_format" }],
  [rows(), { ...declared, thousands: "," }, { field: "thousands" }],
  [rows(), { ...hourly, sheet: "A" }, { field: "sheet" }],
];

function number(row: number, value: string): ErrorFacts {
  return { code: "number", row, column: "power", value };
}

function time(code: ErrorFacts["code"], row: number, value?: string): ErrorFacts {
  return { code, row, column: "time", ...(value === undefined ? {} : { value }) };
}

/** The facts of an error, without the ones of its class. */
async function factsOf(read: () => Promise<unknown>): Promise<ErrorFacts> {
  const error = await assertRejects(read, VindkitError);
  const { name: _, hint: __, ...facts } = { ...error };
  return facts;
}

describe("the errors of readers", () => {
  let folder: string;
  beforeAll(async () => {
    folder = await Deno.makeTempDir();
  });
  afterAll(() => Deno.remove(folder, { recursive: true }));

  for (const [i, [text, how, facts]] of texts.entries()) {
    it(`N1: have facts, such as ${JSON.stringify(facts)} (${i})`, async () => {
      await Deno.writeTextFile(`${folder}/${i}.csv`, text);
      assertEquals(await factsOf(() => readProduction(`${folder}/${i}.csv`, how)), facts);
    });
  }

  it("N1: name the row of a sheet, and what is in its cell", async () => {
    const day = new Date("2023-01-01T00:00Z");
    const sheet = [["time", "power"], [day, 1], ["Total", 1], [day, "#N/A"]];
    const file = `${folder}/a.xlsx`;
    await Deno.writeFile(file, await writeXlsx({ sheets: [{ name: "A", rows: sheet }] }));
    assertEquals(
      await factsOf(() => readProduction(file, declared)),
      time("time_format", 3, "Total"),
    );
  });

  it("N1: say that no file of a folder has a wanted name", async () => {
    assertEquals(await factsOf(() => readProduction(folder, "greenbyte")), { code: "file_names" });
  });

  it("N1: name the zone that a preset needs, and the zone stated in the file", async () => {
    const file = `${folder}/greenbyte.csv`;
    await Deno.writeTextFile(file, "# Turbine: K1\n# Time zone: CET\n# Date and time,Power (kW)\n");
    const zone = { code: "time_zone", field: "time_zone", value: "CET" } as const;
    assertEquals(await factsOf(() => readProduction(file, "greenbyte")), zone);
  });

  it("N1: name the two values of one time, and a cell of a table of another kind", async () => {
    const files = [1, 2].map((value) => `${folder}/part_${value}.csv`);
    for (const [i, file] of files.entries()) {
      await Deno.writeTextFile(file, rows(`2023-01-01 00:00;${i + 1}`));
    }
    const differ = { code: "values_differ", value: 2 } as const;
    assertEquals(await factsOf(() => readProduction(files, hourly)), differ);
    await Deno.writeTextFile(
      `${folder}/frame.csv`,
      "a,b\n1,2023-05-01T00:00\n2,2023-05-01T01:00\n",
    );
    assertEquals(
      await factsOf(() => readFrame(`${folder}/frame.csv`)),
      { code: "time_format", row: 2, column: "b", value: "2023-05-01T00:00" },
    );
  });

  it("N1: keep their facts on the way from a worker", async () => {
    const bytes = await netcdfFile({
      valid_time: { data: Float64Array.of(0), attributes: { units: "months since 1970-01-01" } },
      latitude: { data: Float64Array.of(55) },
      longitude: { data: Float64Array.of(8) },
    });
    assertEquals(
      await factsOf(() => readNetcdf(bytes, "era5.nc")),
      { code: "unit", value: "months since 1970-01-01" },
    );
  });

  it("N1: say of climate whether a variable, its unit, its time or its place is wrong", async () => {
    const names = ["wind_speed_100", "wind_direction_100"];
    const source = (file: string, units = ["m/s", "deg"]) => ({
      files: [file],
      stamp: "instant" as const,
      latitude: 55,
      longitude: 8,
      time: { column: "time", zone: "UTC" },
      variables: Object.fromEntries(
        names.map((name, i) => [name, { column: name, unit: units[i] }]),
      ),
    });
    const files = new SourceFiles({ folder, frames: new Map() });
    const read = async (text: string, units?: string[]) => {
      const name = `${crypto.randomUUID()}.csv`;
      await Deno.writeTextFile(`${folder}/${name}`, text);
      return await readClimate(source(name, units), files);
    };
    const header = "time,wind_speed_100,wind_direction_100\n";
    assertEquals(
      await factsOf(() => read(`${header}2023-01-01 00:00,1000,180\n`)),
      { code: "unit", row: 1, value: 1000 },
    );
    assertEquals(
      await factsOf(() => read(`${header}2023-01-01 00:30,10,180\n2023-01-01 01:00,10,180\n`)),
      { code: "resolution", row: 2, value: "2023-01-01T00:30Z" },
    );
    assertEquals(
      await factsOf(() => read("time,wind_speed_100\n2023-01-01 00:00,10\n")),
      { code: "columns" },
    );
    const incomplete = {
      ...source("alone.csv"),
      variables: { wind_u_10: { column: "u", unit: "m/s" } },
    };
    await Deno.writeTextFile(`${folder}/alone.csv`, "time,u\n2023-01-01 00:00,10\n");
    assertEquals(await factsOf(() => readClimate(incomplete, files)), { code: "variable" });
    const parquet = `${folder}/local.parquet`;
    pl.DataFrame({ time: [new Date(0)], wind_speed_100: [1], wind_direction_100: [1] })
      .writeParquet(parquet);
    const local = { ...source("local.parquet"), time: { column: "time" } };
    assertEquals(
      await factsOf(() => readClimate(local, files)),
      { code: "time_zone", column: "time" },
    );
    const climate = await read(`${header}2023-01-01 00:00,10,180\n`);
    const far = { latitude: 65, longitude: 8 };
    assertEquals(
      await factsOf(() => Promise.try(() => selectPoints({ climate }, far))),
      { code: "place" },
    );
  });
});
