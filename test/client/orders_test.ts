import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  ArgumentError,
  DataFormatError,
  NetworkError,
  NotFoundError,
  ServiceError,
  TimeoutError,
} from "../../src/api/errors.ts";
import { orderAndWait, orderStatus, placeOrder } from "../../src/client/orders.ts";
import { provenance } from "../../src/frames/provenance.ts";
import { column } from "./_frames.ts";
import { CANARY, type Handler, type LocalServer, silence, withServer } from "./_local_server.ts";

const place = { latitude: 55.5, longitude: 7.75, startYear: 2020, endYear: 2020 };
const TABLE = "time\twSpeed.100\n2020-01-01T00:00:00Z\t9.5\n";

/** A service that answers polls with these bodies in turn, the last one for ever; `URL` stands for its own file. */
function orderService(...bodies: readonly string[]): Handler {
  let polls = 0;
  return (request) => {
    const { pathname, origin } = new URL(request.url);
    if (pathname.includes("/climate/order/")) return Response.json("o-1");
    if (pathname.includes("/climate/status/")) {
      const body = bodies[Math.min(polls++, bodies.length - 1)];
      return new Response(body.replace("URL", `${origin}/files/a.csv`));
    }
    if (pathname.includes("/climatedownload/") || pathname === "/files/a.csv") {
      return new Response(TABLE);
    }
    return new Response(null, { status: 404 });
  };
}

/** What was asked for: order, status, download or file. */
function kindsOf({ seen }: LocalServer): string[] {
  return seen.map(({ path }) => /\/(order|status|climatedownload|files)\//.exec(path)![1]);
}

describe("orderStatus()", () => {
  const cases: Readonly<Record<string, string>> = {
    '"placed"': "placed",
    "placed": "placed",
    '"PLACED"': "placed",
    "Approved\n": "approved",
    ' "complete" ': "complete",
    "DELIVERED": "delivered",
    '"in the queue, 3rd"': "in the queue, 3rd",
    '"unknown"': "unknown",
  };
  for (const [body, state] of Object.entries(cases)) {
    it(`reads ${JSON.stringify(body)} as ${state}`, async () => {
      await withServer(() => new Response(body), async ({ connection, seen }) => {
        assertEquals(await orderStatus("o-1", { connection }), { state });
        assertEquals(seen[0].path, "/onlinedata-services/climate/status/o-1");
      });
    });
  }

  const address = "https://a.example/File.zip?x=1";
  for (
    const body of [
      JSON.stringify(address),
      address,
      `"${address.replaceAll("/", "\\/")}"`,
      `${address}\n`,
    ]
  ) {
    it(`reads ${JSON.stringify(body)} as an address, as it is`, async () => {
      await withServer(() => new Response(body), async ({ connection }) => {
        assertEquals(await orderStatus("o-1", { connection }), { state: "ready", url: address });
      });
    });
  }

  it("reads an address whose characters JSON escapes", async () => {
    const body = '"https://a.example/f?a=1\\u0026b=2"';
    await withServer(() => new Response(body), async ({ connection }) => {
      const { url } = await orderStatus("o-1", { connection });
      assertEquals(url, "https://a.example/f?a=1&b=2");
    });
  });

  it("tells that the licence has no such order", async () => {
    await withServer(() => new Response(null, { status: 404 }), async ({ connection }) => {
      await assertRejects(() => orderStatus("o-1", { connection }), NotFoundError);
    });
  });

  it("F5 refuses a page, which is no status", async () => {
    const page = () => new Response("<!doctype html><title>Login</title>");
    await withServer(page, async ({ connection }) => {
      await assertRejects(() => orderStatus("o-1", { connection }), DataFormatError);
    });
  });
});

describe("placeOrder()", () => {
  it("sends the order once and gives its handle", async () => {
    await withServer(() => Response.json("o-1"), async ({ connection, seen }) => {
      const order = await placeOrder("era5", { ...place, connection });
      assertEquals([order.id, order.dataset], ["o-1", "era5"]);
      assertEquals(seen.map(({ path }) => path), [
        "/onlinedata-services/climate/order/era5?lat=55.5&lon=7.75&start_year=2020&end_year=2020&filetype=zipcsv",
      ]);
    });
  });

  it("takes a number for an identifier, with all its digits", async () => {
    await withServer(() => new Response("42"), async ({ connection }) => {
      assertEquals((await placeOrder("era5", { ...place, connection })).id, "42");
    });
    await withServer(() => new Response("9007199254740993"), async ({ connection }) => {
      assertEquals((await placeOrder("era5", { ...place, connection })).id, "9007199254740993");
    });
  });

  for (const body of ['""', "null", "{}", "<p>busy</p>", ""]) {
    it(`refuses ${JSON.stringify(body)} for an identifier`, async () => {
      await withServer(() => new Response(body), async ({ connection }) => {
        const call = () => placeOrder("era5", { ...place, connection });
        await assertRejects(call, DataFormatError);
      });
    });
  }
});

describe("orderAndWait()", () => {
  it("goes from the order to the frame, and tells each status once", async () => {
    const service = orderService('"placed"', '"placed"', '"In progress"', '"URL"');
    await withServer(service, async (server) => {
      const { connection, seen } = server;
      const told: string[] = [];
      const frame = await orderAndWait("era5", {
        ...place,
        connection,
        onStatus: ({ state }) => void told.push(state),
      });
      assertEquals(told, ["placed", "in progress", "ready"]);
      assertEquals(kindsOf(server), ["order", "status", "status", "status", "status", "files"]);
      assertEquals(column(frame, "wind_speed_100"), [9.5]);
      assertEquals(new Set(seen.map(({ key }) => key)), new Set([CANARY]));
      assertEquals(provenance(frame)!.parameters, {
        service_id: "era5",
        lat: 55.5,
        lon: 7.75,
        start_year: 2020,
        end_year: 2020,
        filetype: "zipcsv",
      });
    });
  });

  for (const word of ["complete", "delivered"]) {
    it(`downloads with the same parameters where it is ${word} three times without an address`, async () => {
      await withServer(orderService(`"${word}"`), async (server) => {
        const { connection, seen } = server;
        const frame = await orderAndWait("era5", {
          ...place,
          fileType: "csv",
          timeout: 10_000, // else a wait that does not end would be half an hour
          connection,
        });
        assertEquals(frame.height, 1);
        assertEquals(kindsOf(server), ["order", "status", "status", "status", "climatedownload"]);
        assertEquals(seen[0].query.toString(), seen.at(-1)!.query.toString());
      });
    });
  }

  it("takes the address where it comes after the word", async () => {
    await withServer(orderService("complete", '"URL"'), async (server) => {
      await orderAndWait("era5", { ...place, connection: server.connection });
      assertEquals(kindsOf(server), ["order", "status", "status", "files"]);
    });
  });

  it("ends where the service does not know the order any more", async () => {
    await withServer(orderService('"unknown"'), async (server) => {
      const { message } = await assertRejects(
        () => orderAndWait("era5", { ...place, connection: server.connection }),
        ServiceError,
      );
      assertStringIncludes(message, "o-1");
      assertStringIncludes(message, "downloadClimate()");
      assertEquals(kindsOf(server), ["order", "status"]);
    });
  });

  it("F10 ends where the licence does meanwhile, and names the order", async () => {
    const service = orderService('"placed"');
    const handler: Handler = (request, number) =>
      number < 3 ? service(request, number) : new Response(null, { status: 401 });
    await withServer(handler, async ({ connection, seen }) => {
      const error = await assertRejects(() => orderAndWait("era5", { ...place, connection }));
      assertEquals([(error as ServiceError).status, seen.length], [401, 3]);
      assertStringIncludes((error as Error).message, "o-1");
    });
  });

  it("F2 ends after its longest wait, says what the order is, and that it stays placed", async () => {
    await withServer(orderService('"placed"'), async ({ connection }) => {
      const { message } = await assertRejects(
        () => orderAndWait("era5", { ...place, timeout: 10, connection }),
        TimeoutError,
      );
      assertStringIncludes(
        message,
        'Cannot wait for order o-1 any longer: after 0.01 s it is "placed"',
      );
      assertStringIncludes(message, "orderStatus()");
    });
  });

  describe("F16 never follows an address away from the service", () => {
    const addresses = [
      "http://localhost:1/a.csv",
      "https://127.0.0.1/a.csv",
      "http://127.0.0.1.example/a.csv",
      "http://user@127.0.0.1:1/a.csv",
    ];
    for (const address of addresses) {
      it(`such as ${address}`, async () => {
        await withServer(orderService(JSON.stringify(address)), async (server) => {
          const { message } = await assertRejects(
            () => orderAndWait("era5", { ...place, connection: server.connection }),
            NetworkError,
          );
          assertStringIncludes(message, "away from");
          assertEquals(kindsOf(server), ["order", "status"]);
        });
      });
    }

    it("and the other host sees no request and no key", async () => {
      await withServer(() => new Response(TABLE), async (other) => {
        const service = orderService(JSON.stringify(`${other.url}/a.csv`));
        await withServer(service, async ({ connection }) => {
          const call = () => orderAndWait("era5", { ...place, connection });
          await assertRejects(call, NetworkError, other.url);
          assertEquals(other.seen, []);
        });
      });
    });

    it("nor one that is no web address: it is a word that nobody knows", async () => {
      for (const address of ["file:///etc/passwd", "data:text/plain,x", "javascript:0"]) {
        await withServer(orderService(JSON.stringify(address)), async (server) => {
          const call = () =>
            orderAndWait("era5", { ...place, timeout: 10, connection: server.connection });
          await assertRejects(call, TimeoutError, address);
          assertEquals(kindsOf(server), ["order", "status"]);
        });
      }
    });
  });

  it("tells that an address does not hold any more", async () => {
    const service = orderService('"URL"');
    const handler: Handler = (request, number) =>
      request.url.includes("/files/")
        ? new Response(null, { status: 404 })
        : service(request, number);
    await withServer(handler, async ({ connection }) => {
      const error = await assertRejects(
        () => orderAndWait("era5", { ...place, connection }),
        ServiceError,
        "Cannot download order o-1: its address answered 404",
      );
      assertEquals(error.status, 404);
    });
  });

  it("refuses zipraw before it orders anything", async () => {
    await withServer(orderService('"URL"'), async ({ connection, seen }) => {
      const call = () => orderAndWait("era5", { ...place, fileType: "zipraw", connection });
      await assertRejects(call, ArgumentError);
      assertEquals(seen.length, 0);
    });
  });

  describe("F15 ends with its signal", () => {
    it("while it waits between two polls", async () => {
      const controller = new AbortController();
      await withServer(orderService('"placed"'), async ({ connection, seen }) => {
        const call = orderAndWait("era5", {
          ...place,
          connection,
          signal: controller.signal,
          onStatus: () => controller.abort(new Error("stop")),
        });
        await assertRejects(() => call, Error, "stop");
        assertEquals(seen.length, 2);
      });
    });

    it("also one that is given to wait() alone, during a request", async () => {
      const controller = new AbortController();
      const handler: Handler = (request) => {
        if (request.url.includes("/order/")) return Response.json("o-1");
        controller.abort(new Error("stop"));
        return silence(request);
      };
      await withServer(handler, async ({ connection }) => {
        const order = await placeOrder("era5", { ...place, connection });
        await assertRejects(() => order.wait({ signal: controller.signal }), Error, "stop");
      }, { timeout: 500 });
    });
  });

  it("F2 counts a status that does not come into its longest wait", async () => {
    const handler: Handler = (request) =>
      request.url.includes("/order/") ? Response.json("o-1") : silence(request);
    await withServer(handler, async ({ connection }) => {
      const order = await placeOrder("era5", { ...place, connection });
      const start = performance.now();
      await assertRejects(() => order.wait({ timeout: 50 }), TimeoutError);
      const took = performance.now() - start;
      assert(took < 1000, `${took} ms`);
    }, { timeout: 2000 });
  });
});
