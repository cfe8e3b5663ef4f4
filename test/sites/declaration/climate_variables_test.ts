import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  convertVariable,
  era5Variables,
  isClimateVariable,
  listClimateUnits,
  readClimateUnit,
} from "../../../src/sites/declaration/climate_variables.ts";

/** A value in each unit, and in the engine's unit. */
const conversions: readonly [string, string, number, number][] = [
  ["wind_speed_100", "m/s", 10, 10],
  ["wind_speed_100", "m s**-1", 10, 10],
  ["wind_speed_100", "km/h", 36, 10],
  ["wind_speed_10", "knots", 3600 / 1852, 1],
  ["wind_u_10", "km/h", -36, -10],
  ["wind_v_123.5", "m/s", -3, -3],
  ["wind_direction_10", "deg", 360, 360],
  ["temperature", "degC", -5, -5],
  ["temperature", "K", 273.15, 0],
  ["dew_point", "K", 283.15, 10],
  ["pressure", "Pa", 101_325, 101_325],
  ["pressure", "hPa", 1013.25, 101_325],
  ["wind_speed_100", "kn", 3600 / 1852, 1],
  ["wind_speed_100", "mph", 3600 / 1609.344, 1],
  ["wind_direction_100", "rad", Math.PI, 180],
  ["temperature", "degF", 50, 10],
  ["temperature", "°C", 10, 10],
  ["pressure", "mbar", 1013.25, 101_325],
  ["pressure", "mmHg", 760, 101_324.72],
  ["relative_humidity", "%", 50, 50],
  ["relative_humidity", "1", 0.5, 50],
  ["preliminary", "1", 1, 1],
];

describe("convertVariable()", () => {
  for (const [name, unit, value, expected] of conversions) {
    it(`converts ${name} from ${unit}`, () => {
      const { values, implausible } = convertVariable(name, [value], unit);
      assertEquals(implausible, undefined);
      assertAlmostEquals(values[0], expected, 1e-9);
    });
  }

  it("accepts each unit that it lists", () => {
    for (const [name, unit] of conversions) {
      const known = readClimateUnit(name, unit) ?? "none";
      assert(listClimateUnits(name).includes(known), unit);
    }
  });

  const engineUnits: Readonly<Record<string, string>> = {
    wind_speed_10: "m/s",
    wind_u_10: "m/s",
    wind_direction_10: "deg",
    temperature: "degC",
    dew_point: "degC",
    pressure: "Pa",
    relative_humidity: "%",
  };
  for (const [name, unit] of Object.entries(engineUnits)) {
    it(`reads ${name} without a unit as ${unit}`, () => {
      const value = name === "pressure" ? 100_000 : 40;
      assertEquals([...convertVariable(name, [value]).values], [value]);
      const { implausible } = convertVariable(name, [1e9]);
      assertEquals(implausible?.unit, unit);
    });
  }

  it("keeps missing values missing", () => {
    const { values, implausible } = convertVariable("temperature", [NaN, 280], "K");
    assertEquals(implausible, undefined);
    assert(Number.isNaN(values[0]));
  });

  it("finds the first implausible value, in the engine's unit", () => {
    const { implausible } = convertVariable("temperature", [280, 10, 11], "K");
    assertEquals(implausible, {
      row: 1,
      value: 10 - 273.15,
      range: [-90, 60],
      unit: "degC",
      likely: [],
    });
  });

  it("finds negative wind speeds and directions beyond the circle", () => {
    assertEquals(convertVariable("wind_speed_10", [5, -0.1]).implausible?.row, 1);
    assertEquals(convertVariable("wind_direction_10", [362]).implausible?.row, 0);
    assertEquals(convertVariable("wind_u_10", [-30]).implausible, undefined);
  });
});

describe("isClimateVariable()", () => {
  it("knows the variables at any height, and no others", () => {
    for (const name of ["wind_speed_10", "wind_direction_97.5", "wind_u_100", "pressure"]) {
      assert(isClimateVariable(name), name);
    }
    for (const name of ["wind_speed", "wind_speed_", "wSpeed.10", "temperature_2", "", "power"]) {
      assert(!isClimateVariable(name), name);
    }
  });

  it("knows the variables of the Climate Data Store's files", () => {
    for (const name of Object.values(era5Variables)) assert(isClimateVariable(name), name);
  });
});
