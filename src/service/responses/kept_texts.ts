import { hashText } from "./tagged_answer.ts";

/** Characters of the texts that are kept: some dozens of pages of 500 turbines. */
const MAX_KEPT = 32_000_000;

/** A text that is being made, or was; its size is 0 until then. */
interface Kept {
  readonly text: Promise<string>;
  size: number;
}

/** Texts that take long to make, by all that decides them: requests for the same text share one. */
export class KeptTexts {
  readonly #kept = new Map<string, Kept>();
  readonly #most: number;
  #size = 0;

  /** @param most Characters that are kept, those of the texts that were asked for last */
  constructor(most: number = MAX_KEPT) {
    this.#most = most;
  }

  /**
   * Finds a text, or makes it; one that could not be made is made again at the next request.
   *
   * @param decides Everything that the text depends on
   */
  async find(decides: readonly unknown[], make: () => Promise<string>): Promise<string> {
    const key = hashText(JSON.stringify(decides));
    const known = this.#kept.get(key);
    if (known) {
      this.#kept.delete(key); // the last one used comes last
      this.#kept.set(key, known);
      return await known.text;
    }
    const kept: Kept = { text: make(), size: 0 };
    this.#kept.set(key, kept);
    try {
      const text = await kept.text;
      kept.size = text.length;
      this.#size += text.length;
      this.#forget();
      return text;
    } catch (error) {
      this.#kept.delete(key);
      throw error;
    }
  }

  #forget(): void {
    for (const [key, { size }] of this.#kept) {
      if (this.#size <= this.#most) return;
      if (size > 0) this.#kept.delete(key);
      this.#size -= size;
    }
  }
}
