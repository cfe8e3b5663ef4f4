import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { RangeAct } from "./_fault.ts";
import { rawGet } from "./_raw.ts";
import { type TestService, withFaults } from "./_service.ts";

/** Places an order and polls its status until it is an address. */
async function readAddress({ get, request, url }: TestService): Promise<string> {
  const id = JSON.parse((await get("place_order")).text);
  const { headers } = request("order_status");
  const path = `/onlinedata-services/climate/status/${id}`;
  for (let polls = 0; polls < 10_000; polls++) {
    const word = JSON.parse((await rawGet({ url, path, headers })).text);
    if (word.startsWith(url)) return word.slice(url.length);
  }
  throw new Error("it is not worked off");
}

/** A service whose order file mistakes ranges, the address of such a file and its content. */
async function withRangeFault(
  how: RangeAct["how"],
  body: (service: TestService, path: string, whole: Uint8Array) => Promise<void>,
): Promise<void> {
  await withFaults([], async (service) => {
    const path = await readAddress(service);
    const { body: whole } = await rawGet({ url: service.url, path });
    service.inject({ on: "order_file", act: { kind: "range", how } });
    await body(service, path, whole);
  });
}

describe("the file of an order in a service under test", () => {
  it("comes in correct parts", async () => {
    await withFaults([], async (service) => {
      const { url, requests } = service;
      const path = await readAddress(service);
      const complete = await rawGet({ url, path });
      const part = await rawGet({ url, path, headers: { range: "bytes=5-9" } });
      assertEquals([part.status, part.body], [206, complete.body.slice(5, 10)]);
      assertEquals(part.headers.get("content-range"), `bytes 5-9/${complete.body.length}`);
      const etag = complete.headers.get("etag")!;
      const known = await rawGet({ url, path, headers: { "if-none-match": etag } });
      assertEquals([known.status, known.body.length], [304, 0]);
      assertEquals(known.headers.get("content-length"), null);
      const seen = requests.slice(-3);
      assertEquals(seen.map(({ operation }) => operation), Array(3).fill("order_file"));
      assertEquals(seen.map(({ status }) => status), [200, 206, 304]);
      assertEquals(seen[1].headers.get("range"), "bytes=5-9");
    });
  });

  it("counts as delivered when a client has all of it, but not after a truncated answer", async () => {
    await withFaults([], async (service) => {
      const { url, get, inject } = service;
      const place = async () => JSON.parse((await get("place_order")).text);
      await rawGet({ url, path: await readAddress(service) }); // so other tests leave no order open
      const id = await place();
      const path = await readAddress(service);
      for (const framing of ["close", "length", "chunked"] as const) {
        inject({ on: "order_file", act: { kind: "cut", framing, at: 0.9 } });
        await rawGet({ url, path });
        assertEquals(await place(), id, framing);
      }
      const response = await fetch(url + path);
      await response.bytes();
      assertNotEquals(await place(), id);
    });
  });
});

describe("a mistaken range", () => {
  const range = "bytes=100-";

  it("is ignored: the whole file comes with 200", async () => {
    await withRangeFault("ignore", async ({ url }, path, whole) => {
      const { status, headers, body } = await rawGet({ url, path, headers: { range } });
      assertEquals([status, headers.get("content-range")], [200, null]);
      assertEquals(body, whole);
    });
  });

  it("begins at another byte, and states it", async () => {
    for (const [range, from] of [["bytes=100-", 99], ["bytes=0-", 1]] as const) {
      await withRangeFault("wrong_offset", async ({ url }, path, whole) => {
        const { status, headers, body } = await rawGet({ url, path, headers: { range: range } });
        const { length } = whole;
        assertEquals(status, 206);
        assertEquals(headers.get("content-range"), `bytes ${from}-${length - 1}/${length}`);
        assertEquals(headers.get("content-length"), String(length - from));
        assertEquals(body, whole.slice(from));
      });
    }
  });

  it("meets another file: another tag, and the whole file", async () => {
    await withRangeFault("changed", async ({ url }, path, whole) => {
      const before = await rawGet({ url, path });
      const etag = before.headers.get("etag")!;
      const after = await rawGet({ url, path, headers: { range, "if-range": etag } });
      assertEquals([after.status, after.body.length], [200, whole.length]);
      assert(!after.headers.get("etag")!.startsWith("W/"));
      assertNotEquals(after.headers.get("etag"), etag);
    });
  });

  it("cannot be satisfied", async () => {
    await withRangeFault("unsatisfiable", async ({ url }, path, whole) => {
      const { status, headers, body } = await rawGet({ url, path, headers: { range } });
      assertEquals([status, body.length], [416, 0]);
      assertEquals(headers.get("content-range"), `bytes */${whole.length}`);
    });
  });

  it("was not requested, and comes with the first half", async () => {
    await withRangeFault("unasked", async ({ url }, path, whole) => {
      const answer = await rawGet({ url, path, headers: { range } });
      assertEquals(answer.body, whole.slice(100), "a range that was asked for is right");
      const { status, headers, body } = await rawGet({ url, path });
      const half = Math.ceil(whole.length / 2);
      assertEquals(status, 206);
      assertEquals(headers.get("content-range"), `bytes 0-${half - 1}/${whole.length}`);
      assertEquals(body, whole.slice(0, half));
    });
  });

  it("may affect operations without ranges", async () => {
    await withFaults([{ act: { kind: "range", how: "unasked" } }], async ({ get }) => {
      const { status, headers } = await get("turbines");
      assertEquals([status, headers.get("content-range")?.startsWith("bytes 0-")], [206, true]);
    });
  });

  it("does not change refusals", async () => {
    await withFaults([{ act: { kind: "range", how: "unasked" } }], async ({ url, requests }) => {
      const { status } = await rawGet({ url, path: "/nothing" });
      assertEquals([status, requests.length], [404, 1]);
    });
  });
});
