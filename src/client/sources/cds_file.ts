import { delay } from "@std/async";
import { DataFormatError, NetworkError, OrderFailedError, TimeoutError } from "../../api/errors.ts";
import { hashFile } from "../../disk/sha256.ts";
import { startProgress } from "../../show/progress/progress.ts";
import type { Connection } from "../connection/connection.ts";
import { redactFileUrl } from "../http/redact_url.ts";
import type { Transport } from "../http/transport.ts";
import { fetchFile } from "../orders/fetch_file.ts";
import { Ledger } from "../orders/ledger.ts";
import type { OrderStatus } from "../orders/order_status.ts";
import { PartFile } from "../orders/part_file.ts";
import { pollUntil } from "../orders/poll.ts";
import { LostJobError } from "./cds_errors.ts";
import { type CdsInputs, deleteJob, type JobFile, readJob, readResults } from "./cds_jobs.ts";
import { type OpenOrder, openOrder } from "./cds_order.ts";
import type { SourceCall, SourceFile, SourceFiles } from "./source_file.ts";

/** Longest wait for a request where none is given, ms: under load one takes half an hour and more. */
const TIMEOUT = 7_200_000;

/** Pause before the second look at a job, ms. */
const FIRST_PAUSE = 2_000;

/** Pause before a request is sent anew to a full queue, in first pauses: a minute. */
const QUEUE_PAUSES = 30;

/** Times that a request is sent anew whose results were gone. */
const MAX_LOST = 2;

/** States from which a job goes on; the others end it. */
const ENDINGS = ["successful", "failed", "rejected"];

/** How requests to the Climate Data Store are sent and waited for. */
export interface CdsSession {
  readonly connection: Connection;
  readonly transport: Transport;
  readonly files: SourceFiles;
  /** Longest wait for a request, ms. */
  readonly timeout?: number | undefined;
  /** Pause before the second look at a job, ms. */
  readonly firstPause?: number | undefined;
  /** Called for each new state of a job. */
  readonly onStatus?: ((status: OrderStatus) => void) | undefined;
  readonly signal: AbortSignal | undefined;
  /** Collects what a reader of the figures should know. */
  readonly notes: Set<string>;
}

/** Whether a file may be fetched from a host: one of the store's, of the API's own, or one that the user listed. */
function isTrusted(url: URL, { baseUrl, downloadOrigins }: Transport): boolean {
  return url.hostname === new URL(baseUrl).hostname || downloadOrigins.includes(url.origin) ||
    /\.(ecmwf\.int|copernicus\.eu)$/.test(url.hostname);
}

/** Fetches the file of a job into its part; the key does not go along, to no host. */
async function download(
  { transport, signal }: CdsSession,
  { url, size }: JobFile,
  part: PartFile,
): Promise<void> {
  const shown = redactFileUrl(url);
  const { origin } = new URL(url);
  if (!isTrusted(new URL(url), transport)) {
    throw new NetworkError(
      `Cannot download ${shown}: it is not a host of the Climate Data Store`,
      { url: shown, hint: `Add ${origin} to downloadOrigins of connect() if you trust it` },
    );
  }
  await fetchFile({ ...transport, key: undefined, downloadOrigins: [origin] }, url, part, signal);
  if (size === undefined || part.size === size) return;
  const found = part.size;
  await part.remove();
  throw new DataFormatError(
    `Cannot use ${shown}: it has ${found} bytes, not ${size} as the Climate Data Store said`,
    { url: shown, hint: "Run the same call again" },
  );
}

/** Waits for the file of a job. */
async function waitForJob(
  session: CdsSession,
  { jobId }: OpenOrder,
  timeout: number,
  note: (status: string) => void,
): Promise<JobFile> {
  const { transport, connection, onStatus, notes, firstPause = FIRST_PAUSE } = session;
  using progress = startProgress("Climate Data Store", { silent: !connection.progress });
  let shown = "accepted";
  return await pollUntil(async (signal) => {
    const { status, warnings } = await readJob(transport, jobId, signal);
    if (status !== shown) onStatus?.({ state: status });
    if (status !== shown) note(status);
    shown = status;
    progress.say(status);
    for (const text of warnings) notes.add(`The Climate Data Store says: ${text}`);
    if (status === "dismissed" || status === "deleted") {
      throw new LostJobError(`Cannot use job ${jobId}: it was ${status}`, "dismissed");
    }
    return ENDINGS.includes(status) ? await readResults(transport, jobId, signal) : undefined;
  }, { timeout, firstPause, signal: session.signal, lastState: () => shown });
}

/**
 * Fetches the file of a request: joins its open order or places one, waits, downloads, stores, and deletes the job. A
 * request whose queue was full or whose results are gone is sent anew. Requests go one at a time, over all processes of a
 * home folder.
 *
 * @param check Refuses a file that cannot be read, which is not stored then
 * @throws {CostLimitError} If it is larger than the service allows
 * @throws {OrderFailedError} If the job failed
 * @throws {TimeoutError} If it takes longer than the longest wait; the order stays placed
 */
export async function fetchCdsFile(
  session: CdsSession,
  call: SourceCall,
  request: CdsInputs,
  check: (path: string) => Promise<unknown>,
): Promise<SourceFile> {
  const { connection: { home, progress: loud }, transport, files, signal } = session;
  const { timeout = TIMEOUT, firstPause = FIRST_PAUSE } = session;
  const ledger = new Ledger(home);
  using part = await openPart();
  const stored = await files.find(call);
  if (stored) {
    await finishOpen();
    return stored;
  }
  const deadline = performance.now() + timeout;
  for (let lost = 0;;) {
    const order = await openOrder(transport, ledger, call, request, signal);
    const note = (status: string) => ledger.note(order.entry, { status });
    try {
      const left = Math.max(1, deadline - performance.now());
      await download(session, await waitForJob(session, order, left, note), part);
    } catch (error) {
      const gone = error instanceof OrderFailedError && !(error instanceof LostJobError) &&
        (error.status === 404 || error.status === 403); // the file, at its host
      if (!(error instanceof OrderFailedError)) throw error;
      ledger.note(order.entry, { state: "failed" });
      await deleteJob(transport, order.jobId, signal);
      const full = error instanceof LostJobError && error.reason === "queue full";
      if (!full && !gone && !(error instanceof LostJobError)) throw error;
      if (!full && lost++ >= MAX_LOST) throw error;
      const pause = full ? firstPause * QUEUE_PAUSES : 0;
      if (performance.now() + pause >= deadline) {
        throw new TimeoutError(`${error.message}. After ${timeout / 1000} s it is given up`, {
          cause: error,
          hint: "Run the same call again later",
        });
      }
      await delay(pause, signal ? { signal } : {});
      continue;
    }
    await check(part.path).catch(async (error) => {
      await part.remove(); // the next call downloads it again
      throw error;
    });
    const file = await files.store(call, await hashFile(part.path), {
      commit: (path) => part.moveTo(path),
    });
    await finish(order);
    return file;
  }

  /** One lock for the service: it asks for one job at a time, and the same request is not sent by two processes. */
  async function openPart(): Promise<PartFile> {
    using progress = startProgress("Climate Data Store", { silent: !loud });
    progress.say("waits for another request of this computer");
    return await PartFile.open(home, call.place, signal);
  }

  async function finish({ entry, jobId }: OpenOrder): Promise<void> {
    await deleteJob(transport, jobId, signal);
    ledger.note(entry, { state: "delivered", status: "delivered" });
  }

  /** Ends the order of a file that is here: the process that stored it was ended before it could. */
  async function finishOpen(): Promise<void> {
    const open = ledger.findOpen(call.place, call.parameters);
    if (open?.orderId) await finish({ entry: open.entry, jobId: open.orderId });
  }
}
