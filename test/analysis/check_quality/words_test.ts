import { describe, it } from "@std/testing/bdd";
import { type QualityFinding, words } from "../../../src/analysis/check_quality/words.ts";
import { remedies } from "../../../src/screening/finding.ts";
import { assertWords } from "../_words.ts";

const gap = {
  kind: "gap",
  longest: "48 h without a value",
  from: "2022-03-01",
  remedy: remedies.gap,
};
const least = [
  { month: "2022-03", share: 0.5, cut: null },
  { month: "2022-04", share: 0.9, cut: "ends" },
];

const examples: readonly QualityFinding[] = [
  { code: "complete", share: 1, least: [], more: 0 },
  { code: "complete", share: 0.98, least, more: 3 },
  { code: "no_problems" },
  { code: "problem", findings: 1, hours: 48, ...gap },
  { code: "problem", findings: 3, hours: 60.5, ...gap },
  { code: "lag", median: 0.02, low: -0.5, high: 1.04, months: 12 },
  { code: "without_stamp", count: 1 },
  { code: "no_model" },
  { code: "no_zone" },
  { code: "no_rated_power" },
  { code: "no_rated_power_of_periods" },
  { code: "no_hours" },
  { code: "shares_of_years" },
  { code: "not_production", column: "wind_speed" },
  { code: "no_neighbours" },
  {
    code: "neighbour_unused",
    neighbour: "T2",
    reason: "it has no value in the hours of the series",
  },
  { code: "unit_in_doubt" },
  { code: "between_hours" },
  { code: "few_lags", lags: 3, months: 12 },
  { code: "no_half_hours" },
  { code: "smallest_lag" },
  {
    code: "reading",
    note:
      "Vindkit averaged 10-minute values to 8,760 hourly values. 3 hours have no mean, because fewer than 3 of the 6 values are valid. This includes 1 h without a valid value.",
  },
];

describe("the findings of a quality check", () => {
  it("have the sentences of the golden file", async () => {
    await assertWords(words, examples, new URL("words.json", import.meta.url));
  });
});
