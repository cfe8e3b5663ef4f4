import { z } from "zod";
import {
  ArgumentError,
  CancelledError,
  ConfigurationError,
  DataFormatError,
  NotFoundError,
  OrderUncertainError,
  VindkitError,
} from "../../api/errors.ts";
import { type Call, checkCall } from "../../api/operations/request_path.ts";
import {
  assertFrameType,
  buildClimateParameters,
  type ClimateOptions,
  climateOptions,
  readStoredClimate,
} from "../answers/climate_files.ts";
import {
  type CallOptions,
  callOptions,
  resolveConnection,
} from "../connection/default_connection.ts";
import { checkResource, readJson } from "../answers/read_answer.ts";
import { type Answer, fetchAnswer } from "../http/fetch_answer.ts";
import { ConnectError, TlsError } from "../http/exchange.ts";
import { ClimateOrder, type PlacedOrder } from "./climate_order.ts";
import { Ledger, type LedgerEntry } from "./ledger.ts";
import { runStoppable } from "./run_stoppable.ts";
import type { DataFrame } from "nodejs-polars";
import type { WaitOptions } from "./order_status.ts";
import { declareOptions, readOptions } from "../../show/options/read_options.ts";

/** Options of {@linkcode placeOrder}. */
export interface PlaceOrderOptions extends ClimateOptions {
  /**
   * Whether the order is sent even if one with the same parameters is open or uncertain; there may then be two.
   * @default {false}
   */
  repeat?: boolean;
}

/** Whether a failure proves that no order was placed. */
export function provesNothingPlaced(error: unknown): boolean {
  const unsent = [ConnectError, TlsError, ConfigurationError];
  if (unsent.some((kind) => error instanceof kind)) return true;
  const status = error instanceof VindkitError ? error.status : undefined;
  return status !== undefined && status >= 400 && status < 500;
}

function buildUncertainError(
  entry: LedgerEntry,
  reason: string,
  cause?: unknown,
): OrderUncertainError {
  return new OrderUncertainError(
    `Cannot determine the state of the order of ${
      entry.sentAt.slice(0, 19)
    }Z (entry ${entry.entry} of the ledger): ${reason}. The service may or may not have the order`,
    {
      operation: "place_order",
      ...(cause === undefined ? {} : { cause }),
      hint:
        `Choose one of these: downloadClimate() with the same parameters works without an order. { repeat: true } orders again, and may order twice. If the provider does not have the order, call orders().forget(${entry.entry})`,
    },
  );
}

const PLACE_ORDER_OPTIONS = declareOptions<PlaceOrderOptions>()(
  "",
  { repeat: false },
  climateOptions,
);

/**
 * Orders climate data of the point nearest to a place. The order is recorded in a ledger on the disk before it is sent; a
 * call with the parameters of an open order joins that order instead of sending another one.
 *
 * @param dataset Identifier of the dataset
 * @param options The place, first and last year; `repeat`; `fileType` of the transfer; `columns` and `timeZone`:
 * names and zone of a table if they differ from ours; connection and signal
 * @throws {ArgumentError} If place or years are not valid, before anything is sent
 * @throws {NoDataError} If there is no data
 * @throws {NoAccessError} If the licence does not cover the dataset
 * @throws {OrderUncertainError} If this order, or an earlier one with the same parameters, got no answer
 *
 * @example The same call joins the open order
 * ```ts
 * import { placeOrder } from "@vindkit/vindkit";
 * import { assertEquals } from "@std/assert";
 *
 * const place = { latitude: 55.5, longitude: 7.75, from: 2021, to: 2021 };
 * const order = await placeOrder("era5", place);
 * assertEquals((await placeOrder("era5", place)).id, order.id);
 * await order.download();
 * ```
 */
export async function placeOrder(
  dataset: string,
  options: PlaceOrderOptions,
): Promise<ClimateOrder> {
  const chosen = readOptions("placeOrder()", options, PLACE_ORDER_OPTIONS);
  // Checked first: the ledger must not contain an order that cannot be sent.
  const call = checkCall("place_order", buildClimateParameters(dataset, options));
  const { repeat, signal } = chosen;
  signal?.throwIfAborted();
  const connection = resolveConnection(options);
  const ledger = new Ledger(connection.home);
  const { entry, joined } = ledger.begin(connection.place, call.parameters, repeat);
  const pending = connection.pendingOrders;
  if (joined) {
    const orderId = entry.orderId ?? await pending.get(entry.entry)?.catch((error) => {
      if (error instanceof VindkitError && !(error instanceof CancelledError)) throw error;
      return undefined; // the call that sent it was stopped
    });
    if (orderId === undefined) {
      throw buildUncertainError(entry, "the order was sent, but the service did not answer");
    }
    return new ClimateOrder({ ...entry, orderId }, options);
  }
  const nextStep =
    "Make the same call again: it sends an unsent order, and otherwise explains how to continue";
  const sending = runStoppable(
    "place the order",
    nextStep,
    signal,
    (signal) => sendOrder(call, entry, ledger, { ...options, signal }),
  );
  pending.set(entry.entry, sending);
  try {
    return new ClimateOrder({ ...entry, orderId: await sending }, options);
  } finally {
    pending.delete(entry.entry);
  }
}

/** Sends a recorded order; its identifier is in the ledger when the promise resolves. */
async function sendOrder(
  call: Call,
  entry: LedgerEntry,
  ledger: Ledger,
  options: CallOptions,
): Promise<string> {
  let orderId: string;
  let sent = false;
  const onSend = () => {
    sent = true;
  };
  try {
    const answer = await fetchAnswer(resolveConnection(options), call, { ...options, onSend });
    orderId = readIdentifier(answer);
  } catch (error) {
    if (!sent || provesNothingPlaced(error)) {
      ledger.note(entry.entry, { state: "refused" });
      throw error;
    }
    if (!(error instanceof VindkitError)) throw error; // the caller's signal: it stays "sent"
    throw buildUncertainError(entry, error.message, error);
  }
  try {
    ledger.note(entry.entry, { state: "placed", orderId });
  } catch (cause) {
    throw new ConfigurationError(
      `Cannot record order ${orderId} in the ledger: ${(cause as Error).message}`,
      {
        operation: "place_order",
        hint: "The order was placed. Note its identifier, and check it with orderStatus()",
        cause,
      },
    );
  }
  return orderId;
}

/** Reads the identifier in an answer: JSON or a bare word, as for statuses. */
function readIdentifier(answer: Answer): string {
  const text = new TextDecoder().decode(answer.bytes).trim();
  if (/^(?!null$|true$|false$)[A-Za-z_][\w.:-]{0,127}$/.test(text)) return text;
  const id = checkResource(readJson(answer), z.union([z.string(), z.number(), z.bigint()]), answer);
  if (id === "") {
    throw new DataFormatError(
      `Cannot use the answer of ${answer.url}: its order identifier is empty. Tell the provider of the service`,
    );
  }
  try {
    checkCall("order_status", { order_id: String(id) }); // record only an identifier that a request can contain
  } catch (cause) {
    throw new DataFormatError(
      `Cannot use the answer of ${answer.url}: a request cannot contain its order identifier. Tell the provider of the service`,
      { cause },
    );
  }
  return String(id);
}

/**
 * Attaches to an order of the ledger by its identifier, in another process or after a crash.
 *
 * @param orderId Identifier of the order
 * @param options Connection and signal
 * @throws {NotFoundError} If the ledger has no such order
 *
 * @example
 * ```ts
 * import { attachOrder, placeOrder } from "@vindkit/vindkit";
 * import { assertEquals } from "@std/assert";
 *
 * const place = { latitude: 55.5, longitude: 7.75, from: 2020, to: 2020 };
 * const { id } = await placeOrder("era5", place);
 * const frame = await attachOrder(id).download();
 * assertEquals(frame.height, 8784);
 * ```
 */
export function attachOrder(orderId: string, options: CallOptions = {}): ClimateOrder {
  readOptions("attachOrder()", options, callOptions);
  if (typeof orderId !== "string" || orderId === "") {
    throw new ArgumentError(
      "Cannot attach an order: the identifier is missing. Give an identifier that orders() lists",
    );
  }
  const connection = resolveConnection(options);
  const order = new Ledger(connection.home).find(connection.place, orderId);
  if (order?.orderId) return new ClimateOrder(order as PlacedOrder, options);
  throw new NotFoundError(
    `Cannot attach order ${orderId.slice(0, 100)}: the ledger in ${connection.home} has no order ` +
      "with this identifier for this connection",
    {
      hint:
        "Give an identifier that orders() lists, or get the status of the order with orderStatus()",
    },
  );
}

/** Options of {@linkcode orderAndWait}. */
export interface OrderAndWaitOptions
  extends PlaceOrderOptions, Pick<WaitOptions, "onStatus" | "timeout" | "firstPause"> {}

const OPTIONS = declareOptions<OrderAndWaitOptions>()(
  "repeat onStatus timeout firstPause",
  {},
  climateOptions,
);

/**
 * Orders climate data, waits until they are ready, and returns them as a frame. After a crash the same call continues: it
 * joins the open order and an interrupted download.
 *
 * @param dataset Identifier of the dataset
 * @param options The place, first and last year; `timeout` (longest wait) and `firstPause` in ms, `onStatus` for each
 * new status; `repeat`; `fileType` of the transfer; `columns` and `timeZone`: names and zone of a table if they
 * differ from ours; connection and signal, use of the cache
 * @returns A frame of `time` (Datetime, UTC) and the variables of the dataset (Float64), such as `wind_speed_100` (m/s)
 * @throws {ArgumentError} If place or years are not valid, before anything is sent
 * @throws {NoDataError} If there is no data
 * @throws {OrderUncertainError} If this order, or an earlier one with the same parameters, got no answer
 * @throws {TimeoutError} If it takes longer than the longest wait; the order stays placed
 *
 * @example
 * ```ts
 * import { orderAndWait } from "@vindkit/vindkit";
 * import { assertEquals } from "@std/assert";
 *
 * const wind = await orderAndWait("era5", {
 *   latitude: 55.5,
 *   longitude: 7.75,
 *   from: 2022,
 *   to: 2023,
 * });
 * assertEquals(wind.height, 17520);
 * ```
 */
export async function orderAndWait(
  dataset: string,
  options: OrderAndWaitOptions,
): Promise<DataFrame> {
  readOptions("orderAndWait()", options, OPTIONS);
  assertFrameType(options.fileType);
  const stored = await readStoredClimate(buildClimateParameters(dataset, options), options);
  if (stored) return stored;
  const { onStatus, timeout, firstPause, ...order } = options;
  return await (await placeOrder(dataset, order)).download({ onStatus, timeout, firstPause });
}
