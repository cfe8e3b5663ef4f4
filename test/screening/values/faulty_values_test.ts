import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { findFlat } from "../../../src/screening/values/hourly_power.ts";
import { kelmarsh, KELMARSH_RATED_POWER, kelmarshIsHere, named } from "../_kelmarsh.ts";
import { drifting, lively, places, repeated } from "../_series.ts";

const RATED = 2000;

/** Hours that alternate between two values: flat, but not stuck. */
const between = (low: number, high: number, count: number) =>
  Array.from({ length: count }, (_, i) => i % 2 === 0 ? low : high);

const flat = (power: Float64Array) => places(findFlat(power, RATED));

describe("findFlat()", () => {
  it("finds power that hardly changes for twelve hours, and not for eleven", () => {
    assertEquals(findFlat(lively(100, [40, between(1000, 1015, 12)]), RATED), [
      { kind: "flat", from: 40, to: 52, message: "12 h within 1000 to 1015 kW" },
    ]);
    assertEquals(flat(lively(100, [40, between(1000, 1015, 11)])), []);
  });

  it("counts a spread of 1 % of rated power as flat, and more as wind", () => {
    assertEquals(flat(lively(100, [40, between(1000, 1020, 20)])), [["flat", 40, 60]]);
    assertEquals(flat(lively(100, [40, between(1000, 1020.1, 20)])), []);
  });

  it("judges only power of 10 to 90 % of rated power", () => {
    assertEquals(flat(lively(100, [40, between(200, 210, 20)])), [["flat", 40, 60]]);
    assertEquals(flat(lively(100, [40, between(199, 210, 20)])), []);
    assertEquals(flat(lively(100, [40, between(1790, 1800, 20)])), [["flat", 40, 60]]);
    assertEquals(flat(lively(100, [40, between(1790, 1801, 20)])), []);
    assertEquals(flat(lively(100, [40, repeated(2000, 40)])), []);
  });

  it("finds a limit that drifts slowly as one stretch", () => {
    const drift = Array.from({ length: 48 }, (_, i) => 1000 + 1.5 * i);
    assertEquals(flat(lively(100, [20, drift])), [["flat", 20, 68]]);
  });

  it("leaves stuck values to the finding of a stuck logger", () => {
    assertEquals(flat(lively(100, [40, repeated(777, 20)])), []);
    const mixed = [...between(770, 780, 12), ...repeated(777, 8), ...between(770, 780, 12)];
    assertEquals(flat(lively(100, [40, mixed])), [["flat", 40, 52], ["flat", 60, 72]]);
  });

  it("does not join hours across missing ones", () => {
    const holed = [...between(900, 910, 11), NaN, ...between(900, 910, 11)];
    assertEquals(flat(lively(100, [40, holed])), []);
    assertEquals(flat(new Float64Array(50).fill(NaN)), []);
    assertEquals(flat(new Float64Array(0)), []);
  });

  it("finds it at both ends of the record", () => {
    const power = lively(100, [0, between(900, 910, 12)], [86, between(900, 910, 14)]);
    assertEquals(flat(power), [["flat", 0, 12], ["flat", 86, 100]]);
  });

  it("finds nothing in a year of power that drifts, and changes nothing", () => {
    const power = drifting(8760, "flat");
    const before = power.slice();
    assertEquals(flat(power), []);
    assertEquals(power, before);
  });

  const check = kelmarshIsHere() ? it : it.ignore;

  check(named("finds nothing in a year of four turbines at Kelmarsh"), async () => {
    for (const power of (await kelmarsh()).power) {
      assertEquals(findFlat(power, KELMARSH_RATED_POWER), []);
    }
  });
});
