import { assert, assertAlmostEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { studentQuantile95 } from "../../src/windindex/student.ts";

describe("studentQuantile95()", () => {
  // The column t(0.95) of the tables in the textbooks.
  const table = [
    [1, 6.3138],
    [2, 2.9200],
    [3, 2.3534],
    [4, 2.1318],
    [5, 2.0150],
    [6, 1.9432],
    [7, 1.8946],
    [8, 1.8595],
    [9, 1.8331],
    [10, 1.8125],
    [20, 1.7247],
    [30, 1.6973],
    [120, 1.6577],
    [Infinity, 1.6449],
  ] as const;
  for (const [freedom, quantile] of table) {
    it(`is ${quantile} for ${freedom} degrees of freedom, as in the tables`, () => {
      assertAlmostEquals(studentQuantile95(freedom), quantile, 1e-4);
    });
  }

  it("falls with every degree of freedom, never below the normal one", () => {
    for (let freedom = 1; freedom < 300; freedom++) {
      const [here, next] = [studentQuantile95(freedom), studentQuantile95(freedom + 1)];
      assert(here > next && next > 1.6448536, `${freedom}: ${here}, then ${next}`);
    }
  });
});
