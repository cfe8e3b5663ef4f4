import { shortenText } from "../show/text/plain_text.ts";
import pl, { type DataFrame } from "nodejs-polars";
import { ArgumentError, DataFormatError, type ErrorCode } from "../api/errors.ts";
import { MAX_CELLS } from "../frames/reader_limits.ts";
import { readCsv } from "../frames/csv/csv.ts";
import { zoneOf } from "../frames/dtype.ts";
import { extractEpochs, extractNumbers } from "../frames/frame.ts";
import { buildHourlyGrid, endOfAxis, HOUR, type HourAxis, placeOnGrid } from "../time/hourly.ts";
import { readFrameFile } from "../frames/typed/read_frame_file.ts";
import { readNetcdf } from "../frames/netcdf.ts";
import { listCells } from "../frames/netcdf_grid.ts";
import {
  type ClimatePoint,
  computeHumidity,
  type WindLevel,
} from "../windindex/climate/climate.ts";
import { convertVariable, era5Variables, listClimateUnits } from "./climate_variables.ts";
import { findClimateFormat } from "./declaration/climate_rules.ts";
import type { ClimateSource } from "./declaration/site_reanalysis.ts";
import { buildColumn } from "./read_turbine.ts";
import type { SourceFiles } from "./source_files.ts";

/** Variables of one point in one file, on a regular axis. */
interface ClimatePiece {
  readonly file: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly axis: HourAxis;
  readonly variables: ReadonlyMap<string, Float64Array>;
}

/** Milliseconds to add to a stamp so that it names the start of its hour. */
const stampShift = { instant: 0, start: 0, end: -HOUR, middle: -HOUR / 2 } as const;

function convertValues(
  name: string,
  values: ArrayLike<number>,
  unit: string | undefined,
  where: string,
) {
  const { values: result, implausible } = convertVariable(name, values, unit);
  if (implausible) {
    const { row, value, range, unit: own } = implausible;
    const found = `row ${row + 1} is ${Number(value.toPrecision(6))} ${own}`;
    const facts = { code: "unit", row: row + 1, value } as const;
    const message = `Cannot use ${where}: ${found}, outside of ${
      range.join(" to ")
    }. Check the unit`;
    throw new DataFormatError(message, facts);
  }
  return result;
}

/** Refuses hours of many points or variables before memory is taken for them: a file may skip centuries. */
function assertCells(hours: number, series: number, files: string): void {
  if (hours * series <= MAX_CELLS) return;
  throw new DataFormatError(
    `Cannot use ${files}: ${hours} hours of ${series} series are more than ${MAX_CELLS} values. Give ` +
      "fewer points, or fewer years",
  );
}

async function readGridFile(
  bytes: Uint8Array,
  file: string,
  source: ClimateSource,
): Promise<ClimatePiece[]> {
  const grid = await readNetcdf(bytes, file);
  const shift = stampShift[source.stamp];
  const layout = buildHourlyGrid(grid.times.map((stamp) => stamp + shift), { file });
  const mapping = source.variables
    ? Object.entries(source.variables).map(([name, { column, unit }]) => ({ name, column, unit }))
    : Object.entries(era5Variables).filter(([column]) => grid.variables.has(column))
      .map(([column, name]) => ({ name, column, unit: undefined }));
  const cells = grid.latitudes.length * grid.longitudes.length;
  assertCells(layout.axis.length, cells * (mapping.length + 1), file);
  return Array.from(listCells(grid), ({ latitude, longitude, values }) => {
    const variables = new Map<string, Float64Array>();
    for (const { name, column: wire, unit } of mapping) {
      const found = grid.variables.get(wire);
      if (!found) continue; // another file of the source may have it: checked when all are read
      const own = unit ?? found.unit;
      if (!listClimateUnits(name).includes(own)) {
        const units = listClimateUnits(name).join(", ");
        const found = `variable ${wire} has the unit "${shortenText(own)}", not one of ${units}`;
        const facts = { code: "unit", column: wire, value: own } as const;
        throw new DataFormatError(`Cannot use ${file}: ${found}`, facts);
      }
      const converted = convertValues(name, values.get(wire)!, own, `${file}: variable ${wire}`);
      variables.set(name, placeOnGrid(layout, converted));
    }
    if (grid.preliminary) variables.set("preliminary", placeOnGrid(layout, grid.preliminary));
    return {
      file,
      latitude,
      longitude: longitude > 180 ? longitude - 360 : longitude,
      axis: layout.axis,
      variables,
    };
  });
}

function readTable(bytes: Uint8Array, file: string, source: ClimateSource): {
  frame: DataFrame;
  firstLine?: number;
} {
  const columns = Object.entries(source.variables!).map(([name, { column }]) =>
    buildColumn(name, "f64", column)
  );
  const time: { column: string; zone?: string | undefined } = typeof source.time === "string"
    ? { column: source.time }
    : source.time!;
  if (findClimateFormat(source.format, file) === "csv") {
    const zone = time.zone ? { timeZone: time.zone } : {};
    return readCsv(bytes, [buildColumn("time", "datetime", time.column), ...columns], {
      file,
      extra: false,
      ...zone,
    });
  }
  const frame = readFrameFile(bytes, file, "parquet");
  for (const column of [time.column, ...columns.map((entry) => entry.wire!)]) {
    if (!frame.columns.includes(column)) {
      throw new DataFormatError(
        `Cannot use ${file}: it has no column "${column}". It has ${frame.columns.join(", ")}`,
        { code: "columns", column },
      );
    }
  }
  const stamps = frame.getColumn(time.column);
  const refuse = (code: ErrorCode, found: string, row?: number): never => {
    const place = `${row === undefined ? "" : `row ${row}, `}column "${time.column}"`;
    const facts = { code, row, column: time.column };
    throw new DataFormatError(`Cannot use ${file}: ${place}${found}`, facts);
  };
  if (stamps.dtype.variant !== "Datetime") {
    refuse("time_format", ` is ${stamps.dtype}, not a datetime`);
  }
  if (zoneOf(stamps.dtype) === undefined && time.zone !== "UTC") {
    refuse("time_zone", ' has no time zone. Give "zone": "UTC" where it is UTC');
  }
  if (stamps.nullCount() > 0) {
    const row = (stamps.isNull().toArray() as boolean[]).indexOf(true);
    refuse("time_format", ": the stamp is missing", row + 1);
  }
  return {
    frame: pl.DataFrame([
      stamps.rename("time"),
      ...columns.map((entry) => frame.getColumn(entry.wire!).rename(entry.name)),
    ]),
  };
}

function readPointFile(bytes: Uint8Array, file: string, source: ClimateSource): ClimatePiece[] {
  const { latitude, longitude, variables: declared } = source;
  const { frame, firstLine } = readTable(bytes, file, source);
  const shift = stampShift[source.stamp];
  const stamps = extractEpochs(frame, "time").map((stamp) => stamp + shift);
  const layout = buildHourlyGrid(stamps, { file, ...(firstLine ? { firstLine } : {}) });
  const variables = new Map<string, Float64Array>();
  for (const [name, { column, unit }] of Object.entries(declared!)) {
    const where = `${file}: column "${column}"`;
    variables.set(
      name,
      placeOnGrid(layout, convertValues(name, extractNumbers(frame, name), unit, where)),
    );
  }
  return [{ file, latitude: latitude!, longitude: longitude!, axis: layout.axis, variables }];
}

/** Pieces of one point: hours that follow each other, or variables that are in separate files. */
function joinPieces(pieces: readonly ClimatePiece[], points: number): ClimatePiece {
  const [first] = pieces;
  if (pieces.length === 1) return first;
  const start = Math.min(...pieces.map((piece) => piece.axis.start));
  const end = Math.max(...pieces.map((piece) => endOfAxis(piece.axis)));
  const axis = { start, length: (end - start) / HOUR };
  const names = new Set(pieces.flatMap((piece) => [...piece.variables.keys()]));
  assertCells(axis.length, points * names.size, pieces.map(({ file }) => file).join(", "));
  const variables = new Map<string, Float64Array>();
  for (const name of names) {
    const parts = pieces.filter((piece) => piece.variables.has(name))
      .sort((a, b) => a.axis.start - b.axis.start);
    // Files with wind and files with temperature each bring the flag of the same hours.
    if (name !== "preliminary") assertNoOverlap(parts);
    const values = new Float64Array(axis.length).fill(NaN);
    for (const part of parts) {
      values.set(part.variables.get(name)!, (part.axis.start - start) / HOUR);
    }
    variables.set(name, values);
  }
  return { ...first, axis, variables };
}

function assertNoOverlap(pieces: readonly ClimatePiece[]): void {
  for (let i = 1; i < pieces.length; i++) {
    const previous = pieces[i - 1];
    if (pieces[i].axis.start < endOfAxis(previous.axis)) {
      throw new DataFormatError(
        `Cannot join ${previous.file} and ${pieces[i].file}: their hours overlap. Leave one out`,
      );
    }
  }
}

/** Wind components of a height, from speed and direction where the source has those; `undefined` where one is missing. */
function buildLevel(height: string, variables: ClimatePiece["variables"]): WindLevel | undefined {
  const [u, v] = [variables.get(`wind_u_${height}`), variables.get(`wind_v_${height}`)];
  if (u && v) return { height: Number(height), u, v };
  const speed = variables.get(`wind_speed_${height}`);
  const direction = variables.get(`wind_direction_${height}`);
  if (!speed || !direction) return undefined;
  const radians = (i: number) => direction[i] * Math.PI / 180;
  return {
    height: Number(height),
    u: speed.map((value, i) => -value * Math.sin(radians(i))),
    v: speed.map((value, i) => -value * Math.cos(radians(i))),
  };
}

function toPoint(piece: ClimatePiece, source: ClimateSource): ClimatePoint {
  const { variables, axis } = piece;
  const heights = new Set(
    [...variables.keys()].map((name) => /^wind_\w+?_([\d.]+)$/.exec(name)?.[1])
      .filter((height): height is string => height !== undefined),
  );
  const remedy = "A height needs wind_speed_H and wind_direction_H, or wind_u_H and wind_v_H";
  const refuse = (found: string): never => {
    throw new ArgumentError(`Cannot use ${piece.file}: ${found}. ${remedy}`, { code: "variable" });
  };
  if (heights.size === 0) refuse("it has no wind");
  const levels = [...heights].map((height) => {
    const level = buildLevel(height, variables);
    if (level) return level;
    const alone = [...variables.keys()].find((name) => name.endsWith(`_${height}`))!;
    // Each beside its partner.
    const pair = ["wind_speed", "wind_direction", "wind_u", "wind_v"].map((one) =>
      `${one}_${height}`
    );
    return refuse(`it has ${alone} without ${pair[pair.indexOf(alone) ^ 1]}`);
  }).sort((a, b) => a.height - b.height);
  const temperature = variables.get("temperature");
  const pressure = variables.get("pressure");
  const dewPoint = variables.get("dew_point");
  const relativeHumidity = variables.get("relative_humidity") ??
    (dewPoint && temperature
      ? dewPoint.map((value, i) => 100 * computeHumidity(temperature[i], value))
      : undefined);
  const preliminary = variables.get("preliminary");
  return {
    latitude: piece.latitude,
    longitude: piece.longitude,
    elevation: source.elevation ?? null,
    axis,
    stamp: source.stamp === "instant" ? "instant" : "start",
    levels,
    ...(temperature ? { temperature } : {}),
    ...(pressure ? { pressure } : {}),
    ...(relativeHumidity ? { relativeHumidity } : {}),
    ...(preliminary ? { preliminary: Uint8Array.from(preliminary) } : {}),
  };
}

/**
 * Reads the climate points of a source: NetCDF4 has one for each grid cell, Parquet and CSV one for each source.
 *
 * @throws {ArgumentError} If the declaration does not fit the files
 * @throws {DataFormatError} If a file is not as declared; the message names file and line
 */
export async function readClimate(
  source: ClimateSource,
  files: SourceFiles,
): Promise<ClimatePoint[]> {
  const byPoint = new Map<string, ClimatePiece[]>();
  for (const file of source.files) {
    const bytes = await files.read(file);
    const pieces = findClimateFormat(source.format, file) === "netcdf"
      ? await readGridFile(bytes, file, source)
      : readPointFile(bytes, file, source);
    for (const piece of pieces) {
      const key = `${piece.latitude},${piece.longitude}`;
      byPoint.set(key, [...byPoint.get(key) ?? [], piece]);
    }
  }
  return [...byPoint.values()].map((pieces) => {
    const joined = joinPieces(pieces, byPoint.size);
    for (const [name, { column }] of Object.entries(source.variables ?? {})) {
      if (joined.variables.has(name)) continue;
      throw new ArgumentError(
        `Cannot use ${
          source.files.join(", ")
        }: no file has a variable "${column}", declared as ${name}`,
        { code: "variable", column },
      );
    }
    return toPoint(joined, source);
  });
}
