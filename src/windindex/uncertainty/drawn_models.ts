import { buildBlockBootstrap } from "../../stats/seeded_random.ts";
import {
  type CandidateScore,
  crossValidate,
  drawScores,
  isScored,
  selectSimplest,
} from "../calibration/cross_validation.ts";
import { MIN_PERIODS, type TrainingEnergies } from "../calibration/training_energies.ts";
import { fitRobust } from "../scaling/fit_robust.ts";
import { estimateGroupBelief } from "../scaling/fit_scaling.ts";
import { SCALING_KINDS, type ScalingKind } from "../scaling/scaling_energies.ts";
import type { WindScaling } from "../scaling/wind_scaling.ts";

/** Mean of squares that are added one by one. */
export class MeanSquare {
  #squares = 0;
  #number = 0;

  add(deviation: number): void {
    this.#squares += deviation ** 2;
    this.#number++;
  }

  /** The mean; NaN where nothing was added. */
  get value(): number {
    return this.#squares / this.#number;
  }
}

/** A calibration of a draw, which is fitted when it is asked for: before the next draw. */
export interface DrawnModel {
  /** The one factor. */
  readonly k: number;
  /** The scaling selected in the draw. */
  readonly scaling: WindScaling;
}

/** Calibrations of draws with replacement from the training periods. */
export interface DrawnModels {
  /** Periods that are drawn together. */
  readonly block: number;
  /** Blocks in a draw. */
  readonly blocks: number;
  /** Yields the calibration of each draw. */
  models(): Generator<DrawnModel>;
  /**
   * Mean square of the relative error of each period in the draws without it, with the scaling that was selected
   * without it; NaN where it was not predicted. Known when all models were yielded.
   */
  readonly unseen: readonly MeanSquare[];
}

/**
 * Draws training periods with replacement, in blocks, and calibrates each draw like the whole: selection, robust weights and
 * factors of groups, which are drawn towards the common one as far as in the whole.
 *
 * @param training Produced and modelled energies, at the smoothing selected
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

/** Scores the scalings that the periods are enough for, as the calibration does. */
function scoreKinds(training: TrainingEnergies, counted: Uint8Array): CandidateScore[] {
  const whole = [...counted.keys()].filter((period) => isScored(training, counted, period));
  const kinds = whole.length < MIN_PERIODS ? SCALING_KINDS.slice(0, 1) : SCALING_KINDS;
  return kinds.filter((kind) => training.modelled.has(kind))
    .map((kind) => crossValidate(training, kind, counted));
}
