import type { UsablePeriod } from "./index_periods.ts";

/** Month indices of a normal year: twelve times 100 %. */
const NORMAL_YEAR = 1200;

/**
 * Estimates the energy of a normal year by the sums of production and month indices, MWh. A period with a share of its
 * hours counts by that share on both sides.
 *
 * Source: the Danish wind index, by which twelve normal months sum to 1200.
 *
 * @param weights How often each counts
 */
export function estimateByRatio(periods: readonly UsablePeriod[], weights: Float64Array): number {
  let [produced, indices] = [0, 0];
  periods.forEach((period, i) => {
    const weight = weights[i] * period.weight;
    produced += weight * period.produced;
    indices += weight * period.months * period.index;
  });
  return NORMAL_YEAR * produced / indices;
}

/**
 * Estimates the energy of a normal year by a straight line through the mean monthly energies, read at 100 %, MWh.
 *
 * @param weights How often each counts
 */
export function estimateByRegression(
  periods: readonly UsablePeriod[],
  weights: Float64Array,
): number {
  const mean = (of: (period: UsablePeriod) => number) => {
    let [sum, count] = [0, 0];
    periods.forEach((period, i) => {
      const weight = weights[i] * period.weight;
      sum += weight * of(period);
      count += weight;
    });
    return sum / count;
  };
  // Weighted, unlike stats/regression.ts: a draw of the bootstrap has periods several times.
  const energy = ({ produced, months }: UsablePeriod) => produced / months;
  const [x, y] = [mean(({ index }) => index), mean(energy)];
  const covariance = mean((period) => (period.index - x) * (energy(period) - y));
  const variance = mean(({ index }) => (index - x) ** 2);
  return 12 * (y + (100 - x) * covariance / variance);
}
