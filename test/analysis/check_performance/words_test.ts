import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { checkPerformance } from "../../../src/analysis/check_performance/check_performance.ts";
import { type PerformanceFinding, words } from "../../../src/analysis/check_performance/words.ts";
import type { Verdict } from "../../../src/analysis/verdict/row.ts";
import { assertWords } from "../_words.ts";
import { computeIndices, monthsFrame } from "./_performance_frames.ts";

const loss = { lost: 216.4, lost_low: 180.2, lost_high: 250.1 };
const low = { period: "2018-05", ratio: 71.2 };
const change = {
  from: "2023-03-06",
  from_low: "2023-02-13",
  from_high: "2023-03-27",
  size: -8.1,
  size_low: -9.4,
  size_high: -6.7,
  against: "neighbours",
  lost: 412.2,
  lost_low: 340.9,
  lost_high: 480.3,
} as const;

/** A finding for each code, several for some. */
/** A verdict, for its sentence. */
const stopped = {
  text: "It was the turbine: stops cost 101.2 MWh (90 % interval 80.0 to 120.0).",
} as Verdict;

const examples: readonly PerformanceFinding[] = [
  {
    code: "total",
    produced: 5102.6,
    predicted: 5180.3,
    ratio: 98.5,
    periods: 12,
    by: "month",
    hours: 8760,
    hours_compared: 8403,
  },
  {
    code: "total",
    produced: 366.9,
    predicted: 459.8,
    ratio: 79.8,
    periods: 1,
    by: "year",
  },
  { code: "far_below_others", by: "month", periods: [low] },
  {
    code: "normal_band",
    by: "month",
    energy: 431.7,
    band_low: 91.2,
    band_middle: 100.4,
    band_high: 109.6,
    deviations: 3.5,
    periods: 34,
  },
  { code: "all_within_band", by: "month", periods: 34 },
  { code: "outside_band", below: [low], above: [{ period: "2019-02", ratio: 118.3 }] },
  { code: "outside_band", below: [], above: [{ period: "2019", ratio: 118.3 }] },
  {
    ...{ code: "power_limits", source: "found", spells: 1, hours: 211, lost: 31.2 },
    ...{ lost_low: 25.1, lost_high: 36.8, levels: [1200, 1200] },
    ...{ from: "2023-01-09", to: "2023-02-20" },
    hours_of_day: [22, 23, 0, 1, 2, 3, 4, 5],
  },
  {
    ...{ code: "power_limits", source: "declared", spells: 14, hours: 96, ...loss },
    ...{ from: "2023-01-09", to: "2023-12-20", levels: [0, 1200], hours_of_day: [] },
  },
  {
    ...{ code: "power_limits", source: "status", spells: 3, hours: 1, ...loss },
    ...{ from: "2023-01-09", to: "2023-02-20", levels: [], hours_of_day: [] },
  },
  {
    ...{ code: "prices_not_above_0", hours: 212, energy: 310.4, value: -4210.2, limited: 0 },
    currency: "EUR",
  },
  {
    ...{ code: "prices_not_above_0", hours: 1, energy: 1.2, value: 0, limited: 0 },
    currency: "DKK",
  },
  { code: "prices_unused", by: "month" },
  { code: "prices_unused", by: "year" },
  { code: "prices_missing", hours: 48, all: 744, energy: 31.2 },
  { code: "lasting_change", change: "loss", ...change },
  {
    code: "lasting_change",
    change: "gain",
    ...change,
    size: 5,
    size_low: 3.1,
    size_high: 6.8,
    lost: -260.4,
    lost_low: -350.2,
    lost_high: -161.9,
  },
  { code: "smallest_change", smallest: 4.2, has_changes: false },
  { code: "smallest_change", smallest: 4.2, has_changes: true },
  { code: "too_short_for_changes", needed: 26, by: "week" },
  {
    code: "deviation",
    from: "Normal production",
    energy: 5400.2,
    produced: 5102.6,
    steps: [
      { step: "Wind", energy: -310.4, energy_low: -400, energy_high: -220, share: -5.7 },
      { step: "Air density", energy: 12.8, energy_low: NaN, energy_high: NaN, share: 0.2 },
    ],
  },
  { code: "verdict", ...stopped },
  {
    code: "steps",
    steps: [
      { step: "Wind", energy: -20.3, energy_low: -31, energy_high: -9, share: 1 },
      { step: "Air density", energy: 0.02, energy_low: NaN, energy_high: NaN, share: 1 },
      { step: "Availability", energy: -101.2, energy_low: -120, energy_high: -80, share: 1 },
      { step: "Unexplained", energy: -6.6, energy_low: -30, energy_high: 20, share: 1 },
    ],
  },
  { code: "outages_cost", outages: 3, ...loss },
  {
    code: "outage_cost",
    outage: "Gearbox",
    largest: false,
    ...loss,
    lost_low: NaN,
    lost_high: NaN,
  },
  { code: "outage_cost", outage: "Standstill, 2018-05-03", largest: true, ...loss },
  { code: "no_band", by: "month", needed: 6, periods: 1 },
  { code: "unusual_ratio", ratio: 93.2 },
  { code: "too_few_hours", periods: [{ period: "2018-10", completeness: 0.657 }] },
  { code: "outage_without_values", outage: "Gearbox", completeness: 0.5, cells: "hours" },
  { code: "interval_method", method: "stretches", by: "month", periods: 12 },
  { code: "interval_method", method: "periods", by: "year", periods: 7 },
  { code: "no_interval", cells: "stretches" },
  {
    code: "outage_named_by_days",
    outage: "Gearbox",
    from: "2024-03-03 04:00",
    to: "2024-03-11 17:00",
  },
  { code: "hours_missing", hours: 254, longest: 200, from: "2018-10-23 05:00" },
  { code: "hours_missing", hours: 1, longest: 1, from: "2018-10-23 05:00" },
  { code: "never_power", highest: 1.53, rated_power: 2050 },
  { code: "few_normal_hours", hours: 90 },
  {
    code: "unit_in_doubt",
    doubt: "The energy of 2023-05 is about 1,000 times too small, so its unit is probably wrong.",
  },
  { code: "short_stops_unseen", hours: 4 },
  { code: "period_in_two_outages", period: "2018-05", outage: "Gearbox", other: "Blade" },
  {
    code: "energies_of_part",
    shares: "5 of 12 energies cover only 66.7 % to 99.9 % of their hours",
  },
  { code: "all_in_outages", by: "month" },
  { code: "named_change", placebo: 1.84, neighbours: -0.42, left_out: 0 },
  { code: "named_change", placebo: 1.84, neighbours: -0.42, left_out: 20 },
  { code: "named_change", placebo: 2.5, neighbours: null, left_out: 0 },
  { code: "neighbours_too_short", weeks: 12, needed: 26 },
  { code: "rated_power_assumed", rated_power: 2047.6 },
  { code: "neighbours_unused" },
  { code: "months_of_zone", zone: "UTC" },
  { code: "availability_unused" },
  { code: "other_prediction", ratio: 104.2 },
  { code: "normal_of_model", from: 2016, to: 2024 },
  { code: "normal_density", months: 5 },
  { code: "density_unknown", reason: "no_curve" },
  { code: "density_unknown", reason: "no_column", column: "air_density" },
  { code: "density_unknown", reason: "constant" },
  { code: "density_unknown", reason: "no_control" },
  { code: "density_unknown", reason: "other_curve", share: 131 },
  { code: "density_unknown", reason: "few_months", needed: 3, months: 2, name: "May" },
  { code: "stops_unseen", by: "month" },
  { code: "normal_unknown" },
  { code: "steps_leave_out", periods: ["2018-05", "2018-06"] },
  {
    code: "reading",
    note:
      "Vindkit averaged 10-minute values to 8,760 hourly values. 3 hours have no mean, because fewer than 3 of the 6 values are valid. This includes 1 h without a valid value.",
  },
];

describe("the findings of a performance check", () => {
  it("have the sentences of the golden file", async () => {
    await assertWords(words, examples, new URL("words.json", import.meta.url));
  });

  it("are data: a code, figures with their units, and the sentence of summary or notes", () => {
    const energies = Array.from({ length: 24 }, (_, i) => 400 + 10 * (i % 5));
    const made = energies.map((energy, i) =>
      i === 7 ? 0.3 * energy : energy * (1 + 0.01 * (i % 3))
    );
    const check = checkPerformance(monthsFrame("2020-01", "energy", made), {
      predicted: computeIndices("2020-01", energies, energies.slice(0, 12)),
    });
    const { findings, summary, notes } = check;
    assertEquals(findings.map(({ text }) => text), [...summary, ...notes]);
    const [verdict, total] = findings;
    assertEquals([verdict.code, verdict.severity], ["verdict", "result"]);
    assertEquals([total.code, total.severity], ["total", "result"]);
    assertEquals(total.units, { produced: "MWh", predicted: "MWh", ratio: "%" });
    assertEquals(total.figures.periods, 24);
    const outside = findings.find(({ code }) => code === "outside_band")!;
    assertEquals(
      (outside.figures.below as { period: string }[]).map(({ period }) => period),
      ["2020-08"],
    );
    assertEquals(outside.units, { ratio: "%" });
    assert(findings.some(({ code, severity }) => code === "no_interval" || severity === "note"));
    assertEquals(JSON.parse(JSON.stringify(findings)), findings);
  });
});
