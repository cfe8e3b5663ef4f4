import type { SeededRandom } from "./seeded_random.ts";

/** How long the errors of a series last. */
export interface Persistence {
  /** Correlation of the errors that last from one value to the next, 0 to 1. */
  readonly correlation: number;
  /** Lags that show how large their share is; with 0 all errors are independent. */
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
 * Estimates the errors of a fit from its residuals: the variance, and the share of it that lasts, by the mean correlation over some lags. Each
 * correlation is raised by the number of fitted values over that of residuals, by which residuals of independent
 * errors are too small on average.
 *
 * @param residuals Residuals, each divided by the standard deviation that its weight leads to expect
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
  let [measured, whole] = [0, 0];
  for (let lag = 1; lag <= lags; lag++) {
    measured += sumAt(lag) / squares + fitted / count;
    whole += correlation ** lag;
  }
  return {
    share: whole > 0 ? Math.min(1, Math.max(0, measured / whole)) : 0,
    deviation: Math.sqrt(squares / (count - fitted)),
  };
}

/**
 * Draws errors: an autoregression of first order and independent ones, by their shares.
 *
 * @param correlation Correlation of the lasting ones from one value to the next
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
