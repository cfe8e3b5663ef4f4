/**
 * Production as control rooms, meters and utilities export it: files that fit their declaration are read, others are
 * refused by line and column.
 *
 * @module
 */
import type { DataFrame } from "nodejs-polars";
import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ArgumentError, DataFormatError } from "../../../src/api/errors.ts";
import type { ProductionFormat } from "../../../src/frames/production/production.ts";
import { parseProductionText } from "./_production_text.ts";
import { displayOf } from "../../../src/show/check_frame.ts";
import { randomNumbers } from "../_random.ts";
import { latin1, listColumn, utf8 } from "../_text.ts";

const tenMinutes: ProductionFormat = {
  column: "Leistung",
  time: "Zeit",
  time_format: "DD.MM.YYYY HH:mm",
  time_zone: "UTC",
  resolution: "10min",
  unit: "kW",
  decimal: ",",
};
const hours: ProductionFormat = { ...tenMinutes, resolution: "hour" };
const months: ProductionFormat = {
  column: "Energie",
  time: "Monat",
  time_format: "MM.YYYY",
  resolution: "month",
  unit: "MWh",
  decimal: ",",
};

const toBytes = (text: string | Uint8Array) => typeof text === "string" ? utf8(text) : text;
const read = (text: string | Uint8Array, how: ProductionFormat) =>
  parseProductionText(toBytes(text), "park.csv", how);
const powers = (text: string | Uint8Array, how: ProductionFormat) =>
  listColumn(read(text, how), "power");
const energies = (text: string, how: ProductionFormat) => listColumn(read(text, how), "energy");
const times = (frame: DataFrame) =>
  (listColumn(frame, "time") as Date[]).map((time) => time.toISOString().slice(0, 16) + "Z");
const refused = (text: string | Uint8Array, how: ProductionFormat, message: string) =>
  assertThrows(() => read(text, how), DataFormatError, message);
const rejected = (how: ProductionFormat, message: string) =>
  assertThrows(() => read("Zeit;Leistung\n", how), ArgumentError, message);

describe("parseProductionText() with declared numbers", () => {
  const row = (value: string) => `Zeit;Leistung\n01.05.2023 00:00;${value}\n`;

  it("F31 reads decimal commas and thousands in quotes and with spaces of any width", () => {
    const how = (thousands: ".") => ({ ...tenMinutes, thousands });
    assertEquals(powers(row("1.234,5"), how(".")), [1234.5]);
    assertEquals(powers(row('"1.234.567,5"'), how(".")), [1234567.5]);
    for (const space of [" ", "\u00a0", "\u202f"]) {
      assertEquals(powers(row(`1${space}234,5`), { ...tenMinutes, thousands: " " }), [1234.5]);
    }
    const english: ProductionFormat = { ...tenMinutes, decimal: ".", thousands: "," };
    const quoted = 'Zeit,Leistung\n01.05.2023 00:00,"1,234.5"\n';
    assertEquals(powers(quoted, english), [1234.5]);
    assertEquals(powers(row("1’234.5"), { ...english, thousands: "'" }), [1234.5]);
  });

  it("F31 reads a comma as declared if the file does not show its meaning", () => {
    assertEquals(powers(row("1,234"), tenMinutes), [1.234]);
    assertEquals(powers(row("1,234"), { ...tenMinutes, decimal: ".", thousands: "," }), [1234]);
    const { decimal: _, ...undeclared } = tenMinutes;
    refused(row("1,234"), undeclared, '"1,234" may be 1.234 or 1234');
    assertEquals(powers(row("1,25"), undeclared), [1.25]);
  });

  it("F31 refuses a point that may group thousands", () => {
    const { decimal: _, time_format: __, ...undeclared } = tenMinutes;
    const iso = (...values: string[]) =>
      "Zeit;Leistung\n" + values.map((value, i) => `2023-05-01T00:${i}0Z;${value}\n`).join("");
    // 1840, 950 and 2014 kW, as a German control room writes them; and both ways of reading them.
    for (const how of [undeclared, { ...undeclared, header_rows: 1 as const }]) {
      refused(iso("1.840", "950", "2.014"), how, '"1.840" may be 1.840 or 1840');
      assertEquals(powers(iso("1.840", "0.950"), how), [1.84, 0.95]);
      assertEquals(powers(iso("1.840", "950.5"), how), [1.84, 950.5]);
      const commas = iso("1.840", "2.014").replaceAll(";", ",");
      assertEquals(powers(commas, how), [1.84, 2.014]);
    }
    const german = { ...undeclared, decimal: ",", thousands: "." } as const;
    assertEquals(powers(iso("1.840", "950", "2.014"), german), [1840, 950, 2014]);
    assertEquals(powers(iso("1.840"), { ...undeclared, decimal: "." }), [1.84]);
  });

  it("F31 refuses marks that are not declared, and groups that are not of three digits", () => {
    refused(
      row("1.234,5"),
      tenMinutes,
      'Cannot read park.csv: line 2, column "Leistung": "1.234,5" is not a number: the declared ' +
        'decimal mark is "," and the thousands mark is none',
    );
    refused(row("12.34,5"), { ...tenMinutes, thousands: "." }, '"12.34,5" is not a number');
    refused(row("1.5"), { ...tenMinutes, thousands: "." }, '"1.5" is not a number');
    refused(row("1 234"), tenMinutes, '"1 234" is not a number');
  });

  it("F33 reads the declared texts and numbers as missing, and no others", () => {
    const how: ProductionFormat = { ...tenMinutes, null_values: ["Bad", -999, "k.A."] };
    const text = "Zeit;Leistung\n01.05.2023 00:00;Bad\n01.05.2023 00:10;-999,0\n" +
      "01.05.2023 00:20;k.A.\n01.05.2023 00:30;\n01.05.2023 00:40;-\n01.05.2023 00:50;0\n";
    assertEquals(powers(text, how), [null, null, null, null, null, 0]);
    refused(text, tenMinutes, '"Bad" is not a number. Add it to null_values if it means missing');
    assertEquals(powers(row("-999"), tenMinutes), [-999]);
  });

  it("converts to kW and MWh", () => {
    // In ten minutes 1 kWh is a mean of 6 kW; in an hour of 1 kW.
    const units = ["kW", "MW", "kWh", "MWh"] as const;
    assertEquals(units.map((unit) => powers(row("1,5"), { ...tenMinutes, unit })[0]), [
      1.5,
      1500,
      9,
      9000,
    ]);
    assertEquals(units.map((unit) => powers(row("1,5"), { ...hours, unit })[0]), [
      1.5,
      1500,
      1.5,
      1500,
    ]);
    const month = "Monat;Energie\n05.2023;1500\n";
    assertEquals(energies(month, { ...months, unit: "kWh" }), [1.5]);
    assertEquals(energies(month, months), [1500]);
  });

  it("recognizes a unit in a name in brackets anywhere, or at its end, in any case", () => {
    const withName = (name: string) => `Zeit;${name}\n01.05.2023 00:00;1\n`;
    const how = (column: string): ProductionFormat => ({ ...tenMinutes, column });
    for (const name of ["Power MW", "power_mw", "P [MW] mean", "P, MW", "Power [mw]"]) {
      refused(withName(name), how(name), `column "${name}" says M`.slice(0, -1));
    }
    for (const name of ["P [KW]", "WTG 2 MW", "Leistung"]) {
      assertEquals(powers(withName(name), how(name)), [1]);
    }
  });

  it("refuses hours declared as ten minutes, because energy would count six times", () => {
    const text = "Zeit;Leistung\n01.05.2023 00:00;1\n01.05.2023 01:00;2\n01.05.2023 03:00;3\n";
    refused(
      text,
      tenMinutes,
      'line 3, column "Zeit": 2023-05-01T01:00Z is not one step after the row before: the rows are 60 minutes ' +
        'apart. Declare resolution "hour"',
    );
    assertEquals(powers(text, hours), [1, 2, 3]);
    const gaps = text + "01.05.2023 03:10;4\n";
    assertEquals(powers(gaps, tenMinutes), [1, 2, 3, 4]);
  });

  it("refuses one column for two turbines or two months, a slip that figures do not show", () => {
    const text = "Zeit;WTG 3 (kW);WTG 4 (kW)\n01.05.2023 00:00;1;2\n";
    for (const [T3, T4] of [["WTG 3 (kW)", "WTG 3 (kW)"], ["WTG 3", "wtg_3"]]) {
      const how = { ...tenMinutes, column: { T3, T4 } };
      refused(text, how, 'column "WTG 3 (kW)" is declared twice');
    }
  });

  it("refuses a unit that contradicts the name of its column", () => {
    for (const name of ["Leistung [MW]", "Leistung (MW)", "WTG 03 / MW"]) {
      refused(
        `Zeit;${name}\n01.05.2023 00:00;1\n`,
        { ...tenMinutes, column: name },
        `column "${name}" says MW, but its unit is declared as kW`,
      );
    }
    // Even if the name was found in another spelling.
    const plain: ProductionFormat = {
      column: "energy",
      time: "month",
      resolution: "month",
      unit: "MWh",
    };
    refused("month;Energy [kWh]\n2023-05;5\n", plain, 'column "Energy [kWh]" says kWh');
    refused("month;Energy [kWh]\n2023-05;5\n", { ...plain, decimal: "." }, "says kWh");
  });
});

describe("parseProductionText() with declared times", () => {
  const at = (text: string, time_format: string, more: Partial<ProductionFormat> = {}) =>
    times(read(`Zeit;Leistung\n${text};1\n`, { ...hours, time_format: time_format, ...more }))[0];

  it("reads the forms of exports", () => {
    assertEquals(at("31.12.2023 23:00", "DD.MM.YYYY HH:mm"), "2023-12-31T23:00Z");
    assertEquals(at("1.5.2023 7:00", "D.M.YYYY H:mm"), "2023-05-01T07:00Z");
    assertEquals(at("31-Dec-2023 23:00:00", "DD-MMM-YYYY HH:mm:ss"), "2023-12-31T23:00Z");
    assertEquals(at("12/31/2023 11:00 PM", "MM/DD/YYYY hh:mm A"), "2023-12-31T23:00Z");
    assertEquals(at("12/31/2023 12:00 AM", "MM/DD/YYYY hh:mm A"), "2023-12-31T00:00Z");
    assertEquals(at("20231231T2300", "YYYYMMDD[T]HHmm"), "2023-12-31T23:00Z");
    assertEquals(at("31.12.23 23:00", "DD.MM.YY HH:mm"), "2023-12-31T23:00Z");
    assertEquals(at("2023-12-31 23:00:00.000", "YYYY-MM-DD HH:mm:ss.SSS"), "2023-12-31T23:00Z");
    const offset = { time_zone: "Europe/Copenhagen" };
    assertEquals(at("31.12.2023 23:00 -0200", "DD.MM.YYYY HH:mm Z", offset), "2024-01-01T01:00Z");
  });

  it("reads 24:00 as the end of the day, as meters write it", () => {
    assertEquals(at("31.12.2023 24:00", "DD.MM.YYYY HH:mm"), "2024-01-01T00:00Z");
    refused(
      "Zeit;Leistung\n31.12.2023 24:10;1\n",
      tenMinutes,
      '"31.12.2023 24:10" is not a valid date and time',
    );
  });

  it("reads date and time of day from two columns, stamped at the end", () => {
    const text = "Datum;Zeit;Leistung\n30.04.2023;24:00;1\n01.05.2023;01:00;2\n";
    const frame = read(text, { ...hours, time: ["Datum", "Zeit"], stamp: "end" });
    assertEquals(times(frame), ["2023-04-30T23:00Z", "2023-05-01T00:00Z"]);
  });

  it("F37 refuses invalid days and hours, and other forms, by line", () => {
    const cases = [
      ["29.02.2023 00:00", "is not a valid date and time"],
      ["01.13.2023 00:00", "is not a valid date and time"],
      ["01.05.2023 25:00", "is not a valid date and time"],
      ["01.05.2023", "does not have the format DD.MM.YYYY HH:mm"],
      ["2023-05-01 00:00", "does not have the format DD.MM.YYYY HH:mm"],
      ["", "the timestamp is missing"],
    ];
    for (const [text, message] of cases) {
      refused(`Zeit;Leistung\n${text};1\n`, hours, `line 2, column "Zeit": `);
      refused(`Zeit;Leistung\n${text};1\n`, hours, message);
    }
  });

  it("F36 places both passes of a repeated hour by their order", () => {
    const zone = { ...tenMinutes, time_zone: "Europe/Berlin" };
    const clock = ["01:50", "02:00", "02:10", "02:20", "02:30", "02:40", "02:50"];
    const text = "Zeit;Leistung\n" +
      [...clock, ...clock.slice(1), "03:00"].map((at, i) => `29.10.2023 ${at};${i}\n`).join("");
    const frame = read(text, zone);
    assertEquals(times(frame)[0], "2023-10-28T23:50Z");
    assertEquals(times(frame)[13], "2023-10-29T02:00Z");
    assertEquals(new Set(times(frame)).size, 14);
    assertEquals(
      times(read(text, { ...zone, stamp: "end" })).slice(0, 2),
      ["2023-10-28T23:40Z", "2023-10-28T23:50Z"],
    );
  });

  it("F36 refuses a stamp that may be of either pass, and one that the clock skips", () => {
    const zone = { ...hours, time_zone: "Europe/Berlin" };
    refused(
      "Zeit;Leistung\n29.10.2023 01:00;1\n29.10.2023 02:00;2\n29.10.2023 03:00;3\n",
      zone,
      'line 3, column "Zeit": 2023-10-29 02:00 may be either of two hours',
    );
    refused("Zeit;Leistung\n26.03.2023 02:00;1\n", zone, "line 2");
  });

  it("S15: says that clocks repeat a doubled hour, if the zone does not", () => {
    const text = "Zeit;Leistung\n26.10.2014 01:00;1\n26.10.2014 02:00;2\n26.10.2014 02:00;\n";
    const how = { ...hours, stamp: "start", time_zone: "Etc/GMT-1" } as const;
    refused(
      text,
      how,
      "2014-10-26T01:00Z is duplicated. The clocks of Europe/Paris repeat that hour, so the times are probably local. " +
        'Declare time_zone "Europe/Paris", or the zone of the place',
    );
    const paris = { ...how, time_zone: "Europe/Paris" };
    assertEquals(powers(text + "26.10.2014 03:00;4\n", paris), [1, 2, null, 4]);
    refused(text.replaceAll("26.10", "25.10"), how, "is duplicated. Remove one of the rows");
  });

  it("F36 requires a zone for stamps without offset", () => {
    const { time_zone: _, ...zoneless } = hours;
    refused("Zeit;Leistung\n01.05.2023 00:00;1\n", zoneless, "Give its time zone");
  });

  it("F38 refuses stamps that are unsorted, duplicated or between ten minutes, by line", () => {
    const text = (...clocks: string[]) =>
      "Zeit;Leistung\n" + clocks.map((clock) => `01.05.2023 ${clock};1\n`).join("");
    refused(text("00:00", "00:10", "00:10"), tenMinutes, 'line 4, column "Zeit"');
    refused(text("00:10", "00:00", "00:20"), tenMinutes, "Sort the rows by time");
    refused(text("00:00", "00:15"), tenMinutes, "00:15Z is not a whole ten minutes");
    refused(text("00:00", "00:10"), hours, "00:10Z is not a whole hour");
    assertEquals(powers(text("00:00", "03:10"), tenMinutes), [1, 1]);
  });

  it("reads ten minutes of a plain table as well, on the clock of a zone with 45 minutes", () => {
    const text = "time,power\n2023-05-01T00:00,1\n2023-05-01T00:10,2\n";
    const how: ProductionFormat = {
      column: "power",
      time: "time",
      resolution: "10min",
      unit: "kWh",
      time_zone: "Asia/Kathmandu",
    };
    assertEquals(powers(text, how), [6, 12]);
    assertEquals(times(read(text, how))[0], "2023-04-30T18:15Z");
    refused(text.replace("00:10", "00:12"), how, "line 3");
  });
});

describe("parseProductionText() with exported tables", () => {
  const merged = "Park Nord;;;;\nExport;02.11.2023;;;\n" +
    "Zeit;WTG 03;;WTG 04;\n;Leistung;Status;Leistung;Status\n;kW;;kW;\n" +
    "01.05.2023 00:00;1.840,5;Run;1.902,0;Run\n" +
    "01.05.2023 00:10;;Stop;1.850,0;\n" +
    "Summe;1.840,5;;3.752,0;\n";
  const sideBySide: ProductionFormat = {
    ...tenMinutes,
    column: { T3: "WTG 03 / Leistung / kW", T4: "WTG 04 / Leistung / kW" },
    status: { T3: "WTG 03 / Status", T4: "WTG 04 / Status" },
    header_rows: 3,
    leave_out: ["Summe"],
    thousands: ".",
  };

  it("reads turbines side by side below a merged header, a title above and totals below", () => {
    const frame = read(merged, sideBySide);
    assertEquals(frame.columns, ["turbine_id", "time", "power", "status"]);
    assertEquals(listColumn(frame, "turbine_id"), ["T3", "T3", "T4", "T4"]);
    assertEquals(listColumn(frame, "power"), [1840.5, null, 1902, 1850]);
    assertEquals(listColumn(frame, "status"), ["Run", "Stop", "Run", null]);
    assertEquals(displayOf(frame)?.columns.map(({ name }) => name), frame.columns);
    assertEquals(listColumn(read(merged, { ...sideBySide, skip_rows: 2 }), "power"), [
      1840.5,
      null,
      1902,
      1850,
    ]);
  });

  it("F32 lists the names of the file if one is missing", () => {
    refused(
      merged,
      { ...sideBySide, column: { T5: "WTG 05 / Leistung / kW" }, status: {}, skip_rows: 2 },
      'the header after 2 rows does not have the columns "Zeit", "WTG 05 / Leistung / kW". Its ' +
        'columns are "Zeit", "WTG 03 / Leistung / kW", "WTG 03 / Status", "WTG 04 / Leistung / kW"',
    );
  });

  it("refuses totals that are not declared", () => {
    refused(
      merged,
      { ...sideBySide, leave_out: [] },
      '"Summe" does not have the format DD.MM.YYYY HH:mm. List rows that are not periods in leave_out',
    );
  });

  it("reads a row of units as a part of the names", () => {
    const text = "Zeit;Leistung;Wind\n;kW;m/s\n01.05.2023 00:00;5;7,5\n";
    const how: ProductionFormat = { ...tenMinutes, header_rows: 2, column: "Leistung / kW" };
    assertEquals(powers(text, how), [5]);
  });

  it("reads empty columns and fields at the end, and empty rows", () => {
    const text = "Zeit;Leistung;;\n01.05.2023 00:00;5;;\n01.05.2023 00:10;6;;;;\n;;;\n\n";
    assertEquals(powers(text, tenMinutes), [5, 6]);
    const trailing = "Zeit;Leistung\n01.05.2023 00:00;5;\n";
    assertEquals(powers(trailing, tenMinutes), [5]);
  });

  it("F32 refuses rows with more or fewer fields, empty rows between, a second header", () => {
    const head = "Zeit;Leistung\n01.05.2023 00:00;5\n";
    refused(
      `${head}01.05.2023 00:10;5;6\n`,
      tenMinutes,
      "line 3 has 3 fields, but the header has 2",
    );
    refused(`${head}01.05.2023 00:10\n`, tenMinutes, "line 3 has 1 fields, but the header has 2");
    refused(`${head}\n01.05.2023 00:10;6\n`, tenMinutes, "line 3 is empty in the middle");
    refused(`${head}Zeit;Leistung\n`, tenMinutes, "line 3 repeats the header");
    refused(
      `${head}01.05.2023 00:10;"6\n`,
      tenMinutes,
      "line 3: a quoted field has no closing quote",
    );
    refused(head.replaceAll("\n", "\r"), tenMinutes, "line end");
    refused("Zeit;Leistung;Leistung\n01.05.2023 00:00;5;6\n", tenMinutes, "is duplicated");
  });

  it("names the right line even if a field has several lines", () => {
    const text = 'Zeit;Leistung;Note\n01.05.2023 00:00;5;"two\nlines"\n01.05.2023 00:10;x;\n';
    refused(text, tenMinutes, 'line 4, column "Leistung"');
  });

  it("reads a declared delimiter, the bar among them", () => {
    const text = "Zeit|Leistung\n01.05.2023 00:00|5,5\n";
    assertEquals(powers(text, { ...tenMinutes, delimiter: "|" }), [5.5]);
    refused(
      text,
      { ...tenMinutes, delimiter: ";" },
      "no header of one row at the start of the file has the columns",
    );
  });

  it("F30 reads Latin-1 and UTF-16 if declared, else refuses them", () => {
    const text = "Zeit;Überschuß\n01.05.2023 00:00;5\n";
    const how: ProductionFormat = { ...tenMinutes, column: "Überschuß" };
    assertEquals(powers(latin1(text), { ...how, encoding: "latin1" }), [5]);
    refused(latin1(text), how, "is not UTF-8");
    for (const little of [true, false]) {
      const wide = new DataView(new ArrayBuffer(2 * text.length + 2));
      [..."\ufeff" + text].forEach((letter, i) =>
        wide.setUint16(2 * i, letter.charCodeAt(0), little)
      );
      const bytes = new Uint8Array(wide.buffer);
      assertEquals(powers(bytes, { ...how, encoding: "utf-16" }), [5]);
      refused(bytes, how, "UTF-16");
    }
    refused(utf8("abc"), { ...how, encoding: "utf-16" }, "it is not utf-16 text");
    assertEquals(powers(utf8("\ufeff" + text), how), [5]);
  });

  it("keeps the mark SYNTHETIC of invented figures", () => {
    const text =
      "# SYNTHETIC: the built-in sample, not real data\ntime;power\n2023-05-01T00:00Z;5\n";
    const plain: ProductionFormat = {
      column: "power",
      time: "time",
      resolution: "hour",
      unit: "kW",
    };
    for (const how of [plain, { ...plain, decimal: "." } as const]) {
      assertEquals(displayOf(read(text, how))?.synthetic, true);
      assertEquals(displayOf(read("\ufeff" + text, how))?.synthetic, true);
      assertEquals(displayOf(read(text.replace("SYNTHETIC", "Park"), how))?.synthetic, false);
    }
  });

  it("refuses an availability in percent that is never above 1, because spreadsheets store 97 % as 0.97", () => {
    const how: ProductionFormat = { ...hours, availability: "A", availability_unit: "%" };
    const text = (value: string) =>
      `Zeit;Leistung;A\n01.05.2023 00:00;5;0\n01.05.2023 01:00;5;${value}\n`;
    refused(text("0,97"), how, 'line 3, column "A": all availabilities are at most 1 %');
    assertEquals(listColumn(read(text("97"), how), "availability"), [0, 0.97]);
    assertEquals(listColumn(read(text("0"), how), "availability"), [0, 0]);
  });

  it("keeps an availability, as a share", () => {
    const text = "Zeit;Leistung;Verf\n01.05.2023 00:00;5;0,985\n01.05.2023 00:10;6;\n";
    const how: ProductionFormat = {
      ...tenMinutes,
      availability: "Verf",
      availability_unit: "share",
    };
    assertEquals(listColumn(read(text, how), "availability"), [0.985, null]);
    const percent = { ...how, availability_unit: "%" } as const;
    assertEquals(listColumn(read(text.replace("0,985", "98,5"), percent), "availability"), [
      0.985,
      null,
    ]);
    refused(
      text.replace("0,985", "98,5"),
      how,
      "an availability of 98.5 is not a share of time. Check availability_unit",
    );
  });

  it("S5: has the valid hours of months and years next to their energies", () => {
    const how: ProductionFormat = { ...months, valid_hours: "h" };
    const text = "Monat;Energie;h\n01.2023;500,5;744\n02.2023;400;470,5\n03.2023;300;\n";
    const frame = read(text, how);
    assertEquals(frame.columns, ["month", "energy", "valid_hours"]);
    assertEquals(listColumn(frame, "valid_hours"), [744, 470.5, null]);
    assertEquals(displayOf(frame)?.caption.slice(1), [
      '1 of 3 rows without "valid_hours" count for the whole period',
    ]);
    const years: ProductionFormat = {
      column: { T1: "a", T2: "b" },
      valid_hours: { T2: "h" },
      time: "year",
      resolution: "year",
      unit: "MWh",
    };
    const turbines = read("year;a;b;h\n2023;1;2;8760\n2024;3;4;8784\n", years);
    assertEquals(turbines.columns, ["turbine_id", "year", "energy", "valid_hours"]);
    assertEquals(listColumn(turbines, "valid_hours"), [null, null, 8760, 8784]);
  });

  it("S5: refuses valid hours that the month does not have, with line and column", () => {
    const how: ProductionFormat = { ...months, valid_hours: "h" };
    const text = (hours: string) => `Monat;Energie;h\n01.2023;500,5;744\n02.2023;400;${hours}\n`;
    refused(
      text("674"),
      how,
      'line 3, column "h": 674 valid hours are more than the 672 h of the period. ' +
        "Give the hours for which the energy is known",
    );
    refused(text("-1"), how, 'line 3, column "h": -1 valid hours are less than 0');
    refused(text("x"), how, 'line 3, column "h"');
    // October has 745 hours if the clocks go back in it, and the file does not say where the turbine is.
    assertEquals(listColumn(read(text("673"), how), "valid_hours"), [744, 673]);
    const share: ProductionFormat = { ...months, availability: "h", availability_unit: "share" };
    refused(text("1,01").replace("744", "1"), share, "an availability of 1.01 is not a share");
  });

  it("S5: keeps valid hours of meter readings with the period of their row", () => {
    const how: ProductionFormat = { ...months, decimal: ".", counter: true, valid_hours: "h" };
    const text = "Monat;Energie;h\n01.2023;100;700\n02.2023;500;600\n03.2023;800;1\n";
    const frame = read(text, how);
    assertEquals(listColumn(frame, "energy"), [400, 300]);
    assertEquals(listColumn(frame, "valid_hours"), [700, 600]);
    const ends = read(text, { ...how, stamp: "end" });
    assertEquals(listColumn(ends, "valid_hours"), [600, 1]);
  });

  it("reads a year a row and a month a column", () => {
    const names = ["J", "F", "M", "A", "Mai", "Jun", "Jul", "Aug", "S", "O", "N", "D"];
    const text = `Jahr;${names.join(";")};Summe\n` +
      `2022;${names.map((_, i) => `${i + 1},5`).join(";")};84\n` +
      `2023;${names.map((_, i) => i < 2 ? `${i + 10}` : "").join(";")};21\n`;
    const how: ProductionFormat = { ...months, time: "Jahr", time_format: "YYYY", column: names };
    const frame = read(text, how);
    assertEquals(frame.columns, ["month", "energy"]);
    assertEquals(frame.height, 24);
    assertEquals(listColumn(frame, "energy").slice(10, 15), [11.5, 12.5, 10, 11, null]);
    const first = (listColumn(frame, "month") as Date[]).map((day) =>
      day.toISOString().slice(0, 7)
    );
    assertEquals(first[0], "2022-01");
    assertEquals(first[23], "2023-12");
    const later = text.replace("2022", "2024") + text.split("\n")[1].replace("2022", "2025") + "\n";
    refused(later, how, 'line 3, column "Jahr": 2023 comes after 2024');
    refused(text.replace("3,5", "x"), how, 'line 2, column "M": "x" is not a number');
  });

  it("reads months and years in declared formats, and refuses other days", () => {
    const month = (text: string, time_format: string) => {
      const frame = read(`Monat;Energie\n${text};5\n`, { ...months, time_format: time_format });
      return (listColumn(frame, "month") as Date[])[0].toISOString().slice(0, 10);
    };
    assertEquals(month("05.2023", "MM.YYYY"), "2023-05-01");
    assertEquals(month("May 2023", "MMM YYYY"), "2023-05-01");
    assertEquals(month("01.05.2023", "DD.MM.YYYY"), "2023-05-01");
    refused(
      "Monat;Energie\n31.05.2023;5\n",
      { ...months, time_format: "DD.MM.YYYY" },
      "31.05.2023 is not the first day of a month",
    );
    refused("Monat;Energie\n13.2023;5\n", months, "is not a valid date and time");
    refused("Monat;Energie\n05.2023;5\n05.2023;6\n", months, "line 3");
  });
});

describe("parseProductionText() with rows of one turbine among others", () => {
  const text = "Zeit;Anlage;Art;Leistung\n" +
    ["01:00", "02:00"].flatMap((clock) =>
      [3, 4].map((turbine) => `01.05.2023 ${clock};${turbine};P;${turbine}${clock.slice(0, 2)}`)
    ).join("\n") + "\nSumme;;;1\n";
  const how: ProductionFormat = { ...hours, leave_out: ["Summe"] };

  it("selects the rows in which columns have the given values", () => {
    assertEquals(powers(text, { ...how, where: { Anlage: 3 } }), [301, 302]);
    assertEquals(powers(text, { ...how, where: { Anlage: "4", Art: "P" } }), [401, 402]);
    refused(text, how, "is duplicated");
  });

  it("names their line in the file in messages", () => {
    refused(text.replace("402", "x"), { ...how, where: { Anlage: 4 } }, "line 5,");
    refused(text.replace("402", "x"), { ...how, where: { Anlage: 4 } }, "line 5");
  });

  it("lists the values that the file has if no row matches", () => {
    refused(
      text,
      { ...how, where: { Anlage: "5" } },
      'Cannot read park.csv: no row has "5" in "Anlage". The file has "Anlage": "3", "4"',
    );
    refused(text, { ...how, where: { Turbine: "5" } }, '"Turbine"');
  });
});

describe("parseProductionText() with a plain table", () => {
  const random = randomNumbers(11);
  const zone = { time_zone: "Europe/Copenhagen" };
  const tables: [string, string[], ProductionFormat][] = [
    [
      "hours over both clock changes",
      Array.from(
        { length: 9000 },
        (_, i) =>
          Temporal.Instant.from("2023-02-28T22:00Z").add({ hours: i })
            .toZonedDateTimeISO(zone.time_zone).toPlainDateTime().toString(),
      ),
      { column: "power", time: "time", resolution: "hour", unit: "MWh", stamp: "end", ...zone },
    ],
    [
      "ten minutes with offset",
      Array.from(
        { length: 3000 },
        (_, i) =>
          Temporal.Instant.from("2023-10-25T22:00Z").add({ minutes: 10 * i })
            .toString({ timeZone: zone.time_zone }),
      ),
      { column: "power", time: "time", resolution: "10min", unit: "kWh", ...zone },
    ],
    [
      "months",
      Array.from(
        { length: 60 },
        (_, i) => Temporal.PlainYearMonth.from("2018-11").add({ months: i }).toString(),
      ),
      { column: "power", time: "time", resolution: "month", unit: "kWh" },
    ],
    [
      "years",
      Array.from({ length: 20 }, (_, i) => String(2000 + i)),
      { column: "power", time: "time", resolution: "year", unit: "MWh" },
    ],
  ];

  for (const [name, stamps, how] of tables) {
    it(`is the same whether its format is declared or found: ${name}`, () => {
      const text = "Park\ntime;other;power\n" + stamps.map((stamp) => {
        const value = random(9) === 0 ? "" : String(random(1e6) / 64).replace(".", ",");
        return `${stamp};"a;b";${value}\n`;
      }).join("");
      const detected = read(text, how);
      for (const declared of [{ decimal: "," }, { skip_rows: 1 }, { delimiter: ";" }] as const) {
        const asDeclared = read(text, { ...how, ...declared });
        assertEquals(asDeclared.dtypes.map(String), detected.dtypes.map(String));
        for (const column of detected.columns) {
          assertEquals(listColumn(asDeclared, column), listColumn(detected, column));
        }
      }
    });
  }
});

describe("parseProductionText() with meter readings", () => {
  const counted: ProductionFormat = { ...hours, unit: "kWh", counter: true };
  const text = (...readings: string[]) =>
    "Zeit;Leistung\n" +
    readings.map((reading, hour) =>
      reading === "gap" ? "" : `01.05.2023 ${String(hour).padStart(2, "0")}:00;${reading}\n`
    ).join("");

  it("computes the production until the next reading; the last one ends the last hour", () => {
    const frame = read(text("1000", "1500", "1500", "2250,5"), counted);
    assertEquals(times(frame), ["2023-05-01T00:00Z", "2023-05-01T01:00Z", "2023-05-01T02:00Z"]);
    assertEquals(listColumn(frame, "power"), [500, 0, 750.5]);
  });

  it("gives null for an hour next to a gap, because only the total of the gap is known", () => {
    assertEquals(powers(text("1000", "", "1800", "1900"), counted), [null, null, 100]);
    assertEquals(powers(text("1000", "gap", "1800", "1900"), counted), [null, 100]);
  });

  it("refuses a meter that was reset or replaced, even across a gap", () => {
    const message = "the meter shows 3, after 1500: it was replaced or reset, or it restarted";
    refused(text("1000", "1500", "3"), counted, `line 4, column "Leistung": ${message}`);
    refused(text("1000", "1500", "", "3"), counted, `line 5, column "Leistung": ${message}`);
  });

  it("accepts a restart at a declared number, with a small step only", () => {
    const over: ProductionFormat = { ...counted, counter: { rollover: 10_000 } };
    assertEquals(powers(text("9700", "9900", "150"), over), [200, 250]);
    refused(text("4000", "3000"), over, "the meter shows 3000, after 4000");
    refused(
      text("9700", "10000"),
      over,
      "10000 is not a possible reading of a meter that restarts at 10000",
    );
  });

  it("reads months at their start or at their end", () => {
    const list = "Monat;Energie\n01.2023;1000\n02.2023;1400\n03.2023;1900\n05.2023;3000\n";
    const start = read(list, { ...months, counter: true });
    assertEquals(listColumn(start, "energy"), [400, 500, null]);
    assertEquals((listColumn(start, "month") as Date[])[0].getUTCMonth(), 0);
    const end = read(list, { ...months, counter: true, stamp: "end" });
    assertEquals(listColumn(end, "energy"), [400, 500, null]);
    assertEquals((listColumn(end, "month") as Date[])[0].getUTCMonth(), 1);
  });
});

describe("parseProductionText() refuses a declaration", () => {
  it("with an unknown field, because a misspelt one would be ignored", () => {
    rejected(
      { ...hours, decimals: "," } as ProductionFormat,
      'Cannot read park.csv as declared: the field "decimals" is unknown: did you mean "decimal"?',
    );
    rejected({ ...hours, timezone: "UTC" } as never, 'did you mean "time_zone"?');
    rejected(
      { ...hours, colour: "red" } as never,
      "The fields are column, time, resolution, unit,",
    );
    rejected(undefined as never, "is missing. Give { column, time, resolution, unit }");
  });

  it("S4: with an invalid format of times, and lists the letters that it can have", () => {
    for (const time_format of ["JJ/MM/AAAA", "TT.MM.JJJJ", "?", "HH:mm"]) {
      const problem = time_format === "?" || time_format === "HH:mm"
        ? "it has no year"
        : `"${time_format[0]}" is not a letter of time formats`;
      rejected(
        { ...hours, time_format: time_format },
        `time_format: "${time_format}" is not a time format: ${problem}. Give a format like "DD/MM/YYYY HH:mm", made of YYYY or YY ` +
          "(year), MM, M or MMM (month)",
      );
    }
  });

  it("with an unknown value", () => {
    rejected({ ...hours, decimal: ";" as "," }, 'decimal: ";" is unknown. Give "." or ","');
    rejected({ ...hours, thousands: "_" as "." }, "thousands");
    rejected({ ...hours, delimiter: ":" as ";" }, "delimiter");
    rejected({ ...hours, encoding: "ebcdic" as "latin1" }, "encoding");
    rejected({ ...hours, header_rows: 9 as 3 }, "header_rows");
    rejected(
      { ...hours, skip_rows: -1 },
      "skip_rows: is -1. Give a whole number of rows, 0 or more",
    );
    rejected({ ...hours, skip_rows: 0.5 }, "skip_rows: is 0.5. Give a whole number of rows");
    rejected({ ...hours, time_format: "DD.MM.YYYY hh:mm" }, "hh and A need each other");
    rejected(
      { ...hours, time_format: "DD.MM.YYYY" },
      'time_format: "DD.MM.YYYY" has no hour: timestamps have day, month, year and hour. Give a format like',
    );
    rejected({ ...months, time_format: "YYYY" }, 'time_format: "YYYY" has no month');
    rejected({ ...hours, time_format: "DD.MM.YYYY HH:MM" }, "is duplicated");
    rejected(
      { ...hours, counter: { rollover: 0 }, unit: "kWh" },
      "counter.rollover: is 0. Give the number at which",
    );
    rejected({ ...hours, column: undefined } as never, "column: is missing. Give the name");
    rejected(
      { ...hours, time: ["a"] } as never,
      "time: is a list of 1. Give 2 to 7 column names, such as date and time of day",
    );
    rejected({ ...hours, null_values: "x" } as never, 'null_values: is "x". Give a list');
    rejected({ ...hours, where: { a: null } } as never, "where.a: ");
    rejected(
      { ...hours, counter: "yes" } as never,
      'counter: is "yes". Give true for meter readings, "resets"',
    );
  });

  it("whose fields contradict each other", () => {
    rejected(
      { ...hours, thousands: "," },
      '"," cannot be both the decimal mark and the thousands mark',
    );
    rejected({ ...hours, decimal: undefined, thousands: "." } as never, "needs a decimal mark");
    rejected({ ...hours, counter: true }, "a meter counts kWh or MWh, not kW");
    rejected(
      { ...months, unit: "MW" },
      "the unit of a month's production is an energy, not MW. Use kWh",
    );
    rejected({ ...months, column: ["a", "b"] }, "2 columns side by side do not make a year");
    rejected({ ...hours, column: {} }, "it names no turbine");
    rejected({ ...months, stamp: "end" }, "does not apply to a month");
    rejected({ ...hours, availability: "a" }, 'Give availability_unit "%" or "share"');
    rejected(
      { ...hours, valid_hours: "a" },
      "hourly and sub-hourly values are valid if they are not empty",
    );
    rejected(
      { ...months, column: Array(12).fill("a"), valid_hours: "h" },
      "does not apply to twelve columns",
    );
    rejected({ ...hours, column: { T1: "a" }, status: "b" }, `"status" does not. Give one`);
    rejected({ ...hours, status: { T1: "b" } }, `"column" does not. Give one`);
    rejected(
      { ...hours, column: { T1: "a" }, status: { T2: "b" } },
      'the turbine "T2" has no column with production',
    );
    const { time_format: _, ...plain } = { ...months, time: ["a", "b"] };
    rejected(plain, '2 columns have parts of the time. Give "time_format", too');
    rejected(
      { ...hours, time: ["a", "b", "c"], time_format: undefined } as never,
      'such as "YYYY M D H"',
    );
    rejected(
      { ...hours, stamp: "end", time_format: "DD.MM.YYYY HH:mm - HH:mm" },
      'time_format has the start and the end of a period. Omit "stamp"',
    );
    rejected({ ...hours, sheet: "a" }, 'it is a text file, so "sheet" does not apply');
  });
});
