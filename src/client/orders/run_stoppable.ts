import { CancelledError, NetworkError, TimeoutError, VindkitError } from "../../api/errors.ts";

/**
 * Ends a script that does not catch the error the way Ctrl-C ends any script: exit code 130, the message and no stack.
 */
function endUncaught(error: CancelledError): void {
  if (Deno.mainModule.includes("$deno$")) return; // kernels and the REPL go on
  globalThis.addEventListener("unhandledrejection", (event) => {
    if (event.reason !== error || event.defaultPrevented) return;
    event.preventDefault();
    console.error(error.message);
    Deno.exit(130);
  });
}

/**
 * Runs a wait for an order, or the download of its file, so that Ctrl-C ends it as the caller's signal does. Whatever
 * ends it, the error says how to continue the order. A script that does not catch the error of Ctrl-C ends with exit
 * code 130 and no stack.
 *
 * @param act What is done, such as "wait for order o-1"
 * @param wayOn How to continue the order after that
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
      const error = new CancelledError(`${what}: ${message}`, {
        hint: wayOn,
        cause: stopped.reason,
      });
      if (controller.signal.aborted) endUncaught(error);
      throw error;
    }
    if (!(cause instanceof TimeoutError)) throw cause;
    throw new TimeoutError(`${what}: ${cause.message}`, { hint: wayOn, cause });
  } finally {
    Deno.removeSignalListener("SIGINT", interrupt);
  }
}
