import type { Place } from "../answers/climate_files.ts";

/** A grid point of ERA5. */
export interface GridPoint {
  /** Latitude, deg. */
  readonly latitude: number;
  /** Longitude, deg, -180 to below 180. */
  readonly longitude: number;
}

/** A grid point or the span of grid points that is asked for, deg; east is 180 where the span ends there. */
export interface GridArea {
  readonly north: number;
  readonly west: number;
  readonly south: number;
  readonly east: number;
}

/** Grid points of ERA5 on a degree. */
const PER_DEGREE = 4;

/** Distance of neighbours, deg. */
const STEP = 1 / PER_DEGREE;

/** Longitude from -180 to below 180, deg. */
function wrap(longitude: number): number {
  return (longitude + 540) % 360 - 180;
}

/** Whether a point of an answer is a grid point: at most half a step away, however its longitude is counted. */
export function isNear(found: GridPoint, point: GridPoint): boolean {
  return Math.abs(found.latitude - point.latitude) <= STEP / 2 &&
    Math.abs(wrap(found.longitude - point.longitude)) <= STEP / 2;
}

/** Lists the grid points of an area, from south to north and west to east. */
export function listPoints({ north, west, south, east }: GridArea): GridPoint[] {
  return [...new Set([south, north])].flatMap((latitude) =>
    [...new Set([west, east])].map((longitude) => ({ latitude, longitude: wrap(longitude) }))
  );
}

/** The nearest grid point, or the four around a place; two turbines of a cell have the same. */
export function findPoints({ latitude, longitude }: Place, count: 1 | 4): GridPoint[] {
  const onGrid = (round: (value: number) => number, degrees: number) =>
    round(degrees * PER_DEGREE) / PER_DEGREE;
  if (count === 1) {
    const [north, west] = [onGrid(Math.round, latitude), onGrid(Math.round, longitude)];
    return listPoints({ north, west, south: north, east: west });
  }
  const south = Math.min(onGrid(Math.floor, latitude), 90 - STEP);
  const west = wrap(onGrid(Math.floor, longitude));
  return listPoints({ north: south + STEP, west, south, east: west + STEP });
}

/** The smallest area that has all of some grid points of a cell. */
export function boundPoints(points: readonly GridPoint[]): GridArea {
  const latitudes = points.map(({ latitude }) => latitude);
  const longitudes = points.map(({ longitude }) => longitude);
  const apart = Math.max(...longitudes) - Math.min(...longitudes) > 180; // on both sides of 180
  const turned = longitudes.map((one) => apart && one < 0 ? one + 360 : one);
  return {
    north: Math.max(...latitudes),
    west: Math.min(...turned),
    south: Math.min(...latitudes),
    east: Math.max(...turned),
  };
}
