import {
  assert,
  assertAlmostEquals,
  assertEquals,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  ArgumentError,
  CancelledError,
  LicenceError,
  OrderFailedError,
  ServiceError,
  TimeoutError,
} from "../../../src/api/errors.ts";
import { connect } from "../../../src/client/connection/connection.ts";
import { Ledger } from "../../../src/client/orders/ledger.ts";
import { attachOrder, orderAndWait, placeOrder } from "../../../src/client/orders/place_order.ts";
import { orders } from "../../../src/client/orders/orders.ts";
import { readColumn } from "../_frames.ts";
import { type Handler, neverAnswer, withServer } from "../_local_server.ts";

const place = { latitude: 55.5, longitude: 7.75, from: 2020, to: 2020 };
const TABLE = "time\twSpeed.100\n2020-01-01T00:00:00Z\t9.5\n";
const quick = { firstPause: 0, timeout: 10_000 };

/** Answer to a status request: a status, or a whole answer. */
type StatusAnswer = string | (() => Response);

/** Builds a handler that answers status requests with these in turn, then with the last; `URL` is its own file. */
function buildOrderHandler(...looks: readonly StatusAnswer[]): Handler {
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

function buildFailure(status: number): () => Response {
  return () => new Response(null, { status, headers: { "retry-after": "0" } });
}

function repeat<T>(count: number, item: T): T[] {
  return Array.from({ length: count }, () => item);
}

/** Runs an act whose pauses end at once, and returns how long they would have been. */
async function recordPauses(random: number, act: () => Promise<unknown>): Promise<number[]> {
  const pauses: number[] = [];
  const { setTimeout: real } = globalThis;
  const { random: realRandom } = Math;
  // The test sets timers of requests and of the whole wait to unusual times.
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
    it(`pauses from 2 s to a minute, times ${share} for the random number ${random}`, async () => {
      const service = buildOrderHandler(...repeat(schedule.length, '"placed"'), '"URL"');
      await withServer(service, async ({ connection }) => {
        const order = await placeOrder("era5", { ...place, connection });
        const pauses = await recordPauses(random, () => order.wait());
        assertEquals(pauses.length, schedule.length);
        for (const [i, pause] of pauses.entries()) {
          assertAlmostEquals(pause, schedule[i] * share, 1);
        }
      }, timers);
    });
  }

  it("begins with the caller's pause", async () => {
    await withServer(
      buildOrderHandler('"placed"', '"placed"', '"URL"'),
      async ({ connection, seen }) => {
        const order = await placeOrder("era5", { ...place, connection });
        await order.wait({ firstPause: 20 });
        const gaps = seen.slice(2).map(({ at }, i) => at - seen[i + 1].at);
        assertEquals(gaps.length, 2);
        assert(gaps[0] > 15 && gaps[1] > 23, `${gaps} ms`);
      },
    );
  });

  it("reports each status once, even unknown ones, and the ledger stores the last", async () => {
    const service = buildOrderHandler(
      '"placed"',
      "Placed",
      '"In the queue, 3rd"',
      '"in the queue, 3rd"',
      '"URL"',
    );
    const reported: string[] = [];
    const stored: unknown[] = [];
    await withServer(service, async ({ connection, home }) => {
      const order = await placeOrder("era5", { ...place, connection });
      const onStatus = ({ state }: { state: string }) => {
        reported.push(state);
        stored.push(new Ledger(home).listEntries()[0].status);
      };
      await order.wait({ ...quick, onStatus });
      assertEquals(reported, ["placed", "in the queue, 3rd", "ready"]);
      assertEquals(stored, reported);
      assertEquals(readColumn(orders({ connection }), "state"), ["placed"]);
    });
  });

  it("F2 ends after its longest wait, and reports the status and how to continue", async () => {
    await withServer(buildOrderHandler('"In progress"'), async ({ connection, home }) => {
      const order = await placeOrder("era5", { ...place, connection });
      const { message } = await assertRejects(
        () => order.wait({ timeout: 600, firstPause: 20 }),
        TimeoutError,
        'Cannot wait for order o-1: after 0.6 s its status is still "in progress"',
      );
      assertStringIncludes(message, 'attachOrder("o-1")');
      assertEquals(new Ledger(home).listEntries().map(({ state }) => state), ["placed"]);
      assertEquals((await attachOrder("o-1", { connection }).status()).state, "in progress");
    });
  });

  it("F2 counts a hanging status request towards its longest wait", async () => {
    const handler: Handler = (request) =>
      request.url.includes("/order/") ? Response.json("o-1") : neverAnswer(request);
    await withServer(handler, async ({ connection }) => {
      const order = await placeOrder("era5", { ...place, connection });
      await assertRejects(() => order.wait({ timeout: 50 }), TimeoutError, "after 0.05 s");
    });
  });

  it("waits without a limit on request", async () => {
    await withServer(buildOrderHandler('"placed"', '"URL"'), async ({ connection }) => {
      const order = await placeOrder("era5", { ...place, connection });
      const { state } = await order.wait({ timeout: Infinity, firstPause: 0 });
      assertEquals(state, "ready");
    });
  });

  it("F10 stops if the licence ends, keeps the order, and tells how to continue", async () => {
    let renewed = false;
    const service = buildOrderHandler(
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
      for (
        const part of [
          "order o-1",
          "requestApiKey()",
          'attachOrder("o-1")',
          "did not cancel the order",
        ]
      ) {
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

  describe("if the service says that it does not know the order", () => {
    it("continues while that may be temporary", async () => {
      const service = buildOrderHandler(
        ...repeat(2, '"unknown"'),
        '"placed"',
        ...repeat(2, "unknown"),
        '"URL"',
      );
      await withServer(service, async ({ connection }) => {
        const order = await placeOrder("era5", { ...place, connection });
        assertEquals((await order.wait(quick)).state, "ready");
      });
    });

    it("ends after three times, with a remedy", async () => {
      await withServer(buildOrderHandler('"unknown"'), async ({ connection, seen }) => {
        const { message } = await assertRejects(
          () => orderAndWait("era5", { ...place, ...quick, connection }),
          OrderFailedError,
          "o-1",
        );
        assertStringIncludes(message, "downloadClimate()");
        assertEquals(seen.length, 4);
      });
    });

    it("F11 lets the next call order again: the order has failed", async () => {
      await withServer(buildOrderHandler('"unknown"'), async ({ connection, seen, home }) => {
        const call = () => orderAndWait("era5", { ...place, ...quick, connection });
        await assertRejects(call, OrderFailedError);
        assertEquals(new Ledger(home).listEntries().map(({ state }) => state), ["failed"]);
        await assertRejects(call, OrderFailedError);
        assertEquals(seen.filter(({ path }) => path.includes("/climate/order/")).length, 2);
      });
    });
  });

  describe("F1 survives temporary failures", () => {
    it("such as a service that is away for nine status requests", async () => {
      // each status request has three tries
      const service = buildOrderHandler('"placed"', ...repeat(27, buildFailure(503)), '"URL"');
      await withServer(service, async ({ connection, seen }) => {
        const order = await placeOrder("era5", { ...place, connection });
        assertEquals((await order.wait(quick)).state, "ready");
        assertEquals(seen.length, 1 + 1 + 27 + 1);
      });
    });

    it("but not ten in a row", async () => {
      const nine = repeat(27, buildFailure(503));
      const service = buildOrderHandler(...nine, '"placed"', ...nine, ...nine);
      await withServer(service, async ({ connection, seen, home }) => {
        const order = await placeOrder("era5", { ...place, connection });
        const error = await assertRejects(() => order.wait(quick), ServiceError);
        assertEquals([error.status, seen.length], [503, 1 + 27 + 1 + 30]);
        assertEquals(new Ledger(home).listEntries()[0].state, "placed");
      });
    });

    it("and ends immediately with a permanent failure", async () => {
      await withServer(
        buildOrderHandler('"placed"', buildFailure(403)),
        async ({ connection, seen }) => {
          const order = await placeOrder("era5", { ...place, connection });
          await assertRejects(() => order.wait(quick));
          assertEquals(seen.length, 3);
        },
      );
    });
  });

  describe("M10: tells in the same words how to continue", () => {
    const wayOn = "Vindkit did not cancel the order. The same call continues " +
      'it, and so does attachOrder("o-1").download(), also in another process';
    const waiting = buildOrderHandler('"placed"');
    const PLACING_WAY_ON =
      "Make the same call again: it sends an unsent order, and otherwise explains how to continue";

    it("after a time-out and after an abort", async () => {
      await withServer(waiting, async ({ connection }) => {
        const order = await placeOrder("era5", { ...place, connection });
        const late = await assertRejects(() => order.wait({ timeout: 50 }), TimeoutError);
        assertEquals(late.hint, wayOn);
        const controller = new AbortController();
        const wait = order.download({
          signal: controller.signal,
          onStatus: () => controller.abort(),
        });
        const { hint, name, message, cause } = await assertRejects(() => wait, CancelledError);
        assertEquals([hint, name, cause], [wayOn, "AbortError", controller.signal.reason]);
        assertEquals(
          message,
          `Cannot wait for order o-1: The signal has been aborted. ${wayOn}`,
        );
      });
    });

    const startWaiting = (url: string, home: string) =>
      new Deno.Command(Deno.execPath(), {
        args: ["run", "-A", new URL("_waiting_process.ts", import.meta.url).pathname, url, home],
        env: { NO_COLOR: "1" },
        stdin: "null",
        stdout: "piped",
        stderr: "piped",
      }).spawn();

    it("NB10: after Ctrl-C while it is placed", async () => {
      const requested = Promise.withResolvers<void>();
      const silent: Handler = (request) => {
        requested.resolve();
        return neverAnswer(request);
      };
      await withServer(silent, async ({ url, home }) => {
        const child = startWaiting(url, home);
        await requested.promise;
        child.kill("SIGINT");
        const { code, stderr } = await child.output();
        assertEquals(
          [code, new TextDecoder().decode(stderr).trim().split("\n").at(-1)],
          [130, `Cannot place the order: interrupted. ${PLACING_WAY_ON}`],
        );
      });
    });

    it("W17: after Ctrl-C, which ends a script with 130 and without a stack", async () => {
      await withServer(waiting, async ({ url, home }) => {
        const child = startWaiting(url, home);
        const err = new Response(child.stderr).text();
        for await (const _ of child.stdout) child.kill("SIGINT"); // the order is being waited for
        const { code } = await child.status;
        assertEquals(
          [code, (await err).trim().split("\n").at(-1)],
          [130, `Cannot wait for order o-1: interrupted. ${wayOn}`],
        );
      });
    });

    it("after a download that brings no more data", async () => {
      const stalled: Handler = async (request) => {
        const { pathname, origin } = new URL(request.url);
        if (pathname.includes("/climate/order/")) return Response.json("o-1");
        if (pathname.includes("/climate/status/")) return Response.json(`${origin}/files/a.csv`);
        return await neverAnswer(request);
      };
      await withServer(stalled, async ({ url, home }) => {
        const connection = connect({ url, home, headersTimeout: 50, timeout: 400 });
        const order = await placeOrder("era5", { ...place, connection });
        const { hint, message } = await assertRejects(() => order.download(quick), TimeoutError);
        assertEquals(hint, wayOn);
        assertStringIncludes(message, "Cannot download order o-1: ");
      });
    });
  });

  it("refuses a misspelt option", async () => {
    await withServer(buildOrderHandler('"placed"'), async ({ connection }) => {
      const order = await placeOrder("era5", { ...place, connection });
      const misspelt = JSON.parse('{ "timeOut": 5 }');
      for (
        const act of [
          () => order.wait(misspelt),
          () => order.download(misspelt),
          () => order.save("wind.zip", misspelt),
        ]
      ) await assertRejects(act, ArgumentError, 'Did you mean "timeout"?');
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

    it("while it waits between two status requests", async () => {
      await assertKept(buildOrderHandler('"placed"'), (controller) => ({
        ...place,
        signal: controller.signal,
        onStatus: () => void controller.abort(new Error("stop")),
      }), 2);
    });

    it("during a status request, even if only wait() has the signal", async () => {
      const controller = new AbortController();
      const handler: Handler = (request) => {
        if (request.url.includes("/order/")) return Response.json("o-1");
        controller.abort(new Error("stop"));
        return neverAnswer(request);
      };
      await withServer(handler, async ({ connection, home }) => {
        const order = await placeOrder("era5", { ...place, connection });
        await assertRejects(() => order.wait({ signal: controller.signal }), Error, "stop");
        assertEquals(new Ledger(home).listEntries()[0].state, "placed");
      });
    });

    it("before it begins", async () => {
      await withServer(buildOrderHandler('"URL"'), async ({ connection, seen }) => {
        const order = await placeOrder("era5", { ...place, connection });
        const signal = AbortSignal.abort(new Error("stop"));
        await assertRejects(() => order.wait({ signal }), Error, "stop");
        assertEquals(seen.length, 1);
      });
    });
  });
});
