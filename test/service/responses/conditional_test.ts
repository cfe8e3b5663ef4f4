import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  answerConditionally,
  buildTaggedJson,
} from "../../../src/service/responses/http_headers.ts";

const requestOf = (tag?: string) =>
  new Request("http://127.0.0.1/x", { headers: tag ? { "if-none-match": tag } : {} });

const json = () => buildTaggedJson({ month_index: 101.5 }, { "x-world": "sample" });

describe("answerConditionally()", () => {
  it("gives a small body its hash as a strong tag, and keeps its headers", async () => {
    const answer = await answerConditionally(requestOf(), json());
    assertEquals(answer.status, 200);
    assert(/^"[0-9a-f]{32}"$/.test(answer.headers.get("etag")!));
    assertEquals(answer.headers.get("x-world"), "sample");
    assertEquals(answer.headers.get("cache-control"), "private, no-cache");
    assertEquals(await answer.json(), { month_index: 101.5 });
    const other = await answerConditionally(requestOf(), buildTaggedJson({ month_index: 101.6 }));
    assertNotEquals(other.headers.get("etag"), answer.headers.get("etag"));
  });

  it("answers 304 without a body to a client that has the same", async () => {
    const tag = (await answerConditionally(requestOf(), json())).headers.get("etag")!;
    for (const sent of [tag, `"other", ${tag}`, "*", `W/${tag}`]) {
      const answer = await answerConditionally(requestOf(sent), json());
      assertEquals(answer.status, 304, sent);
      assertEquals(await answer.text(), "");
      assertEquals(answer.headers.get("etag"), tag);
      assertEquals(answer.headers.get("content-type"), null);
    }
    assertEquals((await answerConditionally(requestOf('"other"'), json())).status, 200);
  });

  it("SV5: refuses a request for another tag, before a 304", async () => {
    const tag = (await answerConditionally(requestOf(), json())).headers.get("etag")!;
    const statusOf = async (headers: Record<string, string>) =>
      (await answerConditionally(new Request("http://127.0.0.1/x", { headers }), json())).status;
    assertEquals(await statusOf({ "if-match": '"other"', "if-none-match": tag }), 412);
    assertEquals(await statusOf({ "if-match": `W/${tag}` }), 412); // a strong comparison
    for (const sent of [tag, `"other", ${tag}`, "*"]) {
      assertEquals(await statusOf({ "if-match": sent }), 200, sent);
      assertEquals(await statusOf({ "if-match": sent, "if-none-match": tag }), 304, sent);
    }
  });

  it("uses the tag of a streamed body, and ends the stream if it is not needed", async () => {
    let cancelled = 0;
    const streamed = () =>
      new Response(
        new ReadableStream({
          pull: (controller) => controller.enqueue(new Uint8Array(1)),
          cancel: () => void cancelled++,
        }),
        { headers: { etag: '"model"', "content-length": "7" } },
      );
    const same = await answerConditionally(requestOf('"model"'), streamed());
    assertEquals([same.status, cancelled], [304, 1]);
    assertEquals(same.headers.get("content-length"), null);
    const complete = await answerConditionally(requestOf(), streamed());
    assertEquals(complete.headers.get("content-length"), "7");
    await complete.body!.cancel();
  });

  it("does not change answers without a tag, because an order has effects", async () => {
    const order = Response.json({ order_id: "1" });
    assertEquals(await answerConditionally(requestOf("*"), order), order);
    assertEquals(order.headers.get("cache-control"), null);
  });

  it("does not change refusals and answers that must not be cached", async () => {
    const refused = new Response("no", { status: 404 });
    assertEquals(await answerConditionally(requestOf("*"), refused), refused);
    const key = new Response("key", { headers: { "cache-control": "no-store" } });
    const answer = await answerConditionally(requestOf("*"), key);
    assertEquals([answer.status, answer.headers.get("etag")], [200, null]);
  });
});
