/** GRS80, the ellipsoid of EUREF89. */
const [SEMI_MAJOR, FLATTENING] = [6_378_137, 1 / 298.257222101];

/** Scale on the central meridian of zone 32, that meridian in deg, and the easting of it in m. */
const [SCALE, MERIDIAN, EASTING] = [0.9996, 9, 500_000];

const n = FLATTENING / (2 - FLATTENING);

/** Radius of the sphere whose meridians are as long as those of the ellipsoid, m. */
const RADIUS = SEMI_MAJOR / (1 + n) * (1 + n ** 2 / 4 + n ** 4 / 64);

/** Coefficients of the series from the plane to the conformal sphere. */
const TO_SPHERE = [
  n / 2 - 2 / 3 * n ** 2 + 37 / 96 * n ** 3 - n ** 4 / 360,
  n ** 2 / 48 + n ** 3 / 15 - 437 / 1440 * n ** 4,
  17 / 480 * n ** 3 - 37 / 840 * n ** 4,
  4397 / 161_280 * n ** 4,
];

/** Coefficients of the series from the conformal to the geographic latitude. */
const TO_LATITUDE = [
  2 * n - 2 / 3 * n ** 2 - 2 * n ** 3 + 116 / 45 * n ** 4,
  7 / 3 * n ** 2 - 8 / 5 * n ** 3 - 227 / 45 * n ** 4,
  56 / 15 * n ** 3 - 136 / 35 * n ** 4,
  4279 / 630 * n ** 4,
];

/**
 * Converts coordinates of UTM zone 32 in EUREF89 (EPSG:25832) to latitude and longitude in deg by Krüger's series of the fourth
 * order, exact to less than a millimetre in Denmark.
 *
 * @param east Easting, m
 * @param north Northing, m
 */
export function fromUtm32(east: number, north: number) {
  const [xi, eta] = [north / (SCALE * RADIUS), (east - EASTING) / (SCALE * RADIUS)];
  let [x, y] = [xi, eta];
  for (const [i, beta] of TO_SPHERE.entries()) {
    const k = 2 * (i + 1);
    x -= beta * Math.sin(k * xi) * Math.cosh(k * eta);
    y -= beta * Math.cos(k * xi) * Math.sinh(k * eta);
  }
  const conformal = Math.asin(Math.sin(x) / Math.cosh(y));
  const latitude = TO_LATITUDE.reduce(
    (sum, delta, i) => sum + delta * Math.sin(2 * (i + 1) * conformal),
    conformal,
  );
  const degrees = 180 / Math.PI;
  return {
    latitude: latitude * degrees,
    longitude: MERIDIAN + Math.atan2(Math.sinh(y), Math.cos(x)) * degrees,
  };
}
