import { describe, it } from "@std/testing/bdd";
import { words } from "../../../src/analysis/price_production/words.ts";
import type { FindingOf } from "../../../src/analysis/series/answer.ts";
import { assertWords } from "../_words.ts";

const worth = {
  currency: "EUR",
  capture_price: 58.31,
  mean_price: 71.2,
  capture_rate: 81.9,
} as const;

/** A finding for each code, several for some. */
const examples: readonly FindingOf<typeof words>[] = [
  { code: "worth", ...worth, produced: 36_512.4, value: 2_129_038 },
  { code: "possible", ...worth, possible_price: 60.12 },
  {
    ...{ code: "prices_not_above_0", hours: 212, energy: 310.4, value: -4210.2, limited: 14 },
    currency: "EUR",
  },
  {
    code: "worth",
    ...worth,
    produced: 36_512.4,
    value: -12_038,
    capture_price: -0.33,
    capture_rate: NaN,
  },
  { code: "prices_unused", by: "month" },
  { code: "prices_missing", hours: 48, all: 744, energy: 31.2 },
  { code: "no_settlement" },
];

describe("the findings on the value of production", () => {
  it("have the sentences of the golden file", async () => {
    await assertWords(words, examples, new URL("words.json", import.meta.url));
  });
});
