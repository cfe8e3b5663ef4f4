import type { DataFrame } from "nodejs-polars";
import { type Column, pickColumns } from "../../api/columns/column.ts";
import { modelDataCsv } from "../../api/columns/columns.ts";
import type { TurbineDetails } from "../../api/resources/resources.ts";
import { buildRefuse, readNumbers, type Refuse } from "../../frames/read_columns.ts";
import {
  buildHourlyGrid,
  endOfAxis,
  HOUR,
  type HourAxis,
  placeOnGrid,
  positionAtOrAfter,
} from "../../time/hourly.ts";
import { SMOOTHINGS } from "../../windindex/calibration/training_energies.ts";
import { computeHourlyPower, computePowerAtStamps } from "../../windindex/power_model.ts";
import { computeLogDensityRatio } from "../../windindex/turbine/density_correction.ts";
import type { Turbine } from "../../windindex/turbine/turbine.ts";
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
  /** Direction the wind comes from, deg; `undefined` without the column. */
  readonly windDirection: Float64Array | undefined;
  /** Air density, kg/m3; `undefined` without the column. */
  readonly airDensity: Float64Array | undefined;
}

const [time, windSpeed, windDirection, airDensity, power] = pickColumns(
  modelDataCsv,
  ["time", "wind_speed", "wind_direction", "air_density", "power"],
);

/**
 * Reads model data onto a regular axis.
 *
 * @param model Frame of `modelData()` of one turbine
 * @param action Action named in messages: "explain the index"
 * @throws {ArgumentError} If a column is missing or not numeric, a timestamp is missing, or an hour is duplicated
 */
export function readModelHours(model: DataFrame, action: string): ModelHours {
  const refuse: Refuse = buildRefuse(action, "the model data");
  const names = Object.keys(model);
  const missing = [time, power].filter(({ name }) => !names.includes(name));
  if (missing.length > 0) {
    refuse(
      `lack ${
        missing.map(({ name, unit }) => unit ? `"${name}" (${unit})` : `"${name}"`).join(", ")
      }. They have ${names.join(", ") || "no columns"}. Give the frame from modelData()`,
    );
  }
  if (model.height === 0) refuse("have no rows. Ask modelData() for the months that you need");
  const refuseColumn = buildRefuse(`${action} from the model data`);
  const sorted = model.sort(time.name);
  const { epochs, timeZone } = readTurbineStamps(sorted, refuseColumn);
  if (epochs.some((stamp, i) => i > 0 && stamp === epochs[i - 1])) {
    refuse("repeat an hour. Keep one turbine, and one row an hour");
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
    windDirection: values(windDirection),
    airDensity: values(airDensity),
  };
}

/** Finds the hours of an axis that another axis has too; returns all hours if they share none. */
export function findCommonHours(
  axis: HourAxis,
  other: HourAxis,
): readonly [from: number, to: number] {
  const [from, to] = [other.start, endOfAxis(other)]
    .map((at) => Math.min(axis.length, Math.max(0, positionAtOrAfter(axis, at))));
  return from < to ? [from, to] : [0, axis.length];
}

/** Cuts model data to some hours: hours without production add no information, only time. */
export function cutModel(model: ModelHours, [from, to]: readonly [number, number]): ModelHours {
  const { axis, power, windSpeed, windDirection, airDensity } = model;
  return {
    ...model,
    axis: { start: axis.start + from * HOUR, length: to - from },
    power: power.subarray(from, to),
    windSpeed: windSpeed?.subarray(from, to),
    windDirection: windDirection?.subarray(from, to),
    airDensity: airDensity?.subarray(from, to),
  };
}

/** The power curve, rated power and control of a turbine. */
type CurveTurbine = Pick<Turbine, "powerCurve" | "ratedPower" | "powerControl">;

/** Power computed from model data with the turbine's curve. */
export interface CurvePower {
  /** The turbine whose curve was used. */
  readonly turbine: CurveTurbine;
  /** Power at each timestamp, kW; missing is NaN. */
  readonly atStamps: Float64Array;
  /** Mean power of each hour, kW; missing is NaN. */
  readonly hourly: Float64Array;
  /**
   * Standard deviation of the wind speeds over which the curve is averaged, m/s, chosen to fit the service's power
   * best.
   */
  readonly smoothing: number;
  /**
   * Whether an hour is the mean of its two ends or the value at its timestamp, chosen to fit the service's power
   * better.
   */
  readonly stamp: "instant" | "start";
}

/** Computes the mean absolute difference of two series, over hours with values in both. */
function computeMeanGap(first: Float64Array, second: Float64Array): number {
  let [sum, count] = [0, 0];
  for (let i = 0; i < first.length; i++) {
    const gap = Math.abs(first[i] - second[i]);
    if (gap !== gap) continue;
    sum += gap;
    count++;
  }
  return count === 0 ? Infinity : sum / count;
}

/**
 * Computes power from the wind speed and air density of model data. The API does not say whether these are
 * instantaneous or means of hours, nor how much the power curve was smoothed, so the best fit to the service's power
 * decides.
 *
 * @returns `undefined` if the curve, the kind of power control, the wind speed or the air density is missing
 * @throws {ArgumentError} If the points are not a power curve
 */
export function computeCurvePower(
  hours: ModelHours,
  details: Pick<TurbineDetails, "power_curve" | "rated_power">,
): CurvePower | undefined {
  const { windSpeed, airDensity, power } = hours;
  const { power_curve: curve, rated_power: ratedPower } = details;
  if (!windSpeed || !airDensity || !curve || curve.power.length === 0 || !ratedPower) {
    return undefined;
  }
  const { power_control: powerControl } = curve;
  if (powerControl !== "pcStall" && powerControl !== "pcPitch") return undefined;
  const turbine: CurveTurbine = { powerCurve: curve.power, ratedPower, powerControl };
  const logDensityRatio = airDensity.map(computeLogDensityRatio);
  const candidates = [0, ...SMOOTHINGS].flatMap((smoothing) => {
    const atStamps = computePowerAtStamps(turbine, windSpeed, logDensityRatio, smoothing);
    return (["start", "instant"] as const).map((stamp): CurvePower => ({
      turbine,
      atStamps,
      hourly: computeHourlyPower(atStamps, stamp),
      smoothing,
      stamp,
    }));
  });
  const gaps = candidates.map(({ hourly }) => computeMeanGap(hourly, power));
  return candidates[gaps.indexOf(Math.min(...gaps))];
}
