import type { Call } from "./call.ts";
import { originHeaders } from "../responses/origin_headers.ts";

/**
 * Headers of figures as CSV: where they come from, and what they are.
 *
 * @param call The request
 * @param serviceId Dataset that the figures rest on
 */
export async function csvHeaders(call: Call, serviceId: string): Promise<Record<string, string>> {
  return {
    ...await originHeaders(call.store, [serviceId]),
    "content-type": "text/csv; charset=utf-8",
  };
}
