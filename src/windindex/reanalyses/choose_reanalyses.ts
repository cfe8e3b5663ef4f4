import { selectClearlyBetter } from "../calibration/cross_validation.ts";
import { type Calibration, type CalibrationPeriod, isWhole } from "../calibration/calibration.ts";
import { MIN_PERIODS, TWO_YEARS } from "../calibration/training_energies.ts";

/** How several reanalyses, each with its own calibration, become one model. */
export interface ReanalysisChoice {
  /** One of them, the mean of all, or a mean with weights from their errors. */
  readonly kind: "single" | "mean" | "weights";
  /** Weight of the power of each, in the order given; they add up to 1. */
  readonly weights: readonly number[];
  /** Root mean square error of the unseen periods of each, over their mean power; `null` with too few periods. */
  readonly errors: readonly (number | null)[];
  /** The same for the choice. */
  readonly error: number | null;
}

/** Errors of a candidate over the periods that all predict. */
interface Score {
  readonly kind: ReanalysisChoice["kind"];
  readonly weights: readonly number[];
  /** Square errors of mean power, kW2. */
  readonly squares: Float64Array;
  /** Root mean square error over the mean power. */
  readonly error: number;
}

/** A period that all reanalyses predict without having seen it; powers in kW. */
interface CommonPeriod {
  /** Name: "2018-05" or "2018". */
  readonly label: string;
  readonly produced: number;
  readonly predicted: readonly number[];
}

function listCommonPeriods(calibrations: readonly Calibration[]): CommonPeriod[] {
  const byLabel = calibrations.map(({ periods }) =>
    new Map(periods.filter(isWhole).map((period) => [period.label, period]))
  );
  return [...byLabel[0]].flatMap(([label, { produced, validHours }]) => {
    const sameLabel = byLabel.map((periods) => periods.get(label));
    const known = (period: CalibrationPeriod | undefined): period is CalibrationPeriod =>
      period !== undefined && period.unseen !== null;
    // If the reanalyses have different gaps, they predict different hours of the period.
    if (!sameLabel.every(known)) return [];
    const power = produced / validHours;
    return [{
      label,
      produced: power,
      predicted: sameLabel.map((one) => power * one.unseen! / one.produced),
    }];
  });
}

function score(
  periods: readonly CommonPeriod[],
  kind: Score["kind"],
  weightsOf: (leftOut: CommonPeriod) => readonly number[],
  weights: readonly number[],
): Score {
  const squares = Float64Array.from(periods, (period) => {
    const { produced, predicted } = period;
    const weights = weightsOf(period);
    return (predicted.reduce((sum, power, j) => sum + weights[j] * power, 0) - produced) ** 2;
  });
  const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0);
  const power = sum(periods.map(({ produced }) => produced));
  return { kind, weights, squares, error: Math.sqrt(sum(squares) * periods.length) / power };
}

/** Computes weights by inverse mean square error, over the periods that count. */
function computeInverseWeights(
  singles: readonly Score[],
  counts: (position: number) => boolean,
): number[] {
  const precisions = singles.map(({ squares }) =>
    1 / squares.reduce((sum, square, i) => counts(i) ? sum + square : sum, 0)
  );
  const sum = precisions.reduce((total, value) => total + value, 0);
  return precisions.map((value) => value / sum);
}

/**
 * Chooses among reanalyses by their errors of unseen periods: the best one, or, if better by more than one standard
 * error, the mean of their energies or a mean weighted by inverse mean square error in the other periods. With fewer
 * than six common periods it is the first.
 */
export function chooseReanalyses(calibrations: readonly Calibration[]): ReanalysisChoice {
  const number = calibrations.length;
  const only = (position: number) => calibrations.map((_, i) => i === position ? 1 : 0);
  const periods = listCommonPeriods(calibrations);
  if (number === 1 || periods.length < MIN_PERIODS) {
    const errors = calibrations.map(() => null);
    return { kind: "single", weights: only(0), errors, error: null };
  }
  const singles = calibrations.map((_, i) => score(periods, "single", () => only(i), only(i)));
  const best = singles.reduce((a, b) => b.error < a.error ? b : a);
  const equal = calibrations.map(() => 1 / number);
  // From two years of months on, weights must hold for years that did not choose them.
  const blockOf = ({ label }: CommonPeriod) =>
    periods.length < TWO_YEARS ? label : label.slice(0, 4);
  const chosen = selectClearlyBetter(best, [
    score(periods, "mean", () => equal, equal),
    score(
      periods,
      "weights",
      (leftOut) => computeInverseWeights(singles, (i) => blockOf(periods[i]) !== blockOf(leftOut)),
      computeInverseWeights(singles, () => true),
    ),
  ]);
  const { kind, weights, error } = chosen;
  return { kind, weights, errors: singles.map((single) => single.error), error };
}
