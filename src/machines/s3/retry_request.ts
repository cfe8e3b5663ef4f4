import { retry } from "../../storage/failures/retry.ts";
import { PassingError } from "../../storage/failures/is_passing.ts";
import { describeStoreError, isWorthRetry, refusedByStore } from "./store_error.ts";

/** How long to wait for an object store. */
export interface StorePatience {
  /** How long an attempt without a body may take, ms. @default {10_000} */
  readonly attempt?: number;
  /** How long a failed request is retried while a reader waits, ms. @default {30_000} */
  readonly whole?: number;
}

/** Options of {@linkcode retryRequest}. */
export interface RetryOptions {
  /** Bytes that an attempt moves; each megabyte adds a second to its time. @default {0} */
  readonly bytes?: number;
  readonly patience?: StorePatience;
  readonly signal?: AbortSignal | undefined;
}

/** Bytes per millisecond of the slowest acceptable connection: 1 MB/s. */
const SLOWEST = 1000;

/** First and longest pause between two attempts, ms. */
const PAUSE = [100, 5000] as const;

/**
 * Sends a request to the object store, and retries it after a passing failure.
 *
 * @param action Its purpose, as "read s3://bucket/key"
 * @param attempt Sends it, and reads its answer to the end
 * @throws {PassingError} If the store does not answer within that time
 * @throws {ConfigurationError} If it refuses the request
 */
export async function retryRequest<T>(
  action: string,
  attempt: (signal: AbortSignal) => Promise<T>,
  { bytes = 0, patience: { attempt: limit = 10_000, whole = 30_000 } = {}, signal }: RetryOptions =
    {},
): Promise<T> {
  const moving = bytes / SLOWEST;
  const time = whole + moving;
  const policy = { isWorth: isWorthRetry, pause: PAUSE, time, signal };
  try {
    return await retry(() => limitTime(attempt, limit + moving, signal), policy);
  } catch (error) {
    signal?.throwIfAborted();
    if (!isWorthRetry(error)) throw refusedByStore(action, error);
    throw new PassingError(
      `Cannot ${action}: all attempts in ${Math.round(time / 1000)} s failed. The last error: ${
        describeStoreError(error)
      }. ` +
        "Check the object store and the network",
    );
  }
}

async function limitTime<T>(
  attempt: (signal: AbortSignal) => Promise<T>,
  time: number,
  signal: AbortSignal | undefined,
): Promise<T> {
  const limit = new AbortController();
  const timer = setTimeout(() => {
    limit.abort(new Error(`the request took more than ${time / 1000} s`));
  }, time);
  try {
    return await attempt(signal ? AbortSignal.any([limit.signal, signal]) : limit.signal);
  } catch (error) {
    throw limit.signal.aborted ? limit.signal.reason : error;
  } finally {
    clearTimeout(timer);
  }
}
