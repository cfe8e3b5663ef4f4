import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { formatContentRange, readByteRange } from "../../../src/service/responses/http_headers.ts";

describe("readByteRange()", () => {
  const cases: [string | null | undefined, ReturnType<typeof readByteRange>][] = [
    ["bytes=0-", { from: 0, to: 100 }],
    ["bytes=99-", { from: 99, to: 100 }],
    ["bytes=10-19", { from: 10, to: 20 }],
    ["bytes=10-10", { from: 10, to: 11 }],
    ["bytes=10-1000", { from: 10, to: 100 }],
    ["bytes=-30", { from: 70, to: 100 }],
    ["bytes=-1000", { from: 0, to: 100 }],
    ["Bytes= 1-2 ", { from: 1, to: 3 }],
    ["bytes=100-", "unsatisfiable"],
    ["bytes=100-200", "unsatisfiable"],
    ["bytes=99999999999999999999-", "unsatisfiable"],
    ["bytes=-0", "unsatisfiable"],
    ["bytes=20-10", undefined],
    ["bytes=-", undefined],
    ["bytes=", undefined],
    ["bytes=a-b", undefined],
    ["bytes=1.5-2", undefined],
    ["bytes=+1-2", undefined],
    ["bytes=0-1,5-6", undefined],
    ["lines=0-1", undefined],
    ["0-1", undefined],
    ["", undefined],
    [null, undefined],
    [undefined, undefined],
  ];
  for (const [header, expected] of cases) {
    it(`reads ${JSON.stringify(header)} of 100 bytes`, () => {
      assertEquals(readByteRange(header, 100), expected);
    });
  }

  it("finds nothing in an empty file", () => {
    for (const header of ["bytes=0-", "bytes=-1", "bytes=0-0"]) {
      assertEquals(readByteRange(header, 0), "unsatisfiable");
    }
  });
});

describe("formatContentRange()", () => {
  it("names the first and the last byte", () => {
    assertEquals(formatContentRange({ from: 10, to: 20 }, 100), "bytes 10-19/100");
  });
});
