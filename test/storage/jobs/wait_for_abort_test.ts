import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { waitForAbort } from "../../../src/storage/jobs/job.ts";

describe("waitForAbort", () => {
  it("rejects with the signal's reason when it aborts", async () => {
    const controller = new AbortController();
    const waiting = waitForAbort(controller.signal);
    controller.abort(new Error("Ctrl-C"));
    await assertRejects(() => waiting, Error, "Ctrl-C");
  });

  it("rejects at once if the signal is already aborted", async () => {
    await assertRejects(
      () => waitForAbort(AbortSignal.abort(new Error("before"))),
      Error,
      "before",
    );
  });

  it("never settles without a signal", async () => {
    assertEquals(await Promise.race([waitForAbort(undefined), Promise.resolve("other")]), "other");
  });
});
