const LINE_END = 10;

/**
 * Writes lines to an output that may fail: a full disk, a closed pipe. Lines that cannot be written are dropped and
 * counted; the caller never sees an error.
 */
export class LossyLineWriter {
  readonly #name: string;
  readonly #write: (bytes: Uint8Array) => number;
  readonly #complain: (text: string) => void;
  readonly #encoder = new TextEncoder();
  #dropped = 0;
  /** Whether the last write ended within a line. */
  #withinLine = false;

  /**
   * @param name Name of the output, at the beginning of complaints: `The request log`
   * @param write Writes some of the bytes at least, and returns how many
   * @param complain Called once when lines begin to be dropped, and once when they are written again
   */
  constructor(
    name: string,
    write: (bytes: Uint8Array) => number,
    complain: (text: string) => void,
  ) {
    this.#name = name;
    this.#write = write;
    this.#complain = complain;
  }

  /** @param lines Lines, each with its end */
  write(lines: readonly string[]): void {
    if (lines.length === 0) return;
    const parts = this.#withinLine ? ["\n", ...lines] : lines; // a half line ends before the next one begins
    const bytes = this.#encoder.encode(parts.join(""));
    let at = 0;
    try {
      while (at < bytes.length) {
        const taken = this.#write(bytes.subarray(at));
        if (taken === 0) throw new Error("no byte was written");
        at += taken;
        this.#withinLine = bytes[at - 1] !== LINE_END;
      }
    } catch (error) {
      const left = bytes.subarray(at).reduce(
        (ends, byte) => byte === LINE_END ? ends + 1 : ends,
        0,
      );
      this.#drop(Math.min(left, lines.length), (error as Error).message);
      return;
    }
    if (this.#dropped > 0) this.#say(`can be written again; ${this.#dropped} lines are missing`);
    this.#dropped = 0;
  }

  #drop(lines: number, reason: string): void {
    if (this.#dropped === 0) {
      this.#say(
        `cannot be written (${reason}): its lines are dropped until it can; requests are still answered`,
      );
    }
    this.#dropped += lines;
  }

  #say(what: string): void {
    try {
      this.#complain(`${this.#name} ${what}`);
    } catch {
      // Standard error is closed too.
    }
  }
}
