import { describe, it } from "@std/testing/bdd";
import {
  type AvailabilityFinding,
  words,
} from "../../../src/analysis/measure_availability/words.ts";
import { assertWords } from "../_words.ts";

const shares = { time: 97.14, production: 96.02, low: 95.1, high: 96.8 };
const forced = { category: "Forced Outage", hours: 150.26, lost: 80.4 };
const grid = { category: "Out of Electrical Specification", hours: 60.5, lost: NaN };

const examples: readonly AvailabilityFinding[] = [
  { code: "availability", source: "events", hours: 8760, ...shares },
  { code: "availability", source: "counters", hours: 744, ...shares, production: null },
  {
    code: "availability",
    source: "production",
    hours: 40,
    time: 99.96,
    production: null,
    low: null,
    high: null,
  },
  {
    code: "availability",
    source: "production",
    hours: 40,
    time: null,
    production: null,
    low: null,
    high: null,
  },
  { code: "stops", stops: [grid, forced], lost: 80.4, lost_low: 70, lost_high: 91 },
  { code: "stops", stops: [grid], lost: NaN, lost_low: NaN, lost_high: NaN },
  { code: "stops", stops: [], lost: NaN, lost_low: NaN, lost_high: NaN },
  { code: "contract", ...shares },
  { code: "uncovered", hours: 12.34 },
  { code: "what_counts" },
  { code: "stops_not_in_log", count: 1, lost: 4.2 },
  { code: "stops_not_in_log", count: 3, lost: 12.3 },
  { code: "power_alone" },
  {
    code: "reading",
    note: "Vindkit assumes that 3 entries without an end lasted until the next entry.",
  },
];

describe("the findings of a measured availability", () => {
  it("have the sentences of the golden file", async () => {
    await assertWords(words, examples, new URL("words.json", import.meta.url));
  });
});
