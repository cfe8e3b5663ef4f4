import type { Column } from "../../api/columns/column.ts";

/** Length of a mean vector below which it has no direction: the directions cancel out. */
const MIN_MEAN_LENGTH = 1e-9;

/** Whether a column has directions: 0 follows 360 deg, so minimum, maximum and arithmetic mean are meaningless. */
export function isDirection({ unit, range }: Column): boolean {
  return unit === "deg" && range?.[0] === 0 && range[1] === 360;
}

/**
 * Mean direction of unit vectors, 0 to 360 deg; `null` if they cancel out or `count` is 0.
 *
 * @param east Sum of the sines
 * @param north Sum of the cosines
 */
export function computeMeanDirection(east: number, north: number, count: number): number | null {
  if (count === 0 || Math.hypot(east, north) <= MIN_MEAN_LENGTH * count) return null;
  const degrees = Math.atan2(east, north) * 180 / Math.PI;
  return degrees < 0 ? degrees + 360 : degrees;
}

/** Mean direction, 0 to 360 deg; NaN is a missing value. */
export function averageDirections(directions: Float64Array): number | null {
  let [east, north, count] = [0, 0, 0];
  for (const degrees of directions) {
    if (Number.isNaN(degrees)) continue;
    east += Math.sin(degrees * Math.PI / 180);
    north += Math.cos(degrees * Math.PI / 180);
    count++;
  }
  return computeMeanDirection(east, north, count);
}
