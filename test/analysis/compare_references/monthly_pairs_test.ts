import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  compareCorrelations,
  correlateMonths,
  type MonthPair,
} from "../../../src/analysis/compare_references/fit.ts";
import { SeededRandom } from "../../../src/stats/seeded_random.ts";

/** Months of production 1, 2, 3 ... and of a reference. */
function pairs(reference: readonly number[], first = 0): MonthPair[] {
  return reference.map((value, i) => ({ number: first + i, produced: i + 1, reference: value }));
}

describe("correlateMonths()", () => {
  it("gives r with the interval of Fisher's z", () => {
    // Ranks: r = 1 - 6 sum(d^2) / (n (n^2 - 1)) = 1 - 6 x 4 / 210.
    const { r, low, high } = correlateMonths(pairs([1, 3, 2, 5, 4, 6]))!;
    assertAlmostEquals(r, 1 - 24 / 210, 1e-12);
    // z = ln((1 + r) / (1 - r)) / 2 = 1.401982; its standard error is 1 / sqrt(3), 1.644854 of which are 0.949657.
    const back = (z: number) => (Math.exp(2 * z) - 1) / (Math.exp(2 * z) + 1);
    const z = Math.log((1 + r) / (1 - r)) / 2;
    assertAlmostEquals(low, back(z - 0.949657), 1e-6);
    assertAlmostEquals(high, back(z + 0.949657), 1e-6);
  });

  it("gives 1 without width to months on a line, and never more", () => {
    for (const factor of [1, 0.1, 1 / 3, 7e5]) {
      const line = pairs(Array.from({ length: 40 }, (_, i) => factor * (i + 1)));
      assertEquals(correlateMonths(line)?.r.toFixed(12), "1.000000000000");
      assert(correlateMonths(line)!.high <= 1);
    }
  });

  it("gives none of five months, or where a side does not vary", () => {
    assertEquals(correlateMonths(pairs([1, 3, 2, 5, 4])), undefined);
    assertEquals(correlateMonths(pairs([2, 2, 2, 2, 2, 2])), undefined);
  });
});

describe("compareCorrelations()", () => {
  const close = pairs([1, 2, 3, 4, 5, 6, 8, 7]); // r 0.97619
  const far = pairs([2, 1, 5, 3, 4, 8, 6, 7]); // r 0.83333, 0.80952 with the other

  it("compares references in the months that both have", () => {
    // f = 0.540193, h = 3.148230, z = 2.063198: more than 1.6449.
    assertEquals(compareCorrelations(close, far), { months: 8, significant: true });
    assertEquals(compareCorrelations(far, close), { months: 8, significant: true });
    // Of seven months z is smaller, by the root of 4 / 5 and by its own figures.
    assertEquals(compareCorrelations(close.slice(1), far)?.months, 7);
  });

  it("finds no difference between a reference and itself", () => {
    assertEquals(compareCorrelations(close, close), { months: 8, significant: false });
    const scaled = close.map((pair) => ({ ...pair, reference: 3 * pair.reference + 1 }));
    assertEquals(compareCorrelations(close, scaled)?.significant, false);
  });

  it("is undefined with five months in common, or without variation", () => {
    assertEquals(compareCorrelations(close, far.slice(3)), undefined);
    assertEquals(compareCorrelations(close, pairs([2, 2, 2, 2, 2, 2, 2, 2])), undefined);
  });

  it("finds a difference of equally good references in about one of ten cases", () => {
    const random = new SeededRandom("as good");
    const trials = 1000;
    let different = 0;
    for (let trial = 0; trial < trials; trial++) {
      const production = Array.from({ length: 36 }, () => random.normal());
      const reference = () =>
        production.map((produced, number): MonthPair => ({
          number,
          produced,
          reference: produced + 0.5 * random.normal(),
        }));
      if (compareCorrelations(reference(), reference())!.significant) different++;
    }
    // 90 % intervals miss in 10 % of cases; 1,000 trials scatter by 1 %.
    assert(different / trials > 0.07 && different / trials < 0.14, `${different} of ${trials}`);
  });
});
