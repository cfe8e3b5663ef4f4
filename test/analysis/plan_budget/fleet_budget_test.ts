/**
 * AN9: the budget of a fleet, by hand.
 *
 * @module
 */
import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { DataFrame } from "nodejs-polars";
import { planBudget } from "../../../src/analysis/plan_budget/plan_budget.ts";
import { monthlyIndicesFrame } from "../../../src/api/columns/columns.ts";
import { ArgumentError } from "../../../src/api/errors.ts";
import { buildFrame } from "../../../src/frames/frame.ts";
import { productionColumns } from "../../../src/frames/production/production.ts";
import { monthAsDays } from "../../../src/time/zones.ts";

/** Six years in which every normal month has 100 MWh; in a given year each month has this share of it. */
const YEARS = { 2018: 0.9, 2019: 1.1, 2020: 1.0, 2021: 0.95, 2022: 1.05, 2023: 1.0 } as const;

type Years = Readonly<Record<number, number>>;

// By hand: the squares of the deviations from 1 sum to 0.025, over 5 that is 0.005, so a year deviates by 0.0707107.
// One more year lies within t(0.95; 5) = 2.015048 times that times sqrt(1 + 1/6) = 1.0801234: 15.3902 % to either side.
const REACH = 0.153902;

const daysOf = (labels: readonly string[]) =>
  labels.map((label) => monthAsDays(Temporal.PlainYearMonth.from(label)));

/** Indices of a turbine whose normal months have this energy, MWh. */
function indices(years: Years = YEARS, normal = 100): DataFrame {
  const months = Object.entries(years).flatMap(([year, share]) =>
    Array.from({ length: 12 }, (_, i) => ({
      label: `${year}-${String(i + 1).padStart(2, "0")}`,
      share,
    }))
  );
  return buildFrame(
    monthlyIndicesFrame.filter(({ name }) =>
      ["month", "month_index", "month_abnormality_index", "predicted_production"].includes(name)
    ),
    {
      month: daysOf(months.map(({ label }) => label)),
      month_index: months.map(({ share }) => 100 * share),
      month_abnormality_index: months.map(({ share }) => 100 * share),
      predicted_production: months.map(({ share }) => normal * share),
    },
  );
}

function production(energies: Readonly<Record<string, number | null>>): DataFrame {
  return buildFrame(productionColumns.month, {
    month: daysOf(Object.keys(energies)),
    energy: Object.values(energies),
  });
}

/** Months of 2023 at shares of 100 MWh, in turn. */
const of2023 = (...shares: number[]) =>
  production(
    Object.fromEntries(Array.from({ length: 12 }, (_, i) => [
      `2023-${String(i + 1).padStart(2, "0")}`,
      100 * shares[i % shares.length],
    ])),
  );

const list = (frame: DataFrame, name: string) =>
  frame.getColumn(name).toArray() as (number | null)[];

const widthOf = ({ total: { interval } }: ReturnType<typeof planBudget>) =>
  interval!.high - interval!.low;

const coming = { from: "2024-01" } as const;

describe("planBudget() of a fleet", () => {
  it("gives two equal turbines twice the budget and twice the interval", () => {
    const one = planBudget(indices(), coming);
    const two = planBudget({ A: one, B: planBudget(indices(), coming) });
    assertAlmostEquals(two.total.expected, 2400, 1e-9);
    assertAlmostEquals(two.total.interval!.low, 2400 * (1 - REACH), 2e-2);
    for (const end of ["low", "high"] as const) {
      assertAlmostEquals(two.total.interval![end], 2 * one.total.interval![end], 1e-9);
    }
    for (const name of ["expected", "low", "high", "cumulative_low", "cumulative_high"]) {
      const [single, double] = [one, two].map(({ frames }) =>
        list(frames.months, name) as number[]
      );
      single.forEach((value, i) => assertAlmostEquals(double[i], 2 * value, 1e-9));
    }
    assertEquals(two.frames.months.height, 12);
  });

  it("adds the errors of levels in full: two equal ones are twice as uncertain", () => {
    // Levels 0.9 and 1.0 in turns, as in plan_budget_test.ts: years give 7581.0, the level and its months 654.55, 5.881
    // degrees of freedom. One turbine reaches 90.750 x 1.9505 = 177.0 MWh to either side of 1,140, and two reach twice
    // as far.
    const plan = () => planBudget(indices(), { ...coming, production: of2023(0.9, 1) });
    const two = planBudget({ A: plan(), B: plan() });
    assertAlmostEquals(two.total.expected, 2280, 1e-9);
    assertAlmostEquals(two.level, 0.95, 1e-12);
    assertAlmostEquals(widthOf(two), 2 * 2 * 90.75 * 1.9505, 0.2);
    assertAlmostEquals(widthOf(two), 2 * widthOf(plan()), 1e-9);
  });

  it("halves by a weight of 0.5, and counts an entry of 20 turbines twenty times", () => {
    const one = planBudget(indices(), coming);
    const half = planBudget({ A: one }, { weights: { A: 0.5 } });
    assertAlmostEquals(half.total.expected, 600, 1e-9);
    assertAlmostEquals(widthOf(half), widthOf(one) / 2, 1e-9);
    const park = planBudget({ A: one, B: one }, { weights: { B: 20 } });
    assertAlmostEquals(park.total.expected, 21 * 1200, 1e-9);
    assertAlmostEquals(widthOf(park), 21 * widthOf(one), 1e-6);
  });

  it("has a smaller interval if the windy years of one are the calm ones of the other", () => {
    const opposite = Object.fromEntries(
      Object.entries(YEARS).map(([year, share]) => [year, 2 - share]),
    );
    const [A, B] = [planBudget(indices(), coming), planBudget(indices(opposite), coming)];
    const offset = planBudget({ A, B });
    // Both together give 2,400 MWh in every year.
    assertAlmostEquals(offset.total.expected, 2400, 1e-9);
    assertAlmostEquals(widthOf(offset), 0, 1e-6);
    // At half its weight B cancels half of A's variation.
    const partly = planBudget({ A, B }, { weights: { B: 0.5 } });
    assertAlmostEquals(widthOf(partly), widthOf(A) / 2, 1e-6);
    assertAlmostEquals(widthOf(planBudget({ A, B: A })), 2 * widthOf(A), 1e-9);
  });

  it("takes the years that all turbines have, and notes if these are fewer than five", () => {
    const { 2018: _, ...five } = YEARS;
    const A = planBudget(indices(), coming);
    const common = planBudget({ A, B: planBudget(indices(five), coming) });
    // 1.1, 1.0, 0.95, 1.05 and 1.0: around 1.02 the squares sum to 0.013, over 4 the root is 0.0570088; t(4) = 2.131847, and
    // sqrt(1.2) = 1.0954451: 13.3133 % of 2,400 MWh.
    assertAlmostEquals(common.total.interval!.high, 2400 * 1.133133, 1e-2);
    const { 2019: __, ...four } = five;
    const few = planBudget({ A, B: planBudget(indices(four), coming) });
    assertAlmostEquals(few.total.expected, 2400, 1e-9);
    assertEquals(few.total.interval, null);
    assert(few.notes.some((note) => note.includes("at least 5 years")));
  });

  it("sums the production so far, the energy that its wind allowed, and the forecast", () => {
    // In 2023 the wind of A is at 120 %, the wind of B at 60 %: A allows 120 MWh a month, B at a level of 0.5 allows 30
    // MWh.
    const A = planBudget(indices({ ...YEARS, 2023: 1.2 }), {
      from: "2023-01",
      level: 1,
      production: production({ "2023-01": 110, "2023-02": 115, "2023-03": 90 }),
    });
    const B = planBudget(indices({ ...YEARS, 2023: 0.6 }), {
      from: "2023-01",
      level: 0.5,
      production: production({ "2023-01": 28, "2023-02": 32 }),
    });
    const { toDate, forecast, total, frames } = planBudget({ A, B }, { weights: { B: 2 } });
    assertAlmostEquals(total.expected, 1200 + 2 * 600, 1e-9);
    assertEquals(toDate!.months, 2); // of March only A is known
    assertAlmostEquals(toDate!.produced, 110 + 115 + 2 * (28 + 32), 1e-9);
    assertAlmostEquals(toDate!.expected, 2 * (100 + 2 * 50), 1e-9);
    assertAlmostEquals(toDate!.ratio, 100 * 345 / 400, 1e-9);
    assertAlmostEquals(toDate!.allowed!, 2 * (120 + 2 * 30), 1e-9);
    assertAlmostEquals(forecast!.expected, 345 + 10 * 200, 1e-9);
    assertEquals(list(frames.months, "produced").slice(0, 3), [166, 179, null]);
    assertAlmostEquals(list(frames.months, "predicted_production")[0]!, 120 + 2 * 60, 1e-9);
    assertEquals(list(frames.months, "cumulative_produced").slice(0, 3), [166, 345, null]);
  });

  it("sums fleets to a larger one, as if it listed their turbines", () => {
    const [A, B, C] = [100, 50, 25].map((normal) => planBudget(indices(YEARS, normal), coming));
    const nested = planBudget({ AB: planBudget({ A, B }, { weights: { B: 3 } }), C }, {
      weights: { AB: 0.5 },
    });
    const flat = planBudget({ A, B, C }, { weights: { A: 0.5, B: 1.5 } });
    assertAlmostEquals(nested.total.expected, flat.total.expected, 1e-9);
    assertAlmostEquals(widthOf(nested), widthOf(flat), 1e-9);
  });

  it("refuses other months, values that are not budgets, weights of 0, and options of turbines", () => {
    const A = planBudget(indices(), coming);
    const later = planBudget(indices(), { from: "2025-01" });
    const refused = (...given: Parameters<typeof planBudget>) =>
      assertThrows(() => planBudget(...given), ArgumentError).message;
    assertEquals(
      refused({ A, B: later }),
      "Cannot make the budget of a fleet: the budgets cover different months. Plan all of them with the same { from, to }",
    );
    for (const wrong of [{ ...A }, 5, null, indices()]) {
      assertEquals(
        refused({ A, B: wrong } as never),
        'Cannot make the budget of a fleet: "B" is not an answer of planBudget(). Give an answer for each turbine',
      );
    }
    assertEquals(
      refused({ A }, { weights: { A: 0 } }),
      'Cannot make the budget of a fleet: the weight of "A" is 0. Give more than 0',
    );
    assert(refused({ A }, { weights: { A: NaN } }).includes('"A" is NaN'));
    assert(refused({ A }, { weights: { a: 2 } }).includes('"a" has a weight, but no budget'));
    assert(
      refused({ A }, { from: "2025-01" }).includes(
        "Pass { from } when you plan the budget of each turbine",
      ),
    );
    assert(refused(indices(), { weights: { A: 2 } }).includes("Omit the weights"));
    assert(refused({} as never).includes("not a frame. Give a frame from "));
  });
});
