import { ifNoneMatch } from "@std/http/etag";
import { STATUS_CODE } from "@std/http/status";

/**
 * An answer that has an entity tag, or 304 where the client has the same already (RFC 9110, section 13.1.2). Answers
 * without a tag stay as they are: those to orders, whose asking does something, and those that hold a key.
 *
 * @param request What was asked
 */
export async function answerConditionally(request: Request, answer: Response): Promise<Response> {
  const etag = answer.headers.get("etag");
  if (answer.status !== STATUS_CODE.OK || !etag) return answer;
  // The same address answers each licence for itself: nobody in between may keep it. What is for all says so itself.
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
