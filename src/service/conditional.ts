import { ifNoneMatch } from "@std/http/etag";
import { STATUS_CODE } from "@std/http/status";
import { sha256 } from "../home/sha256.ts";

/** Characters of a hash that tell bodies apart. */
const TAG_LENGTH = 32;

/**
 * An answer with a strong entity tag, or 304 where the client has the same already (RFC 9110, section 13.1.2). A streamed
 * body brings its tag; of a small one it is the hash.
 *
 * @param request What was asked
 * @param answer The answer
 */
export async function conditional(request: Request, answer: Response): Promise<Response> {
  const secret = answer.headers.get("cache-control") === "no-store";
  if (answer.status !== STATUS_CODE.OK || secret) return answer;
  const known = answer.headers.get("etag");
  const whole = known ? undefined : new Uint8Array(await answer.arrayBuffer());
  const etag = known ?? `"${sha256(whole!).slice(0, TAG_LENGTH)}"`;
  const headers = new Headers(answer.headers);
  headers.set("etag", etag);
  // The same address answers each licence for itself: nobody in between may keep it.
  headers.set("cache-control", "private, no-cache");
  if (ifNoneMatch(request.headers.get("if-none-match"), etag)) {
    return new Response(whole ?? answer.body, { headers });
  }
  if (!whole) await answer.body?.cancel();
  headers.delete("content-length");
  headers.delete("content-type");
  return new Response(null, { status: STATUS_CODE.NotModified, headers });
}
