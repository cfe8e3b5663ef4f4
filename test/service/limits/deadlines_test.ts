import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Deadlines } from "../../../src/service/limits/request_limits.ts";

describe("Deadlines", () => {
  it("are given up when they are over, each once, in their order", async () => {
    const deadlines = new Deadlines(1);
    const given: number[] = [];
    await new Promise<void>((resolve) => {
      for (const i of [1, 2, 3]) deadlines.begin(() => void given.push(i));
      deadlines.begin(resolve);
    });
    assertEquals(given, [1, 2, 3]);
    await new Promise<void>((resolve) => deadlines.begin(resolve)); // a later one has its time too
    assertEquals(given.length, 3);
    deadlines.close();
  });

  it("are not called where they were met, nor after their end", async () => {
    const deadlines = new Deadlines(1);
    const given: string[] = [];
    const kept = deadlines.begin(() => void given.push("kept"));
    deadlines.end(kept);
    await new Promise<void>((resolve) => deadlines.begin(resolve));
    deadlines.begin(() => void given.push("closed"));
    deadlines.close();
    await new Promise((resolve) => setTimeout(resolve, 2));
    assertEquals(given, []);
  });

  it("leave no timer behind once they are closed", () => {
    const deadlines = new Deadlines(60_000);
    deadlines.end(deadlines.begin(() => {}));
    deadlines.close();
  });
});
