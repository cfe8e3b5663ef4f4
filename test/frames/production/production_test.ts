import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { ArgumentError, DataFormatError } from "../../../src/api/errors.ts";
import { type ProductionFormat, readTextRows } from "../../../src/frames/production/production.ts";
import { parseProductionText } from "./_production_text.ts";
import { readProduction } from "../../../src/frames/presets/read_production.ts";
import { listColumn, utf8 } from "../_text.ts";

const hourly: ProductionFormat = {
  column: "power",
  time: "time",
  resolution: "hour",
  unit: "kW",
  time_zone: "UTC",
};
const monthly: ProductionFormat = { ...hourly, resolution: "month", unit: "MWh", column: "energy" };
const annual: ProductionFormat = { ...monthly, resolution: "year" };

const read = (text: string, how: ProductionFormat) =>
  parseProductionText(utf8(text), "park.csv", how);

/** Stamps of a frame, in ISO 8601 to the minute. */
const stamps = (text: string, how: ProductionFormat) =>
  listColumn(read(text, how), "time").map((stamp) =>
    (stamp as Date).toISOString().slice(0, 16) + "Z"
  );

const refused = (text: string, how: ProductionFormat, message: string) =>
  assertThrows(() => read(text, how), DataFormatError, message);

describe("readProduction()", () => {
  let folder = "";
  beforeAll(async () => {
    folder = await Deno.makeTempDir();
    await Deno.writeTextFile(`${folder}/park.csv`, "time;power\n2023-05-01T00:00Z;1500\n");
  });
  afterAll(() => Deno.remove(folder, { recursive: true }));

  it("reads a file by its path or address", async () => {
    for (const file of [`${folder}/park.csv`, new URL(`file://${folder}/park.csv`)]) {
      const frame = await readProduction(file, hourly);
      assertEquals(listColumn(frame, "power"), [1500]);
    }
  });

  it("shows itself in a notebook with its units", async () => {
    const frame = await readProduction(`${folder}/park.csv`, hourly);
    const display = (frame as unknown as Record<symbol, () => Promise<Record<string, string>>>)[
      Symbol.for("Jupyter.display")
    ];
    const output = await display();
    assertEquals(output["text/html"].includes("kW"), true);
  });

  it("fails if the file is missing", async () => {
    await assertRejects(
      () => readProduction(`${folder}/none.csv`, hourly),
      ArgumentError,
      "none.csv: the file does not exist",
    );
  });
});

describe("parseProductionText() hours", () => {
  it("gives time and power in kW, missing values as null", () => {
    const frame = read("time,power\n2023-05-01T00:00,1500\n2023-05-01T01:00,\n", hourly);
    assertEquals(frame.columns, ["time", "power"]);
    assertEquals(frame.dtypes.map(String), ["DataType(Datetime(us,UTC))", "DataType(Float64)"]);
    assertEquals(listColumn(frame, "power"), [1500, null]);
  });

  it("reads kW, kWh in the hour and MWh in the hour", () => {
    const text = "time,power\n2023-05-01T00:00,1.5\n2023-05-01T01:00,\n";
    const powers = (["kW", "kWh", "MWh"] as const)
      .map((unit) => listColumn(read(text, { ...hourly, unit }), "power"));
    assertEquals(powers, [[1.5, null], [1.5, null], [1500, null]]);
  });

  it("moves stamps at the end of the hour to its start", () => {
    const text = "time,power\n2023-01-01T01:00,5\n2023-01-01T02:00,6\n";
    assertEquals(stamps(text, { ...hourly, stamp: "end" }), [
      "2023-01-01T00:00Z",
      "2023-01-01T01:00Z",
    ]);
    assertEquals(stamps(text, { ...hourly, stamp: "start" })[0], "2023-01-01T01:00Z");
  });

  it("F36 reads local stamps over both changes of the clocks, and keeps the zone", () => {
    const how: ProductionFormat = { ...hourly, time_zone: "Europe/Copenhagen" };
    const autumn = "time,power\n2023-10-29 01:00,1\n2023-10-29 02:00,2\n2023-10-29 02:00,3\n" +
      "2023-10-29 03:00,4\n";
    assertEquals(stamps(autumn, how), [
      "2023-10-28T23:00Z",
      "2023-10-29T00:00Z",
      "2023-10-29T01:00Z",
      "2023-10-29T02:00Z",
    ]);
    const spring = "time,power\n2023-03-26 01:00,1\n2023-03-26 03:00,2\n";
    assertEquals(stamps(spring, how), ["2023-03-26T00:00Z", "2023-03-26T01:00Z"]);
    assertEquals(
      String(read(spring, how).dtypes[0]),
      "DataType(Datetime(us,Europe/Copenhagen))",
    );
  });

  it("F36 reads local stamps at the end of the hour over the change of the clocks", () => {
    // The hours that end when the clocks show 02:00 in summer and 02:00 in winter time.
    const text = "time,power\n2023-10-29 01:00,1\n2023-10-29 02:00,2\n2023-10-29 02:00,3\n" +
      "2023-10-29 03:00,4\n";
    assertEquals(stamps(text, { ...hourly, time_zone: "Europe/Copenhagen", stamp: "end" }), [
      "2023-10-28T22:00Z",
      "2023-10-28T23:00Z",
      "2023-10-29T00:00Z",
      "2023-10-29T01:00Z",
    ]);
  });

  it("F36 reads hours on the clock of a half-hour zone", () => {
    // Every hour of Kolkata begins at half past an hour of UTC: that is not a ten-minute series.
    const text = "time,power\n2023-05-01T00:00,1\n2023-05-01T01:00,2\n2023-05-01T02:00,3\n";
    const times = stamps(text, { ...hourly, time_zone: "Asia/Kolkata" });
    assertEquals(times[0], "2023-04-30T18:30Z");
  });

  it("F38 refuses stamps at half past in a zone of whole hours: they may name the middle", () => {
    const text = "time,power\n2023-05-01T00:30,1\n2023-05-01T01:30,2\n";
    for (const time_zone of ["UTC", "Europe/Copenhagen"]) {
      refused(text, { ...hourly, time_zone: time_zone }, "line 2: ");
    }
    // There, such stamps are whole hours of UTC.
    assertEquals(stamps(text, { ...hourly, time_zone: "Asia/Kolkata" })[0], "2023-04-30T19:00Z");
  });

  it("does not fill gaps", () => {
    const text = "time,power\n2023-05-01T00:00,1\n2023-05-01T05:00,2\n";
    assertEquals(stamps(text, hourly), ["2023-05-01T00:00Z", "2023-05-01T05:00Z"]);
  });

  it("F38 refuses duplicate, unsorted and ten-minute stamps, by line", () => {
    const rows = (...times: string[]) =>
      "Park A\ntime,power\n" + times.map((time) => `2023-05-01T${time},1\n`).join("");
    refused(
      rows("00:00", "01:00", "01:00"),
      hourly,
      "Cannot use park.csv: line 5: 2023-05-01T01:00Z is duplicated. Remove one of the rows",
    );
    refused(
      rows("00:00", "02:00", "01:00"),
      hourly,
      "Cannot use park.csv: line 5: 2023-05-01T01:00Z comes after 2023-05-01T02:00Z",
    );
    refused(
      rows("00:00", "00:10"),
      hourly,
      "Cannot use park.csv: line 4: 2023-05-01T00:10Z is not",
    );
  });

  it("F32 refuses text for power, by line and column", () => {
    refused(
      "time,power\n2023-05-01T00:00,1\n2023-05-01T01:00,stop\n",
      hourly,
      'Cannot read park.csv: line 3, column "power": "stop" is not a number',
    );
  });

  it("refuses a file without the named columns, and one without rows", () => {
    refused("stamp,power\n2023-05-01,1\n", hourly, 'has the columns "time", "power"');
    refused("time,power\n", hourly, "Cannot use park.csv: it has no rows");
  });

  it("F36 requires the zone of stamps without offset", () => {
    const { time_zone: _, ...silent } = hourly;
    refused("time,power\n2023-05-01T00:00,1\n", silent, "has no offset from UTC");
    assertEquals(stamps("time,power\n2023-05-01T02:00+02:00,1\n", silent), ["2023-05-01T00:00Z"]);
  });

  it("reads only the two named columns, whatever their names", () => {
    const text = "id,Datum,Leistung\n1,2023-05-01T00:00,7\n";
    const frame = read(text, { ...hourly, time: "Datum", column: "Leistung" });
    assertEquals([frame.columns, listColumn(frame, "power")], [["time", "power"], [7]]);
  });
});

describe("parseProductionText() months and years", () => {
  it("gives the first day of each month and MWh, missing values as null", () => {
    const frame = read("time;energy\n2023-01;412.5\n2023-02;\n2023-04;300\n", monthly);
    assertEquals(frame.columns, ["month", "energy"]);
    assertEquals(frame.dtypes.map(String), ["DataType(Date)", "DataType(Float64)"]);
    assertEquals(listColumn(frame, "month"), [
      new Date("2023-01-01"),
      new Date("2023-02-01"),
      new Date("2023-04-01"),
    ]);
    assertEquals(listColumn(frame, "energy"), [412.5, null, 300]);
  });

  it("gives years as whole numbers", () => {
    const frame = read("time;energy\n2005;629966.425\n2006;\n", annual);
    assertEquals(frame.dtypes.map(String), ["DataType(Int32)", "DataType(Float64)"]);
    assertEquals(listColumn(frame, "year"), [2005, 2006]);
    assertEquals(listColumn(frame, "energy"), [629_966.425, null]);
  });

  it("turns kWh into MWh", () => {
    const frame = read("time;energy\n2023-01;412500\n", { ...monthly, unit: "kWh" });
    assertEquals(listColumn(frame, "energy"), [412.5]);
  });

  it("F33 keeps the types if there is only a header", () => {
    const frame = read("time;energy\n", monthly);
    assertEquals([frame.height, frame.dtypes.map(String)], [0, [
      "DataType(Date)",
      "DataType(Float64)",
    ]]);
  });

  it("F38 refuses duplicate and unsorted months, by line and column", () => {
    refused(
      "time;energy\n2023-01;1\n2023-01;2\n",
      monthly,
      'Cannot read park.csv: line 3, column "time": 2023-01 is duplicated. Remove one',
    );
    refused(
      "time;energy\n2023-02;1\n2023-01;2\n2023-03;2\n",
      monthly,
      'line 3, column "time": 2023-01 comes after 2023-02. Sort the rows by time',
    );
  });

  it("U3: reads rows from the newest to the oldest, and days that have their date once", () => {
    const newest = "time;energy\n2023-03;3\n2023-02;2\n2023-01;1\n";
    assertEquals(listColumn(read(newest, monthly), "energy"), [1, 2, 3]);
    const hours = "time,power\n2023-05-01T02:00,3\n2023-05-01T01:00,2\n2023-05-01T00:00,1\n";
    const rows = readTextRows(utf8(hours), "park.csv", hourly, false);
    assertEquals(listColumn(rows.frame, "power"), [1, 2, 3]);
    assertEquals(rows.notes, ["The newest row comes first, so the rows are read in reverse"]);
    assertEquals(rows.place(0), 'line 4, column "power"');
    const once = "day;clock;power\n01.05.23;01:00;1\n;24:00;2\n02.05.23;01:00;3\n";
    const day = readTextRows(
      utf8(once),
      "park.csv",
      { ...hourly, time: ["day", "clock"], time_format: "DD.MM.YY HH:mm" },
      false,
    );
    assertEquals(listColumn(day.frame, "power"), [1, 2, 3]);
    assertEquals(day.notes, [
      "1 rows have a time of day but no date; they get the date of the row above",
    ]);
  });

  it("F37 refuses invalid months and years, by line and column", () => {
    for (
      const text of ["2023-00", "2023-13", "2023-1", "23-01", "2023", "2023-01-01", "Jan 2023"]
    ) {
      refused(
        `time;energy\n2022-12;1\n${text};2\n`,
        monthly,
        `line 3, column "time": "${text}" does not have the format "2023-05"`,
      );
    }
    for (const text of ["23", "2023-01", "2023.0"]) {
      refused(
        `time;energy\n${text};2\n`,
        annual,
        `line 2, column "time": "${text}" does not have the form`,
      );
    }
    refused("time;energy\n;2\n", monthly, 'line 2, column "time": the month is missing');
  });
});

describe("parseProductionText() refuses contradictions", () => {
  const reject = (how: Partial<ProductionFormat>, message: string) =>
    assertThrows(
      () => read("time,power\n2023-05-01T00:00,1\n", { ...hourly, ...how }),
      ArgumentError,
      message,
    );

  it("kW for months and years", () => {
    reject(
      { resolution: "month" },
      "the unit of a month's production is an energy, not kW. Use kWh",
    );
    reject({ resolution: "year" }, "the unit of a year's production is an energy, not kW. Use kWh");
  });

  it("F36 an invalid zone", () => {
    reject({ time_zone: "GMT+1" }, 'time_zone: "GMT+1" is not an IANA time zone. Give "Etc/GMT-1"');
    reject({ time_zone: "+10:00" }, 'Give "Etc/GMT-10"');
    reject({ time_zone: "CET" }, 'Give a name like "Europe/Copenhagen"');
  });

  // Notebooks are not type-checked, so any value is possible.
  it("an unknown unit, which would be read as kW", () => {
    reject({ unit: "TWh" as "MWh" }, "TWh");
    reject({ unit: undefined as unknown as "MWh" }, "unit");
  });

  it("an unknown resolution", () => {
    reject({ resolution: "week" as "hour", unit: "MWh" }, "week");
  });

  it("an unknown stamp, which would be read as the start", () => {
    reject({ stamp: "middle" as "end" }, "middle");
  });
});
