import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { computeAnnualMeans, fitAnnualTrend } from "../../../src/windindex/index/annual_trend.ts";

const HOUR = 3_600_000;

/** Hours of some years from 2001 on in UTC, each with the mean of its year. */
function hours(means: readonly number[]): { values: Float64Array; start: number } {
  const start = Date.parse("2001-01-01T00:00Z");
  const end = Date.parse(`${2001 + means.length}-01-01T00:00Z`);
  const values = Float64Array.from(
    { length: (end - start) / HOUR },
    (_, i) => means[new Date(start + i * HOUR).getUTCFullYear() - 2001] + (i % 2 === 0 ? 1 : -1),
  );
  return { values, start };
}

describe("computeAnnualMeans()", () => {
  it("averages calendar years in a zone if 98 % of their hours have values", () => {
    const { values, start } = hours([8, 9, 10]);
    values.fill(NaN, 0, 176); // 2001 has 8,760 h: 176 missing are more than 2 %
    values.fill(NaN, 8760, 8760 + 175); // 2002: 175 are not
    const means = computeAnnualMeans(values, { start, length: values.length }, "UTC");
    assertEquals(means.map(({ year }) => year), [2002, 2003]);
    assertAlmostEquals(means[1].mean, 10, 1e-9);
    // In Copenhagen the years begin an hour earlier: 2001 lacks one hour more, 2004 has one.
    const local = computeAnnualMeans(values, { start, length: values.length }, "Europe/Copenhagen");
    assertEquals(local.map(({ year }) => year), [2002, 2003]);
  });
});

describe("fitAnnualTrend()", () => {
  const trendOf = (...means: number[]) =>
    fitAnnualTrend(means.map((mean, i) => ({ year: 2001 + i, mean })));

  it("gives % of the mean per decade, and no width for years on a line", () => {
    // 1 m/s a year around 9 m/s: 10 m/s a decade.
    const { trend, low, high } = trendOf(8, 9, 10)!;
    for (const value of [trend, low, high]) assertAlmostEquals(value, 1000 / 9, 1e-9);
  });

  it("gives the 90 % interval of a regression on five years", () => {
    // By scipy.stats.linregress: slope 0.07, standard error 0.0929157 m/s a year, mean 8.18 m/s; Student's t with 3
    // degrees of freedom 2.353363.
    const { trend, low, high } = trendOf(7.9, 8.3, 8.0, 8.6, 8.1)!;
    assertAlmostEquals(trend, 8.557457212713905, 1e-9);
    assertAlmostEquals(low, -18.174142692270316, 1e-9);
    assertAlmostEquals(high, 35.28905711769813, 1e-9);
  });

  it("needs three years", () => {
    assertEquals(trendOf(8, 9), undefined);
    assert(trendOf(8, 9, 8.5));
  });

  it("does not depend on missing years in between, or on the unit", () => {
    const years = [1990, 1991, 1999, 2005, 2006].map((year) => ({
      year,
      mean: 7 + 0.02 * (year - 1990),
    }));
    const trend = fitAnnualTrend(years)!;
    const knots = fitAnnualTrend(years.map(({ year, mean }) => ({ year, mean: 1.94384 * mean })))!;
    assertAlmostEquals(trend.trend, knots.trend, 1e-9);
    assertAlmostEquals(trend.trend, 1000 * 0.02 / 7.164, 1e-9);
  });
});
