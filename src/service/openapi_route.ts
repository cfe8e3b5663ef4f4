import { openApi } from "../api/openapi.ts";
import { conditional } from "./conditional.ts";
import { taggedText } from "./tagged.ts";

/** Path of the OpenAPI document. */
export const OPENAPI_PATH = "/openapi.json";

/**
 * Answers with the OpenAPI document of this service, or with 304 where the client has it already. The document names
 * the origin of the address asked as the server.
 */
export function openApiRoute(): (asked: { req: { raw: Request } }) => Promise<Response> {
  // One, of the address asked last: whoever asks chooses the address, and could fill the memory with more.
  let last: { readonly origin: string; readonly body: string } | undefined;
  return async ({ req: { raw: request } }) => {
    const { origin } = new URL(request.url);
    if (last?.origin !== origin) last = { origin, body: JSON.stringify(openApi(origin)) };
    const headers = { "content-type": "application/json" };
    return await conditional(request, taggedText(last.body, headers));
  };
}
