import { assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { sideBySide } from "../../../src/notebook/run/runs_display.ts";

describe("sideBySide()", () => {
  it("runs no more at once than allowed, and returns results in the order of the things", async () => {
    let [now, most] = [0, 0];
    const results = await sideBySide([3, 1, 2, 5, 4], 2, async (n) => {
      most = Math.max(most, ++now);
      for (let i = 0; i < n; i++) await Promise.resolve();
      now--;
      return n * 10;
    });
    assertEquals([results, most], [[30, 10, 20, 50, 40], 2]);
    assertEquals(await sideBySide([], 2, (n) => Promise.resolve(n)), []);
  });

  it("begins nothing new after a failure, and waits for what is running", async () => {
    const ended: number[] = [];
    const under = Promise.withResolvers<void>();
    const all = sideBySide([1, 2, 3], 2, async (n) => {
      if (n === 1) throw new Error("first");
      await under.promise;
      ended.push(n);
    });
    under.resolve();
    await assertRejects(() => all, Error, "first");
    assertEquals(ended, [2]);
  });
});
