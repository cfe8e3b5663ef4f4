/**
 * Groups that fail, for `testing_bdd_test.ts` to run one at a time by name. Not named `*_test.ts`, so `deno test` does
 * not find it.
 *
 * @module
 */
import { afterAll, afterEach, beforeAll, beforeEach, describe, it } from "@std/testing/bdd";

describe("a leaking timer", () => {
  it("leaves its timer running", () => {
    setTimeout(() => {}, 60_000);
  });
});

describe("a leaking interval in a group inside", () => {
  describe("inner", () => {
    it("leaves its interval running", () => {
      setInterval(() => {}, 60_000);
    });
  });
});

describe("a leaking file", () => {
  it("leaves its file open", async () => {
    await Deno.open(new URL(import.meta.url));
  });
});

describe("a leaking hook", () => {
  beforeAll(() => {
    setTimeout(() => {}, 60_000);
  });
  it("does nothing itself", () => {});
});

describe("a tidy timer and file", () => {
  it("clears its timer and closes its file", async () => {
    clearTimeout(setTimeout(() => {}, 60_000));
    using _file = await Deno.open(new URL(import.meta.url));
  });
});

describe("a body that throws", () => {
  afterAll(() => console.log("afterAll ran"));
  afterEach(() => console.log("afterEach ran"));
  it("throws", () => {
    throw new Error("thrown by the body");
  });
  it("comes after it", () => console.log("the next body ran"));
});

describe("a hook that throws", () => {
  afterAll(() => console.log("afterAll ran"));
  beforeEach(() => {
    throw new Error("thrown by the hook");
  });
  it("waits for the hook", () => console.log("the body ran"));
});

describe("ignored tests", () => {
  it("runs", () => console.log("the first body ran"));
  it.ignore("does not run", () => console.log("an ignored body ran"));
  describe.ignore("inner", () => {
    it("does not run either", () => console.log("an ignored body ran"));
  });
});

describe.ignore("an ignored group", () => {
  beforeAll(() => console.log("an ignored hook ran"));
  it("does not run", () => console.log("an ignored body ran"));
});
