/** Why production is below its budget: by hand, by year, by category, for a fleet. */
import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertMatch,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { DataFrame } from "nodejs-polars";
import {
  type BudgetDeviation,
  explainBudget,
} from "../../../src/analysis/explain_budget/explain_budget.ts";
import { planBudget } from "../../../src/analysis/plan_budget/plan_budget.ts";
import { ArgumentError } from "../../../src/api/errors.ts";
import { plotShortfall } from "../../../src/plots/losses/shortfall.ts";
import {
  byStep,
  computeGap,
  computeIndices,
  list,
  monthsFrame,
  numbers,
  yearsFrame,
} from "../check_performance/_performance_frames.ts";

/**
 * Two years; a normal month has 100 MWh, the model gives 90 to 110 in turns, and the turbine produces 97 and 99 % of it
 * in turns in the first year: 98 %. In December of the second year the model gives 80 MWh and the turbine produces 70.
 */
const modelled = Array.from({ length: 24 }, (_, i) => i === 23 ? 80 : i % 4 < 2 ? 90 : 110);
const made = modelled.map((energy, i) => i === 23 ? 70 : energy * (i % 2 === 0 ? 0.97 : 0.99));
const indices = computeIndices("2023-01", modelled, Array(12).fill(100));
const production = monthsFrame("2023-01", "energy", made);
const budget = monthsFrame("2024-01", "budget", Array(12).fill(95));
const explain = (options = {}) => explainBudget(budget, { production, indices, ...options });

/** Largest difference between the steps of a period and their sum. */
function gapOf({ frames }: BudgetDeviation): number {
  const { steps, stepsByPeriod } = frames;
  const count = steps.height;
  const gaps = Array.from(
    { length: stepsByPeriod.height / count },
    (_, i) => Math.abs(computeGap(stepsByPeriod.slice(i * count, count))),
  );
  return Math.max(Math.abs(computeGap(steps)), ...gaps);
}

const december = ({ frames: { stepsByPeriod, steps } }: BudgetDeviation) =>
  stepsByPeriod.slice(stepsByPeriod.height - steps.height, steps.height);

const row = (frame: DataFrame, step: string) =>
  frame.toRecords().find((one) => one.step === step)! as Record<string, number | string | null>;

describe("explainBudget()", () => {
  it("splits the deviation of a month, worked by hand", () => {
    const explained = explain();
    const steps = byStep(december(explained));
    // The level of 2023: odd months 97, even months 99 %; each kind has half of the 90s and half of the 110s, so 98 %.
    assertAlmostEquals(steps["Budget"], 95, 1e-9);
    assertAlmostEquals(steps["Budget to normal"], 98 - 95, 1e-9);
    assertAlmostEquals(steps["Wind and air density"], 0.98 * (80 - 100), 1e-9);
    assertAlmostEquals(steps["Availability and unexplained"], 70 - 0.98 * 80, 1e-9);
    assertAlmostEquals(steps["Produced"], 70, 1e-9);
    assert(gapOf(explained) < 1e-9);
    assertMatch(
      explained.summary[0],
      /^December 2024 is 26\.3 % below budget \(70\.0 instead of 95\.0 MWh\): budget to normal \+3\.2 %, wind and air density −20\.6 %\. The unexplained rest, which includes stops, is −8\.8 %/,
    );
    assertMatch(explained.summary[1], /^2024 is .* budget/);
  });

  it("gives each step its value at the prices of the months, and sums that to the value of a fleet", () => {
    const price = monthsFrame("2023-01", "price", Array.from({ length: 24 }, (_, i) => 40 + i));
    const explained = explain({ price, currency: "DKK" });
    const [energies, values] = ["energy", "value"].map((name) =>
      numbers(december(explained), name)
    );
    for (const [i, energy] of energies.entries()) assertAlmostEquals(values[i], 63 * energy, 1e-9);
    const all = numbers(explained.frames.steps, "value");
    assertAlmostEquals(all.slice(0, -1).reduce((sum, one) => sum + one, 0), all.at(-1)!, 1e-6);
    assertStringIncludes(explained.summary.join(" "), " DKK): budget to normal +");
    const fleet = explainBudget({ a: explained, b: explained });
    assertAlmostEquals(numbers(fleet.frames.steps, "value")[0], 2 * all[0], 1e-6);
    assert(!explain().frames.steps.columns.includes("value"));
  });

  it("explains why a turbine with gaps in its prices, or a fleet with an unpriced turbine, has no value", () => {
    const prices = Array.from({ length: 24 }, (_, i) => i === 14 ? null : 40);
    const gaps = explain({ price: monthsFrame("2023-01", "price", prices) });
    assert(!gaps.frames.steps.columns.includes("value"));
    assertStringIncludes(gaps.notes.join(" "), "because prices are missing in 2024-03. Give");
    const fleet = explainBudget({ a: explain({ price: 40 }), b: explain() });
    assert(!fleet.frames.steps.columns.includes("value"));
    assertStringIncludes(fleet.notes.join(" "), "The fleet has no total value");
    assert(
      !explainBudget({ a: explain(), b: explain() }).notes.join(" ").includes("no value in total"),
    );
  });

  it("gives each step an interval, and the rest the interval of all others", () => {
    const [low, energies, high] = ["energy_low", "energy", "energy_high"]
      .map((name) => numbers(december(explain()), name));
    const [, first, wind, rest] = high.map((end, i) => end - energies[i]);
    assertAlmostEquals(energies[1] - low[1], first, 1e-9);
    // The level: t(0.95; 11) = 1.795885 times sqrt(sum of (made - 0.98 modelled)^2 / (12 x 11)) over a mean of 100 MWh.
    const squares = modelled.slice(0, 12).reduce((sum, energy) => sum + (0.01 * energy) ** 2, 0);
    const reach = 1.795885 * Math.sqrt(squares / (12 * 11)) / 100;
    assertAlmostEquals(first, reach * 100, 1e-5);
    const model = Math.sqrt(wind ** 2 - (reach * 20) ** 2);
    assertAlmostEquals(rest, Math.hypot(model, reach * 80), 1e-6);
  });

  it("judges whether the rest is within chance", () => {
    const states = list(explain().frames.stepsByPeriod, "state").filter((one) => one !== null);
    assertEquals(states.length, 12);
    assertEquals(states[11], "less");
    assertEquals(new Set(states.slice(0, 11)), new Set(["within chance"]));
    assertStringIncludes(
      explain().summary[0],
      "a loss too large to be chance",
    );
  });

  it("is drawn by the chart of a shortfall, whole and by month", () => {
    const explained = explain();
    assertStringIncludes(plotShortfall(explained).altText, "1,140 MWh");
    assertStringIncludes(plotShortfall(explained, { month: "2024-12" }).altText, "Produced 70");
  });

  it("sums the months of a range", () => {
    const explained = explain({ from: "2024-02", to: "2024-03" });
    assertEquals(list(explained.frames.budgets, "budget"), [190]);
    assertMatch(explained.summary[1], /^Feb to Mar 2024 is/);
  });

  it("takes the budget's target availability as budgeted stops", () => {
    const steps = byStep(december(explain({ availability: 95 })));
    // 95 of 100 MWh remain if 5 are for stops.
    assertAlmostEquals(steps["Stops in the budget"], 5, 1e-9);
    assertAlmostEquals(steps["Budget to normal"], 98 - 100, 1e-9);
  });

  it("finds no deviation of a plan from its own normal, which declines as planned", () => {
    const plan = planBudget(indices, { from: 2024, to: 2025, level: 0.98, degradation: 1 });
    const later = monthsFrame("2023-01", "energy", [...made, 90, 90, 90]);
    const longer = computeIndices("2023-01", [...modelled, 95, 95, 95], Array(12).fill(100));
    const explained = explainBudget(plan, { production: later, indices: longer });
    const steps = byStep(december(explained));
    assertAlmostEquals(steps["Budget"], 98 * 0.99, 1e-9);
    assertAlmostEquals(steps["Budget to normal"], 0, 1e-9);
    assertAlmostEquals(steps["Wind and air density"], 0.98 * 0.99 * -5, 1e-9);
  });

  it("joins plan and level if no production before the budget separates them, and notes it", () => {
    const energies = monthsFrame("2024-01", "energy", made.slice(12));
    const explained = explain({ production: energies });
    const names = list(explained.frames.steps, "step");
    assertEquals(names[1], "Budget to normal and level");
    assertStringIncludes(
      explained.notes.join(" "),
      "The first step therefore combines the error of the plan and the turbine's usual deviation from the model.",
    );
    const named = explain({ production: energies, level: 0.98 });
    assertAlmostEquals(byStep(december(named))["Budget to normal"], 3, 1e-9);
  });

  it("has the deviation from several budgets in one table, and explains the first", () => {
    const others = {
      P75: monthsFrame("2024-01", "budget", Array(12).fill(90)),
      P90: monthsFrame("2024-01", "budget", Array(12).fill(85)),
    };
    const { frames, summary } = explain({ others });
    assertEquals(list(frames.budgets, "name"), ["Budget", "P75", "P90"]);
    assertEquals(numbers(frames.budgets, "budget"), [1140, 1080, 1020]);
    assertStringIncludes(summary.at(-1)!, "P90");
  });

  it("explains annual production by years, and sums a budget of months to them", () => {
    const yearly = yearsFrame({ 2023: 1170, 2024: 1050 });
    const explained = explainBudget(budget, { production: yearly, indices });
    assertEquals(list(explained.frames.stepsByPeriod, "year")[0], 2024);
    assertEquals(byStep(explained.frames.steps)["Budget"], 1140);
    assert(gapOf(explained) < 1e-9);
    assertStringIncludes(explained.notes.join(" "), "fewer than six usable years");
  });

  it("sums a fleet in one wind: errors of wind add up, names are the turbines'", () => {
    const one = explain();
    const fleet = explainBudget({ T1: one, T2: one });
    const [single, double] = [one, fleet].map(({ frames }) =>
      row(frames.steps, "Wind and air density")
    );
    assertAlmostEquals(Number(double.energy), 2 * Number(single.energy), 1e-9);
    assertAlmostEquals(Number(double.energy_low), 2 * Number(single.energy_low), 1e-9);
    assertEquals(list(fleet.frames.budgets, "name"), ["T1", "T2"]);
    assert(gapOf(fleet) < 1e-9);
    assertStringIncludes(fleet.notes[0], "all turbines share the errors of wind");
  });

  it("refuses unusable input, and names the remedy", () => {
    const refused = (given: unknown, options: unknown, part: string) =>
      assertThrows(() => explainBudget(given as never, options as never), ArgumentError, part);
    refused(budget, { indices }, "production");
    refused(
      budget,
      { production },
      "Cannot explain the deviation from the budget: predictions are missing. Give { predicted:",
    );
    refused(budget, undefined, "a budget needs { production }");
    refused(budget.rename({ budget: "plan" }), { production, indices }, '"budget" (MWh)');
    refused(
      monthsFrame("2029-01", "budget", [95]),
      { production, indices },
      "no month of the budget",
    );
    refused(monthsFrame("2024-01", "budget", [0]), { production, indices }, "not above 0");
    refused(
      yearsFrame({ 2024: 1 }).rename({ energy: "budget" }),
      { production, indices },
      "by months",
    );
    refused(budget, { production, indices, availability: 0.97 }, "such as 97");
    refused(
      budget,
      { production, indices, others: { P90: budget.slice(0, 2) } },
      `"P90" has no energy for 2024-03. Add it`,
    );
  });
});
