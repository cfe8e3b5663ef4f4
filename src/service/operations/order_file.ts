import { expired } from "../../api/operations/operation_errors.ts";
import { ifNoneMatch } from "@std/http/etag";
import { STATUS_CODE } from "@std/http/status";
import { buildOriginHeaders, type ServiceParts } from "./call.ts";
import { coversDataset, hasEnded, LOCAL_LICENCE } from "../licences/licences.ts";
import {
  describeClimateFile,
  mediaTypeOf,
  readClimateRequest,
} from "../fulfilment/climate_delivery.ts";
import { formatContentRange, readByteRange, refuseOtherTag } from "../responses/http_headers.ts";
import { buildProblem } from "../responses/refusal.ts";
import type { Order } from "../../storage/store/orders.ts";
import type { Store } from "../../storage/store/store.ts";
import { streamSlice } from "../responses/stream_slice.ts";
import { sitesOf } from "../../sites/keep/sites.ts";

function refuseAddress(): Response {
  return buildProblem(STATUS_CODE.NotFound, "This download address is unknown or has expired");
}

/**
 * The refusal if an order's licence no longer covers its file: the address needs no key, but it ends with the licence.
 */
async function findRefusal(
  store: Store,
  { serialNumber, serviceId }: Order,
): Promise<Response | undefined> {
  const licence = serialNumber === LOCAL_LICENCE.serialNumber
    ? LOCAL_LICENCE
    : await store.licences.get(serialNumber);
  if (!licence || !coversDataset(licence, serviceId)) return refuseAddress();
  return hasEnded(licence.expires)
    ? buildProblem(expired.status, `${expired.condition}: the licence ended on ${licence.expires}`)
    : undefined;
}

/**
 * Answers with the file of a climate order at its download address. Files never change and are named by the hash of their content:
 * that hash is their strong tag, so a client can resume a download. A missing or damaged file is built again.
 *
 * @param token The unguessable part of the address
 * @param request Headers of the request
 */
export async function answerOrderFile(
  { store, files, orders }: Pick<ServiceParts, "store" | "files" | "orders">,
  token: string,
  request: Headers,
): Promise<Response> {
  const order = await orders.findByToken(token);
  if (!order) return refuseAddress();
  const refusal = await findRefusal(store, order);
  if (refusal) return refusal;
  const { id, file, parameters } = order;
  const climateRequest = readClimateRequest(parameters);
  const { name, attribution } = await describeClimateFile(sitesOf(store), climateRequest);
  const etag = `"${file.slice(0, file.lastIndexOf("."))}"`;
  const headers = {
    ...await buildOriginHeaders(store, { attribution }),
    etag,
    "accept-ranges": "bytes",
    "cache-control": "private, no-transform", // a proxy that compresses would change tag and parts
  };
  const mismatch = refuseOtherTag(request, etag);
  if (mismatch) return mismatch;
  if (!ifNoneMatch(request.get("if-none-match"), etag)) {
    return new Response(null, { status: STATUS_CODE.NotModified, headers });
  }
  const stored = await files.findSound(file) ??
    (await orders.rebuild(order) ? await files.findSound(file) : undefined);
  if (!stored) {
    const problem =
      "The file of this order is missing, and its data have changed. Place the order again";
    return buildProblem(STATUS_CODE.NotFound, problem);
  }
  const { size } = stored;
  // Strong comparison: a weak tag or a date does not prove that the part belongs to the same file.
  const sameFile = [null, etag].includes(request.get("if-range"));
  const range = sameFile ? readByteRange(request.get("range"), size) : undefined;
  if (range === "unsatisfiable") {
    return buildProblem(STATUS_CODE.RangeNotSatisfiable, `The file has ${size} bytes`, {
      ...headers,
      "content-range": `bytes */${size}`,
    });
  }
  const { from, to } = range ?? { from: 0, to: size };
  const onEnd = to === size ? () => orders.markDelivered(id) : undefined;
  return new Response(streamSlice(stored, from, to, { turn: order.serialNumber, onEnd }), {
    status: range ? STATUS_CODE.PartialContent : STATUS_CODE.OK,
    headers: {
      ...headers,
      "content-type": mediaTypeOf(climateRequest.filetype),
      "content-length": String(to - from),
      "content-disposition": `attachment; filename="${name}"`,
      ...(range ? { "content-range": formatContentRange(range, size) } : {}),
    },
  });
}
