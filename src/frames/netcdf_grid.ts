import { shortenText } from "../show/text/plain_text.ts";
import { DataFormatError } from "../api/errors.ts";
import { MAX_CELLS, MAX_CHUNK_BYTES, MAX_COLUMNS, MAX_ROWS } from "./reader_limits.ts";
import { refuseFile } from "./refuse_file.ts";
import { findSizeProblem } from "./archive/unpacked_size.ts";

/** A variable of a NetCDF4 file on hours x latitudes x longitudes. */
interface NetcdfVariable {
  /** Unit as the file states it. */
  readonly unit: string;
  /** Values in the order [time, latitude, longitude]; NaN if missing. */
  readonly values: Float32Array | Float64Array;
}

/** Content of a NetCDF4 file of the Climate Data Store. */
export interface NetcdfGrid {
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
  if (!match) {
    refuseFile(file, `its time has the unit "${shortenText(unit)}"`, {
      code: "unit",
      value: shortenText(unit),
    });
  }
  const step = { seconds: 1e3, minutes: 6e4, hours: 36e5, days: 864e5 }[match[1]]!;
  const origin = Temporal.Instant.from(`${match[2]}T${match[3] ?? "00:00"}Z`).epochMilliseconds;
  return Float64Array.from(
    entry.value as ArrayLike<number | bigint>,
    (value: number | bigint) => origin + Number(value) * step,
  );
}

function readDegrees(
  entry: import("h5wasm").Dataset,
  name: string,
  [low, high]: readonly [number, number],
  refuse: (found: string) => never,
): number[] {
  return Array.from(entry.value as ArrayLike<number>, (value, i) => {
    if (value >= low && value <= high) return Number(value);
    return refuse(`its ${name} ${i + 1} is ${value}, not within ${low} to ${high}`);
  });
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
 * Reads the grid of a NetCDF4 file. It may take any time: {@linkcode readNetcdf} calls it in a worker.
 *
 * @throws {DataFormatError} If it is damaged, beyond the bounds of readers, or an axis is missing
 */
export async function readNetcdfGrid(bytes: Uint8Array, file: string): Promise<NetcdfGrid> {
  const { default: hdf5 } = await import("h5wasm");
  const module = await hdf5.ready;
  module.activate_throwing_error_handler(); // otherwise thirty lines go to stderr
  module.FS.writeFile("file", bytes); // in the library's own file system, in memory
  try {
    return readGrid(new hdf5.File("file", "r"), file, bytes.length);
  } catch (cause) {
    if (cause instanceof DataFormatError) throw cause;
    const { message } = cause as Error;
    // The library reports its stack in lines like "#000: H5Gdeprec.c line 967 in H5Gget_objinfo(): ...", the cause last.
    const found = [...message.matchAll(/^ *#\d+: .*?\(\): (.*)/gm)].at(-1)?.[1] ??
      message.split("\n")[0];
    return refuseFile(file, `it is damaged (${found})`);
  }
}

/** Refuses a variable beyond the bounds of readers, by what it declares, before memory is taken for its values. */
function assertBounded(
  { metadata }: import("h5wasm").Dataset,
  what: string,
  fileBytes: number,
  maxLength: number,
  refuse: (found: string) => never,
): void {
  const { shape, chunks, size } = metadata;
  const product = (lengths: readonly number[]) => lengths.reduce((all, one) => all * one, 1);
  const length = product(shape ?? []);
  if (!(length <= maxLength)) {
    refuse(`${what} has the shape ${shape!.join(" x ")}, more than ${maxLength} values`);
  }
  const problem = findSizeProblem(what, length * size, fileBytes, MAX_CELLS * 8);
  if (problem !== undefined) refuse(problem);
  const chunk = product(chunks ?? []) * size;
  if (chunk > MAX_CHUNK_BYTES) {
    refuse(`${what} is packed in parts of ${chunk} bytes, more than ${MAX_CHUNK_BYTES}`);
  }
}

function readGrid(opened: Hdf5File, file: string, fileBytes: number): NetcdfGrid {
  const refuse = (found: string) => refuseFile(file, found);
  const axis = (...names: string[]) => {
    const found = names.map((name) => findDataset(opened, name)).find((entry) => entry);
    if (!found) {
      return refuse(`it has no ${names[0]}. Its variables are ${opened.keys().join(", ")}`);
    }
    if (found.shape?.length !== 1) refuse(`its ${names[0]} is not a list`);
    assertBounded(found, `its ${names[0]}`, fileBytes, MAX_ROWS, refuse);
    return found;
  };
  const times = readTimes(axis("valid_time", "time"), file);
  const latitudes = readDegrees(axis("latitude", "lat"), "latitude", [-90, 90], refuse);
  const longitudes = readDegrees(axis("longitude", "lon"), "longitude", [-180, 360], refuse);
  const variables = new Map<string, NetcdfVariable>();
  let cells = 0;
  if (opened.keys().length > MAX_COLUMNS) refuse(`it has more than ${MAX_COLUMNS} variables`);
  for (const name of opened.keys()) {
    const entry = findDataset(opened, name);
    const shape = entry?.shape;
    if (!entry || shape?.length !== 3 || typeof readAttribute(entry, "units") !== "string") {
      continue;
    }
    if (
      shape[0] !== times.length || shape[1] !== latitudes.length || shape[2] !== longitudes.length
    ) continue;
    assertBounded(entry, `variable ${name}`, fileBytes, MAX_CELLS, refuse);
    cells += times.length * latitudes.length * longitudes.length;
    if (cells > MAX_CELLS) refuse(`its variables have more than ${MAX_CELLS} values together`);
    variables.set(name, {
      unit: readAttribute(entry, "units") as string,
      values: readValues(entry),
    });
  }
  const preliminary = readPreliminaryFlags(opened, times.length);
  return { times, latitudes, longitudes, variables, ...(preliminary ? { preliminary } : {}) };
}

/** A point of a grid. */
export interface NetcdfCell {
  /** Latitude, deg. */
  readonly latitude: number;
  /** Longitude as in the file, deg. */
  readonly longitude: number;
  /** Values by hour of each variable, by its name; NaN if missing. */
  readonly values: ReadonlyMap<string, Float64Array>;
}

/** Lists the points of a grid, in the order of the file; the values of one at a time. */
export function* listCells(
  { times, latitudes, longitudes, variables }: NetcdfGrid,
): Generator<NetcdfCell> {
  const cells = latitudes.length * longitudes.length;
  for (let cell = 0; cell < cells; cell++) {
    const values = new Map(
      [...variables].map(([name, { values }]) =>
        [name, Float64Array.from(times, (_, i) => values[i * cells + cell])] as const
      ),
    );
    const [row, column] = [Math.floor(cell / longitudes.length), cell % longitudes.length];
    yield { latitude: latitudes[row], longitude: longitudes[column], values };
  }
}
