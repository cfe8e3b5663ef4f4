import {
  CancelledError,
  NetworkError,
  ServiceError,
  TimeoutError,
  TooManyRequestsError,
  VindkitError,
} from "../../api/errors.ts";
import { delay } from "@std/async";
import { PageError } from "../http/redaction.ts";

/**
 * Ends a script that does not catch the error the way Ctrl-C ends any script: exit code 130, the message and no stack.
 */
function endUncaught(error: CancelledError): void {
  if (Deno.mainModule.includes("$deno$")) return; // kernels and the REPL continue
  globalThis.addEventListener("unhandledrejection", (event) => {
    if (event.reason !== error || event.defaultPrevented) return;
    event.preventDefault();
    console.error(error.message);
    Deno.exit(130);
  });
}

/**
 * Runs a wait for an order, or the download of its file. Ctrl-C ends it as the caller's signal does. Whatever
 * ends it, the error says how to continue the order. A script that does not catch the error of Ctrl-C ends with exit
 * code 130 and no stack.
 *
 * @param act The action, such as "wait for order o-1"
 * @param nextStep How to continue the order after that
 * @param run Does it; its own signal is aborted by the caller's and by Ctrl-C
 * @throws {CancelledError} If it was aborted, unless it failed for another reason than the connection
 * @throws {TimeoutError} If it took too long
 */
export async function runStoppable<T>(
  act: string,
  nextStep: string,
  signal: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const interrupt = () => controller.abort(new Error("interrupted"));
  const stopped = signal ? AbortSignal.any([signal, controller.signal]) : controller.signal;
  Deno.addSignalListener("SIGINT", interrupt);
  try {
    const value = await run(stopped);
    controller.signal.throwIfAborted(); // Ctrl-C that `run` did not notice
    return value;
  } catch (cause) {
    const failure = `Cannot ${act}`;
    const isOtherError = cause instanceof VindkitError && cause !== stopped.reason &&
      !(cause instanceof NetworkError || cause instanceof TimeoutError);
    if (stopped.aborted && !isOtherError) {
      const { message } = stopped.reason instanceof Error ? stopped.reason : new Error("stopped");
      const error = new CancelledError(`${failure}: ${message}`, {
        hint: nextStep,
        cause: stopped.reason,
      });
      if (controller.signal.aborted) endUncaught(error);
      throw error;
    }
    if (!(cause instanceof TimeoutError)) throw cause;
    throw new TimeoutError(`${failure}: ${cause.message}`, { hint: nextStep, cause });
  } finally {
    Deno.removeSignalListener("SIGINT", interrupt);
  }
}

/** Longest time of a timer, ms. */
const MAX_TIMER = 2 ** 31 - 1;

/**
 * Runs a wait that a signal or a timeout ends, whatever state the wait is in.
 *
 * @param timeout Longest wait, ms
 * @param lastState Tells the state of the wait, for the message
 * @param run Does it; its own signal ends it
 * @throws {TimeoutError} If it takes longer
 */
export async function withTimeout<T>(
  timeout: number,
  signal: AbortSignal | undefined,
  lastState: () => string,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const stopped = signal ? AbortSignal.any([signal, controller.signal]) : controller.signal;
  stopped.throwIfAborted();
  const timer = setTimeout(
    () =>
      controller.abort(
        new TimeoutError(`after ${timeout / 1000} s its status is still "${lastState()}"`),
      ),
    Math.min(timeout, MAX_TIMER),
  );
  try {
    return await run(stopped);
  } catch (error) {
    throw stopped.aborted ? stopped.reason : error;
  } finally {
    clearTimeout(timer);
  }
}

const MAX_PAUSE = 60_000; // ms
const PAUSE_GROWTH = 1.5;

/** Share by which a pause varies, so many waits do not send at the same time. */
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
 * @param read Reads the status; gives `undefined` while the wait continues
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
