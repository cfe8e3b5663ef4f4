import type { DataFrame } from "nodejs-polars";
import { month } from "../../api/columns/columns.ts";
import { productionColumns } from "../../frames/production/production.ts";
import { joinOrigins } from "../../frames/origin/provenance.ts";
import { buildRefuse, readMonths, readNumbers, readTexts } from "../../frames/read_columns.ts";
import { checkFrame, isFrame } from "../../show/check_frame.ts";
import { readMonthRange, type TimeRange } from "../../show/options/range.ts";
import {
  declareOptions,
  type FilledOptions,
  readOptions,
} from "../../show/options/read_options.ts";
import { formatCount } from "../../show/text/numbers.ts";
import { monthNumberOf } from "../../time/zones.ts";
import { computeNormalBand, selectStableRatios } from "../check_performance/band.ts";
import { checkInput } from "../check_performance/check_performance.ts";
import type { CheckResult } from "../check_performance/check_result.ts";
import {
  type DeviationSteps,
  NAMES,
  splitDeviation,
  type Steps,
} from "../check_performance/deviation_steps.ts";
import { type CheckPerformanceOptions, MISSING_PREDICTIONS } from "../check_performance/options.ts";
import {
  MIN_COMPLETENESS_OF_RATIO,
  type PeriodResult,
  scaleLoss,
} from "../check_performance/losses/lost_energy.ts";
import { listNotes } from "../check_performance/summary.ts";
import { measureAvailability } from "../measure_availability/measure_availability.ts";
import { computeProductionLevel } from "../plan_budget/level.ts";
import { assertPlanned, type Budget, computeDecline } from "../plan_budget/months.ts";
import {
  budgetColumn,
  type BudgetDeviation,
  type Deviation,
  deviationOfAnswer,
  writeDeviation,
} from "./answer.ts";
import { addSteps, IN_ALL_MONTHS, IN_ONE_WIND, splitBudget, type StopLoss } from "./steps.ts";
import type { BudgetDeviationFinding } from "./words.ts";
import { sumOf } from "../../stats/spread.ts";

export type { BudgetDeviation } from "./answer.ts";

/** A budget: the answer of `planBudget()`, or your own frame with `month` (or `year`) and `budget` in MWh. */
export type GivenBudget = DataFrame | Pick<Budget, "frames" | "availability" | "degradation">;

/** Answers of `explainBudget()` for the turbines of a fleet, by name. */
export type FleetDeviations = Readonly<Record<string, BudgetDeviation>>;

/** Options of {@linkcode explainBudget}: those of `checkPerformance()`, and options of the budget. */
export interface ExplainBudgetOptions extends
  Pick<
    CheckPerformanceOptions,
    | "indices"
    | "details"
    | "outages"
    | "events"
    | "neighbours"
    | "changed"
    | "price"
    | "currency"
    | "units"
  >,
  TimeRange {
  /**
   * Production of the turbine: hours, months or years. Include months before the budget, because they show what the
   * turbine usually produces.
   */
  readonly production: DataFrame;
  /** Model data or monthly indices of one turbine, as for `checkPerformance()`. @default the indices */
  readonly predicted?: DataFrame;
  /** More budgets by name, such as `{ P90: frame }`: the frame `budgets` has the deviation from each. @default none */
  readonly others?: Readonly<Record<string, GivenBudget>>;
  /**
   * Target availability in the budget, % of the energy. @default the one of `planBudget()`; a frame has no budgeted
   * stops
   */
  readonly availability?: number;
  /** Number of turbines in production and budget, which multiplies the model of one turbine. @default {1} */
  readonly units?: number;
  /**
   * Produced over modelled energy outside of stops, such as 0.97. @default from six months or more before the budget,
   * else from these months
   */
  readonly level?: number;
}

const OPTIONS = declareOptions<ExplainBudgetOptions>()(
  "production! predicted indices details outages events neighbours changed price currency from to others availability level",
  { units: 1 },
);

/** Smallest share of the hours of a month with a price that gives the month a value. */
const MIN_PRICED = 0.98;

const ACTION = "explain the deviation from the budget";
const refuse = buildRefuse(ACTION);

const [year] = productionColumns.year;
/** Reads a budget by months or years, like the production: months are summed to whole years. */
function readBudget(budget: GivenBudget, name: string, by: "month" | "year"): Map<number, number> {
  const planned = isFrame(budget) ? undefined : budget?.frames?.months;
  const frame = planned ?? budget;
  checkFrame(frame, ACTION, "planBudget()");
  const energy = planned ? "expected" : budgetColumn.name;
  const [dateColumn] = [month, year].filter(({ name }) => frame.columns.includes(name));
  if (!dateColumn || !frame.columns.includes(energy) || (dateColumn === year && by === "month")) {
    return refuse(
      `${name} needs the columns "${by}" and "${energy}" (MWh), because the production is by ${by}s. Its columns are ${
        frame.columns.join(", ")
      }. Add or rename the columns`,
    );
  }
  const read = dateColumn === month ? readMonths : readNumbers;
  const values = readNumbers(frame, energy, refuse);
  const rows = Array.from(
    read(frame, dateColumn.name, refuse),
    (number, i) => [number, values[i]] as const,
  );
  if (
    new Set(rows.map(([number]) => number)).size < rows.length || !values.every((one) => one > 0)
  ) {
    refuse(
      `${name} repeats a ${dateColumn.name}, or has an energy that is not above 0. Correct these rows`,
    );
  }
  if (dateColumn.name === by) return new Map(rows);
  const years = [...Map.groupBy(rows, ([number]) => Math.floor(number / 12))]
    .filter(([, months]) => months.length === 12);
  return new Map(years.map(([year, months]) => [year, sumOf(months, ([, energy]) => energy)]));
}

/** Finds the level of the turbine outside of stops, before the budget or in all periods. */
function findLevel(
  { periods }: DeviationSteps,
  by: "month" | "year",
  first: number,
  declared: number | undefined,
) {
  const compute = (periods: DeviationSteps["periods"]) =>
    computeProductionLevel(periods.map(({ produced, predicted, outages, limits, changes }) => [
      produced + outages.lost + limits.lost + changes.lost,
      predicted,
    ]));
  const before = compute(periods.filter(({ period }) => period.number < first));
  const { value, reach, months: count } = before ?? compute(periods) ??
    { value: 1, reach: 0, months: 0 };
  if (declared !== undefined) return { level: declared, reach: 0, joined: false, notes: [] };
  const code = before ? "level_before" : count > 0 ? "level_joined" : "no_level";
  const notes: BudgetDeviationFinding[] = [{ code, count, level: 100 * value, by }];
  return { level: value, reach, joined: code === "level_joined", notes };
}

/** Measures the losses by category of a log, month by month; `undefined` if unknown. */
function measureStops(
  { hours }: CheckResult,
  { events, production, details }: ExplainBudgetOptions,
  predicted: DataFrame,
): Map<number, StopLoss[]> | undefined {
  if (!events || !hours) return undefined;
  const options = { production, predicted, ...(details && { details }) };
  const { monthCategories: rows } = measureAvailability(events, options).frames;
  const [counts, names] = ["counts", "category"].map((name) => readTexts(rows, name));
  const [lost, lows, highs] = ["lost", "lost_low", "lost_high"]
    .map((name) => readNumbers(rows, name, refuse));
  const all = readMonths(rows, month.name, refuse).map((number, i) => (
    { number, name: names[i]!, lost: lost[i], lost_low: lows[i], lost_high: highs[i] }
  )).filter(({ lost }, i) => counts[i] === "unavailable" && Number.isFinite(lost));
  return Map.groupBy(all, ({ number }) => number);
}

/** Explains the budget of one turbine, or of several behind one meter. */
function explainOne(
  givenBudget: GivenBudget,
  options: FilledOptions<ExplainBudgetOptions, "units">,
): BudgetDeviation {
  const { others = {}, level: declared, from, to, ...chosen } = options;
  const { production, indices, details } = chosen;
  checkFrame(production, ACTION, "readProduction()");
  const predicted = chosen.predicted ?? indices ?? refuse(MISSING_PREDICTIONS);
  checkFrame(predicted, ACTION, "monthlyIndices() or modelData()");
  const checked = checkInput(production, { ...chosen, predicted });
  const { by, periods } = checked;
  const expected = periods.map((period) => period.predicted);
  const band = computeNormalBand(selectStableRatios(checked), by, expected);
  const split = splitDeviation(checked, band);
  const budget = readBudget(givenBudget, "the budget", by);
  const range = readMonthRange({ from, to }, "any");
  const bound = (of?: Temporal.PlainYearMonth) =>
    of && (by === "month" ? monthNumberOf(of) : of.year);
  const [start, end] = [bound(range.from) ?? -Infinity, bound(range.to) ?? Infinity];
  const isWanted = ({ number }: PeriodResult) =>
    budget.has(number) && number >= start && number <= end;
  const shareOf = ({ completeness }: PeriodResult) => Number.isNaN(completeness) ? 1 : completeness;
  const compared = split.periods.filter(({ period }) =>
    isWanted(period) && shareOf(period) >= MIN_COMPLETENESS_OF_RATIO
  );
  if (compared.length === 0) {
    refuse(
      `no ${by} of the budget has enough production and model data. Both cover ${
        periods[0]?.label ?? "none"
      } to ${periods.at(-1)?.label ?? "none"}. Give a budget for this period`,
    );
  }
  const { availability: planned, degradation = 0 } = isFrame(givenBudget) ? {} : givenBudget;
  const availability = chosen.availability ?? planned ?? 100;
  assertPlanned(availability, degradation, refuse);
  const first = Math.min(...budget.keys());
  const { notes: aboutLevel, ...level } = findLevel(split, by, first, declared);
  const stops = measureStops(checked, chosen, predicted);
  const energyOf = (of: Map<number, number>, name: string, period: PeriodResult) =>
    (of.get(period.number) ?? refuse(`${name} has no energy for ${period.label}. Add it`)) *
    shareOf(period);
  /** Splits the difference between budget and production, or between their values. */
  const splitPart = (part: typeof compared[number], worth = part) => {
    const { number } = part.period;
    const share = computeDecline(degradation, first, by === "month" ? number : 12 * number);
    const price = worth.predicted / part.predicted;
    const ofStops = worth.outages.lost / part.outages.lost || 0;
    return splitBudget(worth, {
      budget: price * energyOf(budget, "the budget", part.period),
      availability: availability / 100,
      joined: level.joined,
      level: share * level.level,
      reach: share * level.reach,
      stops: stops && (stops.get(number) ?? []).map(({ name, ...loss }) => (
        { name, ...scaleLoss(loss, worth === part ? 1 : ofStops) }
      )),
    });
  };
  const pieces = compared.map((part) => splitPart(part));
  const whole = addSteps(pieces, IN_ALL_MONTHS);
  const values = compared.map((part) => {
    const worth = split.value?.periods.find(({ period }) => period === part.period);
    const isPriced = worth && !(part.value!.compared < MIN_PRICED * part.period.compared);
    return isPriced ? splitPart(part, worth) : undefined;
  });
  const valued = values.every((one) => one !== undefined);
  const produced = whole.get(NAMES.produced)!.energy;
  const listBudget = ([name, plan]: [string, GivenBudget]) => {
    const of = readBudget(plan, `the budget "${name}"`, by);
    const energies = compared.map(({ period }) => energyOf(of, `the budget "${name}"`, period));
    return { name, budget: sumOf(energies), produced };
  };
  const used = compared.map(({ period }) => period);
  const note = (
    code: "part_of_hours" | "left_out" | "periods_unpriced",
    of: readonly PeriodResult[],
  ) => of.length === 0 ? [] : [{ code, periods: of.map(({ label }) => label) }];
  return writeDeviation({
    title: `Budget deviation${details?.name ? ` of ${details.name}` : ""}`,
    by,
    whole,
    periods: new Map(used.map(({ number }, i) => [number, pieces[i]])),
    ...(valued && {
      value: {
        currency: split.value!.currency,
        whole: addSteps(values, IN_ALL_MONTHS),
        periods: new Map(used.map(({ number }, i) => [number, values[i]])),
      },
    }),
    budgets: [["Budget", givenBudget] as [string, GivenBudget], ...Object.entries(others)].map(
      listBudget,
    ),
    notes: [
      ...aboutLevel,
      ...note("part_of_hours", used.filter((period) => shareOf(period) < 0.9995)),
      ...note("left_out", periods.filter((one) => isWanted(one) && !used.includes(one))),
      ...note("periods_unpriced", split.value ? used.filter((_, i) => !values[i]) : []),
      ...split.notes,
      ...listNotes(checked, band, { ...split, periods: compared }).filter(({ code }) =>
        /^no_|^interval|price/.test(code)
      ),
      ...checked.notes,
    ],
    origin: joinOrigins([predicted, production]),
  });
}

/** Sums the deviations of turbines to their fleet's. */
function explainFleet(answers: FleetDeviations): BudgetDeviation {
  const deviations = Object.values(answers).map((one) =>
    deviationOfAnswer.get(one) ?? refuse(
      "a budget needs { production }. To sum turbines, give only answers of explainBudget(), by turbine name",
    )
  );
  if (new Set(deviations.map(({ by }) => by)).size !== 1) {
    refuse("some answers are by months, and others by years. Give answers of one kind");
  }
  const sum = (steps: readonly Steps[]) => addSteps(steps, IN_ONE_WIND);
  const values = deviations.flatMap(({ value }) => value ?? []);
  const isValued = values.length === deviations.length &&
    values.every(({ currency }) => currency === values[0].currency);
  const add = (some: readonly Pick<Deviation, "whole" | "periods">[]) => ({
    whole: sum(some.map(({ whole }) => whole)),
    periods: new Map(
      Map.groupBy(some.flatMap((one) => [...one.periods]), ([number]) => number)
        .entries().map(([number, entries]) =>
          [number, sum(entries.map(([, steps]) => steps))] as const
        ),
    ),
  });
  return writeDeviation({
    title: `Budget deviation of ${formatCount(deviations.length, "turbine")}`,
    by: deviations[0].by,
    ...add(deviations),
    ...(isValued && { value: { currency: values[0].currency, ...add(values) } }),
    budgets: deviations.map(({ budgets: [budgetRow] }, i) => ({
      ...budgetRow,
      name: Object.keys(answers)[i],
    })),
    notes: [
      { code: "in_one_wind" },
      ...(values.length > 0 && !isValued ? [{ code: "turbines_unpriced" } as const] : []),
    ],
    origin: joinOrigins(Object.values(answers).map(({ frames }) => frames.steps)),
  });
}

/**
 * Explains the deviation of the production from its budget, month by month and to date.
 *
 * The steps have a fixed order: deviation of the plan from a normal month, wind, air density, stops (by category, with
 * `events`), a lasting change, and the rest. They sum exactly, and each step has its 90 % interval. `checkPerformance()` computes
 * them, scaled to the turbine's level outside of stops before the budget. Without six months before it, the analysis cannot tell a plan that is too
 * high from a turbine that always produces less, so both are one step. The rest is within chance if its
 * interval contains 0; it combines the uncertainty of all other steps. If the data cannot separate two steps, they are one, and a note names the data that would.
 *
 * A month and its budget count by the share of hours compared; a month with less than 80 % is left out. Annual production is
 * explained by years.
 *
 * Without options it sums the answers of several turbines to a fleet. All turbines are assumed to share one wind: errors of
 * wind and level add up in full, errors of stops and changes are independent.
 *
 * @param budget Answer of `planBudget()`, with its `availability` and `degradation`, or a frame with `month` (or `year`) and `budget` in MWh; for a fleet answers of this function, by name
 * @param options `production`, and options of `checkPerformance()`: `indices` or `predicted`, `details`, `events`,
 * `outages`, `neighbours`, `changed`, `price`, `currency`, `units`, all but `month` and `source`; `from` and `to`;
 * `others`: more budgets; `availability` in the budget; `level`
 * @returns The frames `steps`, `stepsByPeriod` and `budgets`, and sentences for a board
 * @throws {ArgumentError} If a column is missing or of another type, no month has budget and production, or an option does not fit
 *
 * @example Why was December below its budget?
 * ```ts
 * import {
 *   exampleFile,
 *   explainBudget,
 *   monthlyIndices,
 *   planBudget,
 *   plotShortfall,
 *   readProduction,
 * } from "@vindkit/vindkit";
 * import { assertMatch } from "@std/assert";
 *
 * const file = await exampleFile("production.csv");
 * const meter = { resolution: "hour", unit: "kW", time: "time", column: "power" } as const;
 * const production = await readProduction(file, meter);
 * const indices = await monthlyIndices("T1");
 * const budget = planBudget(indices, { from: 2024, level: 1, availability: 97 });
 * const explained = explainBudget(budget, { production, indices });
 * plotShortfall(explained, { month: "2024-12" });
 * assertMatch(explained.summary[0], /^December 2024 is .* budget/);
 * ```
 */
export function explainBudget(
  budget: GivenBudget | FleetDeviations,
  options?: ExplainBudgetOptions,
): BudgetDeviation {
  return options === undefined
    ? explainFleet(budget as FleetDeviations)
    : explainOne(budget as GivenBudget, readOptions("explainBudget()", options, OPTIONS));
}
