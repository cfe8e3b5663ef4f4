/**
 * The part of the earth that a map shows, and positions of places in the picture (Mercator).
 *
 * @module
 */

/** @typedef {{ latitude: number, longitude: number }} Place */
/** @typedef {{ width: number, height: number }} Size */

/** Mercator has no poles. */
const MAX_LATITUDE = 84;

/** Kilometres of a degree on the equator. */
const KILOMETRES = 111.32;

/** Room around the places for their markers, px. */
const MARGIN = 56;

/**
 * Mercator ordinate of a latitude, in degrees of the equator.
 *
 * @param {number} latitude deg
 */
export function northing(latitude) {
  const bounded = Math.max(-MAX_LATITUDE, Math.min(MAX_LATITUDE, latitude));
  return Math.asinh(Math.tan(bounded * Math.PI / 180)) * 180 / Math.PI;
}

/**
 * Finds the longitude at which a map of these places is cut open: the middle of the widest gap between them, so that neighbours
 * on both sides of the date line stay neighbours.
 *
 * @param {readonly Place[]} places
 */
function findCut(places) {
  const sorted = places.map(({ longitude }) => longitude).toSorted((a, b) => a - b);
  let widest = 0;
  let cut = -180;
  sorted.forEach((longitude, i) => {
    const next = sorted[i + 1] ?? sorted[0] + 360;
    if (next - longitude > widest) [widest, cut] = [next - longitude, (longitude + next) / 2];
  });
  return cut;
}

/** A part of the earth on a picture. */
export class MapView {
  /** Longitude of the left edge, deg. */
  west;
  /** Northing of the upper edge, deg. */
  north;
  /** Pixels of a degree on the equator. */
  scale;
  /** Size of the picture, px. */
  size;
  #cut;

  /**
   * A view that contains all places.
   *
   * @param {readonly Place[]} places At least one
   * @param {Size} size
   * @param {number} least Least width of what is shown, deg on the equator
   */
  constructor(places, size, least) {
    this.size = size;
    this.#cut = findCut(places);
    const xs = places.map(({ longitude }) => this.#unwrapped(longitude));
    const ys = places.map(({ latitude }) => northing(latitude));
    const [left, right] = [Math.min(...xs), Math.max(...xs)];
    const [bottom, top] = [Math.min(...ys), Math.max(...ys)];
    const room = { width: size.width - 2 * MARGIN, height: size.height - 2 * MARGIN };
    this.scale = Math.min(
      room.width / (right - left || Number.MIN_VALUE),
      room.height / (top - bottom || Number.MIN_VALUE),
      size.width / least,
    );
    this.west = (left + right - size.width / this.scale) / 2;
    this.north = (top + bottom + size.height / this.scale) / 2;
  }

  /** @param {number} longitude */
  #unwrapped(longitude) {
    return longitude < this.#cut ? longitude + 360 : longitude;
  }

  /**
   * Position of a place, px from the upper left corner.
   *
   * @param {Place} place
   */
  point({ latitude, longitude }) {
    return {
      x: (this.#unwrapped(longitude) - this.west) * this.scale,
      y: (this.north - northing(latitude)) * this.scale,
    };
  }

  /**
   * A round distance and its length in the picture.
   *
   * @param {number} longest px
   */
  scaleBar(longest) {
    const middle = (this.north - this.size.height / this.scale / 2) * Math.PI / 180;
    const pixelsOfKilometre = this.scale * Math.cosh(middle) / KILOMETRES; // cosh: Mercator stretches so
    const longestKilometres = longest / pixelsOfKilometre;
    const power = 10 ** Math.floor(Math.log10(longestKilometres));
    const kilometres = power *
      (longestKilometres >= 5 * power ? 5 : longestKilometres >= 2 * power ? 2 : 1);
    return { kilometres, pixels: kilometres * pixelsOfKilometre };
  }
}
