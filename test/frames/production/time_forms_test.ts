/**
 * Common forms of times: in several columns, with names of zones, counted hours, marks of the repeated hour, and as
 * ranges.
 *
 * @module
 */
import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { DataFrame } from "nodejs-polars";
import { extractEpochs } from "../../../src/frames/frame.ts";
import {
  type ProductionFormat,
  readProductionRows,
  readTextRows,
} from "../../../src/frames/production/production.ts";
import { assertFormat } from "../../../src/frames/production/production_rules.ts";
import { writeXlsx } from "hucre/xlsx";
import { listColumn, utf8 } from "../_text.ts";

const UGLY = new URL("../ugly/", import.meta.url).pathname;

type How = Partial<ProductionFormat> & Pick<ProductionFormat, "time">;

const complete = (how: How): ProductionFormat => ({
  column: "kW",
  resolution: "hour",
  unit: "kW",
  time_zone: "Europe/Berlin",
  ...how,
});

function read(text: string, how: How) {
  assertFormat("t.csv", complete(how));
  return readTextRows(utf8(text), "t.csv", complete(how), false);
}

const hours = (frame: DataFrame) =>
  [...extractEpochs(frame, "time")].map((epoch) => new Date(epoch).toISOString().slice(5, 16));

const readHours = (text: string, how: How) => hours(read(text, how).frame);

function refused(text: string, how: How): string {
  const { message } = assertThrows(() => read(text, how), Error);
  return message.replace(/^Cannot \w+ t\.csv(?: as declared)?: /, "");
}

/** Start of the first hour, number of hours, whether they follow each other, and the sum of their powers, of a file of `ugly/`. */
function readUgly(file: string, how: How): [string, number, boolean, number] {
  const { frame } = read(Deno.readTextFileSync(UGLY + file), how);
  const epochs = extractEpochs(frame, "time");
  const values = listColumn(frame, "power") as number[];
  return [
    new Date(epochs[0]).toISOString().slice(0, 13),
    epochs.length,
    epochs.every((epoch, i) => i === 0 || epoch - epochs[i - 1] === 3_600_000),
    Math.round(values.reduce((sum, one) => sum + one, 0)),
  ];
}

/** Rows of a text of a table, with values that count up. */
const build = (times: readonly string[], mark = ";") =>
  `Zeit${mark}kW\n${times.map((time, i) => `${time}${mark}${i}\n`).join("")}`;

const utcHours = (from: string, count: number) =>
  Array.from(
    { length: count },
    (_, i) => new Date(Date.parse(`${from}:00Z`) + i * 3_600_000).toISOString().slice(5, 16),
  );

describe("times in several columns", () => {
  const parts = ["Year", "Month", "Day", "Hour"];
  const how: How = { time: parts, column: "Power (kW)", time_zone: "UTC" };

  it("SI6 are joined in the order of the format", () => {
    const ymdh = { ...how, time_format: "YYYY M D H" };
    const times = readUgly("06_ymdh.csv", ymdh);
    assertEquals(times.slice(0, 3), ["2023-05-01T00", 72, true]);
    const minutes = { ...how, time: [...parts, "Minute"], time_format: "YYYY M D H m" };
    assertEquals(readUgly("06_ymdh.csv", minutes), times);
    const two = { ...ymdh, time: ["Day", "Hour"], time_format: "D H" };
    assertEquals(
      refused("Day,Hour,Power (kW)\n1,2,3\n", two),
      'time_format: "D H" is not a time format: it has no year. Give a format like "DD/MM/YYYY HH:mm", made of ' +
        "YYYY or YY (year), MM, M or MMM (month), DD or D (day), DDD (day of the year), ddd (day of the week), HH or H (hour), " +
        "hh or h with A (AM, PM), N (hour counted from midnight, up to 25), X (mark of the repeated hour), mm or m " +
        "(minute), ss or s (second), SSS (millisecond), Z (offset) and z (name of the zone); or unix, unix-ms or " +
        "excel, for numbers. Put other letters in brackets",
    );
  });

  it("SI6 may be a day of the year", () => {
    const text = "YEAR,DOY,HR,kW\n2024,59,23,1\n2024,60,0,2\n2024,366,23,3\n";
    const doy: How = { time: ["YEAR", "DOY", "HR"], time_format: "YYYY DDD H", time_zone: "UTC" };
    assertEquals(readHours(text, doy), ["02-28T23:00", "02-29T00:00", "12-31T23:00"]);
    assertEquals(
      refused(text.replaceAll("2024", "2023"), doy),
      'line 4, column "YEAR": "2023 366 23" is not a valid date and time',
    );
  });

  it("SI6 need a format, as the message says, and all parts in each row", () => {
    const text = Deno.readTextFileSync(`${UGLY}06_ymdh.csv`);
    assertEquals(
      refused(text, how),
      'time: 4 columns have parts of the time. Give "time_format", too, with the parts in this order and ' +
        'spaces between them, such as "YYYY M D H"',
    );
    assertEquals(
      refused(text.replace("2023,5,1,2,", "2023,5,,2,"), { ...how, time_format: "YYYY M D H" }),
      'line 4, column "Year": the timestamp is missing. List rows that are not periods in leave_out',
    );
  });

  it("SI6 may be a year and a month", () => {
    const months: How = { time: ["Y", "M"], column: "MWh", resolution: "month", unit: "MWh" };
    const text = "Y;M;MWh\n2023;11;5\n2023;12;6\n2024;1;7\n";
    const { time_zone: _, ...format } = complete({ ...months, time_format: "YYYY M" });
    const { frame } = readTextRows(utf8(text), "t.csv", format, false);
    assertEquals(listColumn(frame, "energy"), [5, 6, 7]);
    assertEquals(String(listColumn(frame, "month")[2]).slice(4, 15), "Jan 01 2024");
  });

  it("SI6 may be a date of Excel and a number of the hour", async () => {
    const start = Date.UTC(2023, 4, 1);
    const rows = Array.from({ length: 48 }, (_, i) => [
      new Date(start + Math.floor(i / 24) * 86_400_000),
      1 + i % 24,
      i,
    ]);
    const sheets = [{ name: "S", rows: [["Day", "HE", "kW"], ...rows] }];
    const format = complete({ time: ["Day", "HE"], stamp: "end", time_format: "DD.MM.YYYY H" });
    const { frame } = await readProductionRows(await writeXlsx({ sheets }), "t.xlsx", format);
    assertEquals(hours(frame), utcHours("2023-04-30T22", 48));
  });
});

describe("hours that are counted", () => {
  const how: How = {
    time: ["Delivery Date", "Hour Ending"],
    column: "MWh",
    unit: "MWh",
    stamp: "end",
    time_zone: "America/New_York",
  };

  it("SI6 have 24 or 25 hours a day", () => {
    const plain = { ...how, time_format: "MM/DD/YYYY H" };
    assertEquals(readUgly("05b_he24.csv", plain).slice(0, 3), ["2024-11-05T05", 72, true]);
    const text = Deno.readTextFileSync(`${UGLY}05_he25.csv`);
    assertEquals(
      refused(text, plain),
      'line 50, column "Delivery Date": "11/03/2024 25" is not a valid date and time: it has hour 25. ' +
        "If hours are counted from midnight, up to 25 on the day when clocks go back, write N in time_format instead of H or HH",
    );
    const counted = { ...how, time_format: "MM/DD/YYYY N" };
    assertEquals(readUgly("05_he25.csv", counted).slice(0, 3), ["2024-11-02T04", 73, true]);
    assertEquals(
      refused(text, { ...counted, time_zone: "UTC" }),
      'line 50, column "Delivery Date": the day has 24 hours in UTC, but hour 25 is after its end. Declare ' +
        "the time zone of the file, or number the hours of that day from midnight",
    );
  });

  it("SI6 have 23 hours a day if clocks skip one", () => {
    const rows = (day: string, count: number) =>
      Array.from({ length: count }, (_, i) => `${day} ${i + 1}`);
    const text = build([...rows("25.03.2023", 24), ...rows("26.03.2023", 23), "27.03.2023 1"]);
    const format: How = { time: "Zeit", time_format: "DD.MM.YYYY N", stamp: "end" };
    assertEquals(readHours(text, format), utcHours("2023-03-24T23", 48));
  });
});

describe("the end of an hour as its start plus its length", () => {
  const format: How = { time: "Zeit", time_format: "DD.MM.YYYY HH:mm", stamp: "end" };

  it("SI6 is recognized if clocks change, with a note", () => {
    // 02:00 to 03:00 is "03:00" twice in autumn, and missing in spring.
    const autumn = ["01", "02", "03", "03", "04"].map((hour) => `29.10.2023 ${hour}:00`);
    const { frame, notes } = read(build(autumn), format);
    assertEquals(hours(frame), utcHours("2023-10-28T22", 5));
    assertEquals(notes, [
      "If clocks change, each timestamp is read as the start of its period plus its length, such as 03:00 for 02:00 to 03:00",
    ]);
    const spring = ["01", "02", "04", "05"].map((hour) => `26.03.2023 ${hour}:00`);
    assertEquals(readHours(build(spring), format), utcHours("2023-03-25T23", 4));
    const iso = autumn.map((time) => `2023-10-29T${time.slice(11)}`);
    const plain: How = { time: "Zeit", stamp: "end" };
    assertEquals(readHours(build(iso), plain), utcHours("2023-10-28T22", 5));
    assertEquals(readHours(build(iso.reverse()), plain), utcHours("2023-10-28T22", 5));
  });

  it("SI6 is the time of the clock if that fits", () => {
    const autumn = ["01", "02", "02", "03", "04"].map((hour) => `29.10.2023 ${hour}:00`);
    const { frame, notes } = read(build(autumn), format);
    assertEquals([hours(frame), notes], [utcHours("2023-10-28T22", 5), []]);
  });

  it("SI6 is not assumed in a file without summer time", () => {
    const all = ["01", "02", "03", "04"].map((hour) => `26.03.2023 ${hour}:00`);
    assertEquals(
      refused(build(all), format).includes("2023-03-26 02:00 does not exist in Europe/Berlin"),
      true,
    );
    const fixed = { ...format, time_zone: "Etc/GMT-1" };
    assertEquals(readHours(build(all), fixed), utcHours("2023-03-25T23", 4));
  });
});

describe("marks of the repeated hour", () => {
  it("SI6 may be 2A and 2B, even for the end of the hour", () => {
    const how: How = { time: ["Datum", "von"], time_format: "DD.MM.YYYY HX:mm" };
    const times = readUgly("07_2A2B.csv", how);
    assertEquals(times.slice(0, 3), ["2023-10-28T22", 49, true]);
    const text = Deno.readTextFileSync(`${UGLY}07_2A2B.csv`);
    assertEquals(
      refused(text, { ...how, time_format: "DD.MM.YYYY HH:mm" }),
      'line 4, column "Datum": "29.10.2023 2A:00" does not have the format DD.MM.YYYY HH:mm: an hour has a mark, ' +
        "probably for a repeated hour. Write X for the mark in time_format, such as HX:mm",
    );
    assertEquals(
      refused(text, { ...how, time_zone: "Europe/Helsinki" }),
      'line 4, column "Datum": the timestamp has the mark of a repeated hour, but the clocks of Europe/Helsinki do not go ' +
        "back then. Declare the time zone of the file",
    );
    const ends = ["1", "2", "3A", "3B", "4"].map((hour) => `29.10.2023 ${hour}`);
    const end: How = { time: "Zeit", time_format: "DD.MM.YYYY HX", stamp: "end" };
    assertEquals(readHours(build(ends), end), utcHours("2023-10-28T22", 5));
  });

  it("SI6 may mark only the second pass, in any order, or in a column", () => {
    const format: How = { time: "Zeit", time_zone: "America/New_York", stamp: "end" };
    for (const mark of ["X", "*"]) {
      const ends = ["01", "02", `02${mark}`, "03"].map((hour) => `11/03/2024 ${hour}`);
      const marked = { ...format, time_format: "MM/DD/YYYY HHX" };
      assertEquals(readHours(build(ends), marked), utcHours("2024-11-03T04", 4), mark);
      assertEquals(readHours(build(ends.reverse()), marked), utcHours("2024-11-03T04", 4), mark);
    }
    const flags = "Date,Hour,DST,kW\n11/03/2024,01:00,N,1\n11/03/2024,02:00,N,2\n" +
      "11/03/2024,02:00,Y,3\n11/03/2024,03:00,N,4\n";
    const columns: How = {
      ...format,
      time: ["Date", "Hour", "DST"],
      time_format: "MM/DD/YYYY HH:mm X",
    };
    assertEquals(readHours(flags, columns), utcHours("2024-11-03T04", 4));
    assertEquals(readHours(flags.replaceAll(",N,", ",,"), columns), utcHours("2024-11-03T04", 4));
  });
});

describe("names of zones", () => {
  it("SI6 decide which of two hours a time is in", () => {
    const how: How = { time: "Zeit", time_format: "DD.MM.YYYY HH:mm z" };
    assertEquals(readUgly("22_mesz.csv", how), ["2023-10-28T22", 30, true, 30_435]);
    const text = Deno.readTextFileSync(`${UGLY}22_mesz.csv`);
    assertEquals(
      refused(text, { ...how, time_format: "DD.MM.YYYY HH:mm" }),
      'line 2, column "Zeit": "29.10.2023 00:00 MESZ" does not have the format DD.MM.YYYY HH:mm: it ends with "MESZ". ' +
        "For the name of a zone or a word for summer time, write z at the end of time_format",
    );
    assertEquals(
      refused(text, { ...how, time_zone: "Europe/Helsinki" }),
      'line 2, column "Zeit": "MESZ" is UTC+2, but the clock of Europe/Helsinki is UTC+3 at that time. Declare ' +
        'the time_zone that fits all of these names, such as "Etc/GMT-2" if all rows have that name',
    );
    // One of two hours, which the order of the rows does not show.
    const one = text.replace(/29.10.2023 02:00 MESZ.*\n/, "");
    const [first, ...others] = utcHours("2023-10-28T22", 30);
    assertEquals(readHours(one, how), [first, others[0], ...others.slice(2)]);
  });

  it("SI6 may be any words that differ by summer time", () => {
    const halifax: How = {
      time: "t",
      time_zone: "America/Halifax",
      time_format: "YYYYMMDDHHmmssz",
    };
    assertEquals(readUgly("26_suffix.csv", halifax).slice(0, 3), ["2017-11-04T15", 50, true]);
    const letter = { ...halifax, time_format: "YYYYMMDDHHmmss[A]z" };
    assertEquals(readUgly("26_suffix.csv", letter).slice(0, 3), ["2017-11-04T15", 50, true]);
    for (const [summer, winter] of [["S", "W"], ["1", "0"], ["Sommer", ""], ["CEST", "CET"]]) {
      const times = [["00", summer], ["01", summer], ["02", summer], ["02", winter], [
        "03",
        winter,
      ]];
      const text = `Tag;kW;DST\n${
        times.map(([hour, name], i) => `29.10.2023 ${hour}:00;${i};${name}\n`).join("")
      }`;
      const how: How = { time: ["Tag", "DST"], time_format: "DD.MM.YYYY HH:mm z" };
      assertEquals(readHours(text, how), utcHours("2023-10-28T22", 5), summer);
      assertEquals(readHours(text.replace(/.*02:00;2;.*\n/, ""), how).length, 4);
    }
  });

  it("SI6 that do not change with the clock go in brackets", () => {
    const text = build(["2023-01-01 00:00 Z1", "2023-07-01 00:00 Z1"]);
    const how: How = { time: "Zeit", time_format: "YYYY-MM-DD HH:mm [Z]z" };
    const word = text.replaceAll("Z1", "lokal");
    assertEquals(
      refused(word, { ...how, time_format: "YYYY-MM-DD HH:mm z" }),
      'line 3, column "Zeit": "lokal" is UTC+1 in rows above, but UTC+2 here, by the clock of Europe/Berlin. If all ' +
        "rows have this name, put it in brackets in time_format, such as [lokal]. If the name marks the repeated hour, declare it as X",
    );
    const brackets = { ...how, time_format: "YYYY-MM-DD HH:mm [lokal]" };
    assertEquals(readHours(word, brackets), ["12-31T23:00", "06-30T22:00"]);
  });
});

describe("AM and PM", () => {
  it("SI6 may be a.m. and p. m.", () => {
    const how: How = { time: "Zeit", time_format: "D/M/YYYY h:mm A", time_zone: "UTC" };
    const times = [
      "1/5/2023 12:00 a.m.",
      "1/5/2023 1:00 AM",
      "1/5/2023 12:00 p. m.",
      "1/5/2023 1:00 pm",
    ];
    const hours = ["00", "01", "12", "13"].map((hour) => `05-01T${hour}:00`);
    assertEquals(readHours(build(times), how), hours);
  });
});

describe("ranges", () => {
  const ranges = ["00", "01", "02", "03"].map((hour, i) =>
    `01.01.2023 ${hour}:00 - 01.01.2023 0${i + 1}:00`
  );

  it("SI6 have a start and an end", () => {
    const how: How = { time: "Zeit", time_format: "DD.MM.YYYY HH:mm" };
    assertEquals(
      refused(build(ranges), how),
      'line 2, column "Zeit": "01.01.2023 00:00 - 01.01.2023 01:00" does not have the format DD.MM.YYYY HH:mm: it has ' +
        'a start and an end. Write both in time_format, such as "DD.MM.YYYY HH:mm - DD.MM.YYYY HH:mm"',
    );
    const fullRange = { ...how, time_format: "DD.MM.YYYY HH:mm - DD.MM.YYYY HH:mm" };
    assertEquals(readHours(build(ranges), fullRange), utcHours("2022-12-31T23", 4));
    const clocks = ["22:00-23:00", "23:00-00:00"].map((clock) => `01.01.2023 ${clock}`);
    const short = { ...how, time_format: "DD.MM.YYYY HH:mm-HH:mm" };
    assertEquals(readHours(build(clocks), short), utcHours("2023-01-01T21", 2));
    assertEquals(
      refused(build(["01.01.2023 05:00 - 01.01.2023 03:00"]), fullRange),
      'line 2, column "Zeit": "01.01.2023 05:00 - 01.01.2023 03:00" does not end after its start',
    );
  });

  it("SI6 may repeat the hour of the autumn, also with the names of zones", () => {
    const autumn = [["01", "02", "CEST"], ["02", "02", "CEST"], ["02", "03", "CET"], [
      "03",
      "04",
      "CET",
    ]];
    const plain = autumn.map(([from, to]) => `29.10.2023 ${from}:00 - 29.10.2023 ${to}:00`);
    const how: How = { time: "Zeit", time_format: "DD.MM.YYYY HH:mm - DD.MM.YYYY HH:mm" };
    assertEquals(readHours(build(plain), how), utcHours("2023-10-28T23", 4));
    const zoned = autumn.map(([from, to, zone]) =>
      `29/10/2023 ${from}:00:00 (${zone}) - 29/10/2023 ${to}:00:00 (${zone})`
    );
    const zones = { ...how, time_format: "DD/MM/YYYY HH:mm:ss z - DD/MM/YYYY HH:mm:ss z" };
    assertEquals(readHours(build(zoned), zones), utcHours("2023-10-28T23", 4));
  });

  it("SI6 may be intervals of ISO 8601", () => {
    const text = build([
      "2023-01-01T00:00Z/2023-01-01T01:00Z",
      "2023-01-01T01:00Z/2023-01-01T02:00Z",
    ]);
    const how: How = { time: "Zeit", time_format: "YYYY-MM-DD[T]HH:mmZ/YYYY-MM-DD[T]HH:mmZ" };
    assertEquals(readHours(text, how), utcHours("2023-01-01T00", 2));
  });
});
