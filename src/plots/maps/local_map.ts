import { formatNumber } from "../../show/text/numbers.ts";

/** A place: longitude and latitude, deg. */
export type LonLat = readonly [number, number];

/** A place on the map: km to the east and to the north of its centre. */
export type EastNorth = readonly [number, number];

/** A map projection. */
export interface Projection {
  /** Position of a place on the map, km. */
  toPlane(place: LonLat): EastNorth;
  /** Place at a point of the map. */
  toPlace(point: EastNorth): LonLat;
}

/** Mean radius of the earth, km. */
const RADIUS = 6371.0088;

const RADIANS = Math.PI / 180;

/** Longitude normalized to -180 up to 180 deg. */
export function wrapLongitude(longitude: number): number {
  return longitude - 360 * Math.floor((longitude + 180) / 360);
}

/** A place, if both its coordinates are known and possible. */
export function toPlace(longitude: number | null, latitude: number | null): LonLat | undefined {
  const isPossible = longitude !== null && latitude !== null && Math.abs(latitude) <= 90 &&
    Math.abs(longitude) <= 360;
  return isPossible ? [longitude, latitude] : undefined;
}

/** Great-circle distance, km. */
export function computeDistance([lon1, lat1]: LonLat, [lon2, lat2]: LonLat): number {
  const half = (degrees: number) => Math.sin(degrees * RADIANS / 2) ** 2;
  const a = half(lat2 - lat1) +
    Math.cos(lat1 * RADIANS) * Math.cos(lat2 * RADIANS) * half(lon2 - lon1);
  return 2 * RADIUS * Math.asin(Math.min(1, Math.sqrt(a)));
}

/**
 * The azimuthal equidistant projection around a centre: distances and directions from it are true at every latitude, and
 * the map has no edge at 180 deg.
 */
export class LocalMap implements Projection {
  readonly #lon: number;
  readonly #sin: number;
  readonly #cos: number;

  /** Makes the map around a place. */
  constructor([longitude, latitude]: LonLat) {
    this.#lon = longitude;
    this.#sin = Math.sin(latitude * RADIANS);
    this.#cos = Math.cos(latitude * RADIANS);
  }

  /** Position of a place on the map, km. */
  toPlane([longitude, latitude]: LonLat): EastNorth {
    const [sin, cos] = [Math.sin(latitude * RADIANS), Math.cos(latitude * RADIANS)];
    const turn = (longitude - this.#lon) * RADIANS;
    const east = cos * Math.sin(turn);
    const north = this.#cos * sin - this.#sin * cos * Math.cos(turn);
    const length = Math.hypot(east, north);
    const angle = Math.atan2(length, this.#sin * sin + this.#cos * cos * Math.cos(turn));
    const scale = length === 0 ? 0 : RADIUS * angle / length;
    return [east * scale, north * scale];
  }

  /** Place at a point of the map; its longitude is close to that of the centre, not normalized to -180 up to 180 deg. */
  toPlace([east, north]: EastNorth): LonLat {
    const length = Math.hypot(east, north);
    if (length === 0) return [this.#lon, Math.asin(this.#sin) / RADIANS];
    const angle = length / RADIUS;
    const [sin, cos] = [Math.sin(angle), Math.cos(angle)];
    const latitude = Math.asin(
      Math.max(-1, Math.min(1, cos * this.#sin + north * sin * this.#cos / length)),
    );
    const turn = Math.atan2(east * sin, length * this.#cos * cos - north * this.#sin * sin);
    return [this.#lon + turn / RADIANS, latitude / RADIANS];
  }
}

/** Highest latitude of a grid that is true along its own parallel, deg: at a pole all longitudes are one place. */
const MAX_TRUE_LATITUDE = 85;

/**
 * The projection to a grid of equal degrees, true to scale along the parallel of its centre (up to 85 deg): for places far
 * apart, for which no map is true everywhere.
 */
export class GridMap implements Projection {
  readonly #lon: number;
  readonly #stretch: number;
  /** Latitude of the parallel along which the map is true, deg. */
  readonly trueLatitude: number;

  /** Makes the map around a place. */
  constructor([longitude, latitude]: LonLat) {
    this.#lon = longitude;
    this.trueLatitude = Math.max(-MAX_TRUE_LATITUDE, Math.min(MAX_TRUE_LATITUDE, latitude));
    this.#stretch = Math.cos(this.trueLatitude * RADIANS);
  }

  /** Position of a place on the map, km. Longitudes count from the centre and continue beyond 180 deg. */
  toPlane([longitude, latitude]: LonLat): EastNorth {
    const east = (longitude - this.#lon) * this.#stretch;
    return [east * RADIUS * RADIANS, latitude * RADIUS * RADIANS];
  }

  /** Place at a point of the map. */
  toPlace([east, north]: EastNorth): LonLat {
    const degree = RADIUS * RADIANS;
    return [this.#lon + east / degree / this.#stretch, north / degree];
  }
}

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

/** Formats the ends of an extent: "52.399 to 52.405° N", "3.9° W to 77.6° E", or one of them if they are equal. */
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

/** Joins two figures, and drops the unit of the first if both have the same. */
function joinEnds(first: string, last: string): string {
  const [figure, unit] = first.split(" ");
  return last.endsWith(` ${unit}`)
    ? `${figure.replace("°", "")} to ${last}`
    : `${first} to ${last}`;
}
