import { assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  describeScaling,
  describeTrend,
} from "../../../src/sites/calibration/calibration_notes.ts";
import type { Calibration } from "../../../src/windindex/calibration/calibration.ts";

function calibrationWith(more: Partial<Calibration>): Calibration {
  return {
    ...{ k: 0.91, scaling: { kind: "factor", k: 0.91 }, smoothing: 1, candidates: [], periods: [] },
    ...{ hours: 0, residual: null },
    ...more,
  };
}

describe("the notes of a calibration", () => {
  it("SC5: state one factor if the factors of the sectors do not differ", () => {
    const sectors = (factors: readonly number[]) =>
      describeScaling(calibrationWith({ scaling: { kind: "sector", factors } }))[0];
    assertStringIncludes(
      sectors(new Array<number>(12).fill(0.91)),
      "by one factor, k 0.9100, because the factors of each wind direction do not differ.",
    );
    assertStringIncludes(
      sectors([0.95, ...new Array<number>(11).fill(0.91)]),
      "by a factor for each wind direction: 0 deg 0.950, 30 deg 0.910",
    );
  });

  it("SC5: state how the smoothing was chosen", () => {
    const candidates = (["neighbours", "years"] as const).map((folding) =>
      [0.5, 1].map((smoothing) => ({ kind: "factor" as const, folding, smoothing, error: 0.05 }))
    );
    const smoothingNote = (candidates: Calibration["candidates"]) =>
      describeScaling(calibrationWith({ candidates }))[1];
    assertStringIncludes(
      smoothingNote(candidates[0]),
      "Prediction error in unseen periods by smoothing: 0.5 m/s 5.0 %, 1 m/s 5.0 %. The calibration uses a smoothing other than 0.5 m/s only if",
    );
    assertStringIncludes(
      smoothingNote(candidates.flat()),
      "Prediction error in unseen years, month by month, by smoothing: ",
    );
  });

  it("SC1: name a trend of the training years with its interval", () => {
    const periods = [0.001, -0.011, -0.021, -0.029].map((ratio, i) => ({
      ...{ label: String(2001 + i), hours: 8766, validHours: 8766, modelled: 1000 },
      ...{ produced: 1000 * Math.exp(ratio), hourly: false, unseen: null, weight: 1 },
      ...{ used: true, reason: "" },
    }));
    assertEquals(describeTrend(calibrationWith({ periods })), [
      "The ratio of produced to modelled energy changed by −1.0 % (−1.2 to −0.8) a year from 2001 to 2004. Either the turbine " +
      "or the level of the reanalysis has changed. The intervals allow for it.",
    ]);
    assertEquals(describeTrend(calibrationWith({ periods: periods.slice(1) })), []);
  });
});
