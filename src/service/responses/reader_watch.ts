/**
 * How long a reader may leave a part of its answer unread, ms; then the answer ends and its file is closed. The system
 * takes the next part only when much of its buffer for the connection, up to 4 MB, is read: a reader of 10 kB a
 * second takes minutes for that.
 */
export const READER_TIMEOUT = 600_000;

/** How long an answer may be read in total, ms: a reader that takes a little every minute is ended too. */
export const READING_TIMEOUT = 3_600_000;

/** How long readers are waited for. */
export interface ReaderWatchOptions {
  /** How long a part may be left unread, ms. @default {600_000} */
  part?: number;
  /** How long the whole may take, ms. @default {3_600_000} */
  whole?: number;
}

/**
 * Ends a stream whose reader takes nothing: else a client that opens downloads without reading them would keep a file
 * open for each. The connection itself ends when its reader reads on or goes away.
 */
export class ReaderWatch {
  readonly #part: number;
  readonly #end: number;
  readonly #giveUp: (error: Error) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** @param giveUp Called with the reason, once */
  constructor(giveUp: (error: Error) => void, options: ReaderWatchOptions = {}) {
    const { part = READER_TIMEOUT, whole = READING_TIMEOUT } = options;
    this.#giveUp = giveUp;
    this.#part = part;
    this.#end = performance.now() + whole;
  }

  /** Starts waiting: a part is ready for the reader. */
  wait(): void {
    clearTimeout(this.#timer);
    const pause = Math.min(this.#part, Math.max(0, this.#end - performance.now()));
    this.#timer = setTimeout(() => {
      const s = Math.round(pause / 1000);
      const error = new Error(`Stopped sending: the reader took no further part for ${s} s`);
      error.stack = error.message; // the runtime prints it for each such reader
      this.#giveUp(error);
    }, pause);
  }

  /** Stops waiting: the reader has requested more, or the stream has ended. */
  stop(): void {
    clearTimeout(this.#timer);
  }
}
