import { describe, it } from "@std/testing/bdd";
import { type FleetFound, words } from "../../../src/analysis/summarize_fleet/words.ts";
import { assertWords } from "../_words.ts";

const examples: readonly FleetFound[] = [
  { code: "fleet_month", month: "2024-03", turbines: 27, energy: 18_841.4, index: 90.2 },
  { code: "fleet_month", month: "2024-03", turbines: 1, energy: 954.2, index: 103.4 },
  {
    ...{ code: "owner_share", owner: "A. Hansen", month: "2024-03" },
    ...{ energy: 303.81, normal: 331.5, index: 91.7 },
  },
  {
    ...{ code: "owner_share", owner: "A. Hansen", month: "2024-03" },
    ...{ energy: 0, normal: 0, index: NaN },
  },
  { code: "without_figures", turbines: ["T7", "T8"] },
];

describe("the findings of the month of a fleet", () => {
  it("have the sentences of the golden file", async () => {
    await assertWords(words, examples, new URL("words.json", import.meta.url));
  });
});
