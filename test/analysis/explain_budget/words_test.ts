import { describe, it } from "@std/testing/bdd";
import { deviationWords, type StepRow } from "../../../src/analysis/explain_budget/words.ts";
import type { FindingOf } from "../../../src/analysis/series/answer.ts";
import { assertWords } from "../_words.ts";

/** Steps of a budget of 1000 MWh with their energies, and the rest with its ends. */
const steps = (
  all: Readonly<Record<string, number>>,
  state: StepRow["state"],
  [low, high] = [-60, 20],
): StepRow[] =>
  Object.entries(all).map(([step, energy]) => ({
    ...{ step, energy, share: energy / 10 },
    ...{ energy_low: low, energy_high: high },
    state: step.toLowerCase().includes("unexplained") ? state : null,
  }));

const all = {
  "Budget to normal": 0,
  "Wind": -70,
  "Air density": 4,
  "Stops in the budget": 30,
  "Forced Outage": -50,
  "Availability": -10,
  "Lasting change": -10,
  "Unexplained": -14,
};
const month = { from: "2025-12", to: "2025-12", budget: 1000 } as const;

/** A finding of each code, and of some more than one. */
const examples: readonly FindingOf<typeof deviationWords>[] = [
  { code: "budget_deviation", ...month, produced: 880, steps: steps(all, "within chance") },
  {
    code: "budget_deviation",
    ...{ from: "2025-01", to: "2025-12", budget: 1000 },
    produced: 1024,
    steps: steps({ "Wind": 54, "Availability": -10, "Unexplained": -20 }, "less", [-30, -10]),
  },
  {
    code: "budget_deviation",
    ...{ from: "2003", to: "2006", budget: 1000 },
    produced: 1020,
    steps: steps({ "Availability and unexplained": 20 }, null),
  },
  {
    code: "budgets",
    budgets: [{ name: "Budget", ratio: 88 }, { name: "P90", ratio: 101.3 }],
  },
  {
    ...{ code: "budget_deviation", from: "2025-12", to: "2025-12", budget: 1000, produced: 880 },
    ...{
      steps: steps({ "Wind": -70 }, null),
      money: { currency: "EUR", values: [54_560, 62_000] },
    },
  },
  { code: "level_before", by: "month", count: 24, level: 97.4 },
  { code: "level_joined", by: "month", count: 11, level: 97.4 },
  { code: "no_level", by: "month", count: 0, level: 100 },
  { code: "part_of_hours", periods: ["2025-01", "2025-03"] },
  { code: "left_out", periods: ["2025-02"] },
  { code: "periods_unpriced", periods: ["2024-03"] },
  { code: "turbines_unpriced" },
  { code: "in_one_wind" },
];

describe("the findings of a budget's deviation", () => {
  it("have the sentences of the golden file", async () => {
    await assertWords(deviationWords, examples, new URL("words.json", import.meta.url));
  });
});
