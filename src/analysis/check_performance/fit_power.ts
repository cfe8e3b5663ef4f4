import { buildBasis, removeColumns } from "../../stats/step_search.ts";
import { computeHuberWeights } from "../../windindex/scaling/fit_robust.ts";
import type { HourlyPair } from "./outage_hours.ts";
import { type ComparedHours, WEEK } from "./weekly_ratios.ts";

/**
 * Neighbours that have coefficients of their own, eight each; of more the common power has them. Waves around the compass: wakes
 * and shelter change from one sixth of it to the next.
 */
const [MAX_NEIGHBOURS, WAVES] = [6, 3];

/** Share of the largest power from which the variance of an hour grows with it, and fits, each with the weights of the one before. */
const [CALM, ROUNDS] = [0.05, 4];

/**
 * Fits what a turbine gives to what its neighbours and the model give, with their squares and by wind direction, beside a
 * change from an hour on. The variance of an hour is taken to grow with its power, so that the fit keeps sums of energy;
 * hours far from the rest, in which one of the turbines was stopped in part, count less.
 *
 * @param hours Hours; where a neighbour does not run its power is the common one
 * @param neighbours Power of each at the turbine's own level, kW, NaN where it does not run
 * @param first First hour after the change
 * @returns Power without the change, kW, NaN for hours that do not count, and the changes on other dates, two weeks apart, that
 * the same fit shows, logarithms of ratios
 */
export function fitPower(
  { pair, counted, beside }: ComparedHours & { readonly pair: HourlyPair },
  neighbours: readonly Float64Array[],
  first: number,
): { readonly power: Float64Array; readonly others: readonly number[] } {
  const { produced, expected, windDirection: direction } = pair;
  const hours = [...counted.keys()].filter((i) => counted[i] === 1);
  const take = (of: (i: number) => number) => Float64Array.from(hours, of);
  const values = take((i) => produced[i]);
  const sources = neighbours.length > MAX_NEIGHBOURS ? [beside!] : neighbours;
  // Hours without a direction have the mean of all.
  const waves = Array.from({ length: direction ? WAVES : 0 }, (_, k) => k + 1).flatMap((k) =>
    [Math.cos, Math.sin].map((of) => take((i) => of(k * direction![i] * Math.PI / 180) || 0))
  );
  const columns = [expected, ...sources].flatMap((power) => {
    const own = take((i) => Number.isNaN(power[i]) ? beside![i] : power[i]);
    return [own, ...[own, ...waves].map((wave) => wave.map((value, i) => value * own[i]))];
  });
  const least = CALM * values.reduce((most, power) => Math.max(most, power), 0);
  let fitted = take((i) => expected[i]);
  let huber: Float64Array = values.map(() => 1);
  for (let round = 1;; round++) {
    const weights = fitted.map((power, i) => huber[i] / Math.max(least, power));
    const basis = buildBasis([values.map(() => 1), ...columns], weights);
    const measure = (values: Float64Array, first: number) => {
      const step = fitted.map((power, i) => hours[i] < first ? 0 : power);
      const left = removeColumns(step, weights, basis).map((value, i) => value * weights[i]);
      const sum = (of: Float64Array) => left.reduce((total, value, i) => total + value * of[i], 0);
      return { step, size: sum(values) / sum(step) };
    };
    const { step, size } = measure(values, first);
    const before = values.map((power, i) => power - size * step[i]);
    const rest = removeColumns(before, weights, basis);
    huber = computeHuberWeights(rest.map((gap, i) => gap / Math.sqrt(Math.max(least, fitted[i]))));
    fitted = before.map((power, i) => Math.max(0, power - rest[i]));
    if (round === ROUNDS) {
      const others = hours.filter((_, i) => i % (2 * WEEK) === 0).slice(1, -1)
        .map((first) => Math.log1p(measure(before, first).size));
      let at = 0;
      return { power: produced.map((_, i) => counted[i] === 1 ? fitted[at++] : NaN), others };
    }
  }
}
