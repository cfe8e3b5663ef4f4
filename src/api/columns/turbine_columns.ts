import { addedColumn, type Column } from "./column.ts";
import {
  type Columns,
  type ColumnTable,
  documented,
  listColumns,
  nullable,
  type Quantity,
  type WireDate,
} from "./column_table.ts";

/** Turbine list item (2.1 of the API text). */
export interface TurbineItem {
  /** Identifier of the turbine. */
  readonly turbine_id: string;
}

/** Fields of turbine details that are one value each (2.2 of the API text). */
export interface TurbineFields extends TurbineItem {
  /** Name of the turbine. */
  readonly name: string;
  /** Latitude, deg, positive north. */
  readonly latitude: Quantity<"deg">;
  /** Longitude, deg, positive east. */
  readonly longitude: Quantity<"deg">;
  /** Hub height above ground, m. */
  readonly hub_height: Quantity<"m">;
  /** Rated power of one turbine, kW. */
  readonly rated_power: Quantity<"kW">;
  /** Rotor diameter, m. */
  readonly rotor_diameter: Quantity<"m">;
  /** IANA time zone of the turbine. */
  readonly time_zone: string;
  /** First day of the calibration's training window. */
  readonly training_start: WireDate | null;
  /** Last day of the calibration's training window. */
  readonly training_end: WireDate | null;
  /** Whether model data and indices are available. */
  readonly data_ready: boolean;
}

/** Columns of the turbine list. */
export const turbineItemTable: ColumnTable<TurbineItem> = {
  turbine_id: documented("utf8", "Turbine", "Identifier of the turbine, as the service knows it.", {
    key: true,
  }),
};

/** Columns of turbine details. */
export const turbineFieldTable: ColumnTable<TurbineFields> = {
  ...turbineItemTable,
  name: documented("utf8", "Name", "Name of the turbine."),
  latitude: documented("f64", "Latitude", "Latitude, positive north.", {
    unit: "deg",
    range: [-90, 90],
  }),
  longitude: documented("f64", "Longitude", "Longitude, positive east.", {
    unit: "deg",
    range: [-180, 180],
  }),
  hub_height: documented("f64", "Hub height", "Hub height above ground.", {
    unit: "m",
    range: [0, null],
  }),
  rated_power: documented("f64", "Rated power", "Rated power of one turbine.", {
    unit: "kW",
    range: [0, null],
  }),
  rotor_diameter: documented("f64", "Rotor diameter", "Rotor diameter.", {
    unit: "m",
    range: [0, null],
  }),
  time_zone: documented("utf8", "Time zone", "IANA time zone of the turbine."),
  training_start: nullable(
    "date",
    "Training from",
    "First day of the calibration's training window.",
  ),
  training_end: nullable("date", "Training to", "Last day of the calibration's training window."),
  data_ready: documented("bool", "Data ready", "Whether model data and indices are available."),
};

/** The turbine list. */
export const turbineList: Columns<TurbineItem> = listColumns(turbineItemTable);

/** Identifier of a turbine. */
export const turbineId: Column & { readonly name: "turbine_id" } = turbineList[0];

/** Fields of turbine details that are one value each, as a list. */
export const turbineDetailsFields: Columns<TurbineFields> = listColumns(turbineFieldTable);

/** First day of the last month with an index. */
export const lastWindIndex: Column = {
  ...nullable("date", "Last index", "First day of the last month with an index."),
  name: "last_wind_index",
};

/** How the turbine limits its power. */
export const powerControl: Column = {
  ...nullable("utf8", "Power control", "How the turbine limits its power: `pcStall` or `pcPitch`."),
  name: "power_control",
};

/** Grades of trust in a calibration, the best first. */
export const calibrationVerdicts = ["good", "fair", "poor", "useless"] as const;

/** How far a calibration can be trusted. */
export type CalibrationVerdict = typeof calibrationVerdicts[number];

/** How far the calibration of a turbine can be trusted. */
export const calibrationVerdict: Column = {
  ...addedColumn(
    "calibration_verdict",
    "utf8",
    "Calibration",
    "How reliable the calibration is: `good`, `fair`, `poor` or `useless`; null without calibration.",
  ),
  values: calibrationVerdicts,
};

/** Why. */
export const calibrationReason: Column = addedColumn(
  "calibration_reason",
  "utf8",
  "Reason",
  "Reason for this verdict on the calibration.",
);

/** The frame of `turbineDetails()` for several turbines. */
export const turbineDetailsFrame: readonly Column[] = [
  ...turbineDetailsFields,
  lastWindIndex,
  powerControl,
  calibrationVerdict,
  calibrationReason,
];
