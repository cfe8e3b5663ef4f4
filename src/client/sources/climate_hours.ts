import pl, { type DataFrame } from "nodejs-polars";
import { climateColumnByName, climateTime } from "../../api/columns/climate_columns.ts";
import { type Column, ownColumn } from "../../api/columns/column.ts";
import { DataFormatError, NoDataError } from "../../api/errors.ts";
import { buildDatetimes, buildNumbers } from "../../frames/frame.ts";
import { HOUR } from "../../time/hour_axis.ts";
import { buildHourlyGrid, placeOnGrid } from "../../time/hourly.ts";

/** Hours of one grid point, as one file has them. */
export interface ClimateHours {
  /** Name of the file, for messages. */
  readonly file: string;
  /** Latitude of the grid point, deg. */
  readonly latitude: number;
  /** Longitude of the grid point, deg, -180 to 180. */
  readonly longitude: number;
  /** Stamps, ms since 1970 UTC. */
  readonly stamps: Float64Array;
  /** Values by the name of their column and in its unit; missing is NaN. */
  readonly values: Readonly<Record<string, Float64Array>>;
  /** By hour: 1 if it is preliminary, 0 if it is final, NaN if that is not known. */
  readonly preliminary: Float64Array;
}

function component(letter: "u" | "v", towards: string, height: number): Column {
  const column = ownColumn(
    `wind_${letter}_${height}`,
    "f64",
    `Wind towards ${towards} at ${height} m`,
    `Component of the wind towards ${towards} ${height} m above ground, at the stamp.`,
  );
  return { ...column, unit: "m/s", range: [-75, 75] };
}

/** Columns of `era5()`; a source without a variable leaves its column out. */
const era5Columns: readonly Column[] = [
  climateTime,
  { ...ownColumn("latitude", "f64", "Latitude", "Latitude of the grid point."), unit: "deg" },
  { ...ownColumn("longitude", "f64", "Longitude", "Longitude of the grid point."), unit: "deg" },
  ...[
    "wind_speed_100",
    "wind_direction_100",
    "wind_speed_10",
    "wind_direction_10",
    "temperature",
    "pressure",
  ].map((name) => climateColumnByName(name)!),
  component("u", "the east", 100),
  component("v", "the north", 100),
  component("u", "the east", 10),
  component("v", "the north", 10),
  ownColumn(
    "preliminary",
    "bool",
    "Preliminary",
    "Whether the hour is preliminary (ERA5T) and may be revised; null if the source does not say.",
  ),
];

function isClimate(name: string): boolean {
  return /^(wind|temperature|pressure)/.test(name);
}

/** A frame of hours, and what a reader of it should know. */
export interface Era5Hours {
  readonly frame: DataFrame;
  readonly columns: readonly Column[];
  readonly notes: readonly string[];
}

/** Writes an instant to the minute. */
export function formatHour(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16)}Z`;
}

/** Refuses values that cannot be right: a unit or a column is another one than expected. */
function assertPlausible(values: Float64Array, { name, range, unit }: Column, file: string): void {
  const [low, high] = range ?? [null, null];
  const i = values.findIndex((value) => value < (low ?? -Infinity) || value > (high ?? Infinity));
  if (i < 0) return;
  throw new DataFormatError(
    `Cannot use ${file}: ${name} of hour ${i + 1} is ${
      values[i]
    } ${unit}, not within ${low} to ${high}. Its unit or its columns may have changed`,
  );
}

/**
 * Checks the hours of a file before it is stored.
 *
 * @returns The same hours
 * @throws {DataFormatError} If stamps are not hours in order, or a value cannot be right
 */
export function checkHours(hours: ClimateHours): ClimateHours {
  const { file, stamps, values } = hours;
  if (stamps.length > 0) buildHourlyGrid(stamps, { file });
  for (const column of era5Columns) {
    if (values[column.name]) assertPlausible(values[column.name], column, file);
  }
  return hours;
}

function sum<T>(all: readonly T[], valueOf: (one: T) => number): number {
  return all.reduce((total, one) => total + valueOf(one), 0);
}

/** Joins the files of one point to a regular hourly axis. */
function joinPoint(pieces: readonly ClimateHours[], names: readonly string[]) {
  const sorted = [...pieces].sort((a, b) => a.stamps[0] - b.stamps[0]);
  const join = (pick: (piece: ClimateHours) => Float64Array) => {
    const all = new Float64Array(sum(sorted, ({ stamps }) => stamps.length));
    let at = 0;
    for (const piece of sorted) {
      all.set(pick(piece), at);
      at += piece.stamps.length;
    }
    return all;
  };
  const file = [...new Set(sorted.map((piece) => piece.file))].join(", ");
  const grid = buildHourlyGrid(join(({ stamps }) => stamps), { file });
  const values = Object.fromEntries(
    names.map((name) => [name, placeOnGrid(grid, join((piece) => piece.values[name]))]),
  );
  const preliminary = placeOnGrid(grid, join((piece) => piece.preliminary));
  return { axis: grid.axis, values, preliminary };
}

/**
 * Joins hours of points and files to a frame: the points from south to north and west to east, of each the hours in
 * order. Hours that a source leaves out in between are rows with nulls.
 *
 * @param pieces Hours of points and files
 * @param span First instant and the first one after it, ms since 1970 UTC
 * @throws {DataFormatError} If hours overlap
 * @throws {NoDataError} If there is no hour within the span
 */
export function joinHours(
  pieces: readonly ClimateHours[],
  [from, end]: readonly [from: number, end: number],
): Era5Hours {
  const filled = pieces.filter(({ stamps }) => stamps.length > 0);
  const columns = era5Columns.filter(({ name }) =>
    !isClimate(name) || filled.every(({ values }) => values[name])
  );
  const names = columns.map(({ name }) => name).filter((name) => isClimate(name));
  const notes = new Set<string>();
  const points = Map.groupBy(filled, ({ latitude, longitude }) => `${latitude} ${longitude}`);
  const frames = [...points.values()].map((own) => {
    const [{ latitude, longitude }] = own;
    const { axis, values, preliminary } = joinPoint(own, names);
    const first = Math.max(0, Math.ceil((from - axis.start) / HOUR));
    const last = Math.min(axis.length, Math.ceil((end - axis.start) / HOUR));
    if (first >= last) return undefined;
    const begin = axis.start + first * HOUR;
    const stop = axis.start + (last - 1) * HOUR;
    if (begin - HOUR >= from) notes.add(`The hours begin at ${formatHour(begin)}, not before`);
    if (stop + HOUR < end) {
      notes.add(
        `Asked for hours to ${formatHour(end - HOUR)}, they end at ${formatHour(stop)}: what is ` +
          "later was not published when they were fetched",
      );
    }
    const length = last - first;
    let gaps = 0;
    for (let i = first; i < last; i++) {
      if (names.some((name) => Number.isNaN(values[name][i]))) gaps++;
    }
    if (gaps > 0) notes.add(`${gaps} hours are missing at the source, whole or in part: null`);
    const unknown = sum(
      own,
      ({ stamps, preliminary }) =>
        stamps.filter((at, i) => at >= from && at < end && Number.isNaN(preliminary[i])).length,
    );
    if (unknown > 0) {
      notes.add(`${unknown} hours may be preliminary (ERA5T): the source does not say`);
    }
    const flags = Array.from(
      preliminary.subarray(first, last),
      (flag) => Number.isNaN(flag) ? null : flag === 1,
    );
    const constant = (name: string, value: number) =>
      buildNumbers(name, new Float64Array(length).fill(value));
    return {
      latitude,
      longitude,
      frame: pl.DataFrame([
        buildDatetimes("time", Float64Array.from({ length }, (_, i) => begin + i * HOUR)),
        constant("latitude", latitude),
        constant("longitude", longitude),
        ...names.map((name) => buildNumbers(name, values[name].slice(first, last))),
        pl.Series("preliminary", flags as boolean[], pl.Bool),
      ]),
    };
  }).filter((point) => point !== undefined)
    .sort((a, b) => a.latitude - b.latitude || a.longitude - b.longitude);
  if (frames.length === 0) {
    throw new NoDataError(
      `Cannot get ERA5 of ${formatHour(from)} to ${formatHour(end - HOUR)}: the source has no ` +
        "hour of it. ERA5 begins in 1940 and ends about five days before today",
    );
  }
  return {
    frame: frames.length === 1 ? frames[0].frame : pl.concat(frames.map(({ frame }) => frame)),
    columns,
    notes: [...notes],
  };
}
