import { buildBlockBootstrap } from "../stats/block_bootstrap.ts";
import { type Calibration, type CalibrationPeriod, isWhole } from "./calibration/calibration.ts";
import { estimateGroupBelief, fitScaling } from "./scaling/fit_scaling.ts";
import type { HubConditions } from "./turbine/hub_conditions.ts";
import { listMonthSpans, type MonthlyEnergy } from "./index/monthly_energy.ts";
import type { ReferencePeriod } from "./index/reference_period.ts";
import {
  computePeriodEnergy,
  computeScalingEnergies,
  type ScalingEnergies,
} from "./scaling/scaling_energies.ts";
import { studentQuantile95 } from "../stats/student.ts";
import { isMonth, MIN_PERIODS, type TrainingEnergies } from "./calibration/training_energies.ts";
import type { Turbine } from "./turbine/turbine.ts";
import { assignWindGroups } from "./scaling/wind_groups.ts";
import type { WindScaling } from "./scaling/wind_scaling.ts";

/** Probability that a figure is within its interval, %. */
export const INTERVAL_LEVEL = 90;

/** Bounds of a figure at the probability {@linkcode INTERVAL_LEVEL}. */
export interface Interval {
  /** Lower bound. */
  readonly low: number;
  /** Upper bound. */
  readonly high: number;
}

/** Uncertainty of the figures of a calibration, as 90 % intervals. */
export interface Uncertainty {
  /** Draws of the bootstrap. */
  readonly draws: number;
  /** Seed of its random numbers. */
  readonly seed: number;
  /** Training periods that are drawn together. */
  readonly block: number;
  /** The one factor; `null` with a single period. */
  readonly k: Interval | null;
  /** Mean annual energy of the reference period, kWh; `null` with a single period. */
  readonly longTerm: Interval | null;
  /** Energy of each month, kWh; `null` for a month without energy, and with too few months of production. */
  readonly months: readonly (Interval | null)[];
  /**
   * Standard deviation of the annual energies of the reference period over their mean: a property of the wind, not an
   * error; `null` with fewer than five years.
   */
  readonly interAnnualVariability: number | null;
}

/** Months and reference period for which intervals are computed. */
interface PredictedMonths {
  /** Monthly energies of the calibrated model, in order of time. */
  readonly months: readonly MonthlyEnergy[];
  /** The reference period. */
  readonly reference: ReferencePeriod;
}

/** Computes modelled energies of all months of the climate record for the scalings of one kind. */
function computeRecordEnergies(
  kind: WindScaling["kind"],
  hub: HubConditions,
  turbine: Turbine,
): { energies: ScalingEnergies; positions: Map<string, number> } {
  const spans = listMonthSpans(hub.axis, turbine.timeZone);
  const monthOf = new Int32Array(hub.axis.length);
  spans.forEach(({ from, to }, i) =>
    monthOf.fill(i, Math.max(0, from), Math.min(monthOf.length, to))
  );
  const { windSpeed: speed, logDensityRatio } = hub;
  const weight = speed.map((value, i) => {
    const both = value + logDensityRatio[i];
    return both === both ? 1 : 0;
  });
  const energies = computeScalingEnergies(
    [kind],
    { speed, logDensityRatio, weight },
    monthOf,
    spans.length,
    (by) => assignWindGroups(by, hub, turbine),
    turbine,
  ).get(kind)!;
  const positions = new Map(spans.map((span, i) => [nameOf(span), i]));
  return { energies, positions };
}

function nameOf({ year, month }: { readonly year: number; readonly month: number }): string {
  return `${year}-${month}`;
}

/** Variance of relative deviations of draws, from the sum of their squares. */
class SpreadSum {
  #squares = 0;
  #number = 0;

  add(deviation: number): void {
    this.#squares += deviation ** 2;
    this.#number++;
  }

  get variance(): number {
    return this.#squares / this.#number;
  }
}

/** Computes errors of months that were predicted in the cross-validation, as shares of the prediction; `null` with too few such months. */
function computeUnseenErrors(periods: readonly CalibrationPeriod[]): number[] | null {
  const errors = periods
    .filter((period) => isWhole(period) && isMonth(period) && period.unseen !== null)
    .map(({ produced, unseen }) => produced / unseen! - 1);
  return errors.length < MIN_PERIODS ? null : errors;
}

/** Fewest years for an inter-annual variability. */
export const MIN_YEARS = 5;

/**
 * Computes the standard deviation of the annual energies of a reference period over their mean; `null` with fewer than five years.
 *
 * @param months Monthly energies
 * @param reference The reference period
 */
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

/**
 * Computes intervals for the factor, for the energy of every month and for the long-term mean, by a block bootstrap
 * of the training periods: each draw is calibrated like the whole, with the selected kind of scaling. Their width in
 * standard errors is that of Student's t for the number of blocks, so that a short training window gives wide
 * intervals. That of a month includes the error of single months in the cross-validation.
 *
 * @param training Produced and modelled energies
 * @param calibration Their calibration
 * @param predicted Months of the record and reference period
 * @param options `draws` of the bootstrap (1,000 unless given), `seed` of its random numbers (1)
 */
export function computeUncertainty(
  training: TrainingEnergies,
  calibration: Calibration,
  { months, reference }: PredictedMonths,
  { draws = 1000, seed = 1 }: { draws?: number; seed?: number } = {},
): Uncertainty {
  const { scaling } = calibration;
  const { kind } = scaling;
  const left = new Set(calibration.periods.filter(({ used }) => !used).map(({ label }) => label));
  const counted = Uint8Array.from(training.periods, ({ label }) => left.has(label) ? 0 : 1);
  const bootstrap = buildBlockBootstrap(counted, draws, seed);
  const interAnnualVariability = computeInterAnnualVariability(months, reference);
  const common = { draws, seed, block: bootstrap.block, interAnnualVariability };
  // Where climate was removed since, the periods may be too few for the kind that was selected then.
  if (bootstrap.blocks < 2 || !training.modelled.has(kind)) {
    return { ...common, k: null, longTerm: null, months: months.map(() => null) };
  }
  const { energies, positions } = computeRecordEnergies(kind, training.hub, training.turbine);
  const rows = months.map((month) => positions.get(nameOf(month))!);
  const years = new Set(reference.years);
  const inReference = months.map(({ year }) => years.has(year) ? 1 : 0);
  const energiesAt = (own: WindScaling) =>
    Float64Array.from(rows, (row) => computePeriodEnergy(energies, row, own));
  const sumReference = (own: Float64Array) =>
    own.reduce((sum, energy, i) => sum + inReference[i] * energy, 0);
  const found = energiesAt(scaling);
  const foundLongTerm = sumReference(found);

  const factor = new SpreadSum();
  const longTerm = new SpreadSum();
  const monthly = months.map(() => new SpreadSum());
  const plainModelled = training.modelled.get("factor")!;
  const plainProduced = training.produced.get("factor")!;
  const [modelled, produced] = [training.modelled.get(kind)!, training.produced.get(kind)!];
  const belief = kind === "factor" || kind === "linear"
    ? undefined
    : estimateGroupBelief(modelled, produced, counted);
  for (const weights of bootstrap.draws()) {
    const plain = fitScaling(plainModelled, plainProduced, weights) as { k: number };
    factor.add(plain.k / calibration.k - 1);
    const own = kind === "factor"
      ? plain as WindScaling
      : fitScaling(modelled, produced, weights, belief);
    const drawn = energiesAt(own);
    longTerm.add(sumReference(drawn) / foundLongTerm - 1);
    monthly.forEach((spread, i) => spread.add(drawn[i] / found[i] - 1));
  }

  const { blocks } = bootstrap;
  const reach = studentQuantile95(Math.max(1, Math.floor(blocks) - 1));
  const small = blocks / (blocks - 1); // draws from few blocks vary less than the blocks do
  const ofCalibration = (spread: SpreadSum) => reach ** 2 * small * spread.variance;
  const errors = computeUnseenErrors(calibration.periods);
  const meanSquare = errors && errors.reduce((sum, error) => sum + error ** 2, 0) / errors.length;
  const reachOfMonths = errors ? studentQuantile95(errors.length - 1) : NaN;
  // Errors of the cross-validation contain scatter and calibration error: only the extra width of few blocks is added.
  const ofMonth = (spread: SpreadSum) =>
    reachOfMonths ** 2 * meanSquare! +
    (reach ** 2 - reachOfMonths ** 2) * small * spread.variance;
  const meanAnnual =
    months.reduce((sum, { energy }, i) => inReference[i] ? sum + energy! : sum, 0) /
    reference.years.length;
  return {
    ...common,
    k: buildInterval(calibration.k, ofCalibration(factor)),
    longTerm: buildInterval(meanAnnual, ofCalibration(longTerm)),
    months: months.map(({ energy }, i) =>
      energy === null || meanSquare === null || !(found[i] > 0)
        ? null
        : buildInterval(energy, ofMonth(monthly[i]))
    ),
  };
}

/** Builds an interval from the squared half width of its logarithm, so that no energy is below 0. */
function buildInterval(value: number, squaredWidth: number): Interval {
  const ratio = Math.exp(Math.sqrt(squaredWidth));
  return { low: value / ratio, high: value * ratio };
}
