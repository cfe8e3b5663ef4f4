import { assert, assertAlmostEquals, assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { SeededRandom } from "../../../src/stats/seeded_random.ts";
import {
  computeMonthLags,
  findShift,
  type ShiftMonth,
} from "../../../src/screening/shift/shift.ts";
import { kelmarsh, kelmarshIsHere, named } from "../_kelmarsh.ts";
import { drifting, places } from "../_series.ts";

const LENGTH = 8760;
const seed = 1;

/** Twelve months of 730 hours. */
const months: ShiftMonth[] = Array.from({ length: 12 }, (_, i) => ({
  label: `2018-${String(i + 1).padStart(2, "0")}`,
  from: 730 * i,
  to: 730 * (i + 1),
}));

const modelled = drifting(LENGTH, "model");

/** Production like the model's, with scatter. */
const produced = (() => {
  const scatter = new SeededRandom("scatter");
  return modelled.map((power) => power + 150 * scatter.normal());
})();

/** The series some hours later; hours without a value are missing. */
const later = (series: Float64Array, hours: number) =>
  series.map((_, i) => series[i - hours] ?? NaN);

const lags = (series: Float64Array) => computeMonthLags(series, modelled, months, { seed });

describe("findShift()", () => {
  it("finds nothing in production that fits the model's hours", () => {
    assertEquals(findShift(produced, modelled, months, { seed }), []);
    assertEquals(findShift(modelled, modelled, months, { seed }), []);
  });

  it("F38 finds production that is shifted by whole hours, positive if it comes later", () => {
    for (const hours of [-5, -4, -3, -2, -1, 1, 2, 3, 4, 5]) {
      const findings = findShift(later(produced, hours), modelled, months, { seed });
      assertEquals(places(findings), [["shift", 0, LENGTH]]);
      const side = hours > 0 ? "later" : "earlier";
      const message = `production comes ${Math.abs(hours)} h ${side} than the model: lag of `;
      assert(findings[0].message.startsWith(message), findings[0].message);
      const lag = Number(/lag of (-?[\d.]+) h/.exec(findings[0].message)![1]);
      assertAlmostEquals(lag, hours, 0.1);
    }
  });

  it("names the lag, its interval and the months", () => {
    const [{ message }] = findShift(later(produced, 1), modelled, months, { seed });
    const [, low, high] = /\(90 % interval ([\d.]+) to ([\d.]+) h\)/.exec(message)!;
    assert(Number(low) <= Number(high) && Number(low) > 0.8 && Number(high) < 1.2, message);
    assertStringIncludes(message, ", in 12 of 12 months, 2018-01 to 2018-12");
  });

  it("reports a shift beyond the lags as at least that much", () => {
    // Means of twelve hours: so smooth that a parabola at the last lag would reach beyond it.
    const smooth = (series: Float64Array) =>
      series.map((_, i) => series.subarray(i, i + 12).reduce((sum, power) => sum + power / 12, 0));
    for (const hours of [-9, -7, 7, 8]) {
      const shifted = later(smooth(produced), hours);
      const [{ message }] = findShift(shifted, smooth(modelled), months, { seed });
      const side = hours > 0
        ? "later than the model: lag of 6.00"
        : "earlier than the model: lag of -6.00";
      assert(message.startsWith(`production comes at least 6 h ${side} h`), message);
    }
  });

  it("finds a shift in two thirds of the months, but not in fewer", () => {
    const shiftedFrom = (first: number) => {
      const shifted = later(produced, 2);
      shifted.set(later(produced, -2).subarray(0, months[first].from));
      return findShift(shifted, modelled, months, { seed });
    };
    assertStringIncludes(
      shiftedFrom(4)[0].message,
      "2 h later than the model: lag of 1.99 h",
    );
    assertStringIncludes(shiftedFrom(4)[0].message, "in 8 of 12 months, 2018-05 to 2018-12");
    assertEquals(shiftedFrom(5), []);
  });

  it("does not find half an hour", () => {
    const half = produced.map((power, i) => 0.6 * power + 0.4 * (produced[i - 1] ?? NaN));
    assert(lags(half).every(({ lag }) => lag > 0.2), "it is there");
    assertEquals(findShift(half, modelled, months, { seed }), []);
  });

  it("finds a shift through missing hours, in months with ten days of values", () => {
    const holed = later(produced, 3).map((power, i) => i % 5 === 0 ? NaN : power);
    holed.fill(NaN, 0, 730);
    const [{ from, message }] = findShift(holed, modelled, months, { seed });
    assertEquals(from, 730);
    assertStringIncludes(message, "production comes 3 h later than the model");
    assertStringIncludes(message, "in 11 of 11 months, 2018-02 to 2018-12");
  });

  it("does not depend on units", () => {
    const shifted = later(produced, 2);
    const watts = findShift(shifted.map((power) => 1000 * power), modelled, months, { seed });
    const share = findShift(shifted, modelled.map((power) => power / 2000), months, { seed });
    assertEquals(watts, share);
  });

  it("judges nothing without variation, values or months", () => {
    const nothing = new Float64Array(LENGTH).fill(NaN);
    const constant = new Float64Array(LENGTH).fill(0.1);
    for (const series of [nothing, constant, constant.map(() => 1234.567)]) {
      assertEquals(findShift(series, modelled, months, { seed }), []);
      assertEquals(findShift(produced, series, months, { seed }), []);
      assertEquals(computeMonthLags(series, modelled, months, { seed }), []);
      assertEquals(computeMonthLags(produced, series, months, { seed }), []);
    }
    assertEquals(findShift(later(produced, 2), modelled, [], { seed }), []);
    const empty = new Float64Array(0);
    assertEquals(findShift(empty, empty, [], { seed }), []);
    assertEquals(findShift(empty, empty, [{ label: "none", from: 0, to: 0 }], { seed }), []);
  });

  it("finds nothing in a year of production that has nothing to do with the model", () => {
    for (let other = 0; other < 10; other++) {
      assertEquals(findShift(drifting(LENGTH, other), modelled, months, { seed }), []);
    }
  });

  it("gives the same for the same seed and changes nothing", () => {
    const shifted = later(produced, 1);
    const before = [shifted.slice(), modelled.slice()];
    const first = findShift(shifted, modelled, months, { seed: "a" });
    assertEquals(findShift(shifted, modelled, months, { seed: "a" }), first);
    assertEquals([shifted, modelled], before);
  });
});

describe("computeMonthLags()", () => {
  it("gives each month its lag, inside of its interval", () => {
    for (const { lag, low, high, correlation } of lags(later(produced, 2))) {
      assert(low <= lag && lag <= high, `${low} ${lag} ${high}`);
      assertAlmostEquals(lag, 2, 0.3);
      assert(correlation > 0.9 && correlation <= 1);
    }
  });

  it("refines lags to parts of an hour", () => {
    const half = produced.map((power, i) => 0.5 * power + 0.5 * (produced[i - 1] ?? NaN));
    for (const { lag } of lags(half)) assertAlmostEquals(lag, 0.5, 0.2);
  });

  it("judges only months with at least 240 hours with both values", () => {
    const cut = (count: number) => produced.map((power, i) => i < count ? power : NaN);
    assertEquals(lags(cut(240)).map(({ label }) => label), ["2018-01"]);
    assertEquals(lags(cut(239)), []);
  });

  it("ignores hours before or after the given months", () => {
    const inside = { label: "inside", from: 2000, to: 2730 };
    const cut = produced.map((power, i) => i < 2000 || i >= 2730 ? NaN : power);
    assertEquals(
      computeMonthLags(produced, modelled, [inside], { seed }),
      computeMonthLags(cut, modelled, [inside], { seed }),
    );
  });

  const check = kelmarshIsHere() ? it : it.ignore;

  check(named("finds turbines of Kelmarsh in step, and one that is moved"), async () => {
    const { power } = await kelmarsh();
    for (const other of power.slice(1)) {
      assertEquals(findShift(other, power[0], months, { seed }), []);
      for (const hours of [-2, 1]) {
        const [{ message }] = findShift(later(other, hours), power[0], months, { seed });
        assertStringIncludes(message, `production comes ${Math.abs(hours)} h `);
      }
    }
  });
});
