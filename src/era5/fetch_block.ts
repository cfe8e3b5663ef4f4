import { delay } from "@std/async";
import {
  DataFormatError,
  NetworkError,
  OrderFailedError,
  OrderUncertainError,
  TooManyRequestsError,
  type VindkitError,
} from "../api/errors.ts";
import { computePause, MAX_TRIES, parseRetryAfter } from "../client/http/retries.ts";
import { redactFileUrl } from "../client/http/redaction.ts";
import type { Transport } from "../client/http/transport.ts";
import { fetchFile, PartFile } from "../client/orders/fetch_file.ts";
import type { LedgerEntry } from "../client/orders/ledger.ts";
import { provesNothingPlaced } from "../client/orders/place_order.ts";
import { pollUntil, withTimeout } from "../client/orders/run_stoppable.ts";
import type { CdsBlock } from "./cds_products.ts";
import { buildCdsError, CostLimitError, LostJobError } from "./cds_errors.ts";
import {
  type CdsInputs,
  deleteJob,
  findJob,
  type JobFile,
  readJob,
  readResults,
  submitJob,
} from "./cds_jobs.ts";
import { MisfitError } from "./find_fitting.ts";
import { findLastDay, findSettledEnd } from "./months.ts";
import type { Session } from "./source_link.ts";

/** Most tries of a submission while the service refuses it as one request too many. */
const MAX_BUSY_TRIES = 20;

/** Largest difference between clocks, ms: a job may seem older than its request. */
const CLOCK_ERROR = 3_600_000;

/**
 * Pauses before each search for a job in the account, before its request is sent again: a gateway may time out before
 * the store does.
 */
const SEARCH_PAUSES = [0, 1, 4]; // in units of `pauses.search`

/** An open order in the ledger, with its job. */
interface OpenOrder {
  /** Number in the ledger. */
  readonly entry: number;
  /** Identifier of the job. */
  readonly jobId: string;
  /** When the request was first sent, ISO 8601 UTC. */
  readonly sentAt: string;
}

function buildUncertainError({ entry, sentAt }: LedgerEntry, cause: unknown): VindkitError {
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new OrderUncertainError(
    `Cannot determine the state of the request of ${
      sentAt.slice(0, 19)
    }Z (entry ${entry} of the ledger): ${reason}`,
    {
      cause,
      hint: "Make the same call again. The call looks for the job before it sends a new request",
    },
  );
}

/** Searches for the job of a request without an answer, for some seconds because it may be listed late. */
async function searchJob(
  { transport, pauses }: Session,
  request: CdsInputs,
  entry: LedgerEntry,
  signal: AbortSignal,
): Promise<string | undefined> {
  const since = Date.parse(entry.sentAt) - CLOCK_ERROR;
  for (const pause of SEARCH_PAUSES) {
    await delay(pause * pauses.search, { signal });
    try {
      const jobId = await findJob(transport, request, since, signal);
      if (jobId !== undefined) return jobId;
    } catch (cause) {
      throw buildUncertainError(entry, cause);
    }
  }
}

/**
 * Joins the open order of a block, or submits a new one. The order is in the ledger before anything is sent. If an
 * order was sent without an answer, its job is searched in the account before sending again, and a refusal of a later
 * try does not count as a refusal of the first. The caller holds the lock of the service, so no other process does the
 * same.
 *
 * @throws {VindkitError} If the service refuses it; then no order is open, unless an earlier try is uncertain
 * @throws {OrderUncertainError} If the request may have arrived and the service does not answer
 */
async function openOrder(
  session: Session,
  block: CdsBlock,
  signal: AbortSignal,
): Promise<OpenOrder> {
  const { transport, ledger } = session;
  const { product, months, parameters } = block;
  const { entry, joined } = ledger.begin(transport.baseUrl, parameters, false);
  const order = (jobId: string) => ({ entry: entry.entry, jobId, sentAt: entry.sentAt });
  if (entry.orderId !== null) return order(entry.orderId);
  // The same last day as in the first try, because its job is found by its inputs.
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
      const { answer, jobId: submittedId } = await submitJob(transport, request, signal, () => {
        sent = true;
      });
      jobId = submittedId;
      if (jobId !== undefined) break;
      retryAfter = answer.headers.get("retry-after");
      failure = buildCdsError(`order ${request.dataset}`, answer, transport);
    } catch (error) {
      failure = error;
    }
    if (!sent || provesNothingPlaced(failure)) {
      const busy = failure instanceof TooManyRequestsError && tries < MAX_BUSY_TRIES;
      // A request that costs too much was always refused, so no try has placed an order.
      if (!busy && (!uncertain || failure instanceof CostLimitError)) {
        ledger.note(entry.entry, { state: "refused" });
      }
      if (!busy) throw failure;
    } else {
      uncertain = true; // until its job is found
      if (signal.aborted) throw failure;
      if (++lost >= MAX_TRIES) throw buildUncertainError(entry, failure);
    }
    // The timeout of the call bounds this loop.
    await delay(parseRetryAfter(retryAfter) ?? computePause(tries, null), { signal });
  }
  ledger.note(entry.entry, { state: "placed", orderId: jobId });
  return order(jobId);
}

/** Most resubmissions of a request whose job or file is gone. */
const MAX_LOST = 2;

/** Final states of a job: its results are a file or the reason. */
const ENDINGS = ["successful", "failed", "rejected"];

/** A received file that cannot be read: it is not stored, and its order is closed. */
export class UnreadableError extends DataFormatError {
  override name = "DataFormatError"; // the class that callers check for
}

/** Whether a file may be fetched from a host: a host of the store, the host of the API, or one that the user listed. */
function isTrusted(url: URL, { baseUrl, downloadOrigins }: Transport): boolean {
  return url.hostname === new URL(baseUrl).hostname || downloadOrigins.includes(url.origin) ||
    /\.(ecmwf\.int|copernicus\.eu)$/.test(url.hostname);
}

/** Downloads the file of a job to a part file, without sending the key. */
async function download(
  transport: Transport,
  { url, size }: JobFile,
  part: PartFile,
  signal: AbortSignal,
): Promise<void> {
  const shown = redactFileUrl(url);
  const { origin } = new URL(url);
  if (!isTrusted(new URL(url), transport)) {
    throw new NetworkError(
      `Cannot download ${shown}: its host does not belong to the Climate Data Store`,
      { url: shown, hint: `Add ${origin} to downloadOrigins of connect() if you trust it` },
    );
  }
  const keyless = { ...transport, key: undefined, downloadOrigins: [origin] };
  await fetchFile(keyless, url, part, signal).catch((error) => {
    throw error instanceof OrderFailedError
      ? new LostJobError(error.message, { url: shown, cause: error })
      : error;
  });
  if (size === undefined || part.size === size) return;
  const received = part.size;
  await part.remove();
  throw new DataFormatError(
    `Cannot use ${shown}: it has ${received} bytes, but the Climate Data Store announced ${size}`,
    { url: shown },
  );
}

/** Deletes the job of an order, then closes the order; if deleting fails, the next call tries again. */
async function endOrder(
  { transport, ledger }: Session,
  { entry, jobId }: Pick<OpenOrder, "entry" | "jobId">,
  state: "delivered" | "failed",
  signal: AbortSignal,
): Promise<void> {
  if (!await deleteJob(transport, jobId, signal)) return;
  ledger.note(entry, { state, ...(state === "delivered" ? { status: state } : {}) });
}

/**
 * Fetches a block: joins its open order or places one, waits, downloads, stores, and deletes the job. Sends a request
 * again if the queue was full or its results are gone. All processes of a home folder together send one request at a
 * time.
 *
 * @param isStored Whether the block has been stored meanwhile, by another process or by one that stopped before closing
 * its order
 * @throws {CostLimitError} If it exceeds the cost limit of the service
 * @throws {OrderFailedError} If the job failed, or the queue stays full until the timeout
 * @throws {UnreadableError} If the file cannot be read
 * @throws {MisfitError} If the file does not match the request
 * @throws {TimeoutError} If it takes longer than the timeout, including all waits
 */
export async function fetchBlock(
  session: Session,
  block: CdsBlock,
  isStored: () => Promise<boolean>,
): Promise<void> {
  const { connection, transport, ledger, stored, pauses, progress, onStatus, timeout } = session;
  const { dataset } = block.product;
  const [first, last] = [`${block.months.first}`, `${block.months.last}`];
  let step = "";
  const say = (text: string) => progress.say(`${first} to ${last}: ${step = text}`);
  const deadline = performance.now() + timeout;
  await withTimeout(timeout, session.signal, () => step, async (signal) => {
    say("waiting for another request of this computer");
    using part = await PartFile.open(connection.home, transport.baseUrl, signal);
    if (await isStored()) {
      const open = ledger.findOpen(transport.baseUrl, block.parameters);
      if (open?.orderId) {
        await endOrder(session, { ...open, jobId: open.orderId }, "delivered", signal);
      }
      return;
    }
    for (let lost = 0;;) {
      say("sending");
      const order = await openOrder(session, block, signal);
      let finished = false;
      try {
        const { file, notes } = await wait(order, signal);
        finished = true;
        say("downloading");
        await download(transport, file, part, signal);
        await keep(order, notes, part);
        return await endOrder(session, order, "delivered", signal);
      } catch (error) {
        const useless = finished && error instanceof DataFormatError;
        if (useless || error instanceof OrderFailedError) {
          await endOrder(session, order, "failed", signal);
        }
        if (useless && !(error instanceof MisfitError)) {
          const hint = "Vindkit did not store the file. Repeat the call to request a new file";
          throw new UnreadableError(error.message, { cause: error, hint });
        }
        if (!(error instanceof LostJobError)) throw error;
        if (error.queueFull) {
          say("waiting for a place in the queue");
          if (performance.now() + pauses.queue >= deadline) throw error;
          await delay(pauses.queue, { signal });
        } else if (lost++ >= MAX_LOST) throw error;
      }
    }
  });

  /** Waits for the file of a job; notes are warnings of the store. */
  async function wait({ entry, jobId }: OpenOrder, signal: AbortSignal) {
    const notes = new Set<string>();
    let state = "";
    const read = async () => {
      const { status, warnings } = await readJob(transport, jobId, signal);
      if (status !== state) {
        onStatus?.({ state: status, dataset, first, last });
        ledger.note(entry, { status });
      }
      say(state = status);
      for (const text of warnings) notes.add(`The Climate Data Store says: ${text}`);
      if (status === "dismissed" || status === "deleted") {
        throw new LostJobError(
          `Cannot use job ${jobId}: the Climate Data Store reports that it was ${status}. Repeat the call to request a new job`,
        );
      }
      return ENDINGS.includes(status) ? await readResults(transport, jobId, signal) : undefined;
    };
    say("accepted");
    return { file: await pollUntil(read, pauses.look, signal), notes: [...notes] };
  }

  /** Stores the requested part of a file. */
  async function keep({ sentAt }: OpenOrder, notes: string[], part: PartFile): Promise<void> {
    try {
      const hours = await block.product.readFile(part.path, findSettledEnd(sentAt));
      await stored.store(block, hours, { askedAt: sentAt, notes }, part, progress);
    } catch (error) {
      await part.remove(); // it may have been moved
      throw error;
    }
  }
}
