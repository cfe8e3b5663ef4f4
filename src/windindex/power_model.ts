import type { Stamp } from "./climate/climate.ts";
import { scaleSpeed, type WindScaling } from "./scaling/wind_scaling.ts";
import type { HubConditions } from "./turbine/hub_conditions.ts";
import { SmoothedPower } from "./turbine/smoothed_power.ts";
import type { Turbine } from "./turbine/turbine.ts";

/** Version of the engine: it changes whenever the same data give different figures, so stored figures are recomputed. */
export const ENGINE_VERSION = "5";

/** Why the figures of this engine differ from the previous one's, for owners. */
export const ENGINE_CHANGE =
  "The intervals now allow for an error that does not shrink with the number of years. For annual energies, the power " +
  "curve is smoothed more if the climate point is far away. With records of two years or more, the calibration chooses the smoothing by whole years.";

/**
 * Computes the power of one unit at each timestamp, kW; missing is NaN.
 *
 * @param speed Calibrated wind speed at hub height, m/s
 * @param logDensityRatio Natural logarithm of air density over 1.225 kg/m3
 * @param smoothing Standard deviation of the wind speeds over which the power curve is averaged, m/s
 */
export function computePowerAtStamps(
  turbine: Pick<Turbine, "powerCurve" | "ratedPower" | "powerControl">,
  speed: Float64Array,
  logDensityRatio: Float64Array,
  smoothing: number,
): Float64Array {
  const curve = new SmoothedPower(turbine, smoothing);
  const power = new Float64Array(speed.length);
  for (let i = 0; i < power.length; i++) power[i] = curve.powerAt(speed[i], logDensityRatio[i]);
  return power;
}

/** Result of a calibration: how the wind is scaled, and how much the power curve is smoothed. */
export interface PowerModel {
  /** Scaling from the wind of the climate to the turbine's. */
  readonly scaling: WindScaling;
  /** Standard deviation of the wind speeds over which the power curve is averaged, m/s. */
  readonly smoothing: number;
}

/** Computes the mean power of a calibrated turbine in each hour, kW; missing is NaN. */
export function computeModelledPower(
  turbine: Turbine,
  { scaling, smoothing }: PowerModel,
  hub: HubConditions,
): Float64Array {
  const speed = scaleSpeed(scaling, hub, turbine);
  const power = computePowerAtStamps(turbine, speed, hub.logDensityRatio, smoothing);
  return computeHourlyPower(power, hub.stamp);
}

/**
 * Computes the mean power of the hour that starts at each timestamp, kW.
 *
 * Instantaneous values are averaged with the next one: reanalysis wind is instantaneous, production a mean over the
 * hour. The last hour of such a record has no next value and is missing.
 *
 * @param power Power at the timestamps, kW
 * @param stamp Whether values are instantaneous or means of hours
 */
export function computeHourlyPower(power: Float64Array, stamp: Stamp): Float64Array {
  if (stamp === "start") return power;
  const hourly = new Float64Array(power.length);
  const last = power.length - 1;
  for (let i = 0; i < last; i++) hourly[i] = 0.5 * (power[i] + power[i + 1]);
  if (last >= 0) hourly[last] = NaN;
  return hourly;
}

/**
 * Computes flags of hours from flags of timestamps: an hour between two instants has the flag if one of them has it.
 *
 * @param flags 1 or 0 for each timestamp
 * @param stamp Whether values are instantaneous or means of hours
 */
export function computeHourlyFlags(flags: Uint8Array, stamp: Stamp): Uint8Array {
  if (stamp === "start") return flags;
  return flags.map((flag, i) => flag | (flags[i + 1] ?? 0));
}
