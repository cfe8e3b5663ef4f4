import { formatNumber } from "../../show/text/numbers.ts";

/**
 * Formats a latitude or longitude: "52.402° N", "0°".
 *
 * @param degrees Latitude or longitude, deg
 * @param sides Letters of the positive and of the negative side
 */
export function formatDegrees(degrees: number, sides: "NS" | "EW", decimals: number): string {
  const text = formatNumber(Math.abs(degrees), decimals);
  const neither = Number(text) === 0 || Number(text) === 180;
  return `${text}°${neither ? "" : ` ${sides[degrees < 0 ? 1 : 0]}`}`;
}

/** Decimals of degrees (at most 4, ten metres) that distinguish the ends of an extent, deg. */
export function chooseDegreeDecimals(extent: number): number {
  return Math.min(4, Math.max(0, 1 - Math.floor(Math.log10(extent))));
}

/** Formats the ends of an extent: "52.399 to 52.405° N", "3.9° W to 77.6° E", or one of them if they do not differ. */
export function formatExtent(
  from: number,
  to: number,
  sides: "NS" | "EW",
  decimals: number,
): string {
  const [first, last] = [from, to].map((degrees) => formatDegrees(degrees, sides, decimals));
  return first === last ? first : joinEnds(first, last);
}

/** Formats a distance: "450 m", "12.2 km", "2,000 km". */
export function formatDistance(km: number): string {
  return km < 0.9995
    ? `${formatNumber(1000 * km)} m`
    : `${formatNumber(km, km < 99.95 ? 1 : 0)} km`;
}

/** Formats a range of distances: "5.8 to 29.3 km", "450 m to 2.1 km". */
export function formatDistances(from: number, to: number): string {
  const [first, last] = [from, to].map(formatDistance);
  return joinEnds(first, last);
}

/** Joins two figures, the first without a unit that both have. */
function joinEnds(first: string, last: string): string {
  const [figure, unit] = first.split(" ");
  return last.endsWith(` ${unit}`)
    ? `${figure.replace("°", "")} to ${last}`
    : `${first} to ${last}`;
}
