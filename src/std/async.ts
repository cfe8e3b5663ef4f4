/**
 * Typed door to `@std/async`: the npm build of the same sources, which carries no types.
 *
 * @module
 */
import { delay as untypedDelay } from "deno-std/async/delay.js";
import { pooledMap as untypedPooledMap } from "deno-std/async/pool.js";

/** Options of {@linkcode delay}. */
export interface DelayOptions {
  /** Ends the wait early: it rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Whether the process waits for the delay. @default {true} */
  persistent?: boolean;
}

/** Resolves after `ms` milliseconds. */
export const delay: (ms: number, options?: DelayOptions) => Promise<void> = untypedDelay;

/** Maps with at most `limit` calls at a time; results come in the order of the input. */
export const pooledMap: <T, R>(
  limit: number,
  items: Iterable<T> | AsyncIterable<T>,
  map: (item: T) => Promise<R>,
) => AsyncIterableIterator<R> = untypedPooledMap;
