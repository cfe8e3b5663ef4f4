import { assertAlmostEquals, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  addShares,
  buildShare,
  computeReach,
  NO_ERROR,
  scaleShare,
} from "../../../src/windindex/uncertainty/error_terms.ts";

describe("addShares()", () => {
  it("sums variances, and has the degrees of freedom of Satterthwaite", () => {
    // (4 + 6)^2 / (4^2 / 5 + 6^2 / 10) = 100 / 6.8.
    const sum = addShares({ variance: 4, freedom: 5 }, { variance: 6, freedom: 10 });
    assertEquals(sum.variance, 10);
    assertAlmostEquals(sum.freedom, 100 / 6.8, 1e-12);
  });

  it("keeps the degrees of freedom of a share alone", () => {
    const share = { variance: 2, freedom: 3 };
    assertEquals(addShares(share), share);
    assertEquals(addShares(share, NO_ERROR), share);
  });

  it("has more degrees of freedom if most of the variance is known from other sites", () => {
    const sum = addShares({ variance: 1, freedom: 5 }, buildShare(3));
    assertEquals(sum, { variance: 10, freedom: 500 });
  });

  it("is no error without shares", () => {
    assertEquals(addShares(), NO_ERROR);
  });
});

describe("computeReach()", () => {
  it("uses the normal distribution for a known deviation, Student's t for an estimated one", () => {
    assertAlmostEquals(computeReach(buildShare(0.04)), 1.6448536 * 0.04, 1e-8);
    const estimated = { variance: 0.0016, freedom: 4 };
    assertAlmostEquals(computeReach(estimated), 2.1318468 * 0.04, 1e-8);
    assertAlmostEquals(computeReach(scaleShare(estimated, 0.25)), 2.1318468 * 0.02, 1e-8);
  });

  it("gives P75 and P90 on request", () => {
    const estimated = { variance: 0.0016, freedom: 4 };
    assertAlmostEquals(computeReach(estimated, 75), 0.7406971 * 0.04, 1e-8);
    assertAlmostEquals(computeReach(estimated, 90), 1.5332063 * 0.04, 1e-8);
    assertAlmostEquals(computeReach(buildShare(0.04), 90), 1.2815516 * 0.04, 1e-8);
  });
});
