import { assertAlmostEquals, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  combineErrors,
  type ErrorsOfReanalysis,
} from "../../../src/windindex/uncertainty/combined_errors.ts";
import { NO_ERROR } from "../../../src/windindex/uncertainty/error_terms.ts";

/** A reanalysis whose variances are multiples of one figure. */
function reanalysis(
  size: number,
  weight: number,
  more: Partial<ErrorsOfReanalysis> = {},
): ErrorsOfReanalysis {
  const share = (factor: number, freedom = Infinity) => ({ variance: factor * size, freedom });
  return {
    errors: {
      draws: 1000,
      seed: 1,
      block: 2,
      k: share(1, 7),
      longTerm: {
        calibration: share(1, 100 * size),
        season: share(2),
        level: share(3),
        spread: NO_ERROR,
      },
      months: [share(10), share(20)],
    },
    weight,
    unseen: 0.1,
    annual: 1000,
    ...more,
  };
}

const variancesOf = (shares: readonly { readonly variance: number }[]) =>
  shares.map(({ variance }) => variance);

describe("combineErrors()", () => {
  it("are the errors of a single reanalysis", () => {
    assertEquals(combineErrors([reanalysis(0.01, 1)], 1000, 0.1), reanalysis(0.01, 1).errors);
  });

  it("are the weighted mean of those that take part, because they are largely the same", () => {
    const both = [reanalysis(0.02, 0.75), reanalysis(0.04, 0.25)];
    const { longTerm, months, k } = combineErrors(both, 1000, null);
    assertAlmostEquals(longTerm.calibration.variance, 0.025, 1e-12); // 0.015 + 0.01
    assertEquals(longTerm.calibration.freedom, 2); // the fewer
    assertAlmostEquals(longTerm.season.variance, 0.05, 1e-12);
    assertAlmostEquals(longTerm.level.variance, 0.075, 1e-12);
    assertEquals(longTerm.spread.variance, 0);
    const [first, second] = variancesOf(months);
    assertAlmostEquals(first, 0.25, 1e-12);
    assertAlmostEquals(second, 0.5, 1e-12);
    assertEquals(k, { variance: 0.02, freedom: 7 }); // of the first, whose factor is reported
  });

  it("are smaller for months as far as the combination predicts unseen ones better", () => {
    // Mean square errors of 0.01 alone and 0.0064 together: 0.64 of the variance.
    const both = [reanalysis(0.01, 0.5), reanalysis(0.01, 0.5)];
    const [first, second] = variancesOf(combineErrors(both, 1000, 0.08).months);
    assertAlmostEquals(first, 0.064, 1e-12);
    assertAlmostEquals(second, 0.128, 1e-12);
    // Never larger.
    assertAlmostEquals(combineErrors(both, 1000, 0.2).months[0].variance, 0.1, 1e-12);
  });

  it("contain the spread between the long-term means, also of one that does not take part", () => {
    // Logarithms 0 and 0.06, with weights of 1 / 0.1^2 and 1 / 0.2^2, 0.8 and 0.2: 0.2 x 0.0036 = 0.00072.
    const other = reanalysis(0.5, 0, { unseen: 0.2, annual: 1000 * Math.exp(0.06) });
    const { longTerm, months } = combineErrors([reanalysis(0.01, 1), other], 1000, 0.1);
    assertAlmostEquals(longTerm.spread.variance, 0.00072, 1e-12);
    assertAlmostEquals(longTerm.calibration.variance, 0.01, 1e-12);
    assertAlmostEquals(months[0].variance, 0.1 + 0.00072, 1e-12);
  });

  it("leave one without the reference period out of the spread", () => {
    const short = reanalysis(0.01, 0, { annual: NaN });
    const { longTerm } = combineErrors([reanalysis(0.01, 1), short], 1000, 0.1);
    assertEquals(longTerm.spread.variance, 0);
  });
});
