/**
 * Production from Excel and Parquet files that other programs wrote: see `test/fixtures/production/make.py`.
 *
 * @module
 */
import pl, { type DataFrame } from "nodejs-polars";
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { zipSync } from "fflate";
import { ArgumentError, DataFormatError } from "../../../src/api/errors.ts";
import type { ProductionFormat } from "../../../src/frames/production/production.ts";
import { readProduction } from "../../../src/frames/presets/read_production.ts";
import { recognizeFile } from "../../../src/frames/presets/recognize_file.ts";
import { listColumn, utf8 } from "../_text.ts";
import { buildWorkbook, formatRow } from "../_workbook.ts";

const file = (name: string) => new URL(`../../fixtures/production/${name}`, import.meta.url);
const read = (name: string, how: ProductionFormat) => readProduction(file(name), how);
const times = (frame: DataFrame) =>
  (listColumn(frame, "time") as Date[]).map((time) => time.toISOString().slice(0, 16) + "Z");
const refused = (name: string, how: ProductionFormat, message: string) =>
  assertRejects(() => read(name, how), DataFormatError, message);

const merged: ProductionFormat = {
  sheet: "10 min",
  column: { T3: "WTG 03 / Power / kW", T4: "WTG 04 / Power / kW" },
  status: { T3: "WTG 03 / Status", T4: "WTG 04 / Status" },
  time: "Time",
  time_zone: "Europe/Copenhagen",
  resolution: "10min",
  unit: "kW",
  header_rows: 3,
  leave_out: ["Total"],
};

const monthly: ProductionFormat = {
  column: "Energy [MWh]",
  time: "Month",
  resolution: "month",
  unit: "MWh",
};

const hourly: ProductionFormat = {
  column: "Power",
  time: ["Date", "Time"],
  resolution: "hour",
  unit: "kW",
  time_zone: "UTC",
};

describe("readProduction() with Excel files", () => {
  it("reads turbines side by side below a merged header", async () => {
    const frame = await read("merged_header.xlsx", merged);
    assertEquals(frame.columns, ["turbine_id", "time", "power", "status"]);
    assertEquals(listColumn(frame, "power"), [
      ...[1840.5, 1841.5, 1842.5, 1843.5, 1844.5, 1845.5],
      ...[1902, 1901, null, 1899, 1898, 1897],
    ]);
    assertEquals(times(frame)[1], "2023-04-30T22:10Z");
    assertEquals(listColumn(frame, "status")[8], "Service");
  });

  it("reads a part of the sheet", async () => {
    const { status: _, leave_out: __, ...rest } = merged;
    const frame = await read("merged_header.xlsx", {
      ...rest,
      range: "A3:B9",
      column: "WTG 03 / Power / kW",
    });
    assertEquals(listColumn(frame, "power"), [1840.5, 1841.5, 1842.5, 1843.5]);
    for (const range of ["A3", "B9:A3", "A0:B9", "AAAA1:AAAB2"]) {
      await assertRejects(() => read("merged_header.xlsx", { ...merged, range }), ArgumentError);
    }
  });

  it("requires the name of the sheet if several are visible, and lists them", async () => {
    const { sheet: _, ...rest } = merged;
    await assertRejects(
      () => read("merged_header.xlsx", rest),
      ArgumentError,
      'it has several sheets. Name one of "10 min", "Notes"',
    );
    await assertRejects(
      () => read("merged_header.xlsx", { ...rest, sheet: "Data" }),
      ArgumentError,
      'it has no sheet "Data". Name one of "10 min", "Notes"',
    );
    await refused("merged_header.xlsx", { ...merged, sheet: "Notes" }, "Nothing of interest");
  });

  it("reads the only visible sheet, months as days, stored results of formulas", async () => {
    const frame = await read("formulas.xlsx", monthly);
    assertEquals(listColumn(frame, "energy"), [412.5, 398.25, 365, 401]);
    const first = (listColumn(frame, "month") as Date[])[0].toISOString();
    assertEquals(first.slice(0, 10), "2023-01-01");
    const adjusted = { ...monthly, column: "Adjusted", null_values: ["#DIV/0!"] };
    assertEquals(listColumn(await read("formulas.xlsx", adjusted), "energy"), [
      825,
      796.5,
      null,
      802,
    ]);
  });

  it("refuses errors, texts among numbers and formulas without a stored value, by cell", async () => {
    await refused("formulas.xlsx", { ...monthly, column: "Adjusted" }, "cell C4: #DIV/0!");
    await refused(
      "formulas.xlsx",
      { ...monthly, column: "As text" },
      'cell D2: "412,50" is a text, not a number. Declare "decimal"',
    );
    const uncomputed = { ...hourly, column: "Double" };
    await refused("days_of_1904.xlsx", uncomputed, "cell D2: a formula without a stored value");
    await refused("merged_header.xlsx", { ...merged, leave_out: [] }, 'cell A12: "Total"');
  });

  it("refuses a value that is merged over several rows: all but the first would be missing", async () => {
    await refused(
      "merged_values.xlsx",
      { ...monthly, column: "Energy" },
      "cells B2:B3 are merged in the middle of the table",
    );
  });

  it("reads numbers stored as text if their marks are declared", async () => {
    const how: ProductionFormat = { ...monthly, column: "As text", decimal: ",", thousands: " " };
    assertEquals(listColumn(await read("formulas.xlsx", how), "energy"), [412.5, 398.25, 365, 401]);
  });

  it("reads days counted from 1904, with the time of day in the next column", async () => {
    const frame = await read("days_of_1904.xlsx", hourly);
    assertEquals(times(frame), ["2023-05-01T00:00Z", "2023-05-01T01:00Z", "2023-05-01T02:00Z"]);
    assertEquals(listColumn(frame, "power"), [100, 101, 102]);
  });

  it("reads 24:00 as the end of its day, and a time of day that is a text", async () => {
    const how: ProductionFormat = {
      column: "Power",
      time: ["Date", "Hour"],
      time_zone: "UTC",
      stamp: "end",
      resolution: "hour",
      unit: "kW",
    };
    const frame = await read("times_of_day.xlsx", how);
    assertEquals(times(frame), [
      "2023-05-01T22:00Z",
      "2023-05-01T23:00Z",
      "2023-05-02T00:00Z",
      "2023-05-02T01:00Z",
    ]);
    await refused(
      "two_days.xlsx",
      how,
      "cell A5: the date 2023-05-02T00:00Z with the time of day 1900-01-02T00:00Z is not a time",
    );
  });

  /** Reads a file of these bytes. */
  async function load(bytes: Uint8Array): Promise<DataFrame> {
    const path = await Deno.makeTempFile();
    try {
      await Deno.writeFile(path, bytes);
      return await readProduction(path, monthly);
    } finally {
      await Deno.remove(path);
    }
  }

  it("R1: refuses a sheet whose rows reach far to the right before its rows are in memory", async () => {
    const rows = Array.from({ length: 20_000 }, (_, i) => formatRow(i, [[0, 1], [16_383, 2]]));
    const workbook = buildWorkbook(rows);
    const quoted = buildWorkbook(rows.map((row) => row.replaceAll('"', "'").replaceAll(" ", "\n")));
    const before = Deno.memoryUsage().rss;
    const calls = [
      () => recognizeFile(workbook),
      () => load(workbook),
      () => load(quoted),
    ];
    for (const call of calls) {
      const { message } = await assertRejects(call, DataFormatError);
      assertMatch(
        message,
        /has a cell XFD\d+, so it is too large. Delete the cells far from the table, or/,
      );
    }
    assert(Deno.memoryUsage().rss - before < 500e6);
  });

  it("R4: refuses a line that is too long for a table, with a readable message", async () => {
    const line = new Uint8Array(20_000_000).fill("x".charCodeAt(0));
    const half = utf8("time,power\n");
    for (const bytes of [line, new Uint8Array([...half, ...line.subarray(0, 2_000_000)])]) {
      const { message } = await assertRejects(
        () => load(bytes),
        DataFormatError,
      );
      assertMatch(message, /a line has more than 1048576 bytes, so the file is not a table$/);
    }
    const many = utf8(`${Array.from({ length: 100_000 }, (_, i) => `c${i}`).join()}\n`);
    const { message } = await assertRejects(() => load(many), DataFormatError);
    assertMatch(message, /it has 100000 columns, but the limit is 20000$/);
    const name = utf8(`${"n".repeat(900_000)},b\n1,2\n`);
    const long = await assertRejects(() => load(name), DataFormatError);
    assert(long.message.length < 500, `${long.message.length} characters`);
  });

  it("reads the declared part of a sheet with a cell far away, and requires a range if none is declared", async () => {
    const how: ProductionFormat = { ...monthly, column: "Energy" };
    await refused(
      "stray_cell.xlsx",
      how,
      "so it is too large. Delete the cells far from the table, or give",
    );
    const frame = await read("stray_cell.xlsx", { ...how, range: "$A$1:B2" });
    assertEquals(listColumn(frame, "energy"), [412.5]);
  });

  it("reads a year a row and a month a column", async () => {
    const column = [
      "Jan",
      "Feb",
      "Mar",
      "Apr",
      "May",
      "Jun",
      "Jul",
      "Aug",
      "Sep",
      "Oct",
      "Nov",
      "Dec",
    ];
    const frame = await read("wide_months.xlsx", { ...monthly, column, time: "Year" });
    assertEquals(frame.height, 24);
    assertEquals(listColumn(frame, "energy").slice(11, 14), [112, 201, 202]);
    assertEquals(listColumn(frame, "energy").slice(21), [210, null, null]);
  });

  it("lists the names of the file if one is missing", async () => {
    await refused(
      "formulas.xlsx",
      { ...monthly, column: "Production" },
      'the columns "Month", "Production". Its columns are "Month", "Energy [MWh]", "Adjusted"',
    );
  });

  it("refuses declared fields that such a file cannot have", async () => {
    await assertRejects(
      () => read("formulas.xlsx", { ...monthly, delimiter: ";" }),
      ArgumentError,
      'it is an Excel file, so "delimiter" does not apply',
    );
  });
});

describe("readProduction() with files that are not Excel files", () => {
  let folder = "";
  beforeAll(async () => {
    folder = await Deno.makeTempDir();
  });
  afterAll(() => Deno.remove(folder, { recursive: true }));

  const load = async (bytes: Uint8Array, how: ProductionFormat = monthly) => {
    const path = `${folder}/${crypto.randomUUID()}.xlsx`;
    await Deno.writeFile(path, bytes);
    return () => readProduction(path, how);
  };

  it("says how to save an old one, or one with a password", async () => {
    const old = Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1);
    await assertRejects(await load(old), DataFormatError, "Save it as .xlsx without a password");
  });

  it("F24 refuses a bomb before unpacking any of it", async () => {
    const sheet = new Uint8Array(30_000_000).fill(32);
    const bomb = zipSync({ "xl/workbook.xml": utf8("<workbook/>"), "xl/sheet1.xml": sheet });
    await assertRejects(await load(bomb), DataFormatError, "Cannot unzip");
  });

  it("F25 refuses a truncated one, or one with a wrong byte", async () => {
    const complete = await Deno.readFile(file("formulas.xlsx"));
    await assertRejects(await load(complete.subarray(0, 3000)), DataFormatError, "Cannot unzip");
    const spoilt = complete.slice();
    const name = utf8("xl/worksheets/sheet1.xml");
    const at = spoilt.findIndex((_, i) => name.every((byte, k) => spoilt[i + k] === byte));
    spoilt[at + name.length + 40] ^= 0xff;
    await assertRejects(await load(spoilt), DataFormatError, "Cannot unzip");
  });

  it("refuses an archive without a workbook and without tables", async () => {
    const other = zipSync({ "readme.md": utf8("month,energy\n2023-05,1\n") });
    await assertRejects(await load(other), ArgumentError, "the archive has no file with a name");
  });

  it("F28 expands no entities, and fetches none", async () => {
    const type = "http://schemas.openxmlformats.org";
    const relations = `${type}/package/2006/relationships`;
    const office = `${type}/officeDocument/2006/relationships`;
    const evil = '<!DOCTYPE x [<!ENTITY a "12"><!ENTITY f SYSTEM "file:///etc/passwd">]>';
    const book = zipSync({
      "[Content_Types].xml": utf8(
        `<Types xmlns="${type}/package/2006/content-types">` +
          '<Default Extension="xml" ContentType="application/xml"/></Types>',
      ),
      "_rels/.rels": utf8(
        `<Relationships xmlns="${relations}"><Relationship Id="r1" Type="${office}/officeDocument" ` +
          'Target="xl/workbook.xml"/></Relationships>',
      ),
      "xl/workbook.xml": utf8(
        `<workbook xmlns="${type}/spreadsheetml/2006/main" xmlns:r="${office}"><sheets>` +
          '<sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>',
      ),
      "xl/_rels/workbook.xml.rels": utf8(
        `<Relationships xmlns="${relations}"><Relationship Id="r1" Type="${office}/worksheet" ` +
          'Target="worksheets/sheet1.xml"/></Relationships>',
      ),
      "xl/worksheets/sheet1.xml": utf8(
        `${evil}<worksheet xmlns="${type}/spreadsheetml/2006/main"><sheetData>` +
          '<row r="1"><c r="A1" t="inlineStr"><is><t>Month</t></is></c>' +
          '<c r="B1" t="inlineStr"><is><t>&f;</t></is></c></row></sheetData></worksheet>',
      ),
    });
    const error = await assertRejects(await load(book, { ...monthly, column: "Energy" }));
    assert(error instanceof DataFormatError);
    assert(!error.message.includes("root:"), error.message);
  });
});

describe("readProduction() with Parquet files", () => {
  const typed: ProductionFormat = {
    column: "power_mw",
    time: "timestamp",
    resolution: "hour",
    unit: "MW",
    time_zone: "Europe/Copenhagen",
  };

  it("reads stamps with a zone, whatever their unit, and NaN as missing", async () => {
    const frame = await read("hours.parquet", typed);
    assertEquals(listColumn(frame, "power"), [1500, 1250, null, null, 2000, 0]);
    assertEquals(times(frame)[2], "2023-10-29T00:00Z");
    assertEquals(String(frame.dtypes[0]), "DataType(Datetime(us,Europe/Copenhagen))");
  });

  it("reads exact decimals of databases, and texts that are stored as a dictionary", async () => {
    const how: ProductionFormat = { ...typed, column: "power", time: "time", unit: "kW" };
    const frame = await read("exact_decimals.parquet", { ...how, status: "status" });
    assertEquals(listColumn(frame, "power"), [1.5, null, 3.25]);
    assertEquals(listColumn(frame, "status"), ["run", "stop", null]);
  });

  it("refuses whole numbers that would lose digits", async () => {
    const path = await Deno.makeTempFile({ suffix: ".parquet" });
    const huge = BigInt64Array.from([2n ** 53n + 1n]) as unknown as bigint[];
    pl.DataFrame([
      pl.Series("timestamp", ["2023-05-01T00:00Z"], pl.Utf8),
      pl.Series("power_mw", huge, pl.Int64),
    ]).writeParquet(path);
    await assertRejects(() => readProduction(path, typed), DataFormatError, "beyond 2^53");
    await Deno.remove(path);
  });

  it("F36 places stamps without a zone by their order if the zone is declared", async () => {
    const how: ProductionFormat = { ...typed, column: "kwh", time: "stamp", unit: "kWh" };
    const path = await Deno.makeTempFile({ suffix: ".parquet" });
    const hours = ["00", "01", "02", "02", "03"];
    pl.DataFrame([
      pl.Series("stamp", hours.map((hour) => `2023-10-29T${hour}:00`), pl.Utf8),
      pl.Series("kwh", [10, 20, 30, 40, null], pl.Float64),
    ]).withColumn(pl.col("stamp").str.strptime(pl.Datetime("ms"), "%Y-%m-%dT%H:%M"))
      .writeParquet(path);
    const frame = await readProduction(path, how);
    assertEquals(times(frame), [
      "2023-10-28T22:00Z",
      "2023-10-28T23:00Z",
      "2023-10-29T00:00Z",
      "2023-10-29T01:00Z",
      "2023-10-29T02:00Z",
    ]);
    assertEquals(listColumn(frame, "power"), [10, 20, 30, 40, null]);
    const { time_zone: _, ...zoneless } = how;
    const problem = 'row 1, column "stamp": the timestamp has no offset';
    await assertRejects(() => readProduction(path, zoneless), DataFormatError, problem);
    await Deno.remove(path);
  });

  it("refuses a column that is missing or has no numbers, and lists the columns", async () => {
    await refused("hours.parquet", { ...typed, column: "power" }, '"timestamp", "power_mw"');
    await refused("hours.parquet", { ...typed, column: "timestamp" }, "a date is not a number");
    await refused("hours.parquet", { ...typed, time: "power_mw" }, "row 1, column");
  });

  it("refuses declared fields that such a file cannot have", async () => {
    await assertRejects(
      () => read("hours.parquet", { ...typed, header_rows: 2 }),
      ArgumentError,
      'it is a Parquet file, so "header_rows" does not apply',
    );
  });
});
