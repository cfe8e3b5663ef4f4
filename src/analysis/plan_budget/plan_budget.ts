import type { DataFrame } from "nodejs-polars";
import { month, monthlyIndicesFrame, time } from "../../api/columns/columns.ts";
import { ArgumentError } from "../../api/errors.ts";
import { productionExtras } from "../../frames/production/production_columns.ts";
import { joinOrigins } from "../../frames/provenance.ts";
import { checkFrame } from "../../show/check_frame.ts";
import { declareOptions, readOptions } from "../../show/options/read_options.ts";
import { type RangeBound, readMonthRange } from "../../show/options/range.ts";
import { formatNumber } from "../../show/text/numbers.ts";
import { assertTimeZone, monthAsDays, monthNumberOf, monthOfNumber } from "../../time/zones.ts";
import { type Answer, buildAnswer } from "../series/answer.ts";
import { listReadings, writeFindings } from "../series/findings.ts";
import {
  type BudgetReference,
  buildBudgetReference,
  type EnergyHistory,
  estimateSpread,
  MIN_YEARS_OF_SPREAD,
  readEnergyHistory,
} from "./history.ts";
import { assertProducedLevel, findLevel, type ProductionLevel } from "./level.ts";
import { type ProductionByMonth, readProducedMonths } from "./production.ts";
import { type BudgetFound, units, words } from "./words.ts";
import { type Column, ownColumn, pickColumns } from "../../api/columns/column.ts";
import { buildFrame } from "../../frames/frame.ts";
import {
  addShares,
  computeReach,
  type Interval,
  scaleShare,
} from "../../windindex/uncertainty/error_terms.ts";
import { comparisonColumns } from "../series/compared_series.ts";

const [predicted] = pickColumns(monthlyIndicesFrame, ["predicted_production"]);
const [produced, completeness] = pickColumns(comparisonColumns, ["produced", "completeness"]);

const declareEnergy = (name: string, label: string, description: string): Column => (
  ownColumn(name, "f64", label, description, predicted.unit)
);

/** The months of `planBudget()`. */
const budgetColumns: readonly Column[] = [
  month,
  declareEnergy(
    "expected",
    "Expected",
    "Energy of a normal month of the same name, at the turbine's level.",
  ),
  declareEnergy(
    "low",
    "Expected, low",
    "Lower end of the 90 % interval of the month, not below 0.",
  ),
  declareEnergy("high", "Expected, high", "Upper end of the 90 % interval of the month."),
  { ...predicted, optional: true },
  { ...produced, description: "Energy that the turbine produced in the month." },
  { ...completeness, description: "Share of the month's hours with production." },
  declareEnergy(
    "cumulative_expected",
    "Expected so far",
    "Sum of the expected energies from the first month on.",
  ),
  declareEnergy(
    "cumulative_low",
    "Expected so far, low",
    "Lower end of the 90 % interval of that sum, not below 0.",
  ),
  declareEnergy(
    "cumulative_high",
    "Expected so far, high",
    "Upper end of the 90 % interval of that sum.",
  ),
  declareEnergy(
    "cumulative_produced",
    "Produced so far",
    "Sum of the produced energies from the first month on; null from the first month without production on.",
  ),
];

/** Production so far, compared with the expected energy of the same months. */
export interface BudgetToDate extends ExpectedEnergy {
  /** Months with production. */
  readonly months: number;
  /** Energy produced in them, MWh. */
  readonly produced: number;
  /** Produced over expected energy, %. */
  readonly ratio: number;
  /** What the wind of these months allowed: modelled energy at the turbine's level, MWh; `null` where a month of it is unknown. */
  readonly allowed: number | null;
}

/** Expected production of a turbine by month; it shows itself in notebooks and on the console. */
export interface Budget extends Answer {
  /** Source of the normal months: the model, or the turbine's own production. */
  readonly basis: "prediction" | "production normals";
  /** Produced over modelled energy by which normal months are scaled; 1 where it is unknown. */
  readonly level: number;
  /**
   * `months`, a row each: `month`, `expected`, `low`, `high`, `predicted_production`, `produced` (MWh), `completeness`, and
   * the sums from the first month on. `plotBudget()` draws it.
   */
  readonly frames: { readonly months: DataFrame };
  /** All months together: `expected`, and its 90 % `interval`, MWh. */
  readonly total: ExpectedEnergy;
  /** The `months` with production: `produced`, `expected` with its `interval`, `ratio` (%), and what their wind `allowed`; `null` where there are none. */
  readonly toDate: BudgetToDate | null;
  /** Energy produced so far plus that expected of the other months, with its `interval`; `null` before the first and after the last month of production. */
  readonly forecast: ExpectedEnergy | null;
}

/** An expected energy with its 90 % interval, MWh; without an interval where it is unknown. */
export interface ExpectedEnergy {
  /** Energy that is expected, MWh. */
  readonly expected: number;
  /** Its 90 % interval, MWh. */
  readonly interval: Interval | null;
}

/**
 * Estimates the energy of some months: normal months at the level, with the spread of years, the error of the level and the scatter of single months.
 */
function estimateEnergy(
  reference: BudgetReference,
  level: ProductionLevel,
  months: readonly number[],
): ExpectedEnergy {
  const normal = months.reduce((sum, number) => sum + reference.normals[number % 12]!, 0);
  const expected = level.value * normal;
  const spread = estimateSpread(reference, months);
  if (spread === undefined) return { expected, interval: null };
  const reach = computeReach(addShares(
    scaleShare(spread, level.value ** 2),
    scaleShare(level.month, level.ofMonth * normal ** 2 + months.length),
  ));
  const interval = { low: Math.max(0, expected - reach), high: expected + reach };
  return { expected, interval };
}

/** Builds the rows of a budget. */
function buildMonthsFrame(
  history: EnergyHistory,
  reference: BudgetReference,
  level: ProductionLevel,
  produced: ProductionByMonth,
  target: readonly number[],
): DataFrame {
  const own = target.map((number) => estimateEnergy(reference, level, [number]));
  const sums = target.map((_, i) => estimateEnergy(reference, level, target.slice(0, i + 1)));
  const energies = target.map((number) => produced.get(number)?.energy ?? null);
  const gap = energies.indexOf(null);
  const known = gap === -1 ? energies.length : gap;
  const columns = (from: readonly ExpectedEnergy[]) => [
    from.map(({ expected }) => expected),
    from.map(({ interval }) => interval?.low ?? null),
    from.map(({ interval }) => interval?.high ?? null),
  ];
  const [expected, low, high] = columns(own);
  const [sum, sumLow, sumHigh] = columns(sums);
  return buildFrame(budgetColumns, {
    month: target.map((number) => monthAsDays(monthOfNumber(number))),
    expected,
    low,
    high,
    ...(history.basis === "prediction"
      ? { predicted_production: target.map((number) => history.energies.get(number) ?? null) }
      : {}),
    produced: energies,
    completeness: target.map((number) => produced.get(number)?.completeness ?? null),
    cumulative_expected: sum,
    cumulative_low: sumLow,
    cumulative_high: sumHigh,
    cumulative_produced: energies.map((_, i) =>
      i < known ? energies.slice(0, i + 1).reduce<number>((total, one) => total + one!, 0) : null
    ),
  });
}

/** An expected energy with its ends, as figures. */
function listEnds({ expected, interval }: ExpectedEnergy) {
  return { expected, low: interval?.low ?? null, high: interval?.high ?? null };
}

/** Lists the results of a budget. */
function listResults(
  { total, toDate, forecast }: Pick<Budget, "total" | "toDate" | "forecast">,
  target: readonly number[],
): BudgetFound[] {
  const [from, to] = [target[0], target[target.length - 1]]
    .map((number) => monthOfNumber(number).toString());
  const found: BudgetFound[] = [{ code: "budget", from, to, ...listEnds(total) }];
  if (toDate) {
    const { months, produced, ratio, allowed, expected, interval } = toDate;
    const place = !interval
      ? "unknown"
      : produced < interval.low
      ? "below"
      : produced > interval.high
      ? "above"
      : "within";
    found.push({ code: "to_date", months, produced, ratio, place, ...listEnds(toDate) });
    if (allowed !== null) {
      found.push({ code: "wind_allowed", allowed, ratio: 100 * allowed / expected });
    }
  }
  if (forecast) found.push({ code: "forecast", from, to, ...listEnds(forecast) });
  return found;
}

/** Options of {@linkcode planBudget}. */
export interface PlanBudgetOptions {
  /** First month of the budget, or its year. @default January of the year of the first month after the history */
  readonly from?: RangeBound;
  /** Last month, included. @default twelve months in all */
  readonly to?: RangeBound;
  /**
   * The turbine's own production, hours or months (perhaps with `valid_hours`): gives its level relative to the model, and
   * the energy produced so far. @default none: the budget is that of the model, without a comparison
   */
  readonly production?: DataFrame;
  /** Produced over modelled energy, such as 0.97, where it is known better. @default that of the production before the budget, 1 without */
  readonly level?: number;
  /** IANA zone that sets the months of hourly production: that of the turbine. @default null, that of the production */
  readonly timeZone?: string | null;
}

const WHAT = "make a budget";
/** Default and largest number of months in a budget. */
const [YEAR, MAX_MONTHS] = [12, 120];

function listBudgetMonths(history: EnergyHistory, options: PlanBudgetOptions): number[] {
  const { from, to } = readMonthRange(options, "any");
  const next = Math.max(...history.energies.keys()) + 1;
  const first = from ? monthNumberOf(from) : YEAR * Math.floor(next / YEAR);
  const count = to ? monthNumberOf(to) - first + 1 : YEAR;
  if (count >= 1 && count <= MAX_MONTHS) return Array.from({ length: count }, (_, i) => first + i);
  throw new ArgumentError(
    `Cannot ${WHAT} from ${
      monthOfNumber(first)
    } to ${to}, ${count} months: give 1 to ${MAX_MONTHS}`,
  );
}

/** Computes the energy that the wind of some months allowed, MWh; `null` for a history of production, or where a month is unknown. */
function computeAllowed(
  history: EnergyHistory,
  level: number,
  months: readonly number[],
): number | null {
  if (history.basis !== "prediction") return null;
  const energies = months.map((number) => history.energies.get(number));
  return energies.includes(undefined)
    ? null
    : level * energies.reduce<number>((sum, one) => sum + one!, 0);
}

const OPTIONS = declareOptions<PlanBudgetOptions>()("from to production level timeZone");

/**
 * Estimates the production of the coming months: normal months at the turbine's own level, with an interval from the differences between years, compared with the production so far.
 *
 * A normal month follows from the served indices (predicted production over the abnormality index), or, where only
 * production is given, from the means of its own calendar months. Months of the budget itself are not used for these
 * or for the intervals. Intervals are those of one more year (Student's t over the other years of the history), of
 * sums from the sums of years; the error of a level from production and the scatter of single months are added in
 * squares. Intervals end at 0: consumption of a stopped turbine is not budgeted.
 *
 * @param history Monthly indices of the turbine, as many years as there are; or its own production where there are none
 * @param options `from` and `to`: first and last month; `production`, or its `level`; `timeZone` of its months
 * @returns The frame `months`, their sum, what was produced so far, and sentences
 * @throws {ArgumentError} If columns are missing or of another type, production and indices cannot be of one turbine
 * in the same unit, or a month of the budget has no normal
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
export function planBudget(history: DataFrame, options: PlanBudgetOptions = {}): Budget {
  readOptions("planBudget()", options, OPTIONS);
  checkFrame(history, WHAT, "monthlyIndices() or readProduction()");
  const timeZone = options.timeZone ?? undefined;
  if (timeZone !== undefined) assertTimeZone(timeZone);
  const past = readEnergyHistory(history, WHAT, timeZone);
  const target = listBudgetMonths(past, options);
  const reference = buildBudgetReference(past, target, WHAT);
  if (options.production) checkFrame(options.production, WHAT, "readProduction()");
  const own = options.production ?? (past.basis === "production normals" ? history : undefined);
  const { months: produced, notes: averaging } = readProducedMonths(own, timeZone);
  assertProducedLevel(past, produced, own?.columns.includes(time.name) ?? false, WHAT);
  const { level, notes } = findLevel(past, produced, target[0], options.level);
  const expected = (months: readonly number[]) => estimateEnergy(reference, level, months);
  const done = target.filter((number) => typeof produced.get(number)?.energy === "number");
  const open = target.filter((number) => !done.includes(number));
  const total = expected(target);
  const energy = done.reduce((sum, number) => sum + produced.get(number)!.energy!, 0);
  const ofDone = expected(done);
  const ofOpen = expected(open);
  const toDate = done.length === 0 ? null : {
    ...ofDone,
    months: done.length,
    produced: energy,
    ratio: 100 * energy / ofDone.expected,
    allowed: computeAllowed(past, level.value, done),
  };
  const forecast = done.length === 0 || open.length === 0 ? null : {
    expected: energy + ofOpen.expected,
    interval: ofOpen.interval &&
      { low: energy + ofOpen.interval.low, high: energy + ofOpen.interval.high },
  };
  const skipped = open.filter((number) => number < (done.at(-1) ?? -Infinity))
    .map((number) => monthOfNumber(number).toString());
  const found: BudgetFound[] = [...past.notes, ...notes, ...listReadings(averaging)];
  if (own?.columns.includes(productionExtras.availability.name)) {
    found.push({ code: "availability_unused" });
  }
  if (skipped.length > 0) found.push({ code: "months_without_production", months: skipped });
  if (total.interval === null) found.push({ code: "no_interval", needed: MIN_YEARS_OF_SPREAD });
  return buildAnswer({ basis: past.basis, level: level.value, total, toDate, forecast }, {
    title: "Budget",
    facts: [
      { label: "Basis", value: past.basis },
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
        rows: buildMonthsFrame(past, reference, level, produced, target),
      },
    },
    found: writeFindings(words, units, listResults({ total, toDate, forecast }, target), found),
    origin: joinOrigins(own ? [history, own] : [history]),
  });
}
