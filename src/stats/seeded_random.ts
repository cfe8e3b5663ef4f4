/**
 * Seeded random numbers that are the same on every platform: the generator sfc32 of C. Doty-Humphrey (PractRand),
 * 128 bits of state, with integers only.
 */
export class SeededRandom {
  #a: number;
  #b: number;
  #c: number;
  #counter = 1;
  #spare = NaN;

  /**
   * Starts a stream.
   *
   * @param seed Any number or text: different ones give independent streams, a number and its text the same
   */
  constructor(seed: number | string) {
    const text = String(seed);
    this.#a = hash(text, 0x811c9dc5);
    this.#b = hash(text, 0x9e3779b9);
    this.#c = hash(text, 0x243f6a88);
    // Hashes of short texts share some bits: these rounds spread them over the whole state.
    for (let i = 0; i < 16; i++) this.uniform();
  }

  /** Draws a uniform deviate, 0 included, 1 excluded. */
  uniform(): number {
    const sum = (((this.#a + this.#b) | 0) + this.#counter) | 0;
    this.#counter = (this.#counter + 1) | 0;
    this.#a = this.#b ^ (this.#b >>> 9);
    this.#b = (this.#c + (this.#c << 3)) | 0;
    this.#c = (((this.#c << 21) | (this.#c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 4_294_967_296;
  }

  /** Draws a standard normal deviate, by the polar method of Marsaglia. */
  normal(): number {
    const spare = this.#spare;
    if (!Number.isNaN(spare)) {
      this.#spare = NaN;
      return spare;
    }
    let x: number, y: number, square: number;
    do {
      x = 2 * this.uniform() - 1;
      y = 2 * this.uniform() - 1;
      square = x * x + y * y;
    } while (square >= 1 || square === 0);
    const factor = Math.sqrt(-2 * Math.log(square) / square);
    this.#spare = y * factor;
    return x * factor;
  }

  /** Draws an exponential deviate: the time to the next random event. */
  exponential(mean: number): number {
    return -mean * Math.log(1 - this.uniform());
  }

  /**
   * Draws a whole number from 0 up to a bound, which is excluded.
   *
   * @param bound Whole number from 1 on, at most 2^32
   */
  below(bound: number): number {
    return Math.floor(this.uniform() * bound);
  }
}

/** FNV-1a of the UTF-16 units of a text. */
function hash(text: string, basis: number): number {
  let result = basis;
  for (let i = 0; i < text.length; i++) {
    result = Math.imul(result ^ text.charCodeAt(i), 0x01000193);
  }
  return result | 0;
}

/** Draws of training periods with replacement, in blocks of consecutive ones. */
interface BlockBootstrap {
  /** Periods in a block. */
  readonly block: number;
  /** Blocks in a draw: how many independent pieces the training window has. */
  readonly blocks: number;
  /** Yields how often each period occurs in each draw; the same array every time, refilled. */
  draws(): Generator<Float64Array>;
}

/** Fewest periods to draw blocks; with fewer, single periods are drawn, because few blocks hardly vary. */
const MIN_PERIODS_FOR_BLOCKS = 8;

/**
 * Builds a bootstrap of the periods that count: blocks of consecutive periods from a random start, continued from the
 * first period at the end. Blocks as long as the cube root of their number keep the correlation of neighbouring
 * months.
 *
 * Source: D. Politis and J. Romano, "A circular block-resampling procedure for stationary data" (1992); block length
 * by P. Hall, J. Horowitz and B.-Y. Jing (1995).
 *
 * @param counted 1 for periods that count, in order of time
 * @param number Number of draws
 * @param seed Start of the random numbers: the same seed gives the same draws
 */
export function buildBlockBootstrap(
  counted: Uint8Array,
  number: number,
  seed: number,
): BlockBootstrap {
  const positions = [...counted.keys()].filter((period) => counted[period] === 1);
  const block = positions.length < MIN_PERIODS_FOR_BLOCKS
    ? 1
    : Math.round(Math.cbrt(positions.length));
  function* draws(): Generator<Float64Array> {
    const random = new SeededRandom(seed);
    const weights = new Float64Array(counted.length);
    for (let draw = 0; draw < number; draw++) {
      weights.fill(0);
      for (let drawn = 0; drawn < positions.length;) {
        const start = random.below(positions.length);
        for (let i = 0; i < block && drawn < positions.length; i++, drawn++) {
          weights[positions[(start + i) % positions.length]]++;
        }
      }
      yield weights;
    }
  }
  return { block, blocks: positions.length / block, draws };
}

/** Duration of the errors of a series. */
export interface Persistence {
  /** Correlation of lasting errors from one value to the next, 0 to 1. */
  readonly correlation: number;
  /** Number of lags from which to estimate their share; with 0 all errors are independent. */
  readonly lags: number;
}

/** Errors of a series: some are independent, the others last from value to value. */
export interface PersistentNoise {
  /** Share of the variance that lasts. */
  readonly share: number;
  /** Standard deviation. */
  readonly deviation: number;
}

/**
 * Estimates the errors of a fit from its residuals: the variance, and the share of it that lasts, by the mean
 * correlation over some lags. Each correlation is raised by the ratio of fitted values to residuals, because fitting
 * lowers it by that much on average.
 *
 * @param residuals Residuals, each divided by the standard deviation expected from its weight
 * @param fitted Number of fitted values
 * @param persistence How long errors last
 */
export function estimateNoise(
  residuals: Float64Array,
  fitted: number,
  { correlation, lags }: Persistence,
): PersistentNoise {
  const count = residuals.length;
  const sumAt = (lag: number) => {
    let sum = 0;
    for (let i = lag; i < count; i++) sum += residuals[i] * residuals[i - lag];
    return sum;
  };
  const squares = sumAt(0);
  if (squares === 0) return { share: 0, deviation: 0 };
  let [measured, expected] = [0, 0];
  for (let lag = 1; lag <= lags; lag++) {
    measured += sumAt(lag) / squares + fitted / count;
    expected += correlation ** lag;
  }
  return {
    share: expected > 0 ? Math.min(1, Math.max(0, measured / expected)) : 0,
    deviation: Math.sqrt(squares / (count - fitted)),
  };
}

/**
 * Draws errors: an autoregression of first order and independent ones, by their shares.
 *
 * @param correlation Correlation of the lasting errors from one value to the next
 */
export function drawNoise(
  { share, deviation }: PersistentNoise,
  correlation: number,
  count: number,
  random: SeededRandom,
): Float64Array {
  const [lasting, free] = [deviation * Math.sqrt(share), deviation * Math.sqrt(1 - share)];
  const innovation = Math.sqrt(1 - correlation ** 2);
  const noise = new Float64Array(count);
  let state = random.normal();
  for (let i = 0; i < count; i++) {
    noise[i] = lasting * state + free * random.normal();
    state = correlation * state + innovation * random.normal();
  }
  return noise;
}
