import { assertAlmostEquals, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { Calibration } from "../../../src/windindex/calibration/calibration.ts";
import { chooseReanalyses } from "../../../src/windindex/reanalyses/choose_reanalyses.ts";

/** A calibration that predicts unseen months of 100 kW with these errors, kW; `null` without a prediction. */
function calibrationWith(errors: readonly (number | null)[], from = 0): Calibration {
  return {
    k: 1,
    scaling: { kind: "factor", k: 1 },
    smoothing: 1,
    candidates: [],
    hours: 720 * errors.length,
    residual: 0,
    periods: errors.map((error, i) => ({
      label: `${2020 + Math.floor((from + i) / 12)}-${(from + i) % 12 + 1}`,
      hourly: false,
      produced: 72_000,
      modelled: 72_000,
      unseen: error === null ? null : 720 * (100 + error),
      hours: 720,
      validHours: 720,
      weight: 1,
      used: true,
      reason: "",
    })),
  };
}

/** Errors of 24 months, from a repeated pattern. */
const repeat = (...pattern: number[]) =>
  Array.from({ length: 24 }, (_, i) => pattern[i % pattern.length]);

describe("chooseReanalyses()", () => {
  it("takes the only one", () => {
    const { kind, weights, errors, error } = chooseReanalyses([calibrationWith(repeat(5))]);
    assertEquals([kind, weights, errors, error], ["single", [1], [null], null]);
  });

  it("takes the first one if fewer than six months are predicted by all", () => {
    const five = [1, 1, 1, 1, 1, null, null];
    for (const other of [calibrationWith(five), calibrationWith(repeat(1), 19)]) {
      const { weights, errors } = chooseReanalyses([calibrationWith(repeat(30)), other]);
      assertEquals([weights, errors], [[1, 0], [null, null]]);
    }
  });

  it("takes the best one if the others have errors of the same sign in the same months", () => {
    // Errors of 10 and 5: their mean is 7.5, weights of 0.2 and 0.8 make 6.
    const { kind, weights, errors, error } = chooseReanalyses([
      calibrationWith(repeat(10)),
      calibrationWith(repeat(5)),
    ]);
    assertEquals([kind, weights], ["single", [0, 1]]);
    assertAlmostEquals(errors[0]!, 0.1, 1e-12);
    assertAlmostEquals(errors[1]!, 0.05, 1e-12);
    assertAlmostEquals(error!, 0.05, 1e-12);
  });

  it("takes the mean of those with equal errors of opposite sign", () => {
    const { kind, weights, error } = chooseReanalyses([
      calibrationWith(repeat(8, -4)),
      calibrationWith(repeat(-8, 4)),
    ]);
    assertEquals([kind, weights], ["mean", [0.5, 0.5]]);
    assertAlmostEquals(error!, 0, 1e-12);
  });

  it("weights independent errors by their mean squares", () => {
    // Mean squares of 4 and 16: weights 0.8 and 0.2, and errors of 1.6 +- 0.8. Their mean square is 3.2; the plain mean
    // has (4 + 16) / 4 = 5, more than the 4 of the first alone.
    const { kind, weights, error } = chooseReanalyses([
      calibrationWith(repeat(2, -2)),
      calibrationWith(repeat(4, 4, -4, -4)),
    ]);
    assertEquals(kind, "weights");
    [0.8, 0.2].forEach((weight, i) => assertAlmostEquals(weights[i], weight, 1e-9));
    assertAlmostEquals(error!, Math.sqrt(3.2) / 100, 1e-9);
  });

  it("keeps the best one if a combination is better by less than a standard error", () => {
    // The same in eight months: the gain of 0.8 has a standard error of 0.97.
    const eight = (errors: readonly number[]) => calibrationWith(errors.slice(0, 8));
    const { kind, weights } = chooseReanalyses([eight(repeat(2, -2)), eight(repeat(4, 4, -4, -4))]);
    assertEquals([kind, weights], ["single", [1, 0]]);
  });

  it("compares the months that all of them predict", () => {
    const first = calibrationWith([...repeat(5).slice(0, 12), ...new Array<null>(12).fill(null)]);
    const second = calibrationWith([...repeat(9).slice(0, 12), ...repeat(0).slice(0, 12)]);
    assertEquals(chooseReanalyses([first, second]).weights, [1, 0]);
  });
});
