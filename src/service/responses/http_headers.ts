import { ifMatch, ifNoneMatch } from "@std/http/etag";
import { STATUS_CODE } from "@std/http/status";
import { buildProblem } from "./refusal.ts";
import { sha256 } from "../../disk/hashes.ts";

/** Characters of a hash that distinguish bodies. */
const TAG_LENGTH = 32;

/** Hashes a text, shortened to what distinguishes bodies. */
export function hashText(text: string): string {
  return sha256(text).slice(0, TAG_LENGTH);
}

/** Builds an answer with a strong entity tag, which is the hash of its text. */
export function buildTaggedText(text: string, headers: Readonly<Record<string, string>>): Response {
  const etag = `"${hashText(text)}"`;
  return new Response(text, { headers: { ...headers, etag } });
}

/** Builds a JSON answer with a strong entity tag. */
export function buildTaggedJson(
  value: unknown,
  headers: Readonly<Record<string, string>> = {},
): Response {
  return buildTaggedText(JSON.stringify(value), { ...headers, "content-type": "application/json" });
}

/**
 * Refuses a request whose If-Match names another tag (RFC 9110, section 13.1.1): the first condition to check.
 *
 * @returns The refusal, with 412; `undefined` if the request is accepted
 */
export function refuseOtherTag(headers: Headers, etag: string): Response | undefined {
  const wantedTags = headers.get("if-match");
  if (wantedTags === null || ifMatch(wantedTags, etag)) return undefined;
  return buildProblem(
    STATUS_CODE.PreconditionFailed,
    "The answer has changed: its tag is not in If-Match. Request it without If-Match",
    { etag },
  );
}

/**
 * Sends an answer with an entity tag, or 304 if the client has the same already (RFC 9110, section 13.1.2), or 412
 * if it requires another one. Answers without a tag, such as orders and keys, are unchanged.
 */
export async function answerConditionally(request: Request, answer: Response): Promise<Response> {
  const etag = answer.headers.get("etag");
  if (answer.status !== STATUS_CODE.OK || !etag) return answer;
  const refusal = refuseOtherTag(request.headers, etag);
  if (refusal) {
    await answer.body?.cancel();
    return refusal;
  }
  // Each licence gets another answer at the same address, so shared caches must not store it. Public answers set the header themselves.
  if (!answer.headers.has("cache-control")) {
    answer.headers.set("cache-control", "private, no-cache");
  }
  if (ifNoneMatch(request.headers.get("if-none-match"), etag)) return answer;
  await answer.body?.cancel();
  const headers = new Headers(answer.headers);
  headers.delete("content-length");
  headers.delete("content-type");
  return new Response(null, { status: STATUS_CODE.NotModified, headers });
}

/**
 * Whether an `Accept-Encoding` header takes gzip (RFC 9110, section 12.5.3).
 *
 * @param header Value of the header; `null` if there is none
 */
export function acceptsGzip(header: string | null): boolean {
  const weights = new Map(
    (header ?? "").toLowerCase().split(",").map((entry) => {
      const [coding, ...parameters] = entry.split(";").map((part) => part.trim());
      const weight = parameters.find((parameter) => parameter.startsWith("q="));
      return [coding, weight === undefined ? 1 : Number(weight.slice(2))] as const;
    }),
  );
  return (weights.get("gzip") ?? weights.get("*") ?? 0) > 0;
}

/** A part of a file. */
interface ByteRange {
  /** First byte. */
  readonly from: number;
  /** Position after the last byte. */
  readonly to: number;
}

/**
 * Reads the part that a `Range` header requests (RFC 9110, 14.2).
 *
 * @param size Size of the whole, bytes
 * @returns The part; "unsatisfiable" if it is outside of the file; `undefined` if the whole file is the answer: no header,
 * another unit, several parts, or not a range
 */
export function readByteRange(
  header: string | null | undefined,
  size: number,
): ByteRange | "unsatisfiable" | undefined {
  const match = /^bytes=[ \t]*(\d*)-(\d*)[ \t]*$/i.exec(header ?? "");
  if (!match) return undefined;
  const [, first, last] = match;
  if (first === "") {
    if (last === "") return undefined;
    const length = Number(last); // a suffix: that many last bytes
    return length === 0 || size === 0
      ? "unsatisfiable"
      : { from: Math.max(0, size - length), to: size };
  }
  const from = Number(first);
  const to = last === "" ? size : Math.min(Number(last) + 1, size);
  if (last !== "" && Number(last) < from) return undefined;
  return from >= size ? "unsatisfiable" : { from, to };
}

/** The `Content-Range` of a part. */
export function formatContentRange({ from, to }: ByteRange, size: number): string {
  return `bytes ${from}-${to - 1}/${size}`;
}
