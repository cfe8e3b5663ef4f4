/** Smallest share of a column's length that the others do not explain; with less it depends on them. */
const INDEPENDENT = 1e-6;

/** Adds up the weighted products of two columns. */
function dot(a: Float64Array, b: Float64Array, weights: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += weights[i] * a[i] * b[i];
  return sum;
}

/**
 * Removes the part of values that a weighted least-squares fit of some columns explains.
 *
 * @param basis Columns of {@linkcode buildBasis} with these weights
 * @returns The residuals
 */
export function removeColumns(
  values: Float64Array,
  weights: Float64Array,
  basis: readonly Float64Array[],
): Float64Array {
  const residuals = values.slice();
  for (const column of basis) {
    const share = dot(residuals, column, weights);
    for (let i = 0; i < residuals.length; i++) residuals[i] -= share * column[i];
  }
  return residuals;
}

/**
 * Makes columns orthogonal to each other and of length 1 under some weights (modified Gram-Schmidt). Leaves out columns
 * that depend on others.
 *
 * @param columns Columns of a least-squares fit
 */
export function buildBasis(
  columns: readonly Float64Array[],
  weights: Float64Array,
): Float64Array[] {
  const basis: Float64Array[] = [];
  for (const column of columns) {
    const residuals = removeColumns(column, weights, basis);
    const square = dot(residuals, residuals, weights);
    if (square <= INDEPENDENT ** 2 * dot(column, column, weights)) continue;
    const length = Math.sqrt(square);
    basis.push(residuals.map((value) => value / length));
  }
  return basis;
}

/** A step in a series, or a span of other values. */
export interface Step {
  /** First position after the step, or of the span. */
  readonly position: number;
  /** Position after the span; for a step, after the last value. */
  readonly end: number;
  /** Height: values after less values before, or within the span less others. */
  readonly size: number;
  /** Share of the squares around the fit without a step that the step explains. */
  readonly share: number;
}

/** Smallest squares of a step that the other columns leave unexplained. */
const MIN_LEFT = 1e-9;

/** Searches a step, or a span, in series with the same weights and columns, by weighted least squares. */
export class StepSearch {
  /** Number of fitted values without the step. */
  readonly fitted: number;
  readonly #basis: readonly Float64Array[];
  readonly #weights: Float64Array;
  /** Squares of each possible step that the columns do not explain. */
  readonly #left: Float64Array;
  readonly #minSide: number;
  /** The same for each possible span, one row per start; computed when needed. */
  #leftOfSpans: Float64Array | undefined;

  /**
   * @param weights Weight of each value: one over its variance
   * @param minSide Fewest values before and after a step
   */
  constructor(weights: Float64Array, columns: readonly Float64Array[], minSide: number) {
    this.#weights = weights;
    this.#basis = buildBasis([new Float64Array(weights.length).fill(1), ...columns], weights);
    this.fitted = this.#basis.length;
    this.#minSide = minSide;
    this.#left = new Float64Array(weights.length);
    const sums = new Float64Array(this.fitted);
    let total = 0;
    for (let i = weights.length - 1; i >= 0; i--) {
      total += weights[i];
      this.#basis.forEach((column, k) => sums[k] += weights[i] * column[i]);
      this.#left[i] = total - sums.reduce((squares, sum) => squares + sum ** 2, 0);
    }
  }

  /** Removes the columns, but no step, from values. */
  removeColumns(values: Float64Array): Float64Array {
    return removeColumns(values, this.#weights, this.#basis);
  }

  /**
   * Finds the step that leaves the smallest squares.
   *
   * @returns A step of share 0 if no position has enough values on both sides
   */
  findStep(values: Float64Array): Step {
    return this.findStepOfRest(this.removeColumns(values));
  }

  /** The same for the residuals of {@linkcode removeColumns}. */
  findStepOfRest(residuals: Float64Array): Step {
    const weights = this.#weights;
    let [sum, squares, gain] = [0, 0, 0];
    let [position, size] = [-1, 0];
    for (let i = residuals.length - 1; i >= 0; i--) {
      const weighted = weights[i] * residuals[i];
      sum += weighted;
      squares += weighted * residuals[i];
      const left = this.#left[i];
      if (i < this.#minSide || i > residuals.length - this.#minSide || left < MIN_LEFT) continue;
      if (sum ** 2 / left > gain) [gain, position, size] = [sum ** 2 / left, i, sum / left];
    }
    return { position, end: residuals.length, size, share: squares > 0 ? gain / squares : 0 };
  }

  /**
   * Finds the span with another mean than before and after it that leaves the smallest squares (circular
   * binary segmentation, A. Olshen et al., 2004).
   *
   * @returns A span of share 0 if none has enough values within, before and after it
   */
  findSpan(values: Float64Array): Step {
    const residuals = this.removeColumns(values);
    const count = residuals.length;
    const left = this.#leftOfSpans ??= this.#computeSpans();
    const sums = new Float64Array(count + 1);
    let squares = 0;
    for (let i = 0; i < count; i++) {
      const weighted = this.#weights[i] * residuals[i];
      sums[i + 1] = sums[i] + weighted;
      squares += weighted * residuals[i];
    }
    let best: Step = { position: -1, end: -1, size: 0, share: 0 };
    for (let from = this.#minSide; from < count; from++) {
      for (let to = from + this.#minSide; to <= count - this.#minSide; to++) {
        const spanSquares = left[from * count + to];
        if (spanSquares < MIN_LEFT) continue;
        const sum = sums[to] - sums[from];
        const share = sum ** 2 / spanSquares / squares;
        if (share > best.share) best = { position: from, end: to, size: sum / spanSquares, share };
      }
    }
    return best;
  }

  #computeSpans(): Float64Array {
    const count = this.#weights.length;
    const spans = new Float64Array(count * count);
    for (let from = this.#minSide; from < count; from++) {
      const sums = new Float64Array(this.fitted);
      let total = 0;
      for (let i = from; i < count - this.#minSide; i++) {
        total += this.#weights[i];
        let squares = 0;
        for (let k = 0; k < sums.length; k++) {
          sums[k] += this.#weights[i] * this.#basis[k][i];
          squares += sums[k] ** 2;
        }
        spans[from * count + i + 1] = total - squares;
      }
    }
    return spans;
  }

  /**
   * Computes the height of a step at a position.
   *
   * @param position First position after the step
   */
  computeSize(values: Float64Array, position: number): number {
    return this.computeSizeOfRest(this.removeColumns(values), position);
  }

  /** The same for the residuals of {@linkcode removeColumns}. */
  computeSizeOfRest(residuals: Float64Array, position: number): number {
    let sum = 0;
    for (let i = position; i < residuals.length; i++) sum += this.#weights[i] * residuals[i];
    return sum / this.#left[position];
  }

  /**
   * Computes the height of a step at a position that explains some share of the squares.
   *
   * @param share Share of the squares with the step
   * @param squares Squares that the step does not explain
   * @param position First position after the step
   */
  computeSizeOfShare(share: number, squares: number, position: number): number {
    return Math.sqrt(share / (1 - share) * squares / this.#left[position]);
  }
}
