import pl, { type DataFrame } from "nodejs-polars";
import type { Column } from "../api/columns/column.ts";
import { NoDataError } from "../api/errors.ts";
import type { GridPoint } from "../frames/grid_points.ts";
import { buildDatetimes, buildNumbers } from "../frames/frame.ts";
import { HOUR } from "../time/hourly.ts";
import {
  type ClimateHours,
  formatHour,
  placeColumns,
  preliminaryColumn,
  variableColumns,
} from "./climate_hours.ts";

/** Hours of a file that count for a grid point: those from an instant to another, which is not included. */
export interface HoursPiece {
  readonly point: GridPoint;
  readonly hours: ClimateHours;
  readonly from: number;
  end: number;
}

type Span = readonly [from: number, end: number];

/** Places the pieces of a point on the hours of a span, and cuts that to the hours that they have. */
function placePieces(pieces: readonly HoursPiece[], names: readonly string[], [from, end]: Span) {
  const begin = Math.ceil(from / HOUR) * HOUR;
  const length = Math.ceil((end - begin) / HOUR);
  const values = names.map(() => new Float64Array(length).fill(NaN));
  let [first, stop] = [length, 0];
  for (const { hours, ...piece } of pieces) {
    const own = names.map((name) => hours.values[name]);
    hours.stamps.forEach((at, row) => {
      const i = (at - begin) / HOUR;
      if (at < piece.from || at >= piece.end || i < 0 || i >= length) return;
      names.forEach((_, k) => values[k][i] = own[k][row]);
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

/** Lists what a reader of the hours of a point should know. The last of the values are the flags. */
function* listNotes({ begin, length, values }: Placed, [from, end]: Span): Generator<string> {
  const last = begin + (length - 1) * HOUR;
  if (begin - HOUR >= from) yield `The hours begin at ${formatHour(begin)}, not before`;
  if (last + HOUR < end) {
    yield `Asked for hours to ${formatHour(end - HOUR)}, they end at ${
      formatHour(last)
    }: what is ` +
      "later was not published when they were fetched";
  }
  const climate = values.slice(0, -1);
  const flags = values.at(-1)!;
  let [gaps, unknown] = [0, 0];
  for (let i = 0; i < length; i++) {
    const missing = climate.filter((all) => Number.isNaN(all[i])).length;
    if (missing > 0) gaps++;
    if (missing < climate.length && Number.isNaN(flags[i])) unknown++;
  }
  if (gaps > 0) yield `${gaps} hours are missing at the source, whole or in part: null`;
  if (unknown > 0) yield `${unknown} hours may be preliminary (ERA5T): the source does not say`;
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
 * Joins pieces to a frame: the points from south to north and west to east, of each the hours in order. Hours that a source
 * leaves out in between are rows with nulls.
 *
 * @param span First instant and the first one after it, ms since 1970 UTC
 * @returns The frame, its columns, and what a reader of it should know
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
  for (const own of points) {
    const placed = placePieces(own, names, span);
    if (placed.length === 0) continue;
    for (const note of listNotes(placed, span)) notes.add(note);
    frames.push(buildPoint(own[0].point, placed, names));
  }
  if (frames.length === 0) {
    throw new NoDataError(
      `Cannot get ERA5 of ${formatHour(span[0])} to ${
        formatHour(span[1] - HOUR)
      }: the source has ` +
        "no hour of it. ERA5 begins in 1940 and ends about five days before today",
    );
  }
  return {
    frame: frames.length === 1 ? frames[0] : pl.concat(frames),
    columns: [...placeColumns, ...variables, preliminaryColumn],
    notes: [...notes],
  };
}
