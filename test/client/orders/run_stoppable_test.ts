import { assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { CancelledError, LicenceError, NetworkError } from "../../../src/api/errors.ts";
import { runStoppable } from "../../../src/client/orders/run_stoppable.ts";

/** Runs an order whose Ctrl-C comes before `run` continues. */
async function runInterrupted<T>(run: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const { addSignalListener } = Deno;
  let interrupt = () => {};
  Deno.addSignalListener = (signal, handler) => {
    interrupt = handler;
    addSignalListener(signal, handler);
  };
  try {
    return await runStoppable("wait for order o-1", "Call it again", undefined, (signal) => {
      interrupt();
      return run(signal);
    });
  } finally {
    Deno.addSignalListener = addSignalListener;
  }
}

describe("runStoppable()", () => {
  it("is cancelled by Ctrl-C even if the wait itself did not notice it", async () => {
    await assertRejects(
      () => runInterrupted(() => Promise.resolve(1)),
      CancelledError,
      "interrupted",
    );
  });

  it("is cancelled if the connection failed because of it", async () => {
    const run = () => Promise.reject(new NetworkError("Cannot reach it"));
    await assertRejects(() => runInterrupted(run), CancelledError, "interrupted");
  });

  it("throws another error unchanged, even after Ctrl-C", async () => {
    const run = () => Promise.reject(new LicenceError("The licence has ended"));
    await assertRejects(() => runInterrupted(run), LicenceError, "The licence has ended");
  });
});
