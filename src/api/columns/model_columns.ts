import { addedColumn, type Column } from "./column.ts";
import {
  type Columns,
  type ColumnTable,
  declareAs,
  listColumns,
  type Quantity,
} from "./column_table.ts";
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

/** Names of a column of timestamps in tables of other services. */
export const STAMP_NAMES: readonly string[] = [
  "timestamp",
  "datetime",
  "date_time",
  "date",
  "index",
];

const modelled = declareAs({ tag: "assumed" });

/** The columns of an hour of the model. */
const modelHourTable: ColumnTable<ModelHour> = {
  time: modelled("datetime", "Time", "Start of the hour.", { aliases: STAMP_NAMES }),
  wind_speed: modelled(
    "f64",
    "Wind speed",
    "Calibrated wind speed at hub height at the timestamp.",
    {
      unit: "m/s",
      range: [0, 75],
      decimals: 3,
    },
  ),
  wind_direction: modelled(
    "f64",
    "Wind direction",
    "Direction the wind comes from at the timestamp, clockwise from north.",
    { unit: "deg", range: [0, 360], decimals: 1, optional: true },
  ),
  temperature: modelled("f64", "Temperature", "Air temperature at the timestamp.", {
    unit: "degC",
    range: [-80, 60],
    decimals: 2,
    optional: true,
  }),
  air_density: modelled("f64", "Air density", "Air density at hub height at the timestamp.", {
    unit: "kg/m3",
    range: [0.6, 1.7],
    decimals: 4,
    optional: true,
  }),
  power: modelled("f64", "Power", "Modelled mean power of the hour that begins at the timestamp.", {
    unit: "kW",
    range: [0, null],
    decimals: 3,
  }),
};

/** Rows of the model_data CSV, whose layout the API text does not show. */
export const modelDataCsv: Columns<ModelHour> = listColumns(modelHourTable);

/** Timestamp of an hourly value. */
export const time: Column = modelDataCsv[0];

/** Columns that replace the zone of the timestamps if an answer has turbines of several zones. */
export const zoneColumns: readonly Column[] = [
  addedColumn("time_zone", "utf8", "Time zone", "IANA time zone of the turbine."),
  addedColumn(
    "local_time",
    "utf8",
    "Local time",
    "Start of the hour in the turbine's zone, ISO 8601 with offset.",
  ),
];

/** The frame of `modelData()` for several turbines. */
export const modelDataFrame: readonly Column[] = [turbineId, ...modelDataCsv];
