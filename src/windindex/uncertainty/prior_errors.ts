import type { ErrorShare } from "./error_share.ts";

/**
 * Standard deviation of the wave of one year through produced over modelled energy, where production covers too little
 * of a year to show it. With ERA5 it is 2.4 % at Kelmarsh and 9.4 % at La Haute Borne (docs/validation.md); that reanalysis
 * makes too much of the windy season was found in six reanalyses at 18 sites (A. Basse et al., Wind Energy Science 6, 2021).
 */
export const SEASON_PRIOR = 0.1;

/**
 * Standard deviation by which the level of a reanalysis moves from year to year: months of one year cannot show it. In a
 * trial 2015 predicted 2014 8.5 % off at La Haute Borne; at Horns Rev 2005 and 2006 predict each other 2.1 % off
 * (docs/validation.md).
 */
export const YEAR_MOVE = 0.04;

/** An error known from elsewhere, and the number of own errors that it counts as. */
export interface PriorError {
  readonly deviation: number;
  readonly count: number;
}

/** Standard deviation of the error of a month with one factor: mean errors are 5 to 14 % in docs/validation.md. */
export const MONTH_PRIOR: PriorError = { deviation: 0.1, count: 4 };

/** Standard deviation of a year's production from its model: the level's move, and stops that annual values do not show. */
export const YEAR_PRIOR: PriorError = { deviation: 0.05, count: 4 };

/**
 * Estimates the variance of one more error, from few errors and a prior.
 *
 * Source: variance of a normal distribution with a conjugate prior, A. Gelman et al., "Bayesian Data Analysis", 2.6.
 *
 * @param squares Sum of the squared errors
 * @param freedom Degrees of freedom in them
 */
export function estimateError(squares: number, freedom: number, prior: PriorError): ErrorShare {
  const all = prior.count + freedom;
  return { variance: (prior.count * prior.deviation ** 2 + squares) / all, freedom: all };
}
