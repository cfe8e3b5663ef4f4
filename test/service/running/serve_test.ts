import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ConfigurationError } from "../../../src/api/errors.ts";
import { operationOf } from "../../../src/api/operations/operations.ts";
import { ORDER_FILES } from "../../../src/service/fulfilment/orders.ts";
import { serve } from "../../../src/service/running/serve.ts";
import { openSample, openService } from "../../../src/service/running/service.ts";
import { buildPath, serveSample, SHARED_SAMPLE, validValues } from "../_sample.ts";

const download = buildPath(operationOf("download_climate"), {
  service_id: "era5",
  lat: 55.5,
  lon: 7.75,
  start_year: 2005,
  end_year: 2025,
  filetype: "csv",
});
/** Uncompressed: more than the buffers between server and client hold. */
const unpacked = { "accept-encoding": "identity" };

const model = buildPath(operationOf("model_data"), { turbine_id: "T1" });

describe("serve()", () => {
  it("takes a free port of loopback, and reports it", async () => {
    const servers = [];
    for (let i = 0; i < 2; i++) servers.push(serve(await openSample({ folder: SHARED_SAMPLE })));
    for (const { url } of servers) assertMatch(url, /^http:\/\/127\.0\.0\.1:[1-9]\d+$/);
    assert(servers[0].url !== servers[1].url);
    for (const server of servers) await server.close();
  });

  it("stops answering when it is closed, and reports that it has stopped", async () => {
    const server = serve(await openSample({ folder: SHARED_SAMPLE }));
    await server.close();
    await server.finished;
    await assertRejects(() => fetch(server.url), TypeError);
  });

  for (
    const [label, path] of [["model data, which come from the disk", model], [
      "a climate file",
      download,
    ]]
  ) {
    it(`lets a download of ${label} end when it is closed meanwhile`, async () => {
      const sample = await serveSample();
      const headers = { "X-Auth": sample.keys.full, ...unpacked };
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

  it("F40 waits for a stalled reader only until the deadline of its closing", async () => {
    const service = await openSample({ folder: SHARED_SAMPLE });
    const server = serve(service);
    const headers = { "X-Auth": await service.issueLocalKey(), ...unpacked };
    const response = await fetch(server.url + model, { headers });
    const reader = response.body!.getReader();
    await reader.read(); // and stops reading
    await server.close(50);
    await reader.cancel();
    await server.finished;
  });

  it("closes if a reader goes away in the middle of a download", async () => {
    const sample = await serveSample();
    for (const path of [model, download]) {
      const headers = { "X-Auth": sample.keys.full, ...unpacked };
      const response = await fetch(sample.url + path, { headers });
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
      assertMatch(
        message,
        /vindkit\.sqlite is missing there\. Import a site with: vindkit import SITE\.json --data \S+ \(in a checkout: deno task import SITE\.json/,
      );
      assertEquals([...Deno.readDirSync(folder)], [], "nothing is made where nothing was");
    } finally {
      await Deno.remove(folder, { recursive: true });
    }
  });

  it("refuses an invalid public address or contact before it opens the data", async () => {
    for (const wrong of [{ publicUrl: "wind.example.org" }, { contact: "\n" }]) {
      await assertRejects(() => openService("/nowhere", wrong), ConfigurationError, "Cannot ");
    }
  });

  it("begins addresses of orders with the public address", async () => {
    const publicUrl = "https://wind.example.org/vindkit/";
    const sample = await serveSample({ publicUrl });
    try {
      const key = await sample.newLicence();
      const values = { ...validValues.place_order };
      const placed = await sample.ask(buildPath(operationOf("place_order"), values), { key });
      const path = buildPath(operationOf("order_status"), { order_id: JSON.parse(placed.text) });
      let status = "";
      for (let i = 0; i < 10_000 && !status.startsWith("http"); i++) {
        status = JSON.parse((await sample.ask(path, { key })).text);
      }
      assert(status.startsWith(`https://wind.example.org/vindkit${ORDER_FILES}/`), status);
    } finally {
      await sample.close();
    }
  });

  it("counts failed attempts for the proxy's clients only if there is a proxy", async () => {
    for (const behindProxy of [false, true]) {
      const sample = await serveSample({ behindProxy, failedAttempts: 1 });
      const statuses = [];
      for (const client of ["192.0.2.1", "192.0.2.2", "192.0.2.1"]) {
        const headers = { "x-forwarded-for": `198.51.100.1, ${client}` };
        statuses.push((await sample.ask("/wind-index/calibrated/", { key: "x", headers })).status);
      }
      await sample.close();
      assertEquals(statuses, behindProxy ? [401, 401, 429] : [401, 429, 429]);
    }
  });

  it("answers without a key only with the option trusted", async () => {
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
