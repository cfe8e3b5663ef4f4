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

/** What is logged of an answer: not the key, not the client, and no address that is a secret itself. */
export interface AnswerRecord {
  /** Identifier of the operation, or name of another page or file. */
  readonly operation: string;
  /** Method of the request; `_OTHER` where it is not a known one. */
  readonly method: string;
  /** Status of the answer. */
  readonly status: number;
  /** Time to the answer's headers, ms. */
  readonly milliseconds: number;
}

/** Lines that are written at once. */
const BATCH = 256;

/** Longest that a line waits to be written, ms. */
const WAIT = 200;

/**
 * A log of requests: one line of JSON each, written in batches, since a write for each takes longer than the answer.
 * Lines that cannot be written are dropped, and requests are still answered.
 */
export class RequestLog {
  readonly #writer: LossyLineWriter;
  #lines: string[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * Begins a log.
   *
   * @param write Writes some of the bytes at least, and returns how many
   * @param complain Called when lines begin to be dropped, and when they are written again
   */
  constructor(
    write: (bytes: Uint8Array) => number,
    complain: (text: string) => void = console.error,
  ) {
    this.#writer = new LossyLineWriter("The request log", write, complain);
  }

  /**
   * Adds a line.
   *
   * @param answer The answer
   */
  add({ operation, status, milliseconds }: AnswerRecord): void {
    const time = Temporal.Now.instant().toString({ smallestUnit: "millisecond" });
    const ms = Math.round(10 * milliseconds) / 10;
    this.#lines.push(JSON.stringify({ time, operation, status, ms }) + "\n");
    if (this.#lines.length >= BATCH) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), WAIT);
  }

  /** Writes the lines that wait. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const lines = this.#lines;
    this.#lines = [];
    this.#writer.write(lines);
  }
}
