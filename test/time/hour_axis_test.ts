import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { alignToAxis, HOUR } from "../../src/time/hourly.ts";

const axis = { start: 100 * HOUR, length: 4 };

describe("alignToAxis()", () => {
  const at = (
    start: number,
    ...values: number[]
  ) => [...alignToAxis(axis, { start, length: values.length }, Float64Array.from(values))];

  it("places values that begin before, within and after an axis, and leaves its other hours missing", () => {
    assertEquals(at(98 * HOUR, 1, 2, 3, 4), [3, 4, NaN, NaN]);
    assertEquals(at(101 * HOUR, 1, 2), [NaN, 1, 2, NaN]);
    assertEquals(at(98 * HOUR, 1, 2, 3, 4, 5, 6, 7), [3, 4, 5, 6]);
    assertEquals(at(103 * HOUR, 1, 2), [NaN, NaN, NaN, 1]);
    assertEquals(at(104 * HOUR, 1, 2), [NaN, NaN, NaN, NaN]);
    assertEquals(at(90 * HOUR, 1, 2), [NaN, NaN, NaN, NaN]);
  });

  it("places nothing if the hours begin at another minute", () => {
    assertEquals(at(100.5 * HOUR, 1, 2, 3, 4), [NaN, NaN, NaN, NaN]);
  });
});
