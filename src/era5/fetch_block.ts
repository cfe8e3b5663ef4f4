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

/** How often a submission is repeated after the service refused it as one request too many. */
const MAX_BUSY_TRIES = 20;

/** How far clocks may differ, ms: a job that we sent may seem older than it is. */
const CLOCK_ERROR = 3_600_000;

/**
 * When to look for a job in the account before its request is sent again: a gateway may give up before the store does.
 */
const LOOKS = [0, 1, 4]; // in pauses

/** An open order in the ledger, with its job. */
interface OpenOrder {
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
    `Cannot determine the state of the request of ${sentAt.slice(0, 19)}Z (entry ${entry} of ` +
      `the ledger): ${found}`,
    { cause, hint: "Make the same call again: it looks for the job before it sends a new request" },
  );
}

/** Looks, for some seconds because it may be listed late, for the job of a request whose answer is not known. */
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
 * without an answer is looked for among the jobs of the account before it is sent again, and a refusal of a later try
 * does not count as a refusal of the first. The caller has the lock of the service, so that no other process does the
 * same.
 *
 * @throws {VindkitError} If the service refuses it; nothing is open then, unless an earlier try is uncertain
 * @throws {OrderUncertainError} If it may have arrived, and the service does not answer
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
      // A request that costs too much now did so before, so no try has placed anything.
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

/** How often a request is sent again after its job or file was gone. */
const MAX_LOST = 2;

/** States that end a job: its results are a file or the reason. */
const ENDINGS = ["successful", "failed", "rejected"];

/** A file that came and cannot be read: it is not stored, and its order is over. */
export class UnreadableError extends DataFormatError {
  override name = "DataFormatError"; // the class that callers check for
}

/** Whether a file may be fetched from a host: one of the store's, of the API's own, or one that the user listed. */
function isTrusted(url: URL, { baseUrl, downloadOrigins }: Transport): boolean {
  return url.hostname === new URL(baseUrl).hostname || downloadOrigins.includes(url.origin) ||
    /\.(ecmwf\.int|copernicus\.eu)$/.test(url.hostname);
}

/** Fetches the file of a job into its part file, without sending the key to any host. */
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
  const found = part.size;
  await part.remove();
  throw new DataFormatError(
    `Cannot use ${shown}: it has ${found} bytes, but the Climate Data Store announced ${size}`,
    { url: shown },
  );
}

/** Deletes the job of an order, then ends the order; if deleting fails, the next call tries again. */
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
 * Fetches a block: joins its open order or places one, waits, downloads, stores, and deletes the job. A request whose queue
 * was full or whose results are gone is sent anew. Requests go one at a time, over all processes of a home folder.
 *
 * @param isStored Whether the block has been stored meanwhile, by another process or by one that stopped before it
 * ended its order
 * @throws {CostLimitError} If it is larger than the service allows
 * @throws {OrderFailedError} If the job failed, or the queue is full until the longest wait is over
 * @throws {UnreadableError} If the file cannot be read
 * @throws {MisfitError} If the file is not what was asked for
 * @throws {TimeoutError} If it takes longer than the longest wait, including everything that it waits for
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
    say("waits for another request of this computer");
    using part = await PartFile.open(connection.home, transport.baseUrl, signal);
    if (await isStored()) {
      const open = ledger.findOpen(transport.baseUrl, block.parameters);
      if (open?.orderId) {
        await endOrder(session, { ...open, jobId: open.orderId }, "delivered", signal);
      }
      return;
    }
    for (let lost = 0;;) {
      say("is sent");
      const order = await openOrder(session, block, signal);
      let finished = false;
      try {
        const { file, notes } = await wait(order, signal);
        finished = true;
        say("is downloaded");
        await download(transport, file, part, signal);
        await keep(order, notes, part);
        return await endOrder(session, order, "delivered", signal);
      } catch (error) {
        const useless = finished && error instanceof DataFormatError;
        if (useless || error instanceof OrderFailedError) {
          await endOrder(session, order, "failed", signal);
        }
        if (useless && !(error instanceof MisfitError)) {
          const hint = "It is not stored. Make the same call to request it again";
          throw new UnreadableError(error.message, { cause: error, hint });
        }
        if (!(error instanceof LostJobError)) throw error;
        if (error.queueFull) {
          say("waits for a place in the queue");
          if (performance.now() + pauses.queue >= deadline) throw error;
          await delay(pauses.queue, { signal });
        } else if (lost++ >= MAX_LOST) throw error;
      }
    }
  });

  /** Waits for the file of a job; the notes are warnings of the store. */
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
        throw new LostJobError(`Cannot use job ${jobId}: it was ${status}`);
      }
      return ENDINGS.includes(status) ? await readResults(transport, jobId, signal) : undefined;
    };
    say("accepted");
    return { file: await pollUntil(read, pauses.look, signal), notes: [...notes] };
  }

  /** Stores the part of a file that was asked for. */
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
