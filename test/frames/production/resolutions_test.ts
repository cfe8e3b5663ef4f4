/**
 * Common periods: parts of an hour, days, and meters that restart each day.
 *
 * @module
 */
import { assertAlmostEquals, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { extractEpochs } from "../../../src/frames/frame.ts";
import { readProduction } from "../../../src/frames/presets/read_production.ts";
import type { ProductionFormat } from "../../../src/frames/production/production.ts";
import { toHours } from "../../../src/frames/production/to_hours.ts";
import { toMonths } from "../../../src/frames/production/to_months.ts";
import { provenance } from "../../../src/frames/origin/provenance.ts";
import { listColumn } from "../_text.ts";

const UGLY = new URL("../ugly/", import.meta.url).pathname;

/** Reads a text of two columns, `time` and `value`. */
async function readRows(rows: readonly string[], how: Partial<ProductionFormat>) {
  const file = await Deno.makeTempFile({ suffix: ".csv" });
  try {
    await Deno.writeTextFile(file, ["time,value", ...rows].join("\n"));
    const usual = { column: "value", time: "time", time_zone: "UTC" };
    return await readProduction(file, { ...usual, ...how } as ProductionFormat);
  } finally {
    await Deno.remove(file);
  }
}

async function refused(rows: readonly string[], how: Partial<ProductionFormat>): Promise<string> {
  const { message } = await assertRejects(() => readRows(rows, how), Error);
  return message.slice(message.indexOf(".csv") + 4);
}

type Frame = Awaited<ReturnType<typeof readRows>>;

const powers = (frame: Frame) => listColumn(frame, "power") as (number | null)[];

const starts = (frame: Frame) =>
  Array.from(
    extractEpochs(frame, "time"),
    (epoch) => new Date(epoch).toISOString().slice(0, 16).replace("T", " "),
  );

/** Rows of values a number of minutes apart. */
const write = (values: readonly (number | "")[], minutes: number, first = "2023-05-01T00:00") =>
  values.map((value, i) =>
    `${
      Temporal.PlainDateTime.from(first).add({ minutes: minutes * i }).toString().slice(0, 16)
        .replace("T", " ")
    },${value}`
  );

describe("parts of an hour", () => {
  const values = Array.from({ length: 288 }, (_, i) => (i * 7) % 100);
  for (const minutes of [5, 15, 30]) {
    const resolution = `${minutes}min` as "5min";
    const rows = write(values, minutes);
    const perHour = 60 / minutes;

    it(`of ${minutes} minutes: powers are averaged to hours, energies are added`, async () => {
      for (const plain of [{}, { decimal: "." as const }]) {
        const power = await readRows(rows, { ...plain, resolution, unit: "kW" });
        assertEquals(powers(power), values);
        const energy = await readRows(rows, { ...plain, resolution, unit: "kWh" });
        for (const [i, kW] of powers(energy).entries()) {
          assertAlmostEquals(kW!, values[i] * perHour, 1e-9);
        }
        const hour = values.slice(0, perHour).reduce((sum, one) => sum + one, 0);
        assertAlmostEquals(powers(toHours(power))[0]!, hour / perHour, 1e-9);
        assertAlmostEquals(powers(toHours(energy))[0]!, hour, 1e-9);
      }
    });

    it(`of ${minutes} minutes: the end of a step, and the readings of a meter`, async () => {
      const later = write(values, minutes, `2023-05-01T00:${String(minutes).padStart(2, "0")}`);
      for (const plain of [{}, { decimal: "." as const }]) {
        const frame = await readRows(later, { ...plain, resolution, unit: "kW", stamp: "end" });
        assertEquals(starts(frame)[0], "2023-05-01 00:00");
      }
      const meter = write(values.map((_, i) => 10 * i), minutes);
      const counted = await readRows(meter, { resolution, unit: "kWh", counter: true });
      assertEquals(new Set(powers(counted)), new Set([10 * perHour]));
    });
  }

  it("a wrong resolution is refused with the one that the rows have", async () => {
    const advise = async (minutes: number, resolution: "5min" | "15min") =>
      (await refused(write(values, minutes), { resolution, unit: "kWh" })).replace(/^.*apart/, "");
    assertEquals(await advise(5, "15min"), '. Declare resolution "5min"');
    assertEquals(await advise(15, "5min"), '. Declare resolution "15min"');
    assertEquals(await advise(30, "5min"), '. Declare resolution "30min"');
    assertEquals(await advise(60, "15min"), '. Declare resolution "hour"');
    assertEquals(await advise(1440, "15min"), '. Declare resolution "day"');
  });
});

describe("days", () => {
  const day = { resolution: "day", unit: "MWh" } as const;
  const berlin = { ...day, time_zone: "Europe/Berlin" };
  /** Days from a first one. */
  const days = (first: string, count: number, value: (i: number) => number | "" = () => 24) =>
    Array.from(
      { length: count },
      (_, i) => `${Temporal.PlainDate.from(first).add({ days: i })},${value(i)}`,
    );

  it("have the hours of their zone: 23 and 25 if clocks change", async () => {
    const frame = await readRows(days("2023-03-25", 3), berlin);
    assertEquals(starts(frame), ["2023-03-24 23:00", "2023-03-25 23:00", "2023-03-26 22:00"]);
    assertEquals(powers(frame), [1000, 24_000 / 23, 1000]);
    const autumn = await readRows(days("2023-10-28", 3), berlin);
    assertEquals(powers(autumn), [1000, 960, 1000]);
    assertEquals(powers(await readRows(days("2023-10-28", 3), day)), [1000, 1000, 1000]);
  });

  it("add up to months, energies and mean powers", async () => {
    const year = days("2023-01-01", 365);
    const energies = toMonths(await readRows(year, berlin));
    assertEquals(energies.columns, ["month", "energy", "valid_hours"]);
    const hours = [744, 672, 743, 720, 744, 720, 744, 744, 720, 745, 720, 744];
    assertEquals(listColumn(energies, "valid_hours"), hours);
    for (const [i, energy] of listColumn(energies, "energy").entries()) {
      assertAlmostEquals(energy as number, 24 * new Date(2023, i + 1, 0).getDate(), 1e-9);
    }
    const means = toMonths(await readRows(year, { ...berlin, unit: "kW" }));
    for (const [i, energy] of listColumn(means, "energy").entries()) {
      assertAlmostEquals(energy as number, 24 * hours[i] / 1000, 1e-9);
    }
  });

  it("that are missing or empty add no hours to their month", async () => {
    const rows = days("2023-05-01", 61, (i) => i === 4 ? "" : 24).filter((_, i) => i !== 20);
    const months = toMonths(await readRows(rows, day));
    assertEquals(listColumn(months, "valid_hours"), [29 * 24, 720]);
    assertEquals(listColumn(months, "energy"), [29 * 24, 720]);
    const none = toMonths(await readRows(days("2023-05-01", 31, () => ""), day));
    assertEquals([listColumn(none, "energy"), listColumn(none, "valid_hours")], [[null], [0]]);
  });

  it("stamped at their end belong to the day before, as a date, at 00:00 and at 24:00", async () => {
    const ends: ProductionFormat["time_format"][] = [undefined, "DD.MM.YYYY HH:mm", "DD.MM.YYYY"];
    const rows = [
      ["2023-05-01 00:00,20", "2023-05-02 00:00,30"],
      ["01.05.2023 00:00,20", "01.05.2023 24:00,30"],
      ["01.05.2023,20", "02.05.2023,30"],
    ];
    for (const [i, time_format] of ends.entries()) {
      const format = { ...berlin, ...time_format ? { time_format } : {} };
      const frame = await readRows(rows[i], { ...format, stamp: "end" });
      assertEquals(starts(frame), ["2023-04-29 22:00", "2023-04-30 22:00"]);
      const dayPowers = await readRows(rows[i], format);
      assertEquals(starts(dayPowers), ["2023-04-30 22:00", "2023-05-01 22:00"]);
    }
  });

  it("may begin after a skipped midnight, or at an offset", async () => {
    const chile = await readRows(days("2023-09-02", 3), { ...day, time_zone: "America/Santiago" });
    assertEquals(starts(chile), ["2023-09-02 04:00", "2023-09-03 04:00", "2023-09-04 03:00"]);
    assertEquals(powers(chile)[1], 24_000 / 23);
    const offsets = ["2023-05-01T00:00+02:00,24", "2023-05-02T00:00+02:00,24"];
    assertEquals(starts(await readRows(offsets, berlin))[0], "2023-04-30 22:00");
    assertEquals(
      await refused(["2023-05-01T00:00Z,24", "2023-05-02T00:00Z,24"], berlin),
      ': line 2, column "time": 2023-05-01T02:00Z is not the start of a day. Write the date alone, or declare the ' +
        "time_zone in which its days begin at 00:00",
    );
    const utc = await readRows(["2023-05-01T00:00Z,24", "2023-05-02T00:00Z,24"], day);
    assertEquals(starts(utc)[0], "2023-05-01 00:00");
  });

  it("need a zone, which sets their hours", async () => {
    const message = await refused(days("2023-05-01", 3), { ...day, time_zone: undefined as never });
    assertEquals(message.includes('Give its time zone, such as "UTC" or'), true, message);
  });

  it("are refused if they repeat, go back, or are other periods", async () => {
    const advise = async (rows: readonly string[], how: Partial<ProductionFormat> = day) =>
      (await refused(rows, how)).replace(/^.*Z (is|comes)/, "$1");
    const [one, two, three] = days("2023-05-01", 3);
    assertEquals(await advise([one, two, two]), "is duplicated. Remove one of the rows");
    assertEquals(
      await advise([one, three, two]),
      "comes after 2023-05-03T00:00Z. Sort the rows by time",
    );
    assertEquals(powers(await readRows([three, two, one], day)).length, 3);
    assertEquals(
      await advise(write([1, 2, 3, 4], 60)),
      'is not the start of a day: the rows are 60 minutes apart. Declare resolution "hour"',
    );
    const noon = write([1, 2, 3], 1440, "2023-05-01T12:00");
    assertEquals(
      await advise(noon),
      "is not the start of a day. Write the date alone, or declare the time_zone in which its days " +
        "begin at 00:00",
    );
    const dates = noon.map((row) => row.replace(" 12:00", ""));
    assertEquals(powers(await readRows(dates, { ...day, unit: "kW" })), [1, 2, 3]);
    const format = await refused([], { ...day, time_format: "MM/YYYY" });
    assertEquals(
      format.slice(format.indexOf('"MM')),
      '"MM/YYYY" has no day. Give day, month and year, such as "DD/MM/YYYY"',
    );
  });

  it("have valid hours", async () => {
    const file = await Deno.makeTempFile({ suffix: ".csv" });
    await Deno.writeTextFile(file, "time,value,h\n2023-05-01,12,12\n2023-05-02,24,\n");
    const how = { ...day, column: "value", time: "time", time_zone: "UTC", valid_hours: "h" };
    const months = toMonths(await readProduction(file, how));
    assertEquals([listColumn(months, "energy"), listColumn(months, "valid_hours")], [[36], [36]]);
    await Deno.remove(file);
  });

  it("of a meter are readings at the start of the day, at its end, or at their stamp", async () => {
    const counted = async (rows: readonly string[], how: Partial<ProductionFormat>) => {
      const frame = await readRows(rows, { ...day, counter: true, ...how });
      return starts(frame).map((start, i) => [start.slice(8, 10), powers(frame)[i]]);
    };
    const dates = ["2023-05-01,100", "2023-05-02,124", "2023-05-03,172"];
    assertEquals(await counted(dates, {}), [["01", 1000], ["02", 2000]]);
    assertEquals(await counted(dates, { stamp: "end" }), [["02", 1000], ["03", 2000]]);
    const stamps = dates.map((row) => row.replace(",", " 00:00,"));
    for (const stamp of ["start", "end"] as const) {
      assertEquals(await counted(stamps, { stamp }), [["01", 1000], ["02", 2000]]);
    }
    const spring = ["2023-03-25,0", "2023-03-26,24", "2023-03-27,47", "2023-03-28,71"];
    const zone = { time_zone: "Europe/Berlin" };
    assertEquals((await counted(spring, zone)).map(([, kW]) => kW), [1000, 1000, 1000]);
  });

  it("are not averaged to hours: the message says how to add them up", async () => {
    const frame = await readRows(days("2023-05-01", 31), day);
    let message = "";
    try {
      toHours(frame);
    } catch (error) {
      message = (error as Error).message;
    }
    assertEquals(
      message,
      "Cannot average production to hours: each row covers a day or more. Add them up with toMonths()",
    );
    assertEquals(listColumn(toMonths(frame), "energy"), [744]);
  });
});

describe("a meter that restarts each day", () => {
  const hourly = { resolution: "hour", unit: "kWh", counter: "daily" } as const;
  const notesOf = (frame: Frame) =>
    provenance(frame).flatMap(({ notes = [] }) => notes).map((note) =>
      note.replace(/^.*?(line \d+), column "[^"]+"/, "$1")
    );
  /** Its hourly readings on days with a mean power; by default it shows the total of the day at 00:00. */
  const readings = (
    kW: readonly number[],
    { restart = 0, atMidnight = "total", minutes = 60 }: {
      restart?: number;
      atMidnight?: "total" | "zero";
      minutes?: number;
    } = {},
  ): number[] => {
    const meanAt = (hour: number) => kW[Math.min(kW.length - 1, Math.floor(hour / 24))];
    let reading = 0;
    const rows: number[] = [];
    const steps = kW.length * 24 * 60;
    for (let minute = 0; minute <= steps; minute++) {
      const isRestart = minute % 1440 === restart && minute > 0;
      if (isRestart && atMidnight === "zero") reading = 0;
      if (minute % minutes === 0) rows.push(Math.round(reading * 1000) / 1000);
      if (isRestart && atMidnight === "total") reading = 0;
      reading += meanAt(minute / 60) / 60;
    }
    return rows;
  };

  it("is refused if declared as another meter, with the remedy", async () => {
    const how: ProductionFormat = {
      ...{ time: "time", column: "EToday kWh", time_zone: "UTC" },
      ...{ resolution: "hour", unit: "kWh", counter: true },
    };
    for (const counter of [true, "resets", { rollover: 1e6 }] as const) {
      const { message } = await assertRejects(
        () => readProduction(`${UGLY}16_daily_counter.csv`, { ...how, counter }),
        Error,
      );
      assertEquals(
        message.slice(message.indexOf("line")),
        'line 26, column "EToday kWh": the meter shows 0, after 115, and less than before on 3 of 3 days, ' +
          'so it restarts each day. Declare counter "daily"',
      );
    }
    const frame = await readProduction(`${UGLY}16_daily_counter.csv`, { ...how, counter: "daily" });
    const expected = [5, 800, 700].flatMap((kW) => [...Array(23).fill(kW), null]);
    assertEquals(powers(frame), expected);
    assertEquals(notesOf(frame), [
      "line 26: the meter restarts between 23:00 and 00:00. The file does not show what it counted in " +
      "the step of a restart, so 3 steps are null",
    ]);
  });

  it("that shows the total at 00:00 loses nothing, even after a calm", async () => {
    for (const kW of [[5, 800, 700], [100, 0, 900, 0, 3], [0, 0, 0]]) {
      const frame = await readRows(write(readings(kW), 60), hourly);
      const expected = kW.flatMap((one) => Array(24).fill(one));
      assertEquals(powers(frame).map((one) => Math.round(one! * 100) / 100), expected);
      assertEquals(notesOf(frame), []);
    }
  });

  it("in steps of ten minutes that restarts at 00:10 or 00:30 is null only in that step", async () => {
    const kW = [600, 300, 900, 60];
    for (const restart of [10, 30]) {
      const values = readings(kW, { restart, minutes: 10 });
      const frame = await readRows(write(values, 10), { ...hourly, resolution: "10min" });
      const at = restart / 10; // the step that begins there
      for (const [i, one] of powers(frame).entries()) {
        if (i % 144 === at) assertEquals(one, null, `step ${i}`);
        else assertAlmostEquals(one!, kW[Math.floor(i / 144)], 0.02, `step ${i}`);
      }
      assertEquals(notesOf(frame).length, 1);
      const from = `00:${restart}`;
      assertEquals(
        notesOf(frame)[0].includes(`restarts between ${from} and 00:${restart + 10}`),
        true,
      );
    }
  });

  it("in hours that restarts at 00:30 has no first hour, because it counts only half of it", async () => {
    const kW = Array.from({ length: 30 }, (_, i) => 200 + (i * 37) % 300);
    const values = readings(kW, { restart: 30 });
    const frame = await readRows(write(values, 60), hourly);
    for (const [i, one] of powers(frame).entries()) {
      if (i % 24 === 0) assertEquals(one, null, `hour ${i}`);
      else assertAlmostEquals(one!, kW[Math.floor(i / 24)], 0.01, `hour ${i}`);
    }
    assertEquals(notesOf(frame), [
      "line 3: the meter restarts later than at 00:00: it counts less up to its next reading than in the " +
      "neighbouring steps. The file does not show what it counted in the step of a restart, so 30 steps are null",
    ]);
  });

  it("on a clock without summer time is read in both halves of a year", async () => {
    const zone = "Europe/Berlin";
    const start = Temporal.ZonedDateTime.from(`2023-03-20T00:00[${zone}]`);
    let reading = 0;
    const rows: string[] = [];
    for (let hour = 0; hour <= 24 * 14; hour++) {
      const time = start.add({ hours: hour });
      rows.push(`${time.toString().slice(0, 22)},${reading}`);
      if (time.toInstant().toZonedDateTimeISO("+01:00").hour === 0) reading = 0;
      reading += 100 + 10 * Math.floor(hour / 24);
    }
    const stamps = rows.map((row) => row.replace(/(\+\d\d):?(\d?\d?),/, "$1:00,"));
    const frame = await readRows(stamps, { ...hourly, time_zone: zone });
    const read = powers(frame);
    const wrong = read.filter((one, hour) =>
      one !== null && Math.abs(one - (100 + 10 * Math.floor(hour / 24))) > 1e-6
    );
    assertEquals(wrong, []);
    assertEquals(read.filter((one) => one === null).length <= 8, true);
  });

  it("that does not restart each day is refused, with the remedy", async () => {
    const total = write(Array.from({ length: 24 * 5 }, (_, i) => 5000 + 10 * i), 60);
    const message = await refused(total, hourly);
    assertEquals(
      message,
      ': line 2, column "value": the meter shows less than before on 0 of 5 days, so it does not restart each ' +
        'day. Declare counter true, or "resets" if it was set back',
    );
    const frame = await readRows(total, { ...hourly, counter: true });
    assertEquals(new Set(powers(frame)), new Set([10]));
    const reset = write(Array.from({ length: 24 * 5 }, (_, i) => (500 + i) % 560), 60);
    await assertRejects(() => readRows(reset, hourly), Error, "on 1 of 5 days");
    const once = await readRows(reset, { ...hourly, counter: "resets" });
    assertEquals(powers(once).filter((one) => one === null).length, 1);
  });

  it("is not a column of energies, which fall at any time", async () => {
    const energies = Array.from({ length: 24 * 20 }, (_, i) => 100 + (i * i * 7) % 50);
    const rows = write(energies, 60);
    const message = await refused(rows, hourly);
    assertEquals(
      message.slice(message.indexOf("times on")),
      "times on 20 days, so it does not restart once a day. If the values are the energies of their steps, " +
        'omit "counter"',
    );
    assertEquals(powers(await readRows(rows, { ...hourly, counter: false })), energies);
    assertEquals((await readRows(rows, { ...hourly, counter: "resets" })).height, 24 * 20 - 1);
  });

  it("shows energies as daily values, and has no monthly ones", async () => {
    for (const resolution of ["day", "month"] as const) {
      const message = await refused([], { ...hourly, resolution });
      assertEquals(message.includes("counter: "), true, message);
    }
    const totals = await readRows(["2023-05-01,24", "2023-05-02,48"], {
      resolution: "day",
      unit: "MWh",
    });
    assertEquals(powers(totals), [1000, 2000]);
  });

  it("is not suspected if a meter is set back now and then", async () => {
    const values = Array.from({ length: 24 * 30 }, (_, i) => i % 290);
    const frame = await readRows(write(values, 60), { ...hourly, counter: "resets" });
    assertEquals(powers(frame).filter((one) => one === null).length, 2);
  });
});
