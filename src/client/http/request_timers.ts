import { TimeoutError } from "../../api/errors.ts";

/** What a request may take. */
export interface RequestLimits {
  /** Instant by which all must be done, on the clock of `performance.now()`. */
  readonly deadline: number;
  /** Longest wait for the headers, ms. */
  readonly headers: number;
  /** Longest wait for the next part of the body, ms. */
  readonly idle: number;
  /** Ends it early. */
  readonly signal: AbortSignal | undefined;
}

/** Longest time that a timer of the runtime can count, ms; a longer one would ring at once. */
const MAX_TIMER = 2 ** 31 - 1;

/** The timers of one request: one for the whole, one for what is waited for. They ring by ending `signal`. */
export class RequestTimers {
  readonly #limits: RequestLimits;
  readonly #shown: string;
  readonly #controller = new AbortController();
  readonly #forward = () => this.#controller.abort(this.#limits.signal!.reason);
  readonly #whole: ReturnType<typeof setTimeout>;
  #waiting: ReturnType<typeof setTimeout> | undefined;

  /**
   * Starts the timer for the whole.
   *
   * @param limits What the request may take
   * @param shown Address, without secrets, for messages
   */
  constructor(limits: RequestLimits, shown: string) {
    this.#limits = limits;
    this.#shown = shown;
    limits.signal?.addEventListener("abort", this.#forward, { once: true });
    this.#whole = this.#ring(
      Math.max(0, limits.deadline - performance.now()),
      "took longer than the whole call may take",
      "Give connect() a longer timeout",
    );
  }

  /** Ends when a timer rings or the caller's signal does. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Begins to wait for something. */
  startWaiting(what: "headers" | "data"): void {
    this.stopWaiting();
    const longest = what === "headers" ? this.#limits.headers : this.#limits.idle;
    this.#waiting = this.#ring(
      longest,
      `sent no ${what} for ${longest / 1000} s`,
      "Try again later",
    );
  }

  /** Waits for nothing: what the caller does with a part takes its own time. */
  stopWaiting(): void {
    clearTimeout(this.#waiting);
  }

  /** Clears all timers. */
  end(): void {
    this.stopWaiting();
    clearTimeout(this.#whole);
    this.#limits.signal?.removeEventListener("abort", this.#forward);
  }

  #ring(after: number, problem: string, hint: string): ReturnType<typeof setTimeout> {
    const ring = () =>
      this.#controller.abort(
        new TimeoutError(`Cannot fetch: ${this.#shown} ${problem}`, { url: this.#shown, hint }),
      );
    return setTimeout(ring, Math.min(after, MAX_TIMER));
  }
}
