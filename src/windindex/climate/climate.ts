import type { HourAxis } from "../../time/hour_axis.ts";

/**
 * Meaning of a stamp: the value at that instant, or the mean of the hour that starts there. Sources with stamps at
 * the end or in the middle of the hour are moved to its start when they are read.
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
  /** Elevation of the ground in the climate model, m; `null` where it is unknown. */
  readonly elevation: number | null;
  /** The hours. */
  readonly axis: HourAxis;
  /** Whether a value is of the instant of its stamp or the mean of the hour that starts there. */
  readonly stamp: Stamp;
  /** One height or more, lower first. */
  readonly levels: readonly WindLevel[];
  /** Air temperature near the ground, degC. */
  readonly temperature?: Float64Array;
  /** Air pressure at the ground of the point, Pa. */
  readonly pressure?: Float64Array;
  /** Relative humidity, %. */
  readonly relativeHumidity?: Float64Array;
  /** 1 where the value is preliminary and may still change. */
  readonly preliminary?: Uint8Array;
}
