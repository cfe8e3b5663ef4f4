import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { roundDirection } from "../../../src/sites/fleet/store_points.ts";

/** Components of wind from a direction, deg. */
const from = (direction: number) => {
  const angle = direction * Math.PI / 180;
  return [-8 * Math.sin(angle), -8 * Math.cos(angle)] as const;
};

describe("K4: roundDirection()", () => {
  it("has no more digits than the source, all around the circle", () => {
    for (let tenths = 0; tenths < 3600; tenths++) {
      assertEquals(roundDirection(...from(tenths / 10)), tenths / 10);
    }
  });

  it("is never 360 and never -0", () => {
    for (const direction of [359.96, 359.999999, 360, -1e-9, 1e-9]) {
      assert(Object.is(roundDirection(...from(direction)), 0), `${direction}`);
    }
    assertEquals(roundDirection(...from(359.94)), 359.9);
  });

  it("is missing if the wind is missing", () => assertEquals(roundDirection(NaN, 1), NaN));
});
