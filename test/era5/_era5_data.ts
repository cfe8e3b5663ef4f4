/**
 * Data of the fake services: SYNTHETIC weather that depends only on place and time, so each request for an hour gets
 * the same values.
 *
 * @module
 */
import hdf5 from "h5wasm";

/** Milliseconds of an hour. */
export const HOUR = 3_600_000;

/** Means and swings of the variables, in the units of ERA5. */
const SHAPES: Readonly<Record<string, readonly [mean: number, swing: number]>> = {
  u100: [5, 9],
  v100: [2, 7],
  u10: [4, 6],
  v10: [1, 5],
  t2m: [283, 12],
  sp: [100_500, 2_000],
};

/** Short names in the files, by the names in requests. */
export const SHORT_NAMES: Readonly<Record<string, string>> = {
  "100m_u_component_of_wind": "u100",
  "100m_v_component_of_wind": "v100",
  "10m_u_component_of_wind": "u10",
  "10m_v_component_of_wind": "v10",
  "2m_temperature": "t2m",
  surface_pressure: "sp",
};

/** Returns the SYNTHETIC value of a variable, as a 32-bit float like ERA5. */
export function makeValue(name: string, latitude: number, longitude: number, at: number): number {
  const [mean, swing] = SHAPES[name];
  const hours = at / HOUR;
  const phase = latitude * 0.7 + longitude * 0.3 + mean;
  const wave = Math.sin(hours / 17 + phase) * 0.6 + Math.sin(hours / 61.3 + 2 * phase) * 0.4;
  return Math.fround(mean + swing * wave);
}

/** Returns the value of a variable at an instant. */
export type ValueOf = typeof makeValue;

function listHours(from: number, end: number): number[] {
  return Array.from({ length: Math.max(0, (end - from) / HOUR) }, (_, i) => from + i * HOUR);
}

/** Builds the CSV of the point dataset: columns ordered by their request names, timestamps in UTC without offset. */
export function makePointCsv(
  { variable, latitude, longitude, from, end }: {
    variable: readonly string[];
    latitude: number;
    longitude: number;
    from: number;
    end: number;
  },
  valueOf: ValueOf,
): string {
  const names = [...variable].sort().map((name) => SHORT_NAMES[name]);
  const rows = listHours(from, end).map((at) => {
    const stamp = new Date(at).toISOString().slice(0, 19).replace("T", " ");
    const values = names.map((name) => valueOf(name, latitude, longitude, at));
    return [stamp, ...values, latitude, longitude].join(",");
  });
  return [["valid_time", ...names, "latitude", "longitude"].join(","), ...rows, ""].join("\n");
}

/** Fill value of the NetCDF-4. */
const FILL = Math.fround(9.969209968386869e36);

const UNITS: Readonly<Record<string, string>> = { t2m: "K", sp: "Pa" };

/** Builds the NetCDF-4 of the grid dataset: latitudes descending, `expver` a text for each time. */
export async function makeGridNetcdf(
  { variable, latitudes, longitudes, hours, finalUntil }: {
    variable: readonly string[];
    latitudes: readonly number[];
    longitudes: readonly number[];
    hours: readonly number[];
    /** Hours from here on are preliminary (ERA5T). */
    finalUntil: number;
  },
  valueOf: ValueOf,
): Promise<Uint8Array<ArrayBuffer>> {
  const module = await hdf5.ready;
  const path = `${crypto.randomUUID()}.nc`;
  const file = new hdf5.File(path, "w");
  const add = (name: string, data: unknown, shape: number[], dtype: string, unit?: string) => {
    file.create_dataset({ name, data: data as number[], shape, dtype });
    const made = file.get(name);
    if (unit && made && "shape" in made) made.create_attribute("units", unit);
  };
  const seconds = BigInt64Array.from(hours, (at) => BigInt(at / 1000));
  add("valid_time", seconds, [hours.length], "<q", "seconds since 1970-01-01");
  add("latitude", Float64Array.from(latitudes), [latitudes.length], "<d", "degrees_north");
  add("longitude", Float64Array.from(longitudes), [longitudes.length], "<d", "degrees_east");
  for (const scale of ["valid_time", "latitude", "longitude"]) {
    const made = file.get(scale);
    if (made && "shape" in made) made.make_scale(scale);
  }
  const expver = hours.map((at) => at < finalUntil ? "0001" : "0005");
  add("expver", expver, [hours.length], "S"); // texts of variable length
  add("number", BigInt64Array.of(0n), [], "<q");
  for (const name of variable.map((one) => SHORT_NAMES[one])) {
    const values = hours.flatMap((at) =>
      latitudes.flatMap((latitude) =>
        longitudes.map((longitude) => valueOf(name, latitude, longitude, at))
      )
    );
    const shape = [hours.length, latitudes.length, longitudes.length];
    const filled = values.map((value) => Number.isNaN(value) ? FILL : value);
    add(name, Float32Array.from(filled), shape, "<f", UNITS[name] ?? "m s**-1");
    const made = file.get(name);
    if (made && "shape" in made) {
      made.create_attribute("_FillValue", FILL, null, "<f");
      for (const [i, scale] of ["valid_time", "latitude", "longitude"].entries()) {
        made.attach_scale(i, `/${scale}`);
      }
    }
  }
  file.close();
  const bytes = Uint8Array.from(module.FS.readFile(path));
  module.FS.unlink(path);
  return bytes;
}
