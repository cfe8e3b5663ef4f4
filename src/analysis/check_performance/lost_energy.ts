import { quantile } from "../../stats/quantile.ts";
import { variance } from "../../stats/spread.ts";
import { studentQuantile95 } from "../../stats/student.ts";

/** Ratio of produced to expected energy between which a stretch lies with a probability of 90 %. */
export interface RatioRange {
  /** Lower end. */
  readonly low: number;
  /** Upper end. */
  readonly high: number;
}

/** Independent stretches from which their own quantiles are the ends of a 90 % range: of 19, the outer ones are. */
const MIN_FOR_QUANTILES = 19;

/** Independent stretches of like wind below which all stretches are taken. */
const MIN_ALIKE = 6;

/** Factor within which the expected energy of two stretches is alike. */
const ALIKE = 1.5;

/** Starts of stretches within the length of one, and of all: more would tell next to nothing new. */
const STARTS = { within: 4, most: 5000 } as const;

/** Sums of the values before each position, and of all. */
function cumulate(values: Float64Array): Float64Array {
  const sums = new Float64Array(values.length + 1);
  for (let i = 0; i < values.length; i++) sums[i + 1] = sums[i] + values[i];
  return sums;
}

/**
 * How far stretches of a turbine's normal hours miss what is expected of them. Tried on Kelmarsh 2018, where stretches of
 * normal hours were taken out and predicted: the range of 90 % holds 88 to 97 % of them, from 4 hours to 60 days, and of the
 * calm ones, with less than 70 % of the mean, 79 % and more.
 */
export class NormalStretches {
  readonly hours: number;
  readonly #produced: Float64Array;
  readonly #expected: Float64Array;

  /**
   * @param produced Power of the hours in which the turbine ran normally, in order of time
   * @param expected What was expected of them, scaled so that both have the same sum
   */
  constructor(produced: Float64Array, expected: Float64Array) {
    this.hours = produced.length;
    this.#produced = cumulate(produced);
    this.#expected = cumulate(expected);
  }

  /**
   * Where the ratio of a stretch lies with a probability of 90 %, from stretches of the same length whose wind was alike:
   * quantiles of their ratios where there are nineteen independent ones, else Student's t with their variance. That is
   * taken to grow with the energy, as that of a sum of independent errors does: calm stretches miss by a larger share.
   *
   * @param length Hours of the stretch
   * @param power Mean power that is expected in it
   * @returns `undefined` where the hours make no two stretches, or no power is expected
   */
  estimateRange(length: number, power: number): RatioRange | undefined {
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
    const kept = independent(near) >= MIN_ALIKE ? near : all;
    const count = independent(kept);
    if (count < 2) return undefined;
    if (kept === near && count >= MIN_FOR_QUANTILES) {
      const ratios = Float64Array.from(kept, ({ produced, expected }) => produced / expected);
      ratios.sort();
      // Of n, the k-th has k / (n + 1) of all below it: the outer ones are not the ends of what can be.
      const share = (0.05 * (count + 1) - 1) / (count - 1);
      return { low: quantile(ratios, share), high: quantile(ratios, 1 - share) };
    }
    const squares = kept.reduce(
      (sum, { produced, expected }) => sum + (produced - expected) ** 2 / expected,
      0,
    );
    const scatter = squares / kept.length * count / (count - 1);
    const energy = this.#expected[this.hours];
    return buildRange(scatter / (length * power) + scatter / energy, count - 1);
  }
}

/**
 * Where the ratio of the sum of some periods to what is expected of them lies with a probability of 90 %.
 *
 * @param misses By how much normal periods miss what is expected of them, as shares of it
 * @param expected Energies that are expected of the periods
 * @returns `undefined` with fewer than two normal periods
 */
export function estimatePeriodsRange(
  misses: readonly number[],
  expected: readonly number[],
): RatioRange | undefined {
  const count = misses.length;
  if (count < 2) return undefined;
  const total = expected.reduce((sum, energy) => sum + energy, 0);
  const own = expected.reduce((sum, energy) => sum + (energy / total) ** 2, 0);
  return buildRange(variance(misses) * (own + 1 / count), count - 1);
}

/** Range around 1 by the variance of a ratio: that of the stretch itself, and that of the mean of the normal ones. */
function buildRange(square: number, freedom: number): RatioRange {
  const half = studentQuantile95(freedom) * Math.sqrt(square);
  return { low: 1 - half, high: 1 + half };
}
