import { delay } from "@std/async";

/** When to retry failed work. */
export interface RetryPolicy {
  /** Whether a retry may help. */
  readonly isWorth: (error: unknown) => boolean;
  /** Pause before the second try, and the longest pause it doubles to, ms; each is randomly shortened by up to a half. */
  readonly pause: readonly [first: number, longest: number];
  /** Largest number of tries. @default {Infinity} */
  readonly tries?: number;
  /** Time after which no new try begins, ms. @default {Infinity} */
  readonly time?: number;
  /** Ends the pause before the next try. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Does work, and retries it after a failure if that may help. Pauses have random lengths, because many processes may
 * lose the same database or lock at once.
 *
 * @throws The error of the last try
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
