import { delay } from "@std/async";
import { DataFormatError, NetworkError, OrderFailedError } from "../../api/errors.ts";
import { hashFile } from "../../disk/sha256.ts";
import { startProgress } from "../../show/progress/progress.ts";
import { redactFileUrl } from "../http/redact_url.ts";
import type { Transport } from "../http/transport.ts";
import { fetchFile } from "../orders/fetch_file.ts";
import { PartFile } from "../orders/part_file.ts";
import { pollUntil } from "../orders/poll.ts";
import { withTimeout } from "../orders/with_timeout.ts";
import type { CdsBlock } from "./cds_block.ts";
import { LostJobError } from "./cds_errors.ts";
import { deleteJob, type JobFile, readJob, readResults } from "./cds_jobs.ts";
import { type OpenOrder, openOrder } from "./cds_order.ts";
import type { CdsSession } from "./cds_session.ts";
import { assertFits, MisfitError } from "./fit_hours.ts";
import { findSettledEnd } from "./months.ts";

/** Longest wait for a request where none is given, ms: under load one takes half an hour and more. */
const TIMEOUT = 7_200_000;

/** Times that a request is sent anew whose job or file was gone. */
const MAX_LOST = 2;

/** States that end a job: its results are a file or the reason. */
const ENDINGS = ["successful", "failed", "rejected"];

/** Whether a file may be fetched from a host: one of the store's, of the API's own, or one that the user listed. */
function isTrusted(url: URL, { baseUrl, downloadOrigins }: Transport): boolean {
  return url.hostname === new URL(baseUrl).hostname || downloadOrigins.includes(url.origin) ||
    /\.(ecmwf\.int|copernicus\.eu)$/.test(url.hostname);
}

/** Fetches the file of a job into its part; the key does not go along, to no host. */
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
      `Cannot download ${shown}: it is not a host of the Climate Data Store`,
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
    `Cannot use ${shown}: it has ${found} bytes, not ${size} as the Climate Data Store said`,
    { url: shown, hint: "Run the same call again" },
  );
}

/**
 * Fetches a block: joins its open order or places one, waits, downloads, stores, and deletes the job. A request whose queue
 * was full or whose results are gone is sent anew. Requests go one at a time, over all processes of a home folder.
 *
 * @param isStored Whether it is stored meanwhile, by another process or one that was ended before it could end its order
 * @throws {CostLimitError} If it is larger than the service allows
 * @throws {OrderFailedError} If the job failed, or the queue is full until the longest wait is over
 * @throws {MisfitError} If the file is not what was asked for
 * @throws {TimeoutError} If it takes longer than the longest wait, with all that it waits for
 */
export async function fetchBlock(
  session: CdsSession,
  block: CdsBlock,
  isStored: () => Promise<boolean>,
): Promise<void> {
  const { connection, transport, ledger, stored, pauses, onStatus, timeout = TIMEOUT } = session;
  const { first, last } = block.months;
  using progress = startProgress(`Climate Data Store, ${first} to ${last}`, {
    silent: !connection.progress,
  });
  let state = "";
  const say = (text: string) => progress.say(state = text);
  const deadline = performance.now() + timeout;
  await withTimeout(timeout, session.signal, () => state, async (signal) => {
    say("waits for another request of this computer");
    using part = await PartFile.open(connection.home, transport.baseUrl, signal);
    if (await isStored()) {
      const open = ledger.findOpen(transport.baseUrl, block.parameters);
      if (open?.orderId) await close({ ...open, jobId: open.orderId }, "delivered", signal);
      return;
    }
    for (let lost = 0;;) {
      say("is sent");
      const order = await openOrder(session, block, signal);
      const notes = new Set<string>();
      try {
        const file = await wait(order, notes, signal);
        say("is downloaded");
        await download(transport, file, part, signal);
        await keep(order, notes, part);
        return await close(order, "delivered", signal);
      } catch (error) {
        const over = error instanceof OrderFailedError || error instanceof MisfitError;
        if (over) await close(order, "failed", signal);
        if (!(error instanceof LostJobError)) throw error;
        if (error.queueFull) {
          say("waits for a place in the queue");
          if (performance.now() + pauses.queue >= deadline) throw error;
          await delay(pauses.queue, { signal });
        } else if (lost++ >= MAX_LOST) throw error;
      }
    }
  });

  /** Waits for the file of a job. */
  async function wait(
    { entry, jobId }: OpenOrder,
    notes: Set<string>,
    signal: AbortSignal,
  ): Promise<JobFile> {
    say("accepted");
    return await pollUntil(
      async () => {
        const { status, warnings } = await readJob(transport, jobId, signal);
        if (status !== state) {
          onStatus?.({ state: status });
          ledger.note(entry, { status });
        }
        say(status);
        for (const text of warnings) notes.add(`The Climate Data Store says: ${text}`);
        if (status === "dismissed" || status === "deleted") {
          throw new LostJobError(`Cannot use job ${jobId}: it was ${status}`);
        }
        return ENDINGS.includes(status) ? await readResults(transport, jobId, signal) : undefined;
      },
      pauses.look,
      signal,
    );
  }

  /** Stores a file that is what was asked for; another one is downloaded again by the next call. */
  async function keep({ sentAt }: OpenOrder, notes: Set<string>, part: PartFile): Promise<void> {
    try {
      const settledEnd = findSettledEnd(sentAt);
      assertFits(await block.product.readFile(part.path, settledEnd), block, settledEnd);
    } catch (error) {
      await part.remove();
      throw error;
    }
    const sha256 = await hashFile(part.path);
    await stored.store(block, { sha256, asked_at: sentAt, notes: [...notes] }, part);
  }

  /** Deletes the job, then ends its order: where that fails, the next call tries it again. */
  async function close(
    { entry, jobId }: Pick<OpenOrder, "entry" | "jobId">,
    state: "delivered" | "failed",
    signal: AbortSignal,
  ): Promise<void> {
    if (!await deleteJob(transport, jobId, signal)) return;
    ledger.note(entry, { state, ...(state === "delivered" ? { status: state } : {}) });
  }
}
