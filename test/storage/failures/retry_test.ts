import { assert, assertEquals, assertRejects } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { retry } from "../../../src/storage/failures/retry.ts";

describe("retry()", () => {
  const policy = { isWorth: () => true, pause: [0, 0] } as const;

  /** Creates work that fails some times and counts its tries. */
  function failing(times: number) {
    const work = { done: 0, do: () => ++work.done > times ? "result" : fail(work.done) };
    const fail = (number: number): never => {
      throw new Error(`failure ${number}`);
    };
    return work;
  }

  it("returns the result of the first successful try", async () => {
    const work = failing(3);
    assertEquals(await retry(work.do, policy), "result");
    assertEquals(work.done, 4);
  });

  it("throws the error of the last try", async () => {
    const work = failing(9);
    await assertRejects(() => retry(work.do, { ...policy, tries: 3 }), Error, "failure 3");
  });

  it("does not retry if that cannot help", async () => {
    const work = failing(9);
    await assertRejects(
      () => retry(work.do, { ...policy, isWorth: () => false }),
      Error,
      "failure 1",
    );
    assertEquals(work.done, 1);
  });

  it("begins no try after its time limit", async () => {
    const work = failing(9);
    await assertRejects(
      () => retry(work.do, { isWorth: () => true, pause: [1000, 1000], time: 400 }),
      Error,
      "failure 1",
    );
  });

  it("doubles the pause up to the longest one, each randomly shortened by up to a half", async () => {
    const begins: number[] = [];
    const work = () => {
      begins.push(performance.now());
      throw new Error("failure");
    };
    await assertRejects(() => retry(work, { isWorth: () => true, pause: [8, 16], tries: 4 }));
    const pauses = begins.slice(1).map((at, i) => at - begins[i]);
    assert(pauses[0] >= 4 && pauses[1] >= 8 && pauses[2] >= 8, `${pauses}`);
  });

  it("ends its pause with its signal", async () => {
    const abort = new AbortController();
    const work = () => {
      queueMicrotask(() => abort.abort(new Error("stopped")));
      throw new Error("failure");
    };
    const long = { isWorth: () => true, pause: [1e6, 1e6], signal: abort.signal } as const;
    await assertRejects(() => retry(work, long), Error, "stopped");
  });
});
