import {
  type CallOptions,
  callOptions,
  type InnerOptions,
  resolveConnection,
} from "../connection/default_connection.ts";
import { DataFormatError } from "../../api/errors.ts";
import { KNOWN_SCHEMES, readWebAddress } from "../http/address.ts";
import { parseJson } from "../http/body.ts";
import { fetchAnswer } from "../http/fetch_answer.ts";
import { checkCall } from "../../api/operations/request_path.ts";
import { readOptions } from "../../show/options/read_options.ts";

/** Status of a climate order. */
export interface OrderStatus {
  /** Status of the service, lower case; `ready` if it gave an address instead. */
  readonly state: string;
  /** Address to download from, once there is one. */
  readonly url?: string;
}

/** Longest status, characters; the rest is cut off. */
const MAX_WORD = 200;

/** An address, absolute or relative, as `files/o-1.zip`; a word such as `error: no disk` or `3/10` is none. */
const ADDRESS = new RegExp(
  `^([a-z][a-z0-9+.-]*://|(https?:|${
    KNOWN_SCHEMES.join("|")
  })\\S|\\.{0,2}[/\\\\]|\\S+/[^\\s/]+\\.[a-z]\\w*$)`,
  "i",
);

/**
 * Status of a climate order. The API text does not show its exact form: it is read in any case, quoted or bare, and
 * unknown words are shown.
 *
 * @param orderId Identifier of the order
 * @param options Connection and signal
 * @throws {NotFoundError} If the licence has no such order
 * @throws {DataFormatError} If it gives an address that is neither https nor http
 *
 * @example
 * ```ts
 * import { orderStatus, placeOrder } from "@vindkit/vindkit";
 *
 * const place = { latitude: 55.5, longitude: 7.75, from: 2023, to: 2023 };
 * const order = await placeOrder("era5", place);
 * console.log((await orderStatus(order.id)).state);
 * await order.wait();
 * ```
 */
export async function orderStatus(
  orderId: string,
  options: CallOptions = {},
): Promise<OrderStatus> {
  readOptions("orderStatus()", options, callOptions);
  return await fetchStatus(orderId, options);
}

/** Fetches the status of an order, with the options of an inner call. */
export async function fetchStatus(orderId: string, options: InnerOptions): Promise<OrderStatus> {
  const connection = resolveConnection(options);
  const { bytes, path } = await fetchAnswer(
    connection,
    checkCall("order_status", { order_id: orderId }),
    options,
  );
  const text = parseStatus(new TextDecoder().decode(bytes).trim());
  if (!ADDRESS.test(text)) return { state: text.toLowerCase().slice(0, MAX_WORD) };
  const address = readWebAddress(text, connection.baseUrl + path);
  if ("url" in address) return { state: "ready", url: address.url.href };
  throw new DataFormatError(`Cannot use the status of order ${orderId}: ${address.problem}`, {
    operation: "order_status",
  });
}

/** Parses a status, which is a JSON string or a bare text. */
function parseStatus(text: string): string {
  if (!text.startsWith('"')) return text;
  const parsed = parseJson(text);
  return parsed === undefined ? text.replaceAll('"', "") : String(parsed).trim();
}
