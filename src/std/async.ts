/**
 * Typed door to `@std/async`: the npm build of the same sources, which carries no types.
 *
 * @module
 */
import { deadline as untypedDeadline } from "deno-std/async/deadline.js";
import { delay as untypedDelay } from "deno-std/async/delay.js";
import { pooledMap as untypedPooledMap } from "deno-std/async/pool.js";

/** Options of {@linkcode delay} and {@linkcode deadline}. */
export interface SignalOptions {
  /** Ends the wait early. */
  signal?: AbortSignal;
}

/** Rejects with a `DOMException` named `TimeoutError` when the promise takes longer than `ms`. */
export const deadline: <T>(promise: Promise<T>, ms: number, options?: SignalOptions) => Promise<T> =
  untypedDeadline;

/** Resolves after `ms` milliseconds. */
export const delay: (ms: number, options?: SignalOptions) => Promise<void> = untypedDelay;

/** Maps with at most `limit` calls under way; results come in the order of the input. */
export const pooledMap: <T, R>(
  limit: number,
  items: Iterable<T> | AsyncIterable<T>,
  map: (item: T) => Promise<R>,
) => AsyncIterableIterator<R> = untypedPooledMap;
