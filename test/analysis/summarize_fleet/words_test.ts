import { describe, it } from "@std/testing/bdd";
import { type FleetFinding, words } from "../../../src/analysis/summarize_fleet/summarize_fleet.ts";
import { assertWords } from "../_words.ts";

const examples: readonly FleetFinding[] = [
  {
    code: "verdict",
    text: "It was the wind: more wind than normal added 66.0 MWh (90 % interval 51.0 to 81.0).",
  } as FleetFinding,
  {
    code: "turbine",
    name: "Vesterklit",
    text: "It was the turbine: stops cost 101.2 MWh (90 % interval 80.0 to 120.0).",
  },
  { code: "wind_of_fleet", period: "2024-03", turbines: 27, energy: 18_841.4, index: 90.2 },
  { code: "wind_of_fleet", period: "2024", turbines: 1, energy: 954.2, index: 103.4 },
  {
    code: "owner_share",
    owner: "A. Hansen",
    text:
      "As usual. March 2024: 31.0 MWh produced, 0.4 MWh (1.3 %) less than a normal March (31.4 MWh). " +
      "Deviations of up to 1.5 MWh are within the model error.",
  },
  { code: "useless", turbines: ["T9"] },
  { code: "without_figures", turbines: ["T7", "T8"] },
];

describe("the findings of the summary of a fleet", () => {
  it("have the sentences of the golden file", async () => {
    await assertWords(words, examples, new URL("words.json", import.meta.url));
  });
});
