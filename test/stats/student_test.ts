import { assert, assertAlmostEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { studentQuantile, studentReach } from "../../src/stats/student.ts";

describe("studentQuantile()", () => {
  // The columns t(0.75) and t(0.90) of the tables in the textbooks.
  const others = [
    [1, 1.0000, 3.0777],
    [2, 0.8165, 1.8856],
    [3, 0.7649, 1.6377],
    [4, 0.7407, 1.5332],
    [5, 0.7267, 1.4759],
    [6, 0.7176, 1.4398],
    [8, 0.7064, 1.3968],
    [10, 0.6998, 1.3722],
    [20, 0.6870, 1.3253],
    [30, 0.6828, 1.3104],
    [Infinity, 0.6745, 1.2816],
  ] as const;
  for (const [freedom, of75, of90] of others) {
    it(`is ${of75} and ${of90} for 75 and 90 % and ${freedom} degrees of freedom`, () => {
      assertAlmostEquals(studentQuantile(freedom, 75), of75, 1e-4);
      assertAlmostEquals(studentQuantile(freedom, 90), of90, 1e-4);
    });
  }

  // The column t(0.95) of the same tables.
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
      assertAlmostEquals(studentQuantile(freedom), quantile, 1e-4);
    });
  }

  it("falls with every degree of freedom, never below the normal one", () => {
    for (let freedom = 1; freedom < 300; freedom++) {
      const [here, next] = [studentQuantile(freedom), studentQuantile(freedom + 1)];
      assert(here > next && next > 1.6448536, `${freedom}: ${here}, then ${next}`);
    }
  });
});

describe("studentReach()", () => {
  // Quantiles that Student's t exceeds as rarely as a normal deviate exceeds 3, by integration of its density.
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
