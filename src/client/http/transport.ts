import type { World } from "../../api/world.ts";
import type { ConcurrencyLimiter } from "./concurrency_limiter.ts";

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

/** Longest waits, ms. */
export interface Timeouts {
  /** A whole call. */
  readonly total: number;
  /** The headers of an answer. */
  readonly headers: number;
  /** The next part of an answer. */
  readonly idle: number;
}

/** What requests need from a connection: address, key, timeouts and limits. */
export interface Transport {
  /** Base address of requests. */
  readonly baseUrl: string;
  /** World of the service. */
  readonly target: World;
  /** Whether the service runs in this process. */
  readonly inProcess: boolean;
  /** The key; it goes to the origin of the base address only. */
  readonly key: { reveal(): string } | undefined;
  /** Header in which the service expects the key. */
  readonly keyHeader: string;
  /** Origins beside it from which files may be downloaded. */
  readonly downloadOrigins: readonly string[];
  /** Largest body of an answer, bytes. */
  readonly maxDownload: number;
  /** Longest waits. */
  readonly timeouts: Timeouts;
  /** Decides how many requests are under way. */
  readonly limiter: ConcurrencyLimiter;
  /** Whether long calls show their progress. */
  readonly progress: boolean;
  /** Called for each try of a request. */
  readonly onRequest: ((event: RequestEvent) => void | Promise<void>) | undefined;
  /** Sends one request without changes or retries. */
  send(request: Request): Promise<Response>;
}
