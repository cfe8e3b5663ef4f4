import {
  certain,
  type DeviationSteps,
  joinSteps,
  lossStep,
  NAMES,
  type Step,
  type Steps,
  type Term,
} from "../check_performance/deviation_steps.ts";
import type { Loss } from "../check_performance/losses/lost_energy.ts";
import { sumOf } from "../../stats/spread.ts";

/**
 * Errors that all months of a turbine share: its level and the loss of a lasting change. Errors of model and outages
 * are new each month.
 */
export const IN_ALL_MONTHS: readonly Term[] = ["level", "changes"];

/** Errors that all turbines share, because they are assumed to stand in one wind; stops and changes are independent. */
export const IN_ONE_WIND: readonly Term[] = ["model", "level"];

/** Sums a step: shared errors add up in full, others as roots of sums of squares. */
function addStep(pieces: readonly Step[], shared: readonly Term[]): Step {
  const terms = new Set(pieces.flatMap(({ reach }) => Object.keys(reach) as Term[]));
  const reach = [...terms].map((term) => {
    const add = (side: 0 | 1) => {
      const reaches = pieces.map(({ reach }) => reach[term]?.[side] ?? 0);
      return shared.includes(term) ? sumOf(reaches) : Math.hypot(...reaches);
    };
    return [term, [add(0), add(1)]];
  });
  const energy = sumOf(pieces, (piece) => piece.energy);
  return { energy, reach: Object.fromEntries(reach) };
}

/** Group of a step by its name, in the order of the steps. */
const GROUPS = {
  budget: /^Budget$/,
  weather: /^(Budget to|Wind|Air)/,
  availability: /^(?!Budget|Wind|Air|Limited|Lasting|Produced|.*unexplained)/i,
  change: /^(Limited|Lasting)/,
  rest: /unexplained/i,
  produced: /^Produced$/,
} as const;

/** Group of a step. */
export type StepGroup = keyof typeof GROUPS;

const rankOf = (name: string) => Object.values(GROUPS).findIndex((pattern) => pattern.test(name));

/** Finds the group of a step by its name. */
export const groupOf = (name: string): StepGroup => Object.keys(GROUPS)[rankOf(name)] as StepGroup;

/** Sorts the names of steps, also of several turbines. */
const sortSteps = (names: readonly string[]): string[] =>
  [...new Set(names)].sort((a, b) => rankOf(a) - rankOf(b));

/** Sums steps. */
export function addSteps(all: readonly Steps[], shared: readonly Term[]): Steps {
  const names = sortSteps(all.flatMap((steps) => [...steps.keys()]));
  const pieces = (name: string) => all.flatMap((steps) => steps.get(name) ?? []);
  return new Map(names.map((name) => [name, addStep(pieces(name), shared)]));
}

/** Loss of a category of stops in a period, MWh. */
export type StopLoss = Loss & { readonly name: string };

/** Additions of a budget to a period of a performance check. */
export interface BudgetPeriod extends Readonly<Record<"budget" | "level" | "reach", number>> {
  /** Target availability in the budget, as a share. */
  readonly availability: number;
  /** Whether the level comes from the explained months themselves: then it is part of the first step. */
  readonly joined: boolean;
  /** Losses of stops by category; `undefined` if categories are not known. */
  readonly stops: readonly StopLoss[] | undefined;
}

/** Smaller losses are rounding errors, MWh. */
const LEAST = 1e-6;

/**
 * Splits the difference between budget and production: deviation of the plan from normal, wind and air density at the
 * turbine's level, stops by category, a lasting change, and the rest, with the combined uncertainty of all others.
 *
 * @returns Each step of the period by its name; they sum exactly
 */
export function splitBudget(
  { produced, predicted, steps, error, outages }: DeviationSteps["periods"][number],
  { budget, level, reach, availability, joined, stops }: BudgetPeriod,
): Steps {
  const atLevel = (energy: number, model = false): Step => {
    const [levelReach, modelReach] = [reach * energy, level * error];
    return {
      energy: level * energy,
      reach: {
        ...(reach > 0 && { level: [levelReach, levelReach] }),
        ...(model && { model: [modelReach, modelReach] }),
      },
    };
  };
  const all = [...steps];
  const [[first, { energy }], [last, { reach: restReach }]] = [all[0], all[all.length - 2]];
  const unknown = first === NAMES.predicted;
  const normal = atLevel(energy, unknown);
  const plan = budget / availability;
  const unassigned = outages.lost - sumOf(stops ?? [], ({ lost }) => lost);
  const shift = unassigned - outages.lost; // the loss of other categories gets the interval of all: wide rather than narrow
  const otherStops = {
    name: "Other stops",
    lost: unassigned,
    lost_low: outages.lost_low + shift,
    lost_high: outages.lost_high + shift,
  };
  const start = [
    "Budget to normal",
    ...(unknown ? [NAMES.wind, NAMES.density] : []),
    ...(joined ? ["level"] : []),
  ];
  const budgetSteps: [string, Step][] = [
    ["Budget", certain(budget)],
    [joinSteps(...start), { ...normal, energy: normal.energy - plan }],
    ...(availability < 1
      ? [["Stops in the budget", certain(plan - budget)] as [string, Step]]
      : []),
    ...all.slice(1, -2).flatMap(([name, step]): [string, Step][] => {
      if (name === NAMES.change || name === NAMES.limited) return [[name, step]];
      if (name !== NAMES.availability) {
        const { energy, reach } = step;
        return [[name, reach.model ? atLevel(energy, true) : certain(level * energy)]];
      }
      if (!stops) return [[name, step]];
      const all = Math.abs(unassigned) < LEAST ? stops : [...stops, otherStops];
      return all.map((one) => [one.name, lossStep("outages", one)]);
    }),
  ];
  const reachOfRest = restReach.model ? { ...restReach, ...atLevel(predicted, true).reach } : {};
  const sum = sumOf(budgetSteps, ([, { energy }]) => energy);
  return new Map([
    ...budgetSteps,
    [last, { energy: produced - sum, reach: reachOfRest }],
    [NAMES.produced, certain(produced)],
  ]);
}
