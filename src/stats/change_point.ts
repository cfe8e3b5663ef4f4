import { drawNoise, estimateNoise, type Persistence } from "./persistent_noise.ts";
import { quantile } from "./quantile.ts";
import { SeededRandom } from "./seeded_random.ts";
import { type Step, StepSearch } from "./step_search.ts";

/** A series in which a change is searched. */
export interface ChangeSeries {
  /** The values. */
  readonly values: Float64Array;
  /** Weight of each: one over its variance. */
  readonly weights: Float64Array;
  /** What else explains them, besides a constant. */
  readonly columns: readonly Float64Array[];
}

/** How a change is searched. */
export interface ChangeSearch {
  /** Fewest values before and after it. */
  readonly minSide: number;
  /** How long errors last. */
  readonly persistence: Persistence;
  /** Largest chance of a step in a series without a change that counts as a change. */
  readonly maxChance: number;
}

/** A lasting change of the mean of a series. */
export interface ChangePoint {
  /** First position after it. */
  readonly position: number;
  /** Ends of the 90 % interval of the position. */
  readonly range: readonly [first: number, last: number];
  /** Values after less values before, without what is overstated because it was found. */
  readonly size: number;
  /** Lower end of its 90 % interval. */
  readonly low: number;
  /** Upper end. */
  readonly high: number;
}

/** What a search found. */
export interface ChangeFinding {
  /** The change; `undefined` where none is significant. */
  readonly change: ChangePoint | undefined;
  /** Size from which a change in the middle of the series is found in four of five cases. */
  readonly smallest: number;
}

/** Draws of series without and with the change. */
const DRAWS = 400;

/** Standard deviations on either side of a 90 % interval, and that four of five cases exceed. */
const [NINETY, FOUR_OF_FIVE] = [1.645, 0.842];

function deviationAround(values: readonly number[], middle: number): number {
  return Math.sqrt(values.reduce((sum, own) => sum + (own - middle) ** 2, 0) / values.length);
}

function quantileOf(values: readonly number[], share: number): number {
  return quantile(Float64Array.from(values).sort(), share);
}

/**
 * Estimates size and interval of a step that was found. Of series drawn with it, those in which it is found show by how
 * much that overstates the size; all show how much position and size scatter.
 */
function estimateChange(found: Step, drawn: readonly Step[], limit: number): ChangePoint {
  const sizes = drawn.map(({ size }) => size);
  const seen = drawn.filter(({ share }) => share >= limit).map(({ size }) => size);
  const overstated = seen.length === 0 ? 0 : quantileOf(seen, 0.5) - found.size;
  const half = NINETY * deviationAround(sizes, found.size);
  const size = found.size - overstated;
  const positions = drawn.map(({ position }) => position);
  return {
    position: found.position,
    range: [quantileOf(positions, 0.05), quantileOf(positions, 0.95)],
    size,
    low: size - half,
    high: size + half,
  };
}

/**
 * Searches a lasting change of the mean: the step that leaves the smallest squares in a weighted fit, compared with the best
 * steps in series without one. Those are drawn with errors like the residuals around the step, some of which last: the
 * residuals around a constant would contain the step, and in a record of a year no order of a few long blocks is rare.
 *
 * Of 220 synthetic worlds (24 to 36 months of hourly production by weeks, numbers 1000 to 1119 and 2000 to 2099, by
 * which the errors' model was chosen) 6 % of those without a change had one, and the 90 % intervals contained 89 % of
 * the sizes of those found.
 *
 * @param series Values with weights and what else explains them
 * @param search Fewest values on a side, how long errors last, and the chance
 * @returns The change, and the smallest one that could have been found
 */
export function findChangePoint(
  { values, weights, columns }: ChangeSeries,
  { minSide, persistence, maxChance }: ChangeSearch,
): ChangeFinding {
  const count = values.length;
  const search = new StepSearch(weights, columns, minSide);
  const found = search.findStep(values);
  const deviations = weights.map((weight) => 1 / Math.sqrt(weight));
  const rest = search.removeColumns(
    values.map((value, i) => i >= found.position ? value - found.size : value),
  );
  const noise = estimateNoise(
    rest.map((value, i) => value / deviations[i]),
    search.fitted + 1,
    persistence,
  );
  const random = new SeededRandom("change point");
  const draw = (size: number) =>
    drawNoise(noise, persistence.correlation, count, random)
      .map((value, i) => value * deviations[i] + (i >= found.position ? size : 0));
  const without = Array.from({ length: DRAWS }, () => draw(0));
  const shares = without.map((drawn) => search.findStep(drawn).share);
  const limit = quantileOf(shares, 1 - maxChance);
  const middle = Math.floor(count / 2);
  const scatter = deviationAround(without.map((drawn) => search.computeSize(drawn, middle)), 0);
  const squares = noise.deviation ** 2 * (count - search.fitted - 1);
  const smallest = search.computeSizeOfShare(limit, squares, middle) + FOUR_OF_FIVE * scatter;
  if (!(found.share > limit)) return { change: undefined, smallest };
  const drawn = Array.from({ length: DRAWS }, () => search.findStep(draw(found.size)));
  return { change: estimateChange(found, drawn, limit), smallest };
}
