import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ConfigurationError } from "../../src/api/errors.ts";
import { operationOf } from "../../src/api/operations.ts";
import { serve } from "../../src/service/serve.ts";
import { openSample, openService } from "../../src/service/service.ts";
import { pathOf, serveSample, SHARED_SAMPLE } from "./_sample.ts";

const download = pathOf(operationOf("download_climate"), {
  service_id: "era5",
  lat: 55.5,
  lon: 7.75,
  start_year: 2005,
  end_year: 2025,
  filetype: "csv",
});
const model = pathOf(operationOf("model_data"), { turbine_id: "T1" });

describe("serve()", () => {
  it("takes a free port of loopback, and says which", async () => {
    const servers = [];
    for (let i = 0; i < 2; i++) servers.push(serve(await openSample({ folder: SHARED_SAMPLE })));
    for (const { url } of servers) assertMatch(url, /^http:\/\/127\.0\.0\.1:[1-9]\d+$/);
    assert(servers[0].url !== servers[1].url);
    for (const server of servers) await server.close();
  });

  it("answers no more once it is closed, and says that it has stopped", async () => {
    const server = serve(await openSample({ folder: SHARED_SAMPLE }));
    await server.close();
    await server.finished;
    await assertRejects(() => fetch(server.url), TypeError);
  });

  for (
    const [what, path] of [["model data, which come from the disk", model], [
      "a climate file",
      download,
    ]]
  ) {
    it(`lets a download of ${what} end when it is closed meanwhile`, async () => {
      const sample = await serveSample();
      const headers = { "X-Auth": sample.keys.full };
      const response = await fetch(sample.url + path, { headers });
      const announced = Number(response.headers.get("content-length"));
      assert(announced > 10_000_000, "it would be through before it is read");
      const reader = response.body!.getReader();
      let length = (await reader.read()).value!.length;

      const closed = sample.close();
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        length += part.value.length;
      }
      assertEquals(length, announced);
      await closed;
    });
  }

  it("F40 waits for a reader that does not read no longer than the deadline of its closing", async () => {
    const service = await openSample({ folder: SHARED_SAMPLE });
    const server = serve(service);
    const headers = { "X-Auth": await service.issueLocalKey() };
    const response = await fetch(server.url + model, { headers });
    const reader = response.body!.getReader();
    await reader.read(); // and then nothing more
    await server.close(50);
    await reader.cancel();
    await server.finished;
  });

  it("closes where a reader goes away in the middle of a download", async () => {
    const sample = await serveSample();
    for (const path of [model, download]) {
      const response = await fetch(sample.url + path, { headers: { "X-Auth": sample.keys.full } });
      const reader = response.body!.getReader();
      await reader.read();
      await reader.cancel();
    }
    await sample.close();
  });
});

describe("openService()", () => {
  it("refuses a folder without data, and says how to fill it", async () => {
    const folder = await Deno.makeTempDir();
    try {
      const { message } = await assertRejects(() => openService(folder), ConfigurationError);
      assertMatch(message, /holds no vindkit\.sqlite\. Fill it with: deno task import SITE\.json/);
      assertEquals([...Deno.readDirSync(folder)], [], "nothing is made where nothing was");
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });

  it("answers without a key only where it is trusted", async () => {
    const request = () => new Request("http://in-process/wind-index/calibrated/");
    for (const [trusted, expected] of [[true, 200], [false, 401]] as const) {
      const service = await openSample({ folder: SHARED_SAMPLE, trusted });
      const { status, body } = await service.fetch(request());
      await body?.cancel();
      await service.close();
      assertEquals(status, expected);
    }
  });
});
