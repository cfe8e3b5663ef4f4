import { type DeviationSteps, joinSteps, NAMES } from "../check_performance/deviation_steps.ts";
import type { LossInterval } from "../check_performance/lost_energy.ts";

/** Distances of the ends of a 90 % interval from an energy, MWh; NaN where they are not known. */
type Reach = readonly [below: number, above: number];

/** What makes steps uncertain, independent of each other; the reach of `level` has the sign of its effect. */
export type Term = "model" | "level" | "outages" | "changes";

/** An energy of a step, MWh, and what makes it uncertain. */
export interface Piece {
  readonly energy: number;
  readonly reach: Readonly<Partial<Record<Term, Reach>>>;
}

/** What errs alike in all months of a turbine: its level and what a lasting change costs; model and outages err anew. */
export const IN_ALL_MONTHS: readonly Term[] = ["level", "changes"];

/** What errs alike in all turbines, which are taken to stand in one wind; stops and changes are their own. */
export const IN_ONE_WIND: readonly Term[] = ["model", "level"];

/** Adds up pieces of one step, whose shared errors add up in full, others as roots of sums of squares. */
export function addPieces(pieces: readonly Piece[], shared: readonly Term[]): Piece {
  const terms = new Set(pieces.flatMap(({ reach }) => Object.keys(reach) as Term[]));
  const reach = [...terms].map((term) => {
    const add = (side: 0 | 1) => {
      const own = pieces.map(({ reach }) => reach[term]?.[side] ?? 0);
      return shared.includes(term) ? own.reduce((sum, one) => sum + one, 0) : Math.hypot(...own);
    };
    return [term, [add(0), add(1)]];
  });
  const energy = pieces.reduce((sum, piece) => sum + piece.energy, 0);
  return { energy, reach: Object.fromEntries(reach) };
}

/** Computes the ends of the 90 % interval of a piece; NaN for one that is certain, or has none. */
export function computeEnds({ energy, reach }: Piece): LossInterval {
  const own = Object.values(reach);
  const add = (side: 0 | 1) => own.length > 0 ? Math.hypot(...own.map((one) => one[side])) : NaN;
  return { low: energy - add(0), high: energy + add(1) };
}

/** What a step is about, by its name, in the order of the steps. */
const GROUPS = {
  budget: /^Budget$/,
  weather: /^(Budget to|Wind|Air)(?!.*unexplained)/,
  availability: /^(?!Budget|Wind|Air|Lasting|Produced|.*unexplained)/i,
  change: /^Lasting/,
  rest: /unexplained/i,
  produced: /^Produced$/,
} as const;

/** What a step is about. */
export type StepGroup = keyof typeof GROUPS;

const rankOf = (name: string) => Object.values(GROUPS).findIndex((own) => own.test(name));

/** Finds what a step is about, by its name. */
export const groupOf = (name: string): StepGroup => Object.keys(GROUPS)[rankOf(name)] as StepGroup;

/** Puts the names of steps, also of several turbines, into their order. */
export const sortSteps = (names: readonly string[]): string[] =>
  [...new Set(names)].sort((a, b) => rankOf(a) - rankOf(b));

/** What a category of stops cost in a period, MWh. */
export type StopLoss = LossInterval & { readonly name: string; readonly lost: number };

/** What makes a period of a performance check one of a budget. */
export interface BudgetPeriod extends Readonly<Record<"budget" | "level" | "reach", number>> {
  /** Target availability in the budget, as a share. */
  readonly availability: number;
  /** Whether the level is that of the explained time: then it is part of the first step. */
  readonly joined: boolean;
  /** What stops cost by category; `undefined` where categories are not known. */
  readonly stops: readonly StopLoss[] | undefined;
}

/** Less than this is a rounding error of losses, MWh. */
const LEAST = 1e-6;

/** What lost an energy; without an interval where nothing was lost. */
function lose(term: Term, { lost, low, high }: Omit<StopLoss, "name">): Piece {
  const certain = lost === 0 && !(low < high);
  return { energy: 0 - lost, reach: certain ? {} : { [term]: [high - lost, lost - low] } };
}

/**
 * Leads from the budget to what was produced: what the plan differs from normal, wind and air density at the turbine's level, stops by
 * category, a lasting change, and the rest, as uncertain as all others.
 *
 * @returns Each step of the period by its name; they sum exactly
 */
export function splitBudget(
  { names, signs }: DeviationSteps,
  { period, energies, terms }: DeviationSteps["periods"][number],
  { budget, level, reach, availability, joined, stops }: BudgetPeriod,
): ReadonlyMap<string, Piece> {
  const atLevel = (energy: number, model = false): Piece => {
    const [own, error] = [reach * energy, level * terms.model.high];
    return {
      energy: level * energy,
      reach: { ...(reach > 0 && { level: [own, own] }), ...(model && { model: [error, error] }) },
    };
  };
  const certain = (energy: number): Piece => ({ energy, reach: {} });
  const unknown = names[0] === NAMES.predicted;
  const normal = atLevel(energies[0], unknown);
  const plan = budget / availability;
  const { outages, changes } = terms;
  const left = outages.lost - (stops ?? []).reduce((sum, { lost }) => sum + lost, 0);
  const shift = left - outages.lost; // what others lost has the interval of all: wide rather than narrow
  const others = { lost: left, low: outages.low + shift, high: outages.high + shift };
  const last = names.length - 2;
  const start = [
    "Budget to normal",
    ...(unknown ? [NAMES.wind, NAMES.density] : []),
    ...(joined ? ["level"] : []),
  ];
  const steps: [string, Piece][] = [
    ["Budget", certain(budget)],
    [joinSteps(...start), { ...normal, energy: normal.energy - plan }],
    ...(availability < 1
      ? [["Stops in the budget", certain(plan - budget)] as [string, Piece]]
      : []),
    ...names.slice(1, last).flatMap((name, i): [string, Piece][] => {
      if (name === NAMES.change) return [[name, lose("changes", changes)]];
      if (name !== NAMES.availability) {
        const energy = energies[i + 1];
        return [[name, signs[i + 1].model ? atLevel(energy, true) : certain(level * energy)]];
      }
      if (!stops) return [[name, lose("outages", outages)]];
      const all = Math.abs(left) < LEAST ? stops : [...stops, { name: "Other stops", ...others }];
      return all.map((one) => [one.name, lose("outages", one)]);
    }),
  ];
  const gains = (["outages", "changes"] as const).flatMap((term) =>
    Object.values(lose(term, terms[term]).reach).map(([below, above]) => [term, [above, below]])
  );
  const rest = signs[last].model === -1
    ? { ...atLevel(period.predicted, true).reach, ...Object.fromEntries(gains) }
    : {};
  const sum = steps.reduce((total, [, { energy }]) => total + energy, 0);
  return new Map([
    ...steps,
    [names[last], { energy: period.produced - sum, reach: rest }],
    [NAMES.produced, certain(period.produced)],
  ]);
}
