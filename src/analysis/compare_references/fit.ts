import { MIN_SHARE } from "../../frames/production/period_shares.ts";
import type { Refuse } from "../../frames/read_columns.ts";
import { LAG_REACH, LaggedSums } from "../../screening/shift/lagged_sums.ts";
import { MAX_LAG } from "../../screening/shift/shift.ts";
import { correlation } from "../../stats/regression.ts";
import { HOUR, type HourAxis } from "../../time/hourly.ts";
import { monthNumberOf } from "../../time/zones.ts";
import {
  countEnergyHours,
  type EnergyPeriod,
  type Production,
} from "../../windindex/calibration/production.ts";
import {
  computeAnnualMeans,
  fitAnnualTrend,
  type Trend,
} from "../../windindex/index/annual_trend.ts";
import { listMonthSpans, MIN_COMPLETENESS } from "../../windindex/index/monthly_energy.ts";
import { NORMAL_95 } from "../../windindex/uncertainty/error_terms.ts";
import { listReadings } from "../series/findings.ts";
import { readReferenceHours } from "../series/reference_hours.ts";
import type { SingleCandidate } from "./candidates.ts";
import type { CandidateFound } from "./words.ts";

/**
 * Computes the mean of each month in which at least 98 % of the hours have a value, by months since year 0.
 *
 * @param values Hourly values; missing is NaN
 */
function computeMonthMeans(
  values: Float64Array,
  axis: HourAxis,
  timeZone: string,
): Map<number, number> {
  return new Map(
    listMonthSpans(axis, timeZone).flatMap(({ year, month, from, to }) => {
      const own = values.subarray(Math.max(0, from), Math.max(0, to))
        .filter((value) => !Number.isNaN(value));
      if (own.length < MIN_COMPLETENESS * (to - from)) return [];
      const mean = own.reduce((sum, value) => sum + value, 0) / own.length;
      return [[monthNumberOf({ year, month }), mean] as const];
    }),
  );
}

/**
 * Computes the mean power of each month of the production, in any unit: of a monthly energy over the hours that it is of,
 * where these are at least half of the month.
 */
export function computeProducedMeans(
  { production, timeZone }: ProductionSeries,
): Map<number, number> {
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

/** Whether the energy of a month is known for at least half of its hours. */
export function isKnown({ energy, share = 1 }: EnergyPeriod): boolean {
  return !Number.isNaN(energy) && share >= MIN_SHARE;
}

/** Fewest months for a monthly correlation. */
export const MIN_PAIRS = 6;

/** A month of production and of a reference. */
export interface MonthPair {
  /** Months since year 0: year x 12 + month - 1. */
  readonly number: number;
  /** Mean power. */
  readonly produced: number;
  /** Mean of the reference. */
  readonly reference: number;
}

/** Pairs the months that production and reference both have, in order of time. */
export function pairMonths(
  produced: ReadonlyMap<number, number>,
  reference: ReadonlyMap<number, number>,
): MonthPair[] {
  return [...produced].sort(([a], [b]) => a - b).flatMap(([number, power]): MonthPair[] => {
    const value = reference.get(number);
    return value === undefined ? [] : [{ number, produced: power, reference: value }];
  });
}

/** A correlation with its 90 % interval. */
interface MonthlyCorrelation {
  /** Pearson's correlation. */
  readonly r: number;
  /** Lower end of its interval. */
  readonly low: number;
  /** Upper end. */
  readonly high: number;
}

const listProduced = (pairs: readonly MonthPair[]) => pairs.map((pair) => pair.produced);
const listReference = (pairs: readonly MonthPair[]) => pairs.map((pair) => pair.reference);

/**
 * Computes the correlation of the months, with its 90 % interval by Fisher's z, as if the months were independent.
 *
 * @returns `undefined` with fewer than six months, or where a side does not vary
 */
export function correlateMonths(pairs: readonly MonthPair[]): MonthlyCorrelation | undefined {
  if (pairs.length < MIN_PAIRS) return undefined;
  const found = correlation(listProduced(pairs), listReference(pairs));
  if (Number.isNaN(found)) return undefined;
  const r = Math.max(-1, Math.min(1, found)); // rounding may give a little more than 1
  const reach = NORMAL_95 / Math.sqrt(pairs.length - 3);
  const [low, high] = [-reach, reach].map((step) => Math.tanh(Math.atanh(r) + step));
  return { r, low, high };
}

/**
 * Tests whether the correlations of two references with the same production differ by more than chance.
 *
 * Source: X. Meng, R. Rosenthal and D. Rubin, "Comparing correlated correlation coefficients" (1992).
 *
 * @returns `undefined` with fewer than six months in common, or where one of them does not vary in these
 */
export function compareCorrelations(
  one: readonly MonthPair[],
  other: readonly MonthPair[],
) {
  const values = new Map(other.map(({ number, reference }) => [number, reference]));
  const common = one.filter(({ number }) => values.has(number));
  const n = common.length;
  if (n < MIN_PAIRS) return undefined;
  const beside = common.map(({ number }) => values.get(number)!);
  const first = correlation(listProduced(common), listReference(common));
  const second = correlation(listProduced(common), beside);
  const between = correlation(listReference(common), beside);
  if ([first, second, between].some(Number.isNaN)) return undefined;
  const square = (first ** 2 + second ** 2) / 2;
  const f = Math.min(1, (1 - between) / (2 * (1 - square)));
  const h = (1 - f * square) / (1 - square);
  const z = (Math.atanh(first) - Math.atanh(second)) *
    Math.sqrt((n - 3) / (2 * (1 - between) * h));
  // Two copies of one reference do not differ at all: 0 over 0.
  return { months: n, significant: Math.abs(z) > NORMAL_95 };
}

/** Compares a candidate with the production. */
export interface ReferenceFit {
  /** Column that was compared. */
  readonly column: string;
  /** Hours with a value in both; `undefined` where one of them has months. */
  readonly hours: number | undefined;
  /** Months of which enough has a value in both. */
  readonly pairs: readonly MonthPair[];
  readonly monthly: MonthlyCorrelation | undefined;
  readonly hourlyR: number | undefined;
  /** Whole hours by which production comes later; `undefined` where it is unknown. */
  readonly lag: number | undefined;
  readonly trend: Trend | undefined;
  /** Whole years of the record; `undefined` where it is not a wind speed. */
  readonly years: number | undefined;
  /** Share of the record that has a value. */
  readonly completeness: number;
  /** First and last stamp, ms since 1970 UTC. */
  readonly record: readonly [first: number, last: number];
  /** What was left out or could not be computed. */
  readonly notes: readonly CandidateFound[];
}

/** Production with the zone of its months. */
export interface ProductionSeries {
  readonly production: Production;
  readonly timeZone: string;
}

/** Fewest hours with both values for a lag: ten days. */
const MIN_LAG_PAIRS = 240;

/** The lag with the highest correlation of two series. */
interface BestLag {
  /** Whole hours that the first series comes later than the second. */
  readonly lag: number;
  /** Pearson's correlation at that lag. */
  readonly correlation: number;
  /** The same without a lag; NaN where a series does not vary in those hours. */
  readonly unlagged: number;
}

/**
 * Finds the whole-hour lag, less than {@linkcode LAG_REACH} either way, at which two hourly series correlate best.
 *
 * @param late The series that may come late; missing is NaN
 * @param early The other one, on the same hours
 * @returns `undefined` where fewer than {@linkcode MIN_LAG_PAIRS} hours have both, or a series does not vary
 */
export function findBestLag(late: Float64Array, early: Float64Array): BestLag | undefined {
  const sums = new LaggedSums(late, early, 0, late.length);
  if (sums.pairs < MIN_LAG_PAIRS) return undefined;
  const correlations = sums.correlations(new Array(sums.days).keys());
  let best: number | undefined;
  for (let lag = -LAG_REACH + 1; lag < LAG_REACH; lag++) {
    const correlation = correlations[lag + LAG_REACH];
    if (Number.isNaN(correlation)) continue;
    if (best === undefined || correlation > correlations[best + LAG_REACH]) best = lag;
  }
  if (best === undefined) return undefined;
  return {
    lag: best,
    correlation: correlations[best + LAG_REACH],
    unlagged: correlations[LAG_REACH],
  };
}

/** Smallest hourly correlation for a lag: below it the best lag is chance. */
const MIN_LAG_CORRELATION = 0.5;

const undefinedForNaN = (value: number) => Number.isNaN(value) ? undefined : value;

/** Shifts values of a reference by some hours onto the hours of the production. */
function shiftHours(values: Float64Array, later: number, length: number): Float64Array {
  return Float64Array.from({ length }, (_, i) => values[i - later] ?? NaN);
}

/** Selects the values of hours in which another series has a value too. */
function selectCommonHours(own: Float64Array, other: Float64Array): Float64Array {
  return own.map((value, i) => Number.isNaN(other[i]) ? NaN : value);
}

const countKnown = (values: Float64Array) => values.filter((value) => !Number.isNaN(value)).length;

/** Compares a candidate of hours with the production. */
export function fitHours(
  compared: ProductionSeries,
  candidate: SingleCandidate,
  refuse: Refuse,
): ReferenceFit {
  const { frame, column, stamp } = candidate;
  const reference = readReferenceHours(frame, { column, stamp, prefer: "wind" }, refuse);
  const { axis, values, means } = reference;
  const { production, timeZone } = compared;
  const annual = computeAnnualMeans(values, axis, timeZone);
  const common = {
    column: reference.column.name,
    trend: reference.isWind ? fitAnnualTrend(annual) : undefined,
    years: reference.isWind ? annual.length : undefined,
    completeness: countKnown(values) / values.length,
    record: [axis.start, axis.start + (axis.length - 1) * HOUR] as const,
  };
  const read = listReadings(reference.notes);
  const notWind: CandidateFound[] = reference.isWind
    ? []
    : [{ code: "no_trend_of", column: common.column }];
  if (production.kind === "periods") {
    const pairs = pairMonths(
      computeProducedMeans(compared),
      computeMonthMeans(means, axis, timeZone),
    );
    return {
      ...common,
      hours: undefined,
      pairs,
      monthly: correlateMonths(pairs),
      hourlyR: undefined,
      lag: undefined,
      notes: [...read, ...notWind],
    };
  }
  const { power } = production;
  const away = (axis.start - production.axis.start) / HOUR;
  const beside = shiftHours(means, Math.floor(away), power.length);
  const hours = countKnown(selectCommonHours(power, beside));
  const best = hours === 0 ? undefined : findBestLag(power, beside);
  const hasLag = best !== undefined && best.correlation >= MIN_LAG_CORRELATION;
  // A shifted reference may have values for hours at the ends of the production.
  const lag = hasLag ? best.lag : 0;
  const moved = shiftHours(means, Math.floor(away) + lag, power.length);
  const pairs = pairMonths(
    computeMonthMeans(selectCommonHours(power, moved), production.axis, timeZone),
    computeMonthMeans(selectCommonHours(moved, power), production.axis, timeZone),
  );
  const monthly = correlateMonths(pairs);
  const listHourNotes = (): CandidateFound[] => [
    ...(hasLag && lag !== 0
      ? [
        {
          code: "lag",
          lag,
          least: Math.abs(lag) === MAX_LAG,
          unlagged_r: best.unlagged,
        } as const,
      ]
      : []),
    ...(best && !hasLag ? [{ code: "no_lag" } as const] : []),
    ...(Number.isInteger(away) ? [] : [{ code: "between_hours" } as const]),
    ...(hours === 0 || best
      ? []
      : hours < MIN_LAG_PAIRS
      ? [{ code: "few_hours", needed: MIN_LAG_PAIRS } as const]
      : [{ code: "hours_alike" } as const]),
  ];
  return {
    ...common,
    hours,
    pairs,
    monthly,
    hourlyR: hasLag ? best.correlation : best && undefinedForNaN(best.unlagged),
    lag: hasLag ? lag : undefined,
    notes: [...read, ...listHourNotes(), ...notWind],
  };
}
