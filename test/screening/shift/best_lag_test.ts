import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { findBestLag } from "../../../src/analysis/compare_references/fit.ts";
import { drifting } from "../_series.ts";

/** Pearson's correlation of the pairs that both have, written out. */
function pearson(x: Float64Array, y: Float64Array): number {
  const pairs = [...x.keys()].filter((i) => !Number.isNaN(x[i]) && !Number.isNaN(y[i]));
  const mean = (values: Float64Array) =>
    pairs.reduce((sum, i) => sum + values[i], 0) / pairs.length;
  const [meanX, meanY] = [mean(x), mean(y)];
  const sum = (of: (i: number) => number) => pairs.reduce((total, i) => total + of(i), 0);
  return sum((i) => (x[i] - meanX) * (y[i] - meanY)) /
    Math.sqrt(sum((i) => (x[i] - meanX) ** 2) * sum((i) => (y[i] - meanY) ** 2));
}

describe("findBestLag()", () => {
  const early = drifting(2000, "early");
  const later = (hours: number) => early.map((_, i) => early[i - hours] ?? NaN);

  it("gives the whole hours by which the first series comes later", () => {
    for (const hours of [-6, -3, 0, 1, 6]) {
      const best = findBestLag(later(hours), early)!;
      assertEquals(best.lag, hours);
      assertAlmostEquals(best.correlation, 1, 1e-12);
      assertAlmostEquals(best.unlagged, pearson(later(hours), early), 1e-9);
    }
  });

  it("reaches no farther than six hours", () => {
    assertEquals(findBestLag(later(9), early)!.lag, 6);
  });

  it("needs ten days of pairs, and variation", () => {
    const cut = (count: number) => early.map((value, i) => i < count ? value : NaN);
    assert(findBestLag(cut(240), early));
    assertEquals(findBestLag(cut(239), early), undefined);
    assertEquals(findBestLag(early.map(() => 5), early), undefined);
    assertEquals(findBestLag(new Float64Array(0), new Float64Array(0)), undefined);
  });
});
