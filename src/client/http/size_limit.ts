import { DataFormatError } from "../../api/errors.ts";
import type { Body } from "./body.ts";

/** Largest body of an answer where a connection sets no other limit, bytes: several times the longest record of a point. */
export const MAX_DOWNLOAD = 1_000_000_000;

/** A body that is larger than the connection allows: no retry makes it smaller. */
export class SizeLimitError extends DataFormatError {
  override name = "DataFormatError"; // the class that callers check for
}

/**
 * Refuses a size that is larger than the connection allows.
 *
 * @param size Announced or received so far, bytes; `null` if unknown
 * @param limit Largest size, bytes
 * @param url Address, without secrets
 * @throws {SizeLimitError} If it is larger
 */
export function assertSize(size: number | null, limit: number, url: string): void {
  if (size === null || size <= limit) return;
  throw new SizeLimitError(
    `Cannot download ${url}: it has ${size} bytes or more, at most ${limit} are allowed`,
    { url, hint: "If that is right, raise maxDownload of connect(); nothing of it was kept" },
  );
}

/** Size of a body that its headers announce, bytes; of a compressed one less than it unpacks to; `null` if none. */
export function readAnnouncedSize(headers: Headers): number | null {
  const length = headers.get("content-length");
  return length === null ? null : Number(length);
}

/**
 * Passes the parts of a body on, as long as they are not more than the connection allows.
 *
 * @param limit Largest size, bytes
 * @param url Address, without secrets
 * @throws {SizeLimitError} If the body announces more, before anything is read, or sends more
 */
export async function* limitParts(
  { headers, parts }: Body,
  limit: number,
  url: string,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  assertSize(readAnnouncedSize(headers), limit, url);
  let received = 0;
  for await (const part of parts) {
    assertSize(received += part.length, limit, url);
    yield part;
  }
}
