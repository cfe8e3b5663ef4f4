import { delay } from "@std/async";
import {
  ArgumentError,
  LicenceError,
  NetworkError,
  NotFoundError,
  OrderFailedError,
  ServiceError,
  TimeoutError,
  TooManyRequestsError,
  type VindkitError,
} from "../../api/errors.ts";
import type { OptionNames } from "../../api/check_options.ts";
import type { OrderWord } from "../../api/operations/order_words.ts";
import { PageError } from "../http/excerpt.ts";
import { startProgress } from "../../show/progress/progress.ts";
import { type CallOptions, resolveConnection } from "../connection/default_connection.ts";
import { fetchStatus, type OrderStatus } from "./order_status.ts";

/** Options of a wait. */
export interface WaitOptions {
  /** Longest wait, ms. @default {1_800_000} */
  timeout?: number | undefined;
  /** Pause before the second request for the status, ms; each further one is 1.5 times as long, up to a minute. @default {2_000} */
  firstPause?: number | undefined;
  /** Called for each new status. */
  onStatus?: ((status: OrderStatus) => void) | undefined;
  /** Cancels the wait; the order stays placed. */
  signal?: AbortSignal | undefined;
}

/** The options of {@linkcode WaitOptions}. */
export const waitOptions: OptionNames<WaitOptions> = {
  timeout: "optional",
  firstPause: "optional",
  onStatus: "optional",
  signal: "optional",
};

/** First pause for a live service, ms. */
const FIRST_PAUSE = 2_000;

/** First pause for a service in this process, ms. */
const FIRST_PAUSE_IN_PROCESS = 100;

const MAX_PAUSE = 60_000; // ms
const PAUSE_GROWTH = 1.5;

/** Share by which a pause varies, so that many waits do not send at the same time. */
const JITTER = 0.2;

/** Statuses that promise a file; without an address it is downloaded directly. */
const readyWords: ReadonlySet<string> = new Set<OrderWord>(["complete", "delivered"]);

/** Times in a row that a status must be reported before it counts. */
const STEADY_POLLS = 3;

/** Requests for the status that may fail in a row. */
const MAX_FAILED_POLLS = 10;

function isTransient(error: unknown): error is VindkitError {
  return error instanceof NetworkError || error instanceof TimeoutError ||
    error instanceof PageError ||
    error instanceof TooManyRequestsError ||
    error instanceof ServiceError && (error.status ?? 0) >= 500;
}

/**
 * Waits until an order has an address, or its status is three times in a row one that promises the file.
 *
 * @param orderId Identifier of the order
 * @param options Longest wait; listener for each new status
 * @param call Connection and signal
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
      `Cannot wait for order ${orderId}: timeout is ${timeout}, not a positive time in ms`,
    );
  }
  let state = "placed";
  const controller = new AbortController();
  const abort = () => controller.abort(signal!.reason);
  signal?.throwIfAborted();
  signal?.addEventListener("abort", abort, { once: true });
  const timer = setTimeout(() => {
    controller.abort(
      new TimeoutError(
        `after ${timeout / 1000} s it is "${state}"`,
        { operation: "order_status" },
      ),
    );
  }, Math.min(timeout, 2 ** 31 - 1));
  const connection = resolveConnection(call);
  using progress = startProgress(`Order ${orderId}`, { silent: !connection.progress });
  const firstPause = options.firstPause ??
    (connection.inProcess ? FIRST_PAUSE_IN_PROCESS : FIRST_PAUSE);
  try {
    return await pollStatus(
      orderId,
      firstPause,
      { ...call, signal: controller.signal },
      (status) => {
        state = status.state;
        progress.say(state);
        onStatus?.(status);
      },
    );
  } catch (error) {
    if (controller.signal.aborted) throw controller.signal.reason;
    if (error instanceof NotFoundError) {
      throw new OrderFailedError(
        `Cannot wait for order ${orderId}: the licence has no such order`,
        {
          operation: "order_status",
          status: error.status,
          hint: "Place it again with { repeat: true }, or use downloadClimate()",
          cause: error,
        },
      );
    }
    if (!(error instanceof LicenceError)) throw error;
    throw new LicenceError(
      `Cannot wait for order ${orderId}: ${error.message}. The order stays placed: with a valid ` +
        `key attachOrder("${orderId}") continues it`,
      { operation: "order_status", status: 401, cause: error },
    );
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}

async function pollStatus(
  orderId: string,
  firstPause: number,
  call: CallOptions,
  onStatus: (status: OrderStatus) => void,
): Promise<OrderStatus> {
  let shown: string | undefined;
  let steady = 0;
  let failed = 0;
  for (let pause = firstPause;; pause = Math.min(MAX_PAUSE, pause * PAUSE_GROWTH)) {
    try {
      const status = await fetchStatus(orderId, { ...call, quiet: true });
      failed = 0;
      steady = status.state === shown ? steady + 1 : 1;
      if (status.state !== shown) onStatus(status);
      shown = status.state;
      if (status.url) return status;
      if (readyWords.has(shown) && steady >= STEADY_POLLS) return status;
      if (shown === "unknown" && steady >= STEADY_POLLS) {
        throw new OrderFailedError(
          `Cannot wait for order ${orderId}: the service reports "unknown" each time`,
          { operation: "order_status", hint: "Place it again, or use downloadClimate()" },
        );
      }
    } catch (error) {
      // A wait of hours survives a network failure of minutes.
      if (!isTransient(error) || call.signal!.aborted || ++failed >= MAX_FAILED_POLLS) throw error;
    }
    await delay(pause * (1 - JITTER + 2 * JITTER * Math.random()), { signal: call.signal! });
  }
}
