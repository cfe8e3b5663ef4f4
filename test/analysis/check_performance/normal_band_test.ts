import { assertAlmostEquals, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  computeBandEnds,
  computeNormalBand,
} from "../../../src/analysis/check_performance/band.ts";

describe("computeNormalBand()", () => {
  it("S10: is wider for periods with less expected energy, by the root of the energy, worked by hand", () => {
    // Median 1, mean energy 2 MWh: deviations of 0.02 count sqrt(4 / 2) times, deviations of 0.01 sqrt(1 / 2) times.
    const band = computeNormalBand(
      [0.98, 0.99, 1, 1, 1.01, 1.02, NaN],
      "month",
      [4, 1, 1, 1, 1, 4, 9],
    )!;
    assertEquals([band.middle, band.energy, band.periods], [100, 2, 6]);
    // Of 0.0283, 0.0071, 0, 0, 0.0071, 0.0283 the median is 0.0071; 1.4826 and 6 / 5.2 by Croux and Rousseeuw; 8.03 for 5 degrees of freedom.
    const half = 100 * 8.03 * 1.4826 * 6 / 5.2 * (0.01 / Math.sqrt(2)) * Math.sqrt(7 / 6);
    assertAlmostEquals(band.high - 100, half, 0.01 * half);
    assertAlmostEquals(100 - band.low, band.high - 100, 1e-9);
    assertEquals(computeBandEnds(band, 2), { low: band.low, high: band.high });
    const calm = computeBandEnds(band, 0.5);
    assertAlmostEquals(calm.high - 100, 2 * (band.high - 100), 1e-9);
    assertEquals(computeBandEnds(band, 1e-6).low, 0);
  });

  it("needs six months or five years", () => {
    const expected = [1, 1, 1, 1, 1, 1];
    assertEquals(computeNormalBand([1, 1, 1, 1, NaN, 1], "month", expected), null);
    assertEquals(computeNormalBand([1, 1, 1, 1, 1], "year", expected)!.periods, 5);
    assertEquals(computeNormalBand([1, 1, 1, 1, NaN], "year", expected), null);
  });
});
