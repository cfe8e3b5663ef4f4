/** Log record of an answer, without the key, the client, and secret addresses. */
export interface AnswerRecord {
  /** Identifier of the operation, or name of another page or file. */
  readonly operation: string;
  /** Method of the request; `_OTHER` for an unknown one. */
  readonly method: string;
  /** Status of the answer. */
  readonly status: number;
  /** Time to the answer's headers, ms. */
  readonly milliseconds: number;
}

/** Lines per write. */
const BATCH = 256;

/** Longest delay of a line, ms. */
const WAIT = 200;

/**
 * A log of requests: one line of JSON each, written in batches, since a write for each takes longer than the answer.
 * Lines that cannot be written are dropped, and requests are still answered.
 */
export class RequestLog {
  readonly #write: (bytes: Uint8Array) => number;
  readonly #complain: (text: string) => void;
  #lines: string[] = [];
  #failing = false;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * @param write Writes at least some of the bytes, and returns how many
   * @param complain Called when lines begin to be dropped
   */
  constructor(
    write: (bytes: Uint8Array) => number,
    complain: (text: string) => void = console.error,
  ) {
    this.#write = write;
    this.#complain = complain;
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
    // End a truncated line first.
    const bytes = new TextEncoder().encode((this.#failing ? "\n" : "") + this.#lines.join(""));
    this.#lines = [];
    try {
      for (let at = 0; at < bytes.length;) {
        const written = this.#write(bytes.subarray(at));
        if (written === 0) throw new Error("no byte was written");
        at += written;
      }
      this.#failing = false;
    } catch (error) {
      if (!this.#failing) this.#reportDrop(error as Error);
      this.#failing = true;
    }
  }

  #reportDrop({ message }: Error): void {
    try {
      this.#complain(
        `The request log cannot be written (${message}). The service drops its lines until it can ` +
          "write the log again, and still answers requests",
      );
    } catch {
      // standard error is closed too
    }
  }
}
