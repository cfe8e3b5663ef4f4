import { formatMonthSpan } from "../../show/text/month.ts";
import {
  formatFigures,
  formatNumber,
  formatPercent,
  formatSigned,
  joinNames,
  lowerFirst,
} from "../../show/text/numbers.ts";
import { NAMES } from "../check_performance/deviation_steps.ts";
import { units as checkUnits, words as checkWords } from "../check_performance/words.ts";
import type { Found } from "../series/findings.ts";
import type { StepGroup } from "./steps.ts";

/** Units of the figures of findings, by name; those of steps are of the budget. */
export const units = { ...checkUnits, budget: "MWh", share: "%", low: "%", high: "%" } as const;

/** How a rest is judged by its interval; `null` for one that has none. */
export type RestState = "within chance" | "less" | "more" | null;

/** A step of a sentence: its share of the budget, %, and the ends of its 90 % interval. */
type Step = Readonly<Record<"share" | "low" | "high", number>> & {
  readonly step: string;
  readonly group: StepGroup;
  readonly state: RestState;
};

/** Shares below are left out of a sentence, %. */
const LEAST = 0.05;

const JUDGED = {
  "within chance": "within what chance gives",
  less: "less than chance gives: no step names the cause",
  more: "more than chance gives: no step names the cause",
} as const;

const list = (steps: readonly Step[]) =>
  steps.map(({ step, share }) => `${lowerFirst(step)} ${formatSigned(share, 1)} %`);

const formatRest = ({ step, share, low, high, state }: Step) =>
  `${step === NAMES.unexplained ? "the rest" : lowerFirst(step)}, ${formatSigned(share, 1)} %` +
  (state
    ? ` (90 % interval ${formatFigures([low, high], "%")}), is ${JUDGED[state]}`
    : ", cannot be judged");

/** Formats the steps before the rest; those of stops in one, with its parts. */
function formatSteps(steps: readonly Step[]): string[] {
  const shown = steps.filter(({ share }) => Math.abs(share) >= LEAST);
  const of = (group: StepGroup) => shown.filter((one) => one.group === group);
  const stops = of("availability");
  const lost = stops.reduce((sum, { share }) => sum + share, 0);
  const parts = list(stops);
  const joined = `availability ${formatSigned(lost, 1)} % (${parts.join(", ")})`;
  return [...list(of("weather")), ...(parts.length > 1 ? [joined] : parts), ...list(of("change"))];
}

/** Sentences of a budget's deviation, by what was found. */
export const ownWords = {
  budget_deviation: (
    { from, to, budget, produced, steps }: {
      from: string;
      to: string;
      budget: number;
      produced: number;
      steps: readonly Step[];
    },
  ) => {
    const share = 100 * (produced / budget - 1);
    const rest = steps.filter(({ group }) => group === "rest").map(formatRest);
    return `${formatMonthSpan(from, to)} is ${formatPercent(Math.abs(share))} ${
      share < 0 ? "below" : "above"
    } budget (${formatNumber(produced)} of ${formatFigures([budget], "MWh")}): ${
      [formatSteps(steps).join(", "), ...rest].filter((text) => text !== "").join("; ")
    }.`;
  },
  budgets: ({ budgets }: { budgets: readonly { name: string; ratio: number }[] }) =>
    `Produced of each budget: ${
      joinNames(budgets.map(({ name, ratio }) => `${name} ${formatPercent(ratio)}`), 12)
    }.`,
  level_before: ({ count, level }: { count: number; level: number }) =>
    `Steps are at ${
      formatPercent(level)
    } of the model, what the turbine made outside of stops in the ${count} ` +
    "months or years before the budget: the rest is what differs since then.",
  level_joined: ({ level }: { level: number }) =>
    `Steps are at ${
      formatPercent(level)
    } of the model, what the turbine made outside of stops in this time: ` +
    "nothing tells whether the plan was wrong or the turbine was so all the time, so that both are in the first " +
    "step. Give production of six months before the budget, or { level }.",
  no_level: () =>
    "Steps are at the level of the model, and the rest includes what the turbine differs from it: fewer than " +
    "six months or years tell. Give longer production, or { level }.",
  part_of_hours: ({ periods }: { periods: readonly string[] }) =>
    `Of the budget the part of the hours counts that is compared: ${joinNames(periods, 12)}.`,
  left_out: ({ periods }: { periods: readonly string[] }) =>
    `Left out, with less than 80 % of the hours, or no normal: ${joinNames(periods, 12)}.`,
  in_one_wind: () =>
    "Turbines are taken to stand in one wind: errors of wind and level add up in full, those of stops and " +
    "changes as independent ones. The intervals are wide rather than narrow.",
};

/** Sentences of a budget's deviation, and those of the performance check in it. */
export const words = { ...checkWords, ...ownWords };

/** What was found of a budget's deviation. */
export type BudgetDeviationFound = Found<typeof words>;
