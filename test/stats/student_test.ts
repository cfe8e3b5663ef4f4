import { assert, assertAlmostEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { studentQuantile95, studentReach } from "../../src/stats/student.ts";

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

describe("studentReach()", () => {
  // Quantiles that Student's t passes as rarely as a normal deviate passes 3, by integration of its density.
  const table = [
    [4, 6.6202],
    [5, 5.5071],
    [7, 4.5300],
    [11, 3.8499],
    [23, 3.3613],
    [47, 3.1677],
  ] as const;
  for (const [freedom, quantile] of table) {
    it(`is ${quantile} for three deviations and ${freedom} degrees of freedom, to 0.7 %`, () => {
      assertAlmostEquals(studentReach(3, freedom) / quantile, 1, freedom < 11 ? 7e-3 : 1e-4);
    });
  }
});
