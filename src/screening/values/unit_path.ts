/** Largest cost of a value: one that is far from every level says no more than that. */
export const LARGEST_COST = 1.5;

/** Cost of a change between levels: three values on a level far away, or a week and more on a near one, outweigh two. */
const CHANGE_COST = 2;

/**
 * Finds which level each value of a series is on, by the path of least cost (Viterbi): the distances of the values from
 * their levels, and a cost for each change. A few values that are off change nothing.
 *
 * @param values The series; NaN says nothing
 * @param levels The levels; the series is taken to be on the first
 * @returns Position of the level of each value, and the cost
 */
export function findCheapestPath(
  values: Float64Array,
  levels: readonly number[],
): { readonly states: Uint8Array; readonly cost: number } {
  const count = levels.length;
  const before = new Uint8Array(values.length * count);
  let costs: number[] = levels.map((_, state) => state === 0 ? 0 : CHANGE_COST);
  const cheapest = () => costs.indexOf(Math.min(...costs));
  for (const [i, value] of values.entries()) {
    const best = cheapest();
    costs = costs.map((cost, state) => {
      const changed = costs[best] + CHANGE_COST;
      before[i * count + state] = cost <= changed ? state : best;
      const own = Number.isNaN(value) ? 0 : Math.abs(value - levels[state]);
      return Math.min(cost, changed) + Math.min(own, LARGEST_COST);
    });
  }
  const states = new Uint8Array(values.length);
  let state = cheapest();
  const cost = costs[state];
  for (let i = values.length - 1; i >= 0; i--) {
    states[i] = state;
    state = before[i * count + state];
  }
  return { states, cost };
}
