import {
  formatCount,
  formatFigures,
  formatMonthSpan,
  formatPercent,
  formatSigned,
  joinNames,
} from "../../show/text/numbers.ts";
import { NAMES } from "../check_performance/deviation_steps.ts";
import { units as checkUnits, words as checkWords } from "../check_performance/words.ts";
import type { FindingOf } from "../series/answer.ts";
import { VALUES_APART } from "../verdict/words.ts";
import { groupOf, type StepGroup } from "./steps.ts";
import { sumOf } from "../../stats/spread.ts";

/** Units of the figures of findings, by name; shares of steps relate to the budget. */
export const units = {
  ...checkUnits,
  budget: "MWh",
  energy_low: "MWh",
  energy_high: "MWh",
} as const;

/** Verdict on an unexplained step by its interval; `null` without an interval. */
export type RestState = "within chance" | "less" | "more" | null;

/** A step, MWh, with its share of the budget, %. */
export type StepRow =
  & Readonly<Record<"energy" | "energy_low" | "energy_high" | "share", number>>
  & { readonly step: string; readonly state: RestState; readonly value?: number };

/** Smaller shares are left out of a sentence, %. */
const LEAST = 0.05;

const JUDGED = {
  "within chance": "within the range of chance",
  less: "a loss too large to be chance",
  more: "a gain too large to be chance",
} as const;

const formatStep = (step: string, share: number) =>
  `${step.toLowerCase()} ${formatSigned(share, 1)} %`;

/** Formats the steps; stops are one step with its parts. */
function formatSteps(steps: readonly StepRow[], budget: number): string {
  const of = (...groups: StepGroup[]) => steps.filter(({ step }) => groups.includes(groupOf(step)));
  const list = (rows: readonly StepRow[]) =>
    rows.filter(({ share }) => Math.abs(share) >= LEAST)
      .map(({ step, share }) => formatStep(step, share));
  const stops = of("availability");
  const parts = list(stops);
  const lost = formatStep("availability", sumOf(stops, ({ share }) => share));
  const unexplained = of("rest").map(
    ({ step, share, state, energy_low: low, energy_high: high }) => {
      const ends = [low, high].map((end) => 100 * end / budget);
      return ` The unexplained rest${
        step === NAMES.unexplained ? "" : ", which includes stops,"
      } is ${formatSigned(share, 1)} % (${
        state ? `90 % interval ${formatFigures(ends, "%")}), ${JUDGED[state]}` : "no interval)"
      }.`;
    },
  );
  const known = [
    ...list(of("weather")),
    ...(parts.length > 1
      ? [`${lost} (${parts.join(", ").replace("availability", "other stops")})`]
      : parts),
    ...list(of("change")),
  ];
  return `${known.length > 0 ? `: ${known.join(", ")}` : ""}.${unexplained.join("")}`;
}

/** Level of the turbine, % of the model, and the number of months or years that it comes from. */
type Level = Readonly<Record<"count" | "level", number>> & { readonly by: "month" | "year" };

/** Sentences of a budget's deviation, by finding code. */
export const deviationWords = {
  budget_deviation: (
    { from, to, budget, produced, steps, money }: {
      from: string;
      to: string;
      budget: number;
      produced: number;
      steps: readonly StepRow[];
      money?: { readonly currency: string; readonly values: readonly number[] };
    },
  ) => {
    const share = 100 * (produced / budget - 1);
    return `${formatMonthSpan(from, to)} is ${formatPercent(Math.abs(share))} ${
      share < 0 ? "below" : "above"
    } budget (${formatFigures([produced, budget], "MWh", " instead of ")}${
      money ? `, ${formatFigures(money.values, money.currency, " instead of ")}` : ""
    })${formatSteps(steps, budget)}`;
  },
  budgets: ({ budgets }: { budgets: readonly { name: string; ratio: number }[] }) =>
    `Production is ${
      joinNames(budgets.map(({ name, ratio }) => `${formatPercent(ratio)} of "${name}"`), 12)
    }.`,
  level_before: ({ count, level, by }: Level) =>
    `The turbine's level without stops, ${formatPercent(level)} of the model, comes from the ${
      formatCount(count, by)
    } before the budget period. The unexplained rest shows the change since then.`,
  level_joined: ({ level, by }: Level) =>
    `The turbine's level without stops, ${
      formatPercent(level)
    } of the model, comes from the whole record. ` +
    "The first step therefore combines the error of the plan and the turbine's usual deviation from the model. " +
    `To separate them, give production for six ${by}s before the budget period, or { level }.`,
  no_level: ({ by }: Level) =>
    `The steps use the level of the model, because the record has fewer than six usable ${by}s. The unexplained rest includes ` +
    "the turbine's deviation from the model. Give a longer record, or { level }.",
  part_of_hours: ({ periods }: { periods: readonly string[] }) =>
    `Some hours of ${
      joinNames(periods, 12)
    } lack values, so the comparison reduces the budget in proportion.`,
  left_out: ({ periods }: { periods: readonly string[] }) =>
    `The comparison leaves out ${
      joinNames(periods, 12)
    }, because the normal energy is unknown, or less than 80 % of the hours have both production and model data.`,
  periods_unpriced: ({ periods }: { periods: readonly string[] }) =>
    `The value is unknown, because prices are missing in ${joinNames(periods, 12)}. ` +
    "Give prices for all hours.",
  turbines_unpriced: () => VALUES_APART,
  in_one_wind: () =>
    "The intervals assume that all turbines share the errors of wind and level, and that errors of stops and " +
    "changes are independent. So they are more likely too wide than too narrow.",
};

/** Sentences of a budget's deviation, and of its performance check. */
export const words = { ...checkWords, ...deviationWords };

/** Findings on a budget's deviation. */
export type BudgetDeviationFinding = FindingOf<typeof words>;
