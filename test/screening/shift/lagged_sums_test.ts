import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { LAG_REACH, sumLagged } from "../../../src/screening/shift/lagged_sums.ts";
import { drifting } from "../_series.ts";

const DAYS = 20;
const early = drifting(24 * DAYS, "early");
const scatter = drifting(24 * DAYS, "scatter");
const late = early.map((_, i) => (early[i - 2] ?? NaN) + 0.2 * scatter[i]);

const errorsOf = (x: Float64Array, y: Float64Array) => sumLagged(x, y, 0, x.length).computeErrors();

describe("sumLagged().computeErrors()", () => {
  it("gives the squared errors of a day at each lag, from one line through all days", () => {
    const { days, lags, errors } = errorsOf(late, early)!;
    assertEquals([...days], [...new Array(DAYS).keys()]);
    assertEquals(lags, 2 * LAG_REACH + 1);
    // The line at the lag of two hours, by the sums of its pairs.
    const pairs = [...late.keys()].filter((i) => !Number.isNaN(late[i]));
    const mean = (of: (i: number) => number) =>
      pairs.reduce((sum, i) => sum + of(i), 0) / pairs.length;
    const [x, y] = [mean((i) => late[i]), mean((i) => early[i - 2])];
    const b = mean((i) => (late[i] - x) * (early[i - 2] - y)) /
      mean((i) => (early[i - 2] - y) ** 2);
    const a = x - b * y;
    for (const [day, lag] of [[5, 2], [5, 0], [11, -LAG_REACH], [12, LAG_REACH]]) {
      let sum = 0;
      for (let i = 24 * day; i < 24 * day + 24; i++) sum += (late[i] - a - b * early[i - lag]) ** 2;
      const error = errors[day * lags + lag + LAG_REACH];
      assertAlmostEquals(error / sum, 1, 1e-6, `day ${day}, lag ${lag}`);
    }
  });

  it("leaves out days without values", () => {
    const holed = late.slice();
    holed.fill(NaN, 24 * 4, 24 * 7);
    const { days, lags, errors } = errorsOf(holed, early)!;
    assertEquals([...days].slice(2, 6), [2, 3, 7, 8]);
    assertEquals(errors.length, (DAYS - 3) * lags);
    assert(errors.every((error) => error >= 0));
  });

  it("returns nothing for series that do not vary, or have no values", () => {
    assertEquals(errorsOf(late.map(() => 5), early), undefined);
    assertEquals(errorsOf(late, early.map(() => NaN)), undefined);
    assertEquals(errorsOf(new Float64Array(0), new Float64Array(0)), undefined);
  });
});
