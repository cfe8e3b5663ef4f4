import { studentQuantile95 } from "../../stats/student.ts";
import { type Calibration, type CalibrationPeriod, isWhole } from "../calibration/calibration.ts";
import {
  computeTrainingEnergies,
  isMonth,
  MIN_PERIODS,
  type TrainingEnergies,
} from "../calibration/training_energies.ts";
import type { MonthlyEnergy } from "../index/monthly_energy.ts";
import { computeNormals, type ReferencePeriod } from "../index/reference_period.ts";
import { drawModels, MeanSquare } from "./drawn_models.ts";
import { computeInterAnnualVariability } from "./inter_annual.ts";
import { buildInterval, type Interval, NORMAL_95 } from "./interval.ts";
import { computeWidthOfError, MONTH_PRIOR, YEAR_MOVE, YEAR_PRIOR } from "./prior_errors.ts";
import { RecordEnergies } from "./record_energies.ts";
import { computeSeasonGap, computeSeasonVariance, estimateSeasonWave } from "./season_wave.ts";

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

/** Squared half widths of the logarithm of the figures of a calibration. */
export interface UncertaintyWidths {
  readonly draws: number;
  readonly seed: number;
  readonly block: number;
  readonly k: number;
  /** Of the long-term mean, by their reason. */
  readonly longTerm: Readonly<Record<keyof UncertaintyParts, number>>;
  /** Of each month; NaN where the climate does not have it. */
  readonly months: readonly number[];
}

/** Squared half widths of the logarithm of figures that come from the scatter of the training periods. */
interface ScatterWidths {
  readonly block: number;
  readonly draws: number;
  readonly longTerm: number;
  readonly k: number;
  /** Of a month: what the scatter of single months and the calibration add up to. */
  readonly months: readonly number[];
}

/** Finds the error of each whole period in the cross-validation; of a single one, nothing is known. */
function listUnseenErrors(periods: readonly CalibrationPeriod[]): number[] {
  return periods.flatMap(({ produced, unseen }) => unseen === null ? [] : [produced / unseen - 1]);
}

const sumSquares = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value ** 2, 0);

/** Computes the widths from few periods, whose scatter is known from elsewhere more than from themselves. */
function computeWidthsOfFew(
  whole: readonly CalibrationPeriod[],
  months: readonly MonthlyEnergy[],
  sensitivity: number,
): ScatterWidths {
  const years = whole.filter((period) => !isMonth(period));
  const counted = years.length > 0 ? years : whole;
  const errors = listUnseenErrors(counted);
  const prior = years.length > 0 ? YEAR_PRIOR : MONTH_PRIOR;
  // An error of a period that was left out contains that of the calibration on the others.
  const squares = sumSquares(errors) * (counted.length - 1) / counted.length;
  const freedom = Math.max(0, errors.length - 1);
  const level = computeWidthOfError(squares, freedom, prior) / Math.max(1, counted.length);
  const month = years.length > 0
    ? computeWidthOfError(0, 0, MONTH_PRIOR)
    : computeWidthOfError(squares, freedom, MONTH_PRIOR);
  return {
    block: 1,
    draws: 0,
    longTerm: level,
    k: level / sensitivity ** 2,
    months: months.map(() => month + level),
  };
}

/** Computes the widths by drawing training periods with replacement and calibrating each draw. */
function computeDrawnWidths(
  training: TrainingEnergies,
  calibration: Calibration,
  counted: Uint8Array,
  record: RecordEnergies,
  sumReference: (energies: Float64Array) => number,
  options: { readonly draws: number; readonly seed: number },
): ScatterWidths {
  const drawn = drawModels(training, counted, options);
  const found = record.energiesAt(calibration.scaling);
  const foundLongTerm = sumReference(found);
  const factor = new MeanSquare();
  const longTerm = new MeanSquare();
  const monthly = Array.from(found, () => new MeanSquare());
  for (const { k, scaling } of drawn.models()) {
    factor.add(k / calibration.k - 1);
    const own = record.energiesAt(scaling);
    longTerm.add(sumReference(own) / foundLongTerm - 1);
    monthly.forEach((spread, i) => spread.add(own[i] / found[i] - 1));
  }
  const reach = studentQuantile95(Math.max(1, Math.floor(drawn.blocks) - 1)) ** 2;
  const small = drawn.blocks / (drawn.blocks - 1); // draws from few blocks vary less than the blocks do
  const errors = drawn.unseen.map(({ value }) => value).filter((value) => !Number.isNaN(value));
  const meanSquare = errors.reduce((sum, value) => sum + value, 0) / errors.length;
  const reachOfMonths = studentQuantile95(errors.length - 1) ** 2;
  // Errors of unseen periods contain scatter and calibration error: only the extra width of few blocks is added.
  const ofMonth = ({ value }: MeanSquare) =>
    reachOfMonths * meanSquare + (reach - reachOfMonths) * small * value;
  return {
    block: drawn.block,
    draws: options.draws,
    longTerm: reach * small * longTerm.value,
    k: reach * small * factor.value,
    months: monthly.map(ofMonth),
  };
}

/** Lists the months of training with their errors in the cross-validation. */
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

/**
 * Computes the widths of the intervals of a calibration on one climate. They add up
 *
 * - the scatter of the training periods, by a block bootstrap in which each draw is selected and calibrated like the whole;
 *   the width in standard errors is that of Student's t for the number of blocks. With fewer than six periods it is
 *   the scatter known from other sites, as far as their own does not show it,
 * - the season, where the training months do not cover the year,
 * - the level of the reanalysis, which moves from year to year.
 *
 * That of a month includes the error of single months in the cross-validation.
 *
 * @param given Produced and modelled energies
 * @param calibration Their calibration
 * @param predicted Months of the record and reference period
 * @param options `draws` of the bootstrap (1,000 unless given), `seed` of its random numbers (1)
 */
export function computeWidths(
  given: TrainingEnergies,
  calibration: Calibration,
  { months, reference }: PredictedMonths,
  { draws = 1000, seed = 1 }: { draws?: number; seed?: number } = {},
): UncertaintyWidths {
  const { scaling, smoothing, periods } = calibration;
  const { set, hub, turbine } = given;
  const training = given.curve.smoothing === smoothing
    ? given
    : computeTrainingEnergies(set, hub, turbine, [...given.modelled.keys()], smoothing);
  const left = new Set(periods.filter(({ used }) => !used).map(({ label }) => label));
  const counted = Uint8Array.from(training.periods, ({ label }) => left.has(label) ? 0 : 1);
  const record = new RecordEnergies(training, months);
  const years = new Set(reference.years);
  const sumReference = (energies: Float64Array) =>
    energies.reduce(
      (sum, energy, i) => years.has(months[i].year) && energy === energy ? sum + energy : sum,
      0,
    );
  const annualAt = (k: number) => sumReference(record.energiesAt({ kind: "factor", k }));
  const sensitivity = Math.log(
    annualAt(calibration.k * (1 + STEP)) / annualAt(calibration.k * (1 - STEP)),
  ) / (2 * STEP);

  const whole = periods.filter(isWhole);
  const scatter = whole.length < MIN_PERIODS || !training.modelled.has(scaling.kind)
    ? computeWidthsOfFew(whole, months, sensitivity)
    : computeDrawnWidths(training, calibration, counted, record, sumReference, { draws, seed });
  const trained = listTrainingMonths(whole);
  const wave = estimateSeasonWave(trained);
  const unexplained = 1 - wave.explained;
  const season = NORMAL_95 ** 2 * (wave.deviation * computeSeasonGap(wave)) ** 2;
  // Annual energies show how the level moves from year to year; months of a few years show a part of it.
  const move = (NORMAL_95 * YEAR_MOVE) ** 2;
  const annual = trained.length === 0;
  const level = annual ? 0 : move / Math.max(1, trained.length / 12);
  const levelOfMonth = annual ? move : 2 * level;
  return {
    draws: scatter.draws,
    seed,
    block: scatter.block,
    k: scatter.k * unexplained + (season + level) / sensitivity ** 2,
    longTerm: { calibration: scatter.longTerm * unexplained, season, level, spread: 0 },
    months: months.map(({ month }, i) =>
      scatter.months[i] + levelOfMonth + NORMAL_95 ** 2 * computeSeasonVariance(wave, month)
    ),
  };
}

/**
 * Builds the intervals of the figures of a calibration.
 *
 * @param widths Their widths
 * @param k The one factor
 * @param predicted Months of the record and reference period
 */
export function buildUncertainty(
  widths: UncertaintyWidths,
  k: number,
  { months, reference }: PredictedMonths,
): Uncertainty {
  const { draws, seed, block, longTerm } = widths;
  const { calibration, season, level, spread } = longTerm;
  return {
    draws,
    seed,
    block,
    k: buildInterval(k, widths.k),
    longTerm: buildInterval(
      computeNormals(months, reference).year,
      calibration + season + level + spread,
    ),
    parts: {
      calibration: Math.sqrt(calibration),
      season: Math.sqrt(season),
      level: Math.sqrt(level),
      spread: Math.sqrt(spread),
    },
    months: months.map(({ energy }, i) =>
      energy === null ? null : buildInterval(energy, widths.months[i])
    ),
    interAnnualVariability: computeInterAnnualVariability(months, reference),
  };
}

/**
 * Computes intervals for the factor, for the energy of every month and for the long-term mean, from one climate.
 *
 * @param training Produced and modelled energies
 * @param calibration Their calibration
 * @param predicted Months of the record and reference period
 * @param options `draws` of the bootstrap (1,000 unless given), `seed` of its random numbers (1)
 */
export function computeUncertainty(
  training: TrainingEnergies,
  calibration: Calibration,
  predicted: PredictedMonths,
  options: { draws?: number; seed?: number } = {},
): Uncertainty {
  const widths = computeWidths(training, calibration, predicted, options);
  return buildUncertainty(widths, calibration.k, predicted);
}
