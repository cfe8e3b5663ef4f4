import pl, { type DataFrame } from "nodejs-polars";
import { describeValue } from "../../api/error_text.ts";
import { ArgumentError } from "../../api/errors.ts";
import { buildNumbers, extractEpochs, zoneOf } from "../../frames/frame.ts";
import { listTexts } from "../../frames/production/filter_rows.ts";
import { findResolution, type Resolution } from "../../frames/production/production_columns.ts";
import { displayOf, isFrame } from "../../show/check_frame.ts";
import { isClimateVariable, listClimateUnits, readClimateUnit } from "./climate_variables.ts";
import type { ClimateDefinition, ProductionDefinition } from "./site_definition.ts";

/** Stand-in for a rejected frame, in a format that needs no other fields. */
export const NO_FILE = "-.nc";

/** Columns of a frame of `readProduction()` other than time and production. */
const EXTRAS = ["status", "availability", "limit", "limit_share", "valid_hours"] as const;

/**
 * Frames of a site as the Parquet files that `saveSite()` writes, with the declarations of these files.
 */
export class FrameFiles {
  readonly #site: string;
  /** The frames by file name. */
  readonly frames: Map<string, DataFrame> = new Map();

  /** @param site Name of the site, the prefix of the file names */
  constructor(site: string) {
    this.#site = site;
  }

  #add(frame: DataFrame, name: string): string {
    const base = `${this.#site}_${name.replaceAll(/[^\w-]/g, "_")}`.toLowerCase();
    let file = `${base}.parquet`;
    for (let i = 2; this.frames.has(file); i++) file = `${base}_${i}.parquet`;
    this.frames.set(file, frame);
    return file;
  }

  /**
   * Replaces the frame of a climate source by a file.
   *
   * @param source A source with a frame
   * @throws {ArgumentError} If the frame lacks a declared column, or does not state its units
   */
  declareClimate({ frame, ...rest }: ClimateDefinition): ClimateDefinition {
    if (!isFrame(frame)) {
      throw new ArgumentError(
        `frame is ${
          describeValue(frame)
        }. Give a frame, for example from downloadClimate() or readFrame()`,
      );
    }
    if (rest.files !== undefined) {
      throw new ArgumentError("has both files and a frame. Give one of them");
    }
    const time = typeof rest.time === "string"
      ? { column: rest.time }
      : rest.time ?? { column: "time" };
    const { variables = readVariables(frame) } = rest;
    const columns = [time, ...Object.values(variables ?? {})].map((one) => one?.column);
    // Wrong type: the schema reports it.
    if (columns.some((column) => typeof column !== "string")) return { files: [NO_FILE], ...rest };
    const missing = columns.find((column) => !frame.columns.includes(column));
    if (missing !== undefined) {
      throw new ArgumentError(
        `the frame has no column "${missing}". It has ${frame.columns.join(", ")}`,
      );
    }
    const file = this.#add(flagPreliminary(frame).select(...new Set(columns)), "climate");
    return { files: [file], ...readPlace(frame), ...rest, time, variables };
  }

  /**
   * Replaces a frame of production by a file for each turbine.
   *
   * @param frame A frame of `readProduction()`
   * @param ids Turbines that the frame may have
   * @returns The file of each turbine that the frame has
   * @throws {ArgumentError} If the frame has a different layout, or other turbines
   */
  declareProduction(
    frame: DataFrame,
    ids: readonly string[],
  ): Map<string, ProductionDefinition> {
    if (!frame.columns.includes("turbine_id")) {
      if (ids.length !== 1) {
        throw new ArgumentError(
          `the frame has no column "turbine_id". Move the frame to the entry of its turbine, or read the ` +
            'file with a column for each turbine, { "T3": "WTG 03 / Power" }',
        );
      }
      return new Map([[ids[0], this.#declareSeries(frame, ids[0])]]);
    }
    const turbineIds = frame.getColumn("turbine_id").unique().toArray() as (string | null)[];
    const other = turbineIds.find((id) => id === null || !ids.includes(id));
    if (other !== undefined) {
      throw new ArgumentError(
        `the turbine_id ${JSON.stringify(other)} is not ${listTexts(ids)}. Use the ` +
          "ids of the turbines in the frame",
      );
    }
    return new Map(
      ids.filter((id) => turbineIds.includes(id)).map((id) => {
        const rows = frame.filter(pl.col("turbine_id").eq(pl.lit(id))).drop("turbine_id");
        return [id, this.#declareSeries(rows, id)];
      }),
    );
  }

  #declareSeries(frame: DataFrame, id: string): ProductionDefinition {
    const has = (...names: string[]) => names.every((name) => frame.columns.includes(name));
    const refuse = (problem: string): never => {
      throw new ArgumentError(`the frame ${problem}. Give a frame from readProduction()`);
    };
    const period = (["month", "year"] as const).find((name) => has(name, "energy"));
    if (period === undefined && !has("time", "power")) {
      refuse(
        `needs "time" and "power", or "energy" and "month" or "year"; it has ${
          frame.columns.join(", ")
        }`,
      );
    }
    const extras = EXTRAS.filter((name) => has(name));
    const [time, column] = period ? [period, "energy"] : ["time", "power"];
    const zone = period ? undefined : zoneOf(frame.getColumn("time").dtype);
    if (!period && zone === undefined) refuse('has a column "time" without a time zone');
    const file = this.#add(frame.select(time, column, ...extras), `production_${id}`);
    return {
      file,
      column,
      time,
      resolution: period ?? readResolution(frame),
      unit: period ? "MWh" : "kW",
      ...(zone === undefined || zone === "UTC" ? {} : { time_zone: zone }),
      ...(has("status") ? { status: "status" } : {}),
      ...(has("availability") ? { availability: "availability", availability_unit: "share" } : {}),
      ...(has("limit") ? { limit: "limit", limit_unit: "kW" } : {}),
      ...(has("limit_share") ? { limit: "limit_share", limit_unit: "share" } : {}),
      ...(has("valid_hours") ? { valid_hours: "valid_hours" } : {}),
    };
  }
}

/**
 * Turns flags into numbers, as in files; an hour with an unknown flag counts as preliminary.
 */
function flagPreliminary(frame: DataFrame): DataFrame {
  const flags = frame.columns.includes("preliminary") ? frame.getColumn("preliminary") : undefined;
  if (!flags?.dtype.equals(pl.Bool)) return frame;
  const numbers = Float64Array.from(flags.toArray(), (flag) => (flag as unknown) === false ? 0 : 1);
  return frame.withColumns(buildNumbers("preliminary", numbers));
}

/** Reads the point of a frame from its columns, as frames of `era5()` have them. */
function readPlace(frame: DataFrame): { latitude?: number; longitude?: number } {
  if (!frame.columns.includes("latitude") || !frame.columns.includes("longitude")) return {};
  const points = frame.select("latitude", "longitude").unique();
  if (points.height > 1) {
    throw new ArgumentError(
      `the frame has ${points.height} grid points. Give one source for each point, from ` +
        'frame.partitionBy(["latitude", "longitude"]), or the climate as { source: "cds", points: 4 }',
    );
  }
  const [latitude, longitude] = ["latitude", "longitude"]
    .map((name) => points.getColumn(name).get(0) as number);
  return { latitude, longitude };
}

/** Reads the resolution of a frame with timestamps: its shortest step. */
function readResolution(frame: DataFrame): Resolution {
  const stamps = extractEpochs(frame, "time");
  if (stamps.length < 2) {
    throw new ArgumentError(
      `the frame has ${stamps.length} rows, so its step is unknown. Give two rows or more`,
    );
  }
  let step = Infinity;
  for (let i = 1; i < stamps.length; i++) step = Math.min(step, stamps[i] - stamps[i - 1]);
  const resolution = findResolution(step);
  if (resolution) return resolution;
  if (step <= 0) {
    throw new ArgumentError(
      "the rows of the frame are not in order of time, or repeat a time. Give each timestamp once, in ascending order, " +
        'as readProduction() does. If parts were joined in the wrong order, use sort("time")',
    );
  }
  throw new ArgumentError(
    `the shortest step of the frame is ${
      step / 60_000
    } minutes. Give rows of 5, 10, 15, 30 or 60 minutes, or days`,
  );
}

/** Declares the variables of a frame whose columns have our names and state their units. */
function readVariables(frame: DataFrame): NonNullable<ClimateDefinition["variables"]> {
  const declared = displayOf(frame)?.columns ?? [];
  const columns = frame.columns.filter(isClimateVariable);
  const unitOf = (column: string) =>
    column === "preliminary" ? "1" : declared.find(({ name }) => name === column)?.unit;
  const unclear = columns.filter((column) =>
    readClimateUnit(column, unitOf(column) ?? "") === undefined
  );
  if (unclear.length > 0) {
    const example = columns.map((column) =>
      `${column}: { column: "${column}", unit: "${unitOf(column) ?? listClimateUnits(column)[0]}" }`
    );
    throw new ArgumentError(
      `the frame does not state the units of ${
        unclear.join(", ")
      }. Declare the variables, each with its ` +
        `unit: variables: { ${example.join(", ")} }`,
    );
  }
  return Object.fromEntries(columns.map((column) => [column, { column, unit: unitOf(column)! }]));
}
