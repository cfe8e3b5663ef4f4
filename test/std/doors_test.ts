/**
 * The types of the doors to `@std` are as strict as the originals on JSR, which the checks cannot reach: code that does
 * not compile there must not compile here. `deno check` fails if a line after `@ts-expect-error` compiles.
 *
 * @module
 */
import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { delay, pooledMap } from "@std/async";
import { parse, stringify } from "@std/csv";
import { ifNoneMatch } from "@std/http/etag";
import { isStatus, STATUS_CODE, STATUS_TEXT } from "@std/http/status";
import { parse as parseJsonc } from "@std/jsonc";
import { afterEach, beforeEach, describe, it } from "@std/testing/bdd";

class NumberedError extends Error {
  number = 7;
}

const fail = () => {
  throw new NumberedError("failed");
};
const reject = () => Promise.reject(new NumberedError("failed"));

describe("@std/assert", () => {
  it("gives back what was thrown: unknown without a class, else of that class", async () => {
    const thrown = assertThrows(fail, "it fails");
    // @ts-expect-error: unknown
    assertEquals(thrown.message, "failed");
    // @ts-expect-error: no type may be named without its class
    assertThrows<NumberedError>(fail);
    assertEquals(assertThrows(fail, NumberedError, "failed", "it fails").number, 7);

    const rejected = await assertRejects(reject, "it fails");
    // @ts-expect-error: unknown
    assertEquals(rejected.message, "failed");
    // @ts-expect-error: no type may be named without its class
    await assertRejects<NumberedError>(reject);
    assertEquals((await assertRejects(reject, NumberedError, "failed", "it fails")).number, 7);
  });

  it("knows no third argument without a class, and no function that gives no promise", async () => {
    // @ts-expect-error: a message is the last argument
    assertThrows(fail, "failed", "it fails");
    // @ts-expect-error: no class
    assertThrows(fail, undefined, "failed");
    // @ts-expect-error: not a promise
    await assertRejects(() => assertRejects(() => 1), Error);
  });

  it("compares values of one type", () => {
    // @ts-expect-error: another type
    assertThrows(() => assertEquals<number>(1, "1"));
  });
});

describe("@std/http/status", () => {
  const status: number = 404;

  it("has a phrase for the codes with a name, not for any number", () => {
    // @ts-expect-error: a number
    assertEquals(STATUS_TEXT[status], "Not Found");
    // @ts-expect-error: no such status
    assertEquals(STATUS_TEXT[299], undefined);
    // @ts-expect-error: no such name
    assertEquals(STATUS_CODE.Lost, undefined);
    assertEquals(isStatus(status) && STATUS_TEXT[status], "Not Found");
    assertEquals(STATUS_TEXT[STATUS_CODE.NotFound], "Not Found");
    assertEquals(isStatus(299), false);
  });

  it("is typed with the codes that it has", () => {
    assertEquals(
      Object.keys(STATUS_TEXT).map(Number),
      Object.values(STATUS_CODE).toSorted((a, b) => a - b),
    );
    assertEquals(STATUS_CODE.RequestHeaderFieldsTooLarge satisfies 431, 431);
    // @ts-expect-error: each name has its own code
    assertEquals<200>(STATUS_CODE.NotFound, STATUS_CODE.NotFound);
  });

  it("compares an entity tag that may be missing with a header that may be missing", () => {
    assertEquals(ifNoneMatch(null, undefined), true);
    // @ts-expect-error: a missing header is null
    assertEquals(ifNoneMatch(undefined, '"a"'), true);
  });
});

describe("@std/async", () => {
  it("waits for nothing but time, and takes no other options", async () => {
    assertEquals(await delay(0) satisfies void, undefined);
    // @ts-expect-error: unknown option
    await delay(0, { abort: new AbortController().signal });
  });

  it("maps by a function that gives promises", async () => {
    const mapped: AsyncIterableIterator<number> = pooledMap(
      1,
      ["1"],
      (text) => Promise.resolve(Number(text)),
    );
    assertEquals(await Array.fromAsync(mapped), [1]);
    // @ts-expect-error: not a promise
    assertEquals(await Array.fromAsync(pooledMap(1, ["1"], Number)), [1]);
  });
});

describe("@std/csv and @std/jsonc", () => {
  it("read rows of text and write records or rows", () => {
    assertEquals(parse("a;1", { separator: ";" }), [["a", "1"]]);
    // @ts-expect-error: fields are text
    assertEquals<number[][]>(parse("1"), parse("1"));
    assertEquals(stringify([{ a: 1 }], { columns: ["a"] }), "a\r\n1\r\n");
    // @ts-expect-error: not a record or a row
    assertEquals(stringify([1]), "1\r\n");
  });

  it("read what JSON can hold", () => {
    const value = parseJsonc("[1, /* two */ 2,]");
    // @ts-expect-error: it may not be a list
    assertEquals(value[1], 2);
    assertEquals(Array.isArray(value) && value[1], 2);
    // @ts-expect-error: JSON has no dates
    assertThrows(() => (parseJsonc("1") as Date).getTime());
  });
});

describe("@std/testing/bdd", () => {
  it("defines groups at once, and waits for tests and hooks that give nothing", () => {
    const wrong = [
      // @ts-expect-error: a group is defined at once
      () => describe("a group", async () => {}),
      // @ts-expect-error: returns something
      () => it("a test", () => Promise.resolve(1)),
      // @ts-expect-error: returns something
      () => beforeEach(() => 1),
      // @ts-expect-error: returns something
      () => afterEach(() => 1),
    ];
    assertEquals(wrong.length, 4);
  });
});
