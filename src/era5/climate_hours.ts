import pl, { type DataFrame } from "nodejs-polars";
import { climateColumnByName, climateTime } from "../api/columns/climate_columns.ts";
import { addedColumn, type Column } from "../api/columns/column.ts";
import { DataFormatError, NoDataError } from "../api/errors.ts";
import { buildHourlyGrid, HOUR } from "../time/hourly.ts";
import type { GridPoint } from "../frames/grid_points.ts";
import { buildDatetimes, buildNumbers } from "../frames/frame.ts";

/** Hours of one grid point in one file. */
export interface ClimateHours extends GridPoint {
  /** Name of the file, for messages. */
  readonly file: string;
  /** Timestamps, ms since 1970 UTC. */
  readonly stamps: Float64Array;
  /**
   * Values by column name, in the unit of the column; NaN if missing. `preliminary` is 1 for a preliminary hour, 0 for
   * a final one, NaN if unknown.
   */
  readonly values: Readonly<Record<string, Float64Array>>;
}

function component(letter: "u" | "v", towards: string, height: number): Column {
  const column = addedColumn(
    `wind_${letter}_${height}`,
    "f64",
    `Wind towards ${towards} at ${height} m`,
    `Component of the wind towards ${towards} ${height} m above ground, at the timestamp.`,
  );
  return { ...column, unit: "m/s", range: [-75, 75] };
}

/** Climate columns in frames of `era5()`; columns missing at the source are left out. */
const variableColumns: readonly Column[] = [
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
];

/** Columns before the climate columns. */
const placeColumns: readonly Column[] = [
  climateTime,
  { ...addedColumn("latitude", "f64", "Latitude", "Latitude of the grid point."), unit: "deg" },
  { ...addedColumn("longitude", "f64", "Longitude", "Longitude of the grid point."), unit: "deg" },
];

/** Column after the climate columns. */
const preliminaryColumn: Column = addedColumn(
  "preliminary",
  "bool",
  "Preliminary",
  "Whether the hour is preliminary (ERA5T) and may be revised; null if the source does not say.",
);

/** Formats an instant to the minute. */
export function formatHour(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16)}Z`;
}

/** Rejects impossible values, which point to a changed unit or column. */
function assertPlausible(values: Float64Array, { name, range, unit }: Column, file: string): void {
  const [low, high] = range ?? [null, null];
  const i = values.findIndex((value) => value < (low ?? -Infinity) || value > (high ?? Infinity));
  if (i < 0) return;
  throw new DataFormatError(
    `Cannot use ${file}: ${name} in hour ${i + 1} is ${
      values[i]
    } ${unit}, outside ${low} to ${high}. The unit or the columns of the file have probably changed`,
  );
}

/**
 * Checks the hours of a file.
 *
 * @param settledEnd First instant that may be preliminary if the file does not say so, ms since 1970 UTC
 * @returns The same hours with their flags
 * @throws {DataFormatError} If timestamps are not hourly and in order, or a value is impossible
 */
export function checkHours(hours: ClimateHours, settledEnd: number): ClimateHours {
  const { file, stamps, values } = hours;
  if (stamps.length > 0) buildHourlyGrid(stamps, { file });
  for (const column of variableColumns) {
    if (values[column.name]) assertPlausible(values[column.name], column, file);
  }
  const preliminary = stamps.map((at) => at < settledEnd ? 0 : NaN);
  return { ...hours, values: { preliminary, ...values } };
}

/** Hours of a file to use for a grid point, from `from` to before `end`. */
export interface HoursPiece {
  readonly point: GridPoint;
  readonly hours: ClimateHours;
  readonly from: number;
  end: number;
}

type Span = readonly [from: number, end: number];

/** Places the pieces of a point on the hours of a span, and cuts the span to their hours. */
function placePieces(pieces: readonly HoursPiece[], names: readonly string[], [from, end]: Span) {
  const begin = Math.ceil(from / HOUR) * HOUR;
  const length = Math.ceil((end - begin) / HOUR);
  const values = names.map(() => new Float64Array(length).fill(NaN));
  let [first, stop] = [length, 0];
  for (const { hours, ...piece } of pieces) {
    const series = names.map((name) => hours.values[name]);
    hours.stamps.forEach((at, row) => {
      const i = (at - begin) / HOUR;
      if (at < piece.from || at >= piece.end || i < 0 || i >= length) return;
      names.forEach((_, k) => values[k][i] = series[k][row]);
      [first, stop] = [Math.min(first, i), Math.max(stop, i + 1)];
    });
  }
  return {
    begin: begin + first * HOUR,
    length: Math.max(0, stop - first),
    values: values.map((all) => all.subarray(first, stop)),
  };
}

type Placed = ReturnType<typeof placePieces>;

/** Lists notes on the hours of a point for readers. The last of the values are the flags. */
function* listNotes({ begin, length, values }: Placed, [from, end]: Span): Generator<string> {
  const last = begin + (length - 1) * HOUR;
  if (begin - HOUR >= from) yield `The source has no hours before ${formatHour(begin)}`;
  if (last + HOUR < end) {
    yield `The request ends at ${formatHour(end - HOUR)}, but the data end at ${
      formatHour(last)
    }, because later hours were not published when the data were fetched`;
  }
  const climate = values.slice(0, -1);
  const flags = values.at(-1)!;
  let [gaps, unknown] = [0, 0];
  for (let i = 0; i < length; i++) {
    const missing = climate.filter((all) => Number.isNaN(all[i])).length;
    if (missing > 0) gaps++;
    if (missing < climate.length && Number.isNaN(flags[i])) unknown++;
  }
  if (gaps > 0) {
    yield `${gaps} hours are missing at the source, fully or partly; their values are null`;
  }
  if (unknown > 0) yield `${unknown} hours may be preliminary (ERA5T); the source does not say`;
}

function buildPoint(
  { latitude, longitude }: GridPoint,
  { begin, length, values }: Placed,
  names: readonly string[],
): DataFrame {
  const fill = (name: string, value: number) =>
    buildNumbers(name, new Float64Array(length).fill(value));
  const flags = Array.from(values.at(-1)!, (flag) => Number.isNaN(flag) ? null : flag === 1);
  return pl.DataFrame([
    buildDatetimes("time", Float64Array.from({ length }, (_, i) => begin + i * HOUR)),
    fill("latitude", latitude),
    fill("longitude", longitude),
    ...names.slice(0, -1).map((name, k) => buildNumbers(name, values[k].slice())),
    pl.Series("preliminary", flags as boolean[], pl.Bool),
  ]);
}

/**
 * Joins pieces to a frame: points from south to north and west to east, each with its hours in order. Gaps in the
 * source become rows with nulls.
 *
 * @param span First instant, and the first instant after the end, ms since 1970 UTC
 * @returns The frame, its columns, and notes for its readers
 * @throws {NoDataError} If there is no hour within the span
 */
export function joinHours(pieces: readonly HoursPiece[], span: Span): {
  readonly frame: DataFrame;
  readonly columns: readonly Column[];
  readonly notes: readonly string[];
} {
  const variables = variableColumns.filter(({ name }) =>
    pieces.every(({ hours }) => hours.values[name])
  );
  const names = [...variables.map(({ name }) => name), "preliminary"];
  const notes = new Set<string>();
  const frames: DataFrame[] = [];
  const byPoint = Map.groupBy(pieces, ({ point }) => `${point.latitude} ${point.longitude}`);
  const points = [...byPoint.values()].toSorted(([{ point: a }], [{ point: b }]) =>
    a.latitude - b.latitude || a.longitude - b.longitude
  );
  for (const pointPieces of points) {
    const placed = placePieces(pointPieces, names, span);
    if (placed.length === 0) continue;
    for (const note of listNotes(placed, span)) notes.add(note);
    frames.push(buildPoint(pointPieces[0].point, placed, names));
  }
  if (frames.length === 0) {
    throw new NoDataError(
      `Cannot get ERA5 data for ${formatHour(span[0])} to ${
        formatHour(span[1] - HOUR)
      }: the source has no hours in this period. ERA5 begins in 1940 and ends about five days before today. Request a period within this range`,
    );
  }
  return {
    frame: frames.length === 1 ? frames[0] : pl.concat(frames),
    columns: [...placeColumns, ...variables, preliminaryColumn],
    notes: [...notes],
  };
}
