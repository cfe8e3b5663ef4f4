import { mean, variance } from "../../stats/spread.ts";
import { fitRobust } from "../scaling/fit_scaling.ts";
import { computePeriodEnergy, type ScalingKind } from "../scaling/energy_ladder.ts";
import type { TrainingEnergies } from "./training_energies.ts";

/** Most blocks that are left out in turn. */
const MAX_FOLDS = 24;

/** Fewest hours of a scored period: a record may end with a few days of a month. */
export const MIN_PERIOD_HOURS = 7 * 24;

/** How well a candidate predicts periods outside of its fit. */
export interface PeriodScore {
  /** Square error of the mean power of each unseen period, kW2; NaN if it was not predicted. */
  readonly squares: Float64Array;
  /** Root mean square error, as a share of the mean power produced. */
  readonly error: number;
}

/** How well a kind of scaling predicts periods outside of its fit. */
export interface CandidateScore extends PeriodScore {
  readonly kind: ScalingKind;
  /** Kind of the blocks left out in turn. */
  readonly folding: Folding;
  /** Smoothing of the power curve, m/s. */
  readonly smoothing: number;
  /** Energy of each period predicted without its own block, kWh; NaN if it was not predicted. */
  readonly unseen: Float64Array;
}

/**
 * Whether a period is predicted in the cross-validation.
 *
 * @param counted 1 for periods that are not outages
 */
export function isScored(
  { periods }: TrainingEnergies,
  counted: Uint8Array,
  period: number,
): boolean {
  return counted[period] === 1 && periods[period].validHours >= MIN_PERIOD_HOURS;
}

/** Kind of blocks of periods: neighbours in time, or whole years. */
export type Folding = "neighbours" | "years";

/** Months of a year. */
const YEAR = 12;

/**
 * Assigns each period that counts to a block, others to -1: neighbours in time are left out together, because they are
 * similar.
 *
 * @param folding With "years" a block has a year of months: the reanalysis may deviate differently in another year
 */
export function assignFolds(counted: Uint8Array, folding: Folding = "neighbours"): Int32Array {
  const number = counted.reduce((sum, one) => sum + one, 0);
  const folds = folding === "years" ? Math.round(number / YEAR) : Math.min(number, MAX_FOLDS);
  let before = 0;
  return Int32Array.from(counted, (one) => one === 1 ? Math.floor(before++ * folds / number) : -1);
}

/**
 * Predicts each block of periods from the others.
 *
 * @param counted 1 for periods that are not outages
 */
export function crossValidate(
  training: TrainingEnergies,
  kind: ScalingKind,
  counted: Uint8Array,
  folding: Folding = "neighbours",
): CandidateScore {
  const modelled = training.modelled.get(kind)!;
  const produced = training.produced.get(kind)!;
  const folds = assignFolds(counted, folding);
  const unseen = new Float64Array(counted.length).fill(NaN);
  const squares = new Float64Array(counted.length).fill(NaN);
  let number = 0;
  let square = 0;
  let power = 0;
  for (let fold = 0; fold <= Math.max(...folds); fold++) {
    const others = counted.map((one, period) => folds[period] === fold ? 0 : one);
    const { scaling } = fitRobust(modelled, produced, others);
    for (let period = 0; period < counted.length; period++) {
      if (folds[period] !== fold || !isScored(training, counted, period)) continue;
      unseen[period] = computePeriodEnergy(modelled, period, scaling);
      const hours = produced.hours[period];
      squares[period] = ((unseen[period] - produced.energy[period]) / hours) ** 2;
      number++;
      square += squares[period];
      power += produced.energy[period] / hours;
    }
  }
  const error = Math.sqrt(square / number) / (power / number);
  return { kind, folding, smoothing: training.curve.smoothing, squares, error, unseen };
}

/**
 * Computes how much larger the mean square error of the first candidate is than the second's, and the standard error of
 * the difference, kW2.
 */
function computeExcess(first: PeriodScore, second: PeriodScore): [mean: number, error: number] {
  const differences = new Float64Array(first.squares.length);
  let number = 0;
  for (let period = 0; period < differences.length; period++) {
    const value = first.squares[period] - second.squares[period];
    if (value === value) differences[number++] = value;
  }
  const excess = differences.subarray(0, number);
  return [mean(excess), Math.sqrt(variance(excess) / excess.length)];
}

/** Smallest share by which the error of a candidate must be below the errors of all simpler ones. */
const MIN_GAIN = 0.01;

/** Error below which candidates count as equal: the accuracy of energies between the rungs of a ladder. */
const NEGLIGIBLE = 1e-3;

/**
 * Selects the simplest candidate within one standard error of the best (L. Breiman, J. Friedman, R. Olshen and C.
 * Stone, "Classification and Regression Trees", 1984), among those with a smaller error than every simpler one. The
 * standard error is the difference's, period by period: all candidates miss the same windy month, so the errors
 * themselves vary much more than their difference.
 *
 * @param scores Scores over the same periods, the simplest candidate first
 */
export function selectSimplest(scores: readonly CandidateScore[]): CandidateScore {
  const errorOf = (score: CandidateScore) => Math.max(NEGLIGIBLE, score.error);
  const gains = scores.filter((score, i) =>
    scores.slice(0, i).every((simpler) => errorOf(score) < (1 - MIN_GAIN) * errorOf(simpler))
  );
  const best = gains[gains.length - 1]; // each is better than those before it
  return gains.find((score) => {
    const [more, error] = computeExcess(score, best);
    return score === best || more <= error;
  })!;
}

/**
 * Selects the usual candidate unless another one is better by more than one standard error of the difference; of
 * several, the best.
 *
 * @param others Scores of others over the same periods
 * @param errors Standard errors by which it must be better
 */
export function selectClearlyBetter<Score extends PeriodScore>(
  usual: Score,
  others: readonly Score[],
  errors = 1,
): Score {
  const better = others.filter((other) => {
    const [more, error] = computeExcess(usual, other);
    return more > errors * error && other.error < (1 - MIN_GAIN) * usual.error;
  });
  return better.toSorted((a, b) => a.error - b.error)[0] ?? usual;
}

/**
 * Scores candidates as if the periods had occurred as often as the weights say: for the selection in a draw of the
 * bootstrap.
 *
 * @param scores Scores over the same periods
 * @param weights How often each period occurs
 */
export function drawScores(
  scores: readonly CandidateScore[],
  weights: Float64Array,
): CandidateScore[] {
  const size = weights.reduce((sum, weight) => sum + weight, 0);
  return scores.map((score) => {
    const drawn = new Float64Array(size);
    let [sum, known, number] = [0, 0, 0];
    for (let period = 0; period < weights.length; period++) {
      const square = score.squares[period];
      if (square !== square) continue;
      sum += square;
      known++;
      for (let times = weights[period]; times > 0; times--) drawn[number++] = square;
    }
    const squares = drawn.subarray(0, number);
    return { ...score, squares, error: score.error * Math.sqrt(mean(squares) / (sum / known)) };
  });
}
