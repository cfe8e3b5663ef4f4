import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { findBestSpan } from "../../../../src/analysis/check_performance/losses/power_limit.ts";

describe("findBestSpan()", () => {
  it("finds the consecutive scores with the largest sum", () => {
    assertEquals(findBestSpan(Float64Array.of(1, -3, 2, 0, 2, -1, 3, -5, 4)), {
      from: 2,
      to: 7,
      score: 6,
    });
  });

  it("is empty if no score is above 0", () => {
    assertEquals(findBestSpan(Float64Array.of(-1, 0, -2)), { from: 0, to: 0, score: 0 });
    assertEquals(findBestSpan(new Float64Array(0)).score, 0);
  });
});
