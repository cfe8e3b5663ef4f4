import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { findGaps } from "../../../src/screening/values/hourly_power.ts";
import { kelmarsh, kelmarshIsHere, named } from "../_kelmarsh.ts";
import { places } from "../_series.ts";

describe("findGaps()", () => {
  it("F38 finds stretches without values, each once, even at both ends", () => {
    assertEquals(findGaps(Float64Array.of(NaN, 1, NaN, NaN, 0, NaN)), [
      { kind: "gap", from: 0, to: 1, message: "1 h without a value" },
      { kind: "gap", from: 2, to: 4, message: "2 h without a value" },
      { kind: "gap", from: 5, to: 6, message: "1 h without a value" },
    ]);
  });

  it("finds a series of only NaN, and nothing in a complete or empty series", () => {
    assertEquals(places(findGaps(new Float64Array(9).fill(NaN))), [["gap", 0, 9]]);
    assertEquals(findGaps(Float64Array.of(0, -5, Infinity)), []);
    assertEquals(findGaps(new Float64Array(0)), []);
  });

  it("F38 fills nothing", () => {
    const values = Float64Array.of(1, NaN, 2);
    findGaps(values);
    assertEquals(values, Float64Array.of(1, NaN, 2));
  });

  const check = kelmarshIsHere() ? it : it.ignore;

  check(named("F38 finds the long gap of October 2018 at Kelmarsh"), async () => {
    const { stamps, power } = await kelmarsh();
    const gaps = power.map((values) => findGaps(values).filter(({ from, to }) => to - from > 24));
    // KWF3 came back a day after the others.
    assertEquals(gaps.map(([{ from, to }]) => to - from), [254, 277, 254, 254]);
    for (const gap of gaps) {
      assertEquals(gap.length, 1);
      assertEquals(stamps[gap[0].from], Date.UTC(2018, 9, 23, 2));
    }
  });
});
