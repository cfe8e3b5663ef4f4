import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { findOutOfBounds, findRepeatedWind } from "../../../src/screening/values/climate_values.ts";
import { repeated } from "../_series.ts";

describe("findOutOfBounds()", () => {
  it("finds values outside of a range, but not its ends or missing values", () => {
    const values = Float64Array.of(0, 75, 75.1, NaN, -0.1, 99, 3);
    assertEquals(findOutOfBounds(values, [0, 75], "m/s"), [
      { kind: "out_of_range", from: 2, to: 3, message: "1 h with values outside 0 to 75 m/s" },
      { kind: "out_of_range", from: 4, to: 6, message: "2 h with values outside 0 to 75 m/s" },
    ]);
    assertEquals(findOutOfBounds(values, [0, null], "m/s").length, 1);
    assertEquals(findOutOfBounds(values, [null, null], "m/s"), []);
  });
});

describe("findRepeatedWind()", () => {
  it("finds six hours of the same wind, but no calms and no shorter stretches", () => {
    const speeds = Float64Array.of(4, ...repeated(5.3, 6), 6, ...repeated(7, 5), ...repeated(0, 9));
    assertEquals(findRepeatedWind(speeds), [
      { kind: "stuck", from: 1, to: 7, message: "6 h with exactly 5.3 m/s" },
    ]);
  });

  it("does not join hours across missing ones", () => {
    assertEquals(findRepeatedWind(Float64Array.of(5, 5, 5, NaN, 5, 5, 5)), []);
  });
});
