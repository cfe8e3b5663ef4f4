/**
 * Real-world exports, each with one fault: following the advice of the message gives the right figures.
 *
 * @module
 */
import pl from "nodejs-polars";
import { assertAlmostEquals, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { readProduction } from "../../../src/frames/presets/read_production.ts";
import type { ProductionFormat } from "../../../src/frames/production/production.ts";
import { toHours } from "../../../src/frames/production/to_hours.ts";
import { toMonths } from "../../../src/frames/production/to_months.ts";
import { extractEpochs } from "../../../src/frames/frame.ts";
import { listColumn } from "../_text.ts";

const UGLY = new URL("../ugly/", import.meta.url).pathname;

const read = (file: string, how: ProductionFormat) => readProduction(UGLY + file, how);

async function refused(file: string, how: ProductionFormat): Promise<string> {
  const { message } = await assertRejects(() => read(file, how), Error);
  return message.replaceAll(UGLY, "");
}

/** Reads a file of `ugly/` after changing its text as a message advises. */
async function readChanged(file: string, how: ProductionFormat, change: (text: string) => string) {
  const folder = await Deno.makeTempDir();
  try {
    const text = await Deno.readTextFile(UGLY + file);
    await Deno.writeTextFile(`${folder}/${file}`, change(text));
    return await readProduction(`${folder}/${file}`, how);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const hourly = { time: "time", resolution: "hour", unit: "kW", time_zone: "UTC" } as const;

describe("SI6 units", () => {
  it("SI6 W is declared as the message says", async () => {
    const how: ProductionFormat = { ...hourly, column: "P (W)" };
    assertEquals(
      await refused("03_watt.csv", how),
      'Cannot read 03_watt.csv: column "P (W)" says W, but its unit is declared as kW. Declare unit "W"',
    );
    const power = listColumn(await read("03_watt.csv", { ...how, unit: "W" }), "power") as number[];
    assertEquals(power.length, 72);
    assertAlmostEquals(power[0], 10.165, 1e-12);
    const any = await read("03_watt.csv", { ...how, unit: "W", decimal: "." });
    assertEquals(listColumn(any, "power"), power);
  });

  it("SI6 W, kW, MW, GW, Wh, kWh, MWh and GWh give the same power and energy", async () => {
    const units = { W: 1e6, kW: 1000, MW: 1, GW: 1e-3, Wh: 1e6, kWh: 1000, MWh: 1, GWh: 1e-3 };
    const write = (row: string, value: number) => () => `time,value\n${row},${value}\n`;
    for (const [name, value] of Object.entries(units)) {
      const unit = name as ProductionFormat["unit"];
      const how: ProductionFormat = { ...hourly, column: "value", unit };
      for (const plain of [how, { ...how, decimal: "." as const }]) {
        const frame = await readChanged("03_watt.csv", plain, write("2023-05-01T00:00", value));
        assertAlmostEquals(listColumn(frame, "power")[0] as number, 1000, 1e-9, unit);
      }
      if (!unit.endsWith("Wh")) continue;
      const { time_zone: _, ...month } = { ...how, resolution: "month" as const };
      const frame = await readChanged("03_watt.csv", month, write("2023-05", value));
      assertAlmostEquals(listColumn(frame, "energy")[0] as number, 1, 1e-12, unit);
      const tens: ProductionFormat = { ...how, resolution: "10min" };
      const ten = await readChanged("03_watt.csv", tens, write("2023-05-01T00:10", value));
      assertAlmostEquals(listColumn(ten, "power")[0] as number, 6000, 1e-9, unit);
    }
  });

  it("SI6 a unit in the name is declared as written there, whatever its case", async () => {
    const how: ProductionFormat = { ...hourly, column: "Energy_wh" };
    const rename = (text: string) => text.replace("P (W)", "Energy_wh");
    const { message } = await assertRejects(() => readChanged("03_watt.csv", how, rename), Error);
    assertEquals(
      message.slice(message.indexOf("column")),
      'column "Energy_wh" says Wh, but its unit is declared as kW. Declare unit "Wh"',
    );
    const frame = await readChanged("03_watt.csv", { ...how, unit: "Wh" }, rename);
    assertAlmostEquals(listColumn(frame, "power")[0] as number, 10.165, 1e-12);
  });
});

/** Texts of the rows of a file of two columns, with their header. */
function splitRows(text: string): [header: string, rows: [time: string, value: number][]] {
  const [header, ...rows] = text.trim().split("\n");
  return [header, rows.map((row) => [row.split(",")[0], Number(row.split(",")[1])])];
}

/** Combines the rows whose times begin alike, as a message advises. */
const combine = (letters: number, add: boolean, end = "") => (text: string): string => {
  const [header, rows] = splitRows(text);
  const periods = Map.groupBy(rows, ([time]) => time.slice(0, letters));
  const value = (periodRows: readonly [string, number][]) =>
    periodRows.reduce((sum, [, one]) => sum + one, 0) / (add ? 1 : periodRows.length);
  return [header, ...[...periods].map(([time, periodRows]) => `${time}${end},${value(periodRows)}`)]
    .join("\n");
};

const powers = (frame: Parameters<typeof listColumn>[0]) => listColumn(frame, "power") as number[];

const sum = (values: readonly number[]) => values.reduce((all, one) => all + one, 0);

describe("SI4 steps of another length", () => {
  const column = "Energy kWh";
  const energies: ProductionFormat = { ...hourly, column, unit: "kWh" };

  it("SI4 energies are added, and give the energy of the file", async () => {
    for (const resolution of ["hour", "10min"] as const) {
      assertEquals(
        await refused("29_quarter_kwh.csv", { ...energies, resolution }),
        `Cannot use 29_quarter_kwh.csv: line 3: 2023-05-01T00:15Z is not a whole ${
          resolution === "hour" ? "hour" : "ten minutes"
        }: the rows are 15 minutes apart. Declare resolution "15min"`,
      );
    }
    const frame = await read("29_quarter_kwh.csv", { ...energies, resolution: "15min" });
    const [, rows] = splitRows(await Deno.readTextFile(`${UGLY}29_quarter_kwh.csv`));
    assertEquals(frame.height, 192);
    assertAlmostEquals(sum(powers(frame)) / 4, sum(rows.map(([, kwh]) => kwh)), 1e-6);
  });

  it("SI4 powers are averaged", async () => {
    for (
      const [file, minutes, resolution] of [
        ["02_quarters.csv", 15, "15min"],
        ["02_halfhours.csv", 30, "30min"],
      ] as const
    ) {
      const how: ProductionFormat = { ...hourly, column: "Power kW" };
      assertEquals(
        await refused(file, how),
        `Cannot use ${file}: line 3: 2023-05-01T00:${minutes}Z is not a whole hour: the rows are ` +
          `${minutes} minutes apart. Declare resolution "${resolution}"`,
      );
      const frame = toHours(await read(file, { ...how, resolution }));
      const [, rows] = splitRows(await Deno.readTextFile(UGLY + file));
      assertEquals(frame.height, 48);
      const mean = sum(rows.map(([, kW]) => kW)) / rows.length;
      assertAlmostEquals(sum(powers(frame)) / 48, mean, 1e-9);
    }
  });

  it("SI4 steps without a resolution are combined to hours: energies added, powers averaged", async () => {
    const write = () => {
      const rows = Array.from({ length: 72 }, (_, i) => {
        const time = Temporal.PlainDateTime.from("2023-05-01T00:00").add({ minutes: 20 * i });
        return `${time.toString().slice(0, 16)},${100 + i}`;
      });
      return ["time,value", ...rows].join("\n");
    };
    for (const unit of ["kWh", "kW"] as const) {
      const how: ProductionFormat = { ...hourly, column: "value", unit };
      const { message } = await assertRejects(
        () => readChanged("02_quarters.csv", how, write),
        Error,
      );
      const advice = unit === "kWh" ? "Add up the energies" : "Average the powers";
      assertEquals(
        message.slice(message.indexOf("the rows")),
        `the rows are 20 minutes apart. ${advice} of each hour, and declare resolution "hour"`,
      );
      const right = () => combine(13, unit === "kWh", ":00")(write());
      const frame = await readChanged("02_quarters.csv", how, right);
      assertEquals(powers(frame).slice(0, 2), unit === "kWh" ? [303, 312] : [101, 104]);
    }
  });

  it("SI4 days are declared, and added to months: energies as they are, powers with their hours", async () => {
    const days: ProductionFormat = { ...energies, time: "date" };
    assertEquals(
      await refused("02_days.csv", days),
      "Cannot use 02_days.csv: line 3: 2023-01-02T00:00Z is not one step after the row before: the " +
        'rows are 1 day apart. Declare resolution "day"',
    );
    const frame = toMonths(await read("02_days.csv", { ...days, resolution: "day" }));
    const [, rows] = splitRows(await Deno.readTextFile(`${UGLY}02_days.csv`));
    const january = sum(rows.slice(0, 31).map(([, kwh]) => kwh)) / 1000;
    assertAlmostEquals(listColumn(frame, "energy")[0] as number, january, 1e-9);
    assertEquals(frame.height, 12);

    const two = (text: string) =>
      text.split("\n").filter((_, i) => i === 0 || i % 2 === 1).join("\n");
    const { message } = await assertRejects(
      () => readChanged("02_days.csv", { ...days, resolution: "day" }, two),
      Error,
    );
    assertEquals(
      message.slice(message.indexOf("the rows")),
      'the rows are 2 days apart. Add up the energies of each month, and declare resolution "month"',
    );
    const { time_zone: _, ...months } = { ...days, resolution: "month" as const };
    const added = await readChanged("02_days.csv", months, (text) => combine(7, true)(two(text)));
    assertEquals(added.height, 12);
  });

  it("SI4 ten minutes and hours are declared", async () => {
    const how: ProductionFormat = { ...hourly, column: "Production", unit: "kWh" };
    const message = await refused("23_energy10.csv", how);
    assertEquals(
      message.slice(message.indexOf("the rows")),
      'the rows are 10 minutes apart. Declare resolution "10min"',
    );
    assertEquals((await read("23_energy10.csv", { ...how, resolution: "10min" })).height, 288);
    const tens: ProductionFormat = { ...hourly, column: "Power kW", resolution: "10min" };
    const hours = (text: string) => combine(13, false, ":00")(text);
    const { message: other } = await assertRejects(
      () => readChanged("02_quarters.csv", tens, hours),
      Error,
    );
    assertEquals(
      other.slice(other.indexOf("the rows")),
      'the rows are 60 minutes apart. Declare resolution "hour"',
    );
  });

  it("SI4 one time off the step is corrected, or left out", async () => {
    const how: ProductionFormat = { ...hourly, column: "Power kW", resolution: "10min" };
    assertEquals(
      await refused("13_seconds.csv", how),
      "Cannot use 13_seconds.csv: line 4: 2023-05-01T00:19:59Z is not a whole ten minutes. Write the " +
        "time at which its period begins, or remove the row",
    );
    const right = (text: string) =>
      text.replaceAll(/(\d\d):(\d)9:59/g, (_, hour, ten) => {
        const next = Number(hour) * 6 + Number(ten) + 1;
        return `${String(Math.floor(next / 6)).padStart(2, "0")}:${next % 6}0:00`;
      });
    const frame = await readChanged("13_seconds.csv", how, right);
    assertEquals(powers(frame).slice(0, 3), [1000, 1001, 1002]);
  });
});

describe("SI4 times that step back", () => {
  const swapped: ProductionFormat = {
    ...hourly,
    column: "Power kW",
    time: "Time",
    time_format: "DD/MM/YYYY HH:mm",
  };

  it("SI4 come from swapped days and months, which are exported again", async () => {
    assertEquals(
      await refused("08_swapped.xlsx", swapped),
      "Cannot use 08_swapped.xlsx: cell A26: 2023-02-03T00:00Z comes after 2023-01-03T23:00Z: day and " +
        "month are probably swapped in some of the times. If all times are texts, correct time_format. Otherwise " +
        "export them again as texts like 2023-05-31 13:00, and leave time_format out",
    );
  });

  /** A column of hours of 2023 whose days up to the 12th are swapped with their months. */
  const write = (from: string, days: number, isSwapped: boolean) => () => {
    const start = Temporal.PlainDateTime.from(`${from}T00:00`);
    const rows = Array.from({ length: days * 24 }, (_, i) => {
      const time = start.add({ hours: i });
      const [month, day] = isSwapped && time.day <= 12
        ? [time.day, time.month]
        : [time.month, time.day];
      return `${time.with({ day: 1 }).with({ month, day }).toString().slice(0, 16)},${i}`;
    });
    return ["Time,Power kW", ...rows].join("\n");
  };
  const { time_format: _, ...iso } = swapped;

  it("SI4 are found in texts too, from the first row or the last, and in parts of a month", async () => {
    for (const how of [iso, { ...iso, decimal: "." as const }]) {
      for (
        const [from, days] of [["2023-05-01", 60], ["2023-05-10", 5], ["2023-04-28", 10]] as const
      ) {
        const right = await readChanged("02_quarters.csv", how, write(from, days, false));
        assertEquals(powers(right)[25], 25);
        const reverse = (text: string) => {
          const [header, ...rows] = write(from, days, true)().split("\n");
          return [header, ...rows.reverse()].join("\n") + text.slice(0, 0);
        };
        for (const change of [write(from, days, true), reverse]) {
          const { message } = await assertRejects(
            () => readChanged("02_quarters.csv", how, change),
            Error,
            "day and month are probably swapped",
          );
          assertEquals(message.includes("Sort"), false);
        }
      }
    }
  });

  it("SI4 are not a swap if months were joined in another order, or are missing", async () => {
    const gaps = () => {
      const [header, ...rows] = write("2023-01-01", 300, false)().split("\n");
      return [header, ...rows.slice(0, 100), ...rows.slice(1500, 1600), ...rows.slice(4000)].join(
        "\n",
      );
    };
    assertEquals(powers(await readChanged("02_quarters.csv", iso, gaps))[100], 1500);
    const other = () => {
      const [header, ...rows] = write("2023-01-01", 120, false)().split("\n");
      return [header, ...rows.slice(1416), ...rows.slice(0, 1416)].join("\n");
    };
    const { message } = await assertRejects(
      () => readChanged("02_quarters.csv", iso, other),
      Error,
    );
    assertEquals(message.slice(message.indexOf("Sort")), "Sort the rows by time");
    const sorted = () => {
      const [header, ...rows] = other().split("\n");
      return [header, ...rows.sort()].join("\n");
    };
    assertEquals(
      powers(await readChanged("02_quarters.csv", iso, sorted)),
      Array.from({ length: 120 * 24 }, (_, i) => i),
    );
  });

  it("SI4 are the last hour of its day, written as 00:00", async () => {
    const lastHour = (next: boolean) => () => {
      const rows = Array.from({ length: 72 }, (_, i) => {
        const day = 1 + Math.floor(i / 24) + Number(next && i % 24 === 23);
        return `2023-05-0${day} ${String((i + 1) % 24).padStart(2, "0")}:00,${i}`;
      });
      return ["Time,Power kW", ...rows].join("\n");
    };
    const how: ProductionFormat = { ...iso, stamp: "end" };
    const { message } = await assertRejects(
      () => readChanged("02_quarters.csv", how, lastHour(false)),
      Error,
    );
    assertEquals(
      message.slice(message.indexOf("line 25")),
      "line 25: 2023-05-01T00:00Z comes after 2023-05-01T23:00Z: it is probably the end of that day. " +
        "Write it as 00:00 of the next day",
    );
    assertEquals(
      powers(await readChanged("02_quarters.csv", how, lastHour(true))),
      Array.from({ length: 72 }, (_, i) => i),
    );
  });
});

const firstTime = (frame: pl.DataFrame) =>
  new Date(extractEpochs(frame.head(1), "time")[0]).toISOString().slice(0, 10);

describe("SI10 times, columns and numbers", () => {
  it("SI10 a year of two digits after today is refused, and read with four", async () => {
    const how: ProductionFormat = {
      ...{ ...hourly, time: "Zeit", column: "Leistung kW" },
      time_format: "DD.MM.YY HH:mm",
    };
    assertEquals(
      await refused("01_years98.csv", how),
      'Cannot use 01_years98.csv: line 2, column "Zeit": 2098-01-01T00:00Z is after today. Write years ' +
        "with four digits, and declare them as YYYY",
    );
    const four = { ...how, time_format: "DD.MM.YYYY HH:mm" };
    const frame = await readChanged(
      "01_years98.csv",
      four,
      (text) => text.replaceAll(".98 ", ".1998 "),
    );
    assertEquals(firstTime(frame), "1998-01-01");
    const today = await readChanged(
      "01_years98.csv",
      how,
      (text) => text.replaceAll(".98 ", ".23 "),
    );
    assertEquals(firstTime(today), "2023-01-01");

    const polish = (text: string) => text.replaceAll(".01.98 ", " sty 98 ");
    await assertRejects(
      () => readChanged("01_years98.csv", { ...how, time_format: "DD MMM YY HH:mm" }, polish),
      Error,
      "2098-01-01T00:00Z is after today. Write years with four digits",
    );

    const months: ProductionFormat = {
      ...{ column: "Energy MWh", time: "Month", resolution: "month", unit: "MWh" },
      time_format: "MM-YY",
    };
    assertEquals(
      await refused("01b_years98_monthly.csv", months),
      'Cannot read 01b_years98_monthly.csv: line 2, column "Month": 2098-01-01T00:00Z is after today. ' +
        "Write years with four digits, and declare them as YYYY",
    );
    const all = await readChanged(
      "01b_years98_monthly.csv",
      { ...months, time_format: "MM-YYYY" },
      (text) =>
        text.replaceAll(
          /^(\d\d)-(\d\d)/gm,
          (_, month, year) => `${month}-${year > "50" ? 19 : 20}${year}`,
        ),
    );
    assertEquals([all.height, listColumn(all, "energy")[47]], [48, 112]);
  });

  it("SI10 a time after today is refused in plain texts, typed frames, months and years", async () => {
    const next = new Date().getUTCFullYear() + 1;
    const how: ProductionFormat = { ...hourly, column: "Power kW" };
    const late = (text: string) => text.replaceAll("2023-", `${next}-`);
    const problem = `2: ${next}-05-01T00:00Z is after today. Correct it, or remove the row`;
    const { message } = await assertRejects(
      () => readChanged("17b_dup_other.csv", how, late),
      Error,
    );
    assertEquals(message.slice(-problem.length), problem);

    const folder = await Deno.makeTempDir();
    try {
      for (
        const [name, type, resolution, cell] of [
          ["hours", pl.Datetime("us"), "hour", new Date(`${next + 40}-03-01T00:00Z`)],
          ["dates", pl.Date, "month", new Date(`${next}-03-01T00:00Z`)],
        ] as const
      ) {
        const file = `${folder}/${name}.parquet`;
        const times = pl.Series("time", [cell.getTime() * 1000]).cast(pl.Datetime("us"));
        const time = type === pl.Date ? times.cast(pl.Date) : times;
        await Deno.writeFile(file, pl.DataFrame([time, pl.Series("value", [5])]).writeParquet());
        const { time_zone, ...rest } = hourly;
        const typed: ProductionFormat = {
          ...{ ...rest, column: "value", resolution, unit: "kWh" },
          ...(resolution === "hour" ? { time_zone } : {}),
        };
        await assertRejects(() => readProduction(file, typed), Error, "is after today. Correct it");
      }
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
    for (const resolution of ["month", "year"] as const) {
      const period = resolution === "month" ? `${next}-02` : `${next}`;
      await assertRejects(
        () =>
          readChanged(
            "17b_dup_other.csv",
            { time: "t", column: "e", resolution, unit: "MWh" },
            () => `t,e\n${period},5\n`,
          ),
        Error,
        "is after today. Correct it",
      );
    }
  });

  it("SI10 the rest of this year is accepted, because forms are filled in advance", async () => {
    const year = new Date().getUTCFullYear();
    const frame = await readChanged(
      "17b_dup_other.csv",
      { ...hourly, column: "v", time: "t", stamp: "end" },
      () => `t,v\n${year}-12-31T23:00,1\n${year + 1}-01-01T00:00,\n`,
    );
    assertEquals(powers(frame), [1, null as never]);
  });

  it("SI10 an unwanted column may be duplicated, a wanted one may not", async () => {
    const how: ProductionFormat = { ...hourly, column: "Power kW" };
    for (const any of [how, { ...how, decimal: "." as const }]) {
      const frame = await read("17b_dup_other.csv", any);
      assertEquals([frame.height, powers(frame)[47]], [48, 1047]);
      await assertRejects(
        () => read("17b_dup_other.csv", { ...any, column: "Wind" }),
        Error,
        'column "Wind" is duplicated',
      );
    }
  });

  it("SI10 a minus after a number, or another minus sign, is a minus", async () => {
    const how: ProductionFormat = { ...hourly, column: "Power kW" };
    for (const any of [how, { ...how, decimal: "," as const }]) {
      assertEquals(powers(await read("12b_sapminus.csv", any)).slice(0, 2), [-12.5, 1234.5]);
      const sign = (text: string) => text.replace("12,5-", "\u221212,5");
      assertEquals(powers(await readChanged("12b_sapminus.csv", any, sign))[0], -12.5);
      for (const none of ["5-6-", "--5", "5--"]) {
        await assertRejects(
          () => readChanged("12b_sapminus.csv", any, (text) => text.replace("12,5-", none)),
          Error,
          "is not a number",
        );
      }
    }
  });
});
