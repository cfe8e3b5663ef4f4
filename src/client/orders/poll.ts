import { delay } from "@std/async";
import {
  NetworkError,
  ServiceError,
  TimeoutError,
  TooManyRequestsError,
  type VindkitError,
} from "../../api/errors.ts";
import { PageError } from "../http/excerpt.ts";

const MAX_PAUSE = 60_000; // ms
const PAUSE_GROWTH = 1.5;

/** Share by which a pause varies, so that many waits do not send at the same time. */
const JITTER = 0.2;

/** Requests for the status that may fail in a row. */
const MAX_FAILED_POLLS = 10;

/** How a status is read again and again. */
export interface PollOptions {
  /** Longest wait, ms. */
  readonly timeout: number;
  /** Pause before the second request, ms; each further one is 1.5 times as long, up to a minute. */
  readonly firstPause: number;
  /** Cancels the wait. */
  readonly signal: AbortSignal | undefined;
  /** The status reported last, for the message. */
  readonly lastState: () => string;
}

function isTransient(error: unknown): error is VindkitError {
  return error instanceof NetworkError || error instanceof TimeoutError ||
    error instanceof PageError ||
    error instanceof TooManyRequestsError ||
    error instanceof ServiceError && (error.status ?? 0) >= 500;
}

/**
 * Reads a status again and again until there is a result. A wait of hours survives a network failure of minutes.
 *
 * @param read Reads it; `undefined` if the wait goes on
 * @param options Longest wait, pauses, signal
 * @throws {TimeoutError} If it takes longer
 */
export async function pollUntil<T>(
  read: (signal: AbortSignal) => Promise<T | undefined>,
  { timeout, firstPause, signal, lastState }: PollOptions,
): Promise<T> {
  const controller = new AbortController();
  const abort = () => controller.abort(signal!.reason);
  signal?.throwIfAborted();
  signal?.addEventListener("abort", abort, { once: true });
  const timer = setTimeout(
    () => {
      controller.abort(
        new TimeoutError(`after ${timeout / 1000} s it is "${lastState()}"`, {
          operation: "order_status",
        }),
      );
    },
    Math.min(timeout, 2 ** 31 - 1),
  );
  try {
    let failed = 0;
    for (let pause = firstPause;; pause = Math.min(MAX_PAUSE, pause * PAUSE_GROWTH)) {
      try {
        const result = await read(controller.signal);
        if (result !== undefined) return result;
        failed = 0;
      } catch (error) {
        if (!isTransient(error) || controller.signal.aborted || ++failed >= MAX_FAILED_POLLS) {
          throw error;
        }
      }
      const jittered = pause * (1 - JITTER + 2 * JITTER * Math.random());
      await delay(jittered, { signal: controller.signal });
    }
  } catch (error) {
    throw controller.signal.aborted ? controller.signal.reason : error;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener("abort", abort);
  }
}
