import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Hono } from "hono";
import { addHealth } from "../../../src/service/responses/health.ts";
import { openSample } from "../../../src/service/running/service.ts";
import { operationOf } from "../../../src/api/operations/operations.ts";
import { requestPath as buildPath } from "../../../src/api/operations/request_path.ts";
import { SHARED_SAMPLE } from "../_sample.ts";
import { SmallDisk } from "../_small_disk.ts";

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

  it("R9: report a disk that is not writable, and recover when it is", async (t) => {
    await using disk = await SmallDisk.mount("20m");
    if (!disk) {
      return void await t.step({
        name: "no file system can be mounted here",
        ignore: true,
        fn() {},
      });
    }
    const service = await openSample({ folder: `${disk.folder}/data` });
    const ready = async () => (await service.fetch(new Request("http://x/readyz"))).status;
    try {
      assertEquals(await ready(), 200);
      assert(await disk.allowWriting(false));
      assertEquals(await ready(), 503);
      assert(await disk.allowWriting(true));
      assertEquals(await ready(), 200);
    } finally {
      await service.close();
    }
  });

  it("R9: answers state only their own type, and show no character that changes the direction of text", async () => {
    const service = await openSample({ folder: SHARED_SAMPLE, trusted: true });
    try {
      const path = buildPath(operationOf("turbine_details"), { turbine_id: "T\u202e1" });
      const answer = await service.fetch(new Request(`http://x${path}`));
      assertEquals(answer.headers.get("x-content-type-options"), "nosniff");
      const { detail } = await answer.json();
      assert(!/\u202e/.test(detail) && detail.includes("\\u202e"), detail);
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
