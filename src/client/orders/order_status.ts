import {
  type CallOptions,
  callOptions,
  type InnerOptions,
  resolveConnection,
} from "../connection/default_connection.ts";
import {
  ArgumentError,
  DataFormatError,
  LicenceError,
  NotFoundError,
  OrderFailedError,
} from "../../api/errors.ts";
import { KNOWN_SCHEMES, readWebAddress } from "../http/address.ts";
import { parseJson } from "../http/body.ts";
import { fetchAnswer } from "../http/fetch_answer.ts";
import { checkCall } from "../../api/operations/request_path.ts";
import { declareOptions, type OptionTable, readOptions } from "../../show/options/read_options.ts";
import type { OrderWord } from "../../api/operations/order_words.ts";
import { startProgress } from "../../show/progress.ts";
import { pollUntil, withTimeout } from "./run_stoppable.ts";

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
 * @throws {NotFoundError} If the licence has no order with this identifier
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

/** Options of a wait. */
export interface WaitOptions {
  /** Longest wait, ms. @default {1_800_000} */
  timeout?: number | undefined;
  /** Pause before the second request for the status, ms; each further one is 1.5 times as long, up to a minute. @default 2,000, of a service in this process 100 */
  firstPause?: number | undefined;
  /** Called for each new status. */
  onStatus?: ((status: OrderStatus) => void) | undefined;
  /** Cancels the wait; the order stays placed. */
  signal?: AbortSignal | undefined;
}

/** The options of {@linkcode WaitOptions}. */
export const waitOptions: OptionTable<WaitOptions, "timeout"> = declareOptions<WaitOptions>()(
  "firstPause onStatus signal",
  { timeout: 1_800_000 },
);

/** First pause for a live service, ms. */
const FIRST_PAUSE = 2_000;

/** First pause for a service in this process, ms. */
const FIRST_PAUSE_IN_PROCESS = 100;

/** Statuses that promise a file; without an address it is downloaded directly. */
const readyWords: ReadonlySet<string> = new Set<OrderWord>(["complete", "delivered"]);

/** Times in a row that a status must be reported before it counts. */
const STEADY_POLLS = 3;

/**
 * Waits until an order has an address, or until a status that promises the file was reported three times in a row.
 *
 * @param options Longest wait; listener for each new status
 * @throws {TimeoutError} If it takes longer; the order stays placed
 * @throws {OrderFailedError} If the service no longer knows the order
 * @throws {LicenceError} If the licence ends meanwhile; the order stays placed
 */
export async function waitForOrder(
  orderId: string,
  options: WaitOptions,
  call: CallOptions,
): Promise<OrderStatus> {
  const { timeout = 1_800_000, onStatus, signal = call.signal } = options;
  if (!(timeout > 0)) {
    throw new ArgumentError(
      `Cannot wait for order ${orderId}: timeout is ${timeout}, not a positive time in ms. Give such a time, or omit the option`,
    );
  }
  let lastState: string | undefined;
  const connection = resolveConnection(call);
  using progress = startProgress(`Order ${orderId}`, { silent: !connection.progress });
  const firstPause = options.firstPause ??
    (connection.inProcess ? FIRST_PAUSE_IN_PROCESS : FIRST_PAUSE);
  let steady = 0;
  const look = async (signal: AbortSignal): Promise<OrderStatus | undefined> => {
    const status = await fetchStatus(orderId, { ...call, signal, quiet: true });
    const changed = status.state !== lastState;
    steady = changed ? 1 : steady + 1;
    lastState = status.state;
    if (changed) {
      progress.say(lastState);
      onStatus?.(status);
    }
    if (status.url || readyWords.has(lastState) && steady >= STEADY_POLLS) return status;
    if (lastState !== "unknown" || steady < STEADY_POLLS) return undefined;
    throw new OrderFailedError(
      `Cannot wait for order ${orderId}: the service keeps reporting the status "unknown"`,
      { operation: "order_status", hint: "Place the order again, or use downloadClimate()" },
    );
  };
  try {
    return await withTimeout(
      timeout,
      signal,
      () => lastState ?? "placed",
      (signal) => pollUntil(() => look(signal), firstPause, signal),
    );
  } catch (error) {
    if (error instanceof NotFoundError) {
      throw new OrderFailedError(
        `Cannot wait for order ${orderId}: the licence has no order with this identifier`,
        {
          operation: "order_status",
          status: error.status,
          hint: "Place the order again with { repeat: true }, or use downloadClimate()",
          cause: error,
        },
      );
    }
    if (!(error instanceof LicenceError)) throw error;
    throw new LicenceError(
      `Cannot wait for order ${orderId}: ${error.message}. Vindkit did not cancel the order. To continue with a valid key, call attachOrder("${orderId}")`,
      { operation: "order_status", status: 401, cause: error },
    );
  }
}
