import { assertAlmostEquals, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { correlation } from "../../src/stats/regression.ts";

describe("correlation()", () => {
  it("gives the r computed by hand", () => {
    // Ranks: r = 1 - 6 sum(d^2) / (n (n^2 - 1)) = 1 - 6 x 4 / 210.
    assertAlmostEquals(correlation([1, 2, 3, 4, 5, 6], [1, 3, 2, 5, 4, 6]), 1 - 24 / 210, 1e-12);
    assertAlmostEquals(correlation([1, 2, 3], [6, 4, 2]), -1, 1e-12);
  });

  it("is NaN if a series does not vary, whatever rounding leaves of its variance", () => {
    for (const constant of [0, 2, 0.1, 1234.567, -7e9]) {
      const flat = new Array<number>(6).fill(constant);
      assertEquals(correlation([1, 2, 3, 4, 5, 6], flat), NaN, String(constant));
      assertEquals(correlation(flat, [1, 2, 3, 4, 5, 6]), NaN, String(constant));
    }
    assertEquals(correlation([], []), NaN);
  });

  it("keeps r of small changes around a large mean", () => {
    assertAlmostEquals(correlation([1e6 + 1, 1e6 + 2, 1e6 + 3], [1, 2, 3]), 1, 1e-9);
  });
});
