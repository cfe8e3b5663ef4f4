import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { expectsPower } from "../../../src/screening/values/hourly_power.ts";
import { repeated } from "../_series.ts";

const RATED = 2000;

const expects = (...expected: number[]) =>
  expectsPower(Float64Array.from(expected), { from: 0, to: expected.length }, RATED);

describe("expectsPower()", () => {
  it("requires a tenth of the rated power on average over 36 hours at most", () => {
    assertEquals([expects(...repeated(199, 8)), expects(...repeated(200, 8))], [false, true]);
    // 3.6 h of rated power in 36 hours, in ten days too.
    assertEquals(expects(...repeated(2000, 3), ...repeated(0, 237)), false);
    assertEquals(expects(...repeated(2000, 3), 1200, ...repeated(0, 236)), true);
  });

  it("looks at the stretch only", () => {
    const expected = Float64Array.of(2000, 0, 0, 2000);
    assertEquals(expectsPower(expected, { from: 1, to: 3 }, RATED), false);
    assertEquals(expectsPower(expected, { from: 0, to: 3 }, RATED), true);
  });

  it("leaves out missing hours, and returns nothing without any", () => {
    assertEquals(expects(NaN, NaN, 300), true);
    assertEquals(expects(NaN, 100, NaN), false);
    assertEquals(expects(NaN, NaN), undefined);
    assertEquals(expects(), undefined);
  });
});
