import { delay } from "@std/async";

/** When work that failed is done again. */
export interface RetryPolicy {
  /** Whether that may help. */
  readonly isWorth: (error: unknown) => boolean;
  /** Pause before the second try, and the longest one to which it doubles, ms; each is of random length, a half to all of it. */
  readonly pause: readonly [first: number, longest: number];
  /** Most tries. @default {Infinity} */
  readonly tries?: number;
  /** Time after which no try begins, ms. @default {Infinity} */
  readonly time?: number;
  /** Ends the pause before the next try. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Does work, and retries it after a failure if that may help. The pauses have random lengths, since many processes may
 * lose the same database or the same lock at the same time.
 *
 * @throws What the last try failed with
 */
export async function retry<T>(
  work: () => T | Promise<T>,
  { isWorth, pause: [first, longest], tries = Infinity, time = Infinity, signal }: RetryPolicy,
): Promise<T> {
  const end = performance.now() + time;
  for (let left = tries, pause = first;; pause = Math.min(2 * pause, longest)) {
    try {
      return await work();
    } catch (error) {
      signal?.throwIfAborted();
      const wait = pause * (1 + Math.random()) / 2;
      if (--left <= 0 || performance.now() + wait > end || !isWorth(error)) throw error;
      await delay(wait, signal ? { signal } : {});
    }
  }
}
