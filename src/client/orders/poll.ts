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

/** Most requests for the status that may fail in a row. */
const MAX_FAILED_POLLS = 10;

function isTransient(error: unknown): error is VindkitError {
  return error instanceof NetworkError || error instanceof TimeoutError ||
    error instanceof PageError ||
    error instanceof TooManyRequestsError ||
    error instanceof ServiceError && (error.status ?? 0) >= 500;
}

/**
 * Reads a status again and again until there is a result. A wait of hours survives a network failure of minutes.
 *
 * @param read Reads the status; gives `undefined` while the wait goes on
 * @param firstPause Pause before the second request, ms; each further one is 1.5 times as long, up to a minute
 */
export async function pollUntil<T>(
  read: () => Promise<T | undefined>,
  firstPause: number,
  signal: AbortSignal,
): Promise<T> {
  let failed = 0;
  for (let pause = firstPause;; pause = Math.min(MAX_PAUSE, pause * PAUSE_GROWTH)) {
    try {
      const result = await read();
      if (result !== undefined) return result;
      failed = 0;
    } catch (error) {
      if (!isTransient(error) || signal.aborted || ++failed >= MAX_FAILED_POLLS) throw error;
    }
    await delay(pause * (1 - JITTER + 2 * JITTER * Math.random()), { signal });
  }
}
