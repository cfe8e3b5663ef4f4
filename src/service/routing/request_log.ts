import { LossyLineWriter } from "./lossy_line_writer.ts";

/** What is told of an answer: nothing of the key, of who asked, and of addresses that are secrets themselves. */
export interface AnswerRecord {
  /** Identifier of the operation, or what else was asked for. */
  readonly operation: string;
  /** Method of the request; `_OTHER` where it is no known one. */
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
 * Where it cannot be written its lines are dropped, and requests are answered all the same.
 */
export class RequestLog {
  readonly #writer: LossyLineWriter;
  #lines: string[] = [];
  #timer: ReturnType<typeof setTimeout> | undefined;

  /**
   * Begins a log.
   *
   * @param write Takes bytes, some of them at least, and says how many
   * @param complain Told when lines begin to be dropped, and when they are written again
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
   * @param answered What is told
   */
  add({ operation, status, milliseconds }: AnswerRecord): void {
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
    const lines = this.#lines;
    this.#lines = [];
    this.#writer.write(lines);
  }
}
