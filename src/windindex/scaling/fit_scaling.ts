import {
  computePeriodEnergy,
  energyAt,
  findFactor,
  type Ladders,
  type ScalingEnergies,
  sumPeriods,
} from "./energy_ladder.ts";
import type { WindScaling } from "./wind_scaling.ts";
import { computeRobustSpread } from "../../stats/spread.ts";

/**
 * Computes the weight of each of several estimates relative to their common mean, 0 to 1: the variance between groups
 * over the total variance. If groups differ no more than their own scatter explains, all shares are 0.
 *
 * Source: random effects by R. DerSimonian and N. Laird, "Meta-analysis in clinical trials" (1986); the shares are the
 * credibility of H. Bühlmann (1967).
 *
 * @param variances Variance of each; `Infinity` for a group without information
 */
export function computeCredibility(
  estimates: ArrayLike<number>,
  variances: ArrayLike<number>,
): Float64Array {
  let weight = 0;
  let squares = 0;
  let sum = 0;
  let groups = 0;
  for (let i = 0; i < estimates.length; i++) {
    if (!(variances[i] < Infinity)) continue;
    const inverse = 1 / variances[i];
    weight += inverse;
    squares += inverse * inverse;
    sum += inverse * estimates[i];
    groups++;
  }
  const shares = new Float64Array(estimates.length);
  if (groups < 2) return shares;
  let spread = 0; // Cochran's Q
  for (let i = 0; i < estimates.length; i++) {
    if (variances[i] < Infinity) spread += (estimates[i] - sum / weight) ** 2 / variances[i];
  }
  const between = (spread - (groups - 1)) / (weight - squares / weight);
  if (!(between > 0)) return shares;
  for (let i = 0; i < shares.length; i++) shares[i] = between / (between + variances[i]);
  return shares;
}

/** Produced energy of periods, the counterpart of the modelled one. */
export interface ProducedEnergies {
  /** Energy of each period, kWh. */
  readonly energy: Float64Array;
  /** Compared hours of each period. */
  readonly hours: Float64Array;
  /** Energy of the cells `period * groups + group`, kWh; NaN if only the energy of the period is known. */
  readonly byGroup: Float64Array;
}

/** Sums produced energies, kWh. */
function sumEnergy(energies: Float64Array, weights: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < energies.length; i++) if (weights[i] !== 0) sum += weights[i] * energies[i];
  return sum;
}

/**
 * Computes the weights of periods whose energy is known for each group, 0 for others; returns the given weights if all
 * periods have it.
 */
function computeResolvedWeights(
  { byGroup }: ProducedEnergies,
  groups: number,
  weights: ArrayLike<number>,
): ArrayLike<number> {
  let resolved: Float64Array | undefined;
  for (let period = 0; period < weights.length; period++) {
    if (!Number.isNaN(byGroup[period * groups])) continue;
    resolved ??= Float64Array.from(weights);
    resolved[period] = 0;
  }
  return resolved ?? weights;
}

/** The common factor of all groups, and the factor of each. */
interface GroupFactors {
  /** Weights of the periods whose energy is known for each group. */
  readonly resolved: ArrayLike<number>;
  readonly common: number;
  readonly groupFactors: Float64Array;
  readonly sums: Ladders;
}

function fitGroupFactors(
  energies: ScalingEnergies,
  produced: ProducedEnergies,
  weights: ArrayLike<number>,
  all: Ladders = sumPeriods(energies.ladders, energies.groups, weights),
): GroupFactors {
  const { groups, ladders } = energies;
  const resolved = computeResolvedWeights(produced, groups, weights);
  const sums = resolved === weights ? all : sumPeriods(ladders, groups, resolved);
  const targets = new Float64Array(groups);
  for (let period = 0; period < resolved.length; period++) {
    if (resolved[period] === 0) continue;
    for (let group = 0; group < groups; group++) {
      targets[group] += resolved[period] * produced.byGroup[period * groups + group];
    }
  }
  const ones = new Float64Array(groups).fill(1);
  const common = findLevel(sums, ones, targets.reduce((sum, value) => sum + value, 0));
  const groupFactors = targets.map((target, group) =>
    energyAt(sums, group, common) > 0 ? findFactor((k) => energyAt(sums, group, k), target) : common
  );
  return { resolved, common, groupFactors, sums };
}

/** Finds the common factor, multiplied by the ratio of each group, at which all groups together give an energy. */
function findLevel(sums: Ladders, ratios: Float64Array, target: number): number {
  return findFactor((k) => {
    let energy = 0;
    for (let group = 0; group < ratios.length; group++) {
      energy += energyAt(sums, group, k * ratios[group]);
    }
    return energy;
  }, target);
}

/**
 * Share of the energy below which a group is not fitted: a period does not count for it, and in a draw it keeps its
 * known factor.
 */
const RARE = 0.01;

/** Factors of groups from all periods, which a draw of the bootstrap uses. */
export interface GroupBelief {
  /** Weight of the factor of each group relative to the common one, 0 to 1. */
  readonly shares: Float64Array;
  /** Factor of each group. */
  readonly factors: Float64Array;
}

/**
 * Estimates the weight of each group's factor relative to the common one. The variance of a group's factor comes from
 * the scatter of its periods, pooled over the groups: a group that occurs in one month has no scatter of its own.
 *
 * @param weights How often each period counts
 */
export function estimateGroupBelief(
  energies: ScalingEnergies,
  produced: ProducedEnergies,
  weights: ArrayLike<number>,
): GroupBelief {
  return judgeGroups(energies, produced, fitGroupFactors(energies, produced, weights));
}

/** Estimates the weights of groups by their factors. */
function judgeGroups(
  { groups, ladders }: ScalingEnergies,
  produced: ProducedEnergies,
  { resolved, common, groupFactors, sums }: GroupFactors,
): GroupBelief {
  let squares = 0;
  let modelled = 0;
  let cells = -groups; // each group's factor uses a degree of freedom
  for (let period = 0; period < resolved.length; period++) {
    if (resolved[period] === 0) continue;
    for (let group = 0; group < groups; group++) {
      const cell = period * groups + group;
      const energy = energyAt(ladders, cell, groupFactors[group]);
      if (!(energy > RARE * produced.energy[period])) continue; // such as the last instant of a month, which is in the next season
      squares += (energy - produced.byGroup[cell]) ** 2;
      modelled += energy;
      cells++;
    }
  }
  // The variance of a cell grows with its energy: dispersion times energy, as for counts.
  const dispersion = cells > 0 && modelled > 0
    ? squares / modelled * (cells + groups) / cells
    : Infinity;
  const variances = groupFactors.map((k, group) => {
    const energy = energyAt(sums, group, k);
    const slope = (energyAt(sums, group, k + SLOPE) - energyAt(sums, group, k - SLOPE)) /
      (2 * SLOPE);
    return slope > 0 ? dispersion * energy / (slope * common) ** 2 : Infinity;
  });
  return {
    shares: computeCredibility(groupFactors.map((k) => k / common - 1), variances),
    factors: groupFactors,
  };
}

/** Half the width over which the slope of energy is computed. */
const SLOPE = 0.01;

/**
 * Fits a scaling to periods: modelled equals produced energy over all that count.
 *
 * @param weights How often each period counts: 0 or 1, or more in a draw of the bootstrap
 * @param known Weights and factors of groups, for a draw of the bootstrap. @default estimated from the periods
 */
export function fitScaling(
  energies: ScalingEnergies,
  produced: ProducedEnergies,
  weights: ArrayLike<number>,
  known?: GroupBelief,
): WindScaling {
  const { kind, groups, ladders } = energies;
  const target = sumEnergy(produced.energy, weights);
  const all = sumPeriods(ladders, groups, weights);
  if (kind === "factor") {
    return { kind, k: findFactor((k) => energyAt(all, 0, k), target) };
  }
  const fitted = fitGroupFactors(energies, produced, weights, all);
  const { common, groupFactors, sums } = fitted;
  const { shares, factors } = known ?? judgeGroups(energies, produced, fitted);
  const energyOf = (group: number) => energyAt(sums, group, common);
  const total = groupFactors.reduce((sum, _, group) => sum + energyOf(group), 0);
  const ratios = groupFactors.map((factor, group) => {
    const fittedFactor = energyOf(group) > RARE * total ? factor : factors[group];
    return 1 + shares[group] * (fittedFactor / common - 1);
  });
  const level = findLevel(all, ratios, target);
  return { kind, factors: Array.from(ratios, (ratio) => level * ratio) };
}

/**
 * Standard deviations from which on a period weighs less: 90 % of the efficiency of equal weights if errors are normal.
 * With the usual 1.345 (95 %), two months of twelve with a wrong reanalysis move the others more.
 */
const REACH = 1;

/** Fewest periods that show their scatter. */
const MIN_PERIODS = 6;

/** Reweighted fits after the first one. */
const ROUNDS = 2;

/**
 * Computes the weight of each period by its distance from the others: 1 up to one standard deviation, then falling with
 * the inverse distance. The standard deviation comes from the median, which single periods do not move.
 *
 * Source: P. Huber, "Robust estimation of a location parameter" (1964).
 *
 * @param ratios Produced over modelled energy; NaN for periods that do not count, or whose modelled energy is 0
 */
export function computeHuberWeights(ratios: Float64Array): Float64Array {
  const known = ratios.filter((ratio) => !Number.isNaN(ratio));
  if (known.length < MIN_PERIODS) return ratios.map(() => 1);
  const { middle, deviation } = computeRobustSpread(known);
  return ratios.map((ratio) => {
    const distance = Math.abs(ratio - middle);
    // If half of the periods are equal, they do not show how much the others scatter.
    return distance > REACH * deviation && deviation > 0 ? REACH * deviation / distance : 1;
  });
}

/**
 * Fits a scaling to periods with less weight on outlying ones: reanalysis is wrong in single months.
 *
 * @param weights How often each period counts
 * @param known Weights and factors of groups, for a draw of the bootstrap. @default estimated from the periods
 * @returns The scaling, and the weights of the periods in it: the given ones, less for outlying periods
 */
export function fitRobust(
  energies: ScalingEnergies,
  produced: ProducedEnergies,
  weights: ArrayLike<number>,
  known?: GroupBelief,
) {
  let robustWeights = Float64Array.from(weights);
  for (let round = 0;; round++) {
    const scaling = fitScaling(energies, produced, robustWeights, known);
    if (round === ROUNDS) return { scaling, weights: robustWeights };
    const ratios = produced.energy.map((energy, period) => {
      const modelled = weights[period] === 0 ? 0 : computePeriodEnergy(energies, period, scaling);
      return modelled > 0 ? energy / modelled : NaN;
    });
    robustWeights = computeHuberWeights(ratios).map((weight, period) => weight * weights[period]);
  }
}
