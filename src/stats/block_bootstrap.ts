import { SeededRandom } from "./seeded_random.ts";

/** Draws of training periods, with replacement, in blocks of neighbours. */
interface BlockBootstrap {
  /** Periods in a block. */
  readonly block: number;
  /** Blocks that make a draw: how many independent pieces the training window has. */
  readonly blocks: number;
  /** How often each period stands in each draw; the same array every time, filled anew. */
  draws(): Generator<Float64Array>;
}

/** Periods from which they are drawn in blocks: fewer would make blocks that are too few to vary. */
const MIN_PERIODS_FOR_BLOCKS = 8;

/**
 * Draws from the periods that count: blocks of consecutive periods from a random start on, going round at the end.
 * Blocks of the cube root of their number keep the likeness of neighbouring months.
 *
 * Source: D. Politis and J. Romano, "A circular block-resampling procedure for stationary data" (1992); length of the
 * blocks by P. Hall, J. Horowitz and B.-Y. Jing (1995).
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
