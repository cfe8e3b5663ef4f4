import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { correlateMonths } from "../../../src/analysis/compare_references/fit.ts";

/** Correlates months of production 1, 2, 3 ... with months of a reference. */
const correlate = (reference: readonly number[]) =>
  correlateMonths(
    new Map(reference.map((_, i) => [i, i + 1])),
    new Map(reference.map((value, i) => [i, value])),
  );

describe("correlateMonths()", () => {
  it("gives r with the interval of Fisher's z", () => {
    // Ranks: r = 1 - 6 sum(d^2) / (n (n^2 - 1)) = 1 - 6 x 4 / 210.
    const { monthly_r: r, monthly_r_low: low, monthly_r_high: high } = correlate([
      ...[1, 3, 2, 5, 4, 6],
    ]);
    assertAlmostEquals(r!, 1 - 24 / 210, 1e-12);
    // z = ln((1 + r!) / (1 - r!)) / 2 = 1.401982; its standard error is 1 / sqrt(3), 1.644854 of which are 0.949657.
    const back = (z: number) => (Math.exp(2 * z) - 1) / (Math.exp(2 * z) + 1);
    const z = Math.log((1 + r!) / (1 - r!)) / 2;
    assertAlmostEquals(low!, back(z - 0.949657), 1e-6);
    assertAlmostEquals(high!, back(z + 0.949657), 1e-6);
  });

  it("gives 1 without width for months on a line, and never more", () => {
    for (const factor of [1, 0.1, 1 / 3, 7e5]) {
      const fit = correlate(Array.from({ length: 40 }, (_, i) => factor * (i + 1)));
      assertEquals(fit.monthly_r?.toFixed(12), "1.000000000000");
      assert(fit.monthly_r_high! <= 1);
    }
  });

  it("gives none for five months, or if a side does not vary", () => {
    assertEquals(correlate([1, 3, 2, 5, 4]).monthly_r, undefined);
    assertEquals(correlate([2, 2, 2, 2, 2, 2]).monthly_r, undefined);
  });
});
