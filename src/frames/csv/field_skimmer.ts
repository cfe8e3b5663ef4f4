/** Bytes below this one are never passed: line ends, NUL, quotes, and the space and "!" beside them. */
const LOWEST = 0x23;

const [EACH, HIGH, LOW] = [0x01010101, 0x80808080, 0x7f7f7f7f];

/** Words after which marks are added up: each byte of their sum stays below 256. */
const WORDS = 63;

/** Passes fields that nobody wants, four bytes at once. */
export class FieldSkimmer {
  /** Fields that the last call passed. */
  passed = 0;
  readonly #words: Int32Array;
  /** Position of the rows in the words, and of their end. */
  readonly #from: number;
  readonly #to: number;
  readonly #marks: number;

  /**
   * Makes a skimmer.
   *
   * @param mark Byte between fields, no tab
   */
  constructor({ buffer, byteOffset, length }: Uint8Array, mark: number) {
    this.#words = new Int32Array(buffer, 0, buffer.byteLength >> 2);
    this.#from = byteOffset;
    this.#to = byteOffset + length >> 2;
    this.#marks = mark * EACH;
  }

  /** Position of the first whole word after a position. */
  findWord(at: number): number {
    return at + 4 - (this.#from + at & 3);
  }

  /**
   * Passes words of plain bytes and marks; {@linkcode passed} is then the number of marks.
   *
   * @param at Position of a word
   * @param most Marks to pass at most
   * @returns Position of the first word that has another byte, or may have a mark too many
   */
  skim(at: number, most: number): number {
    const words = this.#words;
    let word = this.#from + at >> 2;
    let passed = 0;
    for (let plain = true; plain && most - passed >= 4;) {
      // A word has four marks at most.
      const end = Math.min(word + Math.min(WORDS, most - passed >> 2), this.#to);
      let sum = 0;
      plain = word < end;
      for (; word < end; word++) {
        const four = words[word];
        if ((((four - LOWEST * EACH) & ~four | four) & HIGH) !== 0) {
          plain = false; // a byte is below the lowest, or not ASCII
          break;
        }
        sum = sum + ((~((four ^ this.#marks) + LOW) & HIGH) >>> 7) | 0;
      }
      passed += Math.imul(sum, EACH) >>> 24;
    }
    this.passed = passed;
    return (word << 2) - this.#from;
  }
}
