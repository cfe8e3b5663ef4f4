import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { assertLevel, isPlausibleLevel } from "../../../src/analysis/series/level.ts";

describe("isPlausibleLevel()", () => {
  it("S8: takes more than 1.5 times the prediction for another unit, in a month or two more than three times", () => {
    assertEquals([1.49, 1.51].map((ratio) => isPlausibleLevel(ratio, 3, true)), [true, false]);
    assertEquals([2.9, 3.1].map((ratio) => isPlausibleLevel(ratio, 2, true)), [true, false]);
  });

  it("S8: takes nearly zero for another unit if the turbine ran, else only a thousandth", () => {
    assertEquals([0.03, 0.01].map((ratio) => isPlausibleLevel(ratio, 12, true)), [true, false]);
    assertEquals([0.03, 0.01, 0.001, 0].map((ratio) => isPlausibleLevel(ratio, 12, false)), [
      true,
      true,
      false,
      true,
    ]);
  });
});

describe("assertLevel()", () => {
  const refuse = (problem: string): never => {
    throw new Error(problem);
  };

  it("compares the energies of the periods with both values", () => {
    const pairs = [[1000, null], [null, 1], [NaN, 1], [1, 1], [1, 1], [1, 1]] as const;
    assertLevel(pairs, { hourly: false, ran: true }, refuse);
    assertThrows(() => assertLevel([...pairs, [1000, 1]], { hourly: false, ran: true }, refuse));
  });

  it("checks nothing without a prediction", () => {
    assertLevel([[1000, null], [5, 0]], { hourly: true, ran: true }, refuse);
  });

  it("counts the months of a year", () => {
    const year = (each: number) =>
      assertLevel([[2, 1]], { hourly: false, ran: true, each }, refuse);
    year(1);
    assertThrows(() => year(12));
  });
});
