import { describe, it } from "@std/testing/bdd";
import { type WhatIfFinding, words } from "../../../src/analysis/what_if/what_if.ts";
import { assertWords } from "../_words.ts";

const examples: readonly WhatIfFinding[] = [
  { code: "energy", what: ["hubHeight 120", "k 0.9"], now: 7884, whatIf: 8509.6, change: 7.93 },
  { code: "energy", what: [], now: 7884, whatIf: 7884, change: 0 },
  { code: "index", mean: 1.04 },
  { code: "kept" },
  { code: "shear", exponent: 0.093, hourly: true, more: 3.8 },
  { code: "shear", exponent: 0.14, hourly: false, more: -2.1 },
  { code: "reference", from: 2006, to: 2025 },
];

describe("the findings of a what-if", () => {
  it("have the sentences of the golden file", async () => {
    await assertWords(words, examples, new URL("words.json", import.meta.url));
  });
});
