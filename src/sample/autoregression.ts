import type { SeededRandom } from "../stats/seeded_random.ts";

/** An hourly AR(1) process with mean 0 and standard deviation 1. */
export class Autoregression {
  readonly #random: SeededRandom;
  readonly #memory: number;
  readonly #innovation: number;
  #value: number;

  /**
   * Starts the process somewhere in its range.
   *
   * @param random Source of the innovations, for this process alone
   * @param timeScale Hours after which the autocorrelation has fallen to 1/e
   */
  constructor(random: SeededRandom, timeScale: number) {
    this.#random = random;
    this.#memory = Math.exp(-1 / timeScale);
    this.#innovation = Math.sqrt(1 - this.#memory * this.#memory);
    this.#value = random.normal();
  }

  /** Value of the next hour. */
  next(): number {
    this.#value = this.#memory * this.#value + this.#innovation * this.#random.normal();
    return this.#value;
  }
}
