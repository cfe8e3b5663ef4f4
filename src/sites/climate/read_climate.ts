import { shortenText } from "../../show/text/plain_text.ts";
import pl, { type DataFrame } from "nodejs-polars";
import { ArgumentError, DataFormatError, type ErrorCode } from "../../api/errors.ts";
import { MAX_CELLS } from "../../frames/files/reader_limits.ts";
import { assertUnit } from "../../frames/cells/named_unit.ts";
import { readCsv } from "../../frames/csv/csv_reader.ts";
import { extractEpochs, extractNumbers, zoneOf } from "../../frames/frame.ts";
import { endOfAxis, HOUR, type HourAxis, placeOnGrid } from "../../time/hourly.ts";
import { readParquet } from "../../frames/files/parquet.ts";
import { readNetcdf } from "../../frames/netcdf/netcdf.ts";
import { listCells } from "../../frames/netcdf/netcdf_grid.ts";
import {
  type ClimatePoint,
  computeHumidity,
  type WindLevel,
} from "../../windindex/climate/climate.ts";
import { placeHours } from "./climate_hours.ts";
import { assertOnePlace, assertPlace, buildPlaceColumns } from "./climate_place.ts";
import {
  era5Variables,
  listClimateUnits,
  quantityOf,
  readClimateUnit,
} from "../declaration/climate_variables.ts";
import { countDrops, MIN_DROPS } from "../../screening/values/climate_values.ts";
import { findClimateFormat } from "../declaration/climate_rules.ts";
import type { ClimateSource } from "../declaration/site_file.ts";
import { judgeClimate, readValues } from "./judge_climate.ts";
import { buildColumn, type SourceFiles } from "../source_files.ts";

/** Variables of one point in one file, on a regular axis. */
interface ClimatePiece {
  readonly file: string;
  readonly latitude: number;
  readonly longitude: number;
  readonly axis: HourAxis;
  readonly variables: ReadonlyMap<string, Float64Array>;
  /** Skipped variables of the file, each with the reason. */
  readonly skipped: readonly string[];
}

/** Rejects too many values before allocating memory: the times of a file may skip centuries. */
function assertCells(hours: number, series: number, files: string): void {
  if (hours * series <= MAX_CELLS) return;
  throw new DataFormatError(
    `Cannot use ${files}: ${hours} hours of ${series} series are more than the limit of ${MAX_CELLS} values. Give fewer points or fewer years`,
  );
}

async function readGridFile(
  bytes: Uint8Array,
  file: string,
  source: ClimateSource,
): Promise<ClimatePiece[]> {
  const grid = await readNetcdf(bytes, file);
  const layout = placeHours(grid.times, { file, stamp: source.stamp });
  const mapping = source.variables
    ? Object.entries(source.variables).map(([name, { column, unit }]) => ({ name, column, unit }))
    : Object.entries(era5Variables).filter(([column]) => grid.variables.has(column))
      .map(([column, name]) => ({ name, column, unit: undefined }));
  const cells = grid.latitudes.length * grid.longitudes.length;
  assertCells(layout.axis.length, cells * (mapping.length + 1), file);
  const unused = [...grid.variables.keys()].filter((one) =>
    !mapping.some(({ column }) => column === one)
  );
  const skipped = [...grid.skipped, ...unused.map((one) => `${one}: it is not declared`)];
  return Array.from(listCells(grid), ({ latitude, longitude, values }) => {
    const variables = new Map<string, Float64Array>();
    for (const { name, column, unit: declared } of mapping) {
      const variable = grid.variables.get(column);
      if (!variable) continue; // another file of the source may have it: checked after all are read
      const unit = readNamedUnit(file, { name, column, declared, row: variable.unit });
      const where = `${file}: variable ${column}`;
      const columnValues = { name, values: values.get(column)!, unit, where };
      variables.set(name, placeOnGrid(layout, readValues(columnValues, source)));
    }
    if (grid.preliminary) variables.set("preliminary", placeOnGrid(layout, grid.preliminary));
    const place = { latitude, longitude: longitude > 180 ? longitude - 360 : longitude };
    if (cells === 1) assertPlace(file, source, place);
    return { file, ...place, axis: layout.axis, variables, skipped };
  });
}

/** Finds the unit of a variable, and compares the declared unit with the unit in the file. */
function readNamedUnit(
  file: string,
  { name, column, declared, row }: {
    readonly name: string;
    readonly column: string;
    readonly declared: string | undefined;
    readonly row: string;
  },
): string {
  const known = readClimateUnit(name, declared ?? row);
  if (known === undefined) {
    const units = listClimateUnits(name).map((unit) => `"${unit}"`).join(" or ");
    const stated = row === "" ? "no unit" : `the unknown unit "${shortenText(row)}"`;
    throw new DataFormatError(
      `Cannot use ${file}: variable ${column} has ${stated}. Declare it in "variables": ` +
        `"${name}": { "column": "${column}", "unit": … }, where "unit" is ${units}`,
      { code: "unit", column, value: row },
    );
  }
  if (declared !== undefined) {
    assertUnit(file, { column, quantity: quantityOf(name), unit: known, row });
  }
  return known;
}

/** Climate of a table: times and variables by our names, and its point if it has such columns. */
interface ClimateTable {
  readonly frame: DataFrame;
  readonly firstLine?: number;
  /** Lines before the header. */
  readonly preamble?: readonly string[];
  /** Header names by our names. */
  readonly names: ReadonlyMap<string, string>;
  /** Units in a row below the header, by our names. */
  readonly units?: ReadonlyMap<string, string>;
}

/** Texts that a source or its variables declare as missing. */
function listTexts({ null_values: ofSource = [], variables = {} }: ClimateSource): string[] {
  const ofVariables = Object.values(variables).flatMap(({ null_values: ofVariable = [] }) =>
    ofVariable
  );
  return [...ofSource, ...ofVariables].filter((value) => typeof value === "string");
}

function readTable(bytes: Uint8Array, file: string, source: ClimateSource): ClimateTable {
  const columns = Object.entries(source.variables!).map(([name, { column }]) =>
    buildColumn(name, "f64", column)
  );
  const places = buildPlaceColumns(columns);
  const time: { column: string; zone?: string | undefined } = typeof source.time === "string"
    ? { column: source.time }
    : source.time!;
  if (findClimateFormat(source.format, file) === "csv") {
    const zone = time.zone ? { timeZone: time.zone } : {};
    const timeColumns = [buildColumn("time", "datetime", time.column), ...columns];
    const { frame, firstLine, ...table } = readCsv(bytes, [...timeColumns, ...places], {
      ...{
        file,
        extra: false,
        unitsRow: true,
        nullTexts: listTexts(source),
        ...zone,
      },
      advice: { numbers: "Add it to null_values of the climate source if it means missing" },
    });
    const byName = (texts: readonly string[] = []) =>
      new Map(table.columns.map(({ name }, i) => [name, texts[i] ?? ""]));
    const { preamble } = table;
    return { frame, firstLine, preamble, names: byName(table.names), units: byName(table.units) };
  }
  const frame = readParquet(bytes, file);
  for (const column of [time.column, ...columns.map((entry) => entry.wire!)]) {
    if (!frame.columns.includes(column)) {
      throw new DataFormatError(
        `Cannot use ${file}: it has no column "${column}". Declare one of its columns (${
          frame.columns.join(", ")
        })`,
        { code: "columns", column },
      );
    }
  }
  const placed = places.flatMap(({ name, wire, aliases }) => {
    const column = frame.columns.find((one) => [wire, ...aliases].includes(one.toLowerCase()));
    return column ? [buildColumn(name, "utf8", column)] : [];
  });
  const stamps = frame.getColumn(time.column);
  const refuse = (code: ErrorCode, problem: string, row?: number): never => {
    const place = `${row === undefined ? "" : `row ${row}, `}column "${time.column}"`;
    const facts = { code, row, column: time.column };
    throw new DataFormatError(`Cannot use ${file}: ${place}${problem}`, facts);
  };
  if (stamps.dtype.variant !== "Datetime") {
    refuse("time_format", ` is ${stamps.dtype}, not a datetime`);
  }
  if (zoneOf(stamps.dtype) === undefined && time.zone !== "UTC") {
    refuse("time_zone", ' has no time zone. Give "zone": "UTC" if it is UTC');
  }
  if (stamps.nullCount() > 0) {
    const row = (stamps.isNull().toArray() as boolean[]).indexOf(true);
    refuse("time_format", ": the timestamp is missing", row + 1);
  }
  return {
    frame: pl.DataFrame([
      stamps.rename("time"),
      ...[...columns, ...placed].map(({ name, wire }) => frame.getColumn(wire!).rename(name)),
    ]),
    names: new Map(columns.map(({ name, wire }) => [name, wire!])),
  };
}

function readPointFile(bytes: Uint8Array, file: string, source: ClimateSource): ClimatePiece[] {
  const { latitude, longitude, variables: declared } = source;
  const { frame, firstLine, preamble, names, units } = readTable(bytes, file, source);
  assertOnePlace(frame, preamble, file, source);
  const timeZone = typeof source.time === "string" ? undefined : source.time?.zone;
  const layout = placeHours(extractEpochs(frame, "time"), {
    ...{ file, stamp: source.stamp, firstLine, timeZone },
  });
  const variables = new Map<string, Float64Array>();
  for (const [name, { unit }] of Object.entries(declared!)) {
    const column = names.get(name)!;
    const known = unit === undefined ? listClimateUnits(name)[0] : readClimateUnit(name, unit)!;
    assertUnit(file, { column, quantity: quantityOf(name), unit: known, row: units?.get(name) });
    const where = `${file}: column "${column}"`;
    const columnValues = { name, values: extractNumbers(frame, name), unit: known, where };
    variables.set(name, placeOnGrid(layout, readValues(columnValues, source)));
  }
  const place = { latitude: latitude!, longitude: longitude! };
  return [{ file, ...place, axis: layout.axis, variables, skipped: [] }];
}

/** Joins the pieces of one point: consecutive hours, or variables in separate files. */
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
    // Wind files and temperature files both have this flag for the same hours.
    if (name !== "preliminary") assertNoOverlap(parts);
    const values = new Float64Array(axis.length).fill(NaN);
    for (const part of parts) {
      values.set(part.variables.get(name)!, (part.axis.start - start) / HOUR);
    }
    variables.set(name, values);
  }
  const skipped = [...new Set(pieces.flatMap((piece) => piece.skipped))];
  return { ...first, axis, variables, skipped };
}

function assertNoOverlap(pieces: readonly ClimatePiece[]): void {
  for (let i = 1; i < pieces.length; i++) {
    const previous = pieces[i - 1];
    if (pieces[i].axis.start < endOfAxis(previous.axis)) {
      throw new DataFormatError(
        `Cannot join ${previous.file} and ${
          pieces[i].file
        }: their hours overlap. Leave out one of these files`,
      );
    }
  }
}

/** Wind components at a height, converted from speed and direction if needed; `undefined` if a component is missing. */
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

/** Rejects 0 m/s between hours of wind, also from components: it means missing. */
function assertNoDrops({ height, u, v }: WindLevel, file: string): void {
  const drops = countDrops(u.map((value, i) => Math.hypot(value, v[i])));
  if (drops < MIN_DROPS) return;
  throw new DataFormatError(
    `Cannot use ${file}: the wind at ${height} m drops to 0 in ${drops} hours between windy hours, so 0 probably means missing. Download these hours again, or clear their cells`,
    { code: "number", value: 0 },
  );
}

function toPoint(piece: ClimatePiece, source: ClimateSource): ClimatePoint {
  const { variables, axis } = piece;
  const heights = new Set(
    [...variables.keys()].map((name) => /^wind_\w+?_([\d.]+)$/.exec(name)?.[1])
      .filter((height): height is string => height !== undefined),
  );
  const remedy = "A height needs wind_speed_H and wind_direction_H, or wind_u_H and wind_v_H";
  const refuse = (fault: string): never => {
    throw new ArgumentError(`Cannot use ${piece.file}: ${fault}. ${remedy}`, { code: "variable" });
  };
  const skipped = piece.skipped.length > 0 ? ` (left out: ${piece.skipped.join("; ")})` : "";
  if (heights.size === 0) refuse(`it has no wind${skipped}`);
  const levels = [...heights].map((height) => {
    const level = buildLevel(height, variables);
    if (level) {
      assertNoDrops(level, piece.file);
      return level;
    }
    const alone = [...variables.keys()].find((name) => name.endsWith(`_${height}`))!;
    // Partners are adjacent, so index ^ 1 is the missing one.
    const pair = ["wind_speed", "wind_direction", "wind_u", "wind_v"].map((one) =>
      `${one}_${height}`
    );
    return refuse(`it has ${alone} without ${pair[pair.indexOf(alone) ^ 1]}${skipped}`);
  }).sort((a, b) => a.height - b.height);
  const temperature = variables.get("temperature");
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
    temperature,
    pressure: variables.get("pressure"),
    relativeHumidity,
    preliminary: preliminary && Uint8Array.from(preliminary),
  };
}

/**
 * Reads the climate points of a source: one per grid cell of NetCDF4, one per source of Parquet and CSV.
 *
 * @param notes Receives sentences on oddities to check
 * @throws {ArgumentError} If the declaration does not match the files
 * @throws {DataFormatError} If a file is not as declared, or its values are impossible for climate; the message names
 * the place
 */
export async function readClimate(
  source: ClimateSource,
  files: SourceFiles,
  notes: string[] = [],
): Promise<ClimatePoint[]> {
  const byPoint = new Map<string, ClimatePiece[]>();
  for (const file of source.files) {
    const bytes = await files.read(file);
    const pieces = findClimateFormat(source.format, file) === "netcdf"
      ? await readGridFile(bytes, file, source)
      : readPointFile(bytes, file, source);
    for (const piece of pieces) {
      const key = `${piece.latitude.toFixed(4)},${piece.longitude.toFixed(4)}`; // floats have 7 digits
      byPoint.set(key, [...byPoint.get(key) ?? [], piece]);
    }
  }
  const columnOf = (name: string) =>
    source.variables?.[name]?.column ??
      Object.entries(era5Variables).find(([, variable]) => variable === name)?.[0] ?? name;
  return [...byPoint.values()].map((pieces) => {
    const joined = joinPieces(pieces, byPoint.size);
    for (const [name, { column }] of Object.entries(source.variables ?? {})) {
      if (joined.variables.has(name)) continue;
      const why = joined.skipped.find((text) => text.startsWith(`${column}: `));
      throw new ArgumentError(
        `Cannot use ${
          source.files.join(", ")
        }: no file has a usable variable "${column}", which the site declares as ${name}` +
          (why ? ` (${why})` : "") + ". Correct the file, or declare another column",
        { code: "variable", column },
      );
    }
    const point = toPoint(joined, source);
    const place = byPoint.size > 1 ? ` at ${joined.latitude}, ${joined.longitude}` : "";
    const file = `${[...new Set(pieces.map(({ file }) => file))].join(", ")}${place}`;
    notes.push(...judgeClimate({ ...joined, file, columnOf }));
    return point;
  });
}
