import { assert, assertAlmostEquals, assertEquals, assertNotEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { buildBlockBootstrap } from "../../src/stats/seeded_random.ts";

const all = (length: number) => new Uint8Array(length).fill(1);

/** Draws, copied one by one, because the array is reused. */
function copies(counted: Uint8Array, number: number, seed: number): number[][] {
  const result: number[][] = [];
  for (const weights of buildBlockBootstrap(counted, number, seed).draws()) {
    result.push([...weights]);
  }
  return result;
}

const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);

describe("buildBlockBootstrap()", () => {
  it("draws as many periods as count, every time", () => {
    for (let periods = 1; periods <= 40; periods++) {
      for (const weights of copies(all(periods), 50, periods)) assertEquals(sum(weights), periods);
    }
  });

  it("makes as many draws as requested", () => {
    assertEquals(copies(all(12), 37, 1).length, 37);
    assertEquals(copies(all(12), 0, 1).length, 0);
  });

  it("uses blocks of the cube root of the number of periods", () => {
    const sizes = [1, 2, 3, 8, 12, 24, 27, 36, 60, 120]
      .map((periods) => buildBlockBootstrap(all(periods), 1, 1).block);
    // Cube roots 1, 1.26, 1.44, 2, 2.29, 2.88, 3, 3.30, 3.91, 4.93.
    assertEquals(sizes, [1, 1, 1, 2, 2, 3, 3, 3, 4, 5]);
    const { block, blocks } = buildBlockBootstrap(all(24), 1, 1);
    assertEquals([block, blocks], [3, 8]);
  });

  it("draws blocks of neighbours, continued from the start at the end", () => {
    // 27 periods are nine blocks of three: every draw is a sum of nine runs of three neighbours.
    for (const weights of copies(all(27), 200, 3)) {
      // Starts of runs solve starts[i] + starts[i - 1] + starts[i - 2] = weights[i], all >= 0.
      // Runs of three in a ring of 27 = 9 x 3: the sums of every third period are equal.
      const thirds = [0, 1, 2].map((first) => sum(weights.filter((_, i) => i % 3 === first)));
      assertEquals(thirds, [9, 9, 9]);
    }
  });

  it("draws neighbouring periods far more often together than apart", () => {
    let together = 0;
    let either = 0;
    for (const weights of copies(all(27), 2000, 4)) {
      if (weights[10] > 0) either++;
      if (weights[10] > 0 && weights[11] > 0) together++;
    }
    // Each has a chance of 1 - (1 - 3 / 27)^9 = 0.65; two of the three blocks that hold one also hold the other.
    assert(together / either > 0.75, String(together / either));
    assertAlmostEquals(either / 2000, 1 - (8 / 9) ** 9, 0.04);
  });

  it("draws every period equally often", () => {
    const total = new Float64Array(12);
    for (const weights of copies(all(12), 6000, 5)) weights.forEach((x, i) => total[i] += x);
    total.forEach((value) => assertAlmostEquals(value / 6000, 1, 0.06));
  });

  it("never draws a period that does not count, and treats the periods around it as neighbours", () => {
    const counted = Uint8Array.of(1, 0, 1, 1, 0, 0, 1, 1, 1, 0, 1, 1);
    for (const weights of copies(counted, 500, 6)) {
      weights.forEach((weight, i) => assert(counted[i] === 1 || weight === 0));
      assertEquals(sum(weights), 8);
      // Four blocks of two among the eight that count: even and odd ones are drawn equally often.
      const counting = weights.filter((_, i) => counted[i] === 1);
      assertEquals(sum(counting.filter((_, i) => i % 2 === 0)), 4);
    }
  });

  it("gives the same draws for the same seed, others for another", () => {
    assertEquals(copies(all(24), 20, 7), copies(all(24), 20, 7));
    assertNotEquals(copies(all(24), 20, 7), copies(all(24), 20, 8));
    const bootstrap = buildBlockBootstrap(all(24), 20, 7);
    const [first, second] = [1, 2].map(() => {
      const result: number[][] = [];
      for (const weights of bootstrap.draws()) result.push([...weights]);
      return result;
    });
    assertEquals(first, second);
  });

  it("draws nothing if no period counts, and does not change its input", () => {
    assertEquals(copies(new Uint8Array(3), 2, 1), [[0, 0, 0], [0, 0, 0]]);
    const counted = Uint8Array.of(1, 0, 1);
    copies(counted, 5, 1);
    assertEquals(counted, Uint8Array.of(1, 0, 1));
  });
});
