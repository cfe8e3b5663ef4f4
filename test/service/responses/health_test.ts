import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Hono } from "hono";
import { addHealth } from "../../../src/service/responses/health.ts";
import { openSample } from "../../../src/service/running/service.ts";
import { SHARED_SAMPLE } from "../_sample.ts";

describe("/healthz and /readyz", () => {
  it("answer without a key", async () => {
    const service = await openSample({ folder: SHARED_SAMPLE });
    try {
      for (const path of ["/healthz", "/readyz"]) {
        const response = await service.fetch(new Request(`http://x${path}`));
        assertEquals([response.status, await response.text()], [200, "ok\n"]);
      }
    } finally {
      await service.close();
    }
  });

  it("distinguish a process that answers from a store that does not", async () => {
    let check = (): Promise<string | undefined> => Promise.resolve(undefined);
    const app = new Hono();
    addHealth(app, () => check());
    assertEquals((await app.request("/readyz")).status, 200);
    check = () => Promise.reject(new Error("closed"));
    assertEquals((await app.request("/readyz")).status, 503);
    assertEquals((await app.request("/healthz")).status, 200);
  });
});
