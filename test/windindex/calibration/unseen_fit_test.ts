import { assertAlmostEquals, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { CalibrationPeriod } from "../../../src/windindex/calibration/calibration.ts";
import { measureUnseenFit } from "../../../src/windindex/calibration/unseen_fit.ts";

/** A month of 720 hours with mean powers in kW, produced and predicted without it. */
function month(
  produced: number,
  unseen: number | null,
  more: Partial<CalibrationPeriod> = {},
): CalibrationPeriod {
  return {
    label: "2018-01",
    hourly: false,
    produced: 720 * produced,
    modelled: null,
    unseen: unseen === null ? null : 720 * unseen,
    hours: 720,
    validHours: 720,
    weight: 1,
    used: true,
    reason: "",
    ...more,
  };
}

describe("measureUnseenFit()", () => {
  it("computes the error of mean power over the mean, and the correlation", () => {
    // Errors 1, -1, 1, -1 around produced powers with a mean of 2.5: 1 / 2.5. Deviations of 1, 2, 3, 4 and 2, 1, 4, 3 from
    // 2.5: products 0.75 x 4 = 3 over squares of 5 and 5.
    const fit = measureUnseenFit([month(1, 2), month(2, 1), month(3, 4), month(4, 3)])!;
    assertAlmostEquals(fit.error, 0.4, 1e-12);
    assertAlmostEquals(fit.r!, 0.6, 1e-12);
    assertEquals([fit.periods, fit.outages], [4, 0]);
  });

  it("S11: counts months that calibration left out as outages, too", () => {
    const outage = month(1, 5, { used: false, reason: "outage: produced 20 %", weight: 0 });
    const fit = measureUnseenFit([month(2, 2), month(3, 3), outage])!;
    // Errors 0, 0 and 4: root of 16 / 3 over a mean of 2.
    assertAlmostEquals(fit.error, Math.sqrt(16 / 3) / 2, 1e-12);
    assertEquals([fit.periods, fit.outages], [3, 1]);
    assertEquals(fit.countedError, 0); // W3: error of an ordinary month
  });

  it("leaves out periods without a prediction, and periods of less than a week", () => {
    const day = month(9, 1, { validHours: 24 });
    const fit = measureUnseenFit([month(2, 3), month(2, 1), month(7, null), day])!;
    assertEquals([fit.error, fit.periods, fit.r], [0.5, 2, null]); // two periods have no correlation
    assertEquals(measureUnseenFit([month(7, null), day]), null);
    assertEquals(measureUnseenFit([]), null);
  });
});
