/** One try of a request, passed to `onRequest`; it contains no secrets. */
export interface RequestEvent {
  /** Operation of the API; `undefined` for the file of an order. */
  readonly operation: string | undefined;
  /** Address, without private values. */
  readonly url: string;
  /** Number of the try, from 1. */
  readonly attempt: number;
  /** HTTP status, if there was an answer. */
  readonly status?: number;
  /** The failure, if there was no answer: an error of this library, or the reason of the caller's signal. */
  readonly error?: unknown;
  /** How long it took, ms. */
  readonly milliseconds: number;
  /** Pause before the next try, ms; absent where this was the last. */
  readonly retryIn?: number;
}
