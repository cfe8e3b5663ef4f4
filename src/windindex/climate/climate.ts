import type { HourAxis } from "../../time/hour_axis.ts";

/** What a stamp says about its value: it holds at that instant, or it is the mean of the hour that starts there. Sources stamped at the end or in the middle of the hour are moved to its start when they are read. */
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
  /** Elevation of the model's ground at the point, m; `null` where it is not known. */
  readonly elevation: number | null;
  /** The hours. */
  readonly axis: HourAxis;
  /** What a stamp says about its value. */
  readonly stamp: Stamp;
  /** One height or more, lower first. */
  readonly levels: readonly WindLevel[];
  /** Air temperature near the ground, degC. */
  readonly temperature?: Float64Array;
  /** Air pressure at the ground of the point, Pa. */
  readonly pressure?: Float64Array;
  /** Relative humidity, %. */
  readonly relativeHumidity?: Float64Array;
  /** 1 where the value is preliminary and may still be replaced. */
  readonly preliminary?: Uint8Array;
}
