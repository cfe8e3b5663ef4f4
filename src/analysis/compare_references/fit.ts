import { addedColumn, type Column, pickColumns, withEnds } from "../../api/columns/column.ts";
import {
  coverageList,
  month as monthColumn,
  monthlyIndicesFrame,
} from "../../api/columns/columns.ts";
import { MIN_SHARE } from "../../frames/production/period_shares.ts";
import { productionColumns } from "../../frames/production/production.ts";
import { readMonths, readNumbers, type Refuse } from "../../frames/read_columns.ts";
import { correlation } from "../../stats/regression.ts";
import { HOUR, type HourAxis } from "../../time/hourly.ts";
import { monthNumberOf, monthOfNumber, startOfMonth } from "../../time/zones.ts";
import { countEnergyHours, type EnergyPeriod } from "../../windindex/calibration/production.ts";
import { computeAnnualMeans, fitAnnualTrend } from "../../windindex/index/annual_trend.ts";
import { listMonthSpans, MIN_COMPLETENESS } from "../../windindex/index/monthly_energy.ts";
import { NORMAL_95 } from "../../windindex/uncertainty/error_terms.ts";
import { listReadings } from "../series/answer.ts";
import type { ProductionRecord } from "../series/production_rows.ts";
import { readReferenceHours } from "../series/hours.ts";
import { columnOf, findWindColumn } from "../series/turbine_stamps.ts";
import type { SingleCandidate } from "./candidates.ts";
import type { CandidateFinding, ReferenceFigures } from "./words.ts";
import { sumOf } from "../../stats/spread.ts";

const [distance, latitude, longitude] = pickColumns(
  coverageList,
  ["distance_to_request_location", "latitude", "longitude"],
);
const [monthIndex] = pickColumns(monthlyIndicesFrame, ["month_index"]);
const [, energy] = productionColumns.month;
const [, power] = productionColumns.hour;

const declareCorrelation = (name: string, label: string, of: string): Column => ({
  ...addedColumn(name, "f64", label, `Correlation of the ${of} with the production.`),
  range: [-1, 1],
});

/** The frame of `compareReferences()`: one row per candidate, the best first. */
export const referenceColumns: readonly Column[] = [
  addedColumn("rank", "i32", "Rank", "Rank among the candidates; missing without overlap."),
  addedColumn("name", "utf8", "Reference", "Name of the candidate, with its point or turbine."),
  ...withEnds(declareCorrelation("monthly_r", "Monthly r", "monthly means")),
  declareCorrelation("hourly_r", "Hourly r", "hours"),
  addedColumn(
    "bias",
    "f64",
    "Bias",
    "Power of the candidate over the produced power in the same hours, less 100 %.",
    "%",
  ),
  { ...distance, description: "Great-circle distance from the turbine.", tag: "ours" },
  {
    ...addedColumn("hours", "i32", "Hours", "Hours with a value in candidate and production."),
    unit: "h",
    range: [0, null],
  },
  {
    ...addedColumn(
      "months",
      "i32",
      "Months",
      "Months with both values in at least 98 % of the hours.",
    ),
    range: [0, null],
  },
  ...withEnds(addedColumn(
    "trend",
    "f64",
    "Trend",
    "Trend of the annual mean wind over the whole years of the candidate's record.",
    "% per decade",
  )),
  addedColumn("years", "i32", "Years", "Whole years of the candidate's record."),
  addedColumn("column", "utf8", "Column", "Column that was compared."),
  { ...latitude, tag: "ours" },
  { ...longitude, tag: "ours" },
  addedColumn("notes", "utf8", "Notes", "Warnings, and reasons for the rank."),
];

/** Figures of a candidate, all unknown. */
const UNKNOWN: ReferenceFigures = {
  monthly_r: null,
  monthly_r_low: null,
  monthly_r_high: null,
  hourly_r: null,
  bias: null,
  hours: null,
  trend: null,
  trend_low: null,
  trend_high: null,
  years: null,
};

/** A candidate compared with the production: its row in the frame, without rank, place and notes. */
export interface ReferenceFit extends ReferenceFigures {
  readonly column: string;
  /** Months with enough values on both sides. */
  readonly months: number;
  /** First and last timestamp, ms since 1970 UTC. */
  readonly record: readonly [first: number, last: number];
  /** Omissions and results that could not be computed. */
  readonly fitFindings: readonly CandidateFinding[];
}

/** Whether the energy of a month is known for at least half of its hours. */
export function isKnown({ energy, share = 1 }: EnergyPeriod): boolean {
  return !Number.isNaN(energy) && share >= MIN_SHARE;
}

/** Means by months since year 0. */
type MonthMeans = ReadonlyMap<number, number>;

/**
 * Computes the mean of each month in which at least 98 % of the hours have a value.
 *
 * @param values Hourly values; missing is NaN
 */
function computeMonthMeans(values: Float64Array, axis: HourAxis, timeZone: string): MonthMeans {
  return new Map(
    listMonthSpans(axis, timeZone).flatMap(({ year, month, from, to }) => {
      const monthValues = values.subarray(Math.max(0, from), Math.max(0, to))
        .filter((value) => !Number.isNaN(value));
      if (monthValues.length < MIN_COMPLETENESS * (to - from)) return [];
      const mean = sumOf(monthValues) / monthValues.length;
      return [[monthNumberOf({ year, month }), mean] as const];
    }),
  );
}

/**
 * Computes the mean power of each month of the production, in any unit: for a monthly energy over the hours that it
 * covers, if these are at least half of the month.
 */
function computeProducedMeans({ production, timeZone }: ProductionRecord): MonthMeans {
  if (production.kind === "hourly") {
    return computeMonthMeans(production.power, production.axis, timeZone);
  }
  return new Map(
    production.periods.filter(isKnown).map((period) => [
      monthNumberOf(Temporal.PlainYearMonth.from(period.label)),
      period.energy / countEnergyHours(period),
    ]),
  );
}

/** Fewest months for a monthly correlation. */
const MIN_PAIRS = 6;

/**
 * Correlates the months with values on both sides, with a 90 % interval by Fisher's z, as if the months were
 * independent.
 */
export function correlateMonths(produced: MonthMeans, reference: MonthMeans) {
  const common = [...produced.keys()].filter((number) => reference.has(number))
    .sort((a, b) => a - b);
  const months = common.length;
  if (months < MIN_PAIRS) {
    return {
      months,
      fitFindings: [{ code: "few_months", needed: MIN_PAIRS, share: MIN_COMPLETENESS } as const],
    };
  }
  const [x, y] = [produced, reference].map((means) => common.map((number) => means.get(number)!));
  const r = correlation(x, y);
  if (Number.isNaN(r)) return { months, fitFindings: [{ code: "months_alike" } as const] };
  const monthly_r = Math.max(-1, Math.min(1, r)); // rounding may give slightly more than 1
  const reach = NORMAL_95 / Math.sqrt(months - 3);
  const [monthly_r_low, monthly_r_high] = [-reach, reach]
    .map((step) => Math.tanh(Math.atanh(monthly_r) + step));
  return { months, monthly_r, monthly_r_low, monthly_r_high, fitFindings: [] };
}

/** Fewest hours with both values for an hourly correlation: ten days. */
const MIN_HOURS = 240;

/** Compares the hours with values on both sides. */
function correlateHours(produced: Float64Array, reference: Float64Array, isPower: boolean) {
  const common = [...produced.keys()].filter((i) => !Number.isNaN(produced[i] + reference[i]));
  const hours = common.length;
  if (hours === 0) return { hours, fitFindings: [] };
  const [x, y] = [produced, reference].map((values) => common.map((i) => values[i]));
  const [producedSum, referenceSum] = [x, y].map((values) => sumOf(values));
  const bias = isPower && producedSum > 0 ? 100 * (referenceSum / producedSum - 1) : null;
  if (hours < MIN_HOURS) {
    return { hours, bias, fitFindings: [{ code: "few_hours", needed: MIN_HOURS } as const] };
  }
  const hourly_r = correlation(x, y);
  return Number.isNaN(hourly_r)
    ? { hours, bias, fitFindings: [{ code: "hours_alike" } as const] }
    : { hours, bias, hourly_r, fitFindings: [] };
}

/** Compares an hourly candidate with the production. */
export function fitHours(
  compared: ProductionRecord,
  { frame, column, stamp }: SingleCandidate,
  refuse: Refuse,
): ReferenceFit {
  const reference = readReferenceHours(frame, { column, stamp, prefer: "wind" }, refuse);
  const { axis, values, means, isWind } = reference;
  const { production, timeZone } = compared;
  const annual = computeAnnualMeans(values, axis, timeZone);
  const fitted = isWind ? fitAnnualTrend(annual) : undefined;
  const trend = fitted &&
    { trend: fitted.trend, trend_low: fitted.low, trend_high: fitted.high };
  const common = {
    column: reference.column.name,
    ...UNKNOWN,
    ...trend,
    years: isWind ? annual.length : null,
    record: [axis.start, axis.start + (axis.length - 1) * HOUR] as const,
  };
  const findings: readonly CandidateFinding[] = [
    ...listReadings(reference.notes),
    ...(trend && (trend.trend_low > 0 || trend.trend_high < 0)
      ? [{ code: "trend", ...trend } as const]
      : []),
  ];
  if (production.kind === "periods") {
    const monthly = correlateMonths(
      computeProducedMeans(compared),
      computeMonthMeans(means, axis, timeZone),
    );
    return { ...common, ...monthly, fitFindings: [...monthly.fitFindings, ...findings] };
  }
  const later = (axis.start - production.axis.start) / HOUR;
  const aligned = production.power.map((_, i) => means[i - Math.floor(later)] ?? NaN);
  const hourly = correlateHours(production.power, aligned, reference.column.name === power.name);
  const keepCommon = (values: Float64Array, other: Float64Array) =>
    computeMonthMeans(
      values.map((value, i) => Number.isNaN(other[i]) ? NaN : value),
      production.axis,
      timeZone,
    );
  const monthly = correlateMonths(
    keepCommon(production.power, aligned),
    keepCommon(aligned, production.power),
  );
  const isBetween = hourly.hours > 0 && !Number.isInteger(later);
  return {
    ...common,
    ...monthly,
    ...hourly,
    fitFindings: [
      ...(isBetween ? [{ code: "between_hours" } as const] : []),
      ...[...monthly.fitFindings, ...hourly.fitFindings, ...findings],
    ],
  };
}

/** Compares a monthly candidate with the production. */
export function fitMonths(
  compared: ProductionRecord,
  { frame, column }: SingleCandidate,
  refuse: Refuse,
): ReferenceFit {
  const names = frame.columns;
  const chosen = column ?? [energy, monthIndex].find(({ name }) => names.includes(name))?.name ??
    findWindColumn(names)?.name ?? refuse(
      `it has months, but neither "${energy.name}" nor "${monthIndex.name}". Its columns are ` +
        `${names.join(", ")}. Name the column with { column }`,
    );
  if (!names.includes(chosen)) {
    refuse(`it has no column "${chosen}". Name one of its columns: ${names.join(", ")}`);
  }
  const numbers = readMonths(frame, monthColumn.name, refuse);
  if (new Set(numbers).size < numbers.length) {
    refuse("it repeats a month. Keep one turbine, and one row a month");
  }
  const values = readNumbers(frame, chosen, refuse);
  const known = new Map(
    numbers.map((number, i) => [number, values[i]] as const)
      .filter(([, value]) => !Number.isNaN(value)),
  );
  const monthly = correlateMonths(computeProducedMeans(compared), known);
  const instant = (number: number) => startOfMonth(monthOfNumber(number), compared.timeZone);
  return {
    ...UNKNOWN,
    ...monthly,
    column: columnOf(frame, chosen).name,
    record: [instant(Math.min(...numbers)), instant(Math.max(...numbers))],
    fitFindings: [...monthly.fitFindings, { code: "of_months" }],
  };
}
