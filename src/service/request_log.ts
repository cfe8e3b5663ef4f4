/** What is told of an answer: nothing of the key, of who asked, and of addresses that are secrets themselves. */
export interface Answered {
  /** Identifier of the operation, or what else was asked for. */
  readonly operation: string;
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
 */
export class RequestLog {
  readonly #write: (lines: string) => void;
  #lines: string[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * Begins a log.
   *
   * @param write Takes lines, each with its end
   */
  constructor(write: (lines: string) => void) {
    this.#write = write;
  }

  /**
   * Adds a line.
   *
   * @param answered What is told
   */
  add({ operation, status, milliseconds }: Answered): void {
    const time = Temporal.Now.instant().toString({ smallestUnit: "millisecond" });
    const ms = Math.round(10 * milliseconds) / 10;
    this.#lines.push(JSON.stringify({ time, operation, status, ms }) + "\n");
    if (this.#lines.length >= BATCH) this.flush();
    else this.#timer ??= setTimeout(() => this.flush(), WAIT);
  }

  /** Writes what waits. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#lines.length === 0) return;
    this.#write(this.#lines.join(""));
    this.#lines = [];
  }
}
