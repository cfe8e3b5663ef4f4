import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { computeCredibility } from "../../../src/windindex/scaling/fit_scaling.ts";
import { uniforms } from "../_synthetic.ts";

function assertShares(actual: Float64Array, expected: readonly number[]): void {
  assertEquals(actual.length, expected.length);
  expected.forEach((share, i) => assertAlmostEquals(actual[i], share, 1e-12));
}

describe("computeCredibility()", () => {
  it("gives weight 0.5 to three groups that scatter as much as they differ", () => {
    // Weights 1 / 0.005 = 200 each, mean 0.1. Q = 200 (0.01 + 0 + 0.01) = 4, two more than its
    // expectation of 2. Divisor 600 - 3 x 200^2 / 600 = 400. Between groups 2 / 400 = 0.005.
    // Share 0.005 / (0.005 + 0.005).
    assertShares(computeCredibility([0, 0.1, 0.2], [0.005, 0.005, 0.005]), [0.5, 0.5, 0.5]);
  });

  it("gives a group with less variance more weight", () => {
    // Weights 100, 50, 50; mean (0 + 15 + 30) / 200 = 0.225.
    // Q = 100 x 0.050625 + 50 x 0.005625 + 50 x 0.140625 = 5.0625 + 0.28125 + 7.03125 = 12.375.
    // Divisor 200 - (10,000 + 2,500 + 2,500) / 200 = 125. Between groups (12.375 - 2) / 125 = 0.083.
    assertShares(
      computeCredibility([0, 0.3, 0.6], [0.01, 0.02, 0.02]),
      [0.083 / 0.093, 0.083 / 0.103, 0.083 / 0.103],
    );
  });

  it("gives no weight to a group without information, and ignores it for the others", () => {
    // Weights 100 and 50, mean 0.1, Q = 1 + 2 = 3, divisor 150 - 12,500 / 150 = 200 / 3,
    // between groups (3 - 1) x 3 / 200 = 0.03: 0.03 / 0.04 and 0.03 / 0.05.
    assertShares(computeCredibility([0, 0.3, 77], [0.01, 0.02, Infinity]), [0.75, 0.6, 0]);
  });

  it("gives no weight if groups do not differ, or differ less than their scatter explains", () => {
    assertShares(computeCredibility([0.1, 0.1, 0.1], [0.01, 0.02, 0.03]), [0, 0, 0]);
    // Q = 2 x 0.01 / 0.02 = 1 is below its expectation of 2.
    assertShares(computeCredibility([0, 0.1, 0.2], [0.02, 0.02, 0.02]), [0, 0, 0]);
  });

  it("gives nearly full weight to differing groups with tiny variances", () => {
    for (const share of computeCredibility([0, 0.1, 0.2], [1e-9, 2e-9, 1e-9])) {
      assert(share > 1 - 1e-6 && share < 1, String(share));
    }
  });

  it("gives no weight to a single group, or without groups", () => {
    assertShares(computeCredibility([0.3], [0.01]), [0]);
    assertShares(computeCredibility([0.3, 0.5], [0.01, Infinity]), [0, 0]);
    assertShares(computeCredibility([0.3, 0.5], [Infinity, Infinity]), [0, 0]);
    assertShares(computeCredibility([], []), []);
  });

  it("gives shares of 0 to 1 that do not depend on a shift of all estimates, and leaves its input unchanged", () => {
    const random = uniforms(1);
    for (let round = 0; round < 200; round++) {
      const estimates = Float64Array.from({ length: 2 + round % 11 }, () => random() - 0.5);
      const variances = estimates.map(() => 0.3 * random() ** 3 + 1e-6);
      const [before, spread] = [estimates.slice(), variances.slice()];
      const shares = computeCredibility(estimates, variances);
      assert(shares.every((share) => share >= 0 && share < 1));
      const shifted = computeCredibility(estimates.map((value) => value + 3), variances);
      shares.forEach((share, i) => assertAlmostEquals(share, shifted[i], 1e-9));
      assertEquals([estimates, variances], [before, spread]);
    }
  });
});
