import { ArgumentError } from "../../api/errors.ts";

/** A place on the globe, deg. */
export interface Location {
  /** Latitude, positive north. */
  readonly latitude: number;
  /** Longitude, positive east. */
  readonly longitude: number;
}

/** Weights of the climate points around a site. */
interface SiteWeights {
  /** Weight of each point, in the order given; they sum to 1. */
  readonly weights: readonly number[];
  /** Positions of the points around the site, including those with weight 0: they alone give the same weights. */
  readonly corners: readonly number[];
  /** How the weights were computed. */
  readonly method:
    | "single point"
    | "bilinear"
    | "inverse distance";
  /** Distance of the turbine from the interpolated wind, km: 0 inside a cell, else the distance to the nearest point. */
  readonly distance: number;
  /** The method in a sentence, for reports. */
  readonly note: string;
}

/** Largest distance of a single climate point from the turbine, km: about the grid of a coarse reanalysis. */
const MAX_POINT_DISTANCE = 50;

const EARTH_RADIUS = 6371; // km

/** Computes the great-circle distance of two locations, km. */
export function computeDistance(a: Location, b: Location): number {
  const rad = Math.PI / 180;
  const h = Math.sin((b.latitude - a.latitude) * rad / 2) ** 2 +
    Math.cos(a.latitude * rad) * Math.cos(b.latitude * rad) *
      Math.sin((b.longitude - a.longitude) * rad / 2) ** 2;
  return 2 * EARTH_RADIUS * Math.asin(Math.min(1, Math.sqrt(h)));
}

/** Finds the sorted grid lines on both sides of a value; outside of the grid the nearest two. */
function findNeighbours(lines: readonly number[], value: number): [number, number] {
  if (lines.length === 1) return [lines[0], lines[0]];
  let i = lines.findIndex((line) => line > value);
  if (i === -1) i = lines.length - 1;
  return i === 0 ? [lines[0], lines[1]] : [lines[i - 1], lines[i]];
}

/** Computes how far a value is outside of a cell, as a share of the cell's width. */
function computeOverhang([low, high]: [number, number], value: number): number {
  if (value >= low && value <= high) return 0;
  const outside = value < low ? low - value : value - high;
  return high > low ? outside / (high - low) : Infinity;
}

/**
 * Computes the weights of the climate points around a site: bilinear inside a grid cell, by inverse distance up to half a cell outside; a single point has weight 1.
 *
 * @param points Climate points on a grid of latitudes and longitudes
 * @throws {ArgumentError} If there is no point, or the site is more than half a cell outside
 */
export function computeSiteWeights(points: readonly Location[], site: Location): SiteWeights {
  const refuse = (problem: string): never => {
    const where = `${site.latitude}, ${site.longitude}`;
    throw new ArgumentError(`Cannot interpolate wind at ${where}: ${problem}`, { code: "place" });
  };
  if (points.length === 0) refuse("there is no climate point. Give at least one climate point");
  if (points.length === 1) {
    const kilometres = computeDistance(points[0], site);
    const away = kilometres.toFixed(1);
    if (kilometres > MAX_POINT_DISTANCE) {
      const { latitude, longitude } = points[0];
      refuse(
        `its only climate point (${latitude}, ${longitude}) is ${away} km away, more than ${MAX_POINT_DISTANCE} km. ` +
          "Check the signs of latitude and longitude",
      );
    }
    return {
      weights: [1],
      corners: [0],
      method: "single point",
      distance: kilometres,
      note: `Wind from one climate point, ${away} km from the turbine, used unchanged.`,
    };
  }
  const latitudes = [...new Set(points.map((point) => point.latitude))].sort((a, b) => a - b);
  const longitudes = [...new Set(points.map((point) => point.longitude))].sort((a, b) => a - b);
  const [south, north] = findNeighbours(latitudes, site.latitude);
  const [west, east] = findNeighbours(longitudes, site.longitude);
  const corner = (latitude: number, longitude: number) =>
    points.findIndex((point) => point.latitude === latitude && point.longitude === longitude);
  const corners = [
    corner(south, west),
    corner(south, east),
    corner(north, west),
    corner(north, east),
  ];
  if (corners.includes(-1)) {
    refuse(
      `the ${points.length} climate points around this place do not form a grid. ` +
        "Give the four corners of the grid cell around the place, or one point",
    );
  }
  const over = Math.max(
    computeOverhang([south, north], site.latitude),
    computeOverhang([west, east], site.longitude),
  );
  if (over > 0.5) {
    refuse(
      `it is outside the climate grid (${south} to ${north} N, ` +
        `${west} to ${east} E) by more than half a cell. Give the points around it`,
    );
  }
  const weights = points.map(() => 0);
  if (over === 0) {
    const y = north > south ? (site.latitude - south) / (north - south) : 0;
    const x = east > west ? (site.longitude - west) / (east - west) : 0;
    const shares = [(1 - y) * (1 - x), (1 - y) * x, y * (1 - x), y * x];
    corners.forEach((at, i) => weights[at] += shares[i]);
    return {
      weights,
      corners,
      method: "bilinear",
      distance: 0,
      note: "Wind interpolated as vectors between the four climate points around the turbine.",
    };
  }
  const distances = corners.map((at) => computeDistance(points[at], site));
  const inverse = distances.map((distance) => 1 / distance);
  const total = inverse.reduce((sum, value) => sum + value, 0);
  corners.forEach((at, i) => weights[at] = inverse[i] / total);
  return {
    weights,
    corners,
    method: "inverse distance",
    distance: Math.min(...distances),
    note: `The turbine is ${(over * 100).toFixed(0)} % of a cell outside the climate grid. Its ` +
      "wind is the vector mean of the four nearest points, weighted by inverse distance.",
  };
}
