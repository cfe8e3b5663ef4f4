import { describe, it } from "@std/testing/bdd";
import type { UncertaintyTables } from "../../../src/analysis/estimate_long_term/uncertainty.ts";
import { type LongTermFinding, words } from "../../../src/analysis/estimate_long_term/words.ts";
import { assertWords } from "../_words.ts";

const out = [{ period: "2018-10", reason: "only 65.7 % of its hours have values" }];
const estimate = { energy: 5400.4, low: 5210.2, high: 5600.6, months: 43 };

const means: UncertaintyTables["exceedance"] = [
  { years: 1, p50: 5400.4, p75: 5120.5, p90: 4860.1, standard_error: 7.4, freedom: 18 },
  { years: 10, p50: 5400.4, p75: 5260.2, p90: 5130.9, standard_error: 3.9, freedom: 9.5 },
];
const shares = [
  { share: "calibration", standard_error: 3.1, freedom: 11, of_variance: 17.5, source: "" },
  { share: "season", standard_error: 0, freedom: 4, of_variance: 0, source: "" },
  {
    share: "year-to-year variation",
    standard_error: 6.7,
    freedom: 19,
    of_variance: 82.5,
    source: "",
  },
];

const examples: readonly LongTermFinding[] = [
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
  { code: "exceeded", method: "regression", lost: 0, exceedance: means },
  { code: "exceeded", method: "1200 method", lost: 5.15, exceedance: [{ ...means[0], p90: null }] },
  { code: "shares", exceedance: means, uncertainty: shares },
  { code: "left_out", by: "month", periods: out, of: 43 },
  { code: "time_step_leaves_out", periods: out },
  { code: "too_few_periods", method: "regression", by: "month", periods: 4, of: 9, needed: 6 },
  { code: "no_line", method: "regression", by: "year", periods: 3 },
  { code: "no_time_step", method: "time-step calibration", why: undefined },
  { code: "no_time_step", method: "time-step calibration", why: "no month is complete" },
  { code: "other_normal_year", from: 2016, to: 2024, of_index: 99.1 },
  { code: "climate_unknown", needed: 5, years: 3 },
  { code: "always_available" },
  { code: "stops_included", cells: "hours", shorter_than: 72 },
  { code: "stops_included", cells: "months", shorter_than: null },
  { code: "standstill_by_largest" },
  { code: "standstill_unclear" },
  { code: "unit_unchecked" },
  { code: "months_of_utc" },
  {
    code: "reading",
    note:
      "Vindkit averaged 10-minute values to 8,760 hourly values. 3 hours have no mean, because fewer than 3 of the 6 values are valid. This includes 1 h without a valid value.",
  },
];

describe("the findings of a long-term estimate", () => {
  it("have the sentences of the golden file", async () => {
    await assertWords(words, examples, new URL("words.json", import.meta.url));
  });
});
