import { REFERENCE_DENSITY } from "../climate/climate.ts";
import type { PowerControl, PowerCurve } from "./power_curve.ts";

/** Speeds between which the exponent of the pitch correction rises, m/s. */
const PITCH_BEND = [7.5, 12.5] as const;

/**
 * Computes the exponent of the density correction of wind speed for pitch-controlled turbines: 1/3 of IEC 61400-12-1 up to 7.5 m/s, rising to 2/3 at 12.5 m/s, where less dense air delays rated power.
 *
 * Source: L. Svenningsen, "Power curve air density correction and other power curve options in WindPRO" (2010).
 *
 * @param speed Wind speed at hub height, m/s
 */
export function computePitchExponent(speed: number): number {
  if (speed <= PITCH_BEND[0]) return 1 / 3;
  if (speed >= PITCH_BEND[1]) return 2 / 3;
  return speed / 15 - 1 / 6;
}

/**
 * Computes the effect of air density: the ratio by which it scales power (stall) or the wind speed at which the curve is read (pitch).
 *
 * @param speed Wind speed at hub height, m/s
 * @param logDensityRatio Natural logarithm of air density over 1.225 kg/m3
 */
function computeDensityEffect(
  control: PowerControl,
  speed: number,
  logDensityRatio: number,
): number {
  return Math.exp(
    control === "pcStall" ? logDensityRatio : computePitchExponent(speed) * logDensityRatio,
  );
}

/**
 * Computes the power of a turbine at a wind speed and a known effect of air density, kW.
 *
 * Cut-in and cut-out apply to the wind speed itself, never to the equivalent speed. NaN for NaN.
 *
 * @param curve Power curve at 1.225 kg/m3
 * @param speed Wind speed at hub height, m/s
 * @param effect Result of {@linkcode computeDensityEffect} for them
 */
function computePowerWithEffect(
  curve: PowerCurve,
  control: PowerControl,
  speed: number,
  effect: number,
): number {
  if (effect !== effect) return NaN;
  if (speed < curve.first || speed > curve.last) return 0;
  if (control === "pcStall") return curve.powerWithin(speed) * effect;
  if (speed > curve.lastRising) return curve.powerWithin(speed); // power falls in storms, whatever the density
  return curve.powerWithin(Math.min(speed * effect, curve.lastRising));
}

/**
 * Computes the power of a turbine at a wind speed and an air density, kW.
 *
 * @param curve Power curve at 1.225 kg/m3
 * @param speed Wind speed at hub height, m/s
 * @param logDensityRatio Natural logarithm of air density over 1.225 kg/m3
 */
export function computePowerAtDensity(
  curve: PowerCurve,
  control: PowerControl,
  speed: number,
  logDensityRatio: number,
): number {
  return computePowerWithEffect(
    curve,
    control,
    speed,
    computeDensityEffect(control, speed, logDensityRatio),
  );
}

/**
 * Computes the natural logarithm of air density over the reference, which the corrections use.
 *
 * @param density Air density, kg/m3
 */
export function computeLogDensityRatio(density: number): number {
  return Math.log(density / REFERENCE_DENSITY);
}
