import { openApi } from "../../api/openapi/openapi.ts";
import { CONTACT } from "../../api/operations/operation_errors.ts";
import { answerConditionally, buildTaggedText } from "../responses/http_headers.ts";

/** Path of the OpenAPI document. */
export const OPENAPI_PATH = "/openapi.json";

/**
 * Creates the answer with the OpenAPI document of this service, or with 304 if the client has it already. The document
 * names the origin of the requested address as the server.
 *
 * @param options `publicBase`: address to name as the server instead; `contact`: whom to contact for a licence
 */
export function createOpenApiRoute(
  { publicBase, contact = CONTACT }: { publicBase?: string; contact?: string } = {},
): (context: { req: { raw: Request } }) => Promise<Response> {
  const named = (_: string, value: unknown) =>
    typeof value === "string" ? value.replaceAll(CONTACT, () => contact) : value;
  // Keep only the document of the latest address: clients choose the address, and could fill the memory.
  let last: { readonly origin: string; readonly body: string } | undefined;
  return async ({ req: { raw: request } }) => {
    const origin = publicBase ?? new URL(request.url).origin;
    if (last?.origin !== origin) last = { origin, body: JSON.stringify(openApi(origin), named) };
    const headers = { "content-type": "application/json" };
    return await answerConditionally(request, buildTaggedText(last.body, headers));
  };
}
