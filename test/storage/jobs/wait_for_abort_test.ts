import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { waitForAbort } from "../../../src/storage/jobs/job.ts";

describe("waitForAbort", () => {
  it("rejects with the reason of the signal, when it is aborted", async () => {
    const controller = new AbortController();
    const waiting = waitForAbort(controller.signal);
    controller.abort(new Error("Ctrl-C"));
    await assertRejects(() => waiting, Error, "Ctrl-C");
  });

  it("rejects at once where the signal is aborted already", async () => {
    await assertRejects(
      () => waitForAbort(AbortSignal.abort(new Error("before"))),
      Error,
      "before",
    );
  });

  it("waits where there is no signal", async () => {
    assertEquals(await Promise.race([waitForAbort(undefined), Promise.resolve("other")]), "other");
  });
});
