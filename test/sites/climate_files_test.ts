/**
 * Climate as people have it: in other units, with marks for missing, stuck or copied hours, of another point. What a message
 * says is done here, and gives the same wind.
 *
 * @module
 */
import { assertAlmostEquals, assertEquals, assertRejects } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import pl from "nodejs-polars";
import { readClimate } from "../../src/sites/read_climate.ts";
import type { ClimateSource } from "../../src/sites/declaration/site_reanalysis.ts";
import { SourceFiles } from "../../src/sites/source_files.ts";
import { SeededRandom } from "../../src/stats/seeded_random.ts";
import type { ClimatePoint } from "../../src/windindex/climate/climate.ts";
import { netcdfFile, type Variable } from "../frames/_netcdf.ts";
import { importFile, withSite } from "./_site.ts";

const UGLY = new URL("ugly/", import.meta.url).pathname;

type Source = Omit<ClimateSource, "stamp">;

let folder: string;
async function read(
  source: Source & Partial<ClimateSource>,
  notes: string[] = [],
  of = folder,
): Promise<ClimatePoint> {
  const files = new SourceFiles({ folder: of, frames: new Map() });
  const [point] = await readClimate({ stamp: "instant", ...source }, files, notes);
  return point;
}

async function refused(
  source: Source & Partial<ClimateSource>,
  message: string,
  of = folder,
): Promise<void> {
  const error = await assertRejects(() => read(source, [], of), Error);
  assertEquals(error.message.replaceAll(`${of}/`, ""), message);
}

const place = { latitude: 55.5, longitude: 8, time: { column: "time", zone: "UTC" } };
const named = (unit?: string) => ({
  wind_speed_100: { column: "wind_speed_100", ...(unit ? { unit } : {}) },
  wind_direction_100: { column: "wind_direction_100", unit: "deg" },
});

const speedsOf = ({ levels }: ClimatePoint, at = -1) => {
  const { u, v } = levels.at(at)!;
  return u.map((value, i) => Math.hypot(value, v[i]));
};

function assertWind(point: ClimatePoint, expected: readonly number[], reach = 1e-9): void {
  const speeds = speedsOf(point);
  assertEquals(speeds.length, expected.length);
  expected.forEach((value, i) => {
    if (Number.isNaN(value)) assertEquals(speeds[i], NaN, `hour ${i}`);
    else assertAlmostEquals(speeds[i], value, reach, `hour ${i}`);
  });
}

/** Hours of two months, m/s with two decimals, between 2 and 14, and directions of the whole circle. */
const HOURS = 1440;
const random = new SeededRandom("climate files");
const wind = Array.from(
  { length: HOURS },
  (_, i) => Number((8 + 4 * Math.sin(i / 37) + random.normal() / 2).toFixed(2)),
);
const directions = wind.map((_, i) => 7 * i % 360);

type Row = Readonly<Record<string, string | number>>;

/** Writes hours from 1 June 2020 on as CSV. */
async function write(file: string, row: (i: number) => Row): Promise<void> {
  const rows = Array.from({ length: HOURS }, (_, i) => row(i));
  const stamp = (i: number) => new Date(Date.UTC(2020, 5, 1, i)).toISOString().slice(0, 16);
  const names = Object.keys(rows[0]);
  const lines = rows.map((one, i) => [stamp(i), ...Object.values(one)].join());
  await Deno.writeTextFile(`${folder}/${file}`, [["time", ...names].join(), ...lines].join("\n"));
}

/** Writes the wind with one speed changed. */
const writeWind = (file: string, change: (speed: number, i: number) => string | number) =>
  write(file, (i) => ({
    wind_speed_100: change(wind[i], i),
    wind_direction_100: directions[i],
  }));

describe("climate files", () => {
  beforeAll(async () => {
    folder = await Deno.makeTempDir();
  });
  afterAll(async () => {
    await Deno.remove(folder, { recursive: true });
  });

  describe("SI2 a climate unit that the file states", () => {
    const meteo = (unit: string, column: string): Source => ({
      files: ["cl_om.csv"],
      ...place,
      variables: {
        wind_speed_100: { column, unit },
        wind_direction_100: { column: "wind_direction_100m (°)", unit: "deg" },
        temperature: { column: "temperature_2m", unit: "°C" },
        pressure: { column: "surface_pressure", unit: "hPa" },
      },
    });

    for (const column of ["wind_speed_100m (km/h)", "wind_speed_100m"]) {
      it(`SI2 in its name is compared with the declared one, if "${column}" is declared`, async () => {
        await refused(
          meteo("m/s", column),
          'Cannot read cl_om.csv: column "wind_speed_100m (km/h)" says km/h, its unit is declared as m/s. ' +
            'Declare unit "km/h"',
          UGLY,
        );
        const point = await read(meteo("km/h", column), [], UGLY);
        assertAlmostEquals(speedsOf(point)[0], 1.48, 0.02); // 5.3 km/h
      });
    }

    it("SI2 at the end of its name or in a row below the header counts too", async () => {
      await write(
        "kn.csv",
        (i) => ({ ws_kn: (wind[i] * 3600 / 1852).toFixed(4), wd: directions[i] }),
      );
      const source = (unit: string): Source => ({
        files: ["kn.csv"],
        ...place,
        variables: {
          wind_speed_100: { column: "ws_kn", unit },
          wind_direction_100: { column: "wd" },
        },
      });
      await refused(
        source("m/s"),
        'Cannot read kn.csv: column "ws_kn" says knots, its unit is declared as m/s. Declare unit "knots"',
      );
      assertWind(await read(source("knots")), wind, 1e-3);
      assertWind(await read(source("kn")), wind, 1e-3);
      await writeWind("row.csv", (speed) => (3.6 * speed).toFixed(3));
      const text = await Deno.readTextFile(`${folder}/row.csv`);
      await Deno.writeTextFile(`${folder}/row.csv`, text.replace("\n", "\nUTC,km/h,deg\n"));
      const below = (unit?: string): Source => ({
        files: ["row.csv"],
        ...place,
        variables: named(unit),
      });
      await refused(
        below(),
        'Cannot read row.csv: column "wind_speed_100" says km/h, its unit is declared as m/s. Declare unit "km/h"',
      );
      assertWind(await read(below("km/h")), wind, 1e-3);
    });

    it("SI2 in a name of Parquet is compared too", async () => {
      await writeWind("plain.csv", (speed) => 3.6 * speed);
      const frame = pl.readCSV(`${folder}/plain.csv`).rename({ wind_speed_100: "Wind [km/h]" })
        .withColumn(pl.col("time").str.strptime(pl.Datetime, "%Y-%m-%dT%H:%M"));
      await Deno.writeFile(`${folder}/wind.parquet`, frame.writeParquet());
      const source = (unit: string): Source => ({
        files: ["wind.parquet"],
        ...place,
        variables: { ...named(), wind_speed_100: { column: "Wind [km/h]", unit } },
      });
      await refused(
        source("m/s"),
        'Cannot read wind.parquet: column "Wind [km/h]" says km/h, its unit is declared as m/s. Declare ' +
          'unit "km/h"',
      );
      assertWind(await read(source("km/h")), wind, 1e-9);
    });

    it("SI2 of another quantity names the wrong column", async () => {
      await write(
        "swapped.csv",
        (i) => ({ "temp (°C)": 10 + i % 7, wd: directions[i], ws: wind[i] }),
      );
      const source = (column: string): Source => ({
        files: ["swapped.csv"],
        ...place,
        variables: { wind_speed_100: { column }, wind_direction_100: { column: "wd" } },
      });
      await refused(
        source("temp (°C)"),
        'Cannot read swapped.csv: column "temp (°C)" is in degC, which is a unit of temperature, not of ' +
          "speed. Declare the column that has the speed",
      );
      assertWind(await read(source("ws")), wind);
    });
  });

  describe("SI2 climate values in another unit than the declared one", () => {
    const extra = (file: string, name: string, column: string, unit?: string): Source => ({
      files: [file],
      ...place,
      variables: { ...named(), [name]: { column, ...(unit ? { unit } : {}) } },
    });

    it("SI2 wind in km/h is refused by its mean, and read as declared", async () => {
      await writeWind("kmh.csv", (speed) => (3.6 * speed).toFixed(3));
      const source = (unit: string): Source => ({
        files: ["kmh.csv"],
        ...place,
        variables: named(unit),
      });
      await refused(
        source("m/s"),
        "Cannot use kmh.csv: the mean wind speed at 100 m is 29.1 m/s, as at no site. Check the unit: " +
          "km/h, knots and mph can be declared",
      );
      assertWind(await read(source("km/h")), wind, 1e-3);
      await writeWind("ms.csv", (speed) => speed / 10);
      await refused(
        { ...source("m/s"), files: ["ms.csv"] },
        "Cannot use ms.csv: the mean wind speed at 100 m is 0.8 m/s, as at no site. Check the unit: " +
          "km/h, knots and mph can be declared",
      );
    });

    it("SI2 wind at one of two heights is refused by the other", async () => {
      await write("heights.csv", (i) => ({
        wind_speed_100: wind[i],
        wind_direction_100: directions[i],
        low: (wind[i] * 0.1 ** 0.14 * 3600 / 1852).toFixed(3),
      }));
      const source = (unit: string): Source => ({
        files: ["heights.csv"],
        ...place,
        variables: {
          ...named(),
          wind_speed_10: { column: "low", unit },
          wind_direction_10: { column: "wind_direction_100" },
        },
      });
      // A column may be declared once.
      const error = await assertRejects(() => read(source("m/s")), Error);
      assertEquals(error.message.includes("is declared twice"), true);
      const text = await Deno.readTextFile(`${folder}/heights.csv`);
      const doubled = text.split("\n").map((line, i) =>
        `${line},${i === 0 ? "wd" : line.split(",")[2]}`
      );
      await Deno.writeTextFile(`${folder}/heights.csv`, doubled.join("\n"));
      const both = (unit: string): Source => {
        const own = source(unit);
        return {
          ...own,
          variables: { ...own.variables, wind_direction_10: { column: "wd" } },
        };
      };
      await refused(
        both("m/s"),
        "Cannot use heights.csv: the mean wind speed at 100 m is 8.1 m/s, and at 10 m it is 11.4 m/s. " +
          "Check the units and heights of both",
      );
      const notes: string[] = [];
      assertWind(await read(both("knots"), notes), wind);
      assertEquals(notes, []);
    });

    it("SI2 directions in radians are refused, and read as declared", async () => {
      const source = (unit: string): Source => ({
        files: ["cl_rad.csv"],
        ...place,
        variables: { ...named(), wind_direction_100: { column: "wind_direction_100", unit } },
      });
      await refused(
        source("deg"),
        'Cannot use cl_rad.csv: column "wind_direction_100": no direction exceeds 2 pi: they look like ' +
          'rad. Declare "unit": "rad"',
        UGLY,
      );
      const turned = await read(source("rad"), [], UGLY);
      const degrees = await read({ ...source("deg"), files: ["cl_pm180.csv"] }, [], UGLY);
      for (const axis of ["u", "v"] as const) {
        turned.levels[0][axis].forEach((value, i) =>
          assertAlmostEquals(value, degrees.levels[0][axis][i], 0.05)
        );
      }
    });

    const air: [string, string, string, (i: number) => number, number, string][] = [
      [
        "temperature",
        "degC",
        "K",
        (i) => 283.15 + 9 * Math.sin(i / 50),
        10,
        "row 1 is 283.15 degC, outside of -90 to 60",
      ],
      [
        "temperature",
        "K",
        "degC",
        (i) => 10 + 9 * Math.sin(i / 50),
        10,
        "row 1 is -263.15 degC, outside of -90 to 60",
      ],
      [
        "temperature",
        "degC",
        "degF",
        (i) => 50 + 9 * Math.sin(i / 50),
        10,
        "the mean is 50.5844 degC, outside of -60 to 40",
      ],
      [
        "pressure",
        "Pa",
        "hPa",
        (i) => 1013 + 9 * Math.sin(i / 50),
        101_300,
        "row 1 is 1013 Pa, outside of 30000 to 110000",
      ],
      [
        "pressure",
        "hPa",
        "Pa",
        (i) => 101_300 + 9 * Math.sin(i / 50),
        101_300,
        "row 1 is 10130000 Pa, outside of 30000 to 110000",
      ],
      [
        "relative_humidity",
        "%",
        "1",
        (i) => 0.7 + Math.sin(i / 50) / 5,
        70,
        "the mean is 0.712986 %, outside of 5 to 101",
      ],
    ];
    for (const [name, declared, unit, value, expected, found] of air) {
      it(`SI2 ${name} in ${unit} declared as ${declared} is refused, and read as the message says`, async () => {
        await write("air.csv", (i) => ({
          wind_speed_100: wind[i],
          wind_direction_100: directions[i],
          x: value(i).toFixed(4),
        }));
        await refused(
          extra("air.csv", name, "x", declared),
          `Cannot use air.csv: column "x": ${found}. The values look like ${
            name === "temperature" && declared === "K"
              ? "degC or degF. Declare the unit that they have"
              : `${unit}. Declare "unit": "${unit}"`
          }`,
        );
        const { temperature, pressure, relativeHumidity } = await read(
          extra("air.csv", name, "x", unit),
        );
        assertAlmostEquals((temperature ?? pressure ?? relativeHumidity)![0], expected, 1e-6);
      });
    }
  });

  describe("SI2 marks for missing in climate", () => {
    const isMissing = (i: number) => i % 97 === 0;
    const expected = wind.map((speed, i) => isMissing(i) ? NaN : speed);
    const source = (null_values?: (string | number)[]): Source => ({
      files: ["marks.csv"],
      ...place,
      variables: named(),
      ...(null_values ? { null_values } : {}),
    });
    /** Declares marks of one variable. */
    const inVariable = (name: keyof ReturnType<typeof named>, ...null_values: number[]): Source => {
      const variables = named();
      return {
        ...source(),
        variables: { ...variables, [name]: { ...variables[name], null_values } },
      };
    };
    for (const mark of [9999, -999, -9999, 999, 99.99, 32767, -32768, 1e20]) {
      it(`SI2 ${mark} is named, and missing once that is declared`, async () => {
        await writeWind("marks.csv", (speed, i) => isMissing(i) ? mark : speed);
        await refused(
          source(),
          `Cannot use marks.csv: column "wind_speed_100": row 1 is ${
            mark === 1e20 ? "100000000000000000000" : mark
          } m/s, outside of 0 to 75. Add "null_values": [${mark}] to ${
            mark === 99.99 ? 'the variable "wind_speed_100"' : "the climate source"
          } if it means missing`,
        );
        assertWind(await read(source([mark])), expected);
        assertWind(await read(inVariable("wind_speed_100", mark)), expected);
      });
    }

    it("SI2 a number within the range is found, far from all others", async () => {
      await writeWind("marks.csv", (speed, i) => isMissing(i) ? 50 : speed);
      await refused(
        source(),
        'Cannot use marks.csv: column "wind_speed_100": 15 values are 50, far from all others. Add ' +
          '"null_values": [50] to the variable "wind_speed_100" if it means missing',
      );
      assertWind(await read(inVariable("wind_speed_100", 50)), expected);
      await refused(
        source([50]),
        'Cannot use marks.csv: column "wind_direction_100": 50 of null_values may be a value there. Move ' +
          "null_values from the source into the variables that have it as a mark",
      );
    });

    it("SI2 a text is named, and missing once that is declared", async () => {
      await writeWind("marks.csv", (speed, i) => isMissing(i) && i > 0 ? "calm?" : speed);
      await refused(
        source(),
        'Cannot read marks.csv: line 99, column "wind_speed_100": "calm?" is not a number. Add it to ' +
          "null_values of the climate source if it means missing",
      );
      assertWind(
        await read(source(["calm?"])),
        expected.map((speed, i) => i === 0 ? wind[0] : speed),
      );
    });

    it("SI2 one number for all negative directions is a mark, others go from -180 to 180", async () => {
      const turned = (i: number) => directions[i] > 180 ? directions[i] - 360 : directions[i];
      const row = (direction: (i: number) => number) => (i: number) => ({
        wind_speed_100: wind[i],
        wind_direction_100: direction(i),
      });
      await write("marks.csv", row(turned));
      assertWind(await read(source()), wind);
      await write("marks.csv", row((i) => isMissing(i) ? -99 : directions[i]));
      await refused(
        source(),
        'Cannot use marks.csv: column "wind_direction_100": 15 values are -99. Add "null_values": [-99] ' +
          'to the variable "wind_direction_100" if it means missing',
      );
      assertWind(await read(inVariable("wind_direction_100", -99)), expected);
    });

    it("SI2 a zero between hours of wind is a mark, a calm is none", async () => {
      await writeWind("marks.csv", (speed, i) => isMissing(i) ? 0 : speed);
      await refused(
        source(),
        'Cannot use marks.csv: column "wind_speed_100": 14 values are 0, between hours of wind. Add ' +
          '"null_values": [0] to the variable "wind_speed_100" if it means missing',
      );
      assertWind(await read(inVariable("wind_speed_100", 0)), expected);
      const calm = wind.map((speed, i) =>
        Math.abs(i % 97 - 48) < 4 ? Math.abs(i % 97 - 48) : speed
      );
      await writeWind("marks.csv", (_, i) => calm[i]);
      assertWind(await read(source()), calm);
    });

    it("SI2 is declared in a site file, and leaves its months without figures", async () => {
      await withSite(async (site, data) => {
        let row = 0;
        await site.editColumn(
          "climate.csv",
          "wind_speed_100",
          (speed) => row++ === 2000 ? "-999" : speed,
        );
        await assertRejects(
          async () => await importFile(await site.siteFile(), data),
          Error,
          'Add "null_values": [-999] to the climate source',
        );
        site.declared.climate[0].null_values = [-999];
        const { turbines: [{ months }] } = await importFile(await site.siteFile(), data);
        assertEquals(months.length > 20, true);
      });
    });
  });

  describe("SI2 climate hours that are not those of their time", () => {
    const source: Source = { files: ["hours.csv"], ...place, variables: named() };
    const isWithin = (i: number, hours: number) => i >= 200 && i < 200 + hours;
    /** Empties the cells, as the message says. */
    const emptied = async (hours: number) => {
      await writeWind("hours.csv", (speed, i) => isWithin(i, hours) ? "" : speed);
      assertWind(await read(source), wind.map((speed, i) => isWithin(i, hours) ? NaN : speed));
    };

    for (const value of [0, 6.3]) {
      it(`SI2 three days of ${value} m/s are refused, a day is said, empty cells are read`, async () => {
        await writeWind("hours.csv", (speed, i) => isWithin(i, 90) ? value : speed);
        await refused(
          source,
          `Cannot use hours.csv: column "wind_speed_100" has the value ${value} in all 90 hours from ` +
            "2020-06-09T08:00Z. Get these hours again from the source, or leave their cells empty",
        );
        await emptied(90);
        await writeWind("hours.csv", (speed, i) => isWithin(i, 30) ? value : speed);
        const notes: string[] = [];
        await read(source, notes);
        assertEquals(notes, [
          `To be looked at in hours.csv: column "wind_speed_100" has the value ${value} in all 30 hours ` +
          "from 2020-06-09T08:00Z. If that is not so at the source, get these hours again",
        ]);
      });
    }

    it("SI5 days that were copied are refused, and read with empty cells", async () => {
      await writeWind("hours.csv", (speed, i) => isWithin(i, 168) ? wind[i - 168] : speed);
      await refused(
        source,
        "Cannot use hours.csv: the wind of the 168 hours from 2020-06-09T08:00Z equals earlier days. Get " +
          "these hours again from the source, or leave their cells empty",
      );
      await emptied(168);
    });

    it("SI2 steps of three hours are refused, in any format", async () => {
      const text = async () => (await Deno.readTextFile(`${folder}/hours.csv`)).split("\n");
      await writeWind("hours.csv", (speed) => speed);
      const lines = await text();
      const third = lines.filter((_, i) => i === 0 || i % 3 === 1);
      await Deno.writeTextFile(`${folder}/hours.csv`, third.join("\n"));
      await refused(
        source,
        "Cannot use hours.csv: its times are 3 hours apart, and an index needs the wind of every hour. " +
          "Download hourly data",
      );
      await Deno.writeTextFile(`${folder}/hours.csv`, lines.join("\n"));
      assertWind(await read(source), wind);
    });

    it("SI4 times that step back for another reason than their order are not to be sorted", async () => {
      await writeWind("hours.csv", (speed) => speed);
      const text = await Deno.readTextFile(`${folder}/hours.csv`);
      const change = async (how: (stamp: string) => string) =>
        await Deno.writeTextFile(
          `${folder}/hours.csv`,
          text.replace(/^\d{4}-\d\d-\d\dT\d\d:\d\d/gm, how),
        );
      await change((stamp) =>
        stamp.replace(
          /-(\d\d)-(\d\d)T/,
          (all, month, day) => Number(day) > 12 ? all : `-${day}-${month}T`,
        )
      );
      await refused(
        source,
        "Cannot use hours.csv: line 26: 2020-02-06T00:00Z comes after 2020-01-06T23:00Z: day and month are " +
          "probably swapped in some of the times. Export them again, each as 2023-05-31 13:00, or correct " +
          "time_format",
      );
      // The last hour of a day as 00:00 of it.
      const ended = { ...source, stamp: "end" as const };
      const later = (stamp: string) =>
        new Date(Date.parse(`${stamp}Z`) + 36e5).toISOString().slice(0, 16);
      await change((stamp) =>
        stamp.endsWith("T23:00") ? `${stamp.slice(0, 10)}T00:00` : later(stamp)
      );
      await refused(
        ended,
        "Cannot use hours.csv: line 25: 2020-06-01T00:00Z comes after 2020-06-01T23:00Z: it is probably the " +
          "end of that day. Write it as 00:00 of the next day",
      );
      await change(later);
      assertWind(await read(ended), wind);
      await change((stamp) => stamp.replace("2020", "2098"));
      await refused(
        source,
        "Cannot use hours.csv: line 2: 2098-06-01T00:00Z is after today. Correct it, or leave out the row",
      );
      await change((stamp) => stamp);
      assertWind(await read(source), wind);
    });

    it("SI2 a dew point above the temperature is refused, and read from its own column", async () => {
      await write("hours.csv", (i) => ({
        wind_speed_100: wind[i],
        wind_direction_100: directions[i],
        t: (10 + 5 * Math.sin(i / 40)).toFixed(2),
        d: (6 + 5 * Math.sin(i / 40)).toFixed(2),
      }));
      const moist = (temperature: string, dew_point: string): Source => ({
        ...source,
        variables: {
          ...named(),
          temperature: { column: temperature },
          dew_point: { column: dew_point },
        },
      });
      await refused(
        moist("d", "t"),
        "Cannot use hours.csv: the dew point is above the temperature in 1440 hours. Check their columns " +
          "and units",
      );
      assertEquals((await read(moist("t", "d"))).temperature![0], 10);
    });

    it("SI2 unusual means and directions are said", async () => {
      const notes: string[] = [];
      await write("hours.csv", (i) => ({
        wind_speed_100: (1.6 * wind[i]).toFixed(3),
        wind_direction_100: 270,
      }));
      await read(source, notes);
      assertEquals(notes, [
        'To be looked at in hours.csv: column "wind_direction_100" has directions of less than half of the ' +
        "circle. Check the column and its unit",
        "To be looked at in hours.csv: the mean wind speed at 100 m is 12.9 m/s, which is unusual. Check " +
        "whether the unit is right",
      ]);
    });
  });

  describe("SI8 a climate file that has its point in columns", () => {
    const source = (latitude: number, longitude: number): Source => ({
      files: ["cl_cds_ts.csv"],
      ...{ latitude, longitude, time: { column: "valid_time", zone: "UTC" } },
      variables: { wind_u_100: { column: "u100" }, wind_v_100: { column: "v100" } },
    });

    it("SI8 is refused if another point is declared, and read with the point of the file", async () => {
      for (const [latitude, longitude] of [[8, 55.5], [55.5, -8], [54.5, 8]]) {
        await refused(
          source(latitude, longitude),
          "Cannot use cl_cds_ts.csv: its point is latitude 55.5, longitude 8, but latitude " +
            `${latitude}, longitude ${longitude} is declared. Declare the point of the file`,
          UGLY,
        );
      }
      assertAlmostEquals(speedsOf(await read(source(55.5, 8), [], UGLY))[0], 1.48, 0.01);
      assertEquals((await read(source(55.52, 8.04), [], UGLY)).latitude, 55.52, "rounded");
    });

    it("SI8 is compared above the header too, in rows and in lines", async () => {
      await writeWind("points.csv", (speed) => speed);
      const table = await Deno.readTextFile(`${folder}/points.csv`);
      const own: Source = { files: ["points.csv"], ...place, variables: named() };
      for (
        const above of [
          "latitude,longitude,elevation\n52.5,-1.0,3\n\n",
          "Latitude: 52.5\nLongitude: -1.0\n",
          '# {"lat": 52.5, "lon": -1.0}\n',
        ]
      ) {
        await Deno.writeTextFile(`${folder}/points.csv`, above + table);
        await refused(
          own,
          "Cannot use points.csv: its point is latitude 52.5, longitude -1, but latitude 55.5, longitude 8 " +
            "is declared. Declare the point of the file",
        );
        assertWind(await read({ ...own, latitude: 52.5, longitude: -1 }), wind);
      }
    });

    it("SI8 is refused with several points, and read with the rows of one", async () => {
      const rows = (lat: (i: number) => number) => (i: number) => ({
        lat: lat(i),
        Lon: 8,
        wind_speed_100: wind[i],
        wind_direction_100: directions[i],
      });
      const own: Source = { files: ["points.csv"], ...place, variables: named() };
      await write("points.csv", rows((i) => i < 720 ? 55.5 : 55.75));
      const { message } = await assertRejects(() => read(own), Error);
      assertEquals(
        message.replace("55.75 and 55.5", "55.5 and 55.75"),
        "Cannot use points.csv: it has 2 values of latitude, such as 55.5 and 55.75. Save the rows of " +
          "each point as a file",
      );
      await write("points.csv", rows(() => 55.5));
      assertWind(await read(own), wind);
    });

    it("SI8 is read if these columns have no numbers: nobody asked for them", async () => {
      const texts = (i: number) => ({
        latitude: "N/A",
        lon: "east",
        wind_speed_100: wind[i],
        wind_direction_100: directions[i],
      });
      await write("points.csv", texts);
      assertWind(await read({ files: ["points.csv"], ...place, variables: named() }), wind);
    });
  });

  describe("SI1 climate from NetCDF4 of other shapes", () => {
    const axes = (hours = HOURS): Record<string, Variable> => ({
      valid_time: {
        data: BigInt64Array.from({ length: hours }, (_, i) => 1_590_969_600n + 3600n * BigInt(i)),
        attributes: { units: "seconds since 1970-01-01" },
      },
      latitude: { data: Float64Array.of(55.5) },
      longitude: { data: Float64Array.of(8) },
    });
    const plain = (data: Float64Array | Float32Array, units?: string): Variable => ({
      data,
      shape: [data.length, 1, 1],
      dimensions: ["valid_time", "latitude", "longitude"],
      attributes: units === undefined ? {} : { units },
    });
    const u = Float64Array.from(wind, (speed) => 0.8 * speed);
    const v = Float64Array.from(wind, (speed) => 0.6 * speed);
    const save = async (variables: Record<string, Variable>) =>
      await Deno.writeFile(`${folder}/era5.nc`, await netcdfFile(variables));
    const source: Source = { files: ["era5.nc"] };
    const declared = (unit?: string): Source => ({
      ...source,
      variables: {
        wind_u_100: { column: "u100", ...(unit ? { unit } : {}) },
        wind_v_100: { column: "v100", ...(unit ? { unit } : {}) },
      },
    });

    it("SI1 says why wind was left out, and reads it once a member is chosen", async () => {
      const members = (data: Float64Array): Variable => ({
        data: Float64Array.from({ length: 2 * HOURS }, (_, i) => data[i >> 1]),
        shape: [HOURS, 2, 1, 1],
        dimensions: ["valid_time", "number", "latitude", "longitude"],
        attributes: { units: "m s**-1" },
      });
      const number = { data: Int32Array.of(0, 1) };
      await save({ ...axes(), number, u100: members(u), v100: members(v) });
      const why = "it has 2 ensemble members along number: choose one of them";
      await refused(
        source,
        `Cannot use era5.nc: it has no wind (left out: u100: ${why}; v100: ${why}). A height needs ` +
          "wind_speed_H and wind_direction_H, or wind_u_H and wind_v_H",
      );
      await refused(
        declared(),
        `Cannot use era5.nc: no file has a variable "u100", declared as wind_u_100 (left out: u100: ${why})`,
      );
      await save({ ...axes(), u100: plain(u, "m s**-1"), v100: plain(v, "m s**-1") });
      assertWind(await read(source), wind);
    });

    it("SI1 refuses integers that overflowed, and reads the files one by one", async () => {
      const fold = (values: Float64Array) =>
        values.map((value) => ((value + 7) % 14 + 14) % 14 - 7); // within -7 to 7
      await save({ ...axes(), u100: plain(fold(u), "m s**-1"), v100: plain(v, "m s**-1") });
      const { message } = await assertRejects(() => read(source), Error);
      assertEquals(
        message.replace(/at 2020-\S+Z/, "at TIME"),
        'Cannot use era5.nc: column "u100" jumps between its largest and smallest values, first at TIME: ' +
          "packed integers have overflowed where files were merged. Merge them as floats, or name the files " +
          "one by one",
      );
      await save({ ...axes(), u100: plain(u, "m s**-1"), v100: plain(v, "m s**-1") });
      assertWind(await read(source), wind);
    });

    it("SI1 compares the unit of a variable with the declared one, and takes that where it has none", async () => {
      const kmh = (units?: string) => ({
        u100: plain(u.map((value) => 3.6 * value), units),
        v100: plain(v.map((value) => 3.6 * value), units),
      });
      await save({ ...axes(), ...kmh("km h-1") });
      await refused(
        declared("m/s"),
        'Cannot read era5.nc: column "u100" says km/h, its unit is declared as m/s. Declare unit "km/h"',
      );
      assertWind(await read(declared("km/h")), wind);
      assertWind(await read(source), wind);
      await save({ ...axes(), ...kmh() });
      await refused(
        source,
        'Cannot use era5.nc: variable u100 has no unit. Declare it in "variables": "wind_u_100": { ' +
          '"column": "u100", "unit": … }, with "m/s" or "km/h" or "knots" or "mph" or "ft/s"',
      );
      assertWind(await read(declared("km/h")), wind);
    });

    it("SI1 refuses steps of hours, and another point than the declared one", async () => {
      const variables = {
        u100: plain(u.slice(0, 480), "m/s"),
        v100: plain(v.slice(0, 480), "m/s"),
      };
      const { valid_time, ...others } = axes(480);
      const data = BigInt64Array.from(
        valid_time.data as BigInt64Array,
        (one, i) => one + 7200n * BigInt(i),
      );
      await save({ valid_time: { ...valid_time, data }, ...others, ...variables });
      await refused(
        source,
        "Cannot use era5.nc: its times are 3 hours apart, and an index needs the wind of every hour. " +
          "Download hourly data",
      );
      await save({ ...axes(480), ...variables });
      assertWind(await read(source), wind.slice(0, 480));
      await refused(
        { ...source, latitude: 8, longitude: 55.5 },
        "Cannot use era5.nc: its point is latitude 55.5, longitude 8, but latitude 8, longitude 55.5 is " +
          "declared. Declare the point of the file",
      );
    });

    it("SI1 names the fill value that lost its attribute, and takes it as missing once declared", async () => {
      const fill = 9.969209968386869e36; // of floats in NetCDF
      const filled = Float32Array.from(u, (value, i) => i === 5 ? fill : value);
      await save({ ...axes(), u100: plain(filled, "m s**-1"), v100: plain(v, "m s**-1") });
      const { message } = await assertRejects(() => read(source), Error);
      assertEquals(
        message.slice(message.indexOf("Add")),
        'Add "null_values": [9.969209968386869e+36] to the climate source if it means missing',
      );
      const expected = wind.map((speed, i) => i === 5 ? NaN : speed);
      assertWind(await read({ ...source, null_values: [9.969209968386869e+36] }), expected, 1e-5);
    });
  });
});
