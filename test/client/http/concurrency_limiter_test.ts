import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { TimeoutError, TooManyRequestsError } from "../../../src/api/errors.ts";
import { downloadClimate } from "../../../src/client/calls/climate_data.ts";
import { ConcurrencyLimiter } from "../../../src/client/http/concurrency_limiter.ts";
import { turbines } from "../../../src/client/calls/turbines.ts";
import { windIndices } from "../../../src/client/calls/wind_indices.ts";
import { withServer } from "../_local_server.ts";

const never = Infinity;
const place = { latitude: 55.5, longitude: 7.75, from: 2023, to: 2023 };

/** Starts an act that ends on request. */
function startAct(): {
  act: () => Promise<string>;
  end: (value: string) => void;
  begun: () => boolean;
} {
  const { promise, resolve } = Promise.withResolvers<string>();
  let hasBegun = false;
  return { act: () => (hasBegun = true, promise), end: resolve, begun: () => hasBegun };
}

/** Lets pending promises settle. */
const settled = () => new Promise((resolve) => setTimeout(resolve));

const TABLE = "year,month,monthIndex,monthAbnormalityIndex,last12MonthIndex,lastFullQuarterIndex," +
  "lastFullYearIndex,predictedProduction\n2024,5,1,1,1,1,1,1\n";

describe("ConcurrencyLimiter", () => {
  it("begins with four at the same time, or with fewer if the maximum is lower", () => {
    assertEquals([
      new ConcurrencyLimiter(16).limit,
      new ConcurrencyLimiter(4).limit,
      new ConcurrencyLimiter(1).limit,
    ], [4, 4, 1]);
  });

  it("starts as many as its limit, and the next one when one ends", async () => {
    const limiter = new ConcurrencyLimiter(2);
    const acts = Array.from({ length: 5 }, startAct);
    const done = acts.map(({ act }) => limiter.run(act, never, undefined));
    const begun = () => acts.map((one) => one.begun());
    await settled();
    assertEquals(begun(), [true, true, false, false, false]);
    acts[1].end("b");
    assertEquals(await done[1], "b");
    await settled();
    assertEquals(begun(), [true, true, true, false, false]);
    for (const { end } of acts) end("x");
    await Promise.all(done);
    assertEquals(begun(), Array(5).fill(true));
  });

  it("starts the next one after a failure, too", async () => {
    const limiter = new ConcurrencyLimiter(1);
    const bad = limiter.run(() => Promise.reject(new Error("bad")), never, undefined);
    const good = limiter.run(() => Promise.resolve("good"), never, undefined);
    await assertRejects(() => bad, Error, "bad");
    assertEquals(await good, "good");
  });

  it("F7 doubles with each round until the first refusal, halves there, then grows by one", () => {
    const limiter = new ConcurrencyLimiter(64);
    const round = () => {
      for (let i = limiter.limit; i > 0; i--) limiter.noteSuccess();
      return limiter.limit;
    };
    assertEquals([round(), round(), round()], [8, 16, 32]);
    limiter.noteRefusal(performance.now());
    assertEquals(limiter.limit, 16);
    for (let i = 0; i < 5; i++) round();
    assert(limiter.limit >= 20 && limiter.limit <= 21, `the limit is ${limiter.limit}`);
  });

  it("F7 counts refusals of requests that were under way together once", () => {
    const limiter = new ConcurrencyLimiter(16);
    const start = performance.now();
    for (let i = 0; i < 4; i++) limiter.noteRefusal(start);
    assertEquals(limiter.limit, 2);
  });

  it("F7 never falls below one and never exceeds the maximum", () => {
    const limiter = new ConcurrencyLimiter(6);
    for (let i = 0; i < 1000; i++) limiter.noteSuccess();
    assertEquals(limiter.limit, 6);
    for (let i = 0; i < 10; i++) limiter.noteRefusal(Infinity);
    assertEquals(limiter.limit, 1);
  });

  it("F2 gives up if no slot is free in time, and leaves the queue", async () => {
    const limiter = new ConcurrencyLimiter(1);
    const first = startAct();
    const done = limiter.run(first.act, never, undefined);
    const late = startAct();
    await assertRejects(
      () => limiter.run(late.act, performance.now() + 20, undefined),
      TimeoutError,
      "timed out while waiting for a free slot",
    );
    const third = limiter.run(() => Promise.resolve("third"), never, undefined);
    first.end("first");
    assertEquals([await done, await third, late.begun()], ["first", "third", false]);
  });

  it("F15 leaves the queue with the signal, and removes its listener", async () => {
    const limiter = new ConcurrencyLimiter(1);
    const first = startAct();
    const done = limiter.run(first.act, never, undefined);
    const controller = new AbortController();
    const second = startAct();
    const waiting = limiter.run(second.act, never, controller.signal);
    controller.abort(new Error("stop"));
    await assertRejects(() => waiting, Error, "stop");
    first.end("first");
    await done;
    assertEquals(second.begun(), false);
    const aborted = () => limiter.run(second.act, never, controller.signal);
    await assertRejects(aborted, Error, "stop");
    assertEquals(await limiter.run(() => Promise.resolve(1), never, undefined), 1);
  });
});

describe("F7 a service that accepts two requests at the same time", () => {
  for (const status of [406, 429]) {
    it(`refuses the others with ${status}: all turbines come, at two or three at a time`, async () => {
      let active = 0;
      let refused = 0;
      const handler = async () => {
        if (active >= 2) {
          refused++;
          return new Response("too many", { status, headers: { "retry-after": "0" } });
        }
        active++;
        await new Promise((resolve) => setTimeout(resolve, 2)); // its work
        active--;
        return new Response(TABLE, { headers: { "content-length": String(TABLE.length) } });
      };
      await withServer(handler, async ({ connection, seen }) => {
        const ids = Array.from({ length: 80 }, (_, i) => `T${i}`);
        const frame = await windIndices(ids, { connection });
        assertEquals(frame.getColumn("turbine_id").toArray(), ids);
        assertEquals(seen.length, ids.length + refused);
        assert(refused > 0 && refused < ids.length, `${refused} refusals`);
        const { limit } = connection.limiter;
        assert(limit >= 1 && limit <= 3, `the limit is ${limit}`);
      });
    });
  }

  for (const status of [406, 429]) {
    it(`and always answers ${status}: a specific error after a bounded number of tries`, async () => {
      const busy = () => new Response("too many", { status, headers: { "retry-after": "0" } });
      await withServer(busy, async ({ connection, seen }) => {
        const error = await assertRejects(
          () => downloadClimate("era5", { ...place, connection }),
          TooManyRequestsError,
        );
        assertEquals([error.status, seen.length], [status, 20]);
        assertEquals(connection.limiter.limit, 1);
      });
    });
  }

  it("waits longer than for another failure, so even a fifth try may succeed", async () => {
    const busy = (_: Request, number: number) =>
      number < 5
        ? new Response("too many", { status: 429, headers: { "retry-after": "0" } })
        : Response.json([{ turbine_id: "A" }]);
    await withServer(busy, async ({ connection, seen }) => {
      assertEquals((await turbines({ connection })).height, 1);
      assertEquals(seen.length, 5);
    });
  });

  it("is not repeated beyond the timeout of the call", async () => {
    const busy = () => new Response("too many", { status: 429, headers: { "retry-after": "5" } });
    await withServer(busy, async ({ connection, seen }) => {
      await assertRejects(() => turbines({ connection }), TooManyRequestsError);
      assertEquals(seen.length, 1);
    }, { timeout: 300 });
  });

  it("does not raise its limit after errors of the service", async () => {
    const down = () => new Response("down", { status: 503, headers: { "retry-after": "0" } });
    await withServer(down, async ({ connection }) => {
      const ids = Array.from({ length: 20 }, (_, i) => `T${i}`);
      await assertRejects(() => windIndices(ids, { connection }));
      assert(connection.limiter.limit <= 4, `the limit is ${connection.limiter.limit}`);
    });
  });
});
