import { buildBlockBootstrap } from "../../stats/seeded_random.ts";
import { type Calibration, type CalibrationPeriod, isWhole } from "../calibration/calibration.ts";
import {
  type CandidateScore,
  crossValidate,
  drawScores,
  isScored,
  selectSimplest,
} from "../calibration/cross_validation.ts";
import { isMonth, MIN_PERIODS, type TrainingEnergies } from "../calibration/training_energies.ts";
import { estimateGroupBelief, fitRobust } from "../scaling/fit_scaling.ts";
import { SCALING_KINDS, type ScalingKind } from "../scaling/energy_ladder.ts";
import type { WindScaling } from "../scaling/wind_scaling.ts";
import {
  addShares,
  type ErrorShare,
  estimateError,
  type PriorError,
  scaleShare,
  YEAR_PRIOR,
} from "./error_terms.ts";
import type { SitePrior } from "./site_errors.ts";

/** Running mean of squares. */
export class MeanSquare {
  #squares = 0;
  #number = 0;

  add(deviation: number): void {
    this.#squares += deviation ** 2;
    this.#number++;
  }

  /** The mean; NaN without squares. */
  get value(): number {
    return this.#squares / this.#number;
  }
}

/** A calibration of a draw, fitted on access: read it before the next draw. */
interface DrawnModel {
  /** The one factor. */
  readonly k: number;
  /** The scaling selected in the draw. */
  readonly scaling: WindScaling;
}

/** Calibrations of draws with replacement from the training periods. */
interface DrawnModels {
  /** Periods drawn together. */
  readonly block: number;
  /** Blocks in a draw. */
  readonly blocks: number;
  /** Yields the calibration of each draw. */
  models(): Generator<DrawnModel>;
  /**
   * Mean square of the relative error of each period in the draws without it, with the scaling selected without it; NaN
   * if it was not predicted. Known once all models were yielded.
   */
  readonly unseen: readonly MeanSquare[];
}

/**
 * Draws training periods with replacement, in blocks, and calibrates each draw like the whole record: selection, robust
 * weights and factors of groups, which are shrunk towards the common one as far as in the whole record.
 *
 * @param training Produced and modelled energies, at the selected smoothing
 * @param counted 1 for periods that count
 */
export function drawModels(
  training: TrainingEnergies,
  counted: Uint8Array,
  { draws, seed }: { readonly draws: number; readonly seed: number },
): DrawnModels {
  const { modelled, produced } = training;
  const { block, blocks, draws: drawPeriods } = buildBlockBootstrap(counted, draws, seed);
  const scores = scoreKinds(training, counted);
  const unseen = Array.from(counted, () => new MeanSquare());
  const beliefOf = (kind: ScalingKind) =>
    kind === "factor"
      ? undefined
      : estimateGroupBelief(modelled.get(kind)!, produced.get(kind)!, counted);
  const beliefs = new Map(scores.map(({ kind }) => [kind, beliefOf(kind)]));
  const fit = (kind: ScalingKind, weights: Float64Array) =>
    fitRobust(modelled.get(kind)!, produced.get(kind)!, weights, beliefs.get(kind)).scaling;
  function* models(): Generator<DrawnModel> {
    for (const weights of drawPeriods()) {
      const { kind, unseen: predicted } = selectSimplest(drawScores(scores, weights));
      training.periods.forEach((period, i) => {
        if (weights[i] === 0 && !Number.isNaN(predicted[i])) {
          unseen[i].add(period.produced / predicted[i] - 1);
        }
      });
      let plain: WindScaling & { kind: "factor" } | undefined;
      const fitPlain = () => plain ??= fit("factor", weights) as WindScaling & { kind: "factor" };
      yield {
        get k() {
          return fitPlain().k;
        },
        get scaling() {
          return kind === "factor" ? fitPlain() : fit(kind, weights);
        },
      };
    }
  }
  return { block, blocks, models, unseen };
}

/** Scores the scalings for which there are enough periods, as the calibration does. */
function scoreKinds(training: TrainingEnergies, counted: Uint8Array): CandidateScore[] {
  const scored = [...counted.keys()].filter((period) => isScored(training, counted, period));
  const kinds = scored.length < MIN_PERIODS ? SCALING_KINDS.slice(0, 1) : SCALING_KINDS;
  return kinds.filter((kind) => training.modelled.has(kind))
    .map((kind) => crossValidate(training, kind, counted));
}

/** Errors estimated from the scatter of the training periods. */
export interface ScatterErrors {
  /** Training periods drawn together. */
  readonly block: number;
  /** Draws of the bootstrap; 0 with too few periods for one. */
  readonly draws: number;
  /** Error of the long-term mean. */
  readonly longTerm: ErrorShare;
  /** Error of the one factor. */
  readonly k: ErrorShare;
  /** Error of a single month: its own scatter and the error of the calibration. */
  readonly month: ErrorShare;
}

/** Lists the error of each complete period in the cross-validation; a single period has none. */
function listUnseenErrors(periods: readonly CalibrationPeriod[]): number[] {
  return periods.flatMap(({ produced, unseen }) => unseen === null ? [] : [produced / unseen - 1]);
}

const sumSquares = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value ** 2, 0);

/** Inputs of the errors of a calibration. */
interface ScatterInputs {
  /** Produced and modelled energies, by the smoothing of the calibration. */
  readonly training: TrainingEnergies;
  /** The calibration. */
  readonly calibration: Calibration;
  /** Prior knowledge of the site in addition to the errors of its periods. */
  readonly prior: SitePrior;
}

/** Inputs of the error of a year. */
interface AnnualInputs {
  /** Mean annual energy with a scaling. */
  readonly annualOf: (scaling: WindScaling) => number;
  /** Relative change of the annual energy over the relative change of the factor. */
  readonly sensitivity: number;
}

/** Estimates the errors from few periods, whose scatter is known from other sites more than from themselves. */
function estimateErrorsOfFew(
  periods: readonly CalibrationPeriod[],
  prior: PriorError,
): Omit<ScatterErrors, "k"> {
  const years = periods.filter((period) => !isMonth(period));
  const counted = years.length > 0 ? years : periods;
  const number = Math.max(1, counted.length);
  const errors = listUnseenErrors(counted);
  // The error of a left-out period is n / (n - 1) times its distance from the mean of all.
  const squares = sumSquares(errors) * ((number - 1) / number) ** 2;
  const freedom = Math.max(0, errors.length - 1);
  const period = estimateError(squares, freedom, years.length > 0 ? YEAR_PRIOR : prior);
  const longTerm = scaleShare(period, 1 / number);
  return {
    block: 1,
    draws: 0,
    longTerm,
    month: addShares(years.length > 0 ? estimateError(0, 0, prior) : period, longTerm),
  };
}

/** Draws training periods with replacement; `null` if there are too few. */
function drawTraining(
  { training, calibration: { periods, scaling } }: ScatterInputs,
  options: { readonly draws: number; readonly seed: number },
): DrawnModels | null {
  if (periods.filter(isWhole).length < MIN_PERIODS || !training.modelled.has(scaling.kind)) {
    return null;
  }
  const unused = new Set(periods.filter(({ used }) => !used).map(({ label }) => label));
  const counted = Uint8Array.from(training.periods, ({ label }) => unused.has(label) ? 0 : 1);
  return drawModels(training, counted, options);
}

/**
 * Reads the error of a single month after all draws: errors of unseen periods contain their own scatter and the error
 * of the calibration.
 */
function readMonthError({ unseen }: DrawnModels): ErrorShare {
  const errors = unseen.map(({ value }) => value).filter((value) => !Number.isNaN(value));
  return {
    variance: errors.reduce((sum, value) => sum + value, 0) / errors.length,
    freedom: errors.length - 1,
  };
}

/**
 * Computes the errors from the scatter of the training periods: it draws them and calibrates each draw, or for fewer
 * than six uses the scatter at other sites.
 *
 * @param annual Annual energy with a scaling, and its sensitivity to the factor
 */
export function computeScatterErrors(
  inputs: ScatterInputs,
  { annualOf, sensitivity }: AnnualInputs,
  options: { readonly draws: number; readonly seed: number },
): ScatterErrors {
  const { calibration, prior } = inputs;
  const drawn = drawTraining(inputs, options);
  if (!drawn) {
    const few = estimateErrorsOfFew(calibration.periods.filter(isWhole), prior.month);
    return { ...few, k: scaleShare(few.longTerm, 1 / sensitivity ** 2) };
  }
  const annual = annualOf(calibration.scaling);
  const factor = new MeanSquare();
  const longTerm = new MeanSquare();
  for (const { k, scaling } of drawn.models()) {
    factor.add(k / calibration.k - 1);
    longTerm.add(annualOf(scaling) / annual - 1);
  }
  const freedom = Math.max(1, Math.floor(drawn.blocks) - 1);
  const small = drawn.blocks / (drawn.blocks - 1); // draws from few blocks vary less than the blocks do
  return {
    block: drawn.block,
    draws: options.draws,
    longTerm: { variance: small * longTerm.value, freedom },
    k: { variance: small * factor.value, freedom },
    month: readMonthError(drawn),
  };
}

/**
 * Computes the error of a single month alone, as {@linkcode computeScatterErrors} does, but without calibrating the
 * draws.
 */
export function computeMonthScatter(
  inputs: ScatterInputs,
  options: { readonly draws: number; readonly seed: number },
): ErrorShare {
  const drawn = drawTraining(inputs, options);
  const { calibration, prior } = inputs;
  if (!drawn) return estimateErrorsOfFew(calibration.periods.filter(isWhole), prior.month).month;
  for (const _ of drawn.models());
  return readMonthError(drawn);
}
