import { operations } from "../../api/operations/operations.ts";
import { pathOf } from "../limits/request_limits.ts";
import { SIGN_IN_PATH, SIGN_OUT_PATH } from "../pages/addresses.ts";
import { refuseMethod } from "../responses/refusal.ts";
import { nameRequest } from "./request_name.ts";

/** What a GET of changes: an order is placed, a key issued, a token used up. */
const changing = new Set(operations.filter(({ changes }) => changes).map<string>(({ id }) => id));

/** The same of addresses that are no operation. */
const changingPaths: readonly string[] = [SIGN_IN_PATH, SIGN_OUT_PATH];

/**
 * Refuses a request by its method: HEAD is answered wherever GET changes nothing, other methods nowhere.
 *
 * @returns The refusal, with 405; `undefined` where the request is accepted
 */
export function refuseByMethod(request: Request): Response | undefined {
  const { method } = request;
  if (method === "GET") return undefined;
  const path = pathOf(request);
  const changes = changing.has(nameRequest(path)) || changingPaths.includes(path);
  return changes || method !== "HEAD" ? refuseMethod(method, changes) : undefined;
}

/** The same answer as to a GET without its body, whose length is stated as there: not of one that is made as it is sent. */
export async function withoutBody(answer: Response): Promise<Response> {
  const { status, body } = answer;
  const headers = new Headers(answer.headers);
  if (body && !headers.has("content-length")) {
    const length = await measureWhole(body);
    // Without any body the runtime would state a length of 0.
    if (length === undefined) return new Response(ReadableStream.from([]), { status, headers });
    headers.set("content-length", String(length));
  } else await body?.cancel();
  return new Response(null, { status, headers });
}

/** Bytes of a body that is whole already, and so has one part; `undefined` where more of them follow. */
async function measureWhole(body: ReadableStream<Uint8Array>): Promise<number | undefined> {
  const reader = body.getReader();
  const first = await reader.read();
  if (first.done) return 0;
  if ((await reader.read()).done) return first.value.length;
  await reader.cancel();
}
