import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { findPoints, type GridPoint } from "../../src/frames/grid_points.ts";

function toPairs(points: readonly GridPoint[]): number[][] {
  return points.map(({ latitude, longitude }) => [latitude, longitude]);
}

describe("findPoints()", () => {
  it("finds the nearest point, and the four around a place", () => {
    assertEquals(toPairs(findPoints({ latitude: 55.4, longitude: 7.9 }, 1)), [[55.5, 8]]);
    assertEquals(toPairs(findPoints({ latitude: 55.4, longitude: 7.9 }, 4)), [
      [55.25, 7.75],
      [55.25, 8],
      [55.5, 7.75],
      [55.5, 8],
    ]);
  });

  it("L1: writes 180 degrees as -180, for one point and for four", () => {
    assertEquals(toPairs(findPoints({ latitude: 0, longitude: 179.9 }, 1)), [[0, -180]]);
    const four = findPoints({ latitude: 0.1, longitude: 179.9 }, 4);
    assertEquals(four.map(({ longitude }) => longitude), [179.75, -180, 179.75, -180]);
  });

  it("uses the last cell at a pole", () => {
    const points = findPoints({ latitude: 90, longitude: 0 }, 4);
    assertEquals(new Set(points.map(({ latitude }) => latitude)), new Set([89.75, 90]));
  });
});
