import { assert, assertEquals } from "@std/assert";
import { beforeEach, describe, it } from "@std/testing/bdd";
import { ATTEMPT_PERIOD, MemoryAttempts } from "../../../src/storage/store/attempts.ts";

describe("MemoryAttempts", () => {
  let time: number;
  const now = () => time;

  beforeEach(() => {
    time = 1e6;
  });

  it("forgets an attempt that is taken back", async () => {
    const attempts = new MemoryAttempts({ now });
    await (await attempts.count("a", 10)).takeBack();
    assertEquals(attempts.size, 0);
  });

  it("forgets expired attempts, and stores no more names than its capacity", async () => {
    const attempts = new MemoryAttempts({ now, capacity: 3 });
    for (let i = 0; i < 1000; i++) {
      await attempts.count(`name ${i}`, 10);
      assert(attempts.size <= 3);
    }
    time += ATTEMPT_PERIOD;
    await attempts.count("another", 10);
    assertEquals(attempts.size, 1);
  });

  it("forgets first the name longest without an attempt", async () => {
    const attempts = new MemoryAttempts({ now, capacity: 2 });
    const pauseOf = async (name: string) => (await attempts.count(name, 1)).pause;
    assertEquals(await pauseOf("a"), 0);
    time += 1;
    assertEquals(await pauseOf("b"), 0);
    assertEquals(await pauseOf("c"), 0);
    assertEquals(await pauseOf("b"), ATTEMPT_PERIOD);
    assertEquals(await pauseOf("a"), 0);
  });
});
