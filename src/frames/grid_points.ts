/** The first year of ERA5. */
export const FIRST_ERA5_YEAR = 1940;

/** A grid point of ERA5. */
export interface GridPoint {
  /** Latitude, deg. */
  readonly latitude: number;
  /** Longitude, deg, -180 to below 180. */
  readonly longitude: number;
}

/** Grid points of ERA5 on a degree. */
const PER_DEGREE = 4;

/** Distance of neighbours, deg. */
const STEP = 1 / PER_DEGREE;

/** Wraps a longitude to -180 to below 180 deg. */
export function wrapLongitude(longitude: number): number {
  return (longitude + 540) % 360 - 180;
}

/** Whether a point of a response is a grid point: at most half a step away, with longitudes from -180 or from 0. */
export function isNear(returned: GridPoint, point: GridPoint): boolean {
  return Math.abs(returned.latitude - point.latitude) <= STEP / 2 &&
    Math.abs(wrapLongitude(returned.longitude - point.longitude)) <= STEP / 2;
}

/**
 * Finds the nearest grid point, or the four around a place, from south to north and west to east. Two turbines in one
 * cell get the same four.
 *
 * @param place The place, deg
 */
export function findPoints({ latitude, longitude }: GridPoint, count: 1 | 4): GridPoint[] {
  const onGrid = (round: (value: number) => number, degrees: number) =>
    round(degrees * PER_DEGREE) / PER_DEGREE;
  const list = (latitudes: readonly number[], longitudes: readonly number[]) =>
    latitudes.flatMap((latitude) =>
      longitudes.map((one) => ({ latitude, longitude: wrapLongitude(one) }))
    );
  if (count === 1) return list([onGrid(Math.round, latitude)], [onGrid(Math.round, longitude)]);
  const south = Math.min(onGrid(Math.floor, latitude), 90 - STEP);
  const west = onGrid(Math.floor, longitude);
  return list([south, south + STEP], [west, west + STEP]);
}
