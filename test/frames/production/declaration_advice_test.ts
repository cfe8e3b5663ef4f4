/**
 * Follows the advice of messages about a declaration: fields that contradict each other, or do not fit the file.
 *
 * @module
 */
import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { DataFormatError } from "../../../src/api/errors.ts";
import { joinRows } from "../../../src/frames/production/join_rows.ts";
import { type ProductionFormat, readTextRows } from "../../../src/frames/production/production.ts";
import { followAdvice } from "../_advice.ts";
import { listColumn, utf8 } from "../_text.ts";

const HOURS = ["2023-05-01T00:00", "2023-05-01T01:00", "2023-05-01T02:00"];

/** A table of hours: a time and a row of fields for each. */
const table = (header: string, rows: readonly string[], mark = ",") =>
  [`time${mark}${header}`, ...rows.map((row, i) => `${HOURS[i]}${mark}${row}`), ""].join("\n");

describe("advice about a declaration", () => {
  const file = table("kW,E,S,T,A", ["1,1,x,WTG 1,1", "2,2,y,WTG 1,1"]);
  const months = "time,kW\n2023-05,1\n2023-06,2\n";
  const monthly = {
    file: months,
    how: { resolution: "month", unit: "MWh", time_zone: undefined },
  } as const;
  const year = `time,${Array.from({ length: 12 }, (_, i) => `m${i}`)}\n2022,${Array(12).fill(3)}\n`;
  const twelve = Array.from({ length: 12 }, (_, i) => `m${i}`);
  const wide = {
    file: year,
    how: { resolution: "month", unit: "MWh", time_zone: undefined, column: twelve },
  } as const;
  const threes = Array<number>(12).fill(3);
  const drop = (field: string) => ({ how: { [field]: undefined } });
  followAdvice([
    {
      ...monthly,
      says: "the unit of a month's production is an energy, not MW. Use kWh or MWh",
      ...{ how: { ...monthly.how, unit: "MW" }, then: { how: { unit: "MWh" } }, gives: [1, 2] },
    },
    {
      ...monthly,
      says: 'does not apply to a month. Omit "stamp"',
      ...{ how: { ...monthly.how, stamp: "end" }, then: drop("stamp"), gives: [1, 2] },
    },
    {
      says: "a meter counts kWh or MWh, not kW. Give the unit of the meter",
      ...{ file, how: { counter: true }, then: { how: { unit: "kWh" } }, gives: [1] },
    },
    {
      says: 'a thousands mark needs a decimal mark. Give "decimal", too',
      ...{ file, how: { thousands: "," }, then: { how: { decimal: "." } }, gives: [1, 2] },
    },
    {
      says: '"." cannot be both the decimal mark and the thousands mark. Give two different marks',
      file,
      how: { thousands: ".", decimal: "." },
      then: { how: { thousands: "," } },
      gives: [1, 2],
    },
    {
      says: 'its unit is missing. Give availability_unit "%" or "share"',
      file,
      how: { availability: "A" },
      then: { how: { availability_unit: "share" } },
      gives: [1, 2],
    },
    {
      says: 'hourly and sub-hourly values are valid if they are not empty. Omit "valid_hours"',
      ...{ file, how: { valid_hours: "A" }, then: drop("valid_hours"), gives: [1, 2] },
    },
    {
      ...wide,
      says: "2 columns side by side do not make a year. Give twelve columns, January first",
      how: { ...wide.how, column: ["m0", "m1"] },
      ...{ then: { how: { column: twelve } }, gives: threes },
    },
    {
      ...wide,
      says:
        'twelve columns side by side are months, but resolution is "year". Give resolution "month", or one column',
      how: { ...wide.how, resolution: "year" },
      ...{ then: { how: { resolution: "month" } }, gives: threes },
    },
    {
      ...wide,
      says: "meter readings come from one column, not from twelve. Name one column",
      how: { ...wide.how, counter: true },
      ...{ then: { file: months, how: { column: "kW" } }, gives: [1] },
    },
    {
      ...wide,
      says: '"status" does not apply to twelve columns side by side. Omit it',
      ...{ how: { ...wide.how, status: "m1" }, then: drop("status"), gives: threes },
    },
    {
      ...monthly,
      says: '"YYYY" has no month. Give a format such as "MM/YYYY"',
      file: "time,kW\n05/2023,1\n06/2023,2\n",
      how: { ...monthly.how, time_format: "YYYY" },
      ...{ then: { how: { time_format: "MM/YYYY" } }, gives: [1, 2] },
    },
    {
      says: 'stamps have day, month, year and hour. Give a format like "DD/MM/YYYY HH:mm"',
      file: "time,kW\n01/05/2023 00:00,1\n",
      how: { time_format: "DD/MM/YYYY" },
      ...{ then: { how: { time_format: "DD/MM/YYYY HH:mm" } }, gives: [1] },
    },
    {
      says: "it names no turbine. Give the column of each turbine",
      ...{ file, how: { column: {} }, then: { how: { column: { T1: "kW" } } }, gives: [1, 2] },
    },
    {
      says: 'so "turbine" does not apply. Omit "turbine", or name one column',
      file,
      how: { column: { T1: "kW" }, turbine: "T" },
      ...{ then: drop("turbine"), gives: [1, 2] },
    },
    {
      says: 'the column that names the turbine of a row is missing. Give "turbine", too',
      ...{ file, how: { turbines: ["WTG 1"] }, then: { how: { turbine: "T" } }, gives: [1, 2] },
    },
    {
      says:
        '"column" names a column for each turbine, but "status" does not. Give one for each turbine',
      file,
      how: { column: { T1: "kW" }, status: "S" },
      ...{ then: { how: { status: { T1: "S" } } }, gives: [1, 2] },
    },
    {
      says: '"status" names a column for each turbine, but "column" does not. Give one name',
      ...{ file, how: { status: { T1: "S" } }, then: { how: { status: "S" } }, gives: [1, 2] },
    },
    {
      says: 'the turbine "T2" has no column with production. Name the same turbines in both fields',
      file,
      how: { column: { T1: "kW" }, status: { T2: "S" } },
      ...{ then: { how: { status: { T1: "S" } } }, gives: [1, 2] },
    },
    {
      says: 'column "kW" is declared twice. Declare another column for one of them',
      file,
      how: { column: { T1: "kW", T2: "kW" } },
      ...{ then: { how: { column: { T1: "kW", T2: "E" } } }, gives: [1, 2, 1, 2] },
    },
    {
      says: 'no row has "WTG 2" in "T". The file has "T": "WTG 1"',
      ...{
        file,
        how: { where: { T: "WTG 2" } },
        then: { how: { where: { T: "WTG 1" } } },
        gives: [1, 2],
      },
    },
    {
      says: 'Its columns are "time", "kW", "E", "S", "T", "A"',
      ...{ file, how: { column: "power" }, then: { how: { column: "kW" } }, gives: [1, 2] },
    },
    {
      says: 'unit: "TWh" is unknown. Give "kW", "MW", "kWh", "MWh", "W", "GW", "Wh" or "GWh"',
      ...{ file, how: { unit: "TWh" as "kW" }, then: { how: { unit: "kW" } }, gives: [1, 2] },
    },
    {
      says: 'the field "timezone" is unknown: did you mean "time_zone"?',
      ...{ file, how: { timezone: "UTC" } as object, then: drop("timezone"), gives: [1, 2] },
    },
    {
      says: '"+00:00" is not an IANA time zone. Give "UTC"',
      ...{ file, how: { time_zone: "+00:00" }, then: { how: { time_zone: "UTC" } }, gives: [1, 2] },
    },
    {
      says: 'has no offset from UTC. Give its time zone, such as "UTC" or "Europe/Copenhagen"',
      ...{
        file,
        how: { time_zone: undefined },
        then: { how: { time_zone: "UTC" } },
        gives: [1, 2],
      },
    },
  ]);
});

describe("advice about two files", () => {
  const how: ProductionFormat = {
    ...{ column: "kW", time: "time", resolution: "hour", unit: "kW", time_zone: "UTC" },
  };
  const rows = (name: string, times: readonly string[], first = 0) =>
    readTextRows(
      utf8(`time,kW\n${times.map((time, i) => `${time},${first + i}\n`).join("")}`),
      name,
      how,
      false,
    );
  const join = (...parts: ReturnType<typeof rows>[]) =>
    listColumn(joinRows(parts, how, false).frame, "power");

  it("SI4 of several turbines, to read each alone", () => {
    const [one, other] = [rows("a.csv", HOURS), rows("b.csv", HOURS, 100)];
    assertThrows(
      () => join(one, other),
      DataFormatError,
      "Remove the wrong rows. If the rows belong to several turbines, read the files of each turbine separately",
    );
    assertEquals([join(one), join(other)], [[0, 1, 2], [100, 101, 102]]);
    assertEquals(join(rows("a.csv", HOURS.slice(0, 2)), rows("b.csv", HOURS.slice(2), 2)), [
      0,
      1,
      2,
    ]);
  });

  it("SI4 of local times, cut in the repeated hour, to declare their zone", () => {
    const [one, other] = [
      rows("a.csv", ["2023-10-29T01:00", "2023-10-29T02:00"]),
      rows("b.csv", ["2023-10-29T02:00", "2023-10-29T03:00"], 2),
    ];
    assertThrows(
      () => join(one, other),
      DataFormatError,
      'The clocks of Europe/Paris repeat that hour, so the times are probably local. Declare time_zone "Europe/Paris"',
    );
    const paris: ProductionFormat = { ...how, time_zone: "Europe/Paris" };
    const complete = ["01", "02", "02", "03"].map((hour, i) => `2023-10-29T${hour}:00,${i}\n`);
    const { frame } = readTextRows(utf8(`time,kW\n${complete.join("")}`), "c.csv", paris, false);
    assertEquals(listColumn(frame, "power"), [0, 1, 2, 3]);
  });
});
