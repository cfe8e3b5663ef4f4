import { describe, it } from "@std/testing/bdd";
import {
  type CandidateFinding,
  candidateWords,
  type ReferenceFinding,
  words,
} from "../../../src/analysis/compare_references/words.ts";
import { assertWords } from "../_words.ts";

const best = {
  name: "ERA5, 52.50 N 1.00 W",
  column: "wind_speed_100",
  hourly_r: 0.934,
  hours: 8400,
  monthly_r: 0.991,
  monthly_r_low: 0.972,
  monthly_r_high: 0.997,
  months: 12,
  ...{ bias: null, trend: null, trend_low: null, trend_high: null, years: null },
  distance_to_request_location: 11.2,
};

const examples: readonly ReferenceFinding[] = [
  { code: "best", ...best },
  {
    ...{ code: "best", ...best, hourly_r: null },
    distance_to_request_location: null,
  },
  { code: "best", ...best, hourly_r: null, monthly_r: null },
  { code: "without_overlap", references: ["old"] },
  { code: "ranked_by", by: "monthly_r", long_enough: true, months: 24 },
  { code: "ranked_by", by: "hourly_r", long_enough: false, months: 24 },
  { code: "ranked_by", by: "monthly_r", long_enough: false, months: 24 },
  { code: "left_out", periods: ["2018-10"] },
  { code: "no_distances" },
  { code: "season_in_r" },
  {
    code: "reading",
    note:
      "Vindkit averaged 10-minute values to 8,760 hourly values. 3 hours have no mean, because fewer than 3 of the 6 values are valid. This includes 1 h without a valid value.",
  },
];

const remarks: readonly CandidateFinding[] = [
  { code: "no_overlap", from: "1997-01-01", to: "2008-12-31" },
  { code: "short_overlap" },
  { code: "trend", trend: -2.1, trend_low: -3.9, trend_high: -0.4 },
  { code: "of_months" },
  { code: "few_months", needed: 6, share: 0.98 },
  { code: "months_alike" },
  { code: "between_hours" },
  { code: "few_hours", needed: 168 },
  { code: "hours_alike" },
  {
    code: "reading",
    note:
      "Vindkit averaged 10-minute values to 8,760 hourly values. 3 hours have no mean, because fewer than 3 of the 6 values are valid. This includes 1 h without a valid value.",
  },
];

describe("the findings of a comparison of references", () => {
  it("have the sentences of the golden file", async () => {
    await assertWords(words, examples, new URL("words.json", import.meta.url));
  });

  it("have remarks on a candidate, which are parts of a sentence", async () => {
    const golden = new URL("candidate_words.json", import.meta.url);
    await assertWords(candidateWords, remarks, golden, /[^.]$|reading: /);
  });
});
