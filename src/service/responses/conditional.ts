import { ifMatch, ifNoneMatch } from "@std/http/etag";
import { STATUS_CODE } from "@std/http/status";
import { buildProblem } from "./refusal.ts";

/**
 * Refuses a request that wants another answer by its tag (RFC 9110, section 13.1.1): the first of its conditions.
 *
 * @returns The refusal, with 412; `undefined` where the request is accepted
 */
export function refuseOtherTag(headers: Headers, etag: string): Response | undefined {
  const wanted = headers.get("if-match");
  if (wanted === null || ifMatch(wanted, etag)) return undefined;
  return buildProblem(
    STATUS_CODE.PreconditionFailed,
    "The answer has none of the tags in If-Match, so it has changed. Ask for it without If-Match",
    { etag },
  );
}

/**
 * Sends an answer with an entity tag, or 304 where the client has the same already (RFC 9110, section 13.1.2), or 412
 * where it wants another one. Answers without a tag are unchanged: those to orders, and those with a key.
 */
export async function answerConditionally(request: Request, answer: Response): Promise<Response> {
  const etag = answer.headers.get("etag");
  if (answer.status !== STATUS_CODE.OK || !etag) return answer;
  const refusal = refuseOtherTag(request.headers, etag);
  if (refusal) {
    await answer.body?.cancel();
    return refusal;
  }
  // The same address has another answer for each licence: shared caches may not store it. Public answers say so themselves.
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
