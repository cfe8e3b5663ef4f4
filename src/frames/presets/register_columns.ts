import { turbineId } from "../../api/columns/columns.ts";
import type { Column } from "../../api/columns/column.ts";

const text = (name: string, label: string, description: string): Column => ({
  name,
  dtype: "utf8",
  label,
  description,
  tag: "ours",
});

const number = (
  name: string,
  unit: string,
  label: string,
  description: string,
  range: Column["range"] = [0, null],
): Column => ({ name, dtype: "f64", unit, range, label, description, tag: "ours" });

const date = (name: string, label: string, description: string): Column => ({
  name,
  dtype: "date",
  label,
  description,
  tag: "ours",
});

/** Columns of the frames of `readTurbines()`. */
export const registerColumns: readonly Column[] = [
  turbineId,
  text("name", "Name", "Manufacturer and model: a register has no names."),
  text("manufacturer", "Manufacturer", "Manufacturer, as the register has it."),
  text("model", "Model", "Model, as the register has it."),
  number("latitude", "deg", "Latitude", "Latitude of the turbine.", [-90, 90]),
  number("longitude", "deg", "Longitude", "Longitude of the turbine.", [-180, 180]),
  number("hub_height", "m", "Hub height", "Height of the hub above the ground."),
  number("rotor_diameter", "m", "Rotor diameter", "Diameter of the rotor."),
  number("rated_power", "kW", "Rated power", "Capacity of the turbine."),
  date("connected", "Connected", "Day of the first connection to the grid."),
  date("decommissioned", "Decommissioned", "Day of the decommissioning."),
];
