import { HOUR } from "../../time/hourly.ts";
import { MAX_LAG } from "../../screening/shift/shift.ts";
import { readReferenceHours } from "../series/reference_hours.ts";
import type { Refuse } from "../../frames/read_columns.ts";
import { computeAnnualMeans, fitAnnualTrend } from "../../windindex/index/annual_trend.ts";
import type { SingleCandidate } from "./candidates.ts";
import { computeMonthMeans, computeProducedMeans } from "./month_means.ts";
import { correlateMonths, pairMonths } from "./monthly_pairs.ts";
import type { ProductionSeries, ReferenceFit } from "./reference_fit.ts";
import { LAG_REACH, LaggedSums } from "../../screening/shift/lagged_sums.ts";

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
  const notWind = reference.isWind ? [] : [`no trend: "${common.column}" is not a wind speed`];
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
      notes: [...reference.notes, ...notWind],
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
  return {
    ...common,
    hours,
    pairs,
    monthly,
    hourlyR: hasLag ? best.correlation : best && undefinedForNaN(best.unlagged),
    lag: hasLag ? lag : undefined,
    notes: [
      ...reference.notes,
      ...(hasLag && lag !== 0
        ? [
          `production comes ${Math.abs(lag) === MAX_LAG ? "at least " : ""}${Math.abs(lag)} h ` +
          `${lag > 0 ? "later" : "earlier"} than it (without that hourly r ` +
          `${best.unlagged.toFixed(3)}): check the zone of its stamps`,
        ]
        : []),
      ...(best && !hasLag
        ? ["the correlation of its hours with the production is too low for a lag"]
        : []),
      ...(Number.isInteger(away)
        ? []
        : ["its hours begin between those of the production, which lowers hourly r"]),
      ...(hours > 0 && !best
        ? [
          hours < MIN_LAG_PAIRS
            ? `fewer than ${MIN_LAG_PAIRS} hours in both: no hourly r`
            : "no hourly r: its hours or those of the production do not vary",
        ]
        : []),
      ...notWind,
    ],
  };
}
