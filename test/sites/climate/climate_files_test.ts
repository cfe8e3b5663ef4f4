/**
 * Climate of another point, and NetCDF4 in other layouts. Following a message's advice must give the same wind.
 *
 * @module
 */
import { assertAlmostEquals, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { netcdfFile, type Variable } from "../../frames/netcdf/_netcdf.ts";
import {
  assertWind,
  directions,
  folder,
  HOURS,
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

describe("climate files", () => {
  useFolder();

  describe("SI8 a climate file with its point in columns", () => {
    const source = (latitude: number, longitude: number): Source => ({
      files: ["cl_cds_ts.csv"],
      ...{ latitude, longitude, time: { column: "valid_time", zone: "UTC" } },
      variables: { wind_u_100: { column: "u100" }, wind_v_100: { column: "v100" } },
    });

    it("SI8 is rejected if another point is declared, and read with the point of the file", async () => {
      for (const [latitude, longitude] of [[8, 55.5], [55.5, -8], [54.5, 8]]) {
        await refused(
          source(latitude, longitude),
          "Cannot use cl_cds_ts.csv: its point is latitude 55.5, longitude 8, but the declared point is latitude " +
            `${latitude}, longitude ${longitude}. Declare the point of the file`,
          UGLY,
        );
      }
      assertAlmostEquals(speedsOf(await read(source(55.5, 8), [], UGLY))[0], 1.48, 0.01);
      assertEquals((await read(source(55.52, 8.04), [], UGLY)).latitude, 55.52, "rounded");
    });

    it("SI8 is also compared if the point is above the header, in rows or lines", async () => {
      await writeWind("points.csv", (speed) => speed);
      const table = await Deno.readTextFile(`${folder}/points.csv`);
      const source: Source = { files: ["points.csv"], ...place, variables: named() };
      for (
        const above of [
          "latitude,longitude,elevation\n52.5,-1.0,3\n\n",
          "Latitude: 52.5\nLongitude: -1.0\n",
          '# {"lat": 52.5, "lon": -1.0}\n',
        ]
      ) {
        await Deno.writeTextFile(`${folder}/points.csv`, above + table);
        await refused(
          source,
          "Cannot use points.csv: its point is latitude 52.5, longitude -1, but the declared point is latitude 55.5, " +
            "longitude 8. Declare the point of the file",
        );
        assertWind(await read({ ...source, latitude: 52.5, longitude: -1 }), wind);
      }
    });

    it("SI8 is rejected with several points, and read with the rows of one", async () => {
      const rows = (lat: (i: number) => number) => (i: number) => ({
        lat: lat(i),
        Lon: 8,
        wind_speed_100: wind[i],
        wind_direction_100: directions[i],
      });
      const source: Source = { files: ["points.csv"], ...place, variables: named() };
      await write("points.csv", rows((i) => i < 720 ? 55.5 : 55.75));
      const { message } = await assertRejects(() => read(source), Error);
      assertEquals(
        message.replace("55.75 and 55.5", "55.5 and 55.75"),
        "Cannot use points.csv: it contains 2 values of latitude, such as 55.5 and 55.75. Give a file for each " +
          "point, with only the rows of that point",
      );
      await write("points.csv", rows(() => 55.5));
      assertWind(await read(source), wind);
    });

    it("SI8 is read if these undeclared columns have no numbers", async () => {
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

  describe("SI1 climate from NetCDF4 in other layouts", () => {
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

    it("SI1 reports why wind was left out, and reads it once a member is chosen", async () => {
      const members = (data: Float64Array): Variable => ({
        data: Float64Array.from({ length: 2 * HOURS }, (_, i) => data[i >> 1]),
        shape: [HOURS, 2, 1, 1],
        dimensions: ["valid_time", "number", "latitude", "longitude"],
        attributes: { units: "m s**-1" },
      });
      const number = { data: Int32Array.of(0, 1) };
      await save({ ...axes(), number, u100: members(u), v100: members(v) });
      const why = "it has 2 ensemble members along number. Choose one of them";
      await refused(
        source,
        `Cannot use era5.nc: it has no wind (left out: u100: ${why}; v100: ${why}). A height needs ` +
          "wind_speed_H and wind_direction_H, or wind_u_H and wind_v_H",
      );
      await refused(
        declared(),
        `Cannot use era5.nc: no file has a usable variable "u100", which the site declares as wind_u_100 (u100: ${why}). Correct the file, or declare another column`,
      );
      await save({ ...axes(), u100: plain(u, "m s**-1"), v100: plain(v, "m s**-1") });
      assertWind(await read(source), wind);
    });

    it("SI1 rejects overflowed integers, and reads the files one by one", async () => {
      const fold = (values: Float64Array) =>
        values.map((value) => ((value + 7) % 14 + 14) % 14 - 7); // within -7 to 7
      await save({ ...axes(), u100: plain(fold(u), "m s**-1"), v100: plain(v, "m s**-1") });
      const { message } = await assertRejects(() => read(source), Error);
      assertEquals(
        message.replace(/at 2020-\S+Z/, "at TIME"),
        'Cannot use era5.nc: column "u100" jumps between its largest and smallest values, first at TIME, ' +
          "probably because packed integers overflowed when files were merged. Merge them as floats, or name the files " +
          "one by one",
      );
      await save({ ...axes(), u100: plain(u, "m s**-1"), v100: plain(v, "m s**-1") });
      assertWind(await read(source), wind);
    });

    it("SI1 compares the unit of a variable with the declared one, which counts if the file has none", async () => {
      const kmh = (units?: string) => ({
        u100: plain(u.map((value) => 3.6 * value), units),
        v100: plain(v.map((value) => 3.6 * value), units),
      });
      await save({ ...axes(), ...kmh("km h-1") });
      await refused(
        declared("m/s"),
        'Cannot read era5.nc: column "u100" says km/h, but its unit is declared as m/s. Declare unit "km/h"',
      );
      assertWind(await read(declared("km/h")), wind);
      assertWind(await read(source), wind);
      await save({ ...axes(), ...kmh() });
      await refused(
        source,
        'Cannot use era5.nc: variable u100 has no unit. Declare it in "variables": "wind_u_100": { ' +
          '"column": "u100", "unit": … }, where "unit" is "m/s" or "km/h" or "knots" or "mph" or "ft/s"',
      );
      assertWind(await read(declared("km/h")), wind);
    });

    it("SI1 rejects steps of several hours, and another point than the declared one", async () => {
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
        "Cannot use era5.nc: its times are 3 hours apart, but an index needs the wind of every hour. " +
          "Download hourly data",
      );
      await save({ ...axes(480), ...variables });
      assertWind(await read(source), wind.slice(0, 480));
      await refused(
        { ...source, latitude: 8, longitude: 55.5 },
        "Cannot use era5.nc: its point is latitude 55.5, longitude 8, but the declared point is latitude 8, " +
          "longitude 55.5. Declare the point of the file",
      );
    });

    it("SI1 names a fill value without its attribute, and treats it as missing once declared", async () => {
      const fill = 9.969209968386869e36; // the default for floats in NetCDF
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
