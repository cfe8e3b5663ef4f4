import { explainBudget } from "../../src/analysis/explain_budget/explain_budget.ts";
import { planBudget } from "../../src/analysis/plan_budget/plan_budget.ts";
import { checkProduction } from "../../src/sites/production/training_inputs.ts";
import { computeSiteClimate } from "../../src/windindex/climate/site_climate.ts";
import { computeHubConditions } from "../../src/windindex/turbine/hub_conditions.ts";
import { hoursFrame, servedTurbine } from "../validate/_served_site.ts";
import { checkedHours, OUTAGES, simulateWorld, withStops } from "./_synthetic_world.ts";

/** First world; no limit was chosen on these worlds. */
const FIRST_WORLD = 9000;

/** Allowed share of the truth in 90 % intervals, %. */
const GOAL = [85, 95] as const;

/** Energy, MWh. */
const sum = (power: Float64Array, from: number, to: number) =>
  power.subarray(from, to).reduce((total, value) => total + value, 0) / 1000;

/** Whether an interval contains a figure; `undefined` without one. */
function contains(row: Record<string, unknown>, truth: number): boolean | undefined {
  const [low, high] = [row.energy_low, row.energy_high].map((end) =>
    end === null ? NaN : Number(end)
  );
  return Number.isNaN(low + high) ? undefined : low <= truth && truth <= high;
}

/**
 * Explains the last twelve of 24 to 36 months of worlds of known truth, and counts how often the intervals contain
 * the true share of wind and stops, and a rest of zero.
 *
 * @param count Number of worlds
 * @param say Prints the results
 * @param advance Called after each
 * @returns Goals that are missed, in words
 */
export function budgetShares(
  count: number,
  say: (line: string) => void,
  advance: () => void,
): string[] {
  const hits: Record<string, boolean[]> = {};
  let [gap, missing] = [0, 0];
  for (let number = FIRST_WORLD; number < FIRST_WORLD + count; number++) {
    const world = simulateWorld(number);
    const { turbine, climate, running, spans } = world;
    const hub = computeHubConditions(computeSiteClimate(climate, turbine), turbine);
    const { from, axis } = checkedHours(world, number);
    const power = withStops(running.slice(from, from + axis.length), {
      seed: `budget ${number}`,
      ...OUTAGES,
    });
    const { inputs } = checkProduction([{ kind: "hourly", axis, power }], turbine);
    const { indices, model, details } = servedTurbine(turbine, hub, inputs);
    const year = spans.filter((span) => span.to <= from + axis.length).slice(-12);
    const label = (span: typeof year[number]) =>
      `${span.year}-${String(span.month).padStart(2, "0")}`;
    const range = { from: label(year[0]), to: label(year[11]) };
    const { frames } = explainBudget(planBudget(indices, { ...range, level: 1 }), {
      production: hoursFrame(axis.start, { power }, turbine.timeZone),
      ...{ indices, predicted: model, details },
    });
    const note = (what: string, row: Record<string, unknown>, truth: number) => {
      const hit = contains(row, truth);
      if (hit === undefined) missing++;
      else (hits[what] ??= []).push(hit);
    };
    const judge = (when: string, rows: Record<string, unknown>[], period: typeof year) => {
      const energies = rows.map(({ energy }) => Number(energy));
      gap = Math.max(
        gap,
        Math.abs(energies.slice(0, -1).reduce((a, b) => a + b) - energies.at(-1)!),
      );
      const total = (value: (span: typeof year[number]) => number) =>
        period.reduce((all, span) => all + value(span), 0);
      const normal = total(({ month }) => {
        const same = spans.filter((span) => span.month === month);
        return same.reduce((all, { from, to }) => all + sum(running, from, to), 0) / same.length;
      });
      const made = total(({ from, to }) => sum(running, from, to));
      const lost = total((span) => {
        const [start, end] = [span.from - from, span.to - from];
        return sum(running, span.from, span.to) - sum(power, start, end);
      });
      const row = (name: RegExp) => rows.find(({ step }) => name.test(String(step)));
      const [wind, density, stops] = [/^Wind/, /^Air/, /^Availability$/].map(row);
      const shift = density ? Number(density.energy) : 0;
      note(`wind and density, ${when}`, wind!, made - normal - shift);
      if (stops && lost > 0) note(`stops, ${when}`, stops, -lost);
      note(`the rest, ${when}`, row(/unexplained/i)!, 0);
    };
    const rows = frames.stepsByPeriod.toRecords();
    const size = frames.steps.height;
    const months = rows.length / size;
    // All twelve months must count, because no hours are missing.
    if (months !== 12) throw new Error(`world ${number} has ${months} months`);
    year.forEach((span, i) => judge("of a month", rows.slice(i * size, (i + 1) * size), [span]));
    judge("of the year", frames.steps.toRecords(), year);
    advance();
  }
  const faults: string[] = [];
  say(
    `the steps of ${count} worlds add up to the production, at most ${
      gap.toExponential(0)
    } MWh off`,
  );
  if (gap > 1e-9 * 1e4) faults.push(`steps are ${gap} MWh off`);
  for (const [what, all] of Object.entries(hits)) {
    const share = 100 * all.filter(Boolean).length / all.length;
    say(`${what}: the 90 % interval contains the truth in ${share.toFixed(1)} % of ${all.length}`);
    if (share < GOAL[0] || share > GOAL[1]) faults.push(`${what}: ${share.toFixed(1)} %`);
  }
  if (missing > 0) say(`${missing} steps have no interval`);
  return faults;
}
