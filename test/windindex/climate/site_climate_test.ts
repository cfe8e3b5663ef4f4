import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ArgumentError } from "../../../src/api/errors.ts";
import { computeSiteClimate } from "../../../src/windindex/climate/site_climate.ts";
import { point } from "../_synthetic.ts";

const middle = { latitude: 55.625, longitude: 7.875 };

/** Four corners around {@linkcode middle}, each with its own u and v at one hour. */
function corners(...winds: [number, number][]) {
  const places = [[55.5, 7.75], [55.5, 8], [55.75, 7.75], [55.75, 8]];
  return winds.map(([u, v], i) => point(places[i][0], places[i][1], [u], [v]));
}

describe("computeSiteClimate()", () => {
  it("interpolates wind as vectors: opposite winds cancel", () => {
    const { levels } = computeSiteClimate(corners([8, 0], [-8, 0], [0, 8], [0, -8]), middle);
    assertEquals(levels[0].speed, Float64Array.of(0));
  });

  it("reproduces a wind that changes evenly over the cell", () => {
    // u = 4 (latitude - 55), v = 8 (longitude - 7) at the corners; at 55.6, 7.9: 2.4 and 7.2.
    const [south, north, west, east] = [2, 3, 6, 8];
    const points = corners([south, west], [south, east], [north, west], [north, east]);
    const { levels } = computeSiteClimate(points, { latitude: 55.6, longitude: 7.9 });
    assertAlmostEquals(levels[0].speed[0], 7.589466, 1e-6); // the root of 5.76 + 51.84
  });

  it("takes the speed of the mean vector, not the mean of the speeds", () => {
    // West wind of 6 m/s at two corners, south wind of 8 m/s at two: (3, 4) is 5 m/s, not 7.
    const climate = computeSiteClimate(corners([6, 0], [6, 0], [0, 8], [0, 8]), middle);
    assertAlmostEquals(climate.levels[0].speed[0], 5, 1e-12);
    // It comes from the south-west: 180 + atan(3 / 4).
    assertAlmostEquals(climate.levels[0].direction[0], 216.869898, 1e-6);
  });

  const directions: [string, number, number, number][] = [
    ["the east where u is negative", -5, 0, 90],
    ["the south where v is positive", 0, 5, 180],
    ["the west where u is positive", 5, 0, 270],
    ["the north-east where both are negative", -5, -5, 45],
    ["the north-west where u is positive and v negative", 5, -5, 315],
    ["the north where v is negative, as 0, not as -0 or 360", 0, -5, 0],
  ];
  for (const [name, u, v, degrees] of directions) {
    it(`reports that wind comes from ${name}`, () => {
      const [{ direction }] = computeSiteClimate([point(55.5, 7.75, [u], [v])], middle).levels;
      // assertEquals takes -0 for 0, but a CSV file shows it as "-0.0".
      assert(Object.is(direction[0], degrees), `${direction[0]} deg`);
    });
  }

  it("takes the direction of each height", () => {
    const one = point(55.5, 7.75, [0], [-9], {
      levels: [
        { height: 10, u: Float64Array.of(-4), v: Float64Array.of(0) },
        { height: 100, u: Float64Array.of(0), v: Float64Array.of(9) },
      ],
    });
    const { levels } = computeSiteClimate([one], middle);
    assertEquals(levels.map(({ direction }) => direction[0]), [90, 180]);
    assertEquals(levels.map(({ height, speed }) => [height, speed[0]]), [[10, 4], [100, 9]]);
  });

  it("F34 has no value in an hour that one of the used points lacks", () => {
    const points = [[55.5, 7.75], [55.5, 8], [55.75, 7.75], [55.75, 8]]
      .map(([latitude, longitude]) => point(latitude, longitude, [3, 3, 3], [4, 4, 4]));
    points[2].levels[0].u[1] = NaN;
    const { levels } = computeSiteClimate(points, middle);
    assertEquals(levels[0].speed, Float64Array.of(5, NaN, 5));
    assertEquals(levels[0].direction[1], NaN);
  });

  it("ignores gaps and hours of points with weight 0", () => {
    const points = corners([3, 4], [NaN, NaN], [NaN, NaN], [NaN, NaN]);
    points[3] = { ...points[3], axis: { start: 0, length: 1 } };
    const { levels } = computeSiteClimate(points, { latitude: 55.5, longitude: 7.75 });
    assertEquals(levels[0].speed, Float64Array.of(5));
  });

  it("interpolates elevation, temperature, pressure and humidity as scalars", () => {
    const points = corners([3, 4], [3, 4], [3, 4], [3, 4]).map((corner, i) => ({
      ...corner,
      elevation: 10 * i,
      temperature: Float64Array.of(4 + i),
      pressure: Float64Array.of(100_000 + 100 * i),
      relativeHumidity: Float64Array.of(60 + 10 * i),
    }));
    const climate = computeSiteClimate(points, middle);
    assertEquals(climate.elevation, 15);
    assertEquals(climate.temperature, Float64Array.of(5.5));
    assertEquals(climate.pressure, Float64Array.of(100_150));
    assertEquals(climate.relativeHumidity, Float64Array.of(75));
  });

  it("leaves out values that one of the points lacks", () => {
    const points = corners([3, 4], [3, 4], [3, 4], [3, 4]).map((corner, i) => ({
      ...corner,
      elevation: i === 1 ? null : 5,
      ...(i === 1 ? {} : { temperature: Float64Array.of(4), pressure: Float64Array.of(1e5) }),
    }));
    const climate = computeSiteClimate(points, middle);
    assertEquals(climate.elevation, null);
    assertEquals(climate.temperature, undefined);
    assertEquals(climate.pressure, undefined);
    assertEquals(climate.preliminary, undefined);
  });

  it("is preliminary if one of the points is", () => {
    const points = [7.75, 8].map((longitude, i) =>
      point(55.5, longitude, [3, 3, 3], [4, 4, 4], {
        preliminary: i === 0 ? Uint8Array.of(0, 0, 1) : Uint8Array.of(0, 1, 1),
      })
    );
    const { preliminary } = computeSiteClimate(points, { latitude: 55.5, longitude: 7.8 });
    assertEquals(preliminary, Uint8Array.of(0, 1, 1));
  });

  it("keeps the axis and the meaning of its timestamps, and notes the method of interpolation", () => {
    const one = point(55.5, 7.75, [3, 3], [4, 4], { stamp: "start" });
    const climate = computeSiteClimate([one], middle);
    assertEquals([climate.axis, climate.stamp], [one.axis, "start"]);
    assertEquals(climate.notes, [
      "Wind from one climate point, 16.0 km from the turbine, used unchanged.",
    ]);
  });

  const misfits: [string, Parameters<typeof point>[4]][] = [
    ["another first hour", { axis: { start: 0, length: 1 } }],
    ["another number of hours", { axis: { start: 1_514_764_800_000, length: 2 } }],
    ["other stamps", { stamp: "start" }],
    ["other heights", {
      levels: [{ height: 10, u: Float64Array.of(3), v: Float64Array.of(4) }],
    }],
  ];
  for (const [name, more] of misfits) {
    it(`refuses a point with ${name}, by its place`, () => {
      const points = corners([3, 4], [3, 4], [3, 4], [3, 4]);
      points[1] = { ...points[1], ...more };
      assertThrows(
        () => computeSiteClimate(points, middle),
        ArgumentError,
        "Cannot join climate points: the hours or heights of the point 55.5, 8 differ from the hours or heights of the point 55.5, 7.75. Give all points with the same hours and heights",
      );
    });
  }
});
