import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { streamText } from "../../../src/service/operations/turbine_list.ts";

/** Parts that note when they are made, and when no more will be. */
function notingParts(texts: readonly string[]) {
  const madeParts: string[] = [];
  async function* make(): AsyncGenerator<string, void, void> {
    try {
      for (const text of texts) {
        madeParts.push(text);
        yield await Promise.resolve(text);
      }
    } finally {
      madeParts.push("end");
    }
  }
  return { made: madeParts, parts: make() };
}

describe("streamText()", () => {
  it("sends all parts, in UTF-8", async () => {
    const { parts, made } = notingParts(['["ä"', ',"💨"', "]"]);
    assertEquals(await new Response(streamText(parts)).json(), ["ä", "💨"]);
    assertEquals(made.length, 4);
  });

  it("makes a part only when its reader has taken the previous one", async () => {
    const { parts, made } = notingParts(["a", "b", "c"]);
    const reader = streamText(parts).getReader();
    assertEquals(made, []);
    assertEquals(new TextDecoder().decode((await reader.read()).value), "a");
    assertEquals(made, ["a"]);
    await reader.cancel();
  });

  it("stops if its reader leaves", async () => {
    const { parts, made } = notingParts(["a", "b", "c"]);
    const reader = streamText(parts).getReader();
    await reader.read();
    await reader.cancel();
    assertEquals(made, ["a", "end"]);
  });

  it("does not wait for a reader that leaves while a part is made", async () => {
    const [started, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    async function* make(): AsyncGenerator<string, void, void> {
      started.resolve();
      yield await go.promise.then(() => "late");
    }
    const reader = streamText(make()).getReader();
    const first = reader.read();
    await started.promise;
    const cancelled = reader.cancel();
    go.resolve();
    await cancelled; // a timer that keeps running would be a leak
    assertEquals((await first).done, true);
  });

  it("stops if its reader stalls for too long", async () => {
    const { parts, made } = notingParts(["a", "b", "c"]);
    const reader = streamText(parts, { part: 1 }).getReader();
    await reader.read();
    const closed = await assertRejects(() => reader.closed, Error);
    assertEquals(closed.message, "Stopped sending: the client read no data for 0 s");
    assertEquals(made, ["a", "end"]);
  });

  it("fails if making a part fails", async () => {
    async function* make(): AsyncGenerator<string, void, void> {
      yield "[1";
      await Promise.reject(new Error("no second page"));
    }
    const read = new Response(streamText(make())).text();
    await assertRejects(() => read, Error, "no second page");
  });
});
