import type { World } from "../../api/world.ts";
import type { ConcurrencyLimiter } from "./concurrency_limiter.ts";
import type { RequestEvent } from "./request_event.ts";

/** Longest waits, ms. */
export interface Timeouts {
  /** A whole call. */
  readonly total: number;
  /** The headers of an answer. */
  readonly headers: number;
  /** The next part of an answer. */
  readonly idle: number;
}

/** What requests need of a connection: where to, with which key, how long and how many at the same time. */
export interface Transport {
  /** Base address of requests. */
  readonly baseUrl: string;
  /** World of the service. */
  readonly target: World;
  /** Whether the service runs in this process. */
  readonly inProcess: boolean;
  /** The key; it goes to the origin of the base address only. */
  readonly key: { reveal(): string } | undefined;
  /** Origins beside it from which files may be downloaded. */
  readonly downloadOrigins: readonly string[];
  /** Longest waits. */
  readonly timeouts: Timeouts;
  /** Decides how many requests are under way. */
  readonly limiter: ConcurrencyLimiter;
  /** Whether long calls show their progress. */
  readonly progress: boolean;
  /** Told of every request. */
  readonly onRequest: ((event: RequestEvent) => void | Promise<void>) | undefined;
  /** Sends one request, as it is. */
  send(request: Request): Promise<Response>;
}
