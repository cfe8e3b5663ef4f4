import type { Connection } from "../connection/connection.ts";
import type { Transport } from "../http/transport.ts";
import type { Ledger } from "../orders/ledger.ts";
import type { OrderStatus } from "../orders/order_status.ts";
import type { CdsPauses } from "./cds_pauses.ts";
import type { StoredMonths } from "./stored_months.ts";

/** How requests to the Climate Data Store are sent and waited for. */
export interface CdsSession {
  readonly connection: Connection;
  readonly transport: Transport;
  readonly ledger: Ledger;
  readonly stored: StoredMonths;
  readonly pauses: CdsPauses;
  /** Longest wait for a request, ms. */
  readonly timeout?: number | undefined;
  /** Called for each new state of a job. */
  readonly onStatus?: ((status: OrderStatus) => void) | undefined;
  readonly signal: AbortSignal;
  /** Collects what a reader of the figures should know. */
  readonly notes: Set<string>;
}
