import { type QuantilePercent, studentQuantile } from "../../stats/student.ts";
import type { MonthlyEnergy } from "../index/monthly_energy.ts";
import type { ReferencePeriod } from "../index/reference_period.ts";

/** A part of the error of a figure that is independent of its other parts. */
export interface ErrorShare {
  /** Variance of the logarithm of the figure. */
  readonly variance: number;
  /** Degrees of freedom of the variance; `Infinity` if it is not estimated from the training periods. */
  readonly freedom: number;
}

/** No error. */
export const NO_ERROR: ErrorShare = { variance: 0, freedom: Infinity };

/** Builds a share from a standard deviation, taken as exactly known unless its degrees of freedom are given. */
export function buildShare(deviation: number, freedom: number = Infinity): ErrorShare {
  return { variance: deviation ** 2, freedom };
}

/** Multiplies the variance of a share. */
export function scaleShare({ variance, freedom }: ErrorShare, factor: number): ErrorShare {
  return { variance: factor * variance, freedom };
}

/**
 * Sums independent shares.
 *
 * Source: degrees of freedom of a sum of variances by F. Satterthwaite, "An approximate distribution of estimates of variance
 * components" (1946).
 */
export function addShares(...shares: readonly ErrorShare[]): ErrorShare {
  const variance = shares.reduce((sum, share) => sum + share.variance, 0);
  const spread = shares.reduce((sum, share) => sum + share.variance ** 2 / share.freedom, 0);
  return { variance, freedom: spread > 0 ? variance ** 2 / spread : Infinity };
}

/**
 * Computes the distance of a quantile from a figure with an error, by Student's t: with 95 % half the width of its 90 %
 * interval, with 75 and 90 % the distance of P75 and P90 below P50.
 */
export function computeReach(
  { variance, freedom }: ErrorShare,
  percent: QuantilePercent = 95,
): number {
  return studentQuantile(freedom, percent) * Math.sqrt(variance);
}

/** An error known from other sites, and the number of own errors that it counts as. */
export interface PriorError {
  readonly deviation: number;
  readonly count: number;
}

/**
 * Standard deviation of the annual wave of produced over modelled energy, for production that covers too little of a
 * year to show it. With ERA5 it is 2.4 % at Kelmarsh and 9.4 % at La Haute Borne, with MERRA-2 4.2 %
 * (docs/validation.md). A study of six reanalyses at 18 sites found that reanalyses exaggerate the windy season (A.
 * Basse et al., Wind Energy Science 6, 2021).
 */
export const SEASON_PRIOR: PriorError = { deviation: 0.06, count: 4 };

/** Standard deviation of the error of a month with one factor: 6 to 16 % in docs/validation.md. */
export const MONTH_PRIOR: PriorError = { deviation: 0.09, count: 4 };

/**
 * Error of a month, and the annual wave, over the error of 24 hours, which an hourly record shows sooner: at Kelmarsh
 * and La Haute Borne 0.35 to 0.5, and 0.15 to 0.35.
 */
export const BY_DAY = { month: 0.35, season: 0.25 } as const;

/**
 * Standard deviation of the year-to-year movement of a reanalysis's level, beyond the contribution of the months'
 * scatter. Months of one year cannot show it. At Horns Rev, 2005 and 2006 predict each other 2.1 % off
 * (docs/validation.md). At La Haute Borne, 2015 predicted 2014 8.5 % off, which the scatter of its months (13 to 17 %)
 * explains.
 */
export const LEVEL_PRIOR: PriorError = { deviation: 0.023, count: 4 };

/**
 * Standard deviation of the error that more years do not reduce, as a share: at the site, per kilometre to the climate
 * point, and per unit of difference of the factor on the wind speed from 1. The turbines of the Danish register in
 * docs/validation.md, 18 to 40 km from their points with factors around 0.75, were seen when these were chosen.
 */
export const LASTING_PRIOR = { site: 0.01, distance: 0.001, factor: 0.08 } as const;

/** The same if distance and factor are unknown: for a point 10 km away and a factor of 0.8 or 1.2. */
export const UNKNOWN_LASTING = 0.02;

/**
 * Computes the error of the level that does not shrink with years: the ratio of real to reanalysis wind over decades
 * differs from the ratio in the training years, and the more so the more the wind had to be scaled.
 *
 * @param distance Distance of the climate points, km
 * @param k The factor on the wind speed
 */
export function computeLastingError(distance: number, k: number): ErrorShare {
  const { site, distance: perKilometre, factor } = LASTING_PRIOR;
  return buildShare(Math.hypot(site, perKilometre * distance, factor * (k - 1)));
}

/**
 * Standard deviation of a year's production from its model: the movement of the level, and stops that annual values do
 * not show.
 */
export const YEAR_PRIOR: PriorError = { deviation: 0.035, count: 4 };

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

/** Fewest years for an inter-annual variability. */
export const MIN_YEARS = 5;

/** Computes the standard deviation of the annual energies of a reference period over their mean; `null` with fewer than five years. */
export function computeInterAnnualVariability(
  months: readonly Pick<MonthlyEnergy, "year" | "energy">[],
  reference: ReferencePeriod,
): number | null {
  const { years } = reference;
  if (years.length < MIN_YEARS) return null;
  const energies = years.map((year) =>
    months.reduce((sum, month) => month.year === year ? sum + month.energy! : sum, 0)
  );
  const mean = energies.reduce((sum, value) => sum + value, 0) / years.length;
  const squares = energies.reduce((sum, value) => sum + (value / mean - 1) ** 2, 0);
  return Math.sqrt(squares / (years.length - 1));
}

/** Probability that a figure is within its interval, %. */
export const INTERVAL_LEVEL = 90;

/** Quantile 0.95 of the normal distribution: half the width of a 90 % interval, in standard deviations. */
export const NORMAL_95 = 1.6448536269514722;

/** Bounds of a figure at the probability {@linkcode INTERVAL_LEVEL}. */
export interface Interval {
  /** Lower bound. */
  readonly low: number;
  /** Upper bound. */
  readonly high: number;
}

/** Builds an interval from half the width of its logarithm, so no energy is below 0. */
export function buildInterval(value: number, reach: number): Interval {
  const ratio = Math.exp(reach);
  return { low: value / ratio, high: value * ratio };
}
