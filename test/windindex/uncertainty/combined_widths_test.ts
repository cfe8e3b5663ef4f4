import { assertAlmostEquals, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { Calibration } from "../../../src/windindex/calibration/calibration.ts";
import {
  combineWidths,
  type WidthsOfReanalysis,
} from "../../../src/windindex/uncertainty/combined_widths.ts";
import { NORMAL_95 } from "../../../src/windindex/uncertainty/interval.ts";

const CALIBRATION: Calibration = {
  k: 0.9,
  scaling: { kind: "factor", k: 0.9 },
  smoothing: 1,
  candidates: [],
  hours: 720,
  residual: null,
  periods: [{
    label: "2018-01",
    hourly: false,
    produced: 1,
    modelled: 1,
    unseen: 1,
    hours: 720,
    validHours: 720,
    weight: 1,
    used: true,
    reason: "",
  }],
};

/** A reanalysis whose squared widths are multiples of one figure. */
function reanalysis(
  size: number,
  weight: number,
  more: Partial<WidthsOfReanalysis> = {},
): WidthsOfReanalysis {
  return {
    widths: {
      draws: 1000,
      seed: 1,
      block: 2,
      k: size,
      longTerm: { calibration: size, season: 2 * size, level: 3 * size, spread: 0 },
      months: [10 * size, 20 * size],
    },
    calibration: CALIBRATION,
    weight,
    error: 0.1,
    annual: 1000,
    ...more,
  };
}

describe("combineWidths()", () => {
  it("is that of one reanalysis alone", () => {
    const { widths } = reanalysis(0.01, 1);
    assertEquals(combineWidths([reanalysis(0.01, 1)], 1000, 0.1), widths);
  });

  it("is the weighted mean of those that take part: their errors have much in common", () => {
    const combined = combineWidths([reanalysis(0.01, 0.75), reanalysis(0.03, 0.25)], 1000, null);
    assertAlmostEquals(combined.longTerm.calibration, 0.015, 1e-12); // 0.0075 + 0.0075
    assertAlmostEquals(combined.longTerm.season, 0.03, 1e-12);
    assertAlmostEquals(combined.longTerm.level, 0.045, 1e-12);
    assertEquals(combined.longTerm.spread, 0);
    [0.15, 0.3].forEach((width, i) => assertAlmostEquals(combined.months[i], width, 1e-12));
    assertEquals(combined.k, 0.01); // of the first, whose factor is reported
  });

  it("narrows months as far as the combination predicts unseen ones better", () => {
    // Mean square errors of 0.01 alone and 0.0064 together: 0.64 of the width.
    const both = [reanalysis(0.01, 0.5), reanalysis(0.01, 0.5)];
    [0.064, 0.128].forEach((width, i) =>
      assertAlmostEquals(combineWidths(both, 1000, 0.08).months[i], width, 1e-12)
    );
    // Never widens them.
    assertAlmostEquals(combineWidths(both, 1000, 0.2).months[0], 0.1, 1e-12);
  });

  it("adds the spread between the long-term means, also of one that does not take part", () => {
    const e = (share: number) => 1000 * Math.exp(share);
    // Logarithms 0 and 0.06, with weights of 1 / 0.1^2 and 1 / 0.2^2, 0.8 and 0.2: 0.2 x 0.0036 = 0.00072.
    const { longTerm, months } = combineWidths(
      [
        reanalysis(0.01, 1),
        reanalysis(0.5, 0, { error: 0.2, annual: e(0.06) }),
      ],
      1000,
      0.1,
    );
    const spread = NORMAL_95 ** 2 * 0.00072;
    assertAlmostEquals(longTerm.spread, spread, 1e-12);
    assertAlmostEquals(longTerm.calibration, 0.01, 1e-12);
    assertAlmostEquals(months[0], 0.1 + spread, 1e-12);
  });

  it("leaves one without the reference period out of the spread", () => {
    const { longTerm } = combineWidths(
      [
        reanalysis(0.01, 1),
        reanalysis(0.01, 0, { annual: NaN }),
      ],
      1000,
      0.1,
    );
    assertEquals(longTerm.spread, 0);
  });

  it("takes a month that none with a weight has from another one", () => {
    const short = reanalysis(0.01, 1);
    const long = reanalysis(0.03, 0);
    const widths = { ...short.widths, months: [0.1, NaN] };
    const { months } = combineWidths([{ ...short, widths }, long], 1000, 0.1);
    [0.1, 0.6].forEach((width, i) => assertAlmostEquals(months[i], width, 1e-12));
  });
});
