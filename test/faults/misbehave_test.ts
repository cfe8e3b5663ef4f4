import { assert, assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { MAX_ACTIVE_DOWNLOADS } from "../../src/service/operations/climate_data.ts";
import type { CutAct, FaultAct } from "./_fault.ts";
import { FaultyServer } from "./_faulty_server.ts";
import { rawGet, readUntil, send } from "./_raw.ts";
import { type TestService, withAct, withFaults } from "./_service.ts";

/** The body of the operation without a fault. */
async function honest({ get }: TestService): Promise<Uint8Array<ArrayBuffer>> {
  return (await get("model_data")).body;
}

describe("a fault that closes", () => {
  it("closes before the service is called, or after it has done its work", async () => {
    for (const [kind, expected] of [["reset", 0], ["lose_answer", 1]] as const) {
      let requests = 0;
      const fetch = () => Promise.resolve(Response.json(++requests));
      const server = new FaultyServer(fetch, [{ act: { kind } }]);
      const { status, body } = await rawGet({ url: server.url, path: "/" });
      await server.close();
      assertEquals([status, body.length, requests], [undefined, 0, expected]);
      assertEquals(server.requests.map(({ status }) => status), [undefined]);
    }
  });

  it("releases the service's open files for the answer", async () => {
    const times = MAX_ACTIVE_DOWNLOADS + 1;
    await withFaults([{ times, act: { kind: "lose_answer" } }], async ({ get, requests }) => {
      for (let i = 0; i < times; i++) await get("download_climate");
      assertEquals((await get("download_climate")).status, 200);
      assertEquals(requests.length, times + 1);
    });
  });

  it("is a TypeError of fetch", async () => {
    for (const kind of ["reset", "lose_answer"] as const) {
      await withAct({ kind }, async ({ fetch }) => {
        await assertRejects(() => fetch("turbines"), TypeError);
      });
    }
  });
});

describe("a stall", () => {
  it("before the headers sends nothing, until the client goes away", async () => {
    await withAct({ kind: "stall", where: "headers" }, async ({ request, get, requests }) => {
      using connection = await send(request("turbines"));
      const first = connection.read(new Uint8Array(1));
      first.catch(() => {});
      // Other requests are served meanwhile: without the fault, the first would have been served long before.
      assertEquals((await get("turbines")).status, 200);
      assertEquals(requests.map(({ status }) => status), [undefined, 200]);
    });
  });

  it("in the body sends half of it, and the service can still close", async () => {
    let connection: Deno.TcpConn;
    await withAct({ kind: "stall", where: "body" }, async (service) => {
      connection = await send(service.request("model_data"));
      const honestText = new TextDecoder().decode(await honest(service));
      const half = honestText.slice(0, Math.floor(honestText.length / 2));
      const got = await readUntil(connection, new RegExp(`\r\n\r\n[^]{${half.length}}`));
      assert(got.includes(`content-length: ${honestText.length}\r\n`), got.slice(0, 500));
      assertEquals(got.slice(got.indexOf("\r\n\r\n") + 4), half);
    });
    assertEquals(await connection!.read(new Uint8Array(1)).catch(() => null), null);
    connection!.close();
  });

  it("ends when the client gives up", async () => {
    for (const where of ["headers", "body"] as const) {
      await withAct({ kind: "stall", where }, async ({ fetch }) => {
        const controller = new AbortController();
        const reading = fetch("model_data", { signal: controller.signal })
          .then((response) => response.bytes());
        controller.abort(new Error("enough"));
        await assertRejects(() => reading, Error, "enough");
      });
    }
  });
});

describe("a cut", () => {
  const cut = (framing: CutAct["framing"], at?: number): FaultAct => ({
    kind: "cut",
    framing,
    ...(at === undefined ? {} : { at }),
  });

  it("of a body that ends with the connection cannot be seen", async () => {
    await withAct(cut("close"), async (service) => {
      const response = await service.fetch("model_data");
      assertEquals(response.headers.get("content-length"), null);
      const got = await response.bytes();
      const honestBytes = await honest(service);
      assertEquals(got, honestBytes.slice(0, Math.floor(honestBytes.length / 2)));
    });
  });

  it("of a body of known length announces more than it sends", async () => {
    await withAct(cut("length", 0.25), async (service) => {
      const { headers, body } = await service.get("model_data");
      const honestBytes = await honest(service);
      assertEquals(Number(headers.get("content-length")), honestBytes.length);
      assertEquals(body, honestBytes.slice(0, Math.floor(honestBytes.length / 4)));
    });
  });

  it("of a chunked body ends within a chunk", async () => {
    await withAct(cut("chunked"), async (service) => {
      const { headers, text } = await service.get("model_data");
      const honestText = new TextDecoder().decode(await honest(service));
      assertEquals(headers.get("transfer-encoding"), "chunked");
      assertEquals(headers.get("content-length"), null);
      const size = honestText.length.toString(16);
      assertEquals(text, `${size}\r\n${honestText.slice(0, Math.floor(honestText.length / 2))}`);
    });
  });

  it("of a compressed body has the right length, but the stream has no end", async () => {
    await withAct(cut("gzip"), async ({ get }) => {
      const { headers, body } = await get("model_data");
      assertEquals(headers.get("content-encoding"), "gzip");
      assertEquals(Number(headers.get("content-length")), body.length);
      const stream = new Blob([body]).stream().pipeThrough(new DecompressionStream("gzip"));
      await assertRejects(() => new Response(stream).bytes(), TypeError);
    });
  });

  it("of any framing but the first is noticed by fetch", async () => {
    for (const framing of ["length", "chunked", "gzip"] as const) {
      await withAct(cut(framing), async ({ fetch }) => {
        const response = await fetch("model_data");
        assertEquals(response.status, 200);
        await assertRejects(() => response.bytes(), TypeError);
      });
    }
  });

  it("is possible at the very beginning and at the very end", async () => {
    for (const framing of ["close", "length", "chunked", "gzip"] as const) {
      for (const at of [0, 1]) {
        await withAct(cut(framing, at), async (service) => {
          const answer = await service.fetch("model_data");
          const honestBytes = await honest(service);
          if (framing === "length" || framing === "chunked") {
            await assertRejects(() => answer.bytes(), TypeError);
          } else if (at === 1) assertEquals(await answer.bytes(), honestBytes);
          else assertNotEquals(await answer.bytes().catch(() => "broken"), honestBytes);
        });
      }
    }
  });
});

describe("another answer", () => {
  it("has the declared status, headers and body", async () => {
    const act: FaultAct = {
      kind: "status",
      status: 429,
      headers: { "Retry-After": "-1", "content-type": "text/html" },
      body: "<h1>Büsy</h1>",
    };
    await withAct(act, async ({ get, requests }) => {
      const { status, headers, text, body } = await get("turbines");
      assertEquals([status, text], [429, "<h1>Büsy</h1>"]);
      assertEquals(headers.get("retry-after"), "-1");
      assertEquals(headers.get("content-type"), "text/html");
      assertEquals(Number(headers.get("content-length")), body.length);
      assertEquals(requests[0].status, 429);
    });
  });

  it("redirects to a path or another origin", async () => {
    for (const to of ["../x", "https://other.invalid/?a=1", "file:///etc/passwd"]) {
      await withAct({ kind: "redirect", to }, async ({ get }) => {
        const { status, headers, body } = await get("turbines");
        assertEquals([status, headers.get("location"), body.length], [302, to, 0]);
      });
    }
    await withAct({ kind: "redirect", to: "/", status: 308 }, async ({ get }) => {
      assertEquals((await get("turbines")).status, 308);
    });
  });

  it("does not call the service if it has its own body", async () => {
    await withAct({ kind: "status", status: 503 }, async ({ url, requests }) => {
      // without a key the service would answer 401
      const response = await fetch(`${url}/wind-index/calibrated/`);
      await response.body?.cancel();
      assertEquals(requests[0].status, 503);
    });
  });

  it("has another body, with the honest status and headers", async () => {
    await withAct({ kind: "body", body: "<html>" }, async ({ get }) => {
      const { status, headers, text } = await get("model_data");
      assertEquals([status, text], [200, "<html>"]);
      assertEquals(headers.get("content-length"), "6");
      assertEquals(headers.get("vindkit-time-zone"), "Europe/Copenhagen");
    });
  });

  it("has a body made from the honest one, and its own headers and status", async () => {
    const act: FaultAct = {
      kind: "body",
      body: (honest) => Promise.resolve(honest.toReversed()),
      headers: { "Vindkit-World": "live" },
      status: 203,
    };
    await withAct(act, async (service) => {
      const { status, headers, body } = await service.get("model_data");
      assertEquals(body, (await honest(service)).toReversed());
      assertEquals([status, headers.get("vindkit-world")], [203, "live"]);
    });
  });

  it("may announce a wrong length", async () => {
    const headers = { "content-length": "1000" };
    await withAct({ kind: "body", body: new Uint8Array(3), headers }, async ({ get }) => {
      const answer = await get("turbines");
      assertEquals([answer.headers.get("content-length"), answer.body.length], ["1000", 3]);
    });
  });
});

describe("a slow answer", () => {
  it("is the honest answer", async () => {
    await withAct({ kind: "slow", milliseconds: 1 }, async (service) => {
      assertEquals((await service.get("model_data")).body, await honest(service));
    });
  });

  it("does not delay the closing of the service", async () => {
    let connection: Deno.TcpConn;
    await withAct({ kind: "slow", milliseconds: 1e9 }, async ({ request, get }) => {
      connection = await send(request("turbines"));
      assertEquals((await get("turbines")).status, 200);
    });
    assertEquals(await connection!.read(new Uint8Array(1)).catch(() => null), null);
    connection!.close();
  });

  it("comes in parts of any size, and is complete", async () => {
    await withAct({ kind: "trickle", bytes: 1000, milliseconds: 0 }, async (service) => {
      const { headers, body } = await service.get("model_data");
      assertEquals(body, await honest(service));
      assertEquals(Number(headers.get("content-length")), body.length);
    });
  });

  it("comes part by part", async () => {
    await withAct({ kind: "trickle", bytes: 5, milliseconds: 1e9 }, async ({ request }) => {
      using connection = await send(request("model_data"));
      const got = await readUntil(connection, /\r\n\r\n[^]{5}/);
      assertEquals(got.split("\r\n\r\n")[1], "time,");
    });
  });
});

describe("several faults", () => {
  it("affect one request after the other", async () => {
    const faults = [
      { act: { kind: "reset" } },
      { act: { kind: "status", status: 503 } },
      { act: { kind: "body", body: "" } },
    ] as const;
    await withFaults(faults, async ({ get, requests }) => {
      for (let i = 0; i < 4; i++) await get("turbines");
      assertEquals(requests.map(({ status }) => status), [undefined, 503, 200, 200]);
    });
  });
});
