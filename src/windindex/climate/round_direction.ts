/**
 * Rounds the direction from which a wind blows to tenths: 0 up to, not including, 360 deg. The remainder is of whole tenths,
 * since that of decimals has digits which no source had, 362.4 % 360 being 2.3999999999999773.
 *
 * @param u Eastward wind, m/s
 * @param v Northward wind, m/s
 * @returns Degrees clockwise from north; NaN for NaN
 */
export function roundDirection(u: number, v: number): number {
  return (Math.round(Math.atan2(-u, -v) * 1800 / Math.PI) + 3600) % 3600 / 10;
}
