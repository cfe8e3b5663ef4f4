import { assertEquals, assertMatch, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { TimeoutError } from "../../src/api/errors.ts";
import { KEY_HEADER } from "../../src/api/operations/operations.ts";
import { turbines } from "../../src/client/calls/turbines.ts";
import { withService } from "./_with_service.ts";
import { SHARED_SAMPLE } from "../service/_sample.ts";
import { rawGet, send } from "./_raw.ts";
import { withFaults } from "./_service.ts";

describe("the faulty server without faults", () => {
  it("answers like the service, with the right length", async () => {
    await withFaults([], async ({ get, fetch }) => {
      for (const id of ["turbines", "model_data", "download_climate"] as const) {
        const { status, headers, body } = await get(id);
        assertEquals(status, 200);
        assertEquals(Number(headers.get("content-length")), body.length);
        assertEquals(headers.get("connection"), "close");
        assertEquals(headers.get("vindkit-world"), "sample");
        assertEquals(await (await fetch(id)).bytes(), body);
      }
    });
  });

  it("passes refusals on, for a missing key and for an unknown path", async () => {
    await withFaults([], async ({ url, request, requests }) => {
      const { path } = request("turbines");
      const answer = await rawGet({ url, path });
      assertEquals(answer.status, 401);
      assertEquals(answer.headers.get("content-type"), "application/problem+json");
      assertEquals((await rawGet({ url, path: "/nothing?at=all" })).status, 404);
      assertEquals(requests.map(({ operation }) => operation), ["turbines", undefined]);
      assertEquals(requests.map(({ path }) => path), [path, "/nothing?at=all"]);
    });
  });

  it("refuses methods other than GET and HEAD", async () => {
    await withFaults([], async ({ url, request, key }) => {
      const response = await fetch(url + request("turbines").path, {
        method: "DELETE",
        headers: { [KEY_HEADER]: key.reveal() },
      });
      assertEquals([response.status, response.headers.get("allow")], [405, "GET, HEAD"]);
      await response.body?.cancel();
    });
  });

  it("shows the requests as received: path with query, key, status", async () => {
    await withFaults([], async ({ get, request, requests, key }) => {
      await get("model_data", { "Accept-Language": "da" });
      const [seen] = requests;
      assertEquals(seen.operation, "model_data");
      assertEquals(seen.path, request("model_data").path);
      assertMatch(seen.path, /\?start_date=2024-01-01&/);
      assertEquals(seen.headers.get("x-auth"), key.reveal());
      assertEquals(seen.headers.get("accept-language"), "da");
      assertEquals(seen.status, 200);
    });
  });

  it("answers many requests concurrently", async () => {
    await withFaults([], async ({ get, requests }) => {
      const answers = await Promise.all(Array.from({ length: 20 }, () => get("wind_indices")));
      assertEquals(new Set(answers.map(({ text }) => text)).size, 1);
      assertEquals(requests.length, 20);
    });
  });

  it("drops bytes that are not HTTP", async () => {
    await withFaults([], async ({ url, requests }) => {
      for (const text of ["\x16\x03\x01\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/1.1\r\n: x\r\n\r\n"]) {
        const { port } = new URL(url);
        using connection = await Deno.connect({ hostname: "127.0.0.1", port: Number(port) });
        await connection.write(new TextEncoder().encode(text));
        assertEquals(await connection.read(new Uint8Array(10)).catch(() => null), null);
      }
      assertEquals(requests, []);
    });
  });

  it("closes while idle connections are open", async () => {
    let connection: Deno.TcpConn;
    await withFaults([], async ({ url }) => {
      const { port } = new URL(url);
      connection = await Deno.connect({ hostname: "127.0.0.1", port: Number(port) });
    });
    connection!.close();
  });

  it("closes while a client reads nothing of a long answer", async () => {
    const values = { url: "", path: "" };
    let connection: Deno.TcpConn;
    await withFaults([], async ({ request, requests }) => {
      Object.assign(values, request("model_data"));
      connection = await send({ ...request("model_data"), path: values.path.split("?")[0] });
      while (requests[0]?.status === undefined) await new Promise((done) => setTimeout(done));
    });
    connection!.close();
  });
});

describe("the faulty server with faults", () => {
  it("accepts more of them during the test", async () => {
    await withFaults([], async ({ get, inject, requests }) => {
      assertEquals((await get("turbines")).status, 200);
      inject({ on: "turbines", act: { kind: "status", status: 500 } });
      assertEquals((await get("turbines")).status, 500);
      assertEquals((await get("turbines")).status, 200);
      assertEquals(requests.map(({ status }) => status), [200, 500, 200]);
    });
  });

  it("affects the operation that it names, the n-th time", async () => {
    const faults = [{ on: "datasets", after: 1, act: { kind: "status", status: 500 } }] as const;
    await withFaults(faults, async ({ get }) => {
      const ids = ["datasets", "turbines", "datasets", "datasets"] as const;
      const statuses = [];
      for (const id of ids) statuses.push((await get(id)).status);
      assertEquals(statuses, [200, 200, 500, 200]);
    });
  });

  it("passes further settings on to the connection", async () => {
    await withService(async ({ connection }) => {
      await assertRejects(() => turbines({ connection }), TimeoutError);
    }, {
      folder: SHARED_SAMPLE,
      connection: { timeout: 50 },
      faults: [{ times: Infinity, act: { kind: "stall", where: "headers" } }],
    });
  });
});
