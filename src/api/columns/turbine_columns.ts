import type { Column } from "./column.ts";
import { turbineId } from "./columns.ts";

function text(name: string, label: string, description: string): Column {
  return { name, dtype: "utf8", notNull: true, label, description, tag: "documented" };
}

function number(
  name: string,
  unit: string,
  label: string,
  description: string,
  range: readonly [number | null, number | null] = [0, null],
): Column {
  return { name, dtype: "f64", unit, range, label, description, tag: "documented" };
}

function day(name: string, label: string, description: string): Column {
  return { name, dtype: "date", label, description, tag: "documented" };
}

/** Fields of turbine details that are one value each (2.2 of the API text). */
export const turbineDetailsFields: readonly Column[] = [
  turbineId,
  text("name", "Name", "Name of the turbine."),
  number("latitude", "deg", "Latitude", "Latitude, positive north.", [-90, 90]),
  number("longitude", "deg", "Longitude", "Longitude, positive east.", [-180, 180]),
  number("hub_height", "m", "Hub height", "Hub height above ground."),
  number("rated_power", "kW", "Rated power", "Rated power of one turbine."),
  number("rotor_diameter", "m", "Rotor diameter", "Rotor diameter."),
  text("time_zone", "Time zone", "IANA time zone of the turbine."),
  day("training_start", "Training from", "First day of the calibration's training window."),
  day("training_end", "Training to", "Last day of the calibration's training window."),
  {
    name: "data_ready",
    dtype: "bool",
    notNull: true,
    label: "Data ready",
    description: "Whether model data and indices are available.",
    tag: "documented",
  },
];

/** First day of the last month with an index. */
export const lastWindIndex: Column = day(
  "last_wind_index",
  "Last index",
  "First day of the last month with an index.",
);

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
