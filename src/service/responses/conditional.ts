import { ifNoneMatch } from "@std/http/etag";
import { STATUS_CODE } from "@std/http/status";

/**
 * Sends an answer with an entity tag, or 304 where the client has the same already (RFC 9110, section 13.1.2). Answers
 * without a tag are unchanged: those to orders, and those with a key.
 */
export async function answerConditionally(request: Request, answer: Response): Promise<Response> {
  const etag = answer.headers.get("etag");
  if (answer.status !== STATUS_CODE.OK || !etag) return answer;
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
