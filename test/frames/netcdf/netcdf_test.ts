import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { zipSync } from "fflate";
import { DataFormatError } from "../../../src/api/errors.ts";
import { readNetcdf } from "../../../src/frames/netcdf/netcdf.ts";
import { netcdfFile as file, type Values, type Variable } from "./_netcdf.ts";
import { utf8 } from "../_text.ts";

/** Two hours of 2018 at two latitudes and one longitude, in the order of the Climate Data Store. */
const axes: Record<string, Variable> = {
  valid_time: {
    data: BigInt64Array.of(1_514_764_800n, 1_514_768_400n),
    attributes: { units: "seconds since 1970-01-01" },
  },
  latitude: { data: Float64Array.of(55.75, 55.5) },
  longitude: { data: Float64Array.of(-1.25) },
};
const times = Float64Array.of(Date.UTC(2018, 0, 1, 0), Date.UTC(2018, 0, 1, 1));
const wind = (data: Values, attributes: Variable["attributes"] = {}): Variable => ({
  data,
  shape: [2, 2, 1],
  attributes: { units: "m s**-1", ...attributes },
});
const speeds = Float32Array.of(1.5, 2.5, 3.5, 4.5);

const read = async (variables: Record<string, Variable>) =>
  await readNetcdf(await file(variables), "era5.nc");
const refused = (bytes: Uint8Array, message: string) =>
  assertRejects(
    () => readNetcdf(bytes, "era5.nc"),
    DataFormatError,
    `Cannot read era5.nc: ${message}`,
  );

describe("readNetcdf()", () => {
  it("reads stamps, places and variables with their units", async () => {
    const grid = await read({ ...axes, u100: wind(speeds) });
    assertEquals(grid.times, times);
    assertEquals([grid.latitudes, grid.longitudes], [[55.75, 55.5], [-1.25]]);
    assertEquals([...grid.variables.keys()], ["u100"]);
    assertEquals(grid.variables.get("u100"), { unit: "m s**-1", values: speeds });
    assertEquals("preliminary" in grid, false);
  });

  it("reads the older names of the axes and other units of time", async () => {
    const old = (units: string, data: Values) =>
      read({
        time: { data, attributes: { units } },
        lat: axes.latitude,
        lon: axes.longitude,
        u10: wind(speeds),
      });
    // 1900-01-01 to 2018-01-01 are 118 years with 29 leap days: 43,099 days, 1,034,376 hours.
    const hours = Int32Array.of(1_034_376, 1_034_377);
    assertEquals((await old("hours since 1900-01-01 00:00:00.0", hours)).times, times);
    assertEquals((await old("hours since 1900-01-01", hours)).times, times);
    const minutes = Int32Array.of(0, 60);
    assertEquals((await old("minutes since 2018-01-01T00:00:00", minutes)).times, times);
    const days = Float64Array.of(0, 1 / 24);
    assertEquals((await old("days since 2018-01-01", days)).times, times);
  });

  it("SI1 refuses times that count from before the Gregorian calendar, and reads later ones", async () => {
    const at = async (units: string, data: Values) =>
      await file({ ...axes, valid_time: { data, attributes: { units } }, u100: wind(speeds) });
    await refused(
      await at("hours since 0001-01-01 00:00:00", Int32Array.of(17_680_000, 17_680_001)),
      'its time has the unit "hours since 0001-01-01 00:00:00", not one like "hours since 1900-01-01"',
    );
    const later = await at("hours since 1900-01-01", Int32Array.of(1_034_376, 1_034_377));
    assertEquals((await readNetcdf(later, "era5.nc")).times, times);
  });

  it("refuses an unknown unit of time, and names it", async () => {
    const bytes = await file({
      ...axes,
      valid_time: { ...axes.valid_time, attributes: { units: "months since 1970-01-01" } },
    });
    await refused(bytes, 'its time has the unit "months since 1970-01-01"');
  });

  it("unpacks packed integers, and reads the fill value as missing", async () => {
    const { variables } = await read({
      ...axes,
      t2m: wind(Int16Array.of(0, 100, -32_767, -100), {
        units: "K",
        scale_factor: 0.5,
        add_offset: 280,
        _FillValue: Int16Array.of(-32_767),
      }),
    });
    assertEquals(variables.get("t2m"), {
      unit: "K",
      values: Float64Array.of(280, 330, NaN, 230),
    });
  });

  it("F33 reads fill values of floats as missing, whether NaN or a number", async () => {
    const { variables } = await read({
      ...axes,
      u10: wind(Float32Array.of(1.5, NaN, 3.5, 4.5), { _FillValue: Float32Array.of(NaN) }),
      v10: wind(Float32Array.of(1.5, 9.96921e36, 3.5, 4.5), {
        _FillValue: Float32Array.of(9.96921e36),
      }),
      u100: wind(Float32Array.of(1.5, -999, 3.5, 1e20), {
        missing_value: Float32Array.of(-999),
        _FillValue: Float32Array.of(1e20),
      }),
    });
    const values = (name: string) => [...variables.get(name)!.values];
    assertEquals(values("u10"), [1.5, NaN, 3.5, 4.5]);
    assertEquals(values("v10"), [1.5, NaN, 3.5, 4.5]);
    assertEquals(values("u100"), [1.5, NaN, 3.5, NaN]);
  });

  it("recognizes preliminary hours, ERA5T, by experiment version 5", async () => {
    const texts = await read({ ...axes, u10: wind(speeds), expver: { data: ["0001", "0005"] } });
    assertEquals(texts.preliminary, Uint8Array.of(0, 1));
    const numbers = await read({
      ...axes,
      u10: wind(speeds),
      expver: { data: Int32Array.of(5, 1) },
    });
    assertEquals(numbers.preliminary, Uint8Array.of(1, 0));
  });

  it("leaves out variables that are not on hours, latitudes and longitudes", async () => {
    const { variables } = await read({
      ...axes,
      u10: wind(speeds),
      flat: { data: speeds, shape: [2, 2], attributes: { units: "m" } },
      turned: { data: speeds, shape: [2, 1, 2], attributes: { units: "m" } },
      single: { data: speeds.subarray(2), shape: [2, 1, 1], attributes: { units: "m" } },
      number: { data: Int32Array.of(0), attributes: { units: "1" } },
    });
    assertEquals([...variables.keys()], ["u10"]);
  });

  describe("SI1: finds the axes by the names of their scales", () => {
    const square: Record<string, Variable> = {
      valid_time: axes.valid_time,
      latitude: { data: Float64Array.of(55.75, 55.5) },
      longitude: { data: Float64Array.of(7.75, 8) },
    };
    /** Corners of hour 0: 11, 12, 13, 14 from north-west to south-east; ten more an hour later. */
    const corners = [11, 12, 13, 14, 21, 22, 23, 24];
    const orders: Readonly<Record<string, readonly string[]>> = {
      "as the Climate Data Store has them": ["valid_time", "latitude", "longitude"],
      "with the longitudes first": ["valid_time", "longitude", "latitude"],
      "with the time last": ["latitude", "longitude", "valid_time"],
    };
    for (const [order, dimensions] of Object.entries(orders)) {
      it(order, async () => {
        const data = new Float32Array(8);
        for (const [i, corner] of corners.entries()) {
          const at = { valid_time: i >> 2, latitude: i >> 1 & 1, longitude: i & 1 };
          const place = dimensions.reduce((sum, name) => 2 * sum + at[name as keyof typeof at], 0);
          data[place] = corner;
        }
        const grid = await read({
          ...square,
          u100: { data, shape: [2, 2, 2], dimensions, attributes: { units: "m s**-1" } },
        });
        assertEquals([...grid.variables.get("u100")!.values], corners);
      });
    }

    it("of one point, with single numbers as latitude and longitude", async () => {
      const grid = await read({
        valid_time: axes.valid_time,
        latitude: { data: Float64Array.of(55.5), shape: [] },
        longitude: { data: Float64Array.of(8), shape: [] },
        u100: {
          data: Float32Array.of(7, 8),
          dimensions: ["valid_time"],
          attributes: { units: "m s**-1" },
        },
      });
      assertEquals([grid.latitudes, grid.longitudes], [[55.5], [8]]);
      assertEquals([...grid.variables.get("u100")!.values], [7, 8]);
    });

    it("of two experiment versions, and takes the first one with a value", async () => {
      const grid = await read({
        valid_time: axes.valid_time,
        expver: { data: Int32Array.of(1, 5) },
        latitude: { data: Float64Array.of(55.5) },
        longitude: { data: Float64Array.of(8) },
        u100: {
          data: Float32Array.of(7, NaN, NaN, 9),
          shape: [2, 2, 1, 1],
          dimensions: ["valid_time", "expver", "latitude", "longitude"],
          attributes: { units: "m s**-1" },
        },
      });
      assertEquals([...grid.variables.get("u100")!.values], [7, 9]);
      assertEquals(grid.preliminary, Uint8Array.of(0, 1));
    });

    it("of two experiment versions in another order, and takes the final one", async () => {
      const grid = await read({
        valid_time: axes.valid_time,
        expver: { data: Int32Array.of(5, 1) },
        latitude: { data: Float64Array.of(55.5) },
        longitude: { data: Float64Array.of(8) },
        u100: {
          data: Float32Array.of(6, 7, 9, NaN),
          shape: [2, 2, 1, 1],
          dimensions: ["valid_time", "expver", "latitude", "longitude"],
          attributes: { units: "m s**-1" },
        },
      });
      assertEquals([...grid.variables.get("u100")!.values], [7, 9]);
      assertEquals(grid.preliminary, Uint8Array.of(0, 1));
    });

    it("and leaves out variables with members or without named axes", async () => {
      const grid = await read({
        ...square,
        number: { data: Int32Array.of(0, 1) },
        u100: {
          data: new Float32Array(16),
          shape: [2, 2, 2, 2],
          dimensions: ["valid_time", "number", "latitude", "longitude"],
          attributes: { units: "m s**-1" },
        },
        v100: { data: new Float32Array(8), shape: [2, 2, 2], attributes: { units: "m s**-1" } },
      });
      assertEquals([...grid.variables.keys()], []);
      assertEquals(grid.skipped, [
        "u100: it has 2 ensemble members along number. Choose one of them",
        "v100: its dimensions have no names",
      ]);
    });
  });

  it("SI1: refuses a calendar with other days", async () => {
    const unit = "seconds since 1970-01-01";
    const calendar = (calendar: string) => {
      const attributes = { units: unit, calendar };
      return { ...axes, valid_time: { ...axes.valid_time, attributes }, u100: wind(speeds) };
    };
    for (const name of ["noleap", "365_day", "360_day", "julian"]) {
      await refused(
        await file(calendar(name)),
        `its calendar is "${name}", as in climate models, so its days do not match the days of your ` +
          "production. Give a reanalysis, such as ERA5",
      );
    }
    for (const name of ["standard", "gregorian", "proleptic_gregorian"]) {
      assertEquals((await read(calendar(name))).times, times);
    }
  });

  it("SI1: refuses a grid with a field of latitudes, and reads a point of it", async () => {
    const field = { data: Float64Array.of(55.75, 55.5), shape: [2, 1] };
    await refused(
      await file({ ...axes, latitude: field, u100: wind(speeds) }),
      "its latitude is a two-dimensional field, as on a projected or rotated grid. Choose one point, or interpolate " +
        "to latitudes and longitudes",
    );
  });

  it("SI1: reads units of time as programs write them", async () => {
    for (
      const units of [
        "hours since 1970-1-1 00:00:00",
        "hours since 1970-01-01T00:00:00Z",
        "hours since 1970-01-01 00:00:00 +00:00",
        "hour since 1970-01-01 00:00 UTC",
        "h since 1970-01-01",
      ]
    ) {
      const data = Float64Array.of(420_768, 420_769); // hours of 48 years, 12 of which are leap years
      const valid_time = { data, attributes: { units } };
      assertEquals((await read({ ...axes, valid_time, u100: wind(speeds) })).times, times, units);
    }
  });

  it("SI1: keeps a variable that has lost its unit", async () => {
    const { variables } = await read({ ...axes, u100: { ...wind(speeds), attributes: {} } });
    assertEquals(variables.get("u100"), { unit: "", values: speeds });
  });

  it("names a missing axis, and the variables of the file", async () => {
    const { latitude: _, ...others } = axes;
    const { message } = await refused(
      await file({ ...others, u10: wind(speeds) }),
      "it has no latitude.",
    );
    for (const name of ["valid_time", "longitude", "u10"]) assertStringIncludes(message, name);
  });

  it("keeps its values when it reads the next file", async () => {
    const first = await read({ ...axes, u100: wind(speeds) });
    await read({ ...axes, u100: wind(speeds.map((speed) => speed + 7)) });
    assertEquals([...first.variables.get("u100")!.values], [1.5, 2.5, 3.5, 4.5]);
  });

  it("refuses a zip archive, classic NetCDF and GRIB by their names", async () => {
    await refused(zipSync({ "era5.nc": utf8("x") }), "it is a zip archive. Unzip it first");
    await refused(utf8("CDF\x01\0\0\0\0"), "it is classic NetCDF. Request NetCDF4");
    await refused(
      utf8("GRIB\0\0\0\x01"),
      "it is GRIB. Request NetCDF4 from the Climate Data Store",
    );
  });

  it("F5 refuses garbage, a web page and an empty file", async () => {
    for (const text of ["", "<html>busy</html>", "time,power\n", "\x89PNG"]) {
      await refused(utf8(text), "it is not a NetCDF4 file");
    }
  });

  it("F4 refuses a file that is truncated or damaged after its signature", async () => {
    const bytes = await file({ ...axes, u100: wind(speeds) });
    await refused(bytes.subarray(0, bytes.length >> 1), "it is damaged");
    const garbage = bytes.slice();
    garbage.fill(0x55, 8);
    await refused(garbage, "it is damaged");
  });
});

const era5 = new URL("../../../../shared/data/horns_rev/2006-2008.nc", import.meta.url);

function present(): boolean {
  try {
    return Deno.statSync(era5).isFile;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

describe("readNetcdf() with a file of the Climate Data Store", () => {
  const check = present() ? it : it.ignore;
  const note = present() ? "" : " (skipped: ../shared/data is not here)";

  check(`reads three years of ERA5, hour by hour, with plausible winds${note}`, async () => {
    const grid = await readNetcdf(await Deno.readFile(era5), "2006-2008.nc");
    assertEquals(grid.times.length, (365 + 365 + 366) * 24);
    assertEquals(grid.times[0], Date.UTC(2006, 0, 1));
    assertEquals(grid.times.at(-1), Date.UTC(2008, 11, 31, 23));
    assertEquals([grid.latitudes, grid.longitudes], [[55.75, 55.5], [7.75, 8]]);
    assertEquals([...grid.variables.keys()].sort(), ["u10", "u100", "v10", "v100"]);
    for (const { unit, values } of grid.variables.values()) {
      assertEquals([unit, values.length], ["m s**-1", grid.times.length * 4]);
      assertEquals(values.every((value) => Math.abs(value) < 50), true); // NaN would fail
    }
  });
});

describe("readNetcdf() with hostile files", () => {
  it("F54 H8: stops at its timeout", async () => {
    const bytes = await file({ ...axes, u100: wind(speeds) });
    const { message } = await assertRejects(() => readNetcdf(bytes, "era5.nc", 0), DataFormatError);
    assertEquals(
      message,
      "Cannot read era5.nc: reading it took more than 0 s, so it is probably damaged. Download it again",
    );
  });

  it("F54 H8: stops reading a file on which the HDF5 library never returns", async () => {
    // Made by `deno task soak fuzz`: climate NetCDF4, seed 1208 of its first edition.
    const bytes = await Deno.readFile(new URL("../../fixtures/endless.nc", import.meta.url));
    await assertRejects(
      () => readNetcdf(bytes, "endless.nc", 1500),
      DataFormatError,
      "Cannot read endless.nc: reading it took more than 2 s",
    );
  });

  it("F54 H7: refuses a shape of gigabytes in a file of kilobytes before it takes memory", async () => {
    for (
      const [name, length, problem] of [
        [
          "valid_time",
          2_000_000_000,
          "its valid_time has the shape 2000000000, but the limit is 20000000",
        ],
        ["latitude", 20_000_000, "its latitude has "],
      ] as const
    ) {
      const bytes = await file({ ...axes, u100: wind(speeds) }, {
        grown: { name, shape: [length] },
      });
      assertEquals(bytes.length < 20_000, true);
      await refused(bytes, problem);
    }
  });

  it("F54 H7: refuses impossible places", async () => {
    const at = (latitude: number) =>
      file({ ...axes, latitude: { data: Float64Array.of(latitude, 55.5) }, u100: wind(speeds) });
    for (const latitude of [NaN, 91, Infinity]) {
      await refused(
        await at(latitude),
        `value 1 of its latitude is ${latitude}, not within -90 to 90`,
      );
    }
  });

  it("H7: reads files of 160 MB without copying them byte by byte", async () => {
    const bytes = await file({ ...axes, u100: wind(speeds) });
    const long = new Uint8Array(160_000_000);
    long.set(bytes);
    assertEquals((await readNetcdf(long, "era5.nc")).times, times);
  });
});
