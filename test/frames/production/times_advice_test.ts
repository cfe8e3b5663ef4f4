/**
 * Follows the advice of messages about times. Messages advise to sort or remove rows only if that gives the right times.
 *
 * @module
 */
import { assertEquals, assertRejects } from "@std/assert";
import { type CellValue, writeXlsx } from "hucre/xlsx";
import { describe, it } from "@std/testing/bdd";
import { followAdvice, readAttempt } from "../_advice.ts";

const UGLY = new URL("../ugly/", import.meta.url).pathname;

const HOUR = 3_600_000;

const readUgly = (file: string) => Deno.readTextFileSync(UGLY + file);

/** Stamps of ISO 8601 without offset, one step after the other. */
const stamps = (from: string, count: number, minutes = 60) =>
  Array.from(
    { length: count },
    (_, i) => new Date(Date.parse(`${from}Z`) + i * minutes * 60_000).toISOString().slice(0, 16),
  );

const table = (times: readonly string[], values: readonly number[] = times.map((_, i) => i)) =>
  ["time,kW", ...times.map((time, i) => `${time},${values[i]}`), ""].join("\n");

const counts = (count: number) => Array.from({ length: count }, (_, i) => i);

const day = stamps("2023-05-01T00:00", 24);

describe("advice about times that step back", () => {
  const shuffled = [...day.slice(12), ...day.slice(0, 12)];
  const noon = (time: string) => {
    const hour = Number(time.slice(11, 13));
    return `${time.slice(0, 10)} ${String((hour + 11) % 12 + 1).padStart(2, "0")}:00`;
  };
  const noons = [...day, ...stamps("2023-05-02T00:00", 24)].map(noon);
  const turbines = (column: boolean) =>
    `time,kW${column ? ",T" : ""}\n${
      ["A", "B"].map((name, t) =>
        day.map((time, i) => `${time},${100 * t + i}${column ? `,${name}` : ""}\n`).join("")
      ).join("")
    }`;
  const lastHour = (next: boolean) =>
    stamps("2023-05-01T01:00", 48).map((time, i) =>
      i % 24 === 23 && !next ? `2023-05-0${1 + Math.floor(i / 24)}T00:00` : time
    );
  const newYear = stamps("2022-12-31T12:00", 24);
  followAdvice([
    {
      says: "2023-05-01T00:00Z comes after 2023-05-01T23:00Z. Sort the rows by time",
      file: table(shuffled, [...counts(24).slice(12), ...counts(12)]),
      then: { file: table(day) },
      gives: counts(24),
    },
    {
      says:
        "2023-05-01T01:00Z comes after 2023-05-01T12:00Z: AM and PM are probably missing. Export the times " +
        "again, with 24 hours a day",
      file: table(noons),
      how: { time_format: "YYYY-MM-DD HH:mm" },
      then: {
        file: table(stamps("2023-05-01T00:00", 48).map((time) => time.replace("T", " "))),
      },
      gives: counts(48),
    },
    {
      says:
        "2022-01-01T00:00Z comes after 2022-12-31T23:00Z: the year of the row is probably one too low. Correct " +
        "the years from this row on",
      file: table(newYear.map((time) => time.replace("2023", "2022"))),
      then: { file: table(newYear) },
      gives: counts(24),
    },
    {
      says:
        "and other rows have the same times: the table has several turbines, one below the other, or repeats " +
        'some rows. Declare "turbine" (the column that names the turbine of each row) or "where". If the table has no such ' +
        "column, give each turbine its own file. Remove duplicate rows",
      file: turbines(true),
      then: { how: { turbine: "T" } },
      gives: [...counts(24), ...counts(24).map((i) => 100 + i)],
    },
    {
      says: 'Declare "turbine" (the column that names the turbine of each row) or "where"',
      ...{
        name: "one of several turbines",
        file: turbines(true),
        then: { how: { where: { T: "B" } } },
      },
      gives: counts(24).map((i) => 100 + i),
    },
    {
      says: "give each turbine its own file",
      ...{ file: turbines(false), then: { file: table(day) }, gives: counts(24) },
    },
    {
      says: "Remove duplicate rows",
      file: table([...day, ...day.slice(20), ...stamps("2023-05-02T00:00", 4)], [
        ...counts(24),
        ...[20, 21, 22, 23],
        ...[24, 25, 26, 27],
      ]),
      then: { file: table(stamps("2023-05-01T00:00", 28)) },
      gives: counts(28),
    },
    {
      says:
        "comes after 2023-05-01T23:00Z: it is probably the end of that day. Write it as 00:00 of the next day",
      file: table(lastHour(false)),
      how: { stamp: "end" },
      then: { file: table(lastHour(true)) },
      gives: counts(48),
    },
    {
      says: "2023-05-02T00:00Z is probably the end of that day. Write it as 00:00 of the next day",
      name: "the end of a day if the newest row comes first",
      file: table(lastHour(false).reverse()),
      how: { stamp: "end" },
      then: { file: table(lastHour(true).reverse()) },
      gives: counts(48).reverse(),
    },
    {
      says:
        "The clocks of Europe/Paris repeat that hour, so the times are probably local. Declare time_zone " +
        '"Europe/Paris", or the zone of the place',
      file: table([
        ...stamps("2023-10-29T01:00", 12, 10),
        ...stamps("2023-10-29T02:00", 12, 10),
      ]),
      how: { resolution: "10min" },
      then: { how: { time_zone: "Europe/Paris" } },
      gives: counts(24),
    },
  ]);

  it("SI4 on swapped days in a workbook, to export them again as texts", async () => {
    // Excel reads 03/01/2023, 3 January, as 1 March: up to the 12th days and months are swapped.
    const hours = counts(28 * 24).map((i) => new Date(Date.UTC(2023, 2, 1) + i * HOUR));
    const show = (time: Date) => time.toISOString().slice(0, 16).replace("T", " ");
    const cell = (time: Date): CellValue => {
      const [month, date] = [time.getUTCMonth(), time.getUTCDate()];
      return date > 12
        ? `${date}/0${month + 1}/2023 ${show(time).slice(11)}`
        : new Date(Date.UTC(2023, date - 1, month + 1, time.getUTCHours()));
    };
    const write = (form: (time: Date) => CellValue) =>
      writeXlsx({
        sheets: [{ name: "S", rows: [["time", "kW"], ...hours.map((time, i) => [form(time), i])] }],
      });
    const declared = { how: { time_format: "DD/MM/YYYY HH:mm" } };
    const { message } = await assertRejects(
      async () => await readAttempt({ file: await write(cell), ...declared }),
      Error,
    );
    assertEquals(
      message.slice(message.indexOf("day and month")),
      "day and month are probably swapped in some of the times. If all times are texts, correct time_format. " +
        "Otherwise export them again as texts like 2023-05-31 13:00, and leave time_format out",
    );
    const frame = await readAttempt({ file: await write(show) });
    assertEquals(frame.getColumn("power").toArray(), counts(28 * 24));
  });
});

describe("advice about duplicate times", () => {
  const pairs = day.flatMap((time, i) => [`${time},${i},A\n`, `${time},${100 + i},B\n`]);
  const tens = stamps("2023-05-01T00:00", 144, 10);
  const fakeZ = readUgly("25_fakeZ.csv");
  const fakeHow = { time: "utc_timestamp", column: "power", time_zone: undefined };
  const repeated = [...stamps("2023-05-01T00:00", 2), "2023-05-01T01:00", "2023-05-01T02:00"];
  followAdvice([
    {
      says: "is duplicated. Remove one of the rows",
      file: table(repeated, [0, 1, 1, 2]),
      then: { file: table(stamps("2023-05-01T00:00", 3)) },
      gives: counts(3),
    },
    {
      says:
        "is duplicated, and so are 23 other times: the rows belong to several turbines, or the times have lost " +
        'their minutes. Declare "turbine" (the column that names the turbine of each row) or "where"',
      file: `time,kW,T\n${pairs.join("")}`,
      then: { how: { turbine: "T" } },
      gives: [...counts(24), ...counts(24).map((i) => 100 + i)],
    },
    {
      says: "If the minutes are lost, export the times again",
      file: table(tens.map((time) => `${time.slice(0, 13)}:00`)),
      how: { resolution: "10min" },
      then: { file: table(tens) },
      gives: counts(144),
    },
    {
      says:
        "2013-10-27T02:00Z is duplicated. The clocks of Europe/Paris repeat that hour, so the times are probably " +
        'local. Put the offset in brackets in time_format, such as "YYYY-MM-DD[T]HH:mm:ss[Z]", and declare time_zone ' +
        '"Europe/Paris", or the zone of the place',
      ...{ name: "times with a Z that is none", file: fakeZ, how: fakeHow },
      then: { how: { time_format: "YYYY-MM-DD[T]HH:mm:ss[Z]", time_zone: "Europe/Paris" } },
      gives: counts(50).map((i) => 1000 + i),
    },
    {
      says: 'Declare time_zone "Europe/Paris", or the zone of the place',
      ...{ name: "a Z that is none, in UTC", file: fakeZ, how: { ...fakeHow, time_zone: "UTC" } },
      then: { how: { time_zone: "Europe/Paris" } },
      gives: "Put the offset in brackets in time_format",
    },
  ]);
});

describe("advice about periods stamped at their end when clocks go back", () => {
  const says = 'If the timestamps mark the end of their period, declare stamp "end"';
  for (const minutes of [60, 10]) {
    // The periods from 00:00 to 02:59, and again from 02:00 on.
    const [first, second] = [stamps("2023-10-29T00:00", 180 / minutes, minutes), 60 / minutes];
    const ends = [...first, ...first.slice(-second)]
      .map((time) =>
        new Date(Date.parse(`${time}Z`) + minutes * 60_000).toISOString().slice(0, 16)
      );
    const how = {
      time_zone: "Europe/Berlin",
      resolution: minutes === 60 ? "hour" : "10min",
    } as const;
    const [then, gives] = [{ how: { stamp: "end" } } as const, counts(ends.length)];
    const night = ends.filter((time) => time !== "2023-10-29T02:00"); // without the duplicated 02:00, which would show the clock
    followAdvice([
      { says, name: `${minutes} minutes`, ...{ file: table(ends), how, then, gives } },
      {
        says: minutes === 60
          ? `That night the clocks of Europe/Berlin repeat an hour. ${says}`
          : says,
        name: `${minutes} minutes, with one missing`,
        ...{ file: table(night), how, then, gives: counts(night.length) },
      },
    ]);
  }
});

describe("advice about the hour that clocks skip", () => {
  const night = stamps("2023-03-26T00:00", 6);
  const local = night.filter((time) => !time.endsWith("T02:00"));
  const withZ = local.map((time) => `${time}:00Z`);
  const nem = {
    time: "SETTLEMENTDATE",
    column: "MW",
    unit: "MW",
    time_zone: "Australia/Sydney",
  } as const;
  const skipped = { time: "Zeit", time_format: "DD.MM.YYYY HH:mm", time_zone: "Europe/Berlin" };
  followAdvice([
    {
      says:
        "2023-10-01 02:00 does not exist in Australia/Sydney, because the clocks skip it. If the file has no summer " +
        'time, declare its time zone as "UTC" or "Etc/GMT-10"',
      ...{ file: readUgly("19_nem.csv"), how: nem, then: { how: { time_zone: "Etc/GMT-10" } } },
      gives: counts(48).map((i) => 1000 * (10 + i % 5)),
    },
    {
      says: "If the rows of that hour were filled in, remove them",
      file: readUgly("20_skipped.csv"),
      how: skipped,
      then: { how: { leave_out: ["26.03.2023 02:00"] } },
      gives: counts(48).filter((i) => i !== 14).map((i) => 1000 + i),
    },
    {
      says:
        "without the hour that the clocks of Europe/Paris skip, so the times are probably local. Declare time_zone " +
        '"Europe/Paris", or the zone of the place',
      ...{ file: table(local), then: { how: { time_zone: "Europe/Paris" } }, gives: counts(5) },
    },
    {
      says: "If they are not local, add the missing rows with empty values",
      file: table(local),
      then: {
        file: `time,kW\n${night.map((time, i) => `${time},${i === 2 ? "" : i}\n`).join("")}`,
      },
      gives: [0, 1, null, 3, 4, 5],
    },
    {
      says:
        'Put the offset in brackets in time_format, such as "YYYY-MM-DD[T]HH:mm:ss[Z]", and declare time_zone ' +
        '"Europe/Paris"',
      file: table(withZ),
      how: { time_zone: undefined },
      then: { how: { time_format: "YYYY-MM-DD[T]HH:mm:ss[Z]", time_zone: "Europe/Paris" } },
      gives: counts(5),
    },
  ]);

  it("SI4 is not given for a file with other gaps of an hour, or with that hour in another night", async () => {
    const days = stamps("2023-03-25T00:00", 72);
    const without = (...gone: string[]) => days.filter((time) => !gone.includes(time));
    const gaps = without(
      "2023-03-26T02:00",
      ...["2023-03-25T05:00", "2023-03-25T12:00", "2023-03-27T03:00"],
    );
    assertEquals((await readAttempt({ file: table(gaps) })).height, 68);
    assertEquals((await readAttempt({ file: table(without("2023-03-25T02:00")) })).height, 71);
  });
});

describe("advice about an hour that may be either of two", () => {
  const autumn = stamps("2023-10-29T00:00", 5);
  const berlin = { time_zone: "Europe/Berlin" };
  const unclear =
    "2023-10-29 02:00 may be either of two hours in Europe/Berlin, because the clocks go back then and the " +
    "rows do not have both hours in sequence. If the file has no summer time, declare its time zone as " +
    '"UTC" or "Etc/GMT-1". Otherwise use timestamps with an offset, or remove the rows of that hour. If the timestamps mark the ' +
    'end of their period, declare stamp "end"';
  const offsets = ["00:00+02:00", "01:00+02:00", "02:00+01:00", "03:00+01:00", "04:00+01:00"];
  followAdvice([
    {
      ...{ says: unclear, file: table(autumn), how: berlin },
      ...{ then: { how: { time_zone: "Etc/GMT-1" } }, gives: counts(5) },
    },
    {
      ...{ says: "Otherwise use timestamps with an offset", file: table(autumn), how: berlin },
      then: { file: table(offsets.map((time) => `2023-10-29T${time}`)) },
      gives: counts(5),
    },
    {
      ...{ says: "or remove the rows of that hour", file: table(autumn), how: berlin },
      then: { how: { leave_out: ["2023-10-29T02:00"] } },
      gives: [0, 1, 3, 4],
    },
  ]);
});

describe("advice about months", () => {
  const months = counts(18).map((i) =>
    `${2022 + Math.floor((i + 3) / 12)}-${String((i + 3) % 12 + 1).padStart(2, "0")}`
  );
  const how = { resolution: "month", unit: "MWh", time_zone: undefined } as const;
  const two = (column: boolean) =>
    `time,kW${column ? ",T" : ""}\n${
      ["A", "B"].flatMap((name, t) =>
        months.map((month, i) => `${month},${100 * t + i}${column ? `,${name}` : ""}\n`)
      ).join("")
    }`;
  const rearranged = [...months.slice(6), ...months.slice(0, 6)];
  const firsts = months.map((month) => `01.${month.slice(5)}.${month.slice(0, 4)}`);
  followAdvice([
    {
      says: "2022-04 comes after 2023-09. Sort the rows by time",
      file: table(rearranged, [...counts(18).slice(6), ...counts(6)]),
      ...{ how, then: { file: table(months) }, gives: counts(18) },
    },
    {
      says:
        "2022-01 comes after 2022-12: the year is probably one too low. Correct the years from this row on",
      file: table(months.slice(0, 12).map((month) => month.replace("2023", "2022"))),
      ...{ how, then: { file: table(months.slice(0, 12)) }, gives: counts(12) },
    },
    {
      says:
        'and other rows have the same times: the table has several turbines, or repeats some rows. Declare "turbine"',
      ...{ file: two(true), how, then: { how: { turbine: "T" } } },
      gives: [...counts(18), ...counts(18).map((i) => 100 + i)],
    },
    {
      says: "2022-05 is duplicated. Remove one of the rows",
      file: table(["2022-04", "2022-05", "2022-05"], [0, 1, 1]),
      ...{ how, then: { file: table(["2022-04", "2022-05"]) }, gives: [0, 1] },
    },
    {
      says:
        "01.04.2022 is not the first day of a month: day and month are probably swapped. Correct time_format",
      file: table(firsts),
      how: { ...how, time_format: "MM.DD.YYYY" },
      ...{ then: { how: { time_format: "DD.MM.YYYY" } }, gives: counts(18) },
    },
    {
      says: "30.04.2022 is not the first day of a month. Write each month as 2023-05",
      file: table(["30.04.2022", "31.05.2022"]),
      how: { ...how, time_format: "DD.MM.YYYY" },
      then: { file: table(["2022-04", "2022-05"]), how: { time_format: undefined } },
      gives: [0, 1],
    },
    {
      says:
        "this row and all others are at least 3 months apart, so they are not months. Correct time_format, or write a row for " +
        "each month",
      file: table(["2022-01", "2022-04", "2022-07"]),
      ...{ how, then: { file: table(months.slice(0, 3)) }, gives: [0, 1, 2] },
    },
    {
      says: "this row and all others are at least 12 months apart",
      file: table(["01-05", "02-05", "03-05"]),
      how: { ...how, time_format: "YY-MM" },
      ...{ then: { how: { time_format: "MM-YY" } }, gives: [0, 1, 2] },
    },
    {
      says: "Declare another time_format",
      file: table(["04/2022", "05/2022"]),
      ...{ how, then: { how: { time_format: "MM/YYYY" } }, gives: [0, 1] },
    },
  ]);
});
