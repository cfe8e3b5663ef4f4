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
import { startProgress } from "../../show/progress.ts";
import { WORLD_HEADER } from "../../api/world.ts";
import { hashFile } from "../../disk/hashes.ts";
import { assertWholeFile } from "../../frames/files/archive.ts";
import { sendWithRetries } from "../http/retries.ts";
import { assertSize, type Body, readAnnouncedSize } from "../http/body.ts";
import { assertNoKey, redactFileUrl } from "../http/redaction.ts";
import type { Transport } from "../http/transport.ts";
import type { FileFacts, PartFile } from "./part_file.ts";

/**
 * The received bytes do not continue the file on the disk, or do not complete it; the whole file is then fetched, once.
 */
class OtherFileError extends DataFormatError {
  override name = "DataFormatError"; // the class that callers check for
}

/** Start of the bytes in a 206 answer and length of the whole file; `undefined` if the header does not state both. */
function parseContentRange(headers: Headers): { start: number; total: number } | undefined {
  const found = /^bytes (\d+)-\d+\/(\d+)$/.exec(headers.get("content-range") ?? "");
  return found ? { start: Number(found[1]), total: Number(found[2]) } : undefined;
}

/** The entity tag if it is strong; a weak one does not promise the same bytes. */
function readStrongTag(headers: Headers): string | null {
  const tag = headers.get("etag");
  return tag && /^"[^"]*"$/.test(tag) ? tag : null;
}

/** Whether a body was compressed although we did not accept that: its bytes do not count as those of the file. */
function isPacked(headers: Headers): boolean {
  return (headers.get("content-encoding") ?? "identity") !== "identity";
}

/** Tag and length of the file in an answer with all of it. */
function readFileFacts(headers: Headers): FileFacts {
  return { tag: readStrongTag(headers), total: readAnnouncedSize(headers) };
}

/**
 * Compares a complete file with what is known of its content: the tags of our own service are hashes; if another
 * service sent the file in parts, it is checked as an archive.
 *
 * @param joined Whether it was joined from several answers
 * @throws {OtherFileError} If the parts do not make the file
 * @throws {DataFormatError} If it came in one answer and does not match its tag
 */
async function assertSameContent(
  { path, tag }: PartFile,
  headers: Headers,
  joined: boolean,
  shown: string,
): Promise<void> {
  const hash = headers.has(WORLD_HEADER) ? /^"([0-9a-f]{64})"$/.exec(tag ?? "")?.[1] : undefined;
  if (hash !== undefined && await hashFile(path) !== hash) {
    const problem = `Cannot use ${shown}: it is damaged, its content is not the one of its tag`;
    if (joined) throw new OtherFileError(problem);
    throw new DataFormatError(problem, { url: shown, hint: "Download it again" });
  }
  if (hash !== undefined || !joined) return;
  await assertWholeFile(path, shown, true).catch((cause) => {
    throw cause instanceof DataFormatError ? new OtherFileError(cause.message, { cause }) : cause;
  });
}

/**
 * Fetches a file into its part on the disk. It continues where an earlier try ended, if the answer proves by a strong tag
 * that the file is still the same; otherwise it begins again, also where the parts do not make the file.
 *
 * @param transport The key goes to its own origin only
 * @param signal Cancels the download; the part stays
 * @returns Headers of the last answer, and whether the length of the file was stated
 * @returns Headers of the last answer, and whether a truncated file would have been noticed, `proven`
 * @throws {NetworkError} If it cannot be reached, or breaks off without progress
 * @throws {OrderFailedError} If the address is no longer valid
 * @throws {DataFormatError} If it is larger than the connection allows, or contains the key: its part is useless then
 */
export async function fetchFile(
  transport: Transport,
  url: string,
  part: PartFile,
  signal: AbortSignal | undefined,
) {
  using progress = startProgress("Download", { unit: "bytes", silent: !transport.progress });
  if (!URL.canParse(url)) {
    throw new NetworkError("Cannot download the order: its address is not a URL", {
      hint: "Use downloadClimate()",
    });
  }
  const shown = redactFileUrl(url);
  let shownBytes = 0;
  let framed = false;
  let joined = false;
  const read = async (body: Body): Promise<boolean> => {
    const { status, headers } = body;
    if (isPacked(headers)) {
      throw new NetworkError(`Cannot fetch ${shown}: it came compressed, though not requested`, {
        url: shown,
        hint: "Try again later",
      });
    }
    if (status === STATUS_CODE.PartialContent) {
      const range = parseContentRange(headers);
      const fits = part.resumable && range?.start === part.size &&
        (part.total ?? range.total) === range.total &&
        readStrongTag(headers) === part.tag;
      if (!fits) {
        throw new OtherFileError(
          `Cannot fetch ${shown}: it sent another part than requested`,
        );
      }
      assertSize(range.total, transport.maxDownload, shown);
      part.expect(range.total);
      joined = true;
    } else if (status === STATUS_CODE.OK) {
      assertSize(readAnnouncedSize(headers), transport.maxDownload, shown);
      await part.begin(readFileFacts(headers));
      joined = false;
    } else return false;
    if (part.total !== null) progress.total(part.total);
    progress.advance(part.size - shownBytes);
    shownBytes = part.size;
    framed = body.framed;
    for await (const bytes of assertNoKey(body.parts, transport, shown)) {
      const size = part.size + bytes.length;
      assertSize(size, transport.maxDownload, shown);
      if (size > (part.total ?? Infinity)) {
        throw new OtherFileError(`Cannot fetch ${shown}: it sent more than it announced`);
      }
      await part.write(bytes);
      progress.advance(bytes.length);
      shownBytes += bytes.length;
    }
    if (!part.isWhole()) return false;
    if (framed || part.total !== null) await assertSameContent(part, headers, joined, shown);
    return true;
  };
  let restarts = 0;
  while (true) {
    const before = part.size;
    try {
      const { status, headers, value: whole } = await sendWithRetries(transport, {
        url,
        shown,
        headers: () => part.rangeHeaders(),
        safe: true,
        signal,
      }, read);
      if (whole) return { headers, proven: framed || part.total !== null };
      if (status === STATUS_CODE.RangeNotSatisfiable && restarts++ === 0) {
        await part.begin({ tag: null, total: null });
        continue;
      }
      throw buildFetchError(status, shown, part);
    } catch (error) {
      if (error instanceof OtherFileError) {
        if (restarts++ > 0) throw new NetworkError(error.message, { url: shown, cause: error });
        await part.begin({ tag: null, total: null });
        continue;
      }
      const passes = error instanceof NetworkError || error instanceof TimeoutError;
      if (!passes || part.size <= before || signal?.aborted) throw error; // no progress
    }
  }
}

function buildFetchError(status: number, url: string, part: PartFile): Error {
  if (status === STATUS_CODE.OK || status === STATUS_CODE.PartialContent) {
    const message = `Cannot fetch ${url}: it has ${part.size} bytes instead of ${part.total}`;
    return new NetworkError(message, { url, hint: "Try again later" });
  }
  const message = `Cannot download the order: ${url} answered ${status}`;
  if (status === STATUS_CODE.Unauthorized) {
    const hint = "Renew the licence or the key; the order stays placed, the same call joins it";
    return new LicenceError(message, { status, url, hint });
  }
  if (status === STATUS_CODE.NotAcceptable || status === STATUS_CODE.TooManyRequests) {
    const hint = "Wait until other downloads are done; the order stays placed";
    return new TooManyRequestsError(message, { status, url, hint });
  }
  if (status >= 500 || status === STATUS_CODE.RequestTimeout) {
    const hint = "Try again later; the order stays placed";
    return new ServiceError(message, { status, url, hint });
  }
  return new OrderFailedError(`Cannot download the order: its address ${url} answered ${status}`, {
    status,
    url,
    hint: "Get its status again: the service may give another address",
  });
}
