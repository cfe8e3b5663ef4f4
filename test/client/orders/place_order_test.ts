import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  ArgumentError,
  DataFormatError,
  FileTypeError,
  LicenceError,
  NetworkError,
  NoAccessError,
  NoDataError,
  NotFoundError,
  OrderUncertainError,
  TimeoutError,
  TooManyRequestsError,
  VindkitError,
} from "../../../src/api/errors.ts";
import { downloadClimate } from "../../../src/client/calls/climate_data.ts";
import { connect, type Connection } from "../../../src/client/connection/connection.ts";
import { Ledger } from "../../../src/client/orders/ledger.ts";
import { orders } from "../../../src/client/orders/orders.ts";
import { attachOrder, placeOrder } from "../../../src/client/orders/place_order.ts";
import { CANARY, type Handler, neverAnswer, withRawServer, withServer } from "../_local_server.ts";

const place = { latitude: 55.5, longitude: 7.75, from: 2020, to: 2020 };
const TABLE = "time\twSpeed.100\n2020-01-01T00:00:00Z\t9.5\n";

/** Lists the state of each order in the ledger. */
function listStates(home: string): string[] {
  return new Ledger(home).listEntries().map(({ state }) => state);
}

/** Places an order whose answer is unknown, and checks the error message. */
async function assertUncertain(connection: Connection): Promise<OrderUncertainError> {
  const error = await assertRejects(
    () => placeOrder("era5", { ...place, connection }),
    OrderUncertainError,
  );
  for (const way of ["downloadClimate()", "{ repeat: true }", "orders().forget("]) {
    assertStringIncludes(error.message, way);
  }
  assertEquals(error.operation, "place_order");
  assert(!error.message.includes(CANARY));
  return error;
}

describe("placeOrder()", () => {
  for (const body of ["a1b2-c3d4", "order_7\n", '"a1b2"', "42"]) {
    it(`reads ${JSON.stringify(body)} as an identifier, quoted or bare`, async () => {
      await withServer(() => new Response(body), async ({ connection, home }) => {
        const { id } = await placeOrder("era5", { ...place, connection });
        assertEquals(id, body.trim().replaceAll('"', ""));
        assertEquals(listStates(home), ["placed"]);
      });
    });
  }

  it("F11 records the answer that comes after its order was forgotten", async () => {
    const { promise, resolve } = Promise.withResolvers<Response>();
    const handler: Handler = (_, number) => number === 1 ? promise : Response.json("o-2");
    await withServer(handler, async ({ connection, home, seen }) => {
      const first = placeOrder("era5", { ...place, connection });
      while (seen.length === 0) await new Promise((next) => setTimeout(next, 1));
      orders({ connection }).forget();
      const second = await placeOrder("era5", { ...place, connection });
      resolve(Response.json("o-1"));
      assertEquals([(await first).id, second.id], ["o-1", "o-2"]);
      const entries = new Ledger(home).listEntries().map(({ state, orderId }) => [state, orderId]);
      assertEquals(entries, [["forgotten", "o-1"], ["placed", "o-2"]]);
    });
  });

  it("F11 has recorded the order on the disk before its request arrives", async () => {
    const recorded: unknown[] = [];
    let home = "";
    const handler: Handler = () => {
      for (const { entry, state, orderId, parameters } of new Ledger(home).listEntries()) {
        recorded.push({ entry, state, orderId, year: parameters.start_year });
      }
      return Response.json("o-1");
    };
    await withServer(handler, async (server) => {
      home = server.home;
      await placeOrder("era5", { ...place, connection: server.connection });
      assertEquals(recorded, [{ entry: 1, state: "sent", orderId: null, year: 2020 }]);
      assertEquals(listStates(home), ["placed"]);
    });
  });

  it("does not record an order that cannot be sent", async () => {
    await withServer(() => Response.json("o-1"), async ({ connection, seen, home }) => {
      const wrong = [{ latitude: 91 }, { from: 2021 }, { fileType: "nc" as "csv" }];
      for (const change of wrong) {
        const call = () => placeOrder("era5", { ...place, ...change, connection });
        await assertRejects(call, ArgumentError);
      }
      await assertRejects(() => placeOrder("..", { ...place, connection }), ArgumentError);
      assertEquals([seen.length, listStates(home)], [0, []]);
    });
  });

  it("F11 joins a known order, without a request", async () => {
    await withServer(() => Response.json("o-1"), async ({ connection, seen, url, home }) => {
      await placeOrder("era5", { ...place, connection });
      const other = connect({ url, key: CANARY, home });
      const joined = await placeOrder("era5", { ...place, fileType: "zipcsv", connection: other });
      assertEquals([joined.id, joined.dataset, seen.length], ["o-1", "era5", 1]);
      assertEquals(joined.parameters.start_year, 2020);
    });
  });

  it("F11 sends one request for two calls at the same time", async () => {
    const ask = Promise.withResolvers<void>();
    const handler: Handler = async () => {
      await ask.promise;
      return Response.json("o-1");
    };
    await withServer(handler, async ({ connection, seen, home }) => {
      const call = () => placeOrder("era5", { ...place, connection });
      const calls = [call(), call()];
      ask.resolve();
      assertEquals((await Promise.all(calls)).map(({ id }) => id), ["o-1", "o-1"]);
      assertEquals([seen.length, listStates(home)], [1, ["placed"]]);
    });
  });

  it("F11 records both answers if an order is repeated while the first one is under way", async () => {
    const ask = Promise.withResolvers<void>();
    const handler: Handler = async (_, number) => {
      if (number === 1) await ask.promise;
      else ask.resolve();
      return Response.json("o-1");
    };
    await withServer(handler, async ({ connection, seen, home }) => {
      const call = (repeat: boolean) => placeOrder("era5", { ...place, repeat, connection });
      const orders = await Promise.all([call(false), call(true)]);
      assertEquals(orders.map(({ id }) => id), ["o-1", "o-1"]);
      assertEquals(seen.length, 2);
      assertEquals(new Ledger(home).listEntries().map(({ orderId }) => orderId), ["o-1", "o-1"]);
    });
  });

  describe("F11 NB9 is uncertain if the answer has no identifier, or one that no request can contain", () => {
    const unusable = ['"a\\u0000b"', '"a\\nb"', `"${"x".repeat(3_000_000)}"`];
    for (const body of ['""', "null", "{}", "[]", "<p>busy</p>", "", "o-1 o-2", ...unusable]) {
      it(`such as ${JSON.stringify(body).slice(0, 20)}`, async () => {
        await withServer(() => new Response(body), async ({ connection, seen, home }) => {
          const { cause } = await assertUncertain(connection);
          assert(cause instanceof DataFormatError, String(cause));
          await assertUncertain(connection);
          assertEquals([seen.length, listStates(home)], [1, ["sent"]]);
        });
      });
    }
  });

  describe("F11 is uncertain if the service fails", () => {
    for (const status of [500, 502, 503, 504]) {
      it(`with ${status}`, async () => {
        const handler = () => new Response("busy", { status, headers: { "retry-after": "0" } });
        await withServer(handler, async ({ connection, seen, home }) => {
          const { cause } = await assertUncertain(connection);
          assertEquals((cause as VindkitError).status, status);
          await assertUncertain(connection);
          assertEquals([seen.length, listStates(home)], [1, ["sent"]]);
        });
      });
    }

    it("by closing the connection", async () => {
      await withRawServer("", async ({ url, requests }) => {
        const home = await Deno.makeTempDir();
        const connection = connect({ url, key: CANARY, home });
        assert((await assertUncertain(connection)).cause instanceof NetworkError);
        await assertUncertain(connection);
        assertEquals([requests(), listStates(home)], [1, ["sent"]]);
        await Deno.remove(home, { recursive: true });
      });
    });

    it("by a circle of redirects", async () => {
      await withServer(
        () => new Response(null, { status: 302, headers: { location: "/" } }),
        async ({ connection, seen }) => {
          await assertUncertain(connection);
          await assertUncertain(connection);
          assertEquals(seen.length, 6);
        },
      );
    });

    it("by silence", async () => {
      await withServer(neverAnswer, async ({ connection, seen, home }) => {
        assert((await assertUncertain(connection)).cause instanceof TimeoutError);
        await assertUncertain(connection);
        assertEquals([seen.length, listStates(home)], [1, ["sent"]]);
      }, { headersTimeout: 50 });
    });
  });

  describe("F11 continues from there", () => {
    /** Loses the first answer, then gives identifiers. */
    const service: Handler = (request, number) => {
      if (request.url.includes("/climatedownload/")) return new Response(TABLE);
      return number === 1 ? new Response(null, { status: 503 }) : Response.json(`o-${number}`);
    };

    it("with { repeat: true }, which sends one more", async () => {
      await withServer(service, async ({ connection, seen, home }) => {
        await assertUncertain(connection);
        const order = await placeOrder("era5", { ...place, repeat: true, connection });
        assertEquals([order.id, seen.length], ["o-2", 2]);
        assertEquals(listStates(home), ["repeated", "placed"]);
        assertEquals((await placeOrder("era5", { ...place, connection })).id, "o-2");
        assertEquals(seen.length, 2);
      });
    });

    it("with downloadClimate(), which needs no order", async () => {
      await withServer(service, async ({ connection, seen, home }) => {
        await assertUncertain(connection);
        const frame = await downloadClimate("era5", { ...place, connection });
        assertEquals([frame.height, seen.length, listStates(home)], [1, 2, ["sent"]]);
      });
    });

    it("with orders().forget(), after which the same call sends it", async () => {
      await withServer(service, async ({ connection, seen, home }) => {
        const { message } = await assertUncertain(connection);
        orders({ connection }).forget(Number(/forget\((\d+)\)/.exec(message)![1]));
        const order = await placeOrder("era5", { ...place, connection });
        assertEquals([order.id, seen.length], ["o-2", 2]);
        assertEquals(listStates(home), ["forgotten", "placed"]);
      });
    });
  });

  describe("F11 leaves no uncertain order after a refusal", () => {
    const refusals: readonly (readonly [number, typeof VindkitError])[] = [
      [400, VindkitError],
      [401, LicenceError],
      [403, NoAccessError],
      [404, NoDataError],
      [405, FileTypeError],
      [406, TooManyRequestsError],
      [422, ArgumentError],
    ];
    for (const [status, expected] of refusals) {
      it(`with ${status}`, async () => {
        const handler: Handler = (_, number) =>
          number === 1 ? new Response(null, { status }) : Response.json("o-1");
        await withServer(handler, async ({ connection, seen, home }) => {
          const call = () => placeOrder("era5", { ...place, connection });
          const error = await assertRejects(call, expected);
          assert(!(error instanceof OrderUncertainError));
          assertEquals([error.status, listStates(home)], [status, ["refused"]]);
          assertEquals([(await call()).id, seen.length], ["o-1", 2]);
        });
      });
    }

    it("or if no server listens", async () => {
      await withServer(() => Response.json("o-1"), async ({ home, connection }) => {
        const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
        const url = `http://127.0.0.1:${listener.addr.port}`;
        listener.close();
        const nobody = connect({ url, key: CANARY, home });
        const call = () => placeOrder("era5", { ...place, connection: nobody });
        const error = await assertRejects(call, NetworkError);
        assert(!(error instanceof OrderUncertainError));
        assertEquals(listStates(home), ["refused"]);
        assertEquals((await placeOrder("era5", { ...place, connection })).id, "o-1");
      });
    });

    it("or if the service in this process cannot be opened", async () => {
      const home = await Deno.makeTempDir();
      const connection = connect({ data: `${home}/none`, home });
      const call = () => placeOrder("era5", { ...place, connection });
      const error = await assertRejects(call, VindkitError);
      assert(!(error instanceof OrderUncertainError), error.message);
      assertEquals(listStates(home).includes("sent"), false);
      await Deno.remove(home, { recursive: true });
    });
  });

  describe("F15 is ended by its signal", () => {
    it("while it waits for the answer: the order is uncertain and recorded", async () => {
      const controller = new AbortController();
      const handler: Handler = (request) => {
        controller.abort(new Error("stop"));
        return neverAnswer(request);
      };
      await withServer(handler, async ({ connection, seen, home }) => {
        const { signal } = controller;
        const call = () => placeOrder("era5", { ...place, signal, connection });
        await assertRejects(call, Error, "stop");
        assertEquals(listStates(home), ["sent"]);
        await assertUncertain(connection);
        assertEquals(seen.length, 1);
      }, { headersTimeout: 500 });
    });

    it("before it is sent: no order is uncertain", async () => {
      await withServer(() => Response.json("o-1"), async ({ connection, seen, home }) => {
        const signal = AbortSignal.abort(new Error("stop"));
        const call = () => placeOrder("era5", { ...place, signal, connection });
        await assertRejects(call, Error, "stop");
        assertEquals([seen.length, listStates(home).includes("sent")], [0, false]);
        assertEquals((await placeOrder("era5", { ...place, connection })).id, "o-1");
      });
    });

    it("while it waits for a slot: no order is uncertain", async () => {
      const controller = new AbortController();
      const requested = Promise.withResolvers<void>();
      const answer = Promise.withResolvers<Response>();
      const handler: Handler = (request) => {
        if (request.url.includes("/order/")) return Response.json("o-1");
        requested.resolve();
        return answer.promise;
      };
      await withServer(handler, async ({ connection, seen, home }) => {
        const download = downloadClimate("era5", { ...place, connection });
        await requested.promise;
        const { signal } = controller;
        const call = placeOrder("era5", { ...place, signal, connection });
        controller.abort(new Error("stop"));
        await assertRejects(() => call, Error, "stop");
        answer.resolve(new Response(TABLE));
        await download;
        assertEquals([seen.length, listStates(home).includes("sent")], [1, false]);
      }, { concurrency: 1 });
    });

    it("and another call that joined it reports it as uncertain", async () => {
      const controller = new AbortController();
      const handler: Handler = (request) => {
        controller.abort(new Error("stop"));
        return neverAnswer(request);
      };
      await withServer(handler, async ({ connection, seen }) => {
        const { signal } = controller;
        const first = placeOrder("era5", { ...place, signal, connection });
        const second = placeOrder("era5", { ...place, connection });
        const outcomes = await Promise.allSettled([first, second]);
        const [mine, joined] = outcomes.map((outcome) => (outcome as PromiseRejectedResult).reason);
        assertEquals([mine.name, mine.cause.message, seen.length], ["AbortError", "stop", 1]);
        assert(joined instanceof OrderUncertainError, String(joined));
      }, { headersTimeout: 500 });
    });
  });
});

describe("attachOrder()", () => {
  it("continues an order of the ledger, in another process", async () => {
    await withServer(() => Response.json("o-1"), async ({ connection, url, home, seen }) => {
      await placeOrder("era5", { ...place, connection });
      const order = attachOrder("o-1", { connection: connect({ url, key: CANARY, home }) });
      assertEquals([order.id, order.dataset, order.parameters.lat, seen.length], [
        "o-1",
        "era5",
        55.5,
        1,
      ]);
    });
  });

  it("refuses an identifier that the ledger does not have, or has for another service", async () => {
    await withServer(() => Response.json("o-1"), async ({ connection, home, seen }) => {
      await placeOrder("era5", { ...place, connection });
      const other = connect({ url: "https://api.example", key: CANARY, home });
      const wrong = [["o-2", connection], ["o-1", other]] as const;
      for (const [id, through] of wrong) {
        // deno-lint-ignore require-await -- an immediate throw is a rejection, too
        const call = async () => attachOrder(id, { connection: through });
        const { message } = await assertRejects(call, NotFoundError);
        assertStringIncludes(message, home);
      }
      // deno-lint-ignore require-await -- the same
      await assertRejects(async () => attachOrder("", { connection }), ArgumentError);
      assertEquals(seen.length, 1);
    });
  });
});
