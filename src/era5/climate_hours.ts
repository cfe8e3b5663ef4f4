import { climateColumnByName, climateTime } from "../api/columns/climate_columns.ts";
import { type Column, ownColumn } from "../api/columns/column.ts";
import { DataFormatError } from "../api/errors.ts";
import { buildHourlyGrid } from "../time/hourly.ts";

/** Hours of one grid point, as one file has them. */
export interface ClimateHours {
  /** Name of the file, for messages. */
  readonly file: string;
  /** Latitude of the grid point, deg. */
  readonly latitude: number;
  /** Longitude of the grid point, deg. */
  readonly longitude: number;
  /** Stamps, ms since 1970 UTC. */
  readonly stamps: Float64Array;
  /**
   * Values by column name, in the unit of the column; NaN if missing. `preliminary` is 1 for a preliminary hour, 0 for
   * a final one, NaN if that is not known.
   */
  readonly values: Readonly<Record<string, Float64Array>>;
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

/** Columns of the climate in frames of `era5()`; a source without a variable leaves its column out. */
export const variableColumns: readonly Column[] = [
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

/** Columns before those of the climate. */
export const placeColumns: readonly Column[] = [
  climateTime,
  { ...ownColumn("latitude", "f64", "Latitude", "Latitude of the grid point."), unit: "deg" },
  { ...ownColumn("longitude", "f64", "Longitude", "Longitude of the grid point."), unit: "deg" },
];

/** Column after them. */
export const preliminaryColumn: Column = ownColumn(
  "preliminary",
  "bool",
  "Preliminary",
  "Whether the hour is preliminary (ERA5T) and may be revised; null if the source does not say.",
);

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
 * Checks hours that were read.
 *
 * @param settledEnd First instant that may be preliminary where the file does not say it, ms since 1970 UTC
 * @returns The same hours with their flags
 * @throws {DataFormatError} If stamps are not hours in order, or a value cannot be right
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
