/**
 * The events that `onRequest` gets for each try.
 *
 * @module
 */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import {
  DataFormatError,
  NetworkError,
  ServiceError,
  TimeoutError,
  VindkitError,
} from "../../../src/api/errors.ts";
import type { RequestEvent } from "../../../src/client/http/transport.ts";
import { turbines } from "../../../src/client/calls/turbines.ts";
import { requestApiKey } from "../../../src/client/calls/access.ts";
import { windIndices } from "../../../src/client/calls/wind_indices.ts";
import { type Fault, withService } from "../../faults/_with_service.ts";
import { CANARY, type LocalServerOptions, withServer } from "../_local_server.ts";
import { collectDisplays, withoutPauses } from "../../faults/_reads.ts";

/** A listener that collects its events. */
function buildListener(): { events: RequestEvent[]; onRequest: (event: RequestEvent) => void } {
  const events: RequestEvent[] = [];
  return { events, onRequest: (event) => void events.push(event) };
}

const buildBusyFault = (status: number): Fault => ({
  on: "turbines",
  act: { kind: "status", status, headers: { "retry-after": "0" } },
});

describe("timeout", () => {
  it("begins when a call gets a slot, not when it is made", async () => {
    const slow = async () => {
      await new Promise((resolve) => setTimeout(resolve, 700));
      return Response.json([]);
    };
    await withServer(slow, async ({ connection }) => {
      const calls = [1, 2].map(() => turbines({ connection }));
      assertEquals((await Promise.all(calls)).length, 2); // the second one ends after 1400 ms
    }, { concurrency: 1, timeout: 1200 });
  });
});

describe("onRequest", () => {
  beforeAll(withoutPauses.before);
  afterAll(withoutPauses.after);

  it("is called for every try, in order: number, status or error, duration, pause before the next", async () => {
    const { events, onRequest } = buildListener();
    await withService(async ({ connection, url }) => {
      await turbines({ connection });
      assertEquals(events.map(({ attempt }) => attempt), [1, 2, 3, 4, 5]);
      assertEquals(events.map(({ status }) => status), [503, 429, undefined, 406, 200]);
      assertEquals(events[2].error?.constructor, NetworkError);
      assertEquals(events.map(({ retryIn }) => retryIn), [0, 0, 20, 0, undefined]);
      assert(!("retryIn" in events[4]) && !("error" in events[4]) && !("status" in events[2]));
      for (const { operation, url: shown, milliseconds } of events) {
        assertEquals([operation, shown], ["turbines", `${url}/wind-index/calibrated/`]);
        assert(milliseconds >= 0 && milliseconds < 5000, `${milliseconds} ms`);
      }
    }, {
      faults: [
        buildBusyFault(503),
        buildBusyFault(429),
        { on: "turbines", act: { kind: "reset" } },
        buildBusyFault(406),
      ],
      connection: { onRequest },
    });
  });

  it("gets the last failure, without a pause", async () => {
    const { events, onRequest } = buildListener();
    await withService(async ({ connection }) => {
      await assertRejects(() => turbines({ connection }), TimeoutError);
      assertEquals(events.map(({ error }) => error?.constructor), Array(3).fill(TimeoutError));
      assertEquals(events.map((event) => "retryIn" in event), [true, true, false]);
      assert(events.every(({ milliseconds }) => milliseconds >= 45), "how long it took");
    }, {
      faults: [{ on: "turbines", times: Infinity, act: { kind: "stall", where: "headers" } }],
      connection: { onRequest, headersTimeout: 50 },
    });
  });

  it("gets a web page as its error", async () => {
    const { events, onRequest } = buildListener();
    const page = () => new Response(`<html>${CANARY}</html>`);
    await withServer(page, async ({ connection }) => {
      const error = await assertRejects(() => turbines({ connection }), DataFormatError);
      assertEquals(events.map((event) => event.error), [error]);
    }, { onRequest });
  });

  it("F2 gets the duration of the request without the wait for a slot", async () => {
    const { events, onRequest } = buildListener();
    const gate = Promise.withResolvers<void>();
    const handler = async (_: Request, number: number) => {
      if (number === 1) await gate.promise;
      return new Response("no", { status: 400 });
    };
    await withServer(handler, async ({ connection }) => {
      const calls = ["A", "B"].map((id) =>
        assertRejects(() => windIndices(id, { connection }), VindkitError)
      );
      const start = performance.now();
      setTimeout(gate.resolve, 500);
      await Promise.all(calls);
      const waited = performance.now() - start;
      assert(waited >= 495 && events[0].milliseconds >= 490, `${events[0].milliseconds} ms`);
      assert(events[1].milliseconds < 450, `${events[1].milliseconds} ms`);
    }, { onRequest, concurrency: 1 });
  });

  it("F20 and F21 gets no key and no customer", async () => {
    const { events, onRequest } = buildListener();
    const echo = (request: Request) =>
      new Response(`${request.url} ${[...request.headers].join()}`, {
        status: 500,
        headers: { "retry-after": "0" },
      });
    await withServer(echo, async ({ connection }) => {
      const customer = { serialNumber: "S-7734", email: "zoe.q@example.com" };
      await assertRejects(() => requestApiKey({ ...customer, connection }), ServiceError);
      await assertRejects(() => turbines({ connection }), ServiceError);
      assertEquals(events.map(({ operation }) => operation), [
        "api_key",
        ...Array(3).fill("turbines"),
      ]);
      for (const secret of [CANARY, "S-7734", "zoe.q"]) {
        const output = events.map((event) => collectDisplays(event) + collectDisplays(event.error))
          .join("\n");
        assert(!output.includes(secret), output);
      }
    }, { onRequest });
  });

  const broken: Readonly<Record<string, LocalServerOptions["onRequest"]>> = {
    "throws": () => {
      throw new Error("a fault of the listener");
    },
    "rejects": (() => Promise.reject(new Error("a fault of the listener"))) as () => void,
  };
  for (const [label, onRequest] of Object.entries(broken)) {
    it(`that ${label} does not lose the answer`, async () => {
      const unhandled: unknown[] = [];
      const note = (event: PromiseRejectionEvent) => {
        event.preventDefault();
        unhandled.push(event.reason);
      };
      addEventListener("unhandledrejection", note);
      try {
        await withServer(
          () => Response.json([{ turbine_id: "A" }]),
          async ({ connection, seen }) => {
            assertEquals((await turbines({ connection })).height, 1);
            assertEquals(seen.length, 1);
          },
          { onRequest: onRequest! },
        );
        await new Promise((resolve) => setTimeout(resolve));
      } finally {
        removeEventListener("unhandledrejection", note);
      }
      assertEquals(unhandled, []);
    });
  }

  it("F15 is called for a request that the caller's signal cancelled", async () => {
    const { events, onRequest } = buildListener();
    const controller = new AbortController();
    const handler = (request: Request) => {
      controller.abort(new Error("stop"));
      return new Promise<Response>((resolve) =>
        request.signal.addEventListener("abort", () => resolve(new Response()))
      );
    };
    await withServer(handler, async ({ connection }) => {
      const { signal } = controller;
      await assertRejects(() => turbines({ connection, signal }), Error, "stop");
      assertEquals(events.length, 1, "a request was sent without an event");
    }, { onRequest });
  });
});
