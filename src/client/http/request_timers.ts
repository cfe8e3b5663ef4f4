import { TimeoutError } from "../../api/errors.ts";

/** Time limits of a request. */
export interface RequestLimits {
  /** Instant by which the whole call must be done, on the clock of `performance.now()`. */
  readonly deadline: number;
  /** Longest wait for the headers, ms. */
  readonly headers: number;
  /** Longest wait for the next part of the body, ms. */
  readonly idle: number;
  /** Cancels the request. */
  readonly signal: AbortSignal | undefined;
}

/** Longest timer of the runtime, ms; a longer one would fire at once. */
const MAX_TIMER = 2 ** 31 - 1;

/** The timers of one request: one for the whole call, one for the current wait. When one fires, `signal` is aborted. */
export class RequestTimers {
  readonly #limits: RequestLimits;
  readonly #shown: string;
  readonly #controller = new AbortController();
  readonly #forward = () => this.#controller.abort(this.#limits.signal!.reason);
  readonly #whole: ReturnType<typeof setTimeout>;
  #waiting: ReturnType<typeof setTimeout> | undefined;

  /**
   * Starts the timer for the whole call.
   *
   * @param shown Address, without secrets, for messages
   */
  constructor(limits: RequestLimits, shown: string) {
    this.#limits = limits;
    this.#shown = shown;
    limits.signal?.addEventListener("abort", this.#forward, { once: true });
    this.#whole = this.#startTimer(
      Math.max(0, limits.deadline - performance.now()),
      "took longer than the timeout of the call",
      "Give connect() a longer timeout",
    );
  }

  /** Aborted when a timer fires or the caller's signal is. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Starts the timer for headers or data. */
  startWaiting(what: "headers" | "data"): void {
    this.stopWaiting();
    const longest = what === "headers" ? this.#limits.headers : this.#limits.idle;
    this.#waiting = this.#startTimer(
      longest,
      `sent no ${what} for ${longest / 1000} s`,
      "Try again later",
    );
  }

  /** Stops that timer: the time that the caller takes for a part does not count. */
  stopWaiting(): void {
    clearTimeout(this.#waiting);
  }

  /** Clears all timers. */
  end(): void {
    this.stopWaiting();
    clearTimeout(this.#whole);
    this.#limits.signal?.removeEventListener("abort", this.#forward);
  }

  #startTimer(after: number, problem: string, hint: string): ReturnType<typeof setTimeout> {
    const abort = () =>
      this.#controller.abort(
        new TimeoutError(`Cannot fetch: ${this.#shown} ${problem}`, { url: this.#shown, hint }),
      );
    return setTimeout(abort, Math.min(after, MAX_TIMER));
  }
}
