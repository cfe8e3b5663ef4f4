import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import pl, { type DataFrame } from "nodejs-polars";
import { connect, monthlyIndices } from "../../../mod.ts";
import { planBudget } from "../../../src/analysis/plan_budget/plan_budget.ts";
import { monthlyIndicesFrame } from "../../../src/api/columns/columns.ts";
import { ArgumentError } from "../../../src/api/errors.ts";
import { buildFrame } from "../../../src/frames/frame.ts";
import { productionColumns } from "../../../src/frames/production/production.ts";
import { monthAsDays } from "../../../src/time/zones.ts";

// Six years in which every normal month has 100 MWh; in a given year each month has this share of it.
const YEARS: Readonly<Record<number, number>> = {
  2018: 0.9,
  2019: 1.1,
  2020: 1.0,
  2021: 0.95,
  2022: 1.05,
  2023: 1.0,
};

// By hand: the squares of the deviations from 1 sum to 0.025, over 5 that is 0.005, so a year deviates by 0.0707107.
// One more year lies within t(0.95; 5) = 2.015048 times that times sqrt(1 + 1/6) = 1.0801234: 15.3902 % to either side.
const REACH = 0.153902;

// The five years without 2023: 0.025 over 4, a year deviates by 0.0790569, t(0.95; 4) = 2.131847, sqrt(1 + 1/5) =
// 1.0954451.
const REACH_OF_FIVE = 0.184622;

const months = Object.entries(YEARS).flatMap(([year, share]) =>
  Array.from({ length: 12 }, (_, i) => ({
    month: Temporal.PlainYearMonth.from({ year: Number(year), month: i + 1 }),
    energy: 100 * share,
  }))
);

function days(list: readonly { month: Temporal.PlainYearMonth }[]): number[] {
  return list.map(({ month }) => monthAsDays(month));
}

function indices(kept = months): DataFrame {
  return buildFrame(
    monthlyIndicesFrame.filter(({ name }) =>
      ["month", "month_index", "month_abnormality_index", "predicted_production"].includes(name)
    ),
    {
      month: days(kept),
      month_index: kept.map(({ energy }) => energy),
      month_abnormality_index: kept.map(({ energy }) => energy),
      predicted_production: kept.map(({ energy }) => energy),
    },
  );
}

function production(energies: Readonly<Record<string, number | null>>): DataFrame {
  const list = Object.keys(energies).map((month) => ({
    month: Temporal.PlainYearMonth.from(month),
  }));
  return buildFrame(productionColumns.month, {
    month: days(list),
    energy: Object.values(energies),
  });
}

/** Months of 2023 at a share of the model. */
function of2023(share: number): Record<string, number> {
  return Object.fromEntries(
    months.filter(({ month }) => month.year === 2023)
      .map(({ month, energy }) => [month.toString(), share * energy]),
  );
}

/** Months of 2022 at 98 % of the model. */
const of2022 = () =>
  Object.fromEntries(
    months.filter(({ month }) => month.year === 2022)
      .map(({ month, energy }) => [month.toString(), 0.98 * energy]),
  );

const within = (value: number, low: number, high: number) => Number(value >= low && value <= high);

const list = (frame: DataFrame, name: string) =>
  frame.getColumn(name).toArray() as (number | null)[];

describe("planBudget()", () => {
  it("expects normal months, with the interval of one more year, as computed by hand", () => {
    const coming = planBudget(indices(), { from: "2024-01" });
    assertEquals(coming.frames.months.height, 12);
    assertEquals(new Set(list(coming.frames.months, "expected")).size, 1);
    assertAlmostEquals(list(coming.frames.months, "expected")[5]!, 100, 1e-9);
    assertAlmostEquals(list(coming.frames.months, "low")[5]!, 100 * (1 - REACH), 1e-3);
    assertAlmostEquals(list(coming.frames.months, "high")[5]!, 100 * (1 + REACH), 1e-3);
  });

  it("S5: weights months by their valid hours in the level, and counts none with fewer as done", () => {
    const shares = [1, 0.5, 1, 0.75, 1, 1, 1, 1, 0.25, 1, 1, 1];
    const days = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    const energies = Object.values(of2023(0.9)).map((energy, i) => shares[i] * energy);
    const partial = production(
      Object.fromEntries(Object.keys(of2023(1)).map((month, i) => [month, energies[i]])),
    ).withColumn(
      pl.Series("valid_hours", shares.map((share, i) => share * 24 * days[i]), pl.Float64),
    );
    const coming = planBudget(indices(), { from: "2024-01", production: partial });
    assertAlmostEquals(coming.level, 0.9, 1e-12);
    assert(coming.notes.some((note) => note.startsWith("The level comes from 11 months")));
    const silent = planBudget(indices(), {
      from: "2024-01",
      production: partial.drop("valid_hours"),
    });
    assert(silent.level < 0.82);
    const running = planBudget(indices(), { from: "2023-01", production: partial });
    assertEquals(running.toDate!.months, 9);
    assertEquals(list(running.frames.months, "completeness")[1], 0.5);
    assert(running.notes.some((note) => note.includes("2023-02, 2023-04 and 2023-09")));
    const available = partial.withColumn(pl.lit(0.9).alias("availability"));
    const same = planBudget(indices(), { from: "2024-01", production: available });
    assertAlmostEquals(same.level, 0.9, 1e-12);
    assert(
      same.notes.some((note) =>
        note.startsWith("The budget does not use the declared availability")
      ),
    );
  });

  it("keeps windy years whole in the interval of a sum", () => {
    // All months of a year deviate together, so the interval of twelve months is as wide as the one of a single month.
    const { total } = planBudget(indices(), { from: "2024-01" });
    assertAlmostEquals(total.expected, 1200, 1e-9);
    assertAlmostEquals(total.interval!.low, 1200 * (1 - REACH), 1e-2);
    assertAlmostEquals(total.interval!.high, 1200 * (1 + REACH), 1e-2);
  });

  it("scales to the level of the production before the budget", () => {
    const coming = planBudget(indices(), { from: "2024-01", production: production(of2023(0.95)) });
    assertAlmostEquals(coming.level, 0.95, 1e-12);
    assertAlmostEquals(coming.total.expected, 1140, 1e-9);
    assertAlmostEquals(coming.total.interval!.high, 1140 * (1 + REACH), 1e-2);
    assert(coming.notes.some((note) => note.includes("12 months of production before the budget")));
  });

  it("adds the error of the level and the scatter of single months to the interval", () => {
    // Levels 0.9 and 1.0 in turn: squares of residuals 12 x 5^2 = 300, over 12 x 11, the root over 100: 0.0150756. Of
    // 1,200 MWh that is 18.0907. A month misses the level by sqrt(300 / 11) = 5.22233, twelve by sqrt(12) times that: 18.0907.
    // Both come from the same residuals: a variance of 654.55 with 11 degrees of freedom. The years give
    // (0.95 x 84.8528)^2 (1 + 1/6) = 7581.0 with 5. Together 8235.6, the root 90.750, with
    // 8235.6^2 / (7581.0^2 / 5 + 654.55^2 / 11) = 5.881 degrees of freedom: between t(5) = 2.0150 and t(6) = 1.9432,
    // by 1 / n: 1.9505.
    const uneven = Object.fromEntries(
      Object.entries(of2023(1)).map(([month, energy], i) => [month, (i % 2 ? 1 : 0.9) * energy]),
    );
    const { total } = planBudget(indices(), { from: "2024-01", production: production(uneven) });
    assertAlmostEquals(total.interval!.high - total.expected, 1.9505 * 90.750, 0.1);
  });

  it("takes the years of a longer budget as independent, with one mean whose error all share", () => {
    // A year deviates by 1200 x 0.0707107 = 84.8528; two: sqrt(2 x 84.8528^2 + (2 x 84.8528)^2 / 6) = 138.5641, times 2.015048.
    const { total, frames: { months } } = planBudget(indices(), { from: 2024, to: 2025 });
    assertAlmostEquals(total.interval!.high - total.expected, 279.2134, 2e-2);
    // A budget of one year and a part of the next one lies between both.
    const high = list(months, "cumulative_high");
    const expected = list(months, "cumulative_expected");
    const reach = high.map((value, i) => value! - expected[i]!);
    assertAlmostEquals(reach[11], 1200 * REACH, 1e-2);
    assert(reach.slice(1).every((value, i) => value > reach[i]));
  });

  it("takes hours by the months of the given zone", () => {
    // 100 kW in all hours from 1 January to 31 March 2023, 22:00 UTC: three whole months in Copenhagen only.
    const start = Date.parse("2022-12-31T23:00Z");
    const hours = (Date.parse("2023-03-31T22:00Z") - start) / 3_600_000;
    const hourly = buildFrame(productionColumns.hour, {
      time: BigInt64Array.from({ length: hours }, (_, i) => BigInt(start + i * 3_600_000) * 1000n),
      power: new Float64Array(hours).fill(100),
    });
    const produced = (timeZone?: string) =>
      list(
        planBudget(indices(), { from: "2023-01", production: hourly, level: 1, timeZone }).frames
          .months,
        "produced",
      ).slice(0, 3);
    assertEquals(produced("Europe/Copenhagen"), [74.4, 67.2, 74.3]);
    assertEquals(produced()[0], 74.4);
    assertAlmostEquals(produced()[2]!, 74.4, 1e-9); // 742 of the hours of March in UTC, scaled to all of them
  });

  it("judges a year by the others, not by itself", () => {
    // 2023 does not count for its own interval nor, with production, for its own normals: (0.9 + 1.1 + 1 + 0.95 + 1.05)
    // / 5 = 1.
    const energies = production(
      Object.fromEntries(
        months.map(({ month, energy }) => [month.toString(), month.year === 2023 ? 130 : energy]),
      ),
    );
    const { total, toDate } = planBudget(energies, { from: "2023-01" });
    assertAlmostEquals(total.expected, 1200, 1e-9);
    assertAlmostEquals(total.interval!.high, 1200 * (1 + REACH_OF_FIVE), 1e-2);
    assertAlmostEquals(toDate!.ratio, 130, 1e-9);
    const indexed = planBudget(indices(), { from: "2023-01" });
    assertAlmostEquals(indexed.total.interval!.high, 1200 * (1 + REACH_OF_FIVE), 1e-2);
  });

  it("does not count a month that is marked as incomplete", () => {
    const partly = production({ "2023-01": 90, "2023-02": 40, "2023-03": 95 })
      .withColumn(pl.Series("completeness", [1, 0.4, 0.985], pl.Float64));
    const { toDate, frames: { months } } = planBudget(indices(), {
      from: "2023-01",
      level: 1,
      production: partly,
    });
    assertEquals(toDate!.months, 2);
    assertEquals(list(months, "produced").slice(0, 3), [90, null, 95]);
    assertEquals(list(months, "completeness").slice(0, 3), [1, 0.4, 0.985]);
  });

  it("compares the production so far with the expected energy of the same months", () => {
    const coming = planBudget(indices(), {
      from: "2023-01",
      level: 0.98,
      production: production({ "2023-01": 90, "2023-02": 100, "2023-03": 89.2 }),
    });
    const { toDate, forecast } = coming;
    assertEquals(toDate!.months, 3);
    assertAlmostEquals(toDate!.produced, 279.2, 1e-9);
    assertAlmostEquals(toDate!.expected, 294, 1e-9);
    assertAlmostEquals(toDate!.ratio, 100 * 279.2 / 294, 1e-9);
    assertAlmostEquals(toDate!.allowed!, 294, 1e-9); // 2023 was a normal year
    assertAlmostEquals(forecast!.expected, 279.2 + 9 * 98, 1e-9);
    assertAlmostEquals(forecast!.interval!.low, 279.2 + 9 * 98 * (1 - REACH_OF_FIVE), 1e-2);
    assertEquals(list(coming.frames.months, "cumulative_produced").slice(1, 4), [190, 279.2, null]);
  });

  it("counts a month without production as one to come, and names it", () => {
    const coming = planBudget(indices(), {
      from: "2023-01",
      level: 1,
      production: production({ "2023-01": 90, "2023-02": null, "2023-03": 80 }),
    });
    assertEquals(coming.toDate!.months, 2);
    assertEquals(list(coming.frames.months, "produced").slice(0, 3), [90, null, 80]);
    assertEquals(list(coming.frames.months, "cumulative_produced").slice(0, 3), [90, null, null]);
    assert(
      coming.notes.includes(
        "The production of 2023-02 is incomplete, so the budget assumes normal production for them, as for future months.",
      ),
    );
  });

  it("takes the means of a turbine's own months if there are no indices, and notes it", () => {
    const energies = production(
      Object.fromEntries(months.map(({ month, energy }) => [month.toString(), energy])),
    );
    const coming = planBudget(energies, { from: "2024-01", to: "2024-03" });
    assertEquals(coming.basis, "production normals");
    assertAlmostEquals(coming.total.expected, 300, 1e-9);
    assertAlmostEquals(coming.total.interval!.low, 300 * (1 - REACH), 1e-2);
    assert(coming.notes[0].includes("the turbine's own production"));
  });

  it("gives no interval from fewer than five years, and notes how many it needs", () => {
    const four = months.filter(({ month }) => month.year >= 2020);
    const coming = planBudget(indices(four), { from: "2024-01" });
    assertEquals(coming.total.interval, null);
    assertEquals(list(coming.frames.months, "low"), new Array(12).fill(null));
    assert(coming.notes.some((note) => note.includes("at least 5 years")));
  });

  it("contains nine of ten unseen years and months of the sample", async () => {
    await using connection = connect({ sample: true });
    const share = { year: [0, 0], month: [0, 0] };
    for (const turbine of ["T1", "T4"]) {
      const served = await monthlyIndices(turbine, { connection });
      const history = served.select(
        pl.col("month"),
        pl.col("predicted_production").alias("energy"),
      );
      for (let year = 2005; year <= 2025; year++) {
        // Months of the budget do not count for its normals and intervals: each year is one more year for the others.
        const { frames: { months }, toDate, total } = planBudget(history, { from: `${year}-01` });
        const [low, high, produced] = ["low", "high", "produced"].map((name) => list(months, name));
        assertEquals(toDate!.months, 12);
        share.year[0] += within(toDate!.produced, total.interval!.low, total.interval!.high);
        share.year[1]++;
        produced.forEach((energy, i) => {
          share.month[0] += within(energy!, low[i]!, high[i]!);
          share.month[1]++;
        });
      }
    }
    // Standard error of the share: 1.3 % for 504 months at 90 %, taking the months of both turbines as independent; 4.6
    // % for 42 years.
    const [years, single] = [share.year, share.month].map(([hits, all]) => hits / all);
    assert(years > 0.8 && years <= 1, `${years} of the years`);
    assert(single > 0.86 && single < 0.94, `${single} of the months`);
  });

  it("begins with the first year after the history", () => {
    const first = (frame: DataFrame) =>
      String(planBudget(frame).frames.months.getColumn("month").cast(pl.Utf8).get(0));
    assertEquals(first(indices()), "2024-01-01");
    assertEquals(first(indices(months.slice(0, -2))), "2023-01-01");
  });

  it("sums its months to its total", () => {
    const coming = planBudget(indices(), { from: "2023-07", to: "2025-12" });
    const sum = list(coming.frames.months, "expected").reduce<number>(
      (total, one) => total + one!,
      0,
    );
    assertAlmostEquals(sum, coming.total.expected, 1e-9);
    assertAlmostEquals(list(coming.frames.months, "cumulative_expected").at(-1)!, sum, 1e-9);
  });

  it("S8: checks the unit of the production by the indices, also with a few months", () => {
    const refused = (unit: number, from = "2024-01") => () =>
      planBudget(indices(), {
        from,
        level: 1,
        production: production({ "2024-01": 90 * unit, "2024-02": 80 * unit }),
      });
    assertEquals(
      assertThrows(refused(1000), ArgumentError).message,
      "Cannot make a budget: the production is 850 times the prediction for the same time (170000 instead of 200 MWh), which is " +
        'probably 1000 times too much, such as kWh read as MWh. Column "energy" must be in MWh and for one ' +
        "turbine. Convert it, or divide the energy of a park by its number of turbines",
    );
    assertStringIncludes(
      assertThrows(refused(1e-3), ArgumentError).message,
      "probably 1/1000 of the true value",
    );
    assertStringIncludes(assertThrows(refused(80), ArgumentError).message, "about 68 units");
    assertAlmostEquals(refused(1)().toDate!.ratio, 85, 1e-9);
  });

  it("refuses unusable input, and names month and remedy", () => {
    const message = (make: () => unknown) => assertThrows(make, ArgumentError).message;
    assertEquals(
      message(() => planBudget(indices(), { level: 97 })),
      "Cannot make a budget at a level of 97: a level is the ratio of produced to modelled energy, and must be above 0 and at most 2. Give a level such as 0.97",
    );
    assertEquals(
      message(() => planBudget(indices(), { from: "2024-02", to: "2024-01" })),
      'Cannot use the range: "from" (2024-02) is after "to" (2024-01). Swap them',
    );
    const before = (energy: number) =>
      message(() =>
        planBudget(indices(), {
          from: "2024-01",
          production: production(
            Object.fromEntries(Object.keys(of2023(1)).map((month) => [month, energy])),
          ),
        })
      );
    assertEquals(
      before(0),
      "Cannot make a budget at the level of the production: in the 12 months before 2024-01, the production is 0 times the " +
        "modelled energy. Check the unit (MWh) and the number of turbines, omit months with outages, or " +
        "give a level",
    );
    assert(before(-1).includes("-0.01 times"));
    assert(before(2).includes("0.02 times"));
    assert(
      message(() =>
        planBudget(
          production(Object.fromEntries(months.map(({ month }) => [month.toString(), 0]))),
          {
            from: "2024-01",
          },
        )
      ).startsWith("Cannot make a budget of 2024-01: the production of the other years is 0"),
    );
    const summer = months.filter(({ month }) => month.month >= 5 && month.month <= 9);
    assertEquals(
      message(() => planBudget(indices(summer), { from: "2024-01" })),
      "Cannot make a budget of 2024-01: the indices have no normal value for January. " +
        "Give indices of whole years",
    );
    assertEquals(
      message(() => planBudget(production({ "2023-01": 90, "2023-02": 80 }))),
      "Cannot make a budget of 2023-01: apart from the budget period, fewer than 3 years have " +
        "production in January. The record runs from 2023-01 to 2023-02. Give more years, or monthly indices " +
        "of the turbine",
    );
    assert(
      message(() => planBudget(production({ "2023-01": null })))
        .startsWith("Cannot make a budget: no month of the production is complete"),
    );
    assert(message(() => planBudget(indices().drop("month"))).includes('lack "month"'));
    assert(message(() => planBudget(pl.DataFrame({ a: [1] }))).includes("needs the columns"));
  });

  it("plans a target availability and a yearly degradation, by hand", () => {
    const planned = planBudget(indices(), {
      from: 2024,
      to: 2025,
      level: 1,
      availability: 97,
      degradation: 0.5,
    });
    const expected = list(planned.frames.months, "expected") as number[];
    // 97 % of normal months of 100 MWh, and half a percent less from the thirteenth on.
    assertAlmostEquals(expected[0], 97);
    assertAlmostEquals(expected[11], 97);
    assertAlmostEquals(expected[12], 97 * 0.995);
    assertAlmostEquals(planned.total.expected, 12 * 97 * 1.995);
    assertStringIncludes(planned.notes.join(" "), "an availability of 97.0 % and 0.50 % less");
    const plain = planBudget(indices(), { from: 2024, level: 1 });
    const part = planBudget(indices(), { from: 2024, level: 1, availability: 97 });
    // The interval is as wide as its share of the energy.
    assertAlmostEquals(part.total.interval!.low / plain.total.interval!.low, 0.97);
  });

  it("refuses a target availability next to a level that includes past stops", () => {
    const options = { from: 2023, production: production(of2022()), availability: 97 };
    assertThrows(() => planBudget(indices(), options), ArgumentError, "normalRatio");
    planBudget(indices(), { ...options, level: 0.98 });
    assertThrows(
      () => planBudget(indices(), { availability: 0.97 }),
      ArgumentError,
      "such as 97",
    );
    assertThrows(() => planBudget(indices(), { degradation: -1 }), ArgumentError, "such as 0.5");
  });
});
