import { type Calibration, type CalibrationPeriod, isWhole } from "../calibration/calibration.ts";
import {
  computeTrainingEnergies,
  isMonth,
  type TrainingEnergies,
} from "../calibration/training_energies.ts";
import { listMonthSpans, type MonthlyEnergy, type MonthSpan } from "../index/monthly_energy.ts";
import { computeNormals, type ReferencePeriod } from "../index/reference_period.ts";
import {
  computePeriodEnergy,
  computeScalingEnergies,
  type ScalingEnergies,
  type ScalingKind,
} from "../scaling/scaling_energies.ts";
import { assignWindGroups, type WindScaling } from "../scaling/wind_scaling.ts";
import {
  addShares,
  buildInterval,
  buildShare,
  computeInterAnnualVariability,
  computeSquaredWidth,
  type ErrorShare,
  type Interval,
  NO_ERROR,
  scaleShare,
  SEASON_PRIOR,
  YEAR_MOVE,
} from "./error_terms.ts";
import { computeMonthScatter, computeScatterErrors } from "./scatter_errors.ts";

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

const nameOf = ({ year, month }: { readonly year: number; readonly month: number }) =>
  `${year}-${month}`;

/** Modelled energies of the months of a climate record for any scaling; each kind is computed when it is first needed. */
export class RecordEnergies {
  readonly #training: TrainingEnergies;
  readonly #spans: readonly MonthSpan[];
  readonly #rows: readonly (number | undefined)[];
  readonly #known = new Map<ScalingKind, ScalingEnergies>();

  /** @param training Climate at the hub, and power of the turbine */
  constructor(training: TrainingEnergies, months: readonly MonthlyEnergy[]) {
    const { hub, turbine } = training;
    this.#training = training;
    this.#spans = listMonthSpans(hub.axis, turbine.timeZone);
    const positions = new Map(this.#spans.map((span, i) => [nameOf(span), i]));
    this.#rows = months.map((month) => positions.get(nameOf(month)));
  }

  /** Computes the energy of each month, kWh; NaN for months that the record does not touch. */
  energiesAt(scaling: WindScaling): Float64Array {
    const energies = this.#known.get(scaling.kind) ?? this.#computeKind(scaling.kind);
    return Float64Array.from(
      this.#rows,
      (row) => row === undefined ? NaN : computePeriodEnergy(energies, row, scaling),
    );
  }

  #computeKind(kind: ScalingKind): ScalingEnergies {
    const { hub, turbine, curve } = this.#training;
    const { windSpeed: speed, logDensityRatio } = hub;
    const monthOf = new Int32Array(hub.axis.length);
    this.#spans.forEach(({ from, to }, i) =>
      monthOf.fill(i, Math.max(0, from), Math.min(monthOf.length, to))
    );
    const weight = speed.map((value, i) => {
      const both = value + logDensityRatio[i];
      return both === both ? 1 : 0;
    });
    const energies = computeScalingEnergies(
      [kind],
      { speed, logDensityRatio, weight },
      monthOf,
      this.#spans.length,
      (by) => assignWindGroups(by, hub, turbine),
      curve,
    ).get(kind)!;
    this.#known.set(kind, energies);
    return energies;
  }
}

/** Half widths of the logarithm of the long-term mean by their reason; their squares add up. */
export interface UncertaintyParts {
  /** Scatter of the training periods. */
  readonly calibration: number;
  /** Season, where the training months do not cover the year. */
  readonly season: number;
  /** Level of the reanalysis, which moves from year to year. */
  readonly level: number;
  /** Difference between several reanalyses. */
  readonly spread: number;
}

/** Uncertainty of the figures of a calibration, as 90 % intervals. */
export interface Uncertainty {
  /** Draws of the bootstrap; 0 with too few periods for one. */
  readonly draws: number;
  /** Seed of its random numbers. */
  readonly seed: number;
  /** Training periods that are drawn together. */
  readonly block: number;
  /** The one factor. */
  readonly k: Interval;
  /** Mean annual energy of the reference period, kWh. */
  readonly longTerm: Interval;
  /** What its half width is made of. */
  readonly parts: UncertaintyParts;
  /** Energy of each month, kWh; `null` for a month without energy. */
  readonly months: readonly (Interval | null)[];
  /**
   * Standard deviation of the annual energies of the reference period over their mean: a property of the wind, not an
   * error; `null` with fewer than five years.
   */
  readonly interAnnualVariability: number | null;
}

/** Months and reference period for which intervals are computed. */
export interface PredictedMonths {
  /** Monthly energies of the calibrated model, in order of time. */
  readonly months: readonly MonthlyEnergy[];
  /** The reference period. */
  readonly reference: ReferencePeriod;
}

/** Errors of the figures of a calibration. */
export interface CalibrationErrors {
  readonly draws: number;
  readonly seed: number;
  readonly block: number;
  readonly k: ErrorShare;
  /** Errors of the long-term mean, by their reason. */
  readonly longTerm: Readonly<Record<keyof UncertaintyParts, ErrorShare>>;
  /** Error of each month. */
  readonly months: readonly ErrorShare[];
}

/** Lists the months among training periods with their errors in the cross-validation. */
function listTrainingMonths(
  whole: readonly CalibrationPeriod[],
): { month: number; error: number }[] {
  return whole.filter(isMonth).map(({ label, produced, unseen }) => ({
    month: Number(label.slice(5)),
    error: unseen === null ? 0 : produced / unseen - 1,
  }));
}

/** Change of the factor by which energies are compared, for their sensitivity. */
const STEP = 0.01;

/** Options of the bootstrap. */
export interface DrawOptions {
  /** Number of draws. @default {1000} */
  readonly draws?: number;
  /** Seed of their random numbers. @default {1} */
  readonly seed?: number;
}

/** Energies by the smoothing of the calibration. */
function smoothTraining(
  given: TrainingEnergies,
  { smoothing }: Calibration,
): TrainingEnergies {
  const { set, hub, turbine, modelled, curve } = given;
  return curve.smoothing === smoothing
    ? given
    : computeTrainingEnergies(set, hub, turbine, [...modelled.keys()], smoothing);
}

/** Errors that have other reasons than the scatter of the training periods. */
function computeReasons(periods: readonly CalibrationPeriod[]) {
  const whole = periods.filter(isWhole);
  const trained = listTrainingMonths(
    whole.length > 0 ? whole : periods.filter((period) => period.used),
  );
  const wave = estimateSeasonWave(trained);
  // Annual energies show how the level moves from year to year; months of a few years show a part of it.
  const move = buildShare(YEAR_MOVE);
  const annual = trained.length === 0;
  const level = annual ? NO_ERROR : scaleShare(move, 1 / Math.max(1, trained.length / 12));
  const levelOfMonth = annual ? move : scaleShare(level, 2);
  return {
    wave,
    level,
    ofMonth: (month: number, scatter: ErrorShare) =>
      addShares(scatter, levelOfMonth, buildShare(Math.sqrt(computeSeasonVariance(wave, month)))),
  };
}

/**
 * Computes the errors of the figures of a calibration on one climate:
 *
 * - the scatter of the training periods, by a block bootstrap in which each draw is selected and calibrated like the whole,
 *   with as many degrees of freedom as there are blocks. With fewer than six periods it is the scatter known from
 *   other sites, as far as their own does not show it,
 * - the season, where the training months do not cover the year,
 * - the level of the reanalysis, which moves from year to year.
 *
 * The error of a month is that of single months in the cross-validation, in place of the scatter.
 */
export function computeErrors(
  given: TrainingEnergies,
  calibration: Calibration,
  { months, reference }: PredictedMonths,
  { draws = 1000, seed = 1 }: DrawOptions = {},
): CalibrationErrors {
  const training = smoothTraining(given, calibration);
  const years = new Set(reference.years);
  const record = new RecordEnergies(training, months.filter(({ year }) => years.has(year)));
  // Of several reanalyses one may lack a part of the reference period.
  const annualOf = (own: WindScaling) =>
    record.energiesAt(own).reduce((sum, energy) => Number.isNaN(energy) ? sum : sum + energy, 0);
  const annualAt = (k: number) => annualOf({ kind: "factor", k });
  const sensitivity = Math.log(
    annualAt(calibration.k * (1 + STEP)) / annualAt(calibration.k * (1 - STEP)),
  ) / (2 * STEP);

  const scatter = computeScatterErrors({ training, calibration }, { annualOf, sensitivity }, {
    draws,
    seed,
  });
  const { wave, level, ofMonth } = computeReasons(calibration.periods);
  const season = buildShare(wave.deviation * computeSeasonGap(wave));
  const unexplained = 1 - wave.explained;
  return {
    draws: scatter.draws,
    seed,
    block: scatter.block,
    k: addShares(
      scaleShare(scatter.k, unexplained),
      scaleShare(season, 1 / sensitivity ** 2),
      scaleShare(level, 1 / sensitivity ** 2),
    ),
    longTerm: {
      calibration: scaleShare(scatter.longTerm, unexplained),
      season,
      level,
      spread: NO_ERROR,
    },
    months: months.map(({ month }) => ofMonth(month, scatter.month)),
  };
}

/** Computes the errors of months alone, as {@linkcode computeErrors} does: all that an earlier calibration needs. */
export function computeMonthErrors(
  given: TrainingEnergies,
  calibration: Calibration,
  months: readonly MonthlyEnergy[],
  { draws = 1000, seed = 1 }: DrawOptions = {},
): ErrorShare[] {
  const training = smoothTraining(given, calibration);
  const scatter = computeMonthScatter({ training, calibration }, { draws, seed });
  const { ofMonth } = computeReasons(calibration.periods);
  return months.map(({ month }) => ofMonth(month, scatter));
}

/**
 * Builds the intervals of the energies of months.
 *
 * @returns `null` for a month without energy
 */
export function buildMonthIntervals(
  months: readonly MonthlyEnergy[],
  errors: readonly ErrorShare[],
): (Interval | null)[] {
  return months.map(({ energy }, i) =>
    energy === null ? null : buildInterval(energy, computeSquaredWidth(errors[i]))
  );
}

/** Builds the intervals of the figures of a calibration. */
export function buildUncertainty(
  errors: CalibrationErrors,
  k: number,
  { months, reference }: PredictedMonths,
): Uncertainty {
  const { draws, seed, block, longTerm } = errors;
  const all = addShares(longTerm.calibration, longTerm.season, longTerm.level, longTerm.spread);
  const width = computeSquaredWidth(all);
  const part = ({ variance }: ErrorShare) =>
    all.variance > 0 ? Math.sqrt(width * variance / all.variance) : 0;
  return {
    draws,
    seed,
    block,
    k: buildInterval(k, computeSquaredWidth(errors.k)),
    longTerm: buildInterval(computeNormals(months, reference).year, width),
    parts: {
      calibration: part(longTerm.calibration),
      season: part(longTerm.season),
      level: part(longTerm.level),
      spread: part(longTerm.spread),
    },
    months: buildMonthIntervals(months, errors.months),
    interAnnualVariability: computeInterAnnualVariability(months, reference),
  };
}

/** Computes intervals for the factor, for the energy of every month and for the long-term mean, from one climate. */
export function computeUncertainty(
  training: TrainingEnergies,
  calibration: Calibration,
  predicted: PredictedMonths,
  options: DrawOptions = {},
): Uncertainty {
  const errors = computeErrors(training, calibration, predicted, options);
  return buildUncertainty(errors, calibration.k, predicted);
}
