import { delay } from "@std/async";
import { OrderUncertainError, TooManyRequestsError, type VindkitError } from "../api/errors.ts";
import { computePause, parseRetryAfter } from "../client/http/pause.ts";
import { MAX_TRIES } from "../client/http/retries.ts";
import type { LedgerEntry } from "../client/orders/ledger.ts";
import { provesNothingPlaced } from "../client/orders/place_order.ts";
import type { CdsBlock } from "./cds_block.ts";
import { buildCdsError, CostLimitError } from "./cds_errors.ts";
import { type CdsInputs, findJob, submitJob } from "./cds_jobs.ts";
import { findLastDay } from "./months.ts";
import type { Session } from "./session.ts";

/** Times that a submission is repeated which the service refused as one too many. */
const MAX_BUSY_TRIES = 20;

/** How far clocks may differ, ms: a job that was sent by us may seem older. */
const CLOCK_ERROR = 3_600_000;

/** Looks for a job among those of the account before its request is sent again: a gateway may give up before the store. */
const LOOKS = [0, 1, 4]; // in pauses

/** An order that the ledger has, with the job that serves it. */
export interface OpenOrder {
  /** Number in the ledger. */
  readonly entry: number;
  /** Identifier of the job. */
  readonly jobId: string;
  /** When it was first sent, ISO 8601 UTC. */
  readonly sentAt: string;
}

function buildUncertainError({ entry, sentAt }: LedgerEntry, cause: unknown): VindkitError {
  const found = cause instanceof Error ? cause.message : String(cause);
  return new OrderUncertainError(
    `Cannot determine what became of the request of ${sentAt.slice(0, 19)}Z (entry ${entry} of ` +
      `the ledger): ${found}`,
    { cause, hint: "Run the same call again: it looks for the job before it sends anything" },
  );
}

/** Looks for the job of a request that was sent, whose answer is not known; some seconds long, as it may be listed late. */
async function searchJob(
  { transport, pauses }: Session,
  request: CdsInputs,
  entry: LedgerEntry,
  signal: AbortSignal,
): Promise<string | undefined> {
  const since = Date.parse(entry.sentAt) - CLOCK_ERROR;
  for (const look of LOOKS) {
    await delay(look * pauses.search, { signal });
    try {
      const jobId = await findJob(transport, request, since, signal);
      if (jobId !== undefined) return jobId;
    } catch (cause) {
      throw buildUncertainError(entry, cause);
    }
  }
}

/**
 * Joins the open order of a block, or submits it. The order is in the ledger before anything is sent; one that was sent
 * without an answer is looked for among the jobs of the account before it is sent again, and is not taken for refused by
 * what a later try gets. The caller has the lock of the service, so that no other process does the same.
 *
 * @throws {VindkitError} If the service refuses it; nothing is open then, unless an earlier try is uncertain
 * @throws {OrderUncertainError} If it may have arrived, and the service does not answer
 */
export async function openOrder(
  session: Session,
  block: CdsBlock,
  signal: AbortSignal,
): Promise<OpenOrder> {
  const { transport, ledger } = session;
  const { product, months, parameters } = block;
  const { entry, joined } = ledger.begin(transport.baseUrl, parameters, false);
  const order = (jobId: string) => ({ entry: entry.entry, jobId, sentAt: entry.sentAt });
  if (entry.orderId !== null) return order(entry.orderId);
  // The last day is that of the first try: a job of it is found by its inputs.
  const inputs = product.buildInputs(block, findLastDay(months, entry.sentAt));
  const request = { dataset: product.dataset, inputs };
  let uncertain = joined;
  let jobId: string | undefined;
  for (let tries = 1, lost = 0;; tries++) {
    if (uncertain) jobId = await searchJob(session, request, entry, signal);
    if (jobId !== undefined) break;
    let sent = false;
    let failure: unknown;
    let retryAfter: string | null = null;
    try {
      const { answer, jobId: found } = await submitJob(transport, request, signal, () => {
        sent = true;
      });
      jobId = found;
      if (jobId !== undefined) break;
      retryAfter = answer.headers.get("retry-after");
      failure = buildCdsError(`order ${request.dataset}`, answer, transport);
    } catch (error) {
      failure = error;
    }
    if (!sent || provesNothingPlaced(failure)) {
      const busy = failure instanceof TooManyRequestsError && tries < MAX_BUSY_TRIES;
      // What costs too much now did so before: then no try has placed anything.
      if (!busy && (!uncertain || failure instanceof CostLimitError)) {
        ledger.note(entry.entry, { state: "refused" });
      }
      if (!busy) throw failure;
    } else {
      uncertain = true; // until its job is found
      if (signal.aborted) throw failure;
      if (++lost >= MAX_TRIES) throw buildUncertainError(entry, failure);
    }
    // The longest wait bounds it.
    await delay(parseRetryAfter(retryAfter) ?? computePause(tries, null), { signal });
  }
  ledger.note(entry.entry, { state: "placed", orderId: jobId });
  return order(jobId);
}
