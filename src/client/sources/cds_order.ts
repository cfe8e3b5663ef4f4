import { delay } from "@std/async";
import { OrderUncertainError, TooManyRequestsError, type VindkitError } from "../../api/errors.ts";
import { computePause } from "../http/pause.ts";
import { MAX_TRIES } from "../http/retries.ts";
import type { Transport } from "../http/transport.ts";
import type { Ledger, LedgerEntry } from "../orders/ledger.ts";
import { provesNothingPlaced } from "../orders/place_order.ts";
import { buildCdsError } from "./cds_errors.ts";
import { type CdsInputs, findJob, submitJob } from "./cds_jobs.ts";
import type { SourceCall } from "./source_file.ts";

/** Times that a submission is repeated which the service refused as one too many. */
const MAX_BUSY_TRIES = 20;

/** How far clocks may differ, ms: a job that was sent by us may seem older. */
const CLOCK_ERROR = 3_600_000;

/** An order that the ledger has, with the job that serves it. */
export interface OpenOrder {
  /** Number in the ledger. */
  readonly entry: number;
  /** Identifier of the job. */
  readonly jobId: string;
}

function buildUncertainError({ entry, sentAt }: LedgerEntry, cause: unknown): VindkitError {
  const found = cause instanceof Error ? cause.message : String(cause);
  return new OrderUncertainError(
    `Cannot determine what became of the request of ${sentAt.slice(0, 19)}Z (entry ${entry} of ` +
      `the ledger): ${found}`,
    { cause, hint: "Run the same call again: it looks for the job before it sends anything" },
  );
}

/**
 * Joins the open order of a request, or submits it. The order is in the ledger before anything is sent; one that was sent
 * without an answer is looked for among the jobs of the account before it is sent again. The caller has the lock of the
 * service, so that no other process does the same.
 *
 * @throws {VindkitError} If the service refuses it; nothing is open then
 * @throws {OrderUncertainError} If it may have arrived, and the service does not answer
 */
export async function openOrder(
  transport: Transport,
  ledger: Ledger,
  call: SourceCall,
  request: CdsInputs,
  signal: AbortSignal | undefined,
): Promise<OpenOrder> {
  const { entry, joined } = ledger.begin(call.place, call.parameters, false);
  if (entry.orderId !== null) return { entry: entry.entry, jobId: entry.orderId };
  const since = Date.parse(entry.sentAt) - CLOCK_ERROR;
  let jobId = joined ? await findJob(transport, request, since, signal) : undefined;
  for (let tries = 1; jobId === undefined; tries++) {
    signal?.throwIfAborted();
    let sent = false;
    let failure: unknown;
    let retryAfter: string | null = null;
    try {
      const { answer, jobId: found } = await submitJob(transport, request, signal, () => {
        sent = true;
      });
      jobId = found;
      retryAfter = answer.headers.get("retry-after");
      if (jobId === undefined) {
        failure = buildCdsError(`order ${request.dataset}`, answer, transport);
      }
    } catch (error) {
      failure = error;
    }
    if (jobId !== undefined) break;
    const busy = failure instanceof TooManyRequestsError;
    const refused = !sent || provesNothingPlaced(failure);
    if (refused && !(busy && tries < MAX_BUSY_TRIES)) {
      ledger.note(entry.entry, { state: "refused" });
      throw failure;
    }
    if (!refused) {
      if (signal?.aborted) throw failure; // it stays "sent": the next call looks for its job
      try {
        jobId = await findJob(transport, request, since, signal);
      } catch (cause) {
        throw buildUncertainError(entry, cause);
      }
      if (jobId === undefined && tries >= MAX_TRIES) throw buildUncertainError(entry, failure);
    }
    if (jobId === undefined) {
      await delay(computePause(tries, retryAfter), signal ? { signal } : {});
    }
  }
  ledger.note(entry.entry, { state: "placed", orderId: jobId });
  return { entry: entry.entry, jobId };
}
