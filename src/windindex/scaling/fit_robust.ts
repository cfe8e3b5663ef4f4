import { computeRobustSpread } from "../../stats/spread.ts";
import { fitScaling, type GroupBelief, type ProducedEnergies } from "./fit_scaling.ts";
import { computePeriodEnergy, type ScalingEnergies } from "./scaling_energies.ts";

/**
 * Standard deviations from which a period weighs less: 90 % of the efficiency of equal weights where errors are normal. With
 * the usual 1.345, 95 %, two months of twelve in which the reanalysis is wrong move the others more.
 */
const REACH = 1;

/** Fewest periods whose scatter is known. */
const MIN_PERIODS = 6;

/** Fits after the first one, each with the weights of the one before. */
const ROUNDS = 2;

/**
 * Computes the weight of each period by its distance from the others: 1 up to one standard deviation, then falling
 * with its inverse. The standard deviation comes from the median, which single periods do not move.
 *
 * Source: P. Huber, "Robust estimation of a location parameter" (1964).
 *
 * @param ratios Produced over modelled energy; NaN for periods that do not count, or in which the model gives nothing
 */
export function computeHuberWeights(ratios: Float64Array): Float64Array {
  const known = ratios.filter((ratio) => !Number.isNaN(ratio));
  if (known.length < MIN_PERIODS) return ratios.map(() => 1);
  const { middle, deviation } = computeRobustSpread(known);
  return ratios.map((ratio) => {
    const distance = Math.abs(ratio - middle);
    // Half of the periods alike say nothing about how much the others scatter.
    return distance > REACH * deviation && deviation > 0 ? REACH * deviation / distance : 1;
  });
}

/**
 * Fits a scaling to periods, of which those that are far from the rest count less: reanalysis is wrong in single months.
 *
 * @param weights How often each period counts
 * @param known Weights and factors of groups, for a draw of the bootstrap. @default estimated from the periods
 * @returns The scaling, and the weights that the periods have in it: the given ones, less for periods far from the rest
 */
export function fitRobust(
  energies: ScalingEnergies,
  produced: ProducedEnergies,
  weights: ArrayLike<number>,
  known?: GroupBelief,
) {
  let own = Float64Array.from(weights);
  for (let round = 0;; round++) {
    const scaling = fitScaling(energies, produced, own, known);
    if (round === ROUNDS) return { scaling, weights: own };
    const ratios = produced.energy.map((energy, period) => {
      const modelled = weights[period] === 0 ? 0 : computePeriodEnergy(energies, period, scaling);
      return modelled > 0 ? energy / modelled : NaN;
    });
    own = computeHuberWeights(ratios).map((weight, period) => weight * weights[period]);
  }
}
