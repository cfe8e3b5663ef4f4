import type { Progress } from "../show/progress.ts";
import type { Connection } from "../client/connection/connection.ts";
import type { Ledger } from "../client/orders/ledger.ts";
import type { SourceTransport } from "./source_link.ts";
import type { StoredMonths } from "./stored_months.ts";

/** State of one request of {@linkcode era5} at the Climate Data Store. */
export interface Era5Status {
  /** Word of the store, such as `accepted`, `running` or `successful`. */
  readonly state: string;
  /** Its dataset. */
  readonly dataset: string;
  /** First month that the request asks for, such as `2023-01`. */
  readonly first: string;
  /** Last month, included. */
  readonly last: string;
}

/** Pauses between requests to the Climate Data Store, ms. */
export interface Pauses {
  /** Before the second look at a job; each further one is longer. */
  readonly look: number;
  /** Before a request is sent anew to a full queue. */
  readonly queue: number;
  /** Before a second look for a job whose answer was lost; the third comes after four of them. */
  readonly search: number;
}

/** Long on purpose: all users share the store. */
export const PAUSES: Pauses = { look: 2_000, queue: 60_000, search: 5_000 };

/** How requests to a source are sent and waited for, and what is known of their answers. */
export interface Session {
  readonly connection: Connection;
  readonly transport: SourceTransport;
  readonly ledger: Ledger;
  readonly stored: StoredMonths;
  readonly pauses: Pauses;
  /** Counts the months that were fetched. */
  readonly progress: Progress;
  /** Longest wait for a request, ms. */
  readonly timeout: number;
  /** Called for each new state of a job. */
  readonly onStatus: ((status: Era5Status) => void) | undefined;
  readonly signal: AbortSignal;
  /** Collects what a reader of the figures should know. */
  readonly notes: Set<string>;
}
