import { turbineId } from "../../api/columns/columns.ts";
import { type Column, ownColumn } from "../../api/columns/column.ts";

const number = (
  name: string,
  unit: string,
  label: string,
  description: string,
  range: Column["range"] = [0, null],
): Column => ({ ...ownColumn(name, "f64", label, description, unit), range });

/** Columns of the frames of `readTurbines()`. */
export const registerColumns: readonly Column[] = [
  turbineId,
  ownColumn("name", "utf8", "Name", "Manufacturer and model: a register has no names."),
  ownColumn("manufacturer", "utf8", "Manufacturer", "Manufacturer, as the register has it."),
  ownColumn("model", "utf8", "Model", "Model, as the register has it."),
  number("latitude", "deg", "Latitude", "Latitude of the turbine.", [-90, 90]),
  number("longitude", "deg", "Longitude", "Longitude of the turbine.", [-180, 180]),
  number("hub_height", "m", "Hub height", "Height of the hub above the ground."),
  number("rotor_diameter", "m", "Rotor diameter", "Diameter of the rotor."),
  number("rated_power", "kW", "Rated power", "Capacity of the turbine."),
  ownColumn("connected", "date", "Connected", "Day of the first connection to the grid."),
  ownColumn("decommissioned", "date", "Decommissioned", "Day of the decommissioning."),
];
