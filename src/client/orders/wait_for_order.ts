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
import type { OrderWord } from "../../api/operations/order_words.ts";
import { PageError } from "../http/excerpt.ts";
import { startProgress } from "../../show/progress/progress.ts";
import { type CallOptions, resolveConnection } from "../connection/default_connection.ts";
import { fetchStatus, type OrderStatus } from "./order_status.ts";

/** Options of a wait. */
export interface WaitOptions {
  /** Longest wait, ms. @default {1_800_000} */
  timeout?: number;
  /** Pause before the second look at the status, ms; each further one is half as long again, up to a minute. @default {2_000} */
  firstPause?: number;
  /** Told of each new status. */
  onStatus?: (status: OrderStatus) => void;
  /** Ends the wait early; the order stays placed. */
  signal?: AbortSignal;
}

/** Pause before the second look at the status, ms. */
const FIRST_PAUSE = 2_000;

/** The same for a service in this process, which needs no sparing, ms. */
const FIRST_PAUSE_IN_PROCESS = 100;

const MAX_PAUSE = 60_000; // ms
const PAUSE_GROWTH = 1.5;

/** A pause varies by this share, so that many waits do not ask in step. */
const JITTER = 0.2;

/** Words that promise a file; without an address they lead to the direct download. */
const readyWords: ReadonlySet<string> = new Set<OrderWord>(["complete", "delivered"]);

/** Times in a row that a word must stand before it counts. */
const STEADY_POLLS = 3;

/** Looks in a row that may fail while a wait goes on. */
const MAX_FAILED_POLLS = 10;

function isTransient(error: unknown): error is VindkitError {
  return error instanceof NetworkError || error instanceof TimeoutError ||
    error instanceof PageError ||
    error instanceof TooManyRequestsError ||
    error instanceof ServiceError && (error.status ?? 0) >= 500;
}

/**
 * Waits until an order has an address, or a word that promises the file stood three times.
 *
 * @param orderId Identifier of the order
 * @param options Longest wait; told of each new status
 * @param call Connection and signal
 * @throws {TimeoutError} If it takes longer; the order stays placed
 * @throws {OrderFailedError} If the service does not know the order any more
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
      `Cannot wait for order ${orderId}: timeout is ${timeout}, no time in ms`,
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
        `Cannot wait for order ${orderId} any longer: after ${timeout / 1000} s it is "${state}"`,
        {
          operation: "order_status",
          hint: `It stays placed: the same call joins it, attachOrder("${orderId}") takes it up`,
        },
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
        `Cannot wait for order ${orderId}: the service has no such order of the licence`,
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
        `key attachOrder("${orderId}") takes it up`,
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
          `Cannot wait for order ${orderId}: the service says "unknown" time after time`,
          { operation: "order_status", hint: "Place it again, or use downloadClimate()" },
        );
      }
    } catch (error) {
      // A wait of hours outlives a network that is gone for a minute.
      if (!isTransient(error) || call.signal!.aborted || ++failed >= MAX_FAILED_POLLS) throw error;
    }
    await delay(pause * (1 - JITTER + 2 * JITTER * Math.random()), { signal: call.signal! });
  }
}
