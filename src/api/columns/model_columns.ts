import { type Column, ownColumn } from "./column.ts";
import { type Columns, type ColumnTable, listColumns, type Quantity } from "./column_table.ts";
import { turbineId } from "./turbine_columns.ts";

/** A row of the model_data CSV: an hour of the model. */
export interface ModelHour {
  /** Start of the hour, ISO 8601 with offset. */
  readonly time: string | null;
  /** Calibrated wind speed at hub height, m/s. */
  readonly wind_speed: Quantity<"m/s"> | null;
  /** Direction the wind comes from, deg. */
  readonly wind_direction?: Quantity<"deg"> | null;
  /** Air temperature, degC. */
  readonly temperature?: Quantity<"degC"> | null;
  /** Air density at hub height, kg/m3. */
  readonly air_density?: Quantity<"kg/m3"> | null;
  /** Mean power of the hour, kW. */
  readonly power: Quantity<"kW"> | null;
}

/** Names of a column of stamps in tables of other services. */
export const STAMP_NAMES: readonly string[] = [
  "timestamp",
  "datetime",
  "date_time",
  "date",
  "index",
];

/** The columns of an hour of the model. */
const modelHourTable: ColumnTable<ModelHour> = {
  time: {
    aliases: STAMP_NAMES,
    dtype: "datetime",
    label: "Time",
    description: "Start of the hour.",
    tag: "assumed",
  },
  wind_speed: {
    dtype: "f64",
    unit: "m/s",
    range: [0, 75],
    decimals: 3,
    label: "Wind speed",
    description: "Calibrated wind speed at hub height at the stamp.",
    tag: "assumed",
  },
  wind_direction: {
    dtype: "f64",
    unit: "deg",
    range: [0, 360],
    decimals: 1,
    label: "Wind direction",
    description: "Direction the wind comes from at the stamp, clockwise from north.",
    tag: "assumed",
    optional: true,
  },
  temperature: {
    dtype: "f64",
    unit: "degC",
    range: [-80, 60],
    decimals: 2,
    label: "Temperature",
    description: "Air temperature at the stamp.",
    tag: "assumed",
    optional: true,
  },
  air_density: {
    dtype: "f64",
    unit: "kg/m3",
    range: [0.6, 1.7],
    decimals: 4,
    label: "Air density",
    description: "Air density at hub height at the stamp.",
    tag: "assumed",
    optional: true,
  },
  power: {
    dtype: "f64",
    unit: "kW",
    range: [0, null],
    decimals: 3,
    label: "Power",
    description: "Modelled mean power of the hour that begins at the stamp.",
    tag: "assumed",
  },
};

/** Rows of the model_data CSV, whose layout the API text does not show. */
export const modelDataCsv: Columns<ModelHour> = listColumns(modelHourTable);

/** Stamp of an hourly value. */
export const time: Column = modelDataCsv[0];

/** Columns that replace the zone of the stamps where an answer has turbines of several zones. */
export const zoneColumns: readonly Column[] = [
  ownColumn("time_zone", "utf8", "Time zone", "IANA time zone of the turbine."),
  ownColumn(
    "local_time",
    "utf8",
    "Local time",
    "Start of the hour in the turbine's zone, ISO 8601 with offset.",
  ),
];

/** The frame of `modelData()` for several turbines. */
export const modelDataFrame: readonly Column[] = [turbineId, ...modelDataCsv];
