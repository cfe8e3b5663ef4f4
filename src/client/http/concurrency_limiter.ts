import { TimeoutError } from "../../api/errors.ts";

/** Requests at the same time that a connection begins with. */
const FIRST_LIMIT = 4;

/**
 * Decides how many requests of a connection are under way at the same time. The number grows by one with each round
 * that succeeds, and halves when the service says that there are too many (additive increase, multiplicative
 * decrease). Until the service says so for the first time it doubles with each round.
 */
export class ConcurrencyLimiter {
  readonly #max: number;
  #limit: number;
  #active = 0;
  #lowered = -Infinity; // when it was last halved
  readonly #queue: (() => void)[] = [];

  /** @param max Requests at the same time that are never exceeded */
  constructor(max: number) {
    this.#max = max;
    this.#limit = Math.min(FIRST_LIMIT, max);
  }

  /** Requests that may be under way now. */
  get limit(): number {
    return Math.floor(this.#limit);
  }

  /**
   * Runs an act when its turn comes.
   *
   * @param act The act
   * @param deadline Instant on the clock of `performance.now()` by which its turn must have come
   * @param signal Ends the wait early
   */
  async run<T>(
    act: () => Promise<T>,
    deadline: number,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    await this.#waitForTurn(deadline, signal);
    try {
      return await act();
    } finally {
      this.#active--;
      this.#startNext();
    }
  }

  /** A request succeeded. */
  noteSuccess(): void {
    const first = this.#lowered === -Infinity;
    this.#limit = Math.min(this.#max, this.#limit + (first ? 1 : 1 / this.#limit));
    this.#startNext();
  }

  /**
   * The service said that there are too many. Requests that were under way together say it together: it counts once.
   *
   * @param begun When the request began, on the clock of `performance.now()`
   */
  noteRefusal(begun: number): void {
    if (begun < this.#lowered) return;
    this.#limit = Math.max(1, this.#limit / 2);
    this.#lowered = performance.now();
  }

  #startNext(): void {
    while (this.#active < this.limit && this.#queue.length > 0) {
      this.#active++;
      this.#queue.shift()!();
    }
  }

  async #waitForTurn(deadline: number, signal: AbortSignal | undefined): Promise<void> {
    signal?.throwIfAborted();
    if (this.#active < this.limit) {
      this.#active++;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = (reason: unknown) => {
      const place = this.#queue.indexOf(resolve);
      if (place === -1) return; // its turn has come
      this.#queue.splice(place, 1);
      reject(reason);
    };
    const abort = () => leave(signal!.reason);
    const left = Math.min(Math.max(0, deadline - performance.now()), 2 ** 31 - 1);
    const timer = setTimeout(() =>
      leave(
        new TimeoutError("Cannot send a request: its turn did not come within the whole time", {
          hint: "Give connect() a longer timeout, or ask for fewer turbines at once",
        }),
      ), left);
    signal?.addEventListener("abort", abort, { once: true });
    this.#queue.push(resolve);
    try {
      await promise;
    } finally {
      clearTimeout(timer);
      signal?.removeEventListener("abort", abort);
    }
  }
}
