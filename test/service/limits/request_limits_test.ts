/**
 * Limits of a single request and of all requests together, over real connections.
 *
 * @module
 */
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { afterAll, beforeAll, describe, it } from "@std/testing/bdd";
import { KEY_HEADER, operationOf, operations } from "../../../src/api/operations/operations.ts";
import { createApp } from "../../../src/service/routing/app.ts";
import { MAX_ACTIVE_DOWNLOADS } from "../../../src/service/operations/climate_data.ts";
import { openStorage } from "../../../src/storage/storage.ts";
import { HEALTH_PATHS } from "../../../src/service/responses/health.ts";
import {
  ConcurrencyLimiter,
  MAX_HEAD_BYTES,
  MAX_HEADERS,
  MAX_REQUESTS,
  MAX_URL_LENGTH,
} from "../../../src/service/limits/request_limits.ts";
import { askRaw, buildHead, connectTo, readAll, writeAll } from "../_raw_http.ts";
import {
  buildPath,
  makeSharedClimate,
  type ServedSample,
  serveSample,
  SHARED_SAMPLE,
  validValues,
} from "../_sample.ts";
import { inlineJobs, inlineOrders } from "../_inline_orders.ts";

const turbines = buildPath(operationOf("turbines"), {});
const model = buildPath(operationOf("model_data"), { turbine_id: "T1" });

/** Uncompressed model data: more than the buffers between server and client hold. */
const unpacked = { "accept-encoding": "identity" };

describe("limits of a request", () => {
  let sample: ServedSample;
  let key: string;

  beforeAll(async () => {
    sample = await serveSample();
    key = `${KEY_HEADER}: ${sample.keys.full}`;
  });
  afterAll(async () => await sample.close());

  it("F40 accept an address of the maximum length, and refuse a longer one with 414", async () => {
    const room = MAX_URL_LENGTH - `${sample.url}${turbines}?`.length;
    const fits = await sample.ask(`${turbines}?${"x".repeat(room)}`, { key: sample.keys.full });
    assertEquals(fits.status, 422, "it is read");
    const { status, text } = await sample.ask(`${turbines}?${"x".repeat(room + 1)}`);
    assertEquals(status, 414);
    const { title, detail } = JSON.parse(text);
    assertEquals(title, "URI Too Long");
    assertStringIncludes(detail, `${MAX_URL_LENGTH + 1} characters, but at most ${MAX_URL_LENGTH}`);
  });

  it("F40 refuse an address of 60,000 characters with 414, and a longer head with 400", async () => {
    const ask = (length: number) => askRaw(sample.url, buildHead(`/${"x".repeat(length)}`));
    assertEquals((await ask(60_000)).status, 414);
    for (const length of [MAX_HEAD_BYTES, 200_000, 1_000_000]) {
      assert([0, 400].includes((await ask(length)).status), `${length}`); // 0: cut before it is sent
    }
  });

  it("F40 accept the maximum number of headers, and refuse more with 400", async () => {
    const ask = (count: number) => {
      const lines = Array.from({ length: count - 3 }, (_, i) => `X-${i}: 1`);
      return askRaw(sample.url, buildHead(turbines, key, ...lines));
    };
    assertEquals((await ask(MAX_HEADERS)).status, 200);
    assertEquals((await ask(MAX_HEADERS + 1)).status, 400);
    assertEquals((await ask(10_000)).status, 400);
  });

  it("F40 accept large headers below the limit, and refuse a larger head with 400", async () => {
    const ask = (bytes: number) =>
      askRaw(sample.url, buildHead(turbines, key, `X-Large: ${"x".repeat(bytes)}`));
    assertEquals((await ask(50_000)).status, 200);
    for (const bytes of [MAX_HEAD_BYTES, 500_000]) {
      assert([0, 400].includes((await ask(bytes)).status), `${bytes}`);
    }
  });

  it("ignore a body, and answer the next request after it", async () => {
    const bodies = [
      ["Content-Length: 5", "hello"],
      ["Transfer-Encoding: chunked", "5\r\nhello\r\n0\r\n\r\n"],
    ];
    for (const [line, body] of bodies) {
      const { status } = await askRaw(sample.url, buildHead(turbines, key, line) + body);
      assertEquals(status, 200, line);
    }
    const first = `GET /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\nhello`;
    const { text } = await askRaw(sample.url, first + buildHead(turbines, key));
    assertEquals(text.match(/HTTP\/1\.1 200 /g)?.length, 2, text);
  });

  it("F40 answer without waiting for a body that never comes", async () => {
    using connection = await connectTo(sample.url);
    await writeAll(connection, buildHead(turbines, key, "Content-Length: 1000000000"));
    const buffer = new Uint8Array(1000);
    const text = new TextDecoder().decode(buffer.subarray(0, (await connection.read(buffer))!));
    assertStringIncludes(text, "HTTP/1.1 200 ");
  });

  it("F40 do not answer a half-sent head, and still answer others", async () => {
    const slow = await Promise.all(Array.from({ length: 1000 }, () => connectTo(sample.url)));
    try {
      for (const connection of slow) {
        await writeAll(connection, `GET ${turbines} HTTP/1.1\r\nHost: localhost\r\n`);
      }
      for (const operation of operations) {
        const values = { ...validValues[operation.id], order_id: "none" };
        const answer = await sample.ask(buildPath(operation, values), { key: sample.keys.full });
        assertEquals(answer.status, operation.id === "order_status" ? 404 : 200, operation.id);
      }
      const last = slow.at(-1)!;
      await writeAll(last, `${key}\r\nConnection: close\r\n\r\n`);
      assertEquals((await readAll(last)).status, 200);
    } finally {
      for (const connection of slow) connection.close();
    }
  });
});

describe("limits of all requests together", () => {
  it("F40 answer one request too many with 503 and a pause, and accept more when another one ends", async () => {
    const sample = await serveSample({ maxRequests: 2 });
    try {
      const headers = { [KEY_HEADER]: sample.keys.full, ...unpacked };
      const ask = () => sample.ask(turbines, { key: sample.keys.full });
      const unread = [];
      for (let i = 0; i < 2; i++) unread.push(await fetch(sample.url + model, { headers }));
      const { status, text, headers: answerHeaders } = await ask();
      assertEquals([status, answerHeaders.get("retry-after")], [503, "1"]);
      assertEquals(JSON.parse(text).title, "Service Unavailable");
      for (const path of HEALTH_PATHS) assertEquals((await sample.ask(path)).status, 200);

      await unread[0].body!.cancel();
      let answered = 503;
      for (let i = 0; i < 1000 && answered === 503; i++) answered = (await ask()).status;
      assertEquals(answered, 200);
      await unread[1].bytes();
    } finally {
      await sample.close();
    }
  });

  it("F40 let stalled readers wait, answer the others meanwhile, and continue with the stalled ones", async () => {
    assert(MAX_REQUESTS > 1000, "so many slow ones leave room for others");
    const sample = await serveSample();
    const connections = await Promise.all(Array.from({ length: 20 }, () => connectTo(sample.url)));
    try {
      const head = buildHead(
        model,
        `${KEY_HEADER}: ${sample.keys.full}`,
        "Accept-Encoding: identity",
      );
      const first = new Uint8Array(12);
      for (const connection of connections) {
        await writeAll(connection, head);
        await connection.read(first); // it is being answered
      }
      const { status } = await sample.ask(turbines, { key: sample.keys.full });
      assertEquals(status, 200);
      const lengths = new Set<number>();
      for (const connection of connections) lengths.add((await readAll(connection)).text.length);
      assertEquals(lengths.size, 1);
      assert(lengths.values().next().value! > 10_000_000, "it would be through before it is read");
    } finally {
      for (const connection of connections) connection.close();
      await sample.close();
    }
  });
});

describe("an answer that comes too late", () => {
  it("F40 is discarded and frees its place among the downloads of its licence, and the service continues", async () => {
    await makeSharedClimate();
    const { store, files } = await openStorage(SHARED_SAMPLE);
    const limits = new ConcurrencyLimiter({ answerTimeout: 1 });
    let held = Promise.withResolvers<void>();
    const app = createApp({
      store,
      files,
      jobs: inlineJobs(store, files),
      orders: inlineOrders(store, files),
    }, {
      trusted: true,
      limits,
      prepare: () => held.promise,
    });
    const values = { ...validValues.download_climate, filetype: "csv" };
    const path = buildPath(operationOf("download_climate"), values);
    const request = new Request(`http://127.0.0.1${path}`);
    for (let i = 0; i <= MAX_ACTIVE_DOWNLOADS; i++) {
      const late = await app(request, { completed: Promise.resolve() });
      assertEquals(late.status, 503);
      held.resolve(); // the slow answer is now made, while another one is being read
      const answer = await app(request);
      assertEquals(answer.status, 200, `after ${i + 1} that came too late`);
      await answer.bytes();
      held = Promise.withResolvers<void>();
    }
    limits.close();
    await store.close();
  });
});

describe("RequestLimits", () => {
  const request = new Request("http://127.0.0.1/");

  it("counts a request until its answer is sent, even if that fails", async () => {
    const limits = new ConcurrencyLimiter();
    for (const settle of ["resolve", "reject"] as const) {
      const completed = Promise.withResolvers<void>();
      const client = { completed: completed.promise };
      await limits.run(request, client, () => Promise.resolve(new Response()));
      assertEquals(limits.underWay, 1);
      completed[settle]();
      await completed.promise.catch(() => {});
      await Promise.resolve();
      assertEquals(limits.underWay, 0);
    }
    limits.close();
  });

  it("has no limits for requests of this process", async () => {
    const limits = new ConcurrencyLimiter({ maxRequests: 1 });
    const answer = Promise.withResolvers<Response>();
    const held = [1, 2].map(() => limits.run(request, {}, () => answer.promise));
    assertEquals(limits.underWay, 0);
    answer.resolve(new Response());
    for (const { status } of await Promise.all(held)) assertEquals(status, 200);
  });

  it("sends 503 for an answer that takes too long, and discards it when it comes", async () => {
    const limits = new ConcurrencyLimiter({ answerTimeout: 1 });
    const answer = Promise.withResolvers<Response>();
    const thrownAway = Promise.withResolvers<void>();
    const completed = Promise.resolve();
    const late = await limits.run(request, { completed }, () => answer.promise);
    assertEquals([late.status, late.headers.get("retry-after")], [503, "1"]);
    assertStringIncludes(await late.text(), "took longer than 0.001 s");
    answer.resolve(new Response(new ReadableStream({ cancel: () => thrownAway.resolve() })));
    await thrownAway.promise;
    limits.close();
  });

  it("sends 503 if a late answer is a failure", async () => {
    const limits = new ConcurrencyLimiter({ answerTimeout: 1 });
    const answer = Promise.withResolvers<Response>();
    const completed = Promise.resolve();
    const late = await limits.run(request, { completed }, () => answer.promise);
    assertEquals(late.status, 503);
    answer.reject(new Error("broken")); // would end the process if it were not handled
    await answer.promise.catch(() => {});
    limits.close();
  });

  it("R2: leaves a quarter of the requests under way to other licences", async () => {
    const limits = new ConcurrencyLimiter({ maxRequests: 4 });
    const sent = Promise.withResolvers<void>();
    const client = { completed: sent.promise };
    const take = (serialNumber: string) => limits.takeShare(serialNumber, client)?.status;
    assertEquals([1, 2, 3, 4].map(() => take("many")), [undefined, undefined, undefined, 503]);
    assertEquals(take("other"), undefined);
    assertEquals(limits.takeShare("many", {}), undefined, "a request of this process");
    sent.resolve();
    await sent.promise;
    assertEquals(take("many"), undefined);
    limits.close();
  });

  it("passes errors on", async () => {
    const limits = new ConcurrencyLimiter();
    const fail = () => Promise.reject(new Error("broken"));
    const completed = Promise.resolve();
    await assertRejects(() => limits.run(request, { completed }, fail), Error, "broken");
    limits.close();
  });
});
