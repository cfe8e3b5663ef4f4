/**
 * Faults on request: each kind as a plain client sees it, our own client against them, and a service without them.
 *
 * @module
 */
import { putSite } from "../../../src/sites/keep/put_site.ts";
import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import {
  ConfigurationError,
  DataFormatError,
  ServiceError,
  TimeoutError,
} from "../../../src/api/errors.ts";
import { KEY_HEADER, operationOf } from "../../../src/api/operations/operations.ts";
import { connect, type Connection } from "../../../src/client/connection/connection.ts";
import { orderAndWait } from "../../../src/client/orders/place_order.ts";
import { turbineDetails, turbines } from "../../../src/client/calls/turbines.ts";
import { windIndices } from "../../../src/client/calls/wind_indices.ts";
import { MAX_ACTIVE_DOWNLOADS } from "../../../src/service/operations/climate_data.ts";
import { FAULT_HEADER } from "../../../src/service/faults/fault_middleware.ts";
import { ORDER_FILES } from "../../../src/service/fulfilment/orders.ts";
import type { AnswerRecord as Logged } from "../../../src/service/routing/request_log.ts";
import { serve } from "../../../src/service/running/serve.ts";
import { openSample, openService } from "../../../src/service/running/service.ts";
import { rawGet } from "../../testing/_raw.ts";
import { withOrderData } from "../fulfilment/_order_data.ts";
import {
  buildPath,
  type ServedSample,
  serveSample,
  SHARED_SAMPLE,
  validValues,
} from "../_sample.ts";

const pathFor = (id: "turbines" | "turbine_details" | "model_data" | "wind_indices" | "datasets") =>
  buildPath(operationOf(id), validValues[id]);

describe("a fault on request", () => {
  let sample: ServedSample;
  const logged: Logged[] = [];

  beforeAll(async () => {
    sample = await serveSample({
      faults: true,
      onAnswer: (answered) => void logged.push(answered),
    });
  });
  afterAll(async () => await sample.close());

  const ask = async (path: string, fault?: string) =>
    await sample.ask(path, {
      key: sample.keys.full,
      ...(fault === undefined ? {} : { headers: { [FAULT_HEADER]: fault } }),
    });
  const raw = async (path: string, fault: string) =>
    await rawGet({
      url: sample.url,
      path,
      headers: { [KEY_HEADER]: sample.keys.full, [FAULT_HEADER]: fault, connection: "close" },
    });

  it("is absent where no fault is requested", async () => {
    const { status, headers } = await ask(pathFor("turbines"));
    assertEquals([status, headers.get(FAULT_HEADER)], [200, null]);
  });

  it("is repeated in the same header of the answer, and is in the log", async () => {
    const { headers } = await ask(pathFor("turbine_details"), "slow=1");
    assertEquals(headers.get(FAULT_HEADER), "slow=1");
    await ask(pathFor("turbine_details"), "busy=1");
    const [slow, busy] = logged.slice(-2);
    assertEquals([slow.operation, slow.status], ["turbine_details", 200]);
    assertEquals([busy.operation, busy.status], ["turbine_details", 503]);
    assert(slow.milliseconds >= 1);
  });

  it("is not repeated where no fault was applied, and of several only those that were", async () => {
    const repeated = async (path: string, fault: string) =>
      (await ask(path, fault)).headers.get(FAULT_HEADER);
    for (const path of [pathFor("wind_indices"), pathFor("datasets"), "/nothing"]) {
      const honest = await ask(path);
      const answer = await ask(path, "wrong=other");
      assertEquals([answer.bytes, answer.headers.get(FAULT_HEADER)], [honest.bytes, null], path);
      assertEquals(await repeated(path, "wrong=other, slow=0"), "slow=0");
    }
    assertEquals(await repeated(pathFor("turbines"), "cut=1000000"), null);
    assertEquals(await repeated(pathFor("turbines"), "cut=1000000,wrong = other"), "wrong = other");
    assertEquals(await repeated(pathFor("turbines"), "wrong=page, busy=0"), "busy=0");
    const first = `first=1:${crypto.randomUUID()}`;
    assertEquals(await repeated(pathFor("turbines"), `${first},busy=0`), `${first}, busy=0`);
    const { headers } = await ask(pathFor("turbines"));
    const known = await sample.ask(pathFor("turbines"), {
      key: sample.keys.full,
      headers: { [FAULT_HEADER]: "wrong=half", "if-none-match": headers.get("etag")! },
    });
    assertEquals([known.status, known.headers.get(FAULT_HEADER)], [304, null]);
  });

  it("does not touch the 503 that was sent when it came too late", async () => {
    const impatient = await serveSample({ faults: true, answerTimeout: 20 });
    const { status, headers, text } = await impatient.ask(pathFor("turbines"), {
      key: impatient.keys.full,
      headers: { [FAULT_HEADER]: "slow=100, wrong=half" },
    });
    await impatient.close();
    assertEquals([status, headers.get(FAULT_HEADER)], [503, null]);
    assertMatch(JSON.parse(text).detail, /^The answer took longer than 0\.02 s/);
  });

  describe("slow", () => {
    it("is the honest answer after a pause", async () => {
      const begun = performance.now();
      const { bytes } = await ask(pathFor("model_data"), "slow=40");
      assert(performance.now() - begun >= 40);
      assertEquals(bytes, (await ask(pathFor("model_data"))).bytes);
    });
  });

  describe("busy", () => {
    it("is 503 with Retry-After, or the status that is named", async () => {
      for (const [fault, expected] of [["busy=2", 503], ["busy=429:0", 429], ["busy=406:2", 406]]) {
        const { status, headers } = await ask(pathFor("turbines"), String(fault));
        assertEquals(status, expected);
        assertEquals(headers.get("retry-after"), String(fault).at(-1));
        assertEquals(headers.get("content-type"), "application/problem+json");
      }
    });

    it("does not ask the service: no order is placed", async () => {
      const key = await sample.newLicence();
      const path = buildPath(operationOf("place_order"), validValues.place_order);
      const headers = { [FAULT_HEADER]: "busy=0" };
      assertEquals((await sample.ask(path, { key, headers })).status, 503);
      assertEquals((await sample.ask(path, { headers })).status, 503, "nor is a key looked at");
    });
  });

  describe("wrong", () => {
    it("page is a web page with 200", async () => {
      const { status, headers, text } = await ask(pathFor("turbines"), "wrong=page");
      assertEquals([status, headers.get("content-type")], [200, "text/html; charset=utf-8"]);
      assertMatch(text, /^<!DOCTYPE html>/);
    });

    it("half is half of the body with its right length", async () => {
      for (const id of ["turbine_details", "model_data"] as const) {
        const { bytes } = await ask(pathFor(id));
        const { status, headers, body } = await raw(pathFor(id), "wrong=half");
        const half = Math.floor(bytes.length / 2);
        assertEquals([status, Number(headers.get("content-length"))], [200, half], id);
        assertEquals(body, bytes.slice(0, half), id);
      }
    });

    it("other is JSON that names another turbine, and nothing else changes", async () => {
      const honest = JSON.parse((await ask(pathFor("turbine_details"))).text);
      const { headers, text, bytes } = await ask(pathFor("turbine_details"), "wrong=other");
      assertEquals(JSON.parse(text), { ...honest, turbine_id: "T1-other" });
      assertEquals(Number(headers.get("content-length")), bytes.length);
      const list = JSON.parse((await ask(pathFor("turbines"), "wrong=other")).text);
      assertMatch(list[0].turbine_id, /-other$/);
    });
  });

  describe("cut", () => {
    it("breaks off after so many bytes, of which the length says more", async () => {
      for (const id of ["turbine_details", "model_data"] as const) {
        const { bytes } = await ask(pathFor(id));
        for (const count of [0, 1, 100]) {
          const { status, headers, body } = await raw(pathFor(id), `cut=${count}`);
          assertEquals([status, Number(headers.get("content-length"))], [200, bytes.length], id);
          assertEquals(body, bytes.slice(0, count), id);
          const answer = await fetch(sample.url + pathFor(id), {
            headers: { [KEY_HEADER]: sample.keys.full, [FAULT_HEADER]: `cut=${count}` },
          });
          await assertRejects(() => answer.bytes(), TypeError);
        }
      }
    });

    it("has no effect behind the end", async () => {
      const { bytes } = await ask(pathFor("turbines"));
      for (const count of [bytes.length, 1_000_000]) {
        assertEquals((await ask(pathFor("turbines"), `cut=${count}`)).bytes, bytes);
      }
    });

    it("releases what the service has open for the answer", async () => {
      const path = buildPath(operationOf("download_climate"), validValues.download_climate);
      for (let i = 0; i <= MAX_ACTIVE_DOWNLOADS; i++) {
        assertEquals((await raw(path, "cut=1000")).body.length, 1000);
      }
      assertEquals((await ask(path)).status, 200);
    });

    it("leaves refusals and 304 what they are", async () => {
      const { headers } = await ask(pathFor("model_data"));
      const known = await sample.ask(pathFor("model_data"), {
        key: sample.keys.full,
        headers: { [FAULT_HEADER]: "cut=10", "if-none-match": headers.get("etag")! },
      });
      assertEquals([known.status, known.bytes.length], [304, 0]);
      const refused = await raw("/nothing", "cut=10");
      assertEquals([refused.status, refused.body.length], [404, 10]);
    });
  });

  it("comes with others, in the order in which they would happen", async () => {
    const { bytes } = await ask(pathFor("turbine_details"));
    const { headers, body } = await raw(pathFor("turbine_details"), "cut=5, slow=1,wrong=half");
    assertEquals(Number(headers.get("content-length")), Math.floor(bytes.length / 2));
    assertEquals(body, bytes.slice(0, 5));
    const page = await raw(pathFor("turbines"), "wrong=page,cut=9");
    assertEquals(page.text, "<!DOCTYPE");
  });

  it("affects only the first requests of a name, where first= is given", async () => {
    const statuses = async (name: string) => {
      const answers = [];
      for (let i = 0; i < 4; i++) {
        answers.push((await ask(pathFor("turbines"), `first=2:${name}, busy=0`)).status);
      }
      return answers;
    };
    const name = crypto.randomUUID();
    assertEquals(await statuses(name), [503, 503, 200, 200]);
    assertEquals(await statuses(name), [200, 200, 200, 200]);
    assertEquals(await statuses(`${name}.2`), [503, 503, 200, 200]);
    const { headers } = await ask(pathFor("turbines"), `first=2:${name}, busy=0`);
    assertEquals(headers.get(FAULT_HEADER), null, "an honest answer says that it is one");
  });

  it("that is unknown is refused, with all known ones", async () => {
    const wrong = ["", "slow", "slow=", "slow=-1", "slow=60001", "slow=1s", "busy=500:1", "busy=x"];
    const more = [
      "wrong=all",
      "cut=-1",
      "cut=1e3",
      "fast=1",
      "toString=1",
      "slow=1,",
      "slow=1;cut=1",
    ];
    for (const fault of [...wrong, ...more, "slow=1,slow=2", "first=1:a", "first=x:a,slow=1"]) {
      const { status, text } = await ask(pathFor("turbines"), fault);
      assertEquals(status, 422, fault);
      for (
        const kind of [
          "slow=MS:",
          "busy=SECONDS:",
          "wrong=page:",
          "cut=BYTES:",
          "first=COUNT:NAME:",
        ]
      ) {
        assertStringIncludes(JSON.parse(text).detail, kind);
      }
    }
  });
});

describe("a service without faults on request", () => {
  it("takes no notice of the header", async () => {
    const sample = await serveSample();
    const key = sample.keys.full;
    const { bytes } = await sample.ask(pathFor("model_data"), { key });
    for (const fault of ["busy=1", "wrong=page", "cut=1", "no fault at all"]) {
      const headers = { [FAULT_HEADER]: fault };
      const answer = await sample.ask(pathFor("model_data"), { key, headers });
      assertEquals([answer.status, answer.headers.get(FAULT_HEADER)], [200, null]);
      assertEquals(answer.bytes, bytes);
    }
    await sample.close();
  });
});

describe("faults on request in own data", () => {
  it("are for this machine only; those in the sample also for others", async () => {
    await withOrderData(async ({ folder, store, site }) => {
      await putSite(store, site);
      const sample = await openSample({ folder: SHARED_SAMPLE, faults: true });
      const own = { ...await openService(folder, { faults: true }), world: "own" as const };
      for (
        const hostname of ["0.0.0.0", "::", "192.0.2.1", "127.example.org", "localhost.example"]
      ) {
        assertThrows(() => serve(own, { hostname }), ConfigurationError, hostname);
      }
      for (const hostname of ["127.0.0.1", "localhost"]) {
        await serve({ ...own, close: () => Promise.resolve() }, { hostname }).close();
      }
      // No machine has this address: for the sample the refusal comes from the system.
      const { message } = assertThrows(() => serve(sample, { hostname: "192.0.2.1" }), Error);
      assertMatch(message, /^Cannot listen on 192\.0\.2\.1:0: /);
      await own.close();
      await sample.close();
      for (const face of [{ publicUrl: "https://wind.example.org" }, { behindProxy: true }]) {
        const open = () => openService(folder, { faults: true, ...face });
        await assertRejects(open, ConfigurationError, "with faults on request behind a proxy");
      }
    });
  });
});

describe("our client", () => {
  /** Lets a body use our client on a service whose requests, those of a path at least, ask for a fault. */
  async function withFault(
    fault: string,
    body: (connection: Connection, seen: readonly Request[]) => Promise<void>,
    { path = "/", ...settings }: { path?: string; headersTimeout?: number } = {},
  ): Promise<void> {
    await withOrderData(async ({ folder }) => {
      const service = await openSample({ folder: SHARED_SAMPLE, faults: true });
      const seen: Request[] = [];
      const server = serve({
        ...service,
        fetch: async (request, info) => {
          seen.push(request);
          const headers = new Headers(request.headers);
          if (new URL(request.url).pathname.startsWith(path)) headers.set(FAULT_HEADER, fault);
          const { signal } = request;
          return await service.fetch(new Request(request.url, { headers, signal }), info);
        },
      });
      const key = await service.issueLocalKey();
      const home = `${folder}/home`;
      await using connection = connect({ url: server.url, key, home, ...settings });
      await body(connection, seen);
      await server.close();
    });
  }

  it("asks a busy service again", async () => {
    for (const busy of ["busy=0", "busy=429:0"]) {
      await withFault(`first=2:${crypto.randomUUID()},${busy}`, async (connection, seen) => {
        assertEquals((await turbines({ connection })).height, 8);
        assertEquals(seen.length, 3);
      });
    }
  });

  it("gives up where it stays busy", async () => {
    await withFault("busy=0", async (connection) => {
      const { status } = await assertRejects(() => turbines({ connection }), ServiceError);
      assertEquals(status, 503);
    });
  });

  it("gives up waiting for a slow one", async () => {
    await withFault("slow=400", async (connection) => {
      await assertRejects(() => turbines({ connection }), TimeoutError);
    }, { headersTimeout: 50 });
  });

  it("takes a table that broke off once more, whole", async () => {
    await withFault(`first=1:${crypto.randomUUID()},cut=1000`, async (connection, seen) => {
      assert((await windIndices("T1", { connection })).height > 0);
      assertEquals(seen.length, 2);
    });
  });

  it("takes a file up where it broke off", async () => {
    await withFault(`first=1:${crypto.randomUUID()},cut=100000`, async (connection, seen) => {
      const frame = await orderAndWait("era5", {
        ...{ latitude: 55.5, longitude: 7.75, from: 2023, to: 2023 },
        ...{ firstPause: 0, connection },
      });
      assertEquals(frame.height, 8760);
      const files = seen.filter(({ url }) => new URL(url).pathname.startsWith(ORDER_FILES));
      assertEquals(files.map(({ headers }) => headers.get("range")), [null, "bytes=100000-"]);
    }, { path: ORDER_FILES });
  });

  it("refuses a page, half a body and another turbine", async () => {
    for (const wrong of ["page", "half", "other"]) {
      await withFault(`wrong=${wrong}`, async (connection) => {
        await assertRejects(() => turbineDetails("T1", { connection }), DataFormatError);
      });
    }
  });
});
