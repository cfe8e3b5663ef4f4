import { describe, it } from "@std/testing/bdd";
import { type BudgetFinding, words } from "../../../src/analysis/plan_budget/words.ts";
import { assertWords } from "../_words.ts";

const year = { from: "2026-01", to: "2026-12" };
const total = { expected: 5400.4, low: 4700.2, high: 6100.6 };
const done = { months: 5, produced: 2210.3, ratio: 96.1, expected: 2300.2, low: 1900, high: 2700 };

const examples: readonly BudgetFinding[] = [
  { code: "budget", ...year, ...total },
  { code: "budget", from: "2026-01", to: "2026-01", expected: 480.2, low: null, high: null },
  { code: "to_date", ...done, place: "within" },
  { code: "to_date", ...done, place: "below" },
  { code: "to_date", ...done, place: "above" },
  { code: "to_date", ...done, months: 1, low: null, high: null, place: "unknown" },
  { code: "wind_allowed", allowed: 2250.8, ratio: 97.9 },
  { code: "forecast", ...year, ...total },
  { code: "own_production_is_normal" },
  { code: "level_of_months", months: 36 },
  { code: "no_level", needed: 12, before: "2026-01", months: 4 },
  { code: "without_level", turbines: ["T3", "T7"] },
  { code: "planned", availability: 97, degradation: 0.5 },
  { code: "planned", availability: null, degradation: 0.5 },
  { code: "availability_unused" },
  { code: "months_without_production", months: ["2026-02", "2026-03"] },
  { code: "no_interval", needed: 5 },
  {
    code: "reading",
    note:
      "Vindkit averaged 10-minute values to 8,760 hourly values. 3 hours have no mean, because fewer than 3 of the 6 values are valid. This includes 1 h without a valid value.",
  },
];

describe("the findings of a budget", () => {
  it("have the sentences of the golden file", async () => {
    await assertWords(words, examples, new URL("words.json", import.meta.url));
  });
});
