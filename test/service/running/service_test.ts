import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { openSample } from "../../../src/service/running/service.ts";

describe("a service in this process", () => {
  it("still answers requests under way while it closes, even if these create the sample", async () => {
    const folder = await Deno.makeTempDir();
    const service = await openSample({ trusted: true, folder });
    const path = "http://127.0.0.1/wind-index/calibrated/details/T7/";
    const answer = service.fetch(new Request(path));
    await service.close();
    const { status, body } = await answer;
    await body?.cancel();
    assertEquals(status, 200);
    await Deno.remove(folder, { recursive: true });
  });
});
