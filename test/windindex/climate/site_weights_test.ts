import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ArgumentError } from "../../../src/api/errors.ts";
import {
  computeDistance,
  computeSiteWeights,
  type Location,
} from "../../../src/windindex/climate/site_weights.ts";
import { uniforms } from "../_synthetic.ts";

const grid = (latitudes: readonly number[], longitudes: readonly number[]): Location[] =>
  latitudes.flatMap((latitude) => longitudes.map((longitude) => ({ latitude, longitude })));

/** The cell of ERA5 around Horns Rev, in the order of its files: north first. */
const cell = grid([55.75, 55.5], [7.75, 8]);

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

describe("computeDistance()", () => {
  it("is 111.19 km along a degree of a meridian and of the equator", () => {
    // 6,371 km x pi / 180
    const origin = { latitude: 0, longitude: 0 };
    assertAlmostEquals(computeDistance(origin, { latitude: 1, longitude: 0 }), 111.1949, 1e-4);
    assertAlmostEquals(computeDistance(origin, { latitude: 0, longitude: -1 }), 111.1949, 1e-4);
  });

  it("is 10,007.5 km from the equator to a pole, whatever the longitude", () => {
    const pole = { latitude: 90, longitude: 123 };
    assertAlmostEquals(computeDistance({ latitude: 0, longitude: -40 }, pole), 10_007.543, 1e-3);
  });

  it("takes the short way across the date line", () => {
    const east = { latitude: 0, longitude: 179.5 };
    assertAlmostEquals(computeDistance(east, { latitude: 0, longitude: -179.5 }), 111.1949, 1e-4);
  });
});

describe("computeSiteWeights()", () => {
  it("is bilinear inside a cell", () => {
    // 0.4 of the way north, 0.6 of the way east: north-west 0.4 x 0.4, north-east 0.4 x 0.6, ...
    const { weights, method } = computeSiteWeights(cell, { latitude: 55.6, longitude: 7.9 });
    assertEquals(method, "bilinear");
    [0.16, 0.24, 0.24, 0.36].forEach((share, i) => assertAlmostEquals(weights[i], share, 1e-12));
  });

  it("sums to 1 and reproduces a linear field, also across the zero meridian", () => {
    const random = uniforms(5);
    for (let n = 0; n < 1000; n++) {
      const south = -60 + 120 * random();
      const west = -0.5 + 0.5 * random(); // longitudes of both signs
      const points = grid([south, south + 0.25], [west, west + 0.4]);
      const site = { latitude: south + 0.25 * random(), longitude: west + 0.4 * random() };
      const { weights } = computeSiteWeights(points, site);
      const field = ({ latitude, longitude }: Location) => 3 + 2 * latitude - 5 * longitude;
      assertAlmostEquals(sum(weights), 1, 1e-12);
      assert(weights.every((weight) => weight >= 0));
      assertAlmostEquals(
        sum(points.map((point, i) => weights[i] * field(point))),
        field(site),
        1e-9,
      );
    }
  });

  it("takes the point itself at a corner", () => {
    for (const [i, corner] of cell.entries()) {
      const expected = [0, 0, 0, 0];
      expected[i] = 1;
      assertEquals(computeSiteWeights(cell, corner).weights, expected);
    }
  });

  it("takes the two ends of an edge on it", () => {
    // A quarter of the way east on the southern edge.
    const { weights, method } = computeSiteWeights(cell, { latitude: 55.5, longitude: 7.8125 });
    assertEquals(method, "bilinear");
    assertEquals(weights, [0, 0, 0.75, 0.25]);
  });

  it("takes the cell around the site from a larger grid, whatever the order of its points", () => {
    const points = grid([56, 55.5, 55.75, 55.25], [8.25, 7.5, 8, 7.75]);
    const { weights } = computeSiteWeights(points, { latitude: 55.6, longitude: 7.9 });
    const used = points.filter((_, i) => weights[i] > 0);
    assertEquals(used.length, 4);
    for (const { latitude, longitude } of used) {
      assert([55.5, 55.75].includes(latitude) && [7.75, 8].includes(longitude));
    }
  });

  it("names the points around the site, which alone give the same weights", () => {
    const points = grid([56, 55.5, 55.75, 55.25], [8.25, 7.5, 8, 7.75]);
    const sites = [[55.6, 7.9], [55.5, 7.9], [55.75, 8], [56, 8.25], [55.2, 8.3], [56.1, 7.6]];
    for (const [latitude, longitude] of sites) {
      const { corners, weights, ...all } = computeSiteWeights(points, { latitude, longitude });
      const around = points.filter((_, i) => corners.includes(i));
      const cornersOnly = computeSiteWeights(around, { latitude, longitude });
      assertEquals([around.length, cornersOnly.note, cornersOnly.method], [
        4,
        all.note,
        all.method,
      ]);
      assertEquals(cornersOnly.weights, weights.filter((_, i) => corners.includes(i)));
    }
  });

  it("takes the cell north and east of a site on a grid line, even if another cell there is incomplete", () => {
    const points = [...cell, ...grid([55.25, 55.5], [8.25, 8.5])];
    const { weights } = computeSiteWeights(points, { latitude: 55.5, longitude: 7.8 });
    assertEquals(weights.map((weight) => weight > 0), points.map((_, i) => i === 2 || i === 3));
  });

  it("works with longitudes west of Greenwich", () => {
    const west = grid([52.25, 52.5], [-1.25, -1]);
    // 0.6 of the way north, 0.2 of the way east.
    const { weights } = computeSiteWeights(west, { latitude: 52.4, longitude: -1.2 });
    [0.32, 0.08, 0.48, 0.12].forEach((share, i) => assertAlmostEquals(weights[i], share, 1e-12));
  });

  it("takes a single point unchanged, and notes its distance", () => {
    const { weights, method, note } = computeSiteWeights([{ latitude: 52.5, longitude: -1 }], {
      latitude: 52.4,
      longitude: -1,
    });
    assertEquals(weights, [1]);
    assertEquals(method, "single point");
    assertStringIncludes(note, "11.1 km"); // a tenth of 111.19 km
  });

  it("weights by inverse distance up to half a cell outside, and notes it", () => {
    // Horns Rev is 0.01 of 0.25 degrees south of its cell.
    const site = { latitude: 55.49, longitude: 7.84 };
    const { weights, method, note } = computeSiteWeights(cell, site);
    assertEquals(method, "inverse distance");
    assertStringIncludes(note, "4 % of a cell outside");
    assertAlmostEquals(sum(weights), 1, 1e-12);
    // Distances in Python: 29.4578, 30.6064, 5.7771 and 10.1395 km (law of cosines).
    [0.100333, 0.096568, 0.511606, 0.291493].forEach((share, i) => {
      assertAlmostEquals(weights[i], share, 1e-5);
    });
  });

  it("accepts up to half a cell outside and no more, on each side", () => {
    for (
      const [latitude, longitude] of [[55.375, 7.9], [55.875, 7.9], [55.6, 7.625], [55.6, 8.125]]
    ) {
      assertEquals(computeSiteWeights(cell, { latitude, longitude }).method, "inverse distance");
    }
    for (const [latitude, longitude] of [[55.37, 7.9], [55.88, 7.9], [55.6, 7.62], [55.6, 8.13]]) {
      assertThrows(
        () => computeSiteWeights(cell, { latitude, longitude }),
        ArgumentError,
        "by more than half a cell. Give the points around it",
      );
    }
  });

  it("refuses points that do not form a grid", () => {
    const lacking = cell.slice(0, 3);
    const slanted = [{ latitude: 55.5, longitude: 7.75 }, { latitude: 55.75, longitude: 8 }];
    for (const points of [lacking, slanted]) {
      assertThrows(
        () => computeSiteWeights(points, { latitude: 55.6, longitude: 7.9 }),
        ArgumentError,
        `the ${points.length} climate points around this place do not form a grid`,
      );
    }
  });

  it("refuses an empty list of points", () => {
    const place = () => computeSiteWeights([], { latitude: 55.6, longitude: 7.9 });
    assertThrows(place, ArgumentError, "there is no climate point");
  });
});
