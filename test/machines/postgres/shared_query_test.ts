import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { SharedQuery } from "../../../src/machines/postgres/looks.ts";

/** A query that is answered by hand: what it was asked for each time, and how each time ends. */
function createQuery() {
  const asked: string[][] = [];
  const ends: PromiseWithResolvers<void>[] = [];
  const query = new SharedQuery<string>(async (keys) => {
    asked.push([...keys]);
    const end = Promise.withResolvers<void>();
    ends.push(end);
    await end.promise;
    return new Map(
      keys.filter((key) => key !== "none").map((key) => [key, `${key} ${asked.length}`]),
    );
  });
  /** Lets all begin that can. */
  const settle = () => new Promise((resolve) => setTimeout(resolve));
  return { query, asked, ends, settle };
}

describe("SharedQuery", () => {
  it("asks once for what comes together, and for what comes later not before the answer", async () => {
    const { query, asked, ends, settle } = createQuery();
    const first = ["a", "b", "a", "none"].map((key) => query.get(key));
    await settle();
    const later = ["c", "a"].map((key) => query.get(key));
    await settle();
    assertEquals(asked, [["a", "b", "none"]]);
    ends[0].resolve();
    assertEquals(await Promise.all(first), ["a 1", "b 1", "a 1", undefined]);
    await settle();
    assertEquals(asked, [["a", "b", "none"], ["c", "a"]]);
    ends[1].resolve();
    assertEquals(await Promise.all(later), ["c 2", "a 2"]);
  });

  it("fails for those who asked, and goes on for the others", async () => {
    const { query, asked, ends, settle } = createQuery();
    const failing = [query.get("a"), query.get("b")];
    await settle();
    const later = query.get("a");
    ends[0].reject(new TypeError("no"));
    for (const one of failing) await assertRejects(() => one, TypeError, "no");
    await settle();
    ends[1].resolve();
    assertEquals(await later, "a 2");
    assertEquals(asked.length, 2);
  });
});
