import type { Calibration } from "../calibration/calibration.ts";
import {
  computeTrainingEnergies,
  type TrainingEnergies,
} from "../calibration/training_energies.ts";
import { listMonthSpans, type MonthlyEnergy, type MonthSpan } from "../index/monthly_energy.ts";
import { computeNormals, type ReferencePeriod } from "../index/reference_period.ts";
import {
  computePeriodEnergy,
  computeScalingEnergies,
  type ScalingEnergies,
  type ScalingKind,
} from "../scaling/energy_ladder.ts";
import { assignWindGroups, type WindScaling } from "../scaling/wind_scaling.ts";
import {
  addShares,
  buildInterval,
  computeInterAnnualVariability,
  computeReach,
  type ErrorShare,
  type Interval,
  NO_ERROR,
  scaleShare,
} from "./error_terms.ts";
import { computeMonthScatter, computeScatterErrors } from "./scatter_errors.ts";
import { computeSiteErrors } from "./site_errors.ts";

const nameOf = ({ year, month }: { readonly year: number; readonly month: number }) =>
  `${year}-${month}`;

/** Modelled energies of the months of a climate record for any scaling; each kind is computed on first use. */
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

  /** Computes the energy of each month, kWh; NaN for months outside of the record. */
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
      const sum = value + logDensityRatio[i];
      return sum === sum ? 1 : 0;
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

/** Half widths of the logarithm of the long-term mean, by source; their squares add up. */
export interface UncertaintyParts {
  /** Scatter of the training periods. */
  readonly calibration: number;
  /** Season, if the training months do not cover the year. */
  readonly season: number;
  /** Level of the reanalysis, which moves from year to year. */
  readonly level: number;
  /** Difference between several reanalyses. */
  readonly spread: number;
}

/** Settings of the bootstrap of training periods. */
interface Bootstrap {
  /** Draws of the bootstrap; 0 with too few periods for one. */
  readonly draws: number;
  /** Seed of its random numbers. */
  readonly seed: number;
  /** Training periods drawn together. */
  readonly block: number;
}

/** Uncertainty of the figures of a calibration, as 90 % intervals. */
export interface Uncertainty extends Bootstrap {
  /** The one factor. */
  readonly k: Interval;
  /** Mean annual energy of the reference period, kWh. */
  readonly longTerm: Interval;
  /** Components of its half width. */
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
export interface CalibrationErrors extends Bootstrap {
  readonly k: ErrorShare;
  /** Errors of the long-term mean, by source. */
  readonly longTerm: Readonly<Record<keyof UncertaintyParts, ErrorShare>>;
  /** Error of each month. */
  readonly months: readonly ErrorShare[];
}

/** Change of the factor with which the sensitivity of energies is measured. */
const STEP = 0.01;

/** Options of the bootstrap. */
export interface DrawOptions {
  /** Number of draws. @default {1000} */
  readonly draws?: number;
  /** Seed of their random numbers. @default {1} */
  readonly seed?: number;
}

/** Recomputes energies with the smoothing of a calibration, unless they have it already. */
export function smoothTraining(
  training: TrainingEnergies,
  { smoothing }: Calibration,
): TrainingEnergies {
  const { set, hub, turbine, modelled, curve } = training;
  return curve.smoothing === smoothing
    ? training
    : computeTrainingEnergies(set, hub, turbine, [...modelled.keys()], smoothing);
}

/**
 * Computes the errors of the figures of a calibration on one climate:
 *
 * - the scatter of the training periods, by a block bootstrap in which each draw is selected and calibrated like the
 * whole record, with as many degrees of freedom as there are blocks. With fewer than six periods it is the scatter at
 * other sites, as far as the periods' own does not show it,
 * - the season, if the training months do not cover the year,
 * - the level of the reanalysis, which moves from year to year.
 *
 * The error of a month uses the error of single months in the cross-validation, in place of the scatter.
 */
export function computeErrors(
  original: TrainingEnergies,
  calibration: Calibration,
  { months, reference }: PredictedMonths,
  { draws = 1000, seed = 1 }: DrawOptions = {},
): CalibrationErrors {
  const training = smoothTraining(original, calibration);
  const years = new Set(reference.years);
  const record = new RecordEnergies(training, months.filter(({ year }) => years.has(year)));
  // With several reanalyses, one may lack a part of the reference period.
  const annualOf = (scaling: WindScaling) =>
    record.energiesAt(scaling).reduce(
      (sum, energy) => Number.isNaN(energy) ? sum : sum + energy,
      0,
    );
  const annualAt = (k: number) => annualOf({ kind: "factor", k });
  const sensitivity = Math.log(
    annualAt(calibration.k * (1 + STEP)) / annualAt(calibration.k * (1 - STEP)),
  ) / (2 * STEP);

  const { prior, explained, season, levelOf, ofMonth } = computeSiteErrors(training, calibration);
  const scatter = computeScatterErrors(
    { training, calibration, prior },
    { annualOf, sensitivity },
    { draws, seed },
  );
  const unexplained = 1 - explained;
  const level = levelOf(reference.years);
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
    months: months.map((month) => ofMonth(month, scatter.month)),
  };
}

/** Computes the errors of months alone, as {@linkcode computeErrors} does: an earlier calibration needs no others. */
export function computeMonthErrors(
  original: TrainingEnergies,
  calibration: Calibration,
  months: readonly Pick<MonthlyEnergy, "year" | "month">[],
  { draws = 1000, seed = 1 }: DrawOptions = {},
): ErrorShare[] {
  const training = smoothTraining(original, calibration);
  const { prior, ofMonth } = computeSiteErrors(training, calibration);
  const scatter = computeMonthScatter({ training, calibration, prior }, { draws, seed });
  return months.map((month) => ofMonth(month, scatter));
}

/**
 * Builds the intervals of monthly energies.
 *
 * @returns `null` for a month without energy
 */
export function buildMonthIntervals(
  months: readonly MonthlyEnergy[],
  errors: readonly ErrorShare[],
): (Interval | null)[] {
  return months.map(({ energy }, i) =>
    energy === null ? null : buildInterval(energy, computeReach(errors[i]))
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
  const width = computeReach(all);
  const part = ({ variance }: ErrorShare) =>
    all.variance > 0 ? width * Math.sqrt(variance / all.variance) : 0;
  return {
    draws,
    seed,
    block,
    k: buildInterval(k, computeReach(errors.k)),
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

/**
 * Difference of a location index from a calibrated one, %: half widths of 90 % intervals of the abnormality of a month,
 * and of twelve months. Seen at seven turbines of three sites (docs/validation.md), most at La Haute Borne.
 */
export const LOCATION_ERRORS = { month: 13, year: 5 } as const;

/** 90 % interval of the unknown k: at these turbines and reanalyses it is 0.77 to 0.93. */
export const LOCATION_K: Interval = { low: 0.75, high: 1.05 };

/** A location index has no bootstrap. */
const NO_DRAWS = { draws: 0, seed: 0, block: 0 };

/**
 * Computes the intervals of a location index, whose energy is computed with k = 1: from the mean annual energies at
 * both ends of the range of k, and for a month also the error of a month.
 *
 * @param training Climate at the hub, and power of the turbine, without production
 */
export function computeLocationUncertainty(
  training: TrainingEnergies,
  { months, reference }: PredictedMonths,
): Uncertainty {
  const referenceMonths = months.filter(({ year }) => reference.years.includes(year));
  const record = new RecordEnergies(training, referenceMonths);
  const [low, unscaled, high] = [LOCATION_K.low, 1, LOCATION_K.high].map((k) =>
    record.energiesAt({ kind: "factor", k }).reduce((sum, energy) => sum + energy)
  );
  const build = (energy: number, error: number): Interval => ({
    low: energy * Math.exp(-Math.hypot(Math.log(unscaled / low), error)),
    high: energy * Math.exp(Math.hypot(Math.log(high / unscaled), error)),
  });
  return {
    ...NO_DRAWS,
    k: LOCATION_K,
    parts: { calibration: Math.log(high / low) / 2, season: 0, level: 0, spread: 0 },
    longTerm: build(computeNormals(months, reference).year, 0),
    months: months.map(({ energy }) =>
      energy === null ? null : build(energy, LOCATION_ERRORS.month / 100)
    ),
    interAnnualVariability: computeInterAnnualVariability(months, reference),
  };
}
