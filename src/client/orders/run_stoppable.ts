import { CancelledError, NetworkError, TimeoutError, VindkitError } from "../../api/errors.ts";

/**
 * Runs a wait for an order, or the download of its file, so that Ctrl-C ends it as the caller's signal does. Whatever ends
 * it, the error says how the order goes on.
 *
 * @param act What is done, such as "wait for order o-1"
 * @param wayOn How the order goes on after that
 * @param run Does it; its own signal is aborted by the caller's and by Ctrl-C
 * @throws {CancelledError} If it was aborted, unless it failed for another reason than the connection
 * @throws {TimeoutError} If it took too long
 */
export async function runStoppable<T>(
  act: string,
  wayOn: string,
  signal: AbortSignal | undefined,
  run: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const controller = new AbortController();
  const interrupt = () => controller.abort(new Error("interrupted"));
  const stopped = signal ? AbortSignal.any([signal, controller.signal]) : controller.signal;
  Deno.addSignalListener("SIGINT", interrupt);
  try {
    const value = await run(stopped);
    controller.signal.throwIfAborted(); // Ctrl-C that it did not notice
    return value;
  } catch (cause) {
    const what = `Cannot ${act}`;
    const other = cause instanceof VindkitError && cause !== stopped.reason &&
      !(cause instanceof NetworkError || cause instanceof TimeoutError);
    if (stopped.aborted && !other) {
      const { message } = stopped.reason instanceof Error ? stopped.reason : new Error("stopped");
      throw new CancelledError(`${what}: ${message}`, {
        hint: wayOn,
        cause: stopped.reason,
      });
    }
    if (!(cause instanceof TimeoutError)) throw cause;
    throw new TimeoutError(`${what}: ${cause.message}`, { hint: wayOn, cause });
  } finally {
    Deno.removeSignalListener("SIGINT", interrupt);
  }
}
