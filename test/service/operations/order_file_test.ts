/**
 * The file of an order at its download address: its tag, its parts, its origin, and its expiry.
 *
 * @module
 */
import {
  assert,
  assertEquals,
  assertMatch,
  assertNotEquals,
  assertStringIncludes,
} from "@std/assert";
import { afterAll, afterEach, beforeAll, describe, it } from "@std/testing/bdd";
import { KEY_HEADER, operationOf } from "../../../src/api/operations/operations.ts";
import { isBuilt } from "../../../src/storage/store/orders.ts";
import { openStorage } from "../../../src/storage/storage.ts";
import { issueKey } from "../../../src/service/licences/licences.ts";
import { openSample, type Service } from "../../../src/service/running/service.ts";
import {
  type AnswerText,
  buildPath,
  licences,
  OVER,
  type ServedSample,
  serveSample,
  SHARED_SAMPLE,
  validValues,
} from "../_sample.ts";
import type { Licence } from "../../../src/storage/store/licences.ts";

describe("the file of an order", () => {
  let sample: ServedSample;
  let path: string;
  let complete: AnswerText;
  let etag: string;

  const get = async (headers: Record<string, string> = {}) => await sample.ask(path, { headers });

  beforeAll(async () => {
    sample = await serveSample();
    const key = await sample.newLicence();
    const placed = await sample.ask(
      buildPath(operationOf("place_order"), validValues.place_order),
      {
        key,
      },
    );
    const status = buildPath(operationOf("order_status"), { order_id: JSON.parse(placed.text) });
    for (let polls = 0, word = ""; !path; polls++) {
      assert(polls < 1000, `it is still ${word}`);
      word = JSON.parse((await sample.ask(status, { key })).text);
      if (word.startsWith("http")) path = word.slice(sample.url.length);
    }
    complete = await get();
    etag = complete.headers.get("etag")!;
  });
  afterAll(async () => await sample.close());

  it("has the hash of its content as a strong tag, even for clients that accept compression", async () => {
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", complete.bytes)).toHex();
    assertEquals(etag, `"${hash}"`);
    for (const accepted of ["gzip, br", "identity"]) {
      const { headers } = await get({ "accept-encoding": accepted });
      assertEquals([headers.get("etag"), headers.get("content-encoding")], [etag, null]);
      assertEquals(headers.get("content-length"), String(complete.bytes.length));
    }
  });

  it("states the origin of its figures in complete and partial answers, and in a 304", async () => {
    const direct = await sample.ask(
      buildPath(operationOf("download_climate"), validValues.download_climate),
      { key: sample.keys.full },
    );
    const part = await get({ range: "bytes=0-9" });
    const known = await get({ "if-none-match": etag });
    for (const name of ["vindkit-world", "vindkit-attribution"]) {
      const expected = direct.headers.get(name);
      assertNotEquals(expected, null);
      for (const { headers } of [complete, part, known]) assertEquals(headers.get(name), expected);
    }
  });

  it("supports range requests, and announces it", async () => {
    assertEquals([complete.status, complete.headers.get("accept-ranges")], [200, "bytes"]);
    assertEquals(complete.headers.get("content-range"), null);
    const size = complete.bytes.length;
    for (
      const [range, from, to] of [
        ["bytes=0-99", 0, 100],
        ["bytes=300000-300000", 300_000, 300_001],
        [`bytes=${size - 5}-`, size - 5, size],
        ["bytes=-7", size - 7, size],
        ["bytes=100-999999999", 100, size],
      ] as const
    ) {
      const { status, headers, bytes } = await get({ range });
      assertEquals(status, 206, range);
      assertEquals(bytes, complete.bytes.slice(from, to), range);
      assertEquals(headers.get("content-range"), `bytes ${from}-${to - 1}/${size}`);
      assertEquals(headers.get("content-length"), String(to - from));
      assertEquals(headers.get("etag"), etag);
      assertEquals(headers.get("content-type"), complete.headers.get("content-type"));
    }
  });

  it("SV5: has no parts for HEAD, for which Range is not defined", async () => {
    for (const range of ["bytes=0-9", "bytes=999999999-"]) {
      const { status, headers } = await sample.ask(path, { method: "HEAD", headers: { range } });
      assertEquals([status, headers.get("content-range")], [200, null], range);
      for (const name of ["content-length", "content-type", "etag", "accept-ranges"]) {
        assertEquals(headers.get(name), complete.headers.get(name), name);
      }
    }
  });

  it("SV5: is refused first of all if the client requires another tag", async () => {
    for (const tag of ['"other"', `W/${etag}`, '"a", "b"']) {
      for (
        const [name, value] of [["accept", "*/*"], ["range", "bytes=0-9"], ["if-none-match", etag]]
      ) {
        const { status, text } = await get({ "if-match": tag, [name]: value });
        assertEquals(status, 412, tag);
        assertStringIncludes(text, "If-Match");
      }
    }
    for (const tag of [etag, `"other", ${etag}`, "*"]) {
      assertEquals((await get({ "if-match": tag, range: "bytes=0-9" })).status, 206, tag);
    }
    const old = { "if-unmodified-since": "Thu, 01 Jan 1970 00:00:00 GMT" }; // it has no date
    assertEquals((await get(old)).status, 200);
  });

  it("is complete when its parts are joined", async () => {
    const half = Math.floor(complete.bytes.length / 2);
    const parts = [
      await get({ range: `bytes=0-${half - 1}` }),
      await get({ range: `bytes=${half}-`, "if-range": etag }),
    ];
    const joined = await new Blob(parts.map(({ bytes }) => bytes)).bytes();
    assertEquals(joined, complete.bytes);
  });

  it("has no part beyond its end, and states its length", async () => {
    const { status, headers } = await get({ range: `bytes=${complete.bytes.length}-` });
    assertEquals(status, 416);
    assertEquals(headers.get("content-range"), `bytes */${complete.bytes.length}`);
    assertEquals(headers.get("content-type"), "application/problem+json");
  });

  it("comes whole for multiple ranges, for other units and for nonsense", async () => {
    for (const range of ["bytes=0-1,5-6", "lines=0-1", "bytes=9-1", "bytes=x"]) {
      const { status, headers, bytes } = await get({ range });
      assertEquals([status, bytes.length], [200, complete.bytes.length], range);
      assertEquals(headers.get("content-range"), null);
    }
  });

  it("comes in part only if the tag is exactly the same", async () => {
    const range = "bytes=5-9";
    assertEquals((await get({ range, "if-range": etag })).status, 206);
    const others = [`W/${etag}`, '"other"', etag.slice(1, -1), "Wed, 21 Oct 2035 07:28:00 GMT"];
    for (const other of others) {
      const { status, bytes } = await get({ range, "if-range": other });
      assertEquals([status, bytes.length], [200, complete.bytes.length], other);
    }
    // headers that do not match are accepted, too
    const beyond = await get({ range: "bytes=999999999-", "if-range": '"other"' });
    assertEquals(beyond.status, 200);
  });

  it("is not sent again to a client that has it", async () => {
    for (const known of [etag, `W/${etag}`, `"a", ${etag}`, "*"]) {
      const { status, headers, bytes } = await get({ "if-none-match": known, range: "bytes=0-1" });
      assertEquals([status, bytes.length, headers.get("etag")], [304, 0, etag], known);
    }
    assertEquals((await get({ "if-none-match": '"other"' })).status, 200);
  });

  it("is not stored by shared caches and not compressed by proxies", () => {
    assertEquals(complete.headers.get("cache-control"), "private, no-transform");
  });
});

describe("an order", () => {
  let service: Service;
  let key: string;

  beforeAll(async () => {
    const sample = await serveSample();
    key = await sample.newLicence();
    await sample.close();
    service = await openSample({ folder: SHARED_SAMPLE });
  });
  afterAll(async () => await service.close());

  const ask = async (address: string, headers: Record<string, string> = {}) =>
    await service.fetch(
      new Request(new URL(address, "http://h"), { headers: { [KEY_HEADER]: key, ...headers } }),
    );

  async function place(by = key): Promise<string> {
    const path = buildPath(operationOf("place_order"), validValues.place_order);
    return await (await ask(path, { [KEY_HEADER]: by })).json();
  }

  async function waitForAddress(id: string, by = key): Promise<string> {
    const path = buildPath(operationOf("order_status"), { order_id: id });
    for (let polls = 0; polls < 10_000; polls++) {
      const word = await (await ask(path, { [KEY_HEADER]: by })).json();
      if (word.startsWith("http")) return word;
      await new Promise((done) => setTimeout(done)); // the work's turn
    }
    throw new Error("it is not worked off");
  }

  it("is open until its last byte is sent; then an order for the same data is a new one", async () => {
    const id = await place();
    const address = await waitForAddress(id);

    await (await ask(address, { range: "bytes=0-999" })).bytes();
    await (await ask(address, { range: "bytes=999999999-" })).bytes();
    await (await ask(address, { "if-none-match": "*" })).bytes();
    const reader = (await ask(address)).body!.getReader();
    await reader.read();
    await reader.cancel();
    assertEquals(await place(), id, "its end was not sent");

    await (await ask(address)).bytes();
    const next = await place();
    assertNotEquals(next, id);
    assertEquals(await waitForAddress(id), address, "the address holds for its week");
    assertEquals((await ask(address)).status, 200);

    await (await ask(await waitForAddress(next), { range: "bytes=1000-" })).bytes();
    assertNotEquals(await place(), next, "taken up where it broke off, it was sent to its end");
  });

  describe("whose licence changes", () => {
    let licence: Licence;
    let ownKey: string;
    let address: string;

    async function put(changes: Partial<Licence>): Promise<void> {
      const { store } = await openStorage(SHARED_SAMPLE);
      await store.licences.put({ ...licence, ...changes });
      await store.close();
    }

    beforeAll(async () => {
      const { store } = await openStorage(SHARED_SAMPLE);
      licence = { ...licences.valid, serialNumber: crypto.randomUUID() };
      await store.licences.put(licence);
      ownKey = await issueKey(licence, store.licences);
      await store.close();
      address = await waitForAddress(await place(ownKey), ownKey);
    });
    afterEach(async () => await put({}));

    it("is answered with 401 when the licence has ended, and works again when it is renewed", async () => {
      await put({ expires: OVER });
      const refused = await ask(address, { range: "bytes=0-9" });
      assertEquals([refused.status, refused.headers.get("etag")], [401, null]);
      assertStringIncludes((await refused.json()).detail, OVER);
      await put({ expires: null });
      assertEquals((await ask(address, { range: "bytes=0-9" })).status, 206);
    });

    it("is not found when the licence no longer covers its dataset", async () => {
      await put({ datasets: [] });
      assertEquals((await ask(address)).status, 404);
    });

    it("is still built, so a customer who renews need not wait again", async () => {
      const path = buildPath(operationOf("place_order"), {
        ...validValues.place_order,
        start_year: 2022,
      });
      const id = await (await ask(path, { [KEY_HEADER]: ownKey })).json();
      await put({ expires: OVER });
      const status = buildPath(operationOf("order_status"), { order_id: id });
      assertEquals((await ask(status, { [KEY_HEADER]: ownKey })).status, 401);
      const { store } = await openStorage(SHARED_SAMPLE);
      while (!isBuilt((await store.orders.get(id))!)) {
        await new Promise((done) => setTimeout(done)); // the work's turn
      }
      await store.close();
      await put({});
      assertMatch(await waitForAddress(id, ownKey), /^http/);
    });
  });
});
