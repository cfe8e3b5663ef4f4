import { shortenText } from "../../show/text/plain_text.ts";
import { DataFormatError } from "../../api/errors.ts";
import { MAX_CELLS, MAX_CHUNK_BYTES, MAX_COLUMNS, MAX_ROWS } from "../files/reader_limits.ts";
import { refuseFile } from "../files/read_file.ts";
import { findSizeProblem } from "../files/archive.ts";

/** A variable of a NetCDF4 file on hours x latitudes x longitudes. */
interface NetcdfVariable {
  /** Unit as the file states it; empty if it states none. */
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
  /** Variables that are left out, each with the reason. */
  readonly skipped: readonly string[];
}

type Hdf5File = import("h5wasm").File;
type Hdf5Dataset = import("h5wasm").Dataset;

function findDataset(file: Hdf5File, name: string): Hdf5Dataset | undefined {
  const entry = file.keys().includes(name) ? file.get(name) : null;
  return entry && "shape" in entry ? entry : undefined;
}

function readAttribute(entry: Hdf5Dataset, name: string): unknown {
  return name in entry.attrs ? entry.attrs[name].value : undefined;
}

function toScalar(value: unknown): number | undefined {
  const single = ArrayBuffer.isView(value) ? (value as unknown as ArrayLike<unknown>)[0] : value;
  return typeof single === "number" ? single : undefined;
}

/** A unit of time of the CF conventions, as programs write it: "hours since 1900-1-1 00:00:0.0", "seconds since 1970-01-01T00:00:00Z". */
const timeUnit =
  /^(second|minute|hour|day|sec|min|hr|s|h|d)s? since (\d{4})-(\d{1,2})-(\d{1,2})(?:[T ](\d{1,2}):(\d{1,2})(?::0{1,2}(?:\.0*)?)?)?(?: ?(?:Z|UTC|[+-]?0{1,2}:?0{2}))?$/;

/** Year in which the Gregorian calendar began: programs count days from earlier dates in several ways. */
const FIRST_YEAR = 1582;

/** Milliseconds of a unit of time, by its first letter. */
const STEPS: Readonly<Record<string, number>> = { s: 1e3, m: 6e4, h: 36e5, d: 864e5 };

/** Reads a time variable in `seconds|hours|... since DATE` as milliseconds since 1970 UTC. */
function readTimes(entry: Hdf5Dataset, file: string): Float64Array {
  const unit = String(readAttribute(entry, "units"));
  const match = timeUnit.exec(unit);
  if (!match || Number(match[2]) <= FIRST_YEAR) {
    const problem =
      `its time has the unit "${shortenText(unit)}", not one like "hours since 1900-01-01". ` +
      "Save it with such a unit, as xarray and cdo -r do";
    refuseFile(file, problem, { code: "unit", value: shortenText(unit) });
  }
  const step = STEPS[match[1][0]];
  const [year, month, day, hour = 0, minute = 0] = match.slice(2).map((part) => Number(part ?? 0));
  const origin = Date.UTC(year, month - 1, day, hour, minute);
  const values = entry.shape!.length === 0 ? [entry.value as number] : entry.value;
  return Float64Array.from(
    values as ArrayLike<number | bigint>,
    // Hours as fractions of days are off by microseconds.
    (value: number | bigint) => Math.round(origin + Number(value) * step),
  );
}

function readDegrees(
  entry: Hdf5Dataset,
  name: string,
  [low, high]: readonly [number, number],
  refuse: (problem: string) => never,
): number[] {
  const values = entry.shape!.length === 0 ? [entry.value as number] : entry.value;
  return Array.from(values as ArrayLike<number>, (value, i) => {
    if (value >= low && value <= high) return Number(value);
    return refuse(`value ${i + 1} of its ${name} is ${value}, not within ${low} to ${high}`);
  });
}

/** Reads floats, or unpacks packed integers; the fill value becomes NaN. */
function readValues(entry: Hdf5Dataset): Float32Array | Float64Array {
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

/** Names of the dimensions that a grid has. */
const AXES = {
  time: ["valid_time", "time"],
  latitude: ["latitude", "lat"],
  longitude: ["longitude", "lon"],
} as const;

/** Finds the axis of the grid that a dimension is; `undefined` if it is not one. */
function findAxis(name: string): keyof typeof AXES | undefined {
  const known = Object.entries(AXES) as [keyof typeof AXES, readonly string[]][];
  return known.find(([, names]) => names.includes(name))?.[0];
}

/** Names of the dimensions of a variable, by their scales; `undefined` if it names none. */
function listDimensions(entry: Hdf5Dataset): string[] | undefined {
  const shape = entry.shape ?? [];
  const names = shape.flatMap((_, i) => entry.get_attached_scales(i).slice(0, 1));
  return names.length < shape.length ? undefined : names.map((name) => name.replace(/^.*\//, ""));
}

/** Experiment versions of ERA5: 1 is final, 5 is preliminary (ERA5T). */
const PRELIMINARY = 5;

/** Reads experiment versions; empty if the file has none. */
function readVersions(file: Hdf5File): number[] {
  const entry = findDataset(file, "expver");
  return entry?.shape?.length === 1
    ? Array.from(entry.value as ArrayLike<unknown>, (value: unknown) => Number(value))
    : [];
}

/** Order of the values of a variable in the file: steps between neighbours along each axis. */
interface Layout {
  readonly steps: Readonly<Record<keyof typeof AXES, number>>;
  /** Step to the values of the next experiment version; 0 if it has only one. */
  readonly version: number;
}

/** Finds the order of the values by the names of the dimensions. Returns the reason if the variable must be left out. */
function findLayout(
  entry: Hdf5Dataset,
  lengths: Readonly<Record<keyof typeof AXES, number>>,
): Layout | string {
  const shape = entry.shape!;
  const rank = shape.length;
  // Without names, only their lengths can show which is which.
  const isClear = rank === 3 && (lengths.latitude !== lengths.longitude || lengths.latitude === 1);
  const dimensions = listDimensions(entry) ??
    (isClear ? ["time", "latitude", "longitude"] : undefined);
  if (!dimensions) return "its dimensions have no names";
  const steps = { time: 0, latitude: 0, longitude: 0 };
  let version = 0;
  for (let i = rank - 1, step = 1; i >= 0; step *= shape[i], i--) {
    const [name, length] = [dimensions[i], shape[i]];
    const axis = findAxis(name);
    if (axis && length !== lengths[axis]) return `its ${name} has ${length} values`;
    if (axis) steps[axis] = step;
    else if (name === "expver" && length > 1) version = step;
    else if (length > 1) {
      const items = name === "number" ? "ensemble members" : "values";
      return `it has ${length} ${items} along ${name}. Choose one of them`;
    }
  }
  const missing = (Object.keys(steps) as (keyof typeof AXES)[])
    .find((axis) => steps[axis] === 0 && lengths[axis] > 1);
  return missing ? `it has no ${missing}` : { steps, version };
}

/**
 * Puts values into the order time, latitude, longitude. If there are several experiment versions, takes the final one
 * wherever it has a value.
 *
 * @param versions Experiment versions, if they are a dimension
 * @param preliminary Set to 1 for each hour without a value in the final version
 */
function orderValues(
  values: Float32Array | Float64Array,
  { steps, version }: Layout,
  lengths: Readonly<Record<keyof typeof AXES, number>>,
  versions: readonly number[],
  preliminary: Uint8Array,
): Float32Array | Float64Array {
  const { time, latitude, longitude } = lengths;
  const isOrdered = steps.time === latitude * longitude && steps.latitude === longitude;
  if (isOrdered && version === 0) return values;
  const slices = version === 0
    ? [0]
    : [...versions.keys()].sort((a, b) => versions[a] - versions[b]).map((at) => at * version);
  const ordered = new Float64Array(time * latitude * longitude);
  let at = 0;
  for (let i = 0; i < time; i++) {
    for (let j = 0; j < latitude; j++) {
      for (let k = 0; k < longitude; k++) {
        const from = i * steps.time + j * steps.latitude + k * steps.longitude;
        const slice = slices.find((slice) => !Number.isNaN(values[from + slice])) ?? slices[0];
        if (slice !== slices[0]) preliminary[i] = 1;
        ordered[at++] = values[from + slice];
      }
    }
  }
  return ordered;
}

/**
 * Reads the grid of a NetCDF4 file. It may never return on a damaged file, so {@linkcode readNetcdf} calls it in a
 * worker.
 *
 * @throws {DataFormatError} If it is damaged, beyond the limits of readers, or an axis is missing
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
    const reason = [...message.matchAll(/^ *#\d+: .*?\(\): (.*)/gm)].at(-1)?.[1] ??
      message.split("\n")[0];
    return refuseFile(file, `it is damaged (${reason}). Download it again`);
  }
}

/** Refuses a variable whose declared size is beyond the limits of readers, before its values take memory. */
function assertBounded(
  { metadata }: Hdf5Dataset,
  subject: string,
  fileBytes: number,
  maxLength: number,
  refuse: (sentence: string) => never,
): void {
  const { shape, chunks, size } = metadata;
  const product = (lengths: readonly number[]) => lengths.reduce((all, one) => all * one, 1);
  const length = product(shape ?? []);
  if (!(length <= maxLength)) {
    refuse(`${subject} has the shape ${shape!.join(" x ")}, but the limit is ${maxLength} values`);
  }
  const problem = findSizeProblem(subject, length * size, fileBytes, MAX_CELLS * 8);
  if (problem !== undefined) refuse(problem);
  const chunk = product(chunks ?? []) * size;
  if (chunk > MAX_CHUNK_BYTES) {
    refuse(`${subject} is stored in chunks of ${chunk} bytes, but the limit is ${MAX_CHUNK_BYTES}`);
  }
}

/** Calendars that count days since 1582 as the Gregorian one does. */
const CALENDARS = ["standard", "gregorian", "proleptic_gregorian"];

function readGrid(opened: Hdf5File, file: string, fileBytes: number): NetcdfGrid {
  const refuse = (problem: string) => refuseFile(file, problem);
  const axis = (name: keyof typeof AXES) => {
    const dataset = AXES[name].map((alias) => findDataset(opened, alias)).find((entry) => entry);
    if (!dataset) {
      const has = `it has no ${AXES[name][0]}. Its variables are ${opened.keys().join(", ")}`;
      return refuse(name === "time" ? has : `${has}. When you select a point, keep its ${name}`);
    }
    if (dataset.shape!.length > 1 && name === "time") {
      refuse(
        "its times are forecast times, split into the start of the run and a step. Combine both into one time before " +
          'you save the file, as in xarray: ds.stack(t=("time", "step")).set_index(t="valid_time").rename(t="valid_time")',
      );
    }
    if (dataset.shape!.length > 1) {
      const field = `its ${
        AXES[name][0]
      } is a two-dimensional field, as on a projected or rotated grid`;
      refuse(`${field}. Choose one point, or interpolate to latitudes and longitudes`);
    }
    assertBounded(dataset, `its ${AXES[name][0]}`, fileBytes, MAX_ROWS, refuse);
    return dataset;
  };
  const stamps = axis("time");
  const calendar = readAttribute(stamps, "calendar") ?? CALENDARS[0];
  if (!CALENDARS.includes(String(calendar))) {
    refuse(
      `its calendar is "${
        shortenText(String(calendar))
      }", as in climate models, so its days do not match ` +
        "the days of your production. Give a reanalysis, such as ERA5",
    );
  }
  const times = readTimes(stamps, file);
  const latitudes = readDegrees(axis("latitude"), "latitude", [-90, 90], refuse);
  const longitudes = readDegrees(axis("longitude"), "longitude", [-180, 360], refuse);
  const lengths = {
    time: times.length,
    latitude: latitudes.length,
    longitude: longitudes.length,
  };
  const variables = new Map<string, NetcdfVariable>();
  const skipped: string[] = [];
  const versions = readVersions(opened);
  const preliminary = new Uint8Array(times.length);
  let cells = 0;
  if (opened.keys().length > MAX_COLUMNS) refuse(`it has more than ${MAX_COLUMNS} variables`);
  for (const name of opened.keys()) {
    const entry = findDataset(opened, name);
    if (!entry?.shape?.length) continue;
    const unit = readAttribute(entry, "units");
    // A float may have lost its unit in arithmetic of xarray; another type without a unit is a bound or a flag.
    if (typeof unit !== "string" && !/^<?[fd]$/.test(String(entry.dtype))) continue;
    if (findAxis(name) || entry.shape.length === 1 && entry.shape[0] !== times.length) continue;
    assertBounded(entry, `variable ${name}`, fileBytes, MAX_CELLS, refuse);
    const layout = findLayout(entry, lengths);
    if (typeof layout === "string") {
      if (unit !== undefined) skipped.push(`${name}: ${layout}`);
      continue;
    }
    cells += times.length * latitudes.length * longitudes.length;
    if (cells > MAX_CELLS) refuse(`its variables have more than ${MAX_CELLS} values in total`);
    variables.set(name, {
      unit: String(unit ?? ""),
      values: orderValues(readValues(entry), layout, lengths, versions, preliminary),
    });
  }
  const isPlain = versions.length === times.length && !preliminary.includes(1);
  if (isPlain) preliminary.set(versions.map((version) => version === PRELIMINARY ? 1 : 0));
  return {
    ...{ times, latitudes, longitudes, variables, skipped },
    ...(versions.length > 0 ? { preliminary } : {}),
  };
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

/** Lists the points of a grid in the order of the file, with the values of one point at a time. */
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
