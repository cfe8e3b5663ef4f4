import { TimeoutError } from "../../api/errors.ts";

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
    () => controller.abort(new TimeoutError(`after ${timeout / 1000} s it is "${lastState()}"`)),
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
