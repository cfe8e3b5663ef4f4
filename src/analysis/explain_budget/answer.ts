import type { DataFrame } from "nodejs-polars";
import { addedColumn, type Column, pickColumns } from "../../api/columns/column.ts";
import { formatMonthSpan } from "../../show/text/numbers.ts";
import { monthAsDays, monthOfNumber } from "../../time/zones.ts";
import type { Steps } from "../check_performance/deviation_steps.ts";
import { listSteps, periodColumns, priceSteps } from "../check_performance/frames.ts";
import { labelOf } from "../check_performance/production.ts";
import { type Answer, buildAnswer, writeFindings } from "../series/answer.ts";
import { comparisonColumns } from "../series/compared_series.ts";
import { groupOf } from "./steps.ts";
import {
  type BudgetDeviationFinding,
  type RestState,
  type StepRow,
  units,
  words,
} from "./words.ts";

/** Deviation of a turbine, or a fleet, from its budget; it shows itself in notebooks and on the console. */
export interface BudgetDeviation extends Answer {
  /**
   * `steps`, from budget to production over the whole time: `step`, `energy` (MWh) with the ends `energy_low` and
   * `energy_high` of its 90 % interval, its `share` of the budget (%), and the `state` of the rest: `within chance`,
   * `less`, `more`, or null if it cannot be judged; `stepsByPeriod`, the same for each `month` or `year`.
   * `plotShortfall()` draws them, `{ month: "2025-03" }` one.
   *
   * `budgets`, one row per budget, or per turbine of a fleet: `name`, `budget`, `produced` and `deviation` (MWh),
   * `ratio` (%).
   */
  readonly frames: {
    readonly steps: DataFrame;
    readonly stepsByPeriod: DataFrame;
    readonly budgets: DataFrame;
  };
}

const [produced, ratio] = pickColumns(comparisonColumns, ["produced", "ratio"]);

/** Column of a budget in the caller's frame. */
export const budgetColumn: Column = addedColumn(
  "budget",
  "f64",
  "Budget",
  "Budgeted energy.",
  "MWh",
);
const budgetsColumns = [
  addedColumn("name", "utf8", "Name", "Name of the budget, or the turbine."),
  budgetColumn,
  produced,
  addedColumn("deviation", "f64", "Deviation", "Produced less budgeted energy.", "MWh"),
  { ...ratio, description: "Produced over budgeted energy." },
];
const stateColumn = addedColumn(
  "state",
  "utf8",
  "State",
  "`within chance`, `less` or `more`: the rest, by its interval.",
);

/** The steps of a turbine or a fleet, before they become an answer. */
export interface Deviation {
  readonly title: string;
  readonly by: "month" | "year";
  readonly periods: ReadonlyMap<number, Steps>;
  readonly whole: Steps;
  /** The same in the currency of prices, if every part has prices. */
  readonly value?: Pick<Deviation, "periods" | "whole"> & { readonly currency: string };
  readonly budgets: readonly Readonly<Record<"budget" | "produced", number> & { name: string }>[];
  readonly notes: readonly BudgetDeviationFinding[];
  readonly origin: Answer["provenance"];
}

/** Sources of answers, for the sums of a fleet. */
export const deviationOfAnswer = new WeakMap<object, Deviation>();

/** Judges an unexplained step by its 90 % interval. */
function judge(step: string, low: number, high: number): RestState {
  if (groupOf(step) !== "rest" || Number.isNaN(low + high)) return null;
  return high < 0 ? "less" : low > 0 ? "more" : "within chance";
}

/** Lists the steps as rows of a frame. */
const judgeSteps = (steps: Steps, worth?: Steps): StepRow[] =>
  listSteps(steps, worth).map((row) => (
    { ...row, state: judge(row.step, row.energy_low, row.energy_high) }
  ));

/** Writes the steps as an answer. */
export function writeDeviation(deviation: Deviation): BudgetDeviation {
  const { title, by, periods, whole, value, notes, origin } = deviation;
  const numbers = [...periods.keys()].sort((a, b) => a - b);
  const labels = [numbers[0], numbers[numbers.length - 1]].map((number) => labelOf(number, by));
  const find = (steps: readonly StepRow[], from: string): BudgetDeviationFinding => {
    const [first, last] = [steps[0], steps[steps.length - 1]];
    const money = value && { currency: value.currency, values: [last.value!, first.value!] };
    return {
      code: "budget_deviation",
      from,
      to: labels[1],
      budget: first.energy,
      produced: last.energy,
      steps: steps.slice(1, -1),
      ...(money && { money }),
    };
  };
  const budgets = deviation.budgets.map((one) => ({
    ...one,
    deviation: one.produced - one.budget,
    ratio: 100 * one.produced / one.budget,
  }));
  const each = numbers.map((number) =>
    judgeSteps(periods.get(number)!, value?.periods.get(number))
  );
  const results = [
    ...(each.length > 1 ? [find(each[each.length - 1], labels[1])] : []),
    find(judgeSteps(whole, value?.whole), labels[0]),
    ...(budgets.length > 1 ? [{ code: "budgets", budgets } as const] : []),
  ];
  const columns = [...priceSteps(value?.currency), stateColumn];
  const key = (i: number) => by === "month" ? monthAsDays(monthOfNumber(numbers[i])) : numbers[i];
  const answer = buildAnswer({}, {
    title: `${title}, ${formatMonthSpan(labels[0], labels[1])}`,
    frames: {
      steps: {
        title: "From budget to produced energy",
        columns,
        rows: judgeSteps(whole, value?.whole),
      },
      stepsByPeriod: {
        columns: [periodColumns[by], ...columns],
        rows: each.flatMap((rows, i) => rows.map((row) => ({ [by]: key(i), ...row }))),
      },
      budgets: { title: "Budgets", columns: budgetsColumns, rows: budgets },
    },
    findings: writeFindings(words, units, results, notes),
    origin,
  });
  deviationOfAnswer.set(answer, deviation);
  return answer;
}
