import { quantile, sumOf } from "../../stats/spread.ts";
import { buildBlockBootstrap } from "../../stats/seeded_random.ts";
import {
  buildShare,
  type ErrorShare,
  estimateError,
  LEVEL_PRIOR,
  scaleShare,
  SEASON_PRIOR,
  UNKNOWN_LASTING,
  YEAR_PRIOR,
} from "../../windindex/uncertainty/error_terms.ts";

/** Number and seed of the draws of a bootstrap. */
export interface Draws {
  /** Number of draws. */
  readonly draws: number;
  /** Seed of its random numbers. */
  readonly seed: number;
}

/** Probabilities of one standard deviation below and above the mean of a normal distribution. */
const ONE_DEVIATION = [0.15865525393145707, 0.8413447460685429] as const;

/**
 * Estimates the error of a figure computed from months, by the block bootstrap of calibration, with as many degrees of
 * freedom as there are blocks. The standard error is half the range of the middle 68 % of the draws: a line through a
 * draw of two or three months may have any slope, which would dominate a root mean square.
 *
 * @param estimate Computes the figure from months that count as often as the weights say
 */
export function estimateBootstrapError(
  periods: number,
  estimate: (weights: Float64Array) => number,
  { draws, seed }: Draws,
): ErrorShare {
  const counted = new Uint8Array(periods).fill(1);
  const bootstrap = buildBlockBootstrap(counted, draws, seed);
  const fullEstimate = estimate(new Float64Array(periods).fill(1));
  const deviations: number[] = [];
  for (const weights of bootstrap.draws()) {
    const deviation = estimate(weights) / fullEstimate - 1;
    if (Number.isFinite(deviation)) deviations.push(deviation); // a single month has no line through it
  }
  const sorted = Float64Array.from(deviations).sort();
  const [low, high] = ONE_DEVIATION.map((share) => quantile(sorted, share));
  const { blocks } = bootstrap;
  const freedom = Math.max(1, Math.floor(blocks) - 1);
  return { variance: blocks / (blocks - 1) * ((high - low) / 2) ** 2, freedom };
}

/**
 * Estimates the error of a figure computed from years; the scatter at other sites counts as some more years.
 *
 * @param ratios Production over expectation of each year
 */
export function estimateYearsError(ratios: readonly number[]): ErrorShare {
  const mean = sumOf(ratios) / ratios.length;
  const squares = sumOf(ratios, (ratio) => (ratio / mean - 1) ** 2);
  const error = estimateError(squares, ratios.length - 1, YEAR_PRIOR);
  return scaleShare(error, 1 / ratios.length);
}

/**
 * Measures how unevenly months cover the year, 0 to 1: the length of their mean direction on a circle of one year. 0
 * for whole years, 0.91 for a quarter, 1 for a single month.
 *
 * @param months Each month in months since year 0, and its weight
 */
export function computeSeasonGap(months: readonly { number: number; weight: number }[]): number {
  const angle = (number: number) => 2 * Math.PI * (number % 12) / 12;
  const sum = (of: (angle: number) => number) =>
    sumOf(months, ({ number, weight }) => weight * of(angle(number)));
  const weight = sumOf(months, (one) => one.weight);
  return Math.hypot(sum(Math.cos), sum(Math.sin)) / weight;
}

/** Estimates the error caused by the season, from experience at other sites. */
export function estimateSeasonError(gap: number): ErrorShare {
  return scaleShare(estimateError(0, 0, SEASON_PRIOR), gap ** 2);
}

/**
 * Estimates the error that more years do not reduce.
 *
 * @param known `lasting_error` of the turbine details, if the service that answers has it, %
 */
export function estimateLastingError(known: unknown): ErrorShare {
  return buildShare(typeof known === "number" ? known / 100 : UNKNOWN_LASTING);
}

/**
 * Estimates the error caused by the reanalysis's level, which moves from year to year, from experience at other sites.
 */
export function estimateLevelError(months: number): ErrorShare {
  return scaleShare(estimateError(0, 0, LEVEL_PRIOR), 1 / Math.max(1, months / 12));
}
