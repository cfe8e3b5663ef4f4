/**
 * Rounds the direction from which a wind blows: 0 up to, not including, 360 deg. The remainder is of whole steps, since that
 * of decimals has digits which no source had, 362.4 % 360 being 2.3999999999999773.
 *
 * @param u Eastward wind, m/s
 * @param v Northward wind, m/s
 * @param perDegree Steps in a degree
 * @returns Degrees clockwise from north; NaN for NaN
 */
export function roundDirection(u: number, v: number, perDegree: number): number {
  const circle = 360 * perDegree;
  const steps = Math.round(Math.atan2(-u, -v) * 180 / Math.PI * perDegree);
  return (steps + circle) % circle / perDegree;
}
