import { buildBasis, removeColumns } from "./weighted_columns.ts";

/** A step in a series. */
export interface Step {
  /** First position after it. */
  readonly position: number;
  /** Height: values after less values before. */
  readonly size: number;
  /** Share of the squares around the fit without a step that the step explains. */
  readonly share: number;
}

/** Smallest share of the weights on a side that the other columns leave to a step. */
const MIN_LEFT = 1e-9;

/** Searches one step in series with the same weights and columns, by weighted least squares. */
export class StepSearch {
  /** Fitted values besides the step. */
  readonly fitted: number;
  readonly #basis: readonly Float64Array[];
  readonly #weights: Float64Array;
  /** Squares of each possible step that the columns leave. */
  readonly #left: Float64Array;
  readonly #minSide: number;

  /**
   * @param weights Weight of each value: one over its variance
   * @param columns What else explains the values, besides a constant
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

  /** Removes the columns, and no step, from values. */
  removeColumns(values: Float64Array): Float64Array {
    return removeColumns(values, this.#weights, this.#basis);
  }

  /**
   * Finds the step that leaves the smallest squares.
   *
   * @param values The series
   * @returns A step of share 0 where no position has enough values on both sides
   */
  findStep(values: Float64Array): Step {
    const rest = this.removeColumns(values);
    const weights = this.#weights;
    let [sum, squares, gain] = [0, 0, 0];
    let [position, size] = [-1, 0];
    for (let i = rest.length - 1; i >= 0; i--) {
      const weighted = weights[i] * rest[i];
      sum += weighted;
      squares += weighted * rest[i];
      const left = this.#left[i];
      if (i < this.#minSide || i > rest.length - this.#minSide || left < MIN_LEFT) continue;
      if (sum ** 2 / left > gain) [gain, position, size] = [sum ** 2 / left, i, sum / left];
    }
    return { position, size, share: squares > 0 ? gain / squares : 0 };
  }

  /**
   * Computes the height of a step at a position.
   *
   * @param values The series
   * @param position First position after the step
   */
  computeSize(values: Float64Array, position: number): number {
    const rest = this.removeColumns(values);
    let sum = 0;
    for (let i = position; i < rest.length; i++) sum += this.#weights[i] * rest[i];
    return sum / this.#left[position];
  }

  /**
   * Computes the height of a step at a position that explains some share of the squares.
   *
   * @param share Share of the squares with the step
   * @param squares Squares that the step leaves
   * @param position First position after the step
   */
  computeSizeOfShare(share: number, squares: number, position: number): number {
    return Math.sqrt(share / (1 - share) * squares / this.#left[position]);
  }
}
