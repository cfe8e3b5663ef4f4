import { DataFormatError } from "../api/errors.ts";

/** A variable of a NetCDF4 file on hours x latitudes x longitudes. */
interface NetcdfVariable {
  /** Unit as the file states it. */
  readonly unit: string;
  /** Values in the order [time, latitude, longitude]; NaN if missing. */
  readonly values: Float32Array | Float64Array;
}

/** Content of a NetCDF4 file of the Climate Data Store. */
interface NetcdfGrid {
  /** Stamps, milliseconds since 1970 UTC. */
  readonly times: Float64Array;
  /** Latitudes, deg, in the file's order. */
  readonly latitudes: readonly number[];
  /** Longitudes, deg, in the file's order. */
  readonly longitudes: readonly number[];
  /** Variables by name. */
  readonly variables: ReadonlyMap<string, NetcdfVariable>;
  /** By hour: 1 if the reanalysis is preliminary (ERA5T), else 0; missing if the file has no such variable. */
  readonly preliminary?: Uint8Array;
}

type Hdf5File = import("h5wasm").File;

function findDataset(file: Hdf5File, name: string): import("h5wasm").Dataset | undefined {
  const entry = file.keys().includes(name) ? file.get(name) : null;
  return entry && "shape" in entry ? entry : undefined;
}

function readAttribute(entry: import("h5wasm").Dataset, name: string): unknown {
  return name in entry.attrs ? entry.attrs[name].value : undefined;
}

function toScalar(value: unknown): number | undefined {
  const single = ArrayBuffer.isView(value) ? (value as unknown as ArrayLike<unknown>)[0] : value;
  return typeof single === "number" ? single : undefined;
}

/** Reads a time variable in `seconds|hours|... since DATE` as milliseconds since 1970 UTC. */
function readTimes(entry: import("h5wasm").Dataset, file: string): Float64Array {
  const unit = String(readAttribute(entry, "units"));
  const match =
    /^(seconds|minutes|hours|days) since (\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::\d{2}(?:\.0+)?)?)?$/
      .exec(unit);
  if (!match) throw new DataFormatError(`Cannot read ${file}: its time has the unit "${unit}"`);
  const step = { seconds: 1e3, minutes: 6e4, hours: 36e5, days: 864e5 }[match[1]]!;
  const origin = Temporal.Instant.from(`${match[2]}T${match[3] ?? "00:00"}Z`).epochMilliseconds;
  return Float64Array.from(
    entry.value as ArrayLike<number | bigint>,
    (value: number | bigint) => origin + Number(value) * step,
  );
}

/** Reads floats, or unpacks packed integers; the fill value becomes NaN. */
function readValues(entry: import("h5wasm").Dataset): Float32Array | Float64Array {
  const raw = entry.value as ArrayLike<number>;
  const scale = toScalar(readAttribute(entry, "scale_factor")) ?? 1;
  const offset = toScalar(readAttribute(entry, "add_offset")) ?? 0;
  const fill = toScalar(readAttribute(entry, "_FillValue"));
  const missing = toScalar(readAttribute(entry, "missing_value")) ?? fill;
  const plain = scale === 1 && offset === 0 && (fill === undefined || Number.isNaN(fill));
  if (plain && (raw instanceof Float32Array || raw instanceof Float64Array)) return raw;
  return Float64Array.from(
    raw,
    (value) => value === fill || value === missing ? NaN : value * scale + offset,
  );
}

/** Reads the experiment version of each hour: 5 is ERA5T, 1 is ERA5. */
function readPreliminaryFlags(file: Hdf5File, hours: number): Uint8Array | undefined {
  const entry = findDataset(file, "expver");
  if (!entry || entry.shape?.length !== 1 || entry.shape[0] !== hours) return undefined;
  return Uint8Array.from(
    entry.value as ArrayLike<unknown>,
    (value: unknown) => Number(value) === 5 ? 1 : 0,
  );
}

/**
 * Reads a NetCDF4 file as the Climate Data Store delivers it.
 *
 * @param bytes The file
 * @param file Its name, for messages
 * @throws {DataFormatError} If it is not a NetCDF4 file, is damaged, or an axis is missing
 */
export async function readNetcdf(bytes: Uint8Array, file: string): Promise<NetcdfGrid> {
  const signature = String.fromCharCode(...bytes.subarray(0, 4));
  if (signature !== "\x89HDF") {
    const found = signature.startsWith("PK")
      ? "it is a zip archive. Unzip it first"
      : signature.startsWith("CDF")
      ? "it is classic NetCDF. Ask the Climate Data Store for NetCDF4"
      : signature === "GRIB"
      ? "it is GRIB. Ask the Climate Data Store for NetCDF4"
      : "it is not a NetCDF4 file";
    throw new DataFormatError(`Cannot read ${file}: ${found}`);
  }
  const { default: hdf5 } = await import("h5wasm");
  const module = await hdf5.ready;
  module.activate_throwing_error_handler(); // otherwise thirty lines go to stderr
  const { FS } = module;
  const name = crypto.randomUUID(); // in the library's own file system, in memory
  FS.writeFile(name, bytes);
  try {
    const opened = new hdf5.File(name, "r");
    try {
      return readGrid(opened, file);
    } finally {
      opened.close();
    }
  } catch (cause) {
    if (cause instanceof DataFormatError) throw cause;
    throw new DataFormatError(`Cannot read ${file}: it is damaged (${(cause as Error).message})`, {
      cause,
    });
  } finally {
    FS.unlink(name);
  }
}

function readGrid(opened: Hdf5File, file: string): NetcdfGrid {
  const axis = (...names: string[]) => {
    const found = names.map((name) => findDataset(opened, name)).find((entry) => entry);
    if (!found) {
      throw new DataFormatError(
        `Cannot read ${file}: it has no ${names[0]}. Its variables are ${opened.keys().join(", ")}`,
      );
    }
    return found;
  };
  const times = readTimes(axis("valid_time", "time"), file);
  const latitudes = Array.from(axis("latitude", "lat").value as ArrayLike<number>);
  const longitudes = Array.from(axis("longitude", "lon").value as ArrayLike<number>);
  const variables = new Map<string, NetcdfVariable>();
  for (const name of opened.keys()) {
    const entry = findDataset(opened, name);
    const shape = entry?.shape;
    if (!entry || shape?.length !== 3 || typeof readAttribute(entry, "units") !== "string") {
      continue;
    }
    if (
      shape[0] !== times.length || shape[1] !== latitudes.length || shape[2] !== longitudes.length
    ) continue;
    variables.set(name, {
      unit: readAttribute(entry, "units") as string,
      values: readValues(entry),
    });
  }
  const preliminary = readPreliminaryFlags(opened, times.length);
  return { times, latitudes, longitudes, variables, ...(preliminary ? { preliminary } : {}) };
}
