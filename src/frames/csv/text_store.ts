import pl, { type Series } from "nodejs-polars";

/** Texts of a column in one array of bytes: a third of the memory of strings. */
export class TextStore {
  #bytes = new Uint8Array(256);
  #ends = new Uint32Array(64);
  #count = 0;

  /** Adds the bytes between two positions as a text. */
  add(bytes: Uint8Array, from: number, to: number): void {
    const start = this.#count === 0 ? 0 : this.#ends[this.#count - 1];
    const end = start + to - from;
    if (end > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(end, Math.ceil(this.#bytes.length * 1.5)));
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    if (this.#count === this.#ends.length) {
      const larger = new Uint32Array(Math.ceil(this.#ends.length * 1.5));
      larger.set(this.#ends);
      this.#ends = larger;
    }
    // Most fields have a few bytes: a loop is faster than a call.
    for (let i = from, k = start; i < to; i++, k++) this.#bytes[k] = bytes[i];
    this.#ends[this.#count++] = end;
  }

  /** Takes the texts as a series, empty ones as null, and empties the store. */
  take(name: string): Series {
    const buffer = Buffer.from(this.#bytes.buffer, 0, this.#bytes.length);
    let series: Series | undefined;
    for (let first = 0; first === 0 || first < this.#count; first += PART) {
      const last = Math.min(first + PART, this.#count);
      const texts: (string | null)[] = new Array(last - first);
      for (let i = first, from = first === 0 ? 0 : this.#ends[first - 1]; i < last; i++) {
        const to = this.#ends[i];
        texts[i - first] = to === from ? null : buffer.toString("utf8", from, to);
        from = to;
      }
      const part = pl.Series(name, texts, pl.Utf8);
      if (series) series.append(part);
      else series = part;
    }
    this.#count = 0;
    return series!;
  }
}

/** Strings that are made at once: a few megabytes. */
const PART = 65_536;
