import { describe, it } from "@std/testing/bdd";
import { type ProofFinding, words } from "../../../src/analysis/prove_index/words.ts";
import { assertWords } from "../_words.ts";

const unseen = { periods: 12, error: 2.93, worst: 6.88, bias: 0.21 };

const examples: readonly ProofFinding[] = [
  { code: "unseen", ...unseen, unit: "month" },
  { code: "unseen", ...unseen, periods: 2, unit: "year", bias: -0.04 },
  { code: "intervals", hits: 11, periods: 12, width: 9.64 },
  {
    code: "methods",
    methods: [{ method: "one factor", error: 3.31 }, { method: "monthly regression", error: 5.5 }],
  },
  { code: "beaten", method: "one factor" },
  { code: "now", months: 12, year: 3.86, month: 8.61 },
  { code: "more", tolerance: 5, more: 0 },
  { code: "more", tolerance: 5, more: 1 },
  { code: "more", tolerance: 2.5, more: 24 },
  { code: "more", tolerance: 1, more: null },
  { code: "other_years", years: 1, move: 2.5, learnt: false },
  { code: "other_years", years: 4, move: 1.94, learnt: true },
  { code: "season_unknown", months: 5 },
  { code: "no_months" },
  { code: "few", periods: 12 },
  {
    code: "left_out",
    periods: [{ period: "2003", reason: "outage" }, { period: "2004", reason: "gap" }],
  },
];

describe("the findings of a proof", () => {
  it("have the sentences of the golden file", async () => {
    await assertWords(words, examples, new URL("words.json", import.meta.url));
  });
});
