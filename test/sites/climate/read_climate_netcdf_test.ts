import { assertAlmostEquals, assertEquals, assertRejects } from "@std/assert";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";
import { ArgumentError, DataFormatError } from "../../../src/api/errors.ts";
import { readClimate } from "../../../src/sites/climate/read_climate.ts";
import type { ClimateSource } from "../../../src/sites/declaration/site_file.ts";
import { SourceFiles } from "../../../src/sites/source_files.ts";
import { netcdfFile, type Variable } from "../../frames/netcdf/_netcdf.ts";

/** Builds axes of one point, with hours since the start of 2018. */
function axes(...hours: number[]): Record<string, Variable> {
  return {
    valid_time: {
      data: BigInt64Array.from(hours, (hour) => 1_514_764_800n + 3600n * BigInt(hour)),
      attributes: { units: "seconds since 1970-01-01" },
    },
    latitude: { data: Float64Array.of(52.5) },
    longitude: { data: Float64Array.of(359) },
  };
}

function variable(units: string, ...values: number[]): Variable {
  return { data: Float32Array.from(values), shape: [values.length, 1, 1], attributes: { units } };
}

describe("readClimate() from NetCDF4", () => {
  let folder: string;
  beforeEach(async () => {
    folder = await Deno.makeTempDir();
  });
  afterEach(async () => {
    await Deno.remove(folder, { recursive: true });
  });

  const write = async (name: string, variables: Record<string, Variable>) =>
    await Deno.writeFile(`${folder}/${name}`, await netcdfFile(variables));
  const read = (source: Omit<ClimateSource, "stamp">) =>
    readClimate({ stamp: "instant", ...source }, new SourceFiles({ folder, frames: new Map() }));
  const wind = (...values: number[]) => ({
    u100: variable("m s**-1", ...values),
    v100: variable("m s**-1", ...values.map(() => 0)),
  });

  it("joins consecutive files, and reads 359 degrees east as 1 degree west", async () => {
    await write("a.nc", { ...axes(0, 1), ...wind(5, 6) });
    await write("b.nc", { ...axes(2), ...wind(7) });
    const [point] = await read({ files: ["b.nc", "a.nc"] });
    assertEquals([point.latitude, point.longitude, point.axis.length], [52.5, -1, 3]);
    assertEquals(point.levels[0].u, Float64Array.of(5, 6, 7));
  });

  it("joins variables in separate files, as request limits of the store require", async () => {
    await write("wind.nc", { ...axes(0, 1), ...wind(5, 6) });
    await write("air.nc", { ...axes(0, 1), t2m: variable("K", 283.15, 284.15) });
    const [point] = await read({ files: ["wind.nc", "air.nc"] });
    assertEquals(point.levels.length, 1);
    assertAlmostEquals(point.temperature![1], 11, 1e-4);
  });

  it("rejects two files with the same variable and hours", async () => {
    await write("a.nc", { ...axes(0, 1), ...wind(5, 6) });
    await write("b.nc", { ...axes(1), ...wind(7) });
    await assertRejects(
      () => read({ files: ["a.nc", "b.nc"] }),
      DataFormatError,
      "their hours overlap",
    );
  });

  it("rejects a declared variable that no file has", async () => {
    await write("a.nc", { ...axes(0, 1), ...wind(5, 6) });
    const variables = {
      wind_u_100: { column: "u100" },
      wind_v_100: { column: "v100" },
      pressure: { column: "sp" },
    };
    await assertRejects(
      () => read({ files: ["a.nc"], variables }),
      ArgumentError,
      'no file has a usable variable "sp", which the site declares as pressure',
    );
  });
});
