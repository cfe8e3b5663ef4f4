import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  computeAirDensity,
  computeHumidity,
  computePressureAtHeight,
  computeStandardAtmosphere,
} from "../../../src/windindex/climate/climate.ts";

describe("computeAirDensity()", () => {
  it("is 1.225 kg/m3 for dry air at 15 degC and 101,325 Pa", () => {
    assertAlmostEquals(computeAirDensity(15, 101_325, 0), 1.225, 5e-5);
  });

  it("follows the ideal gas law if the air is dry", () => {
    // p / (287.05 T) with a pocket calculator: 273.15 K and 308.15 K.
    assertAlmostEquals(computeAirDensity(0, 101_325, 0), 1.29228, 1e-5);
    assertAlmostEquals(computeAirDensity(35, 101_325, 0), 1.14550, 1e-5);
    // 1,500 m in the standard atmosphere: 278.4 K and 84,556 Pa; 1.0581 in ISO 2533.
    assertAlmostEquals(computeAirDensity(5.25, 84_556, 0), 1.05808, 1e-5);
  });

  it("takes 50 % humidity if none is known", () => {
    // The formula of IEC 61400-12-1, computed in Python.
    assertAlmostEquals(computeAirDensity(15, 101_325), 1.221231, 1e-6);
    assertAlmostEquals(computeAirDensity(35, 101_325), 1.132992, 1e-6);
    assertEquals(computeAirDensity(15, 101_325), computeAirDensity(15, 101_325, 0.5));
  });

  it("falls with humidity, more so in warm air", () => {
    const loss = (degC: number) =>
      computeAirDensity(degC, 101_325, 0) - computeAirDensity(degC, 101_325, 1);
    assert(loss(0) > 0);
    assert(loss(35) > 5 * loss(0));
  });

  it("F34 is NaN if temperature or pressure is missing", () => {
    assertEquals(computeAirDensity(NaN, 101_325), NaN);
    assertEquals(computeAirDensity(15, NaN), NaN);
  });
});

describe("computePressureAtHeight()", () => {
  it("falls by 1,194 Pa over the first 100 m at 15 degC", () => {
    // 101,325 exp(-9.80665 x 100 / (287.05 x 288.15)), computed in Python.
    assertAlmostEquals(computePressureAtHeight(101_325, 100, 15), 100_130.767, 0.001);
  });

  it("rises downwards, and returns to the same value upwards", () => {
    const below = computePressureAtHeight(90_000, -300, 5);
    assert(below > 90_000);
    assertAlmostEquals(computePressureAtHeight(below, 300, 5), 90_000, 1e-6);
  });

  it("is the same pressure at the same height", () => {
    assertEquals(computePressureAtHeight(98_765, 0, 11), 98_765);
  });
});

describe("computeStandardAtmosphere()", () => {
  // Tables of ISO 2533: geopotential altitude, temperature, pressure, density.
  const table: [number, number, number, number][] = [
    [0, 15, 101_325, 1.225],
    [1000, 8.5, 89_874.6, 1.11164],
    [1500, 5.25, 84_556, 1.05807],
  ];
  for (const [elevation, temperature, pressure, density] of table) {
    it(`agrees with the table of ISO 2533 at ${elevation} m`, () => {
      const atmosphere = computeStandardAtmosphere(elevation);
      assertAlmostEquals(atmosphere.temperature, temperature, 1e-9);
      // The gas constant of IEC 61400-12-1 (287.05) is rounded; ISO 2533 has 287.05287.
      assertAlmostEquals(atmosphere.pressure, pressure, 0.5);
      assertAlmostEquals(
        computeAirDensity(atmosphere.temperature, atmosphere.pressure, 0),
        density,
        2e-5,
      );
    });
  }
});

describe("computeHumidity()", () => {
  it("is 52.6 % at 20 degC with a dew point of 10 degC", () => {
    // Magnus formula in Python. Psychrometric tables: 12.27 hPa over 23.37 hPa, 52.5 %.
    assertAlmostEquals(computeHumidity(20, 10), 0.525608, 1e-6);
  });

  it("is saturation at the dew point, and no more if rounding lifts the dew point above it", () => {
    assertEquals(computeHumidity(7, 7), 1);
    assertEquals(computeHumidity(7, 7.02), 1);
  });

  it("F34 is NaN if one of the two is missing", () => {
    assertEquals(computeHumidity(NaN, 5), NaN);
    assertEquals(computeHumidity(5, NaN), NaN);
  });
});
