import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl, { type DataFrame } from "nodejs-polars";
import {
  estimateLongTerm,
  type EstimateLongTermOptions,
} from "../../../src/analysis/estimate_long_term/estimate_long_term.ts";
import {
  type DeclaredLoss,
  tabulateUncertainty,
} from "../../../src/analysis/estimate_long_term/uncertainty.ts";
import { ArgumentError } from "../../../src/api/errors.ts";
import { SeededRandom } from "../../../src/stats/seeded_random.ts";
import { mean, variance } from "../../../src/stats/spread.ts";
import { buildShare, NO_ERROR } from "../../../src/windindex/uncertainty/error_terms.ts";

function monthly(first: string, column: string, values: readonly number[]): DataFrame {
  const start = Temporal.PlainYearMonth.from(first);
  const dates = values.map((_, i) => `${start.add({ months: i })}-01`);
  return pl.DataFrame([
    pl.Series("month", dates).str.strptime(pl.Date, "%Y-%m-%d"),
    pl.Series(column, [...values], pl.Float64),
  ]);
}

/** Twelve normal months, 1200 % together. */
const NORMAL = [150, 140, 120, 100, 80, 60, 50, 60, 80, 100, 120, 140];

/** Years of 90, 95, 100, 105 and 110 % from 2019 on; production of 2023 that follows its index exactly. */
const FIVE = [0.9, 0.95, 1, 1.05, 1.1].flatMap((share) => NORMAL.map((index) => share * index));
const exact = (options: EstimateLongTermOptions = {}) =>
  estimateLongTerm(
    monthly("2023-01", "energy", FIVE.slice(48).map((index) => 2 * index)),
    monthly("2019-01", "month_index", FIVE),
    options,
  );

const LOSSES: readonly DeclaredLoss[] = [
  { name: "wake", percent: 5, uncertainty: 1.5 },
  { name: "electrical", percent: 2, uncertainty: 0.5 },
];

type Row = Readonly<Record<string, number | null>>;
const rowsOf = (frame: DataFrame) => frame.toRecords() as unknown as Row[];
const numbers = (frame: DataFrame, column: string) => frame.getColumn(column).toArray() as number[];

describe("the uncertainty of estimateLongTerm()", () => {
  it("agrees with a calculation by hand, with Student's t of few years", () => {
    const { frames: { uncertainty, exceedance } } = exact();
    assertEquals(uncertainty.getColumn("share").toArray(), [
      "calibration",
      "season",
      "level between years",
      "reference period",
      "year-to-year variation",
    ]);
    // Years: squares 100 + 25 + 0 + 25 + 100 over 4 is 62.5 %^2, with 4 degrees of freedom; their mean a fifth, 12.5
    // %^2. The level 2.3 %, 5.29 %^2 with 4, and 2 %, 4 %^2, that more years do not reduce: 9.29, with 9.29^2 / (5.29^2
    // / 4) = 12.336. No scatter and no season, because the record follows the index over a whole year.
    const errors = numbers(uncertainty, "standard_error");
    [0, 0, Math.sqrt(9.29), Math.sqrt(12.5), Math.sqrt(62.5)].forEach((error, i) =>
      assertAlmostEquals(errors[i], error, 1e-9)
    );
    const [level, ...others] = numbers(uncertainty, "freedom").slice(2);
    assertAlmostEquals(level, 12.336, 1e-3);
    assertEquals(others, [4, 4]);
    // Of 84.29 %^2: 9.29, 12.5 and 62.5.
    numbers(uncertainty, "of_variance").slice(2).forEach((part, i) =>
      assertAlmostEquals(part, 100 * [9.29, 12.5, 62.5][i] / 84.29, 1e-9)
    );
    // One year: the root of 84.29 is 9.1810 %. The climate's 75 %^2 are one estimate: 84.29^2 / (75^2 / 4 + 5.29^2 / 4) =
    // 5.027 degrees of freedom, t(0.75) = 0.7264 and t(0.90) = 1.4747 by 1 / n from the tables.
    const [one, ten, twenty] = rowsOf(exceedance);
    assertAlmostEquals(one.standard_error!, 9.181, 1e-4);
    assertAlmostEquals(one.freedom!, 5.0273, 1e-4);
    assertAlmostEquals(one.p50!, 2400, 1e-9);
    assertAlmostEquals(one.p75!, 2400 * (1 - 0.7264 * 0.09181), 0.1);
    assertAlmostEquals(one.p90!, 2400 * (1 - 1.4747 * 0.09181), 0.2);
    // Ten: 9.29 + 12.5 + 6.25 = 28.04; twenty: 9.29 + 12.5 + 3.125 = 24.915.
    assertAlmostEquals(ten.standard_error!, Math.sqrt(28.04), 1e-9);
    assertAlmostEquals(twenty.standard_error!, Math.sqrt(24.915), 1e-9);
    // 28.04^2 / (18.75^2 / 4 + 5.29^2 / 4) = 8.286: t(0.90) between 1.3968 (8) and 1.3830 (9).
    assertAlmostEquals(ten.freedom!, 8.286, 1e-3);
    assertAlmostEquals(ten.p90!, 2400 * (1 - 1.3925 * Math.sqrt(28.04e-4)), 0.1);
  });

  it("takes declared losses off P50, and counts their uncertainty", () => {
    const { frames: { uncertainty, exceedance, estimates } } = exact({ losses: LOSSES });
    assertAlmostEquals(numbers(estimates, "p50")[0], 2400, 1e-9); // by the record, nothing taken off
    assertAlmostEquals(rowsOf(exceedance)[0].p50!, 2400 * 0.95 * 0.98, 1e-9);
    // 1.5 of 95 % is 1.578947, 0.5 of 98 % is 0.510204: squares 2.493075 and 0.260308.
    const [wake, electrical] = numbers(uncertainty, "standard_error").slice(5);
    assertAlmostEquals(wake, 1.578947, 1e-6);
    assertAlmostEquals(electrical, 0.510204, 1e-6);
    const totalVariance = 84.29 + 2.493075 + 0.260308;
    assertAlmostEquals(rowsOf(exceedance)[0].standard_error!, Math.sqrt(totalVariance), 1e-6);
    const parts = numbers(uncertainty, "of_variance");
    assertAlmostEquals(parts[5], 100 * 2.493075 / totalVariance, 1e-5);
    assertAlmostEquals(parts.reduce((sum, part) => sum + part, 0), 100, 1e-9);
  });

  it("takes the year-to-year variability from five whole years, as declared, or not at all", () => {
    const declared = exact({ interAnnualVariability: 6, referenceYears: 16 }).frames.uncertainty;
    const [reference, years] = rowsOf(declared).slice(3);
    assertAlmostEquals(reference.standard_error!, 1.5, 1e-12);
    assertAlmostEquals(years.standard_error!, 6, 1e-12);
    assertEquals([reference.freedom, years.freedom], [null, null]);
    const four = estimateLongTerm(
      monthly("2023-01", "energy", NORMAL),
      monthly("2020-01", "month_index", FIVE.slice(12)),
    );
    assertEquals(rowsOf(four.frames.exceedance).map(({ p75, p90 }) => [p75, p90]), [
      [null, null],
      [null, null],
      [null, null],
    ]);
    assertEquals(four.frames.uncertainty.getColumn("of_variance").nullCount(), 5);
    assert(four.notes.join(" ").includes("needs 5 whole years of indices and there are 4"));
    assert(!four.summary.join(" ").includes("P90"));
  });

  it("belongs to the requested method", () => {
    assertEquals(exact().method, "1200 method");
    const line = exact({ method: "regression" });
    assertEquals(line.method, "regression");
    assertThrows(
      () => exact({ method: "time-step calibration" }),
      ArgumentError,
      "Choose one of these: 1200 method, regression",
    );
  });

  it("refuses impossible losses", () => {
    const refused = (options: EstimateLongTermOptions) =>
      assertThrows(() => exact(options), ArgumentError).message;
    const loss = (name: string, percent: number, uncertainty: number) =>
      refused({ losses: [{ name, percent, uncertainty }] });
    assert(loss("wake", 0.05, NaN).includes("its share of the energy in %"));
    for (const [percent, uncertainty] of [[100, 1], [-1, 1], [5, -1]]) {
      assert(loss("wake", percent, uncertainty).includes(`"wake" of ${percent} ± ${uncertainty}`));
    }
    assert(loss("season", 5, 1).includes("its own name"));
  });
});

/** An estimate of 1,000 MWh with shares, %, and their degrees of freedom. */
function estimateOf(
  ...shares: readonly (readonly [deviation: number, freedom: number])[]
) {
  const [calibration, season, level] = shares.map(([deviation, freedom]) =>
    deviation === 0 ? NO_ERROR : buildShare(deviation / 100, freedom)
  );
  return { p50: 1000, shares: { calibration, season, level }, months: 12 };
}

describe("P75 and P90 against a complete Monte Carlo simulation", () => {
  it("are the quantiles of drawn years if all standard deviations are known, with declared losses", () => {
    const { exceedance } = tabulateUncertainty(
      estimateOf([2, Infinity], [1, Infinity], [2.5, Infinity]),
      { interAnnualVariability: 0.06, years: null, referenceYears: 20 },
      LOSSES,
    );
    const random = new SeededRandom(1);
    const count = 100_000;
    for (const { years, p50, p75, p90 } of exceedance) {
      const energies = Float64Array.from({ length: count }, () => {
        const normal = (deviation: number) => deviation / 100 * random.normal();
        const record = normal(2) + normal(1) + normal(2.5) + normal(6) / Math.sqrt(20);
        const climate = normal(6) / Math.sqrt(years);
        return p50 *
          (1 + record + climate + 0.015 / 0.95 * random.normal() + 0.005 / 0.98 * random.normal());
      });
      // The standard error of the share above a quantile is sqrt(p (1 - p) / n): three times 0.14 and 0.09 points.
      const above = (level: number) => energies.filter((energy) => energy > level).length / count;
      assertAlmostEquals(above(p75!), 0.75, 3 * Math.sqrt(0.75 * 0.25 / count));
      assertAlmostEquals(above(p90!), 0.9, 3 * Math.sqrt(0.9 * 0.1 / count));
    }
  });

  /**
   * Share of worlds whose coming years are above P75 and P90. Each world draws its own climate years, which give the
   * spread and the mean of the reference period, and its own scatter of the record and of the sites behind the priors:
   * all that the estimate knows is drawn with its errors.
   */
  function countAbove(
    parts: readonly (readonly [deviation: number, freedom: number])[],
    climateYears: number,
    losses: readonly DeclaredLoss[],
  ) {
    const random = new SeededRandom(2);
    const worlds = 40_000;
    const above = [1, 10, 20].map(() => ({ p75: 0, p90: 0 }));
    for (let world = 0; world < worlds; world++) {
      let error = 0;
      const known = parts.map(([deviation, freedom]) => {
        let squares = 0;
        for (let i = 0; i < freedom; i++) squares += random.normal() ** 2;
        error += deviation / 100 * random.normal();
        return [deviation * Math.sqrt(squares / freedom), freedom] as const;
      });
      const climate = Array.from({ length: climateYears }, () => 1 + 0.06 * random.normal());
      const reference = mean(climate);
      const { exceedance } = tabulateUncertainty(
        estimateOf(...known),
        {
          interAnnualVariability: Math.sqrt(variance(climate)) / reference,
          years: climateYears,
          referenceYears: climateYears,
        },
        losses,
      );
      for (const { percent, uncertainty } of losses) {
        error += uncertainty / (100 - percent) * random.normal();
      }
      exceedance.forEach(({ years, p50, p75, p90 }, i) => {
        // P50 belongs to the reference period, and has the errors of the record; the coming years belong to the
        // climate.
        const future = 1 + 0.06 * random.normal() / Math.sqrt(years);
        const truth = p50 * (1 + error) * future / reference;
        if (truth > p75!) above[i].p75++;
        if (truth > p90!) above[i].p90++;
      });
    }
    return above.map(({ p75, p90 }) => ({ p75: p75 / worlds, p90: p90 / worlds }));
  }

  for (
    const [name, parts, climateYears, losses, tolerance] of [
      ["twenty years of climate, one of record", [[2, 11], [0, 4], [2.5, 4]], 20, LOSSES, 0.003],
      [
        "five years of climate alone, which is Student's t itself",
        [[0, 4], [0, 4], [0, 4]],
        5,
        [],
        0,
      ],
      [
        "five years of climate and a quarter of record",
        [[1.1, 2], [5.5, 4], [2.5, 4]],
        5,
        [],
        0.003,
      ],
    ] as const
  ) {
    it(`are exceeded as often as they say, knowing ${name}`, () => {
      for (const { p75, p90 } of countAbove(parts, climateYears, losses)) {
        // Three times the Monte Carlo error, 0.22 and 0.15 points, and the error of Satterthwaite's approximation.
        assertAlmostEquals(p75, 0.75, 3 * 0.0022 + tolerance);
        assertAlmostEquals(p90, 0.9, 3 * 0.0015 + tolerance);
      }
    });
  }
});
