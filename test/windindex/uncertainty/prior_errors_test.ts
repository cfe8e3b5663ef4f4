import { assert, assertAlmostEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  computeReach,
  estimateError,
  type PriorError,
} from "../../../src/windindex/uncertainty/error_terms.ts";

const widthOf = (squares: number, freedom: number, prior: PriorError) =>
  computeReach(estimateError(squares, freedom, prior));

describe("estimateError()", () => {
  const prior = { deviation: 0.05, count: 4 };

  it("equals the prior if there are no errors", () => {
    // t(4) = 2.1318468 standard deviations of 0.05: 0.1065923.
    assertAlmostEquals(widthOf(0, 0, prior), 0.1065923, 1e-7);
  });

  it("combines errors and prior by their numbers", () => {
    // Four of 0.05^2 = 0.0025 and three with squares of 0.006: (0.01 + 0.006) / 7 = 0.00228571, root 0.0478091;
    // t(7) = 1.8945786: 0.0905781.
    assertAlmostEquals(widthOf(0.006, 3, prior), 0.0905781, 1e-5);
  });

  it("comes close to the errors alone if there are many", () => {
    // A hundred with a root mean square of 0.1: 1.66 times 0.0984.
    assertAlmostEquals(widthOf(1, 100, prior), 1.66 * 0.0985, 0.001);
  });

  it("narrows with errors smaller than the prior, and widens with larger ones", () => {
    const widths = [0.001, 0.005, 0.02, 0.1].map((squares) => widthOf(squares, 2, prior));
    widths.slice(1).forEach((width, i) => assert(width > widths[i], String(widths)));
    assert(widths[0] < widthOf(0, 0, prior));
    assert(widths[3] > widthOf(0, 0, prior));
  });
});
