import { assertAlmostEquals, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { computeRobustSpread, mean, median, variance } from "../../src/stats/spread.ts";
import { fitLine } from "../../src/stats/regression.ts";

describe("mean(), variance() and median()", () => {
  it("agree with the textbook", () => {
    assertEquals(mean([2, 4, 4, 4, 5, 5, 7, 9]), 5);
    assertEquals(variance([2, 4, 4, 4, 5, 5, 7, 9]), 32 / 7);
    assertEquals(median([9, 1, 10, 2]), 5.5);
  });

  it("are NaN with too few values", () => {
    assertEquals([mean([]), variance([1]), median([])], [NaN, NaN, NaN]);
  });

  it("do not change their input", () => {
    const values = new Float64Array([3, 1, 2]);
    median(values);
    assertEquals(values, new Float64Array([3, 1, 2]));
  });
});

describe("computeRobustSpread()", () => {
  it("is not moved by an outlier", () => {
    const { middle, deviation } = computeRobustSpread([1, 2, 3, 4, 1000]);
    assertEquals(middle, 3);
    assertAlmostEquals(deviation, 1.4826 * 5 / 4.2, 1e-12);
  });
});

describe("fitLine()", () => {
  it("gives the line, its correlation and the error of its slope", () => {
    const line = fitLine([1, 2, 3, 4], [2, 4, 5, 4])!;
    assertAlmostEquals(line.slope, 0.7, 1e-12);
    assertAlmostEquals(line.intercept, 2, 1e-12);
    assertAlmostEquals(line.r!, 3.5 / Math.sqrt(5 * 4.75), 1e-12);
    assertAlmostEquals(line.slopeError, Math.sqrt(2.3 / 2 / 5), 1e-12);
  });

  it("is undefined if x does not vary, and has no correlation if y does not", () => {
    assertEquals(fitLine([0.1, 0.1, 0.1], [1, 2, 3]), undefined);
    assertEquals(fitLine([1, 2, 3], [0.1, 0.1, 0.1])!.r, undefined);
    assertEquals(fitLine([1, 2], [1, 2])!.slopeError, NaN);
  });
});
