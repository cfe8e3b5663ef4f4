/** Smallest share of a column's length that is left beside the others; with less it depends on them. */
const INDEPENDENT = 1e-6;

/** Adds up the products of two columns, weighted. */
function dot(a: Float64Array, b: Float64Array, weights: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += weights[i] * a[i] * b[i];
  return sum;
}

/**
 * Removes from values what a weighted least-squares fit of some columns explains.
 *
 * @param basis Columns of {@linkcode buildBasis} with these weights
 * @returns The residuals
 */
export function removeColumns(
  values: Float64Array,
  weights: Float64Array,
  basis: readonly Float64Array[],
): Float64Array {
  const rest = values.slice();
  for (const column of basis) {
    const share = dot(rest, column, weights);
    for (let i = 0; i < rest.length; i++) rest[i] -= share * column[i];
  }
  return rest;
}

/**
 * Makes columns orthogonal to each other and of length 1 under some weights (modified Gram-Schmidt). Those that depend
 * on the others are left out.
 *
 * @param columns Columns of a least-squares fit
 */
export function buildBasis(
  columns: readonly Float64Array[],
  weights: Float64Array,
): Float64Array[] {
  const basis: Float64Array[] = [];
  for (const column of columns) {
    const rest = removeColumns(column, weights, basis);
    const square = dot(rest, rest, weights);
    if (square <= INDEPENDENT ** 2 * dot(column, column, weights)) continue;
    const length = Math.sqrt(square);
    basis.push(rest.map((value) => value / length));
  }
  return basis;
}
