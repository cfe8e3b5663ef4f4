import { ArgumentError } from "../../api/errors.ts";
import type { ClimatePoint, Stamp } from "./climate.ts";
import type { HourAxis } from "../../time/hourly.ts";
import { computeSiteWeights, type Location } from "./site_weights.ts";

/** Wind at one height of a site; missing is NaN. */
export interface SiteLevel {
  /** Height above ground, m. */
  readonly height: number;
  /** Wind speed, m/s. */
  readonly speed: Float64Array;
  /** Direction the wind comes from, deg clockwise from north; computed on first use, because energies do not need it. */
  readonly direction: Float64Array;
}

/** Climate at a turbine's site; missing is NaN. */
export interface SiteClimate {
  /** The hours. */
  readonly axis: HourAxis;
  /** Whether a value is for the instant of its timestamp or is the mean of the hour that starts there. */
  readonly stamp: Stamp;
  /** Elevation of the pressure, m; `null` if unknown. */
  readonly elevation: number | null;
  /** Air temperature, degC. */
  readonly temperature?: Float64Array;
  /** Air pressure, Pa. */
  readonly pressure?: Float64Array;
  /** Relative humidity, %. */
  readonly relativeHumidity?: Float64Array;
  /** 1 if a value is preliminary. */
  readonly preliminary?: Uint8Array;
  /** Wind at one height or more, lower first. */
  readonly levels: readonly SiteLevel[];
  /** Distance of the turbine from the climate points, km; 0 if they surround it. */
  readonly distance: number;
  /** Assumptions, in sentences. */
  readonly notes: readonly string[];
}

/** Computes the weighted mean of arrays; NaN if one of them is missing. */
function blend(arrays: readonly Float64Array[], weights: readonly number[]): Float64Array {
  if (arrays.length === 1) return arrays[0];
  const result = new Float64Array(arrays[0].length);
  if (arrays.length === 4) { // the corners of a cell, in one pass
    const [a, b, c, d] = arrays;
    const [wa, wb, wc, wd] = weights;
    for (let i = 0; i < result.length; i++) {
      result[i] = wa * a[i] + wb * b[i] + wc * c[i] + wd * d[i];
    }
    return result;
  }
  for (let j = 0; j < arrays.length; j++) {
    const array = arrays[j];
    const weight = weights[j];
    for (let i = 0; i < result.length; i++) result[i] += weight * array[i];
  }
  return result;
}

function blendOptional(
  points: readonly ClimatePoint[],
  weights: readonly number[],
  field: "temperature" | "pressure" | "relativeHumidity",
): Float64Array | undefined {
  const arrays = points.map((point) => point[field]);
  return arrays.every((array) => array !== undefined)
    ? blend(arrays as Float64Array[], weights)
    : undefined;
}

function computeSpeeds(u: Float64Array, v: Float64Array): Float64Array {
  const result = new Float64Array(u.length);
  for (let i = 0; i < u.length; i++) result[i] = Math.sqrt(u[i] * u[i] + v[i] * v[i]);
  return result;
}

function computeDirections(u: Float64Array, v: Float64Array): Float64Array {
  const result = new Float64Array(u.length);
  for (let i = 0; i < u.length; i++) {
    result[i] = (Math.atan2(-u[i], -v[i]) * 180 / Math.PI + 360) % 360;
  }
  return result;
}

function buildSiteLevel(height: number, u: Float64Array, v: Float64Array): SiteLevel {
  let direction: Float64Array | undefined;
  return {
    height,
    speed: computeSpeeds(u, v),
    get direction() {
      return direction ??= computeDirections(u, v);
    },
  };
}

function mergePreliminary(points: readonly ClimatePoint[], length: number): Uint8Array | undefined {
  const flagged = points.flatMap((point) => point.preliminary ?? []);
  if (flagged.length === 0) return undefined;
  const result = new Uint8Array(length);
  for (const flags of flagged) for (let i = 0; i < length; i++) result[i] |= flags[i];
  return result;
}

/**
 * Computes the climate at a site: wind interpolated as vectors between the points around it, everything else as
 * scalars.
 *
 * @param points Climate points with one axis and the same heights
 * @throws {ArgumentError} If the points have different hours or heights, or do not surround the site
 */
export function computeSiteClimate(points: readonly ClimatePoint[], site: Location): SiteClimate {
  const { weights, distance, note } = computeSiteWeights(points, site);
  const used = points.filter((_, i) => weights[i] > 0);
  const shares = weights.filter((weight) => weight > 0);
  const [first] = used;
  const heights = first.levels.map((level) => level.height).join(", ");
  for (const point of used) {
    if (
      point.axis.start !== first.axis.start || point.axis.length !== first.axis.length ||
      point.stamp !== first.stamp ||
      point.levels.map((level) => level.height).join(", ") !== heights
    ) {
      throw new ArgumentError(
        `Cannot join climate points: the hours or heights of the point ${point.latitude}, ${point.longitude} differ from the hours or heights of the point ${first.latitude}, ${first.longitude}. Give all points with the same hours and heights`,
      );
    }
  }
  const levels = first.levels.map(({ height }, i) =>
    buildSiteLevel(
      height,
      blend(used.map((point) => point.levels[i].u), shares),
      blend(used.map((point) => point.levels[i].v), shares),
    )
  );
  const elevations = used.map((point) => point.elevation);
  const elevation = elevations.every((value) => value !== null)
    ? elevations.reduce((sum: number, value, i) => sum + shares[i] * (value as number), 0)
    : null;
  return {
    axis: first.axis,
    stamp: first.stamp,
    levels,
    elevation,
    temperature: blendOptional(used, shares, "temperature"),
    pressure: blendOptional(used, shares, "pressure"),
    relativeHumidity: blendOptional(used, shares, "relativeHumidity"),
    preliminary: mergePreliminary(used, first.axis.length),
    distance,
    notes: [note],
  };
}
