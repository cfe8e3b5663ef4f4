import type { Stamp } from "./climate.ts";
import { powerAtDensity } from "./density_correction.ts";
import type { HubConditions } from "./hub_conditions.ts";
import { PowerCurve } from "./power_curve.ts";
import type { Turbine } from "./turbine.ts";

/** What turns hub conditions into power: the turbine's curve and control, and the calibrated factor. */
export interface PowerModel {
  /** Power curve of one unit. */
  readonly curve: PowerCurve;
  /** How the turbine limits its power. */
  readonly control: Turbine["powerControl"];
  /** Factor on the wind speed at hub height. */
  readonly k: number;
}

/**
 * The power model of a turbine.
 *
 * @param turbine The turbine
 * @param k Factor on the wind speed at hub height
 */
export function powerModel(turbine: Turbine, k: number): PowerModel {
  return {
    curve: new PowerCurve(turbine.powerCurve, turbine.ratedPower),
    control: turbine.powerControl,
    k,
  };
}

/** Power of one unit at each stamp, kW; missing is NaN. */
export function powerAtStamps(model: PowerModel, hub: HubConditions): Float64Array {
  const { curve, control, k } = model;
  const power = new Float64Array(hub.windSpeed.length);
  for (let i = 0; i < power.length; i++) {
    power[i] = powerAtDensity(curve, control, k * hub.windSpeed[i], hub.logDensityRatio[i]);
  }
  return power;
}

/**
 * Mean power of the hour that starts at each stamp, kW.
 *
 * Values at instants are averaged with the next one: reanalysis wind is an instant, production a mean over the hour.
 * The last hour of such a record has no next value and is missing.
 *
 * @param power Power at the stamps, kW
 * @param stamp What a stamp says about its value
 */
export function hourlyPower(power: Float64Array, stamp: Stamp): Float64Array {
  if (stamp === "start") return power;
  const hourly = new Float64Array(power.length);
  const last = power.length - 1;
  for (let i = 0; i < last; i++) hourly[i] = 0.5 * (power[i] + power[i + 1]);
  if (last >= 0) hourly[last] = NaN;
  return hourly;
}

/**
 * Flags of hours from flags of stamps: an hour of instants is concerned where one of its two ends is.
 *
 * @param flags 1 for stamps that are concerned
 * @param stamp What a stamp says about its value
 */
export function hourlyFlags(flags: Uint8Array, stamp: Stamp): Uint8Array {
  if (stamp === "start") return flags;
  return flags.map((flag, i) => flag | (flags[i + 1] ?? 0));
}
