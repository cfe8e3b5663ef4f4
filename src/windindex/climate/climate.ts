import type { HourAxis } from "../../time/hourly.ts";

/**
 * Meaning of a timestamp: the value at that instant, or the mean of the hour that starts there. For sources with
 * timestamps at the end or in the middle of the hour, the reader moves them to its start.
 */
export type Stamp = "instant" | "start";

/** Wind components at one height, m/s; missing is NaN. */
export interface WindLevel {
  /** Height above ground, m. */
  readonly height: number;
  /** Eastward component, m/s. */
  readonly u: Float64Array;
  /** Northward component, m/s. */
  readonly v: Float64Array;
}

/** Climate at one point of a grid on a regular hourly axis; missing is NaN. */
export interface ClimatePoint {
  /** Latitude, deg, positive north. */
  readonly latitude: number;
  /** Longitude, deg, positive east. */
  readonly longitude: number;
  /** Elevation of the ground in the climate model, m; `null` if unknown. */
  readonly elevation: number | null;
  /** The hours. */
  readonly axis: HourAxis;
  /** Whether a value is for the instant of its timestamp or is the mean of the hour that starts there. */
  readonly stamp: Stamp;
  /** One height or more, lower first. */
  readonly levels: readonly WindLevel[];
  /** Air temperature near the ground, degC. */
  readonly temperature?: Float64Array;
  /** Air pressure at the ground of the point, Pa. */
  readonly pressure?: Float64Array;
  /** Relative humidity, %. */
  readonly relativeHumidity?: Float64Array;
  /** 1 if the value is preliminary and may still change. */
  readonly preliminary?: Uint8Array;
}

/** Reference air density of power curves, kg/m3 (IEC 61400-12-1). */
export const REFERENCE_DENSITY = 1.225;

/** Zero degrees Celsius, K. */
export const ZERO_CELSIUS = 273.15;

const GAS_CONSTANT_DRY_AIR = 287.05; // J/(kg K)
const GAS_CONSTANT_VAPOUR = 461.5; // J/(kg K)
const GRAVITY = 9.80665; // m/s2

/** Assumed relative humidity if it is unknown, as a share (IEC 61400-12-1). */
export const DEFAULT_HUMIDITY = 0.5;

/**
 * Computes the density of moist air, kg/m3.
 *
 * Source: IEC 61400-12-1, formula for air density with humidity.
 *
 * @param temperature Air temperature, degC
 * @param pressure Air pressure, Pa
 * @param humidity Relative humidity, 0 to 1
 */
export function computeAirDensity(
  temperature: number,
  pressure: number,
  humidity: number = DEFAULT_HUMIDITY,
): number {
  const kelvin = temperature + ZERO_CELSIUS;
  const vapourPressure = 0.0000205 * Math.exp(0.0631846 * kelvin);
  return (pressure / GAS_CONSTANT_DRY_AIR -
    humidity * vapourPressure * (1 / GAS_CONSTANT_DRY_AIR - 1 / GAS_CONSTANT_VAPOUR)) / kelvin;
}

/**
 * Computes the pressure at another height, Pa, by the barometric formula of an isothermal layer.
 *
 * @param pressure Pressure at the lower height, Pa
 * @param rise Height of the other level above the given one, m; negative if lower
 * @param temperature Air temperature of the layer, degC
 */
export function computePressureAtHeight(
  pressure: number,
  rise: number,
  temperature: number,
): number {
  return pressure *
    Math.exp(-GRAVITY * rise / (GAS_CONSTANT_DRY_AIR * (temperature + ZERO_CELSIUS)));
}

/**
 * Computes temperature (degC) and pressure (Pa) of the standard atmosphere (ISO 2533) at an elevation below 11 km.
 *
 * @param elevation Height above sea level, m
 */
export function computeStandardAtmosphere(
  elevation: number,
): { temperature: number; pressure: number } {
  const lapse = 0.0065; // K/m
  const seaLevel = 288.15; // K
  const kelvin = seaLevel - lapse * elevation;
  return {
    temperature: kelvin - ZERO_CELSIUS,
    pressure: 101_325 * (kelvin / seaLevel) ** (GRAVITY / (GAS_CONSTANT_DRY_AIR * lapse)),
  };
}

/**
 * Computes the relative humidity from the dew point, 0 to 1, by the Magnus formula.
 *
 * Source: WMO Guide to Instruments and Methods of Observation (WMO-No. 8), annex 4.B.
 *
 * @param temperature Air temperature, degC
 * @param dewPoint Dew point, degC
 */
export function computeHumidity(temperature: number, dewPoint: number): number {
  const vapourPressure = (degC: number) => Math.exp(17.62 * degC / (243.12 + degC));
  return Math.min(1, vapourPressure(dewPoint) / vapourPressure(temperature));
}
