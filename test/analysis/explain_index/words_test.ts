import { describe, it } from "@std/testing/bdd";
import { type ExplanationFinding, words } from "../../../src/analysis/explain_index/words.ts";
import { assertWords } from "../_words.ts";

const served = { from: 2005, to: 2024, with_month: true };
const figures = { ...served, years: 20 };

const examples: readonly ExplanationFinding[] = [
  { code: "month", month: "2024-03", index: 93.6, abnormality: 88.1 },
  { code: "steps_compared", compared: 7, steps: 9, gap: 0.0213, largest: "Month index" },
  { code: "other_energy", gap: -1.2 },
  { code: "preliminary" },
  { code: "too_few_hours", completeness: 0.873, needed: 0.98 },
  { code: "no_power" },
  { code: "no_normal" },
  { code: "reference_found", ...served },
  { code: "reference_chosen", ...figures },
  { code: "reference_assumed", ...figures, with_month: false },
  { code: "reference_unknown", ...figures, year_gap: 2.11, month_gap: -0.4 },
  { code: "reference_unknown", ...figures, with_month: false, year_gap: 2.11, month_gap: null },
];

describe("the findings of an explained index", () => {
  it("have the sentences of the golden file", async () => {
    await assertWords(words, examples, new URL("words.json", import.meta.url));
  });
});
