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
   * @param seed Any number or text: different ones give independent streams; a number equals its text
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
