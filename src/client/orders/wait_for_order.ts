import { ArgumentError, LicenceError, NotFoundError, OrderFailedError } from "../../api/errors.ts";
import { declareOptions, type OptionTable } from "../../show/options/read_options.ts";
import type { OrderWord } from "../../api/operations/order_words.ts";
import { startProgress } from "../../show/progress.ts";
import { type CallOptions, resolveConnection } from "../connection/default_connection.ts";
import { fetchStatus, type OrderStatus } from "./order_status.ts";
import { pollUntil, withTimeout } from "./run_stoppable.ts";

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
      `Cannot wait for order ${orderId}: timeout is ${timeout}, not a positive time in ms`,
    );
  }
  let shown: string | undefined;
  const connection = resolveConnection(call);
  using progress = startProgress(`Order ${orderId}`, { silent: !connection.progress });
  const firstPause = options.firstPause ??
    (connection.inProcess ? FIRST_PAUSE_IN_PROCESS : FIRST_PAUSE);
  let steady = 0;
  const look = async (signal: AbortSignal): Promise<OrderStatus | undefined> => {
    const status = await fetchStatus(orderId, { ...call, signal, quiet: true });
    const changed = status.state !== shown;
    steady = changed ? 1 : steady + 1;
    shown = status.state;
    if (changed) {
      progress.say(shown);
      onStatus?.(status);
    }
    if (status.url || readyWords.has(shown) && steady >= STEADY_POLLS) return status;
    if (shown !== "unknown" || steady < STEADY_POLLS) return undefined;
    throw new OrderFailedError(
      `Cannot wait for order ${orderId}: the service reports "unknown" each time`,
      { operation: "order_status", hint: "Place it again, or use downloadClimate()" },
    );
  };
  try {
    return await withTimeout(
      timeout,
      signal,
      () => shown ?? "placed",
      (signal) => pollUntil(() => look(signal), firstPause, signal),
    );
  } catch (error) {
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
  }
}
