/**
 * Climate in other units than declared. Following a message's advice must give the same wind.
 *
 * @module
 */
import { assertAlmostEquals, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl from "nodejs-polars";
import {
  assertWind,
  directions,
  folder,
  named,
  place,
  read,
  refused,
  type Source,
  speedsOf,
  UGLY,
  useFolder,
  wind,
  write,
  writeWind,
} from "./_climate_files.ts";

describe("climate units", () => {
  useFolder();

  describe("SI2 a climate unit stated in the file", () => {
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
      it(`SI2 is compared with the declared one in the name "${column}"`, async () => {
        await refused(
          meteo("m/s", column),
          'Cannot read cl_om.csv: column "wind_speed_100m (km/h)" says km/h, but its unit is declared ' +
            'as m/s. Declare unit "km/h"',
          UGLY,
        );
        const point = await read(meteo("km/h", column), [], UGLY);
        assertAlmostEquals(speedsOf(point)[0], 1.48, 0.02); // 5.3 km/h
      });
    }

    it("SI2 also counts at the end of a name or in a row below the header", async () => {
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
        'Cannot read kn.csv: column "ws_kn" says knots, but its unit is declared as m/s. Declare unit "knots"',
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
        'Cannot read row.csv: column "wind_speed_100" says km/h, but its unit is declared as m/s. Declare unit "km/h"',
      );
      assertWind(await read(below("km/h")), wind, 1e-3);
    });

    it("SI2 is also compared in a name of Parquet", async () => {
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
        'Cannot read wind.parquet: column "Wind [km/h]" says km/h, but its unit is declared as m/s. Declare ' +
          'unit "km/h"',
      );
      assertWind(await read(source("km/h")), wind, 1e-9);
    });

    it("SI2 of another quantity points to the wrong column", async () => {
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
        'Cannot read swapped.csv: column "temp (°C)" is in degC, a unit of temperature, not of speed. ' +
          "Declare the column with the speed",
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

    it("SI2 wind in km/h is rejected by its mean, and read once declared", async () => {
      await writeWind("kmh.csv", (speed) => (3.6 * speed).toFixed(3));
      const source = (unit: string): Source => ({
        files: ["kmh.csv"],
        ...place,
        variables: named(unit),
      });
      await refused(
        source("m/s"),
        "Cannot use kmh.csv: the mean wind speed at 100 m is 29.1 m/s, which is impossible at any site. " +
          "Check the unit: km/h, knots and mph can be declared",
      );
      assertWind(await read(source("km/h")), wind, 1e-3);
      await writeWind("ms.csv", (speed) => speed / 10);
      await refused(
        { ...source("m/s"), files: ["ms.csv"] },
        "Cannot use ms.csv: the mean wind speed at 100 m is 0.8 m/s, which is impossible at any site. " +
          "Check the unit: km/h, knots and mph can be declared",
      );
    });

    it("SI2 wind at one of two heights is rejected by comparison with the other", async () => {
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
      // Declares a column once only.
      const error = await assertRejects(() => read(source("m/s")), Error);
      assertEquals(error.message.includes("is declared twice"), true);
      const text = await Deno.readTextFile(`${folder}/heights.csv`);
      const doubled = text.split("\n").map((line, i) =>
        `${line},${i === 0 ? "wd" : line.split(",")[2]}`
      );
      await Deno.writeTextFile(`${folder}/heights.csv`, doubled.join("\n"));
      const withBoth = (unit: string): Source => {
        const plainSource = source(unit);
        return {
          ...plainSource,
          variables: { ...plainSource.variables, wind_direction_10: { column: "wd" } },
        };
      };
      await refused(
        withBoth("m/s"),
        "Cannot use heights.csv: the mean wind speed at 100 m is 8.1 m/s, and at 10 m it is 11.4 m/s. " +
          "Check the units and heights of both",
      );
      const notes: string[] = [];
      assertWind(await read(withBoth("knots"), notes), wind);
      assertEquals(notes, []);
    });

    it("SI2 directions in radians are rejected, and read once declared", async () => {
      const source = (unit: string): Source => ({
        files: ["cl_rad.csv"],
        ...place,
        variables: { ...named(), wind_direction_100: { column: "wind_direction_100", unit } },
      });
      await refused(
        source("deg"),
        'Cannot use cl_rad.csv: column "wind_direction_100": no direction exceeds 2 pi, so they are ' +
          'probably in rad. Declare "unit": "rad"',
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
    for (const [name, declared, unit, value, expected, problem] of air) {
      it(`SI2 ${name} in ${unit} declared as ${declared} is rejected, and read as the message advises`, async () => {
        await write("air.csv", (i) => ({
          wind_speed_100: wind[i],
          wind_direction_100: directions[i],
          x: value(i).toFixed(4),
        }));
        await refused(
          extra("air.csv", name, "x", declared),
          `Cannot use air.csv: column "x": ${problem}. The values look like ${
            name === "temperature" && declared === "K"
              ? "degC or degF. Declare their actual unit"
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
});
