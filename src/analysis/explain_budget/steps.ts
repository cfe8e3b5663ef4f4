import { type DeviationSteps, joinSteps, NAMES } from "../check_performance/deviation_steps.ts";
import type { LossInterval } from "../check_performance/lost_energy.ts";

/** Distances of the ends of a 90 % interval from an energy, MWh; NaN where they are not known. */
type Reach = readonly [below: number, above: number];

/** What makes steps uncertain, independent of each other; the reach of `level` has the sign of its effect. */
type Term = "model" | "level" | "outages" | "changes";

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
    const own = pieces.map(({ reach }) => reach[term] ?? [0, 0]);
    const add = (side: 0 | 1) =>
      shared.includes(term)
        ? own.reduce((sum, one) => sum + one[side], 0)
        : Math.hypot(...own.map((one) => one[side]));
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

/** What a step is about. */
export type StepGroup = "total" | "weather" | "availability" | "change" | "rest";

const TOTALS: readonly string[] = ["Budget", NAMES.produced];

/** Finds what a step is about, by its name. */
export function groupOf(name: string): StepGroup {
  if (TOTALS.includes(name)) return "total";
  if (/unexplained/i.test(name)) return "rest";
  if (name === NAMES.change) return "change";
  return /^(Budget to|Wind|Air)/.test(name) ? "weather" : "availability";
}

/** What a category of stops cost in a period, MWh. */
export type StopLoss = LossInterval & { readonly name: string; readonly lost: number };

/** What makes the steps of a performance check those of a budget. */
export interface BudgetInput {
  /** Of each period its budgeted energy, and produced over modelled energy outside of stops with half its 90 % interval. */
  readonly periods: readonly (Readonly<Record<"budget" | "level" | "reach", number>> & {
    /** What stops cost by category; `undefined` where categories are not known. */
    readonly stops: readonly StopLoss[] | undefined;
  })[];
  /** Target availability of the budget, as a share. */
  readonly availability: number;
  /** Whether the level is that of the explained time: then it is part of the first step. */
  readonly joined: boolean;
}

/** Less than this is a rounding error of losses, MWh. */
const LEAST = 1e-6;

const both = (reach: number): Reach => [reach, reach];

/** What lost an energy; without an interval where nothing was lost. */
function lose(term: Term, { lost, low, high }: Omit<StopLoss, "name">): Piece {
  const certain = lost === 0 && !(low < high);
  return { energy: 0 - lost, reach: certain ? {} : { [term]: [high - lost, lost - low] } };
}

/**
 * Leads from the budget to what was produced, in the order of a performance check: what the plan differs from normal, wind and air
 * density at the turbine's level, stops by category, a lasting change, and the rest, as uncertain as all others.
 *
 * @returns Names of the steps, and their pieces in each period, which sum exactly
 */
export function splitBudget(
  { names, signs, periods }: DeviationSteps,
  input: BudgetInput,
): { readonly names: readonly string[]; readonly pieces: readonly (readonly Piece[])[] } {
  const { availability, joined } = input;
  const [first, last] = [names[0] === NAMES.predicted, names.length - 2];
  const stops = input.periods.map((own, i): readonly StopLoss[] | undefined => {
    if (!own.stops) return undefined;
    const { outages } = periods[i].terms;
    const lost = outages.lost - own.stops.reduce((sum, one) => sum + one.lost, 0);
    // What others lost has the interval of all: wide rather than narrow.
    const [low, high] = [lost + outages.low - outages.lost, lost + outages.high - outages.lost];
    return Math.abs(lost) < LEAST
      ? own.stops
      : [...own.stops, { name: "Other stops", lost, low, high }];
  });
  const categories = [...new Set(stops.flatMap((own) => own ?? []).map(({ name }) => name))];
  const middle = names.slice(1, last);
  const byCategory = (name: string) => name === NAMES.availability && stops[0] !== undefined;
  const pieces = periods.map(({ period, energies, terms }, i) => {
    const { budget, level, reach } = input.periods[i];
    const atLevel = (energy: number, model = false): Piece => ({
      energy: level * energy,
      reach: {
        ...(reach > 0 && { level: both(reach * energy) }),
        ...(model && { model: both(level * terms.model.high) }),
      },
    });
    const normal = atLevel(energies[0], first);
    const plan = budget / availability;
    const list = [
      { energy: budget, reach: {} },
      ...(availability < 1 ? [{ energy: plan - budget, reach: {} }] : []),
      { ...normal, energy: normal.energy - plan },
      ...middle.flatMap((name, j) => {
        if (byCategory(name)) {
          const none = { lost: 0, low: NaN, high: NaN };
          return categories.map((name) =>
            lose("outages", stops[i]!.find((one) => one.name === name) ?? none)
          );
        }
        if (name === NAMES.availability) return [lose("outages", terms.outages)];
        if (name === NAMES.change) return [lose("changes", terms.changes)];
        return [atLevel(energies[j + 1], signs[j + 1].model === 1)];
      }),
    ];
    const sum = list.reduce((total, { energy }) => total + energy, 0);
    const gain = (term: "outages" | "changes") =>
      Object.values(lose(term, terms[term]).reach).map(([below, above]) => [term, [above, below]]);
    const rest = signs[last].model !== -1 ? {} : {
      ...atLevel(period.predicted, true).reach,
      ...Object.fromEntries([...gain("outages"), ...gain("changes")]),
    };
    return [
      ...list,
      { energy: period.produced - sum, reach: rest },
      { energy: period.produced, reach: {} },
    ];
  });
  return {
    names: [
      "Budget",
      ...(availability < 1 ? ["Stops in the budget"] : []),
      joinSteps(
        "Budget to normal",
        ...(first ? [NAMES.wind, NAMES.density] : []),
        ...(joined ? ["level"] : []),
      ),
      ...middle.flatMap((name) => byCategory(name) ? categories : [name]),
      ...names.slice(last),
    ],
    pieces,
  };
}
