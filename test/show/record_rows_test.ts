import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { formatCard } from "../../src/show/card.ts";
import { buildRecordRows, formatValue } from "../../src/show/record_rows.ts";

describe("formatValue()", () => {
  it("writes each kind of value in a few words", () => {
    const values: [unknown, string | null][] = [
      [null, null],
      [undefined, null],
      [true, "yes"],
      [false, "no"],
      [2300, "2300"],
      [9781.4609, "9781.46"],
      [0.91720273, "0.9172"],
      [NaN, "NaN"],
      [9007199254740993n, "9007199254740993"],
      ["Europe/Copenhagen", "Europe/Copenhagen"],
      ["", ""],
      [[], "none"],
      [["a", "b"], "2: a, b"],
      [["a note, long", "another"], "2: a note, long; another"],
      [[{ a: 1 }, { a: 2 }], "2 items"],
      [[1, null], "2 items"],
      [{ a: { b: NaN } }, "{a: {b: NaN}}"],
    ];
    for (const [value, text] of values) assertEquals(formatValue(value), text);
  });

  it("keeps declared decimals, and uses given words", () => {
    assertEquals(formatValue(55.6, { decimals: 4 }), "55.6000");
    assertEquals(formatValue([1, 2], { short: () => "two" }), "two");
    assertEquals(formatValue([1, 2], { short: () => undefined }), "2: 1, 2");
  });

  it("shortens long values", () => {
    assertEquals(formatValue("x".repeat(1e6))?.length, 200);
    assertEquals(
      formatValue(Array.from({ length: 1e6 }, (_, i) => i))?.slice(0, 20),
      "1000000: 0, 1, 2, 3,",
    );
    assertEquals(formatValue(Array(1e6).fill("x".repeat(50)))?.length, 200);
  });
});

describe("buildRecordRows()", () => {
  it("uses declared labels and units, else names, and shows structures one level deep", () => {
    const record = { hub_height: 80, odd: "x", indices: { a: 1, b: { c: 2 } }, list: [{}] };
    const fields = new Map([
      ["hub_height", { label: "Hub height", unit: "m", description: "Above ground." }],
      ["indices", { label: "Indices", fields: new Map([["a", { label: "A", unit: "%" }]]) }],
    ]);
    assertEquals(
      formatCard({ title: "Record", rows: buildRecordRows(record, fields) }),
      `Record

Hub height  80 m
odd         x
Indices
  A         1 %
  b         {c: 2}
list        1 item`,
    );
  });

  it("accepts fields with any name", () => {
    const hostile = JSON.parse('{"__proto__":1,"constructor":2,"toString":3,"":4}');
    assertEquals(buildRecordRows(hostile).map(({ label, value }) => [label, value]), [
      ["__proto__", "1"],
      ["constructor", "2"],
      ["toString", "3"],
      ["", "4"],
    ]);
  });

  it("shows no more than twenty parts of a structure", () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`f${i}`, i]));
    const rows = buildRecordRows({ many });
    assertEquals(rows.length, 22);
    assertEquals(rows[21], { label: "… 80 more", value: "not shown", part: true });
  });
});
