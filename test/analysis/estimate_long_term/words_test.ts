import { describe, it } from "@std/testing/bdd";
import { type LongTermFound, words } from "../../../src/analysis/estimate_long_term/words.ts";
import { assertWords } from "../_words.ts";

const out = [{ period: "2018-10", reason: "incomplete: 65.7 % of its hours" }];
const estimate = { energy: 5400.4, low: 5210.2, high: 5600.6, months: 43 };

const examples: readonly LongTermFound[] = [
  { code: "normal_year", method: "1200 method", article: true, ...estimate, hours: null },
  {
    code: "normal_year",
    method: "time-step calibration",
    article: false,
    ...estimate,
    hours: 30_120,
  },
  { code: "methods_apart", apart: 0.4, far: false },
  { code: "methods_apart", apart: 9.2, far: true },
  { code: "exceeded", p90_1: 4980.1, p90_10: 5230.9 },
  { code: "left_out", by: "month", periods: out, of: 43 },
  { code: "time_step_leaves_out", periods: out },
  { code: "too_few_periods", method: "regression", by: "month", periods: 4, of: 9, needed: 6 },
  { code: "no_line", method: "regression", by: "year", periods: 3 },
  { code: "no_time_step", method: "time-step calibration", why: undefined },
  { code: "no_time_step", method: "time-step calibration", why: "no month is whole" },
  { code: "other_normal_year", from: 2016, to: 2024, share: 99.1 },
  { code: "uneven_months", width: 2.3 },
  { code: "level_moves", moves: 2, months: 43, width: 1.7 },
  { code: "variability_unknown", needed: 5, years: 3 },
  { code: "variability_given", variability: 6 },
  { code: "variability", variability: 6.1, years: 9, miss: 2 },
  { code: "always_available" },
  { code: "stops_included", cells: "hours", shorter_than: 72 },
  { code: "stops_included", cells: "months", shorter_than: null },
  { code: "standstill_by_largest" },
  { code: "standstill_unclear" },
  { code: "unit_unchecked" },
  { code: "months_of_utc" },
  { code: "reading", note: "12 rows of 10 minutes were averaged to 2 hours." },
];

describe("the findings of a long-term estimate", () => {
  it("have the sentences of the golden file", async () => {
    await assertWords(words, examples, new URL("words.json", import.meta.url));
  });
});
