import type { DataFrame } from "nodejs-polars";
import { time } from "../../api/columns/columns.ts";
import { ArgumentError } from "../../api/errors.ts";
import { buildRefuse, type Refuse } from "../../frames/read_columns.ts";
import { productionExtras } from "../../frames/production/production_columns.ts";
import { joinOrigins } from "../../frames/origin/provenance.ts";
import { checkFrame, isFrame } from "../../show/check_frame.ts";
import {
  declareOptions,
  type FilledOptions,
  readOptions,
} from "../../show/options/read_options.ts";
import { type RangeBound, readMonthRange } from "../../show/options/range.ts";
import { formatNumber } from "../../show/text/numbers.ts";
import { assertTimeZone, monthNumberOf, monthOfNumber } from "../../time/zones.ts";
import { buildAnswer, listReadings, writeFindings } from "../series/answer.ts";
import {
  buildBudgetReference,
  type EnergyHistory,
  MIN_YEARS_OF_SPREAD,
  readEnergyHistory,
  readProducedMonths,
} from "./history.ts";
import { assertProducedLevel, findLevel } from "./level.ts";
import {
  assertPlanned,
  type Budget,
  budgetColumns,
  type BudgetPart,
  buildMonthsFrame,
  computeDecline,
  estimateEnergy,
  type ExpectedEnergy,
} from "./months.ts";
import {
  addBudgets,
  areBudgets,
  averageLevel,
  type BudgetBasis,
  rememberBasis,
} from "./fleet_budget.ts";
import { type BudgetFinding, units, words } from "./words.ts";
import { sumOf } from "../../stats/spread.ts";

/** An expected energy with its ends, as figures. */
function listEnds({ expected, interval }: ExpectedEnergy) {
  return { expected, low: interval?.low ?? null, high: interval?.high ?? null };
}

/** Lists the results of a budget. */
function listResults(
  { total, toDate, forecast }: Pick<Budget, "total" | "toDate" | "forecast">,
  target: readonly number[],
): BudgetFinding[] {
  const [from, to] = [target[0], target[target.length - 1]]
    .map((number) => monthOfNumber(number).toString());
  const findings: BudgetFinding[] = [{ code: "budget", from, to, ...listEnds(total) }];
  if (toDate) {
    const { months, produced, ratio, allowed, expected, interval } = toDate;
    const place = !interval
      ? "unknown"
      : produced < interval.low
      ? "below"
      : produced > interval.high
      ? "above"
      : "within";
    findings.push({ code: "to_date", months, produced, ratio, place, ...listEnds(toDate) });
    if (allowed !== null) {
      findings.push({ code: "wind_allowed", allowed, ratio: 100 * allowed / expected });
    }
  }
  if (forecast) findings.push({ code: "forecast", from, to, ...listEnds(forecast) });
  return findings;
}

export type { ExpectedEnergy } from "./months.ts";
export type { Budget, BudgetToDate } from "./months.ts";

/** Options of {@linkcode planBudget}. */
export interface PlanBudgetOptions {
  /** First month of the budget, or its year. @default January of the year of the first month after the history */
  readonly from?: RangeBound;
  /** Last month, included. @default twelve months in total */
  readonly to?: RangeBound;
  /**
   * The turbine's own production, hours or months (perhaps with `valid_hours`): gives its level relative to the model, and
   * the energy produced so far. @default none: the budget uses the level of the model, without a comparison
   */
  readonly production?: DataFrame;
  /**
   * Produced over modelled energy, such as 0.97, if you know it better. @default the level of the production before the
   * budget, 1 without production
   */
  readonly level?: number;
  /**
   * Target availability, % of the energy, such as 97: needs a `level` outside of stops. @default none: the level
   * includes stops as they were
   */
  readonly availability?: number;
  /** Yearly degradation, %: each year after the first of the budget produces that much less. @default {0} */
  readonly degradation?: number;
  /** IANA zone of the turbine, which sets the months of hourly production. @default null, the production's */
  readonly timeZone?: string | null;
  /** For a fleet: the weight of each turbine, such as the turbines of its entry, or an owner's share, 0 to 1. @default 1 each */
  readonly weights?: Readonly<Record<string, number>> | undefined;
}

const ACTION = "make a budget";
const refuse: Refuse = buildRefuse(ACTION);
/** Default and largest number of months in a budget. */
const [YEAR, MAX_MONTHS] = [12, 120];

function listBudgetMonths(history: EnergyHistory, options: PlanBudgetOptions): number[] {
  const { from, to } = readMonthRange(options, "any");
  const next = Math.max(...history.energies.keys()) + 1;
  const first = from ? monthNumberOf(from) : YEAR * Math.floor(next / YEAR);
  const count = to ? monthNumberOf(to) - first + 1 : YEAR;
  if (count >= 1 && count <= MAX_MONTHS) return Array.from({ length: count }, (_, i) => first + i);
  throw new ArgumentError(
    `Cannot ${ACTION}: ${
      monthOfNumber(first)
    } to ${to} is a period of ${count} months. Change "from" or "to" to a period of 1 to ${MAX_MONTHS} months`,
  );
}

/**
 * Computes the energy that the wind of some months allowed, MWh; `null` for a history of production, or if a month is
 * unknown.
 */
function computeAllowed(parts: readonly BudgetPart[], months: readonly number[]): number | null {
  const energies = parts.flatMap(({ history, level, shareOf, weight }) =>
    months.map((number) => {
      const energy = history.energies.get(number);
      return history.basis === "prediction" && energy !== undefined
        ? weight * level.value * shareOf(number) * energy
        : null;
    })
  );
  return energies.includes(null) ? null : energies.reduce<number>((sum, one) => sum + one!, 0);
}

const OPTIONS = declareOptions<PlanBudgetOptions>()(
  "from to production level availability timeZone weights",
  { degradation: 0 },
);

/**
 * Estimates the production of the coming months: normal months at the turbine's own level, with an interval from the differences between years, compared with the production so far.
 *
 * A normal month follows from the service's indices (predicted production over the abnormality index), or, if only
 * production is given, from the means of its own calendar months. Months of the budget do not count for these or for
 * the intervals. Intervals are for one more year (Student's t over the other years of the history), for sums from the
 * sums of years. The error of a level from production and the scatter of single months are added in squares. Intervals
 * end at 0: a budget does not include consumption of a stopped turbine.
 *
 * Budgets of several turbines are summed to a fleet. Only years that all of them have count, so the interval of the sum covers
 * windy and calm years of the whole fleet; errors of the levels add up in full.
 *
 * @param history Monthly indices of the turbine, as many years as there are; or its own production without indices; for a fleet
 * answers of this function for the same months, by turbine
 * @param options `from` and `to`: first and last month; `production`, or its `level`; target `availability` and
 * `degradation`; `timeZone` of its months; for a fleet `weights`
 * @returns The frame `months`, their sum, the production so far, and sentences
 * @throws {ArgumentError} If columns are missing or of another type, production and indices cannot belong to one
 * turbine in the same unit, or a month of the budget has no normal
 *
 * @example The coming year of a turbine
 * ```ts
 * import { monthlyIndices, planBudget } from "@vindkit/vindkit";
 * import { assertEquals } from "@std/assert";
 *
 * const history = await monthlyIndices("T1");
 * const coming = planBudget(history, { from: "2026-01", level: 0.97 });
 * assertEquals(coming.frames.months.height, 12);
 * ```
 */
export function planBudget(
  history: DataFrame | Readonly<Record<string, Budget>>,
  options: PlanBudgetOptions = {},
): Budget {
  const chosen = readOptions("planBudget()", options, OPTIONS);
  const { weights } = chosen;
  if (isFrame(history) || !areBudgets(history)) {
    if (weights !== undefined) {
      refuse(
        "weights are for the turbines of a fleet, but this is one turbine. Omit the weights",
      );
    }
    return planTurbine(history as DataFrame, chosen);
  }
  const other = Object.keys(options).find((name) =>
    name !== "weights" && options[name as keyof PlanBudgetOptions] !== undefined
  );
  if (other !== undefined) {
    refuse(
      `a fleet takes ${other} from its turbines. Pass { ${other} } when you plan the budget of each turbine`,
    );
  }
  return buildBudget(addBudgets(history, weights ?? {}));
}

/** Plans the budget of one turbine. */
function planTurbine(
  history: DataFrame,
  options: FilledOptions<PlanBudgetOptions, "degradation">,
): Budget {
  const { availability = null, degradation } = options;
  checkFrame(history, ACTION, "monthlyIndices() or readProduction()");
  const timeZone = options.timeZone ?? undefined;
  if (timeZone !== undefined) assertTimeZone(timeZone);
  const past = readEnergyHistory(history, ACTION, timeZone);
  const target = listBudgetMonths(past, options);
  const reference = buildBudgetReference(past, target, ACTION);
  if (options.production) checkFrame(options.production, ACTION, "readProduction()");
  const production = options.production ??
    (past.basis === "production normals" ? history : undefined);
  const { months: produced, notes: averaging } = readProducedMonths(production, timeZone);
  assertProducedLevel(past, produced, production?.columns.includes(time.name) ?? false, ACTION);
  const { level, notes } = findLevel(past, produced, target[0], options.level);
  assertPlanned(availability ?? 100, degradation, refuse);
  if (availability !== null && (past.basis !== "prediction" || level.months > 0)) {
    refuse(
      "the production includes past stops, which would count in addition to the target availability. Give " +
        "the { level } outside of stops: normalRatio of checkPerformance() / 100",
    );
  }
  const shareOf = (number: number) =>
    (availability ?? 100) / 100 * computeDecline(degradation, target[0], number);
  return buildBudget({
    title: "Budget",
    history: past,
    produced,
    target,
    availability,
    degradation,
    parts: [{ history: past, reference, level, shareOf, weight: 1 }],
    notes: [
      ...past.notes,
      ...notes,
      ...listReadings(averaging),
      ...(production?.columns.includes(productionExtras.availability.name)
        ? [{ code: "availability_unused" } as const]
        : []),
    ],
    origin: joinOrigins(production ? [history, production] : [history]),
  });
}

/** Builds a budget from its basis. */
function buildBudget(basis: BudgetBasis): Budget {
  const { title, history, parts, produced, target, availability, degradation, origin } = basis;
  const expected = (months: readonly number[]) => estimateEnergy(parts, months);
  const done = target.filter((number) => typeof produced.get(number)?.energy === "number");
  const open = target.filter((number) => !done.includes(number));
  const total = expected(target);
  const energy = sumOf(done, (number) => produced.get(number)!.energy!);
  const ofDone = expected(done);
  const ofOpen = expected(open);
  const level = averageLevel(parts);
  const toDate = done.length === 0 ? null : {
    ...ofDone,
    months: done.length,
    produced: energy,
    ratio: 100 * energy / ofDone.expected,
    allowed: computeAllowed(parts, done),
  };
  const forecast = done.length === 0 || open.length === 0 ? null : {
    expected: energy + ofOpen.expected,
    interval: ofOpen.interval &&
      { low: energy + ofOpen.interval.low, high: energy + ofOpen.interval.high },
  };
  const skipped = open.filter((number) => number < (done.at(-1) ?? -Infinity))
    .map((number) => monthOfNumber(number).toString());
  const findings: BudgetFinding[] = [...basis.notes];
  if (skipped.length > 0) findings.push({ code: "months_without_production", months: skipped });
  if (total.interval === null) findings.push({ code: "no_interval", needed: MIN_YEARS_OF_SPREAD });
  if (availability !== null || degradation > 0) {
    findings.push({ code: "planned", availability, degradation });
  }
  const figures = { basis: history.basis, level: level.value, availability, degradation };
  const budget = buildAnswer({ ...figures, total, toDate, forecast }, {
    title,
    facts: [
      { label: "Basis", value: history.basis },
      {
        label: "Level",
        value: formatNumber(level.value, 3) +
          (level.months > 0
            ? ` ± ${formatNumber(level.reach, 3)}, from ${level.months} months`
            : ""),
      },
    ],
    frames: {
      months: {
        title: "Months",
        columns: budgetColumns,
        rows: buildMonthsFrame(history, expected, produced, target),
      },
    },
    findings: writeFindings(
      words,
      units,
      listResults({ total, toDate, forecast }, target),
      findings,
    ),
    origin,
  });
  rememberBasis(budget, basis);
  return budget;
}
