import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  ArgumentError,
  ConfigurationError,
  DataFormatError,
  NetworkError,
  NotCachedError,
  NotFoundError,
  OrderFailedError,
} from "../../../src/api/errors.ts";
import { orderAndWait, placeOrder } from "../../../src/client/orders/place_order.ts";
import { orderStatus } from "../../../src/client/orders/order_status.ts";
import { orders } from "../../../src/client/orders/orders.ts";
import { provenance } from "../../../src/frames/origin/provenance.ts";
import { readColumn } from "../_frames.ts";
import { CANARY, type Handler, type LocalServer, withServer } from "../_local_server.ts";

const place = { latitude: 55.5, longitude: 7.75, from: 2020, to: 2020 };
/** Requests the status without pauses; an endless wait would take half an hour otherwise. */
const patience = { firstPause: 0, timeout: 10_000 };
const quick = { ...place, ...patience };
const TABLE = "time\twSpeed.100\n2020-01-01T00:00:00Z\t9.5\n";

/** Builds a handler that answers status requests with these bodies in turn, then with the last; `URL` is its own file. */
function buildOrderHandler(...bodies: readonly string[]): Handler {
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

/** Lists the kinds of requests: order, status, download or file. */
function listKinds({ seen }: LocalServer): string[] {
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
    "3/10": "3/10",
    "error: no disk": "error: no disk",
    "file: not ready": "file: not ready",
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
    it(`reads ${JSON.stringify(body)} as an address without changes`, async () => {
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

  it("reports that the licence has no order with this identifier", async () => {
    await withServer(() => new Response(null, { status: 404 }), async ({ connection }) => {
      await assertRejects(() => orderStatus("o-1", { connection }), NotFoundError);
    });
  });

  it("F5 refuses a page instead of a status", async () => {
    const page = () => new Response("<!doctype html><title>Login</title>");
    await withServer(page, async ({ connection }) => {
      await assertRejects(() => orderStatus("o-1", { connection }), DataFormatError);
    });
  });
});

describe("placeOrder()", () => {
  it("sends the order once and returns its handle", async () => {
    await withServer(() => Response.json("o-1"), async ({ connection, seen }) => {
      const order = await placeOrder("era5", { ...place, connection });
      assertEquals([order.id, order.dataset], ["o-1", "era5"]);
      assertEquals(seen.map(({ path }) => path), [
        "/onlinedata-services/climate/order/era5?lat=55.5&lon=7.75&start_year=2020&end_year=2020&filetype=zipcsv",
      ]);
    });
  });

  it("accepts a number as an identifier, with all its digits", async () => {
    await withServer(() => new Response("42"), async ({ connection }) => {
      assertEquals((await placeOrder("era5", { ...place, connection })).id, "42");
    });
    await withServer(() => new Response("9007199254740993"), async ({ connection }) => {
      assertEquals((await placeOrder("era5", { ...place, connection })).id, "9007199254740993");
    });
  });
});

describe("orderAndWait()", () => {
  it("goes from the order to the frame, and reports each status once", async () => {
    const service = buildOrderHandler('"placed"', '"placed"', '"In progress"', '"URL"');
    await withServer(service, async (server) => {
      const { connection, seen } = server;
      const reported: string[] = [];
      const frame = await orderAndWait("era5", {
        ...quick,
        connection,
        onStatus: ({ state }) => void reported.push(state),
      });
      assertEquals(reported, ["placed", "in progress", "ready"]);
      assertEquals(listKinds(server), ["order", "status", "status", "status", "status", "files"]);
      assertEquals(readColumn(frame, "wind_speed_100"), [9.5]);
      assertEquals(new Set(seen.map(({ key }) => key)), new Set([CANARY]));
      assertEquals(provenance(frame)[0].parameters, {
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
    it(`downloads with the same parameters if it is ${word} three times without an address`, async () => {
      await withServer(buildOrderHandler(`"${word}"`), async (server) => {
        const { connection, seen } = server;
        const frame = await orderAndWait("era5", { ...quick, fileType: "csv", connection });
        assertEquals(frame.height, 1);
        assertEquals(listKinds(server), ["order", "status", "status", "status", "climatedownload"]);
        assertEquals(seen[0].query.toString(), seen.at(-1)!.query.toString());
      });
    });
  }

  it("uses the address if it comes after the status", async () => {
    await withServer(buildOrderHandler("complete", '"URL"'), async (server) => {
      await orderAndWait("era5", { ...quick, connection: server.connection });
      assertEquals(listKinds(server), ["order", "status", "status", "files"]);
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
        await withServer(buildOrderHandler(JSON.stringify(address)), async (server) => {
          const { message } = await assertRejects(
            () => orderAndWait("era5", { ...place, connection: server.connection }),
            NetworkError,
            "the address points to",
          );
          assertStringIncludes(message, "downloadClimate()");
          assertEquals(listKinds(server), ["order", "status"]);
        });
      });
    }

    it("and the other host sees no request and no key", async () => {
      await withServer(() => new Response(TABLE), async (other) => {
        const service = buildOrderHandler(JSON.stringify(`${other.url}/a.csv`));
        await withServer(service, async ({ connection }) => {
          const call = () => orderAndWait("era5", { ...place, connection });
          await assertRejects(call, NetworkError, other.url);
          assertEquals(other.seen, []);
        });
      });
    });

    const schemes: Readonly<Record<string, string>> = {
      "file:///etc/passwd": "a file: address",
      "FILE:/etc/passwd": "a file: address",
      "data:text/plain,x": "a data: address",
      "javascript:0": "a javascript: address",
      "ftp://127.0.0.1/a.csv": "a ftp: address",
      "gopher://127.0.0.1/secret": "not an https: address",
      "https://": "not a URL",
    };
    for (const [address, problem] of Object.entries(schemes)) {
      it(`H10 F17 F58 refuses ${address} as a status immediately, and keeps the order`, async () => {
        await withServer(buildOrderHandler(JSON.stringify(address)), async (server) => {
          const { connection } = server;
          const { message } = await assertRejects(
            () => orderAndWait("era5", { ...place, connection }),
            DataFormatError,
            `Cannot use the status of order o-1: the address is ${problem}`,
          );
          assert(!/passwd|secret/.test(message), message);
          assertEquals(listKinds(server), ["order", "status"]);
          assertEquals(readColumn(orders({ connection }), "state"), ["placed"]);
        });
      });
    }

    it("H10 F58 resolves a relative address against the service, and checks the result", async () => {
      const relative = ["/files/a.csv", "../../../files/a.csv", "./../../../files/a.csv"];
      for (const address of [...relative, "x/../../../../files/a.csv"]) {
        await withServer(buildOrderHandler(JSON.stringify(address)), async (server) => {
          await orderAndWait("era5", { ...quick, connection: server.connection });
          assertEquals(listKinds(server), ["order", "status", "files"]);
          assertEquals(server.seen.at(-1)!.key, CANARY);
        });
      }
      for (const address of ["//127.0.0.2/files/a.csv", "\\\\127.0.0.2/files/a.csv"]) {
        await withServer(buildOrderHandler(address), async (server) => {
          const call = () => orderAndWait("era5", { ...place, connection: server.connection });
          await assertRejects(call, NetworkError, "the address points to 127.0.0.2");
          assertEquals(listKinds(server), ["order", "status"]);
        });
      }
    });
  });

  it("reports that an address is no longer valid", async () => {
    const service = buildOrderHandler('"URL"');
    const handler: Handler = (request, number) =>
      request.url.includes("/files/")
        ? new Response(null, { status: 404 })
        : service(request, number);
    await withServer(handler, async ({ connection }) => {
      const error = await assertRejects(
        () => orderAndWait("era5", { ...place, connection }),
        OrderFailedError,
        "Cannot download the order",
      );
      assertEquals(error.status, 404);
      assertStringIncludes(error.message, "answered 404");
      assertEquals(readColumn(orders({ connection }), "state"), ["placed"]);
    });
  });

  it("has then delivered the order: the next call places another one", async () => {
    await withServer(buildOrderHandler('"URL"'), async (server) => {
      const { connection } = server;
      for (let i = 0; i < 2; i++) await orderAndWait("era5", { ...quick, connection });
      assertEquals(listKinds(server), ["order", "status", "files", "order", "status", "files"]);
      const frame = orders({ connection });
      assertEquals(readColumn(frame, "state"), ["delivered", "delivered"]);
      assertEquals(readColumn(frame, "status"), ["delivered", "delivered"]);
      assertEquals(readColumn(frame, "order_id"), ["o-1", "o-1"]);
    });
  });

  it("does not order data that the cache has", async () => {
    await withServer(buildOrderHandler('"URL"'), async (server) => {
      const { connection } = server;
      const call = () => orderAndWait("era5", { ...quick, cache: "use", connection });
      const first = provenance(await call())[0];
      const second = provenance(await call())[0];
      assertEquals(listKinds(server), ["order", "status", "files"]);
      assertEquals([second.sha256, second.notes], [first.sha256, ["from the cache"]]);
    });
  });

  it("orders nothing offline", async () => {
    await withServer(buildOrderHandler('"URL"'), async ({ connection, seen }) => {
      const call = () => orderAndWait("era5", { ...quick, cache: "only", connection });
      await assertRejects(call, NotCachedError);
      assertEquals([seen.length, orders({ connection }).height], [0, 0]);
    });
  });

  it("refuses zipraw before it orders anything", async () => {
    await withServer(buildOrderHandler('"URL"'), async ({ connection, seen }) => {
      const call = () => orderAndWait("era5", { ...place, fileType: "zipraw", connection });
      await assertRejects(call, ArgumentError);
      assertEquals(seen.length, 0);
    });
  });
});

describe("ClimateOrder.save()", () => {
  it("saves the file as received, replacing an older one", async () => {
    await withServer(buildOrderHandler('"URL"'), async ({ connection, home }) => {
      const path = `${home}/wind.csv`;
      await Deno.writeTextFile(path, "older");
      const order = await placeOrder("era5", { ...place, fileType: "csv", connection });
      await order.save(path, patience);
      assertEquals(await Deno.readTextFile(path), TABLE);
      assertEquals(readColumn(orders({ connection }), "state"), ["delivered"]);
    });
  });

  it("saves a direct download with the same parameters if there is no address", async () => {
    await withServer(buildOrderHandler("complete"), async (server) => {
      const { connection, home } = server;
      const order = await placeOrder("era5", { ...place, connection });
      await order.save(`${home}/wind.csv`, patience);
      assertEquals(await Deno.readTextFile(`${home}/wind.csv`), TABLE);
      assertEquals(listKinds(server).at(-1), "climatedownload");
    });
  });

  it("F5 does not save a page, and keeps the older file", async () => {
    const service = buildOrderHandler('"URL"');
    const handler: Handler = (request, number) =>
      request.url.includes("/files/")
        ? new Response("<!doctype html><title>Login</title>")
        : service(request, number);
    await withServer(handler, async ({ connection, home }) => {
      const path = `${home}/wind.csv`;
      await Deno.writeTextFile(path, "older");
      const order = await placeOrder("era5", { ...place, connection });
      await assertRejects(() => order.save(path, patience), DataFormatError, "web page");
      assertEquals(await Deno.readTextFile(path), "older");
      assertEquals(readColumn(orders({ connection }), "state"), ["placed"]);
    });
  });

  it("continues after an invalid path: the file is not lost", async () => {
    await withServer(buildOrderHandler('"URL"'), async ({ connection, home }) => {
      const order = await placeOrder("era5", { ...place, connection });
      await assertRejects(() => order.save(`${home}/none/wind.csv`, patience), ConfigurationError);
      await order.save(`${home}/wind.csv`, patience);
      assertEquals(await Deno.readTextFile(`${home}/wind.csv`), TABLE);
    });
  });
});
