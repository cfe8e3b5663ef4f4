import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  applyPowerLaw,
  computeLogLawFactor,
  computeShearExponent,
  EXPONENT_RANGE,
  NEUTRAL_EXPONENT,
} from "../../../src/windindex/turbine/hub_conditions.ts";
import { uniforms } from "../_synthetic.ts";

const LOG_TEN = Math.log(10); // heights of 10 and 100 m

describe("computeShearExponent()", () => {
  it("is ln(v2 / v1) over ln(z2 / z1)", () => {
    // ln 1.4 / ln 10 = 0.336472 / 2.302585
    assertAlmostEquals(computeShearExponent(5, 7, LOG_TEN), 0.146128, 1e-6);
    assertEquals(computeShearExponent(6, 6, LOG_TEN), 0);
  });

  it("is limited to its range", () => {
    assertEquals(computeShearExponent(2, 10, LOG_TEN), 0.6); // log10 5 = 0.699
    assertEquals(computeShearExponent(10, 5, LOG_TEN), -0.2); // log10 0.5 = -0.301
  });

  it("is 1/7, as in neutral flow, in calms at either height, including zero", () => {
    for (const [low, high] of [[0, 0], [0.49, 8], [8, 0.49], [0, 9]]) {
      assertEquals(computeShearExponent(low, high, LOG_TEN), 1 / 7, `${low} and ${high} m/s`);
    }
    assertAlmostEquals(computeShearExponent(0.5, 0.5, LOG_TEN), 0, 1e-12);
  });

  it("is never infinite, whatever the speeds", () => {
    const random = uniforms(2);
    for (let i = 0; i < 10_000; i++) {
      const exponent = computeShearExponent(30 * random() ** 4, 30 * random() ** 4, LOG_TEN);
      assert(exponent >= EXPONENT_RANGE[0] && exponent <= EXPONENT_RANGE[1], String(exponent));
    }
    assert(NEUTRAL_EXPONENT > EXPONENT_RANGE[0] && NEUTRAL_EXPONENT < EXPONENT_RANGE[1]);
  });

  it("F34 is NaN if one is windy and the other missing", () => {
    assertEquals(computeShearExponent(NaN, 7, LOG_TEN), NaN);
    assertEquals(computeShearExponent(7, NaN, LOG_TEN), NaN);
  });
});

describe("applyPowerLaw()", () => {
  it("converts 7 m/s from 100 m to 70 and to 120 m", () => {
    // 7 x 0.7 ^ 0.146128 and 7 x 1.2 ^ 0.146128, in Python.
    assertAlmostEquals(applyPowerLaw(7, 100, 70, 0.14612803567823798), 6.644503, 1e-6);
    assertAlmostEquals(applyPowerLaw(7, 100, 120, 0.14612803567823798), 7.189003, 1e-6);
  });

  it("gives back both speeds from which its exponent was computed", () => {
    const exponent = computeShearExponent(5, 7, LOG_TEN);
    assertAlmostEquals(applyPowerLaw(7, 100, 10, exponent), 5, 1e-12);
    assertEquals(applyPowerLaw(7, 100, 100, exponent), 7);
  });
});

describe("computeLogLawFactor()", () => {
  it("is ln(h / z0) over ln(r / z0)", () => {
    // Open sea, 10 to 70 m: ln 350,000 / ln 50,000. Farmland, 10 to 100 m: ln 3,333 / ln 333.
    assertAlmostEquals(computeLogLawFactor(10, 70, 0.0002), 1.179848, 1e-6);
    assertAlmostEquals(computeLogLawFactor(10, 100, 0.03), 1.396373, 1e-6);
    assertEquals(computeLogLawFactor(70, 70, 0.03), 1);
  });
});
