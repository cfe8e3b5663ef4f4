import { ArgumentError } from "../../api/errors.ts";
import { fitLine } from "../../stats/regression.ts";
import { mean } from "../../stats/spread.ts";
import { calibrate, type Calibration, isWhole } from "../../windindex/calibration/calibration.ts";
import { assignFolds } from "../../windindex/calibration/cross_validation.ts";
import { buildTrainingSet, type TurbineTraining } from "../../windindex/calibration/training.ts";
import {
  computeTrainingEnergies,
  isMonth,
  type TrainingEnergies,
} from "../../windindex/calibration/training_energies.ts";
import { chooseReanalyses } from "../../windindex/reanalyses/choose_reanalyses.ts";
import { combineMonthErrors } from "../../windindex/uncertainty/combined_errors.ts";
import {
  buildInterval,
  computeReach,
  type Interval,
} from "../../windindex/uncertainty/error_terms.ts";
import { computeSiteErrors } from "../../windindex/uncertainty/site_errors.ts";
import { computeMonthErrors, smoothTraining } from "../../windindex/uncertainty/uncertainty.ts";

/** Ways to predict a period from the others: the index, and simpler ones. */
export const METHODS = ["index", "one factor", "monthly regression", "mean of the others"] as const;

/** A month or year that was predicted by what is known without it. */
export interface UnseenPeriod {
  /** "2018-05", or "2018". */
  readonly label: string;
  /** Energy of one unit over the hours compared, kWh. */
  readonly produced: number;
  /** Predicted over produced energy by each method. */
  readonly ratios: Readonly<Record<typeof METHODS[number], number>>;
  /** 90 % interval of the index, over the produced energy; `null` for a year. */
  readonly interval: Interval | null;
}

/** Fewest periods, each of which the others predict. */
const MIN_UNSEEN = 2;

/** Mean wind speed of the hours compared in each period, m/s, by its label. */
function computeMeanWinds({ set, periods }: TrainingEnergies): Map<string, number> {
  return new Map(periods.map(({ label, from, to }) => {
    let [sum, hours] = [0, 0];
    for (let i = from; i < to; i++) {
      if (set.weight[i] > 0) sum += set.weight[i] * set.speed[i];
      hours += set.weight[i];
    }
    return [label, sum / hours];
  }));
}

/** Weighted mean of predicted over produced energy of the reanalyses that predict a period. */
function averageRatios(
  calibrations: readonly Calibration[],
  weights: readonly number[],
  label: string,
): number {
  let [sum, weight] = [0, 0];
  calibrations.forEach(({ periods }, i) => {
    const period = periods.find((own) => own.label === label);
    if (!period || period.unseen === null || weights[i] === 0) return;
    sum += weights[i] * period.unseen / period.produced;
    weight += weights[i];
  });
  return sum / weight;
}

/** Predicts the periods of one block from all others. */
function predictBlock(
  training: readonly TrainingEnergies[],
  ofFactor: readonly TrainingEnergies[],
  left: ReadonlySet<string>,
  winds: ReadonlyMap<string, number>,
): UnseenPeriod[] {
  const calibrations = training.map((one) => calibrate(one, undefined, left));
  const plain = ofFactor.map((one) => calibrate(one, [], left));
  const { weights, errors, error } = chooseReanalyses(calibrations);
  const [{ periods }] = calibrations;
  const others = periods.filter(isWhole);
  const powers = others.map(({ produced, validHours }) => produced / validHours);
  const average = mean(powers);
  const line = fitLine(others.map(({ label }) => winds.get(label)!), powers);
  const unseen = periods.filter(({ label, produced }) => left.has(label) && produced > 0);
  const months = unseen.map(({ label }) => ({ month: Number(label.slice(5)) }));
  const shares = combineMonthErrors(
    training.map((one, i) => ({
      weight: weights[i],
      unseen: errors[i],
      annual: NaN, // the spread between long-term means is left out
      months: weights[i] > 0 ? computeMonthErrors(one, calibrations[i], months) : [],
    })),
    NaN,
    error,
  );
  return unseen.map((period, i) => {
    const { label, produced, validHours } = period;
    const power = produced / validHours;
    const index = averageRatios(calibrations, weights, label);
    return {
      label,
      produced,
      ratios: {
        index,
        "one factor": averageRatios(plain, weights, label),
        "monthly regression": (line ? line.intercept + line.slope * winds.get(label)! : average) /
          power,
        "mean of the others": average / power,
      },
      interval: isMonth(period) ? buildInterval(index, computeReach(shares[i])) : null,
    };
  });
}

/**
 * Predicts each period of a record by a calibration without it: reanalysis, scaling, smoothing and factors are chosen anew. Of
 * more than 24 periods neighbours are left out together.
 *
 * @param what What is to be done, for messages
 * @throws {ArgumentError} If there are fewer than two periods of a week and more that are no outages
 */
export function predictUnseen({ turbine, inputs, climates }: TurbineTraining, what: string) {
  const sets = climates.map(({ hub }) => buildTrainingSet(hub, inputs, turbine.timeZone));
  const energiesOf = (kinds?: ["factor"]) =>
    sets.map((set, i) => computeTrainingEnergies(set, climates[i].hub, turbine, kinds));
  const [training, ofFactor] = [energiesOf(), energiesOf(["factor"])];
  const [usual] = training;
  const whole = calibrate(usual);
  const labels = whole.periods.filter(isWhole).map(({ label }) => label);
  if (labels.length < MIN_UNSEEN) {
    throw new ArgumentError(
      `Cannot ${what} of ${turbine.id}: ${labels.length} of its periods can be predicted from others: ` +
        `with a week of production and climate, and no outage. Give at least ${MIN_UNSEEN}`,
    );
  }
  const folds = assignFolds(new Uint8Array(labels.length).fill(1));
  const winds = computeMeanWinds(usual);
  return {
    periods: Array.from({ length: Math.max(...folds) + 1 }, (_, fold) => {
      const left = new Set(labels.filter((_, i) => folds[i] === fold));
      return predictBlock(training, ofFactor, left, winds);
    }).flat(),
    /** Periods that are not predicted: outages, and those of less than a week. */
    left: whole.periods.filter((period) => !isWhole(period))
      .map(({ label, reason }) => ({ period: label, reason: reason || "less than a week" })),
    /** What the days of the record say of its months. */
    prior: computeSiteErrors(smoothTraining(usual, whole), whole).prior,
  };
}
