/** Ranks of values, the mean rank for equal ones. */
function rankValues(values: Float64Array): Float64Array {
  const order = Uint32Array.from(values, (_, i) => i).sort((a, b) => values[a] - values[b]);
  const ranks = new Float64Array(values.length);
  for (let from = 0, to; from < order.length; from = to) {
    to = from + 1;
    while (to < order.length && values[order[to]] === values[order[from]]) to++;
    for (let i = from; i < to; i++) ranks[order[i]] = (from + to - 1) / 2;
  }
  return ranks;
}

/**
 * Computes Spearman's rank correlation: how far one series rises with another, whatever their scales.
 *
 * @param one Values without NaN
 * @param other As many values without NaN
 * @returns -1 to 1; NaN where one of them does not change
 */
export function computeRankCorrelation(one: Float64Array, other: Float64Array): number {
  const [a, b] = [rankValues(one), rankValues(other)];
  const middle = (a.length - 1) / 2;
  let [products, squares, otherSquares] = [0, 0, 0];
  for (let i = 0; i < a.length; i++) {
    products += (a[i] - middle) * (b[i] - middle);
    squares += (a[i] - middle) ** 2;
    otherSquares += (b[i] - middle) ** 2;
  }
  return products / Math.sqrt(squares * otherSquares);
}
