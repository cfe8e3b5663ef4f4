import type { DataFrame } from "nodejs-polars";
import { type Column, pickColumns } from "../../api/columns/column.ts";
import { modelDataCsv } from "../../api/columns/columns.ts";
import { ArgumentError } from "../../api/errors.ts";
import { buildRefuse, readNumbers } from "../../frames/read_columns.ts";
import { buildHourlyGrid, HOUR, type HourAxis, placeOnGrid } from "../../time/hourly.ts";
import { readTurbineStamps } from "./turbine_stamps.ts";

/** Model data of one turbine on a regular axis; missing values are NaN. */
export interface ModelHours {
  /** The hours, from the first to the last. */
  readonly axis: HourAxis;
  /** Zone that sets the months. */
  readonly timeZone: string;
  /** Mean power of each hour, kW. */
  readonly power: Float64Array;
  /** Calibrated wind speed at hub height, m/s; `undefined` without the column. */
  readonly windSpeed: Float64Array | undefined;
  /** Air density, kg/m3; `undefined` without the column. */
  readonly airDensity: Float64Array | undefined;
}

const [time, windSpeed, airDensity, power] = pickColumns(
  modelDataCsv,
  ["time", "wind_speed", "air_density", "power"],
);

/**
 * Reads model data onto a regular axis.
 *
 * @param model Frame of `modelData()` of one turbine
 * @param what Action, for messages: "explain the index"
 * @throws {ArgumentError} If a column is missing or not numeric, a stamp is missing, or an hour is duplicated
 */
export function readModelHours(model: DataFrame, what: string): ModelHours {
  const refuse = (problem: string): never => {
    throw new ArgumentError(`Cannot ${what}: the model data ${problem}`);
  };
  const names = Object.keys(model);
  const missing = [time, power].filter(({ name }) => !names.includes(name));
  if (missing.length > 0) {
    refuse(
      `lack ${
        missing.map(({ name, unit }) => unit ? `"${name}" (${unit})` : `"${name}"`).join(", ")
      }; ` +
        `they have ${names.join(", ") || "no columns"}. Give the frame of modelData()`,
    );
  }
  if (model.height === 0) refuse("have no rows. Ask for the months that are needed");
  const refuseColumn = buildRefuse(`${what} from the model data`);
  const sorted = model.sort(time.name);
  const { epochs, timeZone } = readTurbineStamps(sorted, refuseColumn);
  if (epochs.some((stamp, i) => i > 0 && stamp === epochs[i - 1])) {
    refuse("have a duplicated hour. Keep one turbine, and one row an hour");
  }
  const grid = buildHourlyGrid(epochs, { file: "the model data", clockShift: epochs[0] % HOUR });
  const values = ({ name }: Column): Float64Array | undefined => {
    if (!names.includes(name)) return undefined;
    return placeOnGrid(grid, readNumbers(sorted, name, refuseColumn));
  };
  return {
    axis: grid.axis,
    timeZone,
    power: values(power)!,
    windSpeed: values(windSpeed),
    airDensity: values(airDensity),
  };
}
