/** Production in the layouts of the presets, on synthetic files with the traps of the real ones. */
import type { DataFrame } from "nodejs-polars";
import { gzipSync, zipSync } from "fflate";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { afterAll, describe, it } from "@std/testing/bdd";
import { ArgumentError, DataFormatError } from "../../../src/api/errors.ts";
import { sha256 } from "../../../src/disk/hashes.ts";
import { readProduction } from "../../../src/frames/presets/read_production.ts";
import { formatRemarks, provenance } from "../../../src/frames/origin/provenance.ts";
import { listColumn, utf8 } from "../_text.ts";
import {
  edpFile,
  greenbyteFile,
  hillOfTowieFile,
  monthlyRegister,
  newRegister,
  oldRegister,
  tenMinutes,
} from "./_files.ts";

const folder = await Deno.makeTempDir();
let count = 0;

/** Writes files into their own folder. */
async function write(files: Readonly<Record<string, Uint8Array>>): Promise<string> {
  const path = `${folder}/${count++}`;
  await Deno.mkdir(path);
  for (const [name, bytes] of Object.entries(files)) await Deno.writeFile(`${path}/${name}`, bytes);
  return path;
}
const writeOne = async (name: string, bytes: Uint8Array) =>
  `${await write({ [name]: bytes })}/${name}`;
const times = (frame: DataFrame) =>
  (listColumn(frame, "time") as Date[]).map((time) => time.toISOString().slice(0, 16));
const notes = (frame: DataFrame) => formatRemarks(provenance(frame)).join("; ");

const march = tenMinutes("2016-03-01 00:00:00", ["1", "2", "NaN", "4"]);
const name = "Turbine_Data_Kelmarsh_1_2016-01-03_-_2017-01-01_228.csv";

describe("readProduction() with files of Greenbyte", () => {
  it("takes turbine and zone from the lines above the table", async () => {
    const frame = await readProduction(
      await writeOne(name, greenbyteFile({ rows: march })),
      "greenbyte",
    );
    assertEquals(frame.columns, ["turbine_id", "time", "power"]);
    assertEquals(listColumn(frame, "turbine_id"), Array(4).fill("Kelmarsh 1"));
    assertEquals(listColumn(frame, "power"), [1, 2, null, 4]);
    assertEquals(times(frame)[1], "2016-03-01T00:10");
  });

  it("reads Windows line ends", async () => {
    const file = greenbyteFile({ rows: march, lineEnd: "\r\n" });
    const frame = await readProduction(await writeOne(name, file), "greenbyte");
    assertEquals(listColumn(frame, "power"), [1, 2, null, 4]);
  });

  it("reads a folder of years whose columns differ, and no other files of it", async () => {
    const path = await write({
      [name]: greenbyteFile({ rows: march }),
      "Turbine_Data_Kelmarsh_1_2017.csv": greenbyteFile({
        rows: tenMinutes("2016-03-01 00:30:00", ["4", "5"]),
        before: ["Rotor speed (RPM)", "Blade angle (°)"],
      }),
      "Turbine_Data_Kelmarsh_2_2017.csv": greenbyteFile({ turbine: "Kelmarsh 2", rows: march }),
      "Device_Data_Kelmarsh_PMU_2016.csv": utf8("no production\n"),
      "Status_Kelmarsh_1.csv": utf8("no production\n"),
    });
    const frame = await readProduction(path, "greenbyte");
    assertEquals(listColumn(frame, "power"), [1, 2, null, 4, 5, 1, 2, null, 4]);
    assert(notes(frame).includes("1 rows are in two files"), notes(frame));
    const one = await readProduction(path, { preset: "greenbyte", turbines: ["Kelmarsh 2"] });
    assertEquals(one.height, 4);
    await assertRejects(
      () => readProduction(path, { preset: "greenbyte", turbines: ["Kelmarsh 7"] }),
      ArgumentError,
      'it has no turbine "Kelmarsh 7". It has "Kelmarsh 1", "Kelmarsh 2". Give the name that the file uses for the turbine',
    );
    const listed = await readProduction([`${path}/${name}`], "greenbyte");
    assertEquals(listed.height, 4);
    assertEquals((await readProduction(`${path}/Turbine*.csv`, "greenbyte")).height, 9);
  });

  it("reads a zip of many, one member after the other, and packed files", async () => {
    const archive = zipSync({
      [`data/${name}`]: greenbyteFile({ rows: march }),
      "data/Status_Kelmarsh_1.csv": utf8("no production\n"),
      "data/Turbine_Data_Kelmarsh_2.csv": greenbyteFile({ turbine: "Kelmarsh 2", rows: march }),
    });
    const frame = await readProduction(await writeOne("all.zip", archive), "greenbyte");
    assertEquals(frame.height, 8);
    assertEquals(provenance(frame).length, 2);
    const packed = await writeOne(`${name}.gz`, gzipSync(greenbyteFile({ rows: march })));
    assertEquals((await readProduction(packed, "greenbyte")).height, 4);
  });

  it("reads the archives of a folder, and skips archives of other data", async () => {
    const archive = (file: string, bytes: Uint8Array) => zipSync({ [`data/${file}`]: bytes });
    const meters = archive("Device_Data_Kelmarsh_PMU_2016.csv", utf8("no production\n"));
    const path = await write({
      "Kelmarsh_PMU_2016.zip": meters,
      "Kelmarsh_SCADA_2016.zip": archive(name, greenbyteFile({ rows: march })),
    });
    assertEquals((await readProduction(path, "greenbyte")).height, 4);
    const none = await write({ "Kelmarsh_PMU_2016.zip": meters });
    await assertRejects(
      () => readProduction(none, "greenbyte"),
      ArgumentError,
      "the folder has no file with a name like",
    );
    await assertRejects(
      () => readProduction(`${none}/Kelmarsh_PMU_2016.zip`, "greenbyte"),
      ArgumentError,
      "the archive has no file with a name like",
    );
  });

  it("merges repeated times if only one row is filled, in any order, and reports them", async () => {
    const rows = [
      ...Array.from(
        { length: 41 },
        (_, i) => march.map(([stamp, power]): [string, string] => [stamp, i === 7 ? power : "NaN"]),
      ),
    ].flat();
    const frame = await readProduction(await writeOne(name, greenbyteFile({ rows })), "greenbyte");
    assertEquals(listColumn(frame, "power"), [1, 2, null, 4]);
    assert(notes(frame).includes("160 rows repeat a timestamp of their file"), notes(frame));
  });

  it("refuses two values of a time with file, lines and both values", async () => {
    const rows: [string, string][] = [...march, ["2016-03-01 00:10:00", "2.5"]];
    const path = await writeOne(name, greenbyteFile({ rows }));
    await assertRejects(
      () => readProduction(path, "greenbyte"),
      DataFormatError,
      `Cannot read ${path}: line 15: the power is 2.5, but 2 at the same time in line 12`,
    );
    const two = await write({
      [name]: greenbyteFile({ rows: march }),
      "Turbine_Data_later.csv": greenbyteFile({ rows: tenMinutes("2016-03-01 00:30:00", ["9"]) }),
    });
    await assertRejects(
      () => readProduction(two, "greenbyte"),
      DataFormatError,
      "the power is 9, but 4",
    );
  });

  it("refuses a file that lacks a fact or contradicts the declaration", async () => {
    const noZone = await writeOne(name, greenbyteFile({ rows: march, zone: null }));
    await assertRejects(
      () => readProduction(noZone, "greenbyte"),
      ArgumentError,
      'Give "time_zone"',
    );
    const production = await readProduction(noZone, {
      preset: "greenbyte",
      time_zone: "Europe/London",
    });
    assertEquals(production.height, 4);
    const noTurbine = await writeOne(name, greenbyteFile({ rows: march, turbine: null }));
    await assertRejects(
      () => readProduction(noTurbine, "greenbyte"),
      ArgumentError,
      '"column": { "T1": "Power (kW)" }',
    );
    const withTurbine = await readProduction(noTurbine, {
      preset: "greenbyte",
      column: { T1: "Power (kW)" },
    });
    assertEquals(listColumn(withTurbine, "turbine_id"), Array(4).fill("T1"));
    const utc = await writeOne(name, greenbyteFile({ rows: march }));
    await assertRejects(
      () => readProduction(utc, { preset: "greenbyte", time_zone: "Europe/London" }),
      ArgumentError,
      "the timestamps are in UTC",
    );
  });

  it("refuses rows that are not at whole ten minutes, and ragged ones, by their lines", async () => {
    const offStep = greenbyteFile({ rows: [...march, ["2016-03-01 00:41:00", "5"]] });
    const path = await writeOne(name, offStep);
    await assertRejects(() => readProduction(path, "greenbyte"), DataFormatError, "line 15");
    const text = new TextDecoder().decode(greenbyteFile({ rows: march })).replace(
      "0.25,2,NaN",
      "0.25,2",
    );
    const ragged = await writeOne(name, utf8(text));
    await assertRejects(
      () => readProduction(ragged, "greenbyte"),
      DataFormatError,
      "line 12 has 3 fields, but the header has 4",
    );
  });

  it("reads a large file, with the facts and the hash of the whole", async () => {
    const powers = Array.from({ length: 5000 }, (_, i) => String(i));
    const rows = tenMinutes("2016-01-01 00:00:00", powers);
    const before = Array.from({ length: 800 }, (_, i) => `Signal ${i} (m/s)`);
    const bytes = greenbyteFile({ rows, before });
    assert(bytes.length > 16 * 2 ** 20);
    const path = await writeOne(name, bytes);
    const frame = await readProduction(path, "greenbyte");
    assertEquals(listColumn(frame, "power"), powers.map(Number));
    assertEquals(provenance(frame)[0].sha256, [sha256(bytes)]);
    const text = new TextDecoder().decode(bytes);
    await Deno.writeTextFile(path, text.replace(",4321,NaN", ",4321"));
    await assertRejects(
      () => readProduction(path, "greenbyte"),
      DataFormatError,
      `line ${11 + 4321} has 802 fields, but the header has 803`,
    );
  });

  it("names the presets if one is unknown", async () => {
    await assertRejects(
      () => readProduction("x.csv", "greenbite" as never),
      ArgumentError,
      'Did you mean "greenbyte"?',
    );
    await assertRejects(
      () => readProduction(`${folder}`, "edp"),
      ArgumentError,
      "the folder has no file with a name like",
    );
  });
});

describe("readProduction() with turbines below each other", () => {
  const stamps = ["2019-03-01 00:10:00", "2019-03-01 00:20:00", "2019-03-01 00:30:00"];

  it("reads Hill of Towie: stamps at the end, files that overlap by ten minutes", async () => {
    const path = await write({
      "tblSCTurGrid_2019_03.csv": hillOfTowieFile(["2304510", "2304511"], stamps),
      "tblSCTurGrid_2019_04.csv": hillOfTowieFile(
        ["2304510", "2304511"],
        ["2019-03-01 00:30:00", "2019-03-01 00:40:00"],
        (station, row) => String(100 * station + row + 2),
      ),
      "tblSCTurbine_2019_03.csv": utf8("TimeStamp,StationId,wtc_AcWindSp_mean\n"),
    });
    const frame = await readProduction(path, "hill-of-towie");
    assertEquals(times(frame).slice(0, 4), [
      "2019-03-01T00:00",
      "2019-03-01T00:10",
      "2019-03-01T00:20",
      "2019-03-01T00:30",
    ]);
    assertEquals(listColumn(frame, "power"), [0, 1, 2, 3, 100, 101, 102, 103]);
    assertEquals(new Set(listColumn(frame, "turbine_id")), new Set(["2304510", "2304511"]));
    const one = await readProduction(path, { preset: "hill-of-towie", turbines: ["2304511"] });
    assertEquals(listColumn(one, "power"), [100, 101, 102, 103]);
  });

  it("reads any long table by the column of its turbines", async () => {
    const path = await writeOne("long.csv", hillOfTowieFile(["a", "b"], stamps));
    const how = {
      column: "wtc_ActPower_mean",
      time: "TimeStamp",
      turbine: "StationId",
      resolution: "10min",
      unit: "kW",
      time_zone: "UTC",
    } as const;
    assertEquals((await readProduction(path, how)).height, 6);
    await assertRejects(
      () => readProduction(path, { ...how, turbines: ["b", "c"] }),
      ArgumentError,
      'it has no turbine "c". It has "a", "b". Give the name that the file uses for the turbine: ' +
        '"turbines": {"c":"a"}',
    );
    await assertRejects(
      () => readProduction(path, { ...how, turbine: undefined }),
      DataFormatError,
      "is duplicated",
    );
  });

  it("gives turbines the caller's identifiers, even turbines that only a later file has", async () => {
    const path = await write({
      "tblSCTurGrid_2019_03.csv": hillOfTowieFile(["2304510"], stamps),
      "tblSCTurGrid_2019_04.csv": hillOfTowieFile(["2304511"], ["2019-04-01 00:10:00"]),
    });
    const read = (turbines: Record<string, string>) =>
      readProduction(path, { preset: "hill-of-towie", turbines });
    const late = await read({ T2: "2304511" });
    assertEquals(late.toRecords().map(({ turbine_id, power }) => [turbine_id, power]), [["T2", 0]]);
    const both = await read({ T2: "2304511", T1: "2304510" });
    assertEquals(listColumn(both, "turbine_id"), ["T1", "T1", "T1", "T2"]);
    await assertRejects(
      () => read({ T1: "2304510", T2: "2304510" }),
      ArgumentError,
      'turbines: is {"T1":"2304510","T2":"2304510"}. Name at least one turbine, each only once',
    );
  });

  it("reads EDP as text and as workbook, and states its assumptions", async () => {
    const rows = ["T01,2016-01-01T00:00:00+00:00,5.1,100", "T01,2016-01-01T00:10:00+00:00,5.2,110"];
    const frame = await readProduction(await writeOne("scada.csv", edpFile(rows)), "edp");
    assertEquals(listColumn(frame, "power"), [100, 110]);
    assert(notes(frame).includes("Vindkit assumes the start"));
    const { writeXlsx } = await import("hucre/xlsx");
    const book = await writeXlsx({
      sheets: [{
        name: "Sheet1",
        rows: [
          ["Turbine_ID", "Timestamp", "Amb_WindSpeed_Avg", "Grd_Prod_Pwr_Avg"],
          ["T01", "2016-01-01T00:00:00+00:00", 5.1, 100],
          ["T06", "2016-01-01T00:00:00+00:00", 5.1, 120],
        ],
      }],
    });
    const sheet = await readProduction(await writeOne("scada.xlsx", book), "edp");
    assertEquals(listColumn(sheet, "power"), [100, 120]);
    const local = await writeOne("scada.csv", edpFile(["T01,2016-01-01T00:00:00,5.1,100"]));
    await assertRejects(() => readProduction(local, "edp"), DataFormatError, "Give its time zone");
  });
});

describe("readProduction() with the Danish register", () => {
  afterAll(() => Deno.remove(folder, { recursive: true })); // the last suite

  const horns = {
    id: "570715000000064601",
    connected: new Date(Date.UTC(2002, 10, 1)),
    east: 426_000,
    north: 6_150_000,
  };

  it("reads months side by side of both sheets, in MWh, empty cells as null", async () => {
    const path = await writeOne(
      "anlaeg.xlsx",
      await oldRegister(
        [{ ...horns, months: [500_000, null] }],
        [{ ...horns, id: "570714700000000017", months: [10_000, 0] }],
        2,
      ),
    );
    const frame = await readProduction(path, "danish-register");
    assertEquals(frame.columns, ["turbine_id", "month", "energy"]);
    assertEquals(listColumn(frame, "energy"), [500, null, 10, 0]);
    const [first] = listColumn(frame, "month") as Date[];
    assertEquals(first.toISOString().slice(0, 10), "2021-01-01");
    const one = await readProduction(path, {
      preset: "danish-register",
      turbines: ["570714700000000017"],
    });
    assertEquals(listColumn(one, "energy"), [10, 0]);
    await assertRejects(
      () => readProduction(path, { preset: "danish-register", turbines: ["0", horns.id] }),
      ArgumentError,
      'it has no turbine "0". It has "570714700000000017", "570715000000064601"',
    );
  });

  it("joins sheets of a year each, in the order of turbine and time, without totals", async () => {
    const [one, two] = ["570715000000064601", "570714700000000017"];
    const bytes = await monthlyRegister({
      2020: { [one]: [3000, 4000], [two]: [30, null] },
      2019: { [one]: [1000, 2000] },
    });
    const frame = await readProduction(
      await writeOne("maanedsdata_2002_2020.xlsx", bytes),
      "danish-register",
    );
    assertEquals(listColumn(frame, "energy"), [1, 2, 3, 4, 0.03, null]);
    assertEquals(listColumn(frame, "turbine_id"), [one, one, one, one, two, two]);
    assert(
      notes(frame).includes("1 rows do not name a turbine and are left out; the first is row 10"),
    );
  });

  it("reads the new layout, and refuses an identifier that was stored as a number", async () => {
    const path = await writeOne(
      "Vinddata.xlsx",
      await newRegister([{ ...horns, months: [1500, "-"] }]),
    );
    assertEquals(listColumn(await readProduction(path, "danish-register"), "energy"), [1.5, null]);
    const lost = await writeOne(
      "Vinddata.xlsx",
      await newRegister([{ ...horns, id: 570715000000064600, months: [1, 2] }]),
    );
    await assertRejects(
      () => readProduction(lost, "danish-register"),
      DataFormatError,
      "cell A12: the identifier is a number that has lost digits",
    );
    const text = await writeOne(
      "Vinddata.xlsx",
      await newRegister([{ ...horns, months: [1, "many"] }]),
    );
    await assertRejects(
      () => readProduction(text, "danish-register"),
      DataFormatError,
      'cell F12: "many" is not a number',
    );
  });
});
