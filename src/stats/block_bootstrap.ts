import { SeededRandom } from "./seeded_random.ts";

/** Draws of training periods with replacement, in blocks of consecutive ones. */
interface BlockBootstrap {
  /** Periods in a block. */
  readonly block: number;
  /** Blocks in a draw: how many independent pieces the training window has. */
  readonly blocks: number;
  /** Yields how often each period occurs in each draw; the same array every time, refilled. */
  draws(): Generator<Float64Array>;
}

/** Periods from which blocks are drawn; of fewer, single periods are drawn, since few blocks hardly vary. */
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
      for (let taken = 0; taken < positions.length;) {
        const start = random.below(positions.length);
        for (let i = 0; i < block && taken < positions.length; i++, taken++) {
          weights[positions[(start + i) % positions.length]]++;
        }
      }
      yield weights;
    }
  }
  return { block, blocks: positions.length / block, draws };
}
