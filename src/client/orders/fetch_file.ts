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
import { hashFile, sha256 } from "../../disk/hashes.ts";
import { assertWholeFile } from "../../frames/files/archive.ts";
import { sendWithRetries } from "../http/retries.ts";
import { assertSize, type Body, readAnnouncedSize } from "../http/body.ts";
import { assertNoKey, redactFileUrl } from "../http/redaction.ts";
import type { Transport } from "../http/transport.ts";
import { delay } from "@std/async";
import { z } from "zod";
import { SideFile, writeAtomically } from "../../disk/side_file.ts";
import { prepareDownloadsFolder, refuseDisk } from "../../disk/private_path.ts";

/**
 * The received bytes do not continue the file on the disk, or do not complete it; the whole file is then fetched, once.
 */
class OtherFileError extends DataFormatError {
  override name = "DataFormatError"; // the class that callers check for
}

/** Start of the bytes in a 206 answer and length of the whole file; `undefined` if the header does not state both. */
function parseContentRange(headers: Headers): { start: number; total: number } | undefined {
  const match = /^bytes (\d+)-\d+\/(\d+)$/.exec(headers.get("content-range") ?? "");
  return match ? { start: Number(match[1]), total: Number(match[2]) } : undefined;
}

/** The entity tag if it is strong; a weak one does not promise the same bytes. */
function readStrongTag(headers: Headers): string | null {
  const tag = headers.get("etag");
  return tag && /^"[^"]*"$/.test(tag) ? tag : null;
}

/** Whether a body was compressed although we did not accept that: its bytes are then not the file's. */
function isPacked(headers: Headers): boolean {
  return (headers.get("content-encoding") ?? "identity") !== "identity";
}

/** Tag and length of the file in an answer with all of it. */
function readFileFacts(headers: Headers): FileFacts {
  return { tag: readStrongTag(headers), total: readAnnouncedSize(headers) };
}

/**
 * Checks the content of a complete file. The tags of our own service are hashes; if another
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
  safeUrl: string,
): Promise<void> {
  const hash = headers.has(WORLD_HEADER) ? /^"([0-9a-f]{64})"$/.exec(tag ?? "")?.[1] : undefined;
  if (hash !== undefined && await hashFile(path) !== hash) {
    const problem =
      `Cannot use ${safeUrl}: its content does not match its checksum (ETag), so the file is probably damaged`;
    if (joined) throw new OtherFileError(problem);
    throw new DataFormatError(problem, { url: safeUrl, hint: "Download the file again" });
  }
  if (hash !== undefined || !joined) return;
  await assertWholeFile(path, safeUrl, true).catch((cause) => {
    throw cause instanceof DataFormatError ? new OtherFileError(cause.message, { cause }) : cause;
  });
}

/**
 * Fetches a file into its part on the disk. It continues where an earlier try ended, if the answer proves by a strong tag
 * that the file is still the same. Otherwise, or if the parts do not make the file, it begins again.
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
  const safeUrl = redactFileUrl(url);
  let shownBytes = 0;
  let framed = false;
  let joined = false;
  const read = async (body: Body): Promise<boolean> => {
    const { status, headers } = body;
    if (isPacked(headers)) {
      throw new NetworkError(
        `Cannot fetch ${safeUrl}: the service compressed the file, although compression was not requested`,
        {
          url: safeUrl,
          hint: "Try again later",
        },
      );
    }
    if (status === STATUS_CODE.PartialContent) {
      const range = parseContentRange(headers);
      const fits = part.resumable && range?.start === part.size &&
        (part.total ?? range.total) === range.total &&
        readStrongTag(headers) === part.tag;
      if (!fits) {
        throw new OtherFileError(
          `Cannot fetch ${safeUrl}: the service sent a part that does not continue the earlier one. Try again later`,
        );
      }
      assertSize(range.total, transport.maxDownload, safeUrl);
      part.expect(range.total);
      joined = true;
    } else if (status === STATUS_CODE.OK) {
      assertSize(readAnnouncedSize(headers), transport.maxDownload, safeUrl);
      await part.begin(readFileFacts(headers));
      joined = false;
    } else return false;
    if (part.total !== null) progress.total(part.total);
    progress.advance(part.size - shownBytes);
    shownBytes = part.size;
    framed = body.framed;
    for await (const bytes of assertNoKey(body.parts, transport, safeUrl)) {
      const size = part.size + bytes.length;
      assertSize(size, transport.maxDownload, safeUrl);
      if (size > (part.total ?? Infinity)) {
        throw new OtherFileError(
          `Cannot fetch ${safeUrl}: the service sent more bytes than it announced. Try again later`,
        );
      }
      await part.write(bytes);
      progress.advance(bytes.length);
      shownBytes += bytes.length;
    }
    if (!part.isWhole()) return false;
    if (framed || part.total !== null) await assertSameContent(part, headers, joined, safeUrl);
    return true;
  };
  let restarts = 0;
  while (true) {
    const before = part.size;
    try {
      const { status, headers, value: isWhole } = await sendWithRetries(transport, {
        url,
        safeUrl,
        headers: () => part.rangeHeaders(),
        safe: true,
        signal,
      }, read);
      if (isWhole) return { headers, proven: framed || part.total !== null };
      if (status === STATUS_CODE.RangeNotSatisfiable && restarts++ === 0) {
        await part.begin({ tag: null, total: null });
        continue;
      }
      throw buildFetchError(status, safeUrl, part);
    } catch (error) {
      if (error instanceof OtherFileError) {
        if (restarts++ > 0) throw new NetworkError(error.message, { url: safeUrl, cause: error });
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
    const message = `Cannot fetch ${url}: only ${part.size} of ${part.total} bytes arrived`;
    return new NetworkError(message, { url, hint: "Try again later" });
  }
  const message = `Cannot download the order: ${url} answered ${status}`;
  if (status === STATUS_CODE.Unauthorized) {
    const hint =
      "Renew the licence or the key. Vindkit did not cancel the order, and the same call continues it";
    return new LicenceError(message, { status, url, hint });
  }
  if (status === STATUS_CODE.NotAcceptable || status === STATUS_CODE.TooManyRequests) {
    const hint = "Wait until other downloads have ended. Vindkit did not cancel the order";
    return new TooManyRequestsError(message, { status, url, hint });
  }
  if (status >= 500 || status === STATUS_CODE.RequestTimeout) {
    const hint = "Try again later. Vindkit did not cancel the order";
    return new ServiceError(message, { status, url, hint });
  }
  return new OrderFailedError(`Cannot download the order: its address ${url} answered ${status}`, {
    status,
    url,
    hint: "Get the status of the order again. The service may give another address",
  });
}

/** Pause before the next try to lock a part, ms. */
const LOCK_PAUSE = 100;

/** Facts about the complete file. */
export interface FileFacts {
  /** Strong entity tag; `null` if there is none: then a part cannot be continued. */
  readonly tag: string | null;
  /** Bytes of the complete file; `null` if unknown. */
  readonly total: number | null;
}

const fileFactsSchema: z.ZodType<FileFacts> = z.strictObject({
  tag: z.string().nullable(),
  total: z.int().min(0).nullable(),
});

/** A download as it grows on the disk; it can continue after an interruption or a crash. */
export class PartFile {
  /** Path of the incomplete file. */
  readonly path: string;
  readonly #lock: Deno.FsFile;
  readonly #file: Deno.FsFile;
  #known: FileFacts;
  #size: number;

  private constructor(
    path: string,
    lock: Deno.FsFile,
    file: Deno.FsFile,
    known: FileFacts,
    size: number,
  ) {
    this.path = path;
    this.#lock = lock;
    this.#file = file;
    this.#known = known;
    this.#size = size;
  }

  /**
   * Opens the part of a download, and waits while another process uses it.
   *
   * @param name Name of the download; equal names have the same part
   */
  static async open(home: string, name: string, signal?: AbortSignal): Promise<PartFile> {
    const folder = await prepareDownloadsFolder(home);
    const path = `${folder}/${sha256(name).slice(0, 32)}.part`;
    const options = { read: true, write: true, create: true, mode: 0o600 };
    const lock = await Deno.open(`${path}.lock`, options);
    try {
      while (!await lock.tryLock(true)) {
        await delay(LOCK_PAUSE, signal ? { signal } : {});
      }
      const facts = await readStoredFacts(`${path}.json`);
      const file = await Deno.open(path, options);
      try {
        const { size } = await file.stat();
        const part = new PartFile(path, lock, file, facts, size);
        // More bytes than the file has, or bytes of an unknown file, are useless.
        if (!part.resumable || facts.total !== null && size > facts.total) {
          await part.begin(NOTHING);
        }
        return part;
      } catch (error) {
        file.close();
        throw error;
      }
    } catch (error) {
      lock.close();
      throw error;
    }
  }

  /** Bytes that are on the disk. */
  get size(): number {
    return this.#size;
  }

  /** Bytes of the complete file; `null` if unknown. */
  get total(): number | null {
    return this.#known.total;
  }

  /** Strong entity tag of the complete file; `null` if there is none. */
  get tag(): string | null {
    return this.#known.tag;
  }

  /** Whether the download can continue where it ended. */
  get resumable(): boolean {
    return this.#size > 0 && this.tag !== null;
  }

  /** Whether all bytes are there; true if the length is unknown. */
  isWhole(): boolean {
    return this.total === null || this.#size === this.total;
  }

  /** Headers that request the rest, if it is still the same file. */
  rangeHeaders(): Record<string, string> {
    return {
      "accept-encoding": "identity", // a range counts the bytes as they are on the wire
      ...(this.resumable ? { range: `bytes=${this.#size}-`, "if-range": this.tag! } : {}),
    };
  }

  /** Empties the file and begins again. The facts about it are on the disk before its first byte. */
  async begin(known: FileFacts): Promise<void> {
    await onDisk(async () => {
      await this.#file.truncate(0);
      await this.#file.seek(0, Deno.SeekMode.Start);
      this.#size = 0;
      this.#known = known;
      await writeAtomically(`${this.path}.json`, new TextEncoder().encode(JSON.stringify(known)));
    });
  }

  /** Sets the length of the complete file, which a partial answer states. */
  expect(total: number): void {
    this.#known = { ...this.#known, total };
  }

  /** Appends bytes. */
  async write(bytes: Uint8Array): Promise<void> {
    await onDisk(async () => {
      await this.#file.seek(this.#size, Deno.SeekMode.Start);
      for (let written = 0; written < bytes.length;) {
        const count = await this.#file.write(bytes.subarray(written));
        written += count;
        this.#size += count;
      }
    });
  }

  /** Moves the complete file to another path in one step. */
  async moveTo(path: string): Promise<void> {
    await onDisk(async () => {
      await this.#file.sync();
      await moveFile(this.path, path);
      await this.#forget();
    });
  }

  /** Removes the file, which was read or is useless. */
  async remove(): Promise<void> {
    await Deno.remove(this.path).catch(() => {}); // it may have been moved
    await this.#forget();
  }

  /** Closes and unlocks the file; the bytes that it has stay. */
  [Symbol.dispose](): void {
    this.#file.close();
    this.#lock.close();
  }

  async #forget(): Promise<void> {
    await Deno.remove(`${this.path}.json`).catch(() => {}); // it may be missing
  }
}

async function onDisk(act: () => Promise<void>): Promise<void> {
  await act().catch(refuseDisk);
}

const NOTHING: FileFacts = { tag: null, total: null };

async function readStoredFacts(path: string): Promise<FileFacts> {
  try {
    return fileFactsSchema.parse(JSON.parse(await Deno.readTextFile(path)));
  } catch {
    return NOTHING; // missing, or of another version: the download begins again
  }
}

/** Renames a file; to another disk it is copied first. */
async function moveFile(from: string, to: string): Promise<void> {
  try {
    await Deno.rename(from, to);
  } catch (error) {
    if ((error as { code?: string }).code !== "EXDEV") throw error;
    await using side = await SideFile.create(to);
    for await (const part of (await Deno.open(from)).readable) await side.write(part);
    await side.commit(to);
    await Deno.remove(from);
  }
}
