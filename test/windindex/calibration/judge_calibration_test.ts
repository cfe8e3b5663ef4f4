import { assertEquals, assertMatch } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { CalibrationPeriod } from "../../../src/windindex/calibration/calibration.ts";
import {
  judgeCalibration,
  type JudgedCalibration,
} from "../../../src/windindex/calibration/judge_calibration.ts";
import { UNCALIBRATED } from "../../../src/windindex/calibration/unseen_fit.ts";

/** A period with mean powers in kW, produced and predicted without it. */
function period(
  produced: number,
  unseen: number | null,
  more: Partial<CalibrationPeriod> = {},
): CalibrationPeriod {
  const hours = more.hours ?? 720;
  return {
    label: "2018-01",
    hourly: false,
    produced: hours * produced,
    modelled: null,
    unseen: unseen === null ? null : hours * unseen,
    hours,
    validHours: hours,
    weight: 1,
    used: true,
    reason: "",
    ...more,
  };
}

/** Twelve months between 200 and 600 kW, with a mean of 400. */
const PRODUCED = [600, 560, 520, 440, 320, 240, 200, 240, 320, 400, 440, 520];

/** Months that differ from their prediction by a share of the mean, alternately above and below. */
const monthsWithError = (error: number): CalibrationPeriod[] =>
  PRODUCED.map((power, i) => period(power, power + (i % 2 ? 1 : -1) * error * 400));

/** Years that spread by 10 % around 400 kW. */
const yearsWithError = (error: number): CalibrationPeriod[] =>
  Array.from({ length: 10 }, (_, i) => {
    const power = 400 * (1 + (i < 5 ? 0.1 : -0.1));
    return period(power, power + (i % 2 ? 1 : -1) * error * 400, { hours: 8760 });
  });

interface Given extends Partial<Omit<JudgedCalibration, "calibration">> {
  readonly k?: number;
  readonly periods?: readonly CalibrationPeriod[];
  /** Half width of the long-term mean, as a share. */
  readonly half?: number;
}

/** Judges a calibration that is good unless something else is given. */
function judge({ k = 0.9, periods = monthsWithError(0.04), half = 0.06, ...more }: Given) {
  return judgeCalibration({
    calibration: { k, periods },
    meanAnnualEnergy: 1000,
    uncertainty: { longTerm: { low: 1000 * (1 - half), high: 1000 * (1 + half) } },
    ...more,
  })!;
}

const verdictOf = (given: Given) => judge(given).verdict;

describe("judgeCalibration()", () => {
  it("SI7 calls a calibration good if it predicts unseen months, and says how well", () => {
    assertEquals(judge({ pointDistance: 12, hourCorrelation: 0.93 }), {
      verdict: "good",
      reason: "a month predicted without its own production has an error of 4.0 %",
      remedy: "",
    });
  });

  it("SI7 calls a calibration useless if its months have an error of 83 %, with reason and remedy", () => {
    const { verdict, reason, remedy } = judge({ periods: monthsWithError(0.83), half: 2.72 });
    assertEquals(verdict, "useless");
    assertMatch(reason, /^a month predicted without its own production has an error of 83 %/);
    assertMatch(reason, /; its long-term energy is known only to within 272 %$/);
    assertMatch(remedy, /^Check that climate and production have the same coordinates/);
  });

  it("SI7 calls a calibration useless if its prediction is no better than the mean of the months", () => {
    // Powers differ from 400 kW by 129.6 kW, which is 32.4 %: an error of that size explains none of it.
    const mirrored = PRODUCED.map((power) => period(power, 400 + (400 - power) * 0.001));
    assertEquals(verdictOf({ periods: mirrored }), "useless");
    assertMatch(
      judge({ periods: mirrored }).reason,
      /error of 32 %, no better than with the mean of all months/,
    );
  });

  it("SI7 calls a calibration useless if its hours do not follow the wind, however well months are predicted", () => {
    const judgement = judge({ hourCorrelation: 0.37 });
    assertEquals(judgement.verdict, "useless");
    assertMatch(judgement.reason, /^its hours have a correlation of 0\.37 with the model/);
    assertEquals(verdictOf({ hourCorrelation: 0.57 }), "poor"); // a clock that is wrong by half a day
    assertEquals(verdictOf({ hourCorrelation: 0.77 }), "fair");
  });

  it("judges the error of months, and the differences that it explains if it is not small", () => {
    // Of differences of 32.4 % an error of 26 % explains 1 - 0.26^2 / 0.324^2 = 36 %, one of 25 % explains 40.5 %.
    assertEquals(
      [0.09, 0.13, 0.25, 0.26, 0.6].map((error) => verdictOf({ periods: monthsWithError(error) })),
      ["good", "fair", "poor", "useless", "useless"],
    );
    // The same error while months differ by a half: it explains three quarters of that.
    const wide = PRODUCED.map((power, i) => {
      const predicted = 400 + 1.6 * (power - 400);
      return period(predicted, predicted + (i % 2 ? 100 : -100));
    });
    assertEquals(verdictOf({ periods: wide }), "poor");
  });

  it("does not require a small error to explain anything: months of a steady wind hardly differ", () => {
    const steady = PRODUCED.map((_, i) => period(400 + (i % 3), 400 + 20 * (i % 2)));
    assertEquals(verdictOf({ periods: steady }), "good");
  });

  it("expects more of years, which differ less", () => {
    assertEquals(
      [0.04, 0.055, 0.08, 0.12].map((error) => verdictOf({ periods: yearsWithError(error) })),
      ["good", "fair", "poor", "useless"],
    );
  });

  it("SI7 calls a calibration poor if its point is 25 km away and its factor is 0.70", () => {
    const { verdict, reason, remedy } = judge({ k: 0.7, pointDistance: 25.2 });
    assertEquals(verdict, "poor");
    assertEquals(
      reason,
      "the climate point is 25 km away, and its wind speed needs a factor of 0.70",
    );
    assertMatch(remedy, /^Give the four climate points around the turbine/);
    assertEquals(verdictOf({ k: 0.9, pointDistance: 25.2 }), "fair");
    assertEquals(verdictOf({ k: 0.7, pointDistance: 12 }), "fair");
    assertEquals(verdictOf({ k: 0.7, pointDistance: null }), "fair");
  });

  it("calls a calibration poor if its factor is far from 1", () => {
    assertEquals([0.51, 0.59, 0.7, 0.9, 1.15, 1.25, 1.35].map((k) => verdictOf({ k })), [
      "poor",
      "poor",
      "fair",
      "good",
      "good",
      "fair",
      "poor",
    ]);
    assertMatch(judge({ k: 1.495 }).reason, /1\.50, the end of the searched range$/);
  });

  it("counts periods left out as outages if they are more than half, because then they are no exceptions", () => {
    const outage = period(50, 400, { used: false, weight: 0 });
    const kept = monthsWithError(0.04).slice(0, 6);
    const withOutages = (count: number) => [...kept, ...Array(count).fill(outage)];
    assertEquals([3, 4, 6, 7].map((count) => verdictOf({ periods: withOutages(count) })), [
      "good",
      "fair",
      "fair",
      "useless",
    ]);
    assertMatch(
      judge({ periods: withOutages(7) }).reason,
      /^a month predicted without its own production has an error of 110 %/,
    );
  });

  it("is fair at best with fewer than six periods", () => {
    const { verdict, reason } = judge({ periods: monthsWithError(0.04).slice(0, 3) });
    assertEquals([verdict, reason], [
      "fair",
      "only 3 months could be predicted to test the calibration",
    ]);
    assertEquals(
      judge({ periods: [period(400, null)] }).reason,
      "there is too little production to predict one part from the rest",
    );
  });

  it("judges a calibration between points without hours", () => {
    assertEquals(verdictOf({}), "good");
  });

  it("gives a location index its own mark", () => {
    const none = { meanAnnualEnergy: 1000, uncertainty: { longTerm: { low: 700, high: 1200 } } };
    assertEquals(judgeCalibration({ calibration: UNCALIBRATED, ...none }), null);
  });
});
