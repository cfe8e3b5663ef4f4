import type { Column } from "./column.ts";
import {
  type ColumnOf,
  type Columns,
  type ColumnTable,
  listColumns,
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
  turbine_id: {
    dtype: "utf8",
    notNull: true,
    key: true,
    label: "Turbine",
    description: "Identifier of the turbine, as the service knows it.",
    tag: "documented",
  },
};

function text(label: string, description: string): ColumnOf<string> {
  return { dtype: "utf8", notNull: true, label, description, tag: "documented" };
}

/** What numbers of turbine details have in common. */
const number = { dtype: "f64", notNull: true, range: [0, null], tag: "documented" } as const;

function day(label: string, description: string): ColumnOf<WireDate | null> {
  return { dtype: "date", label, description, tag: "documented" };
}

/** Columns of turbine details. */
export const turbineFieldTable: ColumnTable<TurbineFields> = {
  ...turbineItemTable,
  name: text("Name", "Name of the turbine."),
  latitude: {
    ...number,
    range: [-90, 90],
    unit: "deg",
    label: "Latitude",
    description: "Latitude, positive north.",
  },
  longitude: {
    ...number,
    range: [-180, 180],
    unit: "deg",
    label: "Longitude",
    description: "Longitude, positive east.",
  },
  hub_height: {
    ...number,
    unit: "m",
    label: "Hub height",
    description: "Hub height above ground.",
  },
  rated_power: {
    ...number,
    unit: "kW",
    label: "Rated power",
    description: "Rated power of one turbine.",
  },
  rotor_diameter: {
    ...number,
    unit: "m",
    label: "Rotor diameter",
    description: "Rotor diameter.",
  },
  time_zone: text("Time zone", "IANA time zone of the turbine."),
  training_start: day("Training from", "First day of the calibration's training window."),
  training_end: day("Training to", "Last day of the calibration's training window."),
  data_ready: {
    dtype: "bool",
    notNull: true,
    label: "Data ready",
    description: "Whether model data and indices are available.",
    tag: "documented",
  },
};

/** The turbine list. */
export const turbineList: Columns<TurbineItem> = listColumns(turbineItemTable);

/** Identifier of a turbine. */
export const turbineId: Column & { readonly name: "turbine_id" } = turbineList[0];

/** Fields of turbine details that are one value each, as a list. */
export const turbineDetailsFields: Columns<TurbineFields> = listColumns(turbineFieldTable);

/** First day of the last month with an index. */
export const lastWindIndex: Column = {
  name: "last_wind_index",
  ...day("Last index", "First day of the last month with an index."),
};

/** How the turbine limits its power. */
export const powerControl: Column = {
  name: "power_control",
  dtype: "utf8",
  label: "Power control",
  description: "How the turbine limits its power: `pcStall` or `pcPitch`.",
  tag: "documented",
};

/** The frame of `turbineDetails()` for several turbines. */
export const turbineDetailsFrame: readonly Column[] = [
  ...turbineDetailsFields,
  lastWindIndex,
  powerControl,
];
