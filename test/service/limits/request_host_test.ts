import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { KEY_HEADER, operationOf } from "../../../src/api/operations/operations.ts";
import { refuseForeignHost } from "../../../src/service/limits/request_host.ts";
import { serve } from "../../../src/service/running/serve.ts";
import { openSample, type OpenServiceOptions } from "../../../src/service/running/service.ts";
import { askRaw } from "../_raw_http.ts";
import { buildPath, SHARED_SAMPLE } from "../_sample.ts";

function statusOf(host: string, listensOn: string): number {
  return refuseForeignHost(new Request(`http://${host}/`), listensOn)?.status ?? 200;
}

describe("H12 refuseForeignHost()", () => {
  it("accepts the names of loopback and the address that it listens on", () => {
    for (
      const host of [
        "localhost:8080",
        "LOCALHOST",
        "127.0.0.1",
        "127.9.9.9:1",
        "[::1]:8080",
        "localhost.",
      ]
    ) {
      for (const listensOn of ["127.0.0.1", "::1", "0.0.0.0"]) {
        assertEquals(statusOf(host, listensOn), 200, `${host} at ${listensOn}`);
      }
    }
    assertEquals(statusOf("10.1.2.3:8080", "10.1.2.3"), 200);
    assertEquals(statusOf("wind.example", "Wind.Example"), 200);
    assertEquals(statusOf("[fd00::1]:8080", "[fd00::1]"), 200);
  });

  it("refuses every other host", () => {
    for (
      const host of [
        "evil.example",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "10.1.2.4",
        "0.0.0.0",
        "[::ffff:8.8.8.8]",
      ]
    ) assertEquals(statusOf(host, "10.1.2.3"), 421, host);
  });

  it("accepts name and addresses of the machine if it listens on all of them", () => {
    const ownNames = [
      Deno.hostname(),
      ...Deno.networkInterfaces().map(({ family, address }) =>
        family === "IPv6" ? `[${address}]` : address
      ),
    ];
    for (const host of ownNames) assertEquals(statusOf(`${host}:8080`, "0.0.0.0"), 200, host);
    assertEquals(statusOf("evil.example", "0.0.0.0"), 421);
    assertEquals(statusOf("203.0.113.9", "::"), 421);
  });
});

describe("H12 a service without --public-url", () => {
  const ORDER = buildPath(operationOf("place_order"), {
    service_id: "era5",
    lat: 55.5,
    lon: 7.75,
    start_year: 2020,
    end_year: 2020,
    filetype: "csv",
  });

  /** Places an order under a name, and waits for the address of its file. */
  async function order(ask: (path: string, host: string) => Promise<string>, host: string) {
    const id = /\r\n\r\n"?([^"\s]+)"?\s*$/.exec(await ask(ORDER, host))![1];
    const path = buildPath(operationOf("order_status"), { order_id: id });
    let status = await ask(path, host);
    while (!status.includes("://")) {
      assertStringIncludes(status, "HTTP/1.1 200");
      status = await ask(path, host);
    }
    return status;
  }

  async function withSample(
    how: OpenServiceOptions,
    body: (
      ask: (path: string, host: string) => Promise<string>,
      port: string,
    ) => Promise<void>,
  ): Promise<void> {
    const service = await openSample({ folder: SHARED_SAMPLE, ...how });
    const key = await service.issueLocalKey();
    const server = serve(service);
    try {
      await body(async (path, host) => {
        const request = `GET ${path} HTTP/1.1\r\nHost: ${host}\r\n${KEY_HEADER}: ${key}\r\n` +
          "Connection: close\r\n\r\n";
        return (await askRaw(server.url, request)).text;
      }, new URL(server.url).port);
    } finally {
      await server.close();
    }
  }

  it("F59 answers a foreign name for this machine (DNS rebinding) with 421, whatever the path", () =>
    withSample({}, async (ask) => {
      for (const path of ["/", "/healthz", "/sign-in?token=x", ORDER, "/wind-index/calibrated/"]) {
        for (const host of ["evil.example", "evil.example:80", "user:pw@127.0.0.1"]) {
          const text = await ask(path, host);
          assert(/^HTTP\/1\.1 (421|400)/.test(text), `${host}${path}: ${text.slice(0, 200)}`);
        }
        assertStringIncludes(await ask(path, "evil.example"), "HTTP/1.1 421");
      }
      assertStringIncludes(await ask(ORDER, "evil.example"), "--public-url");
    }));

  it("begins addresses of orders with the requested name, which is its own", () =>
    withSample({}, async (ask, port) => {
      assertStringIncludes(await order(ask, `localhost:${port}`), `"http://localhost:${port}/`);
    }));

  it("R11: puts its own port into addresses of orders, whatever port a request names", () =>
    withSample({}, async (ask, port) => {
      for (const host of ["127.0.0.1:99", "127.0.0.1", "localhost:1", "[::1]:443"]) {
        const name = new URL(`http://${host}`).hostname;
        assertStringIncludes(await order(ask, host), `"http://${name}:${port}/`);
      }
    }));

  it("SV5: refuses a request without a host, except health checks by HTTP/1.0", async () => {
    const service = await openSample({ folder: SHARED_SAMPLE });
    const server = serve(service);
    const statusOf = async (path: string, ...head: string[]) => {
      const lines = [`GET ${path} HTTP/1.1`, "Connection: close", ...head, "", ""];
      return (await askRaw(server.url, lines.join("\r\n"))).status;
    };
    try {
      for (const path of ["/", "/openapi.json", "/wind-index/calibrated/"]) {
        assertEquals([await statusOf(path), await statusOf(path, "Host:")], [400, 400], path);
      }
      assertEquals(await statusOf("/openapi.json", "Host: localhost"), 200);
      assertEquals(await statusOf("/healthz"), 200);
    } finally {
      await server.close();
    }
  });

  it("with --public-url it answers every name, because a proxy decides, and uses its own address", () =>
    withSample({ publicUrl: "https://wind.example.org" }, async (ask) => {
      assertStringIncludes(await order(ask, "upstream:8080"), '"https://wind.example.org/');
    }));
});
