import { TimeoutError } from "../../api/errors.ts";

/** Concurrent requests that a connection begins with. */
const FIRST_LIMIT = 4;

/**
 * Decides how many requests of a connection are under way at the same time. The number grows by one with each round
 * that succeeds, and halves when the service refuses one as too many (additive increase, multiplicative
 * decrease). Until the first refusal it doubles with each round.
 */
export class ConcurrencyLimiter {
  readonly #max: number;
  #limit: number;
  #active = 0;
  #lowered = -Infinity; // when it was last halved
  readonly #queue: (() => void)[] = [];

  /** @param max Largest number of concurrent requests */
  constructor(max: number) {
    this.#max = max;
    this.#limit = Math.min(FIRST_LIMIT, max);
  }

  /** Requests that may be under way now. */
  get limit(): number {
    return Math.floor(this.#limit);
  }

  /**
   * Sends a request when a slot is free.
   *
   * @param deadline Instant on the clock of `performance.now()` by which it must have a slot
   */
  async run<T>(
    send: () => Promise<T>,
    deadline: number,
    signal: AbortSignal | undefined,
  ): Promise<T> {
    await this.#waitForTurn(deadline, signal);
    try {
      return await send();
    } finally {
      this.#active--;
      this.#startNext();
    }
  }

  /** Raises the limit after a request that succeeded. */
  noteSuccess(): void {
    const first = this.#lowered === -Infinity;
    this.#limit = Math.min(this.#max, this.#limit + (first ? 1 : 1 / this.#limit));
    this.#startNext();
  }

  /**
   * Halves the limit after a refusal. Requests that ran at the same time are refused together: that counts once.
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
      if (place === -1) return; // it has a slot
      this.#queue.splice(place, 1);
      reject(reason);
    };
    const abort = () => leave(signal!.reason);
    const remaining = Math.min(Math.max(0, deadline - performance.now()), 2 ** 31 - 1);
    const timer = setTimeout(() =>
      leave(
        new TimeoutError(
          "Cannot send a request: the call timed out while waiting for a free slot",
          {
            hint: "Give connect() a longer timeout, or request fewer turbines at once",
          },
        ),
      ), remaining);
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
