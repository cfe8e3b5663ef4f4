import { assertEquals, assertRejects } from "@std/assert";
import { beforeEach, describe, it } from "@std/testing/bdd";
import { KeptRecords } from "../../../src/machines/postgres/kept_records.ts";

describe("KeptRecords", () => {
  let kept: KeptRecords;
  let reads: number;

  beforeEach(() => {
    kept = new KeptRecords(3);
    reads = 0;
  });

  const count = (name = "count", version = "1") =>
    kept.get(name, version, () => Promise.resolve(++reads));

  it("reads a version once, also for those who ask while it is read", async () => {
    assertEquals(await Promise.all([count(), count()]), [1, 1]);
    assertEquals(await count(), 1);
    assertEquals([await count("count", "2"), await count("count", "2")], [2, 2]);
  });

  it("gives nothing that was read for an earlier version, also where that ends later", async () => {
    const { promise, resolve } = Promise.withResolvers<number>();
    const slow = kept.get("count", "1", () => promise);
    assertEquals(await count("count", "2"), 1);
    resolve(-1);
    assertEquals(await slow, -1);
    assertEquals(await count("count", "2"), 1);
  });

  it("asks again for what was not there, and after a failure", async () => {
    assertEquals(await kept.get("none", "1", () => Promise.resolve(undefined)), undefined);
    assertEquals(await count("none"), 1);
    await assertRejects(() => kept.get("lost", "1", () => Promise.reject(new Error("no"))));
    assertEquals(await count("lost"), 2);
  });

  it("keeps what was used last", async () => {
    await count("first");
    await count("second");
    await count("third");
    assertEquals(await count("first"), 1);
    await count("one too many"); // "second" was used before all others
    assertEquals(await count("first"), 1);
    assertEquals(await count("second"), 5);
  });
});
