/**
 * Valid but extreme files, with the doors that read them, expected results, and bounds on time and memory.
 *
 * @module
 */
import pl from "nodejs-polars";
import { buildDatetimes, buildNumbers } from "../../src/frames/frame.ts";
import { buildWorkbook, formatRow } from "../frames/_workbook.ts";
import type { Door } from "./_extreme_child.ts";

/** A file and its expected results. */
export interface FileCase {
  readonly name: string;
  readonly file: string;
  readonly write: (path: string) => Promise<void>;
  /** Rows that a door must read, or the message of its rejection. */
  readonly doors: { readonly [Name in Door]?: number | RegExp };
  /** Longest time of each door, s: several times the time of an idle machine. */
  readonly seconds: number;
  /** Most memory of each door, MB. */
  readonly megabytes: number;
}

const MINUTE = 60_000;
const TOO_FAR = /has a cell \w+, so it is too large/;
const TOO_LONG = /line .*(?:longer|more) than \d+ bytes: it is not a table/;
const TOO_MANY = /it has \d+ x \d+ values, more than fit into \d+ MiB/;

function* times(count: number, make: (i: number) => string): Generator<string> {
  for (let i = 0; i < count; i++) yield make(i);
}

/** Writes a text in chunks of a few megabytes. */
const text = (parts: () => Iterable<string | Iterable<string>>) => async (path: string) => {
  using file = await Deno.open(path, { write: true, create: true, truncate: true });
  const writer = file.writable.getWriter();
  let text = "";
  for (const part of parts()) {
    for (const one of typeof part === "string" ? [part] : part) {
      text += one;
      if (text.length < 2 ** 22) continue;
      await writer.write(new TextEncoder().encode(text));
      text = "";
    }
  }
  await writer.write(new TextEncoder().encode(text));
  await writer.close();
};

const workbook = (rows: () => Iterable<string>) => (path: string) =>
  Deno.writeFile(path, buildWorkbook(rows()));

const stamp = (from: number, step: number) => (i: number) =>
  new Date(from + i * step).toISOString().slice(0, 16);
const tenMinutes = stamp(Date.UTC(1900, 0, 1), 10 * MINUTE);
const minutes = stamp(Date.UTC(2014, 0, 1), MINUTE);
const hours = stamp(Date.UTC(1850, 0, 1), 60 * MINUTE);
const month = (i: number) => `${2010 + Math.floor(i / 12)}-${String(i % 12 + 1).padStart(2, "0")}`;

const register = (turbines: number, months: number) =>
  workbook(function* () {
    const names = ["GSRN", "Kapacitet (kW)", "Rotor-diameter (m)", "Navhøjde (m)", "Fabrikat"];
    const header = [...names, ...Array.from({ length: months }, (_, i) => month(i))];
    yield formatRow(0, header.entries());
    for (let i = 0; i < turbines; i++) {
      const id = `5707150000${String(i).padStart(8, "0")}`;
      const energies = Array.from({ length: months }, (_, m) => 400_000 + 1000 * m + i);
      yield formatRow(i + 1, [id, 2000, 80, 70, "Vestas", ...energies].entries());
    }
  });

/** Rows in long format: one for each turbine and month. */
const turbineMonths = (energy: (turbine: number, month: number) => number) =>
  times(
    1_200_000,
    (i) => `T${Math.floor(i / 12)},${month(i % 12)},${energy(Math.floor(i / 12), i % 12)}\n`,
  );

const turbine = (i: number) =>
  JSON.stringify({
    id: `T${i}`,
    name: `Turbine ${i}`,
    latitude: 55,
    longitude: 8,
    elevation: 10,
    hub_height: 80,
    rotor_diameter: 82,
    rated_power: 2000,
    time_zone: "Europe/Copenhagen",
    power_control: "pcPitch",
    power_curve: [{ wind_speed: 3, power: 0 }, { wind_speed: 12, power: 2000 }],
    production: [{
      file: "p.csv",
      ...{ column: "power", time: "time", resolution: "hour", unit: "kW" },
    }],
  });

/** The site file around the turbines. */
const [SITE_HEAD, SITE_END] = JSON.stringify({
  site: "register",
  dataset: { service_id: "era5", short_description: "ERA5", attribution: ["Copernicus"] },
  climate: [{
    files: ["climate.csv"],
    latitude: 55,
    longitude: 8,
    stamp: "instant",
    time: { column: "time" },
    variables: {
      wind_speed_100: { column: "speed" },
      wind_direction_100: { column: "direction" },
      temperature: { column: "temperature" },
    },
  }],
  turbines: ["-"],
}).split('"-"');

/** The cases. */
export const fileCases: readonly FileCase[] = [
  {
    name: "workbook, one cell in column XFD in each of 60,000 rows",
    file: "sparse.xlsx",
    write: workbook(() => times(60_000, (i) => formatRow(i, [[16_383, 1]]))),
    doors: {
      "recognizeFile()": TOO_FAR,
      "readProduction() of months": TOO_FAR,
      "readTurbines()": TOO_FAR,
    },
    seconds: 3,
    megabytes: 500,
  },
  {
    name: "workbook, a cell in its last row",
    file: "deep.xlsx",
    write: workbook(() => [
      formatRow(0, [[0, "month"], [1, "energy"]]),
      formatRow(1, [[0, "2023-01"], [1, 1]]),
      formatRow(1_048_575, [[0, "2023-02"]]),
    ]),
    doors: { "recognizeFile()": 1, "readProduction() of months": /row 3 is empty, in the middle/ },
    seconds: 20,
    megabytes: 700,
  },
  {
    name: "workbook, 16,383 turbines side by side with 99 months",
    file: "wide.xlsx",
    write: workbook(() =>
      times(100, (row) => {
        const values = Array.from({ length: 16_383 }, (_, i) => row === 0 ? `T${i + 1}` : i + row);
        return formatRow(row, [row === 0 ? "month" : month(row), ...values].entries());
      })
    ),
    doors: { "recognizeFile()": 1, "readProduction() side by side": 1_621_917 },
    seconds: 60,
    megabytes: 700,
  },
  {
    name: "register of 100,000 turbines with twelve months, workbook",
    file: "register.xlsx",
    write: register(100_000, 12),
    doors: {
      "recognizeFile()": 1,
      "readProduction() of a register": 1_200_000,
      "readTurbines()": 100_000,
    },
    seconds: 60,
    megabytes: 900,
  },
  {
    name: "register of 100,000 turbines with twelve months, CSV",
    file: "turbines.csv",
    write: text(() => ["turbine,month,energy\n", turbineMonths((i, m) => 400.5 + m + i % 100)]),
    doors: {
      "recognizeFile()": 1,
      "readProduction() of months by turbine": 1_200_000,
      "readFrame()": 1_200_000,
    },
    seconds: 60,
    megabytes: 900,
  },
  {
    name: "readings of 100,000 meters in twelve months",
    file: "meters.csv",
    write: text(
      () => ["turbine,month,energy\n", turbineMonths((i, m) => 400.5 * (m + 1) + i % 100)],
    ),
    doors: { "readProduction() of meters": 1_100_000 },
    seconds: 90,
    megabytes: 1024,
  },
  {
    name: "site file of 100,000 turbines",
    file: "site.json",
    write: text(
      () => [SITE_HEAD, times(100_000, (i) => (i === 0 ? "" : ",") + turbine(i)), SITE_END],
    ),
    doors: { "readSiteFile()": 100_000 },
    seconds: 90,
    megabytes: 700,
  },
  {
    name: "one line of 200 MB without a comma",
    file: "line.csv",
    write: text(() => [times(2000, () => "x".repeat(100_000))]),
    doors: {
      "recognizeFile()": 1,
      "readProduction()": TOO_LONG,
      "readProduction() by turbine": TOO_LONG,
      "readFrame()": TOO_LONG,
      "readEvents()": /no line "# Turbine: …" above its table/,
      "readClimate()": TOO_LONG,
      "readSiteFile()": /it has 200000000 bytes, but the limit is 64000000/,
    },
    seconds: 10,
    megabytes: 700,
  },
  {
    name: "one line of 200 MB with commas",
    file: "commas.csv",
    write: text(() => [times(2000, () => "12345678,".repeat(11_112))]),
    doors: {
      "recognizeFile()": 1,
      "readProduction()": TOO_LONG,
      "readProduction() by turbine": TOO_LONG,
      "readFrame()": TOO_LONG,
      "readClimate()": TOO_LONG,
    },
    seconds: 10,
    megabytes: 700,
  },
  {
    name: "a header, then a line of 200 MB",
    file: "second.csv",
    write: text(() => ["time,power\n", times(2000, () => "x".repeat(100_000))]),
    doors: {
      "readProduction()": TOO_LONG,
      "readFrame()": TOO_LONG,
      "readFrame() of declared columns": TOO_LONG,
    },
    seconds: 10,
    megabytes: 700,
  },
  {
    name: "a million columns",
    file: "columns.csv",
    write: text(() => [
      "time",
      times(1_000_000, (i) => `,c${i}`),
      "\n2023-01-01T00:00Z",
      times(1_000_000, (i) => `,${i % 100}`),
      "\n",
    ]),
    doors: {
      "recognizeFile()": 1,
      "readProduction()": TOO_LONG,
      "readProduction() by turbine": TOO_LONG,
      "readFrame()": TOO_LONG,
      "readClimate()": TOO_LONG,
    },
    seconds: 10,
    megabytes: 500,
  },
  {
    name: "ten million lines of ten minutes",
    file: "short.csv",
    write: text(
      () => ["time,power\n", times(10_000_000, (i) => `${tenMinutes(i)}Z,${i % 2000}\n`)],
    ),
    doors: {
      "recognizeFile()": 1,
      "readProduction()": 10_000_000,
      "readFrame() of declared columns": 10_000_000,
      "readFrame()": TOO_MANY,
    },
    seconds: 90,
    megabytes: 1024,
  },
  {
    name: "ten million lines of a turbine",
    file: "turbine.csv",
    write: text(
      () => ["turbine,time,power\n", times(10_000_000, (i) => `A,${tenMinutes(i)}Z,${i % 2000}\n`)],
    ),
    doors: {
      "readProduction() by turbine": TOO_MANY,
      "readProduction() of Latin-1": TOO_MANY,
    },
    seconds: 90,
    megabytes: 1024,
  },
  {
    name: "ten million entries of a status log",
    file: "Status_1.csv",
    write: text(() => [
      "# Turbine: Kelmarsh 1\n# Time zone: UTC\n",
      "Timestamp start,Timestamp end,Duration,Status,Code,Message,Comment,IEC category\n",
      times(
        10_000_000,
        (i) => `${minutes(i).replace("T", " ")}:00,-,-,Stop,${i % 300},Oil,,Forced outage\n`,
      ),
    ]),
    doors: { "recognizeFile()": 1, "readEvents()": TOO_MANY },
    seconds: 90,
    megabytes: 1300,
  },
  {
    name: "ten years of one-minute rows",
    file: "minutes.csv",
    write: text(() => ["time,power\n", times(5_260_320, (i) => `${minutes(i)}Z,${i % 2000}\n`)]),
    doors: {
      "recognizeFile()": 1,
      "readFrame() of declared columns": 5_260_320,
      "toHours()": 87_672,
      "readFrame()": TOO_MANY,
      "readProduction()": /is not a whole ten minutes/,
    },
    seconds: 90,
    megabytes: 1024,
  },
  {
    name: "a hundred years of ten minutes as Parquet",
    file: "long.parquet",
    write: async (path) => {
      const epochs = Float64Array.from({ length: 5_260_320 }, (_, i) => 10 * MINUTE * i);
      const frame = pl.DataFrame([
        buildDatetimes("time", epochs),
        buildNumbers("power", epochs.map((_, i) => i % 2000)),
      ]);
      frame.writeParquet(path);
      await Promise.resolve();
    },
    doors: { "recognizeFile()": 1, "readFrame()": 5_260_320, "readProduction()": 5_260_320 },
    seconds: 60,
    megabytes: 1300,
  },
  {
    name: "climate of 1.5 million hours",
    file: "climate.csv",
    write: text(() => [
      "time,wind_speed_100,wind_direction_100,temperature\n",
      times(1_500_000, (i) => {
        const wind = 8 + 6 * Math.sin(i / 37) + Math.sin(i * i / 7);
        const air = 10 + 8 * Math.sin(i / 50);
        return `${hours(i)}Z,${wind.toFixed(2)},${i % 360},${air.toFixed(1)}\n`;
      }),
    ]),
    doors: { "readClimate()": 1_500_000 },
    seconds: 30,
    megabytes: 900,
  },
];
