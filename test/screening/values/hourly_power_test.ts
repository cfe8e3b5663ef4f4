import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  findOutages,
  findOutOfRange,
  findStandstill,
  findStuck,
} from "../../../src/screening/values/hourly_power.ts";
import { lively, places, repeated } from "../_series.ts";

const RATED = 2000;

describe("findOutOfRange()", () => {
  it("keeps standby consumption of 2 % and overshoot of 5 %", () => {
    assertEquals(findOutOfRange(Float64Array.of(-40, 0, 1000, 2100), RATED), []);
  });

  it("F34 finds values beyond these, each stretch once", () => {
    const power = Float64Array.of(10, -40.1, 10, 2100.1, 2e6, 10);
    assertEquals(findOutOfRange(power, RATED), [
      {
        kind: "out_of_range",
        from: 1,
        to: 2,
        message: "1 h with power outside -40 to 2100 kW",
      },
      {
        kind: "out_of_range",
        from: 3,
        to: 5,
        message: "2 h with power outside -40 to 2100 kW",
      },
    ]);
  });

  it("F33 finds -999 and infinite values", () => {
    const power = Float64Array.of(10, -999, 10, Infinity, 10, -Infinity);
    assertEquals(places(findOutOfRange(power, RATED)), [
      ["out_of_range", 1, 2],
      ["out_of_range", 3, 4],
      ["out_of_range", 5, 6],
    ]);
  });

  it("does not find missing hours", () => {
    assertEquals(findOutOfRange(Float64Array.of(NaN, 5, NaN), RATED), []);
    assertEquals(findOutOfRange(new Float64Array(0), RATED), []);
  });

  it("changes nothing", () => {
    const power = Float64Array.of(-999, 5, 9999);
    findOutOfRange(power, RATED);
    assertEquals(power, Float64Array.of(-999, 5, 9999));
  });
});

describe("findOutages()", () => {
  it("finds nothing in a turbine that runs", () => {
    assertEquals(findOutages(lively(1000), RATED), []);
    assertEquals(findOutages(new Float64Array(0), RATED), []);
  });

  it("counts 72 hours without power as an outage and 71 as a calm", () => {
    assertEquals(findOutages(lively(200, [50, repeated(0, 71)]), RATED), []);
    assertEquals(findOutages(lively(200, [50, repeated(0, 72)]), RATED), [
      { kind: "standstill", from: 50, to: 122, message: "72 h without power" },
    ]);
  });

  it("counts standby consumption and a last trickle of 0.2 % as standstill", () => {
    const trickle = Array.from({ length: 80 }, (_, i) => i % 2 === 0 ? -12 : 4);
    assertEquals(places(findOutages(lively(200, [50, trickle]), RATED)), [["standstill", 50, 130]]);
    const above = Array.from({ length: 80 }, (_, i) => i % 2 === 0 ? -12 : 4.01);
    assertEquals(findOutages(lively(200, [50, above]), RATED), []);
  });

  it("S10: counts three days without power as a calm if hardly any power is expected", () => {
    const power = lively(400, [50, repeated(0, 100)], [200, repeated(0, 100)]);
    const expected = lively(400, [50, repeated(20, 100)], [200, repeated(20, 90)]);
    assertEquals(places(findOutages(power, RATED)), [["standstill", 50, 150], [
      "standstill",
      200,
      300,
    ]]);
    assertEquals(places(findOutages(power, RATED, expected)), [["standstill", 200, 300]]);
    // If the wind is unknown, only production decides.
    expected.fill(NaN, 50, 150);
    assertEquals(findOutages(power, RATED, expected).length, 2);
  });

  it("finds standstill at both ends of the record", () => {
    const power = lively(300, [0, repeated(0, 80)], [200, repeated(0, 100)]);
    assertEquals(places(findOutages(power, RATED)), [
      ["standstill", 0, 80],
      ["standstill", 200, 300],
    ]);
  });

  it("counts six hours of exactly the same power as a stuck logger, five as chance", () => {
    assertEquals(findOutages(lively(100, [20, repeated(777.5, 5)]), RATED), []);
    assertEquals(findOutages(lively(100, [20, repeated(777.5, 6)]), RATED), [
      { kind: "stuck", from: 20, to: 26, message: "6 h with exactly 777.5 kW" },
    ]);
  });

  it("finds a logger that is stuck from the first hour on, and one that sticks twice", () => {
    const power = lively(100, [0, repeated(500, 8)], [40, [
      ...repeated(600, 7),
      ...repeated(700, 6),
    ]]);
    assertEquals(places(findOutages(power, RATED)), [
      ["stuck", 0, 8],
      ["stuck", 40, 47],
      ["stuck", 47, 53],
    ]);
  });

  it("does not count hours at rated power as a stuck logger", () => {
    assertEquals(findOutages(lively(100, [20, repeated(2000, 30)]), RATED), []);
    assertEquals(findOutages(lively(100, [20, repeated(1900, 30)]), RATED), []);
    assertEquals(places(findOutages(lively(100, [20, repeated(1899, 30)]), RATED)), [
      ["stuck", 20, 50],
    ]);
  });

  it("does not count missing hours as unchanged power or standstill", () => {
    assertEquals(findOutages(lively(300, [20, repeated(NaN, 200)]), RATED), []);
  });

  it("combines standstill and stuck loggers", () => {
    const power = lively(400, [200, repeated(555, 9)], [20, repeated(0, 90)]);
    assertEquals(places(findStandstill(power, RATED)), [["standstill", 20, 110]]);
    assertEquals(places(findStuck(power, RATED)), [["stuck", 200, 209]]);
  });

  it("returns findings in order of time", () => {
    const power = lively(400, [200, repeated(555, 9)], [20, repeated(0, 90)], [
      300,
      repeated(0, 80),
    ]);
    assertEquals(places(findOutages(power, RATED)), [
      ["standstill", 20, 110],
      ["stuck", 200, 209],
      ["standstill", 300, 380],
    ]);
  });
});
