import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  LicenceError,
  OrderFailedError,
  ServiceError,
  TimeoutError,
} from "../../../src/api/errors.ts";
import { Ledger } from "../../../src/client/orders/ledger.ts";
import { orderAndWait } from "../../../src/client/orders/order_and_wait.ts";
import { orders } from "../../../src/client/orders/orders.ts";
import { attachOrder, placeOrder } from "../../../src/client/orders/place_order.ts";
import { column } from "../_frames.ts";
import { type Handler, silence, withServer } from "../_local_server.ts";

const place = { latitude: 55.5, longitude: 7.75, from: 2020, to: 2020 };
const TABLE = "time\twSpeed.100\n2020-01-01T00:00:00Z\t9.5\n";
const quick = { firstPause: 0, timeout: 10_000 };

/** What a look at the status gets: a word, or a whole answer. */
type Look = string | (() => Response);

/** A service whose looks get these in turn, the last one for ever; `URL` stands for its own file. */
function orderService(...looks: readonly Look[]): Handler {
  let polls = 0;
  return (request) => {
    const { pathname, origin } = new URL(request.url);
    if (pathname.includes("/climate/order/")) return Response.json("o-1");
    if (!pathname.includes("/climate/status/")) return new Response(TABLE);
    const look = looks[Math.min(polls++, looks.length - 1)];
    return typeof look === "string"
      ? new Response(look.replace("URL", `${origin}/files/a.csv`))
      : look();
  };
}

function failing(status: number): () => Response {
  return () => new Response(null, { status, headers: { "retry-after": "0" } });
}

function times<T>(count: number, item: T): T[] {
  return Array.from({ length: count }, () => item);
}

/** Runs with timers that ring at once where they are pauses; gives how long those would have been. */
async function pausesOf(random: number, act: () => Promise<unknown>): Promise<number[]> {
  const pauses: number[] = [];
  const { setTimeout: real } = globalThis;
  const { random: realRandom } = Math;
  // Timers of requests and of the whole wait are set to odd times by the test.
  const isPause = (ms: number) =>
    ms < 100_000 && ms !== timers.headersTimeout &&
    ms !== timers.idleTimeout;
  globalThis.setTimeout = ((ring: () => void, ms = 0) => {
    if (!isPause(ms)) return real(ring, ms);
    pauses.push(ms);
    return real(ring, 0);
  }) as typeof setTimeout;
  Math.random = () => random;
  try {
    await act();
  } finally {
    globalThis.setTimeout = real;
    Math.random = realRandom;
  }
  return pauses;
}

const timers = { headersTimeout: 77_777, idleTimeout: 88_888, timeout: 777_777 };

describe("ClimateOrder.wait()", () => {
  const schedule = [
    2_000,
    3_000,
    4_500,
    6_750,
    10_125,
    15_187.5,
    22_781.25,
    34_171.875,
    51_257.8125,
  ]
    .concat(60_000, 60_000);

  for (const [random, share] of [[0, 0.8], [0.5, 1], [1, 1.2]]) {
    it(`pauses from 2 s to a minute, times ${share} where chance says ${random}`, async () => {
      const service = orderService(...times(schedule.length, '"placed"'), '"URL"');
      await withServer(service, async ({ connection }) => {
        const order = await placeOrder("era5", { ...place, connection });
        const pauses = await pausesOf(random, () => order.wait());
        assertEquals(pauses.length, schedule.length);
        for (const [i, pause] of pauses.entries()) {
          assertAlmostEquals(pause, schedule[i] * share, 1);
        }
      }, timers);
    });
  }

  it("begins with the pause that it is given", async () => {
    await withServer(
      orderService('"placed"', '"placed"', '"URL"'),
      async ({ connection, seen }) => {
        const order = await placeOrder("era5", { ...place, connection });
        await order.wait({ firstPause: 20 });
        const gaps = seen.slice(2).map(({ at }, i) => at - seen[i + 1].at);
        assertEquals(gaps.length, 2);
        assert(gaps[0] > 15 && gaps[1] > 23, `${gaps} ms`);
      },
    );
  });

  it("tells each status once, also words that nobody knows, and the ledger keeps the last", async () => {
    const service = orderService(
      '"placed"',
      "Placed",
      '"In the queue, 3rd"',
      '"in the queue, 3rd"',
      '"URL"',
    );
    const told: string[] = [];
    const kept: unknown[] = [];
    await withServer(service, async ({ connection, home }) => {
      const order = await placeOrder("era5", { ...place, connection });
      const onStatus = ({ state }: { state: string }) => {
        told.push(state);
        kept.push(new Ledger(home).listEntries()[0].status);
      };
      await order.wait({ ...quick, onStatus });
      assertEquals(told, ["placed", "in the queue, 3rd", "ready"]);
      assertEquals(kept, told);
      assertEquals(column(orders({ connection }), "state"), ["placed"]);
    });
  });

  it("F2 ends after its longest wait, says what the order is, and how it goes on", async () => {
    await withServer(orderService('"In progress"'), async ({ connection, home }) => {
      const order = await placeOrder("era5", { ...place, connection });
      const { message } = await assertRejects(
        () => order.wait({ timeout: 600, firstPause: 20 }),
        TimeoutError,
        'Cannot wait for order o-1 any longer: after 0.6 s it is "in progress"',
      );
      assertStringIncludes(message, 'attachOrder("o-1")');
      assertEquals(new Ledger(home).listEntries().map(({ state }) => state), ["placed"]);
      assertEquals((await attachOrder("o-1", { connection }).status()).state, "in progress");
    });
  });

  it("F2 counts a status that does not come into its longest wait", async () => {
    const handler: Handler = (request) =>
      request.url.includes("/order/") ? Response.json("o-1") : silence(request);
    await withServer(handler, async ({ connection }) => {
      const order = await placeOrder("era5", { ...place, connection });
      await assertRejects(() => order.wait({ timeout: 50 }), TimeoutError, "after 0.05 s");
    });
  });

  it("waits as long as it takes where it is told to", async () => {
    await withServer(orderService('"placed"', '"URL"'), async ({ connection }) => {
      const order = await placeOrder("era5", { ...place, connection });
      const { state } = await order.wait({ timeout: Infinity, firstPause: 0 });
      assertEquals(state, "ready");
    });
  });

  it("F10 stops where the licence ends, keeps the order, and says how to go on", async () => {
    let renewed = false;
    const service = orderService(
      '"placed"',
      '"placed"',
      () => renewed ? Response.json("complete") : new Response(null, { status: 401 }),
    );
    await withServer(service, async ({ connection, seen, home }) => {
      const error = await assertRejects(
        () => orderAndWait("era5", { ...place, ...quick, connection }),
        LicenceError,
      );
      assertEquals([error.status, error.operation, seen.length], [401, "order_status", 4]);
      for (const part of ["order o-1", "requestApiKey()", 'attachOrder("o-1")', "stays placed"]) {
        assertStringIncludes(error.message, part);
      }
      const [{ state, orderId }] = new Ledger(home).listEntries();
      assertEquals([state, orderId], ["placed", "o-1"]);
      renewed = true;
      const frame = await orderAndWait("era5", { ...place, ...quick, connection });
      assertEquals(frame.height, 1);
      assertEquals(seen.filter(({ path }) => path.includes("/climate/order/")).length, 1);
    });
  });

  describe("where the service says that it does not know the order", () => {
    it("goes on while that may pass", async () => {
      const service = orderService(
        ...times(2, '"unknown"'),
        '"placed"',
        ...times(2, "unknown"),
        '"URL"',
      );
      await withServer(service, async ({ connection }) => {
        const order = await placeOrder("era5", { ...place, connection });
        assertEquals((await order.wait(quick)).state, "ready");
      });
    });

    it("ends after three times, and says what to do", async () => {
      await withServer(orderService('"unknown"'), async ({ connection, seen }) => {
        const { message } = await assertRejects(
          () => orderAndWait("era5", { ...place, ...quick, connection }),
          OrderFailedError,
          "o-1",
        );
        assertStringIncludes(message, "downloadClimate()");
        assertEquals(seen.length, 4);
      });
    });

    it("F11 lets the next call order anew: the order has failed", async () => {
      await withServer(orderService('"unknown"'), async ({ connection, seen, home }) => {
        const call = () => orderAndWait("era5", { ...place, ...quick, connection });
        await assertRejects(call, OrderFailedError);
        assertEquals(new Ledger(home).listEntries().map(({ state }) => state), ["failed"]);
        await assertRejects(call, OrderFailedError);
        assertEquals(seen.filter(({ path }) => path.includes("/climate/order/")).length, 2);
      });
    });
  });

  describe("F1 outlives failures that may pass", () => {
    it("such as a service that is away for nine looks", async () => {
      // Each look asks three times.
      const service = orderService('"placed"', ...times(27, failing(503)), '"URL"');
      await withServer(service, async ({ connection, seen }) => {
        const order = await placeOrder("era5", { ...place, connection });
        assertEquals((await order.wait(quick)).state, "ready");
        assertEquals(seen.length, 1 + 1 + 27 + 1);
      });
    });

    it("but not ten looks in a row", async () => {
      const nine = times(27, failing(503));
      const service = orderService(...nine, '"placed"', ...nine, ...nine);
      await withServer(service, async ({ connection, seen, home }) => {
        const order = await placeOrder("era5", { ...place, connection });
        const error = await assertRejects(() => order.wait(quick), ServiceError);
        assertEquals([error.status, seen.length], [503, 1 + 27 + 1 + 30]);
        assertEquals(new Ledger(home).listEntries()[0].state, "placed");
      });
    });

    it("and ends at once where a failure does not pass", async () => {
      await withServer(orderService('"placed"', failing(403)), async ({ connection, seen }) => {
        const order = await placeOrder("era5", { ...place, connection });
        await assertRejects(() => order.wait(quick));
        assertEquals(seen.length, 3);
      });
    });
  });

  describe("F15 ends with its signal, and the order stays", () => {
    async function assertKept(
      service: Handler,
      stop: (controller: AbortController) => Parameters<typeof orderAndWait>[1],
      requests: number,
    ): Promise<void> {
      const controller = new AbortController();
      await withServer(service, async ({ connection, home, seen }) => {
        const call = orderAndWait("era5", { ...stop(controller), connection });
        await assertRejects(() => call, Error, "stop");
        const [{ state, orderId }] = new Ledger(home).listEntries();
        assertEquals([state, orderId, seen.length], ["placed", "o-1", requests]);
      });
    }

    it("while it waits between two looks", async () => {
      await assertKept(orderService('"placed"'), (controller) => ({
        ...place,
        signal: controller.signal,
        onStatus: () => void controller.abort(new Error("stop")),
      }), 2);
    });

    it("during a look, also where the signal is given to wait() alone", async () => {
      const controller = new AbortController();
      const handler: Handler = (request) => {
        if (request.url.includes("/order/")) return Response.json("o-1");
        controller.abort(new Error("stop"));
        return silence(request);
      };
      await withServer(handler, async ({ connection, home }) => {
        const order = await placeOrder("era5", { ...place, connection });
        await assertRejects(() => order.wait({ signal: controller.signal }), Error, "stop");
        assertEquals(new Ledger(home).listEntries()[0].state, "placed");
      });
    });

    it("before it begins", async () => {
      await withServer(orderService('"URL"'), async ({ connection, seen }) => {
        const order = await placeOrder("era5", { ...place, connection });
        const signal = AbortSignal.abort(new Error("stop"));
        await assertRejects(() => order.wait({ signal }), Error, "stop");
        assertEquals(seen.length, 1);
      });
    });
  });
});
