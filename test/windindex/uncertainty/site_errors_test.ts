import { assertAlmostEquals, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { CalibrationPeriod } from "../../../src/windindex/calibration/calibration.ts";
import {
  computeLastingError,
  LEVEL_PRIOR,
  SEASON_PRIOR,
} from "../../../src/windindex/uncertainty/error_terms.ts";
import {
  computeSeasonGap,
  computeSeasonVariance,
  estimateLevelMove,
  estimateSeasonWave,
  findLevelTrend,
} from "../../../src/windindex/uncertainty/site_errors.ts";

/** Training months with an error that depends on the angle of the month on the circle of a year. */
function list(
  months: readonly number[],
  error: (angle: number, i: number) => number = () => 0,
) {
  return months.map((month, i) => ({ month, error: error(2 * Math.PI * (month - 1) / 12, i) }));
}

const YEAR = Array.from({ length: 12 }, (_, i) => i + 1);

describe("estimateSeasonWave()", () => {
  it("finds the wave of a whole year: an amplitude of 10 % has a standard deviation of 7.07 %", () => {
    const { deviation, shown, middle } = estimateSeasonWave(
      list(YEAR, (angle) => 0.03 + 0.1 * Math.cos(angle - 1)),
    );
    assertAlmostEquals(deviation, 0.0707107, 1e-6); // 0.1 / sqrt(2); the level of 3 % is no season
    assertAlmostEquals(shown, 1, 1e-9);
    middle.forEach((value) => assertAlmostEquals(value, 0, 1e-9));
  });

  it("subtracts the contribution of scatter alone", () => {
    // Months alternate by +-5 %, which has no part in an annual wave: mean squares 0.005 of the wave and 0.0025 of the
    // scatter. By chance 2 x 0.0025 / (12 - 3) = 0.00055556: sqrt(0.00444444) = 0.0666667.
    const { deviation, explained } = estimateSeasonWave(
      list(YEAR, (angle, i) => 0.1 * Math.sin(angle) + (i % 2 === 0 ? 0.05 : -0.05)),
    );
    assertAlmostEquals(deviation, 0.0666667, 1e-6);
    assertAlmostEquals(explained, 0.5925926, 1e-6); // 0.00444444 / 0.0075
  });

  it("finds none in scatter alone", () => {
    const wave = estimateSeasonWave(list(YEAR, (_, i) => i % 2 === 0 ? 0.05 : -0.05));
    assertEquals([wave.deviation, wave.explained], [0, 0]);
  });

  it("takes the wave of other sites with fewer than twelve months, whatever their errors", () => {
    for (const months of [[5], [12, 1, 2], YEAR.slice(0, 11)]) {
      const wave = estimateSeasonWave(list(months, (angle) => 0.5 * Math.cos(angle)));
      assertEquals([wave.deviation, wave.explained], [SEASON_PRIOR.deviation, 0]);
      assertEquals(wave.freedom, SEASON_PRIOR.count);
    }
  });

  it("takes the wave of other sites for annual production, which shows no season", () => {
    const wave = estimateSeasonWave([]);
    assertEquals(
      [wave.deviation, wave.shown, computeSeasonGap(wave)],
      [SEASON_PRIOR.deviation, 0, 0],
    );
  });
});

describe("computeSeasonGap()", () => {
  const gap = (months: readonly number[]) => computeSeasonGap(estimateSeasonWave(list(months)));

  it("is 1 for a month, 0.911 for a quarter, 0.644 for half a year and 0 for whole years", () => {
    assertAlmostEquals(gap([5]), 1, 1e-12);
    // (1 + 2 cos 30) / 3 = 2.7320508 / 3
    assertAlmostEquals(gap([12, 1, 2]), 0.9106836, 1e-7);
    // 2 (cos 15 + cos 45 + cos 75) / 6 = 2 (0.9659258 + 0.7071068 + 0.2588190) / 6
    assertAlmostEquals(gap([4, 5, 6, 7, 8, 9]), 0.6439505, 1e-7);
    assertAlmostEquals(gap(YEAR), 0, 1e-12);
    assertAlmostEquals(gap([...YEAR, ...YEAR]), 0, 1e-12);
  });
});

describe("computeSeasonVariance()", () => {
  const variances = (months: readonly number[]) => {
    const wave = estimateSeasonWave(list(months));
    return YEAR.map((month) => computeSeasonVariance(wave, month) / SEASON_PRIOR.deviation ** 2);
  };

  it("is 0 for the one training month, and four times the wave's for the opposite one", () => {
    const may = variances([5]);
    // Points of the circle 0, 60, 90 and 180 deg apart: 0, 1, 2 and 4.
    [[5, 0], [7, 1], [8, 2], [11, 4], [2, 2]].forEach(([month, expected]) =>
      assertAlmostEquals(may[month - 1], expected, 1e-9)
    );
  });

  it("grows with the distance of a month from the training months", () => {
    // The middle of December to February is 0.9106836 towards January; they are 1 - 0.9106836^2 = 0.1706554 away from it.
    // December: (cos 30 - 0.9106836)^2 + sin^2 30 = 0.2519944 less that. July: (1 + 0.9106836)^2 = 3.6507118 less that.
    const winter = variances([12, 1, 2]);
    [[1, 0], [12, 0.081339], [2, 0.081339], [7, 3.4800564]].forEach(([month, expected]) =>
      assertAlmostEquals(winter[month - 1], expected, 1e-6)
    );
  });

  it("is 0 if the months cover the year", () => {
    const wave = estimateSeasonWave(list(YEAR, (angle) => 0.1 * Math.cos(angle)));
    YEAR.forEach((month) => assertAlmostEquals(computeSeasonVariance(wave, month), 0, 1e-12));
  });

  it("equals the wave's for every month of annual production", () => {
    const wave = estimateSeasonWave([]);
    YEAR.forEach((month) =>
      assertAlmostEquals(computeSeasonVariance(wave, month), SEASON_PRIOR.deviation ** 2, 1e-12)
    );
  });
});

describe("estimateLevelMove()", () => {
  const years = (...levels: readonly number[]) =>
    levels.flatMap((level, i) =>
      YEAR.map((month) => ({
        year: String(2016 + i),
        month,
        error: level + (month % 2 === 0 ? 0.03 : -0.03),
      }))
    );

  it("comes from other sites with one year, and with months of a second one", () => {
    const prior = { variance: LEVEL_PRIOR.deviation ** 2, freedom: LEVEL_PRIOR.count };
    assertEquals(estimateLevelMove(years(0.1)), prior);
    assertEquals(estimateLevelMove(years(0, 0.2).slice(0, 17)), prior); // five months of the second
  });

  it("is estimated from several years, less the contribution of their months' scatter", () => {
    // Levels of -4, 0 and 4 %: squares of 0.0032. Months scatter by 0.03^2 x 12/11, means of twelve by a twelfth of that, 0.0000818:
    // (4 x 0.023^2 + 0.0032 - 2 x 0.0000818) / 6 = 0.0008587.
    const { variance, freedom } = estimateLevelMove(years(-0.04, 0, 0.04));
    assertAlmostEquals(variance, 0.000858727, 1e-8);
    assertEquals(freedom, 6);
  });

  it("is never negative, even if the years are more alike than by chance", () => {
    const { variance } = estimateLevelMove(years(0.01, 0.01));
    assertAlmostEquals(variance, 4 * LEVEL_PRIOR.deviation ** 2 / 5, 1e-12);
  });
});

describe("computeLastingError()", () => {
  it("SC1: is larger the further the climate point is, and the more its wind is scaled", () => {
    // 1 %; 0.1 % for each of 30 km; 8 % of 0.3 and of 0.1.
    const deviation = (distance: number, k: number) =>
      100 * Math.sqrt(computeLastingError(distance, k).variance);
    assertAlmostEquals(deviation(0, 1), 1, 1e-9);
    assertAlmostEquals(deviation(30, 1), Math.hypot(1, 3), 1e-9);
    assertAlmostEquals(deviation(30, 0.7), Math.hypot(1, 3, 2.4), 1e-9);
    assertAlmostEquals(deviation(0, 1.1), Math.hypot(1, 0.8), 1e-9);
  });
});

describe("findLevelTrend()", () => {
  const period = (label: string, ratio: number, hours: number): CalibrationPeriod => ({
    ...{ label, hours, validHours: hours, modelled: 1000, produced: 1000 * Math.exp(ratio) },
    ...{ hourly: false, unseen: null, weight: 1, used: true, reason: "" },
  });
  const years = (...ratios: readonly number[]) =>
    ratios.map((ratio, i) => period(String(2001 + i), ratio, 8766));

  it("SC1: finds a fall of 1 % a year, with its interval", () => {
    // Deviations from the line -0.01 t: +0.001, -0.001, -0.001, +0.001, without slope; squares of 4e-6, over two
    // degrees of freedom 2e-6; of the years 5: a standard error of sqrt(2e-6 / 5) = 0.000632, times t(2) = 2.92.
    const trend = findLevelTrend(years(0.001, -0.011, -0.021, -0.029))!;
    assertAlmostEquals(trend.slope, -0.01, 1e-9);
    assertAlmostEquals(trend.reach, 2.91999 * Math.sqrt(4e-7), 1e-6);
    assertEquals([trend.years, trend.middle], [[2001, 2004], 2002.5]);
  });

  it("SC1: finds none in three years, nor if years scatter as much as they fall", () => {
    assertEquals(findLevelTrend(years(0, -0.01, -0.02)), null);
    assertEquals(findLevelTrend(years(0.02, -0.03, 0.01, -0.03)), null);
  });

  it("SC1: finds it in the years that have six months or more", () => {
    const months = [2001, 2002, 2003, 2004, 2005].flatMap((year, i) =>
      YEAR.slice(0, year === 2005 ? 5 : 12).map((month) =>
        period(`${year}-${String(month).padStart(2, "0")}`, -0.01 * i, 730)
      )
    );
    const trend = findLevelTrend(months)!;
    assertAlmostEquals(trend.slope, -0.01, 1e-9);
    assertEquals(trend.years, [2001, 2004]);
  });
});
