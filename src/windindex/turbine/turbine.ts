import type { CurvePoint, PowerControl } from "./power_curve.ts";

/** A turbine, or a park of equal turbines treated as one. */
export interface Turbine {
  /** Identifier. */
  readonly id: string;
  /** Display name. */
  readonly name: string;
  /** Latitude, deg, positive north. */
  readonly latitude: number;
  /** Longitude, deg, positive east. */
  readonly longitude: number;
  /** Elevation of the ground (the sea: 0) above sea level, m. */
  readonly elevation: number;
  /** Hub height above ground, m. */
  readonly hubHeight: number;
  /** Rotor diameter, m. */
  readonly rotorDiameter: number;
  /** Rated power of one unit, kW. */
  readonly ratedPower: number;
  /** Number of equal units whose production is measured together. */
  readonly units: number;
  /** IANA time zone. */
  readonly timeZone: string;
  /** How the turbine limits its power. */
  readonly powerControl: PowerControl;
  /** Power curve of one unit at 1.225 kg/m3. */
  readonly powerCurve: readonly CurvePoint[];
}
