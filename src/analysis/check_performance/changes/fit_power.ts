import { buildBasis, removeColumns } from "../../../stats/step_search.ts";
import { computeHuberWeights } from "../../../windindex/scaling/fit_scaling.ts";
import type { HourlyPair } from "../losses/outage_hours.ts";
import { type scaleNeighbours, WEEK } from "./weekly_ratios.ts";

/** Most neighbours with a coefficient each; with more, only their median has one. */
const MAX_NEIGHBOURS = 6;

/** Waves around the compass, for wakes and shelter: fewest, and most, for narrow wakes with enough data. */
const [FEWEST, MOST] = [3, 6];

/** Finer waves must lower the error of unseen weeks to this share: few weeks prove little. */
const FINER = 0.9;

/** Share of the largest power above which the variance of an hour grows with its power. */
const CALM = 0.05;

/** Number of reweighted fits, and the fit in which the number of waves is chosen. */
const [ROUNDS, CHOICE] = [6, 3];

/** Times an unseen week is fitted again to its own prediction. */
const REFITS = 30;

/** Sums the squared energy errors of weeks, each predicted by a fit to the others. */
function measureUnseenWeeks(
  residuals: Float64Array,
  weights: Float64Array,
  basis: readonly Float64Array[],
  weeks: readonly (readonly number[])[],
): number {
  return weeks.reduce((squares, week) => {
    const known = week.map((i) => residuals[i]);
    let errors = known;
    for (let refit = 0; refit < REFITS; refit++) {
      const last = errors;
      errors = known.slice();
      for (const column of basis) {
        const share = week.reduce((sum, i, at) => sum + weights[i] * column[i] * last[at], 0);
        week.forEach((i, at) => errors[at] += share * column[i]);
      }
    }
    return squares + errors.reduce((sum, error) => sum + error, 0) ** 2;
  }, 0);
}

/**
 * Fits a turbine's power to the power of its neighbours and the model, with squares and by wind direction, and to a
 * step at an hour. The variance of an hour is assumed to grow with its power, so the fit preserves sums of energy;
 * outlying hours, in which one of the turbines was partly stopped, weigh less.
 *
 * @param counted 1 for hours that count; a stopped neighbour counts with the median of the others
 * @param neighbours Power of each at the turbine's own level, kW, NaN if it does not run, and the median of those that
 * run
 * @param first First hour after the change
 * @returns Power without the change, kW, NaN for hours that do not count
 */
export function fitPower(
  pair: HourlyPair,
  counted: Uint8Array,
  { scaled: neighbours, common }: ReturnType<typeof scaleNeighbours>,
  first: number,
): Float64Array {
  const { produced, expected, windDirection: direction } = pair;
  const hours = [...counted.keys()].filter((i) => counted[i] === 1);
  const take = (of: (i: number) => number) => Float64Array.from(hours, of);
  const values = take((i) => produced[i]);
  const powers = [expected, ...neighbours.length > MAX_NEIGHBOURS ? [common] : neighbours]
    .map((power) => take((i) => Number.isNaN(power[i]) ? common[i] : power[i]));
  // Hours without a direction get the mean of all.
  const listWaves = (from: number, to: number) =>
    Array.from({ length: direction ? to - from : 0 }, (_, k) => from + k + 1).flatMap((k) =>
      [Math.cos, Math.sin].map((of) => take((i) => of(k * direction![i] * Math.PI / 180) || 0))
    );
  const multiply = (waves: readonly Float64Array[]) =>
    powers.flatMap((power) => waves.map((wave) => wave.map((value, i) => value * power[i])));
  const columns = [
    values.map(() => 1),
    ...powers.flatMap((values) => [values, values.map((power) => power ** 2)]),
    ...multiply(listWaves(0, FEWEST)),
  ];
  const least = CALM * values.reduce((most, power) => Math.max(most, power), 0);
  let fitted = take((i) => expected[i]);
  let huber: Float64Array = values.map(() => 1);
  for (let round = 1; round <= ROUNDS; round++) {
    const weights = fitted.map((power, i) => huber[i] / Math.max(least, power));
    const step = fitted.map((power, i) => hours[i] < first ? 0 : power);
    const basis = buildBasis(columns, weights);
    const weighted = removeColumns(step, weights, basis).map((value, i) => value * weights[i]);
    const sum = (of: Float64Array) =>
      weighted.reduce((total, value, i) => total + value * of[i], 0);
    const change = sum(values) / sum(step);
    const before = values.map((power, i) => power - change * step[i]);
    const residuals = removeColumns(before, weights, basis);
    if (round === CHOICE) {
      const more = multiply(listWaves(FEWEST, MOST));
      const all = buildBasis([...basis, ...more], weights);
      const weeks = Map.groupBy(hours.keys(), (i) => Math.floor((hours[i] - first) / WEEK));
      const measure = (basis: readonly Float64Array[]) =>
        measureUnseenWeeks(removeColumns(before, weights, basis), weights, basis, [
          ...weeks.values(),
        ]);
      if (measure(all) < FINER * measure(basis)) columns.push(...more);
    }
    huber = computeHuberWeights(
      residuals.map((gap, i) => gap / Math.sqrt(Math.max(least, fitted[i]))),
    );
    fitted = before.map((power, i) => Math.max(0, power - residuals[i]));
  }
  let at = 0;
  return produced.map((_, i) => counted[i] === 1 ? fitted[at++] : NaN);
}
