import { findLowestError, LAG_REACH, sumLagged } from "./lagged_sums.ts";
import { median, quantile } from "../../stats/spread.ts";
import type { Finding } from "../finding.ts";
import { SeededRandom } from "../../stats/seeded_random.ts";

/** Largest lag that is reported, hours, either way. */
export const MAX_LAG = LAG_REACH - 1;

/** Share of the months whose interval must exclude 0 for a shift. */
const MONTHS_SHIFTED = 2 / 3;

/** Fewest hours with both values for the lag of a month. */
const MIN_PAIRS = 240;

const DRAWS = 200;

/** Smallest shift that is found in production finer than hourly, hours. */
const HALF = 0.5;

/** A stretch of hours with a name. */
export interface ShiftMonth {
  /** Its name, such as "2018-03". */
  readonly label: string;
  /** Position of its first value. */
  readonly from: number;
  /** Position after its last value. */
  readonly to: number;
}

/** Seed and resolution of a search for shifts. */
export interface ShiftOptions {
  /** Seed of the bootstrap: the same seed gives the same intervals. */
  readonly seed: number | string;
  /**
   * Positions an hour. With two or more, shifts of half an hour are found too: `produced` is then the mean of the hour
   * that starts at each position ({@linkcode computeHourMeans}), and `modelled` is missing between its hours. @default
   * {1}
   */
  readonly perHour?: number;
}

/** Lag of production behind the model in a month. */
export interface MonthLag extends ShiftMonth {
  /** Lag with the largest correlation, hours; positive if production comes later than the model. */
  readonly lag: number;
  /** Lower end of its 90 % interval, hours. */
  readonly low: number;
  /** Upper end, hours. */
  readonly high: number;
  /** Correlation at that lag, on whole positions. */
  readonly correlation: number;
}

interface MonthDraws extends MonthLag {
  /** Lags of the draws, hours. */
  readonly draws: Float64Array;
}

/**
 * Computes the lag of production behind the model in each month: from -{@linkcode MAX_LAG} to {@linkcode MAX_LAG} hours
 * the lag with the largest correlation, refined by a parabola through it and its two neighbours; 90 % interval by a
 * bootstrap of days.
 *
 * @param produced Mean power of the hour that starts at each position; missing is NaN
 * @param modelled Mean power of the model in these hours, in any unit
 * @param months The months; those with fewer than ten days of pairs, or without variation, are left out
 * @param options Seed, and positions an hour
 */
export function computeMonthLags(
  produced: Float64Array,
  modelled: Float64Array,
  months: readonly ShiftMonth[],
  options: ShiftOptions,
): MonthLag[] {
  return drawMonthLags(produced, modelled, months, options).map(({ draws: _, ...month }) => month);
}

/**
 * Finds production that is shifted in time against the model, by whole hours: by the median lag of the months, if the
 * interval of at least two thirds of them is on its side of 0. Hourly data cannot show half an hour.
 *
 * Finer production can show half an hour, too: if the whole 90 % interval of the lag is nearer to half an hour than to
 * 0. The model limits this: weather that moves at 11 m/s needs half an hour for 20 km, so a climate point that far
 * upwind or downwind has such a lag without any wrong clock.
 *
 * A positive lag means that production comes later than the model: its stamps are that many hours too late.
 *
 * @param produced Mean power of the hour that starts at each position; missing is NaN
 * @param modelled Mean power of the model in these hours, in any unit
 * @param months The months; those with fewer than ten days of pairs, or without variation, are ignored
 * @param options Seed, and positions an hour
 * @returns One finding over the months that were used, or none
 */
export function findShift(
  produced: Float64Array,
  modelled: Float64Array,
  months: readonly ShiftMonth[],
  options: ShiftOptions,
): Finding[] {
  const lags = drawMonthLags(produced, modelled, months, options);
  const lag = computeMedian(lags.map((month) => month.lag));
  const unit = (options.perHour ?? 1) > 1 ? HALF : 1;
  if (!(Math.round(Math.abs(lag) / unit) >= 1)) return [];
  const shifted = lags.filter(({ low, high }) => lag > 0 ? low > 0 : high < 0);
  if (shifted.length < MONTHS_SHIFTED * lags.length) return [];
  // Interval of the median of the months, from the same draws.
  const medians = Float64Array.from(
    { length: DRAWS },
    (_, draw) => computeMedian(lags.map(({ draws }) => draws[draw])),
  ).sort();
  const ends = [0.05, 0.95].map((share) => quantile(medians, share));
  if (unit === HALF && !(Math.min(...ends.map((end) => Math.sign(lag) * end)) > HALF / 2)) {
    return [];
  }
  const interval = ends.map((end) => end.toFixed(2)).join(" to ");
  const hours = Number(Math.abs(lag).toFixed(1));
  const message = `production comes ${hours >= MAX_LAG ? "at least " : ""}${hours} h ` +
    `${lag > 0 ? "later" : "earlier"} than the model: lag of ${lag.toFixed(2)} h ` +
    `(90 % interval ${interval} h), in ${shifted.length} of ${lags.length} months, ` +
    `${shifted[0].label} to ${shifted[shifted.length - 1].label}`;
  const from = Math.min(...lags.map((month) => month.from));
  const to = Math.max(...lags.map((month) => month.to));
  const wholeHours = Math.round(lag);
  return [{ kind: "shift", from, to, message, lag: { standard: wholeHours, summer: wholeHours } }];
}

function drawMonthLags(
  produced: Float64Array,
  modelled: Float64Array,
  months: readonly ShiftMonth[],
  { seed, perHour = 1 }: ShiftOptions,
): MonthDraws[] {
  const random = new SeededRandom(seed);
  const reach = MAX_LAG * perHour + 1;
  const findPeakHours = (correlations: Float64Array) => {
    const { lag, least } = findLowestError(correlations.map((value) => -value));
    return { lag: lag / perHour, correlation: -least };
  };
  return months.flatMap(({ label, from, to }): MonthDraws[] => {
    const sums = sumLagged(produced, modelled, from, to, { perHour, reach });
    if (sums.pairs < MIN_PAIRS) return [];
    const all = Int32Array.from({ length: sums.days }, (_, day) => day);
    const best = findPeakHours(sums.correlate(all));
    if (Number.isNaN(best.lag)) return [];
    const drawn = new Int32Array(sums.days);
    const draws = new Float64Array(DRAWS);
    for (let draw = 0; draw < DRAWS; draw++) {
      for (let i = 0; i < drawn.length; i++) drawn[i] = random.below(sums.days);
      draws[draw] = findPeakHours(sums.correlate(drawn)).lag;
    }
    const sorted = draws.filter((lag) => !Number.isNaN(lag)).sort();
    const [low, high] = [quantile(sorted, 0.05), quantile(sorted, 0.95)];
    return [{ label, from, to, ...best, low, high, draws }];
  });
}

function computeMedian(values: readonly number[]): number {
  return median(values.filter((value) => !Number.isNaN(value)));
}
