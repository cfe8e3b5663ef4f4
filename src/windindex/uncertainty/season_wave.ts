import { SEASON_PRIOR } from "./prior_errors.ts";

/** A point on the circle of a year; of length 1 for a single month, 0 for whole years. */
type YearVector = readonly [cosine: number, sine: number];

const angleOf = (month: number) => 2 * Math.PI * (month - 1) / 12;

/** Months from which the production shows its own wave. */
const WHOLE_YEAR = 12;

/** Error of a month that was predicted by a calibration without it. */
export interface UnseenMonth {
  /** Calendar month, 1 to 12. */
  readonly month: number;
  /** Produced over predicted energy, less 1. */
  readonly error: number;
}

/** The wave of one year through produced over modelled energy, as far as the months of training show it. */
export interface SeasonWave {
  /** Mean direction of the training months on the circle of a year. */
  readonly middle: YearVector;
  /** Share of its variance that the errors of these months show: 0 for one month, 1 for whole years. */
  readonly shown: number;
  /** Standard deviation of the wave. */
  readonly deviation: number;
  /** Share of the variance of the errors that it explains, as far as it is known: over whole years it cancels out. */
  readonly explained: number;
}

/**
 * Estimates the season's wave: from twelve months on their own one, less what their scatter makes of it; below, that of
 * {@linkcode SEASON_PRIOR}.
 *
 * @param months Months of training with their errors; none where production is annual, which shows no season
 */
export function estimateSeasonWave(months: readonly UnseenMonth[]): SeasonWave {
  if (months.length === 0) {
    return { middle: [0, 0], shown: 0, deviation: SEASON_PRIOR, explained: 0 };
  }
  const mean = (value: (month: UnseenMonth) => number) =>
    months.reduce((sum, month) => sum + value(month), 0) / months.length;
  const cosine = (one: UnseenMonth) => Math.cos(angleOf(one.month));
  const sine = (one: UnseenMonth) => Math.sin(angleOf(one.month));
  const middle = [mean(cosine), mean(sine)] as const;
  const shown = 1 - middle[0] ** 2 - middle[1] ** 2;
  if (months.length < WHOLE_YEAR) return { middle, shown, deviation: SEASON_PRIOR, explained: 0 };
  const level = mean(({ error }) => error);
  const [a, b] = [cosine, sine].map((of) => 2 * mean((one) => (one.error - level) * of(one)));
  const variance = mean(({ error }) => (error - level) ** 2);
  const found = (a * a + b * b) / 2;
  const chance = 2 * Math.max(0, variance - found) / (months.length - 3); // what scatter alone would show
  const own = Math.max(0, found - chance);
  return { middle, shown, deviation: Math.sqrt(own), explained: Math.min(1, own / variance) };
}

/** Computes how unevenly the training months are distributed over the year: 0 for whole years, 1 for one month. */
export function computeSeasonGap({ middle }: SeasonWave): number {
  return Math.hypot(...middle);
}

/**
 * Computes the variance that the season adds to the error of a month, beyond what the errors of the training months
 * show: nothing where these cover the year.
 *
 * @param month Calendar month, 1 to 12
 */
export function computeSeasonVariance(
  { middle: [cosine, sine], shown, deviation }: SeasonWave,
  month: number,
): number {
  const apart = (Math.cos(angleOf(month)) - cosine) ** 2 + (Math.sin(angleOf(month)) - sine) ** 2;
  return deviation ** 2 * Math.max(0, apart - shown);
}
