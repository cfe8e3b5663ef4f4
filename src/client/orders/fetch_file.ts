import { STATUS_CODE } from "@std/http/status";
import {
  DataFormatError,
  LicenceError,
  NetworkError,
  OrderFailedError,
  ServiceError,
  TimeoutError,
  TooManyRequestsError,
} from "../../api/errors.ts";
import { startProgress } from "../../show/progress/progress.ts";
import type { Connection } from "../connection/connection.ts";
import { sendWithRetries } from "../http/retries.ts";
import type { Body } from "../http/body.ts";
import { assertNoKey } from "../http/no_key.ts";
import { redactFileUrl } from "../http/redact_url.ts";
import type { FileFacts, PartFile } from "./part_file.ts";

/** A file that was fetched. */
interface FetchResult {
  /** Headers of the last answer. */
  readonly headers: Headers;
  /** Whether a cut would have been noticed. */
  readonly proven: boolean;
}

/** A part of a file that does not go on where ours ends: it is fetched whole, once. */
class MisplacedPartError extends DataFormatError {
  override name = "DataFormatError"; // callers know that class
}

/** Where the parts of a 206 answer begin, and how long the file is; `undefined` where it does not say. */
function parseContentRange(headers: Headers): { start: number; total: number } | undefined {
  const found = /^bytes (\d+)-\d+\/(\d+)$/.exec(headers.get("content-range") ?? "");
  return found ? { start: Number(found[1]), total: Number(found[2]) } : undefined;
}

/** The entity tag if it promises the same bytes; a weak one does not. */
function readStrongTag(headers: Headers): string | null {
  const tag = headers.get("etag");
  return tag && /^"[^"]*"$/.test(tag) ? tag : null;
}

/** Whether a body was packed on the way, against our wish: nobody unpacks it then. */
function isPacked(headers: Headers): boolean {
  return (headers.get("content-encoding") ?? "identity") !== "identity";
}

/** What an answer with the whole file says of it. */
function readFileFacts(headers: Headers): FileFacts {
  const length = headers.get("content-length");
  return { tag: readStrongTag(headers), total: length === null ? null : Number(length) };
}

/**
 * Fetches a file into its part on the disk. It goes on where an earlier try ended, if the service says that the file is
 * still the same; else it begins anew.
 *
 * @param connection Where to; the key goes to its own origin only
 * @param url Address of the file
 * @param part The part on the disk
 * @param signal Ends it early; the part stays
 * @returns Headers of the last answer, and whether anybody said how long the file is
 * @throws {NetworkError} If it cannot be reached, or breaks off without getting on
 * @throws {OrderFailedError} If the address does not hold any more
 */
export async function fetchFile(
  connection: Connection,
  url: string,
  part: PartFile,
  signal: AbortSignal | undefined,
): Promise<FetchResult> {
  using progress = startProgress("Download", { unit: "bytes", silent: !connection.progress });
  if (!URL.canParse(url)) {
    throw new NetworkError("Cannot download the order: its address is none", {
      hint: "Use downloadClimate()",
    });
  }
  const shown = redactFileUrl(url);
  let shownBytes = 0;
  let framed = false;
  const read = async (body: Body): Promise<boolean> => {
    const { status, headers } = body;
    if (isPacked(headers)) {
      throw new NetworkError(`Cannot fetch ${shown}: it came packed, though not asked for`, {
        url: shown,
        hint: "Try again later",
      });
    }
    if (status === STATUS_CODE.PartialContent) {
      const range = parseContentRange(headers);
      const fits = part.resumable && range?.start === part.size &&
        (part.total ?? range.total) === range.total &&
        (headers.get("etag") ?? part.tag) === part.tag;
      if (!fits) {
        throw new MisplacedPartError(
          `Cannot fetch ${shown}: it sent a part that was not asked for`,
        );
      }
      part.expect(range.total);
    } else if (status === STATUS_CODE.OK) {
      await part.begin(readFileFacts(headers));
    } else return false;
    if (part.total !== null) progress.total(part.total);
    progress.advance(part.size - shownBytes);
    shownBytes = part.size;
    framed = body.framed;
    for await (const bytes of assertNoKey(body.parts, connection, shown)) {
      await part.write(bytes);
      progress.advance(bytes.length);
      shownBytes += bytes.length;
    }
    return part.isWhole();
  };
  let misplaced = 0;
  while (true) {
    const before = part.size;
    try {
      const { status, headers, value: whole } = await sendWithRetries(connection, {
        url,
        shown,
        headers: () => part.rangeHeaders(),
        operation: undefined,
        safe: true,
        signal,
      }, read);
      if (whole) return { headers, proven: framed || part.total !== null };
      if (status === STATUS_CODE.RangeNotSatisfiable && misplaced++ === 0) {
        await part.begin({ tag: null, total: null });
        continue;
      }
      throw buildFetchError(status, shown, part);
    } catch (error) {
      if (error instanceof MisplacedPartError) {
        if (misplaced++ > 0) throw new NetworkError(error.message, { url: shown, cause: error });
        await part.begin({ tag: null, total: null });
        continue;
      }
      const passes = error instanceof NetworkError || error instanceof TimeoutError;
      if (!passes || part.size <= before || signal?.aborted) throw error; // it does not get on
    }
  }
}

function buildFetchError(status: number, url: string, part: PartFile): Error {
  if (status === STATUS_CODE.OK || status === STATUS_CODE.PartialContent) {
    return new NetworkError(
      `Cannot fetch ${url}: it has ${part.size} bytes instead of ${part.total}`,
      {
        url,
        hint: "Try again later",
      },
    );
  }
  if (status === STATUS_CODE.Unauthorized) {
    return new LicenceError(`Cannot download the order: ${url} answered ${status}`, {
      status,
      url,
      hint: "Renew the licence or the key; the order stays placed, the same call joins it",
    });
  }
  if (status === STATUS_CODE.NotAcceptable || status === STATUS_CODE.TooManyRequests) {
    return new TooManyRequestsError(`Cannot download the order: ${url} answered ${status}`, {
      status,
      url,
      hint: "Wait until other downloads are done; the order stays placed",
    });
  }
  if (status >= 500 || status === STATUS_CODE.RequestTimeout) {
    return new ServiceError(`Cannot download the order: ${url} answered ${status}`, {
      status,
      url,
      hint: "Try again later; the order stays placed",
    });
  }
  return new OrderFailedError(`Cannot download the order: its address ${url} answered ${status}`, {
    status,
    url,
    hint: "Ask for its status again: the service may have another address",
  });
}
