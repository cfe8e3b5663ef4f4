/**
 * `explainBudget()` by hours with a log, and on the real sites. Their data are not part of the project: without them
 * the tests are ignored, and their names say so.
 *
 * @module
 */
import { assert, assertAlmostEquals, assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  type BudgetDeviation,
  explainBudget,
} from "../../../src/analysis/explain_budget/explain_budget.ts";
import { planBudget } from "../../../src/analysis/plan_budget/plan_budget.ts";
import { readProduction } from "../../../src/frames/presets/read_production.ts";
import { checkProduction } from "../../../src/sites/production/training_inputs.ts";
import type { HourlyProduction } from "../../../src/windindex/calibration/production.ts";
import { computeSiteClimate } from "../../../src/windindex/climate/site_climate.ts";
import { computeHubConditions } from "../../../src/windindex/turbine/hub_conditions.ts";
import { hoursFrame, servedTurbine } from "../../validate/_served_site.ts";
import { dataPresent, siteData } from "../../validate/_site_data.ts";
import {
  byStep,
  computeGap,
  computeIndices,
  everyHour,
  hoursFrame as buildHours,
  list,
  monthsFrame,
  numbers,
  yearsFrame,
} from "../check_performance/_performance_frames.ts";
import { buildLog } from "../measure_availability/_logs.ts";

const check = dataPresent() ? it : it.ignore;
const named = (name: string) =>
  dataPresent() ? name : `${name} (skipped: ../shared/data is not here)`;

/** Largest difference between the steps of a period, or of all, and their sum. */
function gapOf({ frames: { steps, stepsByPeriod } }: BudgetDeviation): number {
  const count = steps.height;
  const gaps = Array.from(
    { length: stepsByPeriod.height / count },
    (_, i) => Math.abs(computeGap(stepsByPeriod.slice(i * count, count))),
  );
  return Math.max(Math.abs(computeGap(steps)), ...gaps);
}

describe("explainBudget() by hours", () => {
  it("splits availability by the categories of a log, and puts stops outside of it into others", () => {
    // A year with 12 MWh a day expected; odd months produce 102, even ones 98 % of it.
    const power = (hour: number) => 500 + 25 * (hour % 24 - 11.5);
    const predicted = buildHours("2023-01-01T00:00Z", { power: everyHour(365, power) });
    const march = 24 * 59;
    const stopped = [[march, 100], [march + 240, 48], [march + 480, 24]];
    const production = buildHours("2023-01-01T00:00Z", {
      power: everyHour(
        365,
        (hour) =>
          stopped.some(([from, length]) => hour >= from && hour < from + length)
            ? 0
            : power(hour) * (Math.floor(hour / 24 / 30.5) % 2 === 0 ? 1.02 : 0.98),
      ),
    });
    const days = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
    const indices = computeIndices(
      "2023-01",
      days.map((one) => 12 * one),
      days.map((one) => 12 * one),
    );
    const events = buildLog([
      { from: "2023-03-01 00:00", to: "2023-03-05 04:00", category: "Forced Outage" },
      { from: "2023-03-11 00:00", to: "2023-03-13 00:00", category: "Scheduled Maintenance" },
    ]);
    const budget = monthsFrame("2023-03", "budget", [400]);
    const given = { production, predicted, indices, events, level: 1 };
    const explained = explainBudget(budget, { ...given, availability: 97 });
    const steps = byStep(explained.frames.steps);
    const parts = ["Forced Outage", "Scheduled Maintenance", "Other stops"].map((name) =>
      steps[name]
    );
    // 49 MWh in four days and four hours of the night, two days and one day of 12 MWh; about as much as in other hours.
    parts.forEach((energy, i) => assertAlmostEquals(energy, -[49, 24, 12][i], 0.5));
    assert(gapOf(explained) < 1e-9);
    assertStringIncludes(explained.summary[0], "forced outage −12.");
    assertStringIncludes(explained.summary[0], "(stops in the budget +3.1 %");
    // Without the log they are one step, with the same loss.
    const { events: _, ...plain } = given;
    const total = byStep(explainBudget(budget, plain).frames.steps);
    assertAlmostEquals(total["Availability"], parts.reduce((a, b) => a + b, 0), 1e-9);
  });
});

describe("explainBudget() on real sites", () => {
  check(named("explains the months of Kelmarsh 2018, for each turbine and for all"), async () => {
    const data = await siteData("kelmarsh");
    const { reanalyses: [{ climate, shear }] } = data;
    const answers = Object.fromEntries(data.turbines.map(({ turbine, production }) => {
      const hub = computeHubConditions(computeSiteClimate(climate, turbine), turbine, shear);
      const hours = production[0] as HourlyProduction;
      const { inputs } = checkProduction(production, turbine, [], []);
      const { indices, model, details } = servedTurbine(turbine, hub, inputs);
      const budget = planBudget(indices, { from: 2018, level: 1, availability: 97 });
      const explained = explainBudget(budget, {
        production: hoursFrame(hours.axis.start, { power: hours.power }, "UTC"),
        ...{ indices, predicted: model, details },
      });
      return [turbine.id, explained];
    }));
    for (const one of Object.values(answers)) {
      assert(gapOf(one) < 1e-9);
      assert(one.frames.stepsByPeriod.height >= 10 * one.frames.steps.height);
      const states = list(one.frames.stepsByPeriod, "state").filter((state) => state !== null);
      // Twelve months of each turbine: chance puts one or two outside of 90 %.
      assert(states.filter((state) => state !== "within chance").length <= 4);
    }
    const fleet = explainBudget(answers);
    assert(gapOf(fleet) < 1e-9);
  });

  check(named("explains the years of Horns Rev, whose wind and density are one step"), async () => {
    const data = await siteData("horns_rev");
    const { reanalyses: [{ climate, shear }], turbines: [{ turbine, production }] } = data;
    const hub = computeHubConditions(computeSiteClimate(climate, turbine), turbine, shear);
    const { model, details } = servedTurbine(
      turbine,
      hub,
      checkProduction(production, turbine).inputs,
    );
    const file = new URL(
      "../../../../shared/data/horns_rev/annual_production_2003_2006.csv",
      import.meta.url,
    );
    const annual = await readProduction(file, {
      ...{ column: "energy_mwh", time: "year", resolution: "year", unit: "MWh" },
    });
    const budget = yearsFrame({ 2003: 600_000, 2004: 600_000, 2005: 600_000, 2006: 600_000 })
      .rename({ energy: "budget" });
    const explained = explainBudget(budget, {
      production: annual,
      predicted: model,
      details,
      units: 80,
    });
    assertEquals(list(explained.frames.steps, "step"), [
      "Budget",
      "Budget to normal",
      "Wind and air density",
      "Availability",
      "Unexplained",
      "Produced",
    ]);
    assertEquals(numbers(explained.frames.stepsByPeriod, "year")[0], 2003);
    assert(gapOf(explained) < 1e-9 * 2_400_000);
    const of2004 = explained.frames.stepsByPeriod.toRecords()
      .find(({ year, step }) => year === 2004 && step === "Availability")!;
    assertAlmostEquals(Number(of2004.energy), -253_000, 1500);
    // Four years are too few to judge by chance.
    assertStringIncludes(explained.summary[0], "(no interval)");
  });
});
