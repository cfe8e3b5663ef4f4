import { ifNoneMatch } from "@std/http/etag";
import { STATUS_CODE } from "@std/http/status";
import { byteRange, contentRange } from "./byte_range.ts";
import type { ServiceParts } from "./call.ts";
import { originHeaders } from "./origin_headers.ts";
import { problem } from "./refusal.ts";
import { streamSlice } from "./stream_slice.ts";

/**
 * The file of a climate order at its download address. Files never change and are named by the hash of their content:
 * that hash is their strong tag, so that a download can be taken up where it broke off.
 *
 * @param parts What the answer draws on
 * @param token The unguessable part of the address
 * @param request Headers of the request
 */
export async function orderFile(
  { store, files, orders }: ServiceParts,
  token: string,
  request: Headers,
): Promise<Response> {
  const order = await orders.ofToken(token);
  if (!order) {
    return problem(STATUS_CODE.NotFound, "This download address does not hold (any more)");
  }
  const { id, file, serviceId } = order;
  const etag = `"${file.slice(0, file.lastIndexOf("."))}"`;
  const headers = {
    ...await originHeaders(store, [serviceId]),
    etag,
    "accept-ranges": "bytes",
    "cache-control": "private, no-transform", // a proxy that compresses would change tag and parts
  };
  if (!ifNoneMatch(request.get("if-none-match"), etag)) {
    return new Response(null, { status: STATUS_CODE.NotModified, headers });
  }
  const path = files.path(file);
  const { size } = await Deno.stat(path);
  // Strong comparison: a weak tag or a date never matches, and then the part may be one of another file.
  const sameFile = [null, etag].includes(request.get("if-range"));
  const range = sameFile ? byteRange(request.get("range"), size) : undefined;
  if (range === "unsatisfiable") {
    return problem(STATUS_CODE.RangeNotSatisfiable, `The file has ${size} bytes`, {
      ...headers,
      "content-range": `bytes */${size}`,
    });
  }
  const { from, to } = range ?? { from: 0, to: size };
  const onEnd = to === size ? () => orders.delivered(id) : undefined;
  return new Response(streamSlice(path, from, to, onEnd), {
    status: range ? STATUS_CODE.PartialContent : STATUS_CODE.OK,
    headers: {
      ...headers,
      "content-type": file.endsWith(".zip") ? "application/zip" : "text/tab-separated-values",
      "content-length": String(to - from),
      "content-disposition": `attachment; filename="${file}"`,
      ...(range ? { "content-range": contentRange(range, size) } : {}),
    },
  });
}
