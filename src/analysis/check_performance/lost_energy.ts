import { quantile, sumOf, variance } from "../../stats/spread.ts";
import { studentQuantile } from "../../stats/student.ts";

/** Ends of a 90 % interval: of a lost energy, MWh, NaN without one; or of the ratio of produced to expected energy. */
export interface LossInterval {
  /** Lower end. */
  readonly low: number;
  /** Upper end. */
  readonly high: number;
}

/** A lost energy with its interval, MWh. */
export interface Loss extends LossInterval {
  readonly lost: number;
}

/**
 * Computes what was lost in the cells of a stretch; energies in MWh, NaN where none has values.
 *
 * @param share Share of each cell that was lost. @default that of all outages
 * @param made What it gave in that share, in the unit of a cell. @default all of a cell that was lost wholly
 */
export type ComputeLoss = (
  from: number,
  to: number,
  share?: Float64Array,
  made?: Float64Array,
) => Loss & Readonly<Record<"cells" | "expected" | "produced", number>>;

/** Fewest independent stretches whose own quantiles give a 90 % range: with 19, it ends at the outer ones. */
const MIN_FOR_QUANTILES = 19;

/** Fewest independent stretches of similar wind; with fewer, all stretches are used. */
const MIN_ALIKE = 6;

/** Factor within which the expected energy of two stretches is similar. */
const ALIKE = 1.5;

/** Starts of stretches within the length of one, and of all: more would add next to nothing. */
const STARTS = { within: 4, most: 5000 } as const;

/** Computes the sums of the values before each position, and of all. */
function cumulate(values: Float64Array): Float64Array {
  const sums = new Float64Array(values.length + 1);
  for (let i = 0; i < values.length; i++) sums[i + 1] = sums[i] + values[i];
  return sums;
}

/**
 * Deviation of stretches of a turbine's normal hours from the expected energy. Tested at Kelmarsh 2018, where
 * stretches of normal hours were left out and predicted: the 90 % range contains 88 to 97 % of them, from 4 hours to
 * 60 days, and at least 79 % of the calm ones, with less than 70 % of the mean.
 */
export class NormalStretches {
  readonly hours: number;
  readonly #produced: Float64Array;
  readonly #expected: Float64Array;

  /**
   * @param produced Power of the hours in which the turbine ran normally, in order of time
   * @param expected Expected power of these hours, scaled so that both have the same sum
   */
  constructor(produced: Float64Array, expected: Float64Array) {
    this.hours = produced.length;
    this.#produced = cumulate(produced);
    this.#expected = cumulate(expected);
  }

  /**
   * Estimates the 90 % range of the ratio of a stretch, from stretches of the same length with similar wind:
   * quantiles of their ratios where nineteen are independent, else Student's t with their variance. The variance is
   * assumed to grow with the energy, as for a sum of independent errors: calm stretches deviate by a larger share.
   *
   * @param length Hours of the stretch
   * @param power Expected mean power of the stretch
   * @returns `undefined` with fewer than two independent stretches, or without expected power
   */
  estimateRange(length: number, power: number): LossInterval | undefined {
    if (!(power > 0)) return undefined;
    const step = Math.max(
      1,
      Math.floor(length / STARTS.within),
      Math.ceil(this.hours / STARTS.most),
    );
    const all: { produced: number; expected: number }[] = [];
    for (let from = 0; from + length <= this.hours; from += step) {
      const expected = this.#expected[from + length] - this.#expected[from];
      if (!(expected > 0)) continue;
      all.push({ produced: this.#produced[from + length] - this.#produced[from], expected });
    }
    const independent = (stretches: typeof all) =>
      Math.floor(stretches.length * Math.min(1, step / length));
    const near = all.filter(({ expected }) =>
      expected <= ALIKE * length * power && expected >= length * power / ALIKE
    );
    const chosen = independent(near) >= MIN_ALIKE ? near : all;
    const count = independent(chosen);
    if (count < 2) return undefined;
    if (chosen === near && count >= MIN_FOR_QUANTILES) {
      const ratios = new Float64Array(chosen.map(({ produced, expected }) => produced / expected));
      ratios.sort();
      // The k-th of n values is the quantile k / (n + 1): the outer ones are not the limits.
      const share = (0.05 * (count + 1) - 1) / (count - 1);
      return { low: quantile(ratios, share), high: quantile(ratios, 1 - share) };
    }
    const squares = sumOf(
      chosen,
      ({ produced, expected }) => (produced - expected) ** 2 / expected,
    );
    const scatter = squares / chosen.length * count / (count - 1);
    const energy = this.#expected[this.hours];
    return buildRange(scatter / (length * power) + scatter / energy, count - 1);
  }
}

/**
 * Estimates the 90 % range of the ratio of produced to expected energy over some periods.
 *
 * @param misses Deviations of normal periods from the expected energy, as shares of it
 * @returns `undefined` with fewer than two normal periods
 */
export function estimatePeriodsRange(
  misses: readonly number[],
  expected: readonly number[],
): LossInterval | undefined {
  const count = misses.length;
  if (count < 2) return undefined;
  const total = sumOf(expected);
  const own = sumOf(expected, (energy) => (energy / total) ** 2);
  return buildRange(variance(misses) * (own + 1 / count), count - 1);
}

/**
 * Combines the 90 % intervals of losses, taken as independent: the distances of the ends from the sum are the roots of
 * the sums of squares.
 *
 * @param losses Losses with their intervals; those that are not known or 0 are left out
 * @returns The ends of the interval of the sum; NaN without a loss, or where one has no interval
 */
export function combineIntervals(
  losses: readonly Loss[],
): LossInterval {
  const known = losses.filter(({ lost }) => Number.isFinite(lost) && lost !== 0);
  if (known.length === 0) return { low: NaN, high: NaN };
  const total = sumOf(known, ({ lost }) => lost);
  return {
    low: total - Math.hypot(...known.map(({ lost, low }) => lost - low)),
    high: total + Math.hypot(...known.map(({ lost, high }) => high - lost)),
  };
}

/** Builds a range around 1 from the variance of a ratio: that of the stretch and that of the mean of the normal ones. */
function buildRange(square: number, freedom: number): LossInterval {
  const half = studentQuantile(freedom) * Math.sqrt(square);
  return { low: 1 - half, high: 1 + half };
}
