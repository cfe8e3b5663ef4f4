import { fitLine } from "../../stats/regression.ts";
import { mean, variance } from "../../stats/spread.ts";
import { studentQuantile } from "../../stats/student.ts";
import { type Calibration, type CalibrationPeriod, isWhole } from "../calibration/calibration.ts";
import { isMonth, type TrainingEnergies } from "../calibration/training_energies.ts";
import type { MonthlyEnergy } from "../index/monthly_energy.ts";
import { scaleSpeed, type WindScaling } from "../scaling/wind_scaling.ts";
import {
  addShares,
  buildShare,
  BY_DAY,
  computeLastingError,
  type ErrorShare,
  estimateError,
  LEVEL_PRIOR,
  MONTH_PRIOR,
  NO_ERROR,
  type PriorError,
  scaleShare,
  SEASON_PRIOR,
} from "./error_terms.ts";

/** Prior errors of the months of a site, for errors that its own months do not show. */
export interface SitePrior {
  /** Error of a month. */
  readonly month: PriorError;
  /** Error of the annual wave. */
  readonly season: PriorError;
}

/** Hours in one error: these errors show how well the reanalysis follows the weather of the site. */
const DAY = 24;

/**
 * Measures the difference between produced and modelled energy of 24 hours, each month at its own level, so one month
 * is enough: the root mean square over the mean; `null` if production is not hourly.
 */
function measureDayScatter(
  { set, hub, turbine, curve, periods }: TrainingEnergies,
  scaling: WindScaling,
): number | null {
  const speed = scaleSpeed(scaling, hub, turbine);
  let [squares, days, energy, hours] = [0, 0, 0, 0];
  for (const { from, to, hourly, produced } of periods) {
    if (!hourly) continue;
    const modelled = new Float64Array(to - from);
    for (let i = from; i < to; i++) {
      if (set.weight[i] === 0) continue;
      modelled[i - from] = set.weight[i] *
        curve.powerAt(speed[set.stamp[i]], set.logDensityRatio[i]);
    }
    const level = produced / modelled.reduce((sum, value) => sum + value, 0);
    if (!(level > 0)) continue;
    for (let first = 0; first + DAY <= modelled.length; first += DAY) {
      let [error, known] = [0, 0];
      for (let i = first; i < first + DAY; i++) {
        error += set.produced[from + i] - level * modelled[i];
        known += set.weight[from + i];
      }
      if (known < 0.8 * DAY) continue;
      squares += (error / known) ** 2;
      days++;
    }
    energy += produced;
    hours += set.weight.subarray(from, to).reduce((sum, value) => sum + value, 0);
  }
  return days === 0 ? null : Math.sqrt(squares / days) / (energy / hours);
}

/**
 * Estimates the errors of the months of a site, from the errors of its days if production is hourly.
 *
 * @param training Produced and modelled energies, by the smoothing of the calibration
 */
function estimateSitePrior(
  training: TrainingEnergies,
  { scaling }: Calibration,
): SitePrior {
  const day = measureDayScatter(training, scaling);
  if (day === null) return { month: MONTH_PRIOR, season: SEASON_PRIOR };
  return {
    month: { ...MONTH_PRIOR, deviation: BY_DAY.month * day },
    season: { ...SEASON_PRIOR, deviation: BY_DAY.season * day },
  };
}

/** A point on the circle of a year; of length 1 for a single month, 0 for whole years. */
type YearVector = readonly [cosine: number, sine: number];

const angleOf = (month: number) => 2 * Math.PI * (month - 1) / 12;

/** Months from which on the production shows its own wave. */
const WHOLE_YEAR = 12;

/** Error of a month predicted by a calibration without it. */
export interface UnseenMonth {
  /** Calendar month, 1 to 12. */
  readonly month: number;
  /** Produced over predicted energy, less 1. */
  readonly error: number;
}

/** The annual wave of produced over modelled energy, as far as the training months show it. */
export interface SeasonWave {
  /** Mean direction of the training months on the circle of a year. */
  readonly middle: YearVector;
  /** Share of its variance that the errors of these months show: 0 for one month, 1 for whole years. */
  readonly shown: number;
  /** Standard deviation of the wave. */
  readonly deviation: number;
  /** Degrees of freedom of its variance if it comes from other sites; `Infinity` if it is the site's own. */
  readonly freedom: number;
  /** Share of the variance of the errors that the wave explains, if known: over whole years it cancels out. */
  readonly explained: number;
}

/**
 * Estimates the seasonal wave: from twelve months on it is the site's own, less the contribution of scatter; below,
 * {@linkcode SEASON_PRIOR}.
 *
 * @param months Training months with their errors; none for annual production, which shows no season
 */
export function estimateSeasonWave(
  months: readonly UnseenMonth[],
  prior: PriorError = SEASON_PRIOR,
): SeasonWave {
  const known = { deviation: prior.deviation, freedom: prior.count, explained: 0 };
  if (months.length === 0) {
    return { middle: [0, 0], shown: 0, ...known };
  }
  const mean = (value: (month: UnseenMonth) => number) =>
    months.reduce((sum, month) => sum + value(month), 0) / months.length;
  const cosine = (one: UnseenMonth) => Math.cos(angleOf(one.month));
  const sine = (one: UnseenMonth) => Math.sin(angleOf(one.month));
  const middle = [mean(cosine), mean(sine)] as const;
  const shown = 1 - middle[0] ** 2 - middle[1] ** 2;
  if (months.length < WHOLE_YEAR) return { middle, shown, ...known };
  const level = mean(({ error }) => error);
  const [a, b] = [cosine, sine].map((of) => 2 * mean((one) => (one.error - level) * of(one)));
  const variance = mean(({ error }) => (error - level) ** 2);
  const fittedVariance = (a * a + b * b) / 2;
  const chance = 2 * Math.max(0, variance - fittedVariance) / (months.length - 3); // expected from scatter alone
  const waveVariance = Math.max(0, fittedVariance - chance);
  return {
    middle,
    shown,
    deviation: Math.sqrt(waveVariance),
    freedom: Infinity,
    explained: Math.min(1, waveVariance / variance),
  };
}

/** Computes how unevenly the training months cover the year: 0 for whole years, 1 for one month. */
export function computeSeasonGap({ middle }: SeasonWave): number {
  return Math.hypot(...middle);
}

/**
 * Computes the variance that the season adds to the error of a month, beyond the errors of the training months: 0 if
 * these cover the year.
 *
 * @param month Calendar month, 1 to 12
 */
export function computeSeasonVariance(
  { middle: [cosine, sine], shown, deviation }: SeasonWave,
  month: number,
): number {
  const squaredDistance = (Math.cos(angleOf(month)) - cosine) ** 2 +
    (Math.sin(angleOf(month)) - sine) ** 2;
  return deviation ** 2 * Math.max(0, squaredDistance - shown);
}

/** A training month. */
interface TrainingMonth extends UnseenMonth {
  readonly year: string;
}

/** Lists the months among training periods with their errors in the cross-validation. */
function listTrainingMonths(periods: readonly CalibrationPeriod[]): TrainingMonth[] {
  return periods.filter(isMonth).map(({ label, produced, unseen }) => ({
    year: label.slice(0, 4),
    month: Number(label.slice(5)),
    error: unseen === null ? 0 : produced / unseen - 1, // null for a single month, whose error is never used
  }));
}

/** Fewest months of a year that show its level. */
const LEVEL_MONTHS = 6;

/**
 * Estimates the year-to-year movement of the level beyond the contribution of the months' scatter to the annual means:
 * from a prior, and from the years of the record if there are several.
 */
export function estimateLevelMove(months: readonly TrainingMonth[]): ErrorShare {
  const years = [...Map.groupBy(months, ({ year }) => year).values()]
    .map((errors) => errors.map(({ error }) => error)).filter((errors) =>
      errors.length >= LEVEL_MONTHS
    );
  if (years.length < 2) return estimateError(0, 0, LEVEL_PRIOR);
  const means = years.map(mean);
  const level = mean(means);
  const squares = means.reduce((sum, yearMean) => sum + (yearMean - level) ** 2, 0);
  const chance = mean(years.map((errors) => variance(errors) / errors.length));
  const freedom = years.length - 1;
  return estimateError(Math.max(0, squares - freedom * chance), freedom, LEVEL_PRIOR);
}

/** A calendar month. */
type CalendarMonth = Pick<MonthlyEnergy, "year" | "month">;

/** A drift of produced over modelled energy from year to year. */
export interface LevelTrend {
  /** Annual rise of the logarithm of their ratio. */
  readonly slope: number;
  /** Half the width of its 90 % interval. */
  readonly reach: number;
  /** First and last year of the data behind it. */
  readonly years: readonly [first: number, last: number];
  /** Middle of those years. */
  readonly middle: number;
}

/** Fewest years for a trend: two degrees of freedom are left. */
const TREND_YEARS = 4;

/**
 * Finds the trend over the training years: of annual energies, or of the months in years that have at least six.
 *
 * @returns `null` if its 90 % interval contains 0, or there are too few years
 */
export function findLevelTrend(periods: readonly CalibrationPeriod[]): LevelTrend | null {
  const known = periods.filter(isWhole).map(({ label, produced, modelled, hours }) => ({
    year: Number(label.slice(0, 4)),
    ratio: Math.log(produced / modelled!),
    isMonth: isMonth({ hours }),
  }));
  const years = [...Map.groupBy(known, ({ year }) => year)].flatMap(([year, entries]) =>
    entries.length < LEVEL_MONTHS && entries.every((period) => period.isMonth)
      ? []
      : [{ year, ratio: mean(entries.map(({ ratio }) => ratio)) }]
  ).sort((a, b) => a.year - b.year);
  if (years.length < TREND_YEARS) return null;
  const { slope, slopeError } = fitLine(
    years.map(({ year }) => year),
    years.map(({ ratio }) => ratio),
  )!;
  const reach = studentQuantile(years.length - 2) * slopeError;
  if (!(Math.abs(slope) > reach)) return null;
  return {
    slope,
    reach,
    years: [years[0].year, years[years.length - 1].year],
    middle: mean(years.map(({ year }) => year)),
  };
}

/** Computes the share of a trend in the error of a year: it may continue or have been an episode. */
function computeTrendError(trend: LevelTrend | null, year: number): ErrorShare {
  return trend ? buildShare(trend.slope * (year - trend.middle)) : NO_ERROR;
}

/**
 * Computes the errors of a site other than the scatter of the training periods.
 *
 * @param training Produced and modelled energies, by the smoothing of the calibration
 */
export function computeSiteErrors(training: TrainingEnergies, calibration: Calibration) {
  const prior = estimateSitePrior(training, calibration);
  const { periods } = calibration;
  const complete = periods.filter(isWhole);
  const trained = listTrainingMonths(
    complete.length > 0 ? complete : periods.filter((period) => period.used),
  );
  const wave = estimateSeasonWave(trained, prior.season);
  // Annual energies show how the level moves from year to year; months of a few years show a part of it.
  const move = estimateLevelMove(trained);
  const annual = trained.length === 0;
  const moved = annual ? NO_ERROR : scaleShare(move, 1 / Math.max(1, trained.length / 12));
  const trend = findLevelTrend(periods);
  const lasting = computeLastingError(training.hub.distance, calibration.k);
  const levelOfMonth = addShares(annual ? move : scaleShare(moved, 2), lasting);
  const shareOf = (deviation: number) => buildShare(deviation, wave.freedom);
  return {
    prior,
    /** Share of the scatter's variance caused by the season. */
    explained: wave.explained,
    /** Error of the long-term mean from months that do not cover the year. */
    season: shareOf(wave.deviation * computeSeasonGap(wave)),
    /** Error of the mean of years, from the level of the reanalysis and from a trend of the training years. */
    levelOf: (years: readonly number[]) =>
      addShares(moved, lasting, computeTrendError(trend, mean(years))),
    /** Adds to the scatter of a month the errors that training cannot show. */
    ofMonth: ({ year, month }: CalendarMonth, scatter: ErrorShare): ErrorShare =>
      addShares(
        scatter,
        levelOfMonth,
        computeTrendError(trend, year),
        shareOf(Math.sqrt(computeSeasonVariance(wave, month))),
      ),
  };
}
