import { assert, assertAlmostEquals, assertEquals, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { computeHubConditions } from "../../../src/windindex/turbine/hub_conditions.ts";
import type { SiteClimate } from "../../../src/windindex/climate/site_climate.ts";

const turbine = { elevation: 100, hubHeight: 70 };

/** Three hours at a site: by default 5 m/s at 10 m and 7 m/s at 100 m, nothing else. */
function site(more: Partial<SiteClimate> = {}): SiteClimate {
  return {
    axis: { start: 0, length: 3 },
    stamp: "instant",
    levels: [
      { height: 10, speed: Float64Array.of(5, 2, 0.2), direction: new Float64Array(3) },
      { height: 100, speed: Float64Array.of(7, 10, 6), direction: Float64Array.of(10, 20, 30) },
    ],
    elevation: 0,
    distance: 0,
    notes: ["from above"],
    ...more,
  };
}

const single = (speed: number): Partial<SiteClimate> => ({
  levels: [{
    height: 10,
    speed: new Float64Array(3).fill(speed),
    direction: new Float64Array(3),
  }],
});

describe("computeHubConditions()", () => {
  it("converts wind by the hourly exponent, clipped and guarded in calms", () => {
    const { windSpeed } = computeHubConditions(site(), turbine);
    assertAlmostEquals(windSpeed[0], 6.644503, 1e-6); // 7 x 0.7 ^ 0.146128 (Python)
    assertAlmostEquals(windSpeed[1], 8.073444, 1e-6); // exponent 0.699 limited to 0.6: 10 x 0.7 ^ 0.6
    assertAlmostEquals(windSpeed[2], 5.701937, 1e-6); // 0.2 m/s is a calm: 6 x 0.7 ^ (1/7)
  });

  it("gives the upper speed at the upper height", () => {
    const { windSpeed } = computeHubConditions(site(), { elevation: 0, hubHeight: 100 });
    [7, 10, 6].forEach((speed, i) => assertAlmostEquals(windSpeed[i], speed, 1e-12));
  });

  it("takes the exponent 1/7 with one height if none is declared, and notes it", () => {
    const { windSpeed, notes } = computeHubConditions(site(single(5)), turbine);
    assertAlmostEquals(windSpeed[0], 6.602346, 1e-6); // 5 x 7 ^ (1/7)
    assertEquals(
      notes[1],
      "Wind from 10 m to hub height by the power law with the exponent 0.143.",
    );
  });

  it("takes a declared exponent or roughness with one height", () => {
    const steep = computeHubConditions(site(single(5)), turbine, { exponent: 0.2 });
    assertAlmostEquals(steep.windSpeed[0], 7.378866, 1e-6); // 5 x 7 ^ 0.2
    const sea = computeHubConditions(site(single(5)), turbine, { roughness: 0.0002 });
    assertAlmostEquals(sea.windSpeed[0], 5.899238, 1e-6); // 5 x ln 350,000 / ln 50,000
    assertStringIncludes(sea.notes[1], "log law with the roughness 0.0002 m");
  });

  it("converts pressure from the climate's elevation to the hub's", () => {
    const { airDensity, notes } = computeHubConditions(
      site({
        temperature: new Float64Array(3).fill(10),
        pressure: new Float64Array(3).fill(100_000),
        relativeHumidity: new Float64Array(3),
      }),
      turbine,
    );
    // 170 m up at 10 degC: 97,969.752 Pa; dry: over 287.05 x 283.15 (Python).
    assertAlmostEquals(airDensity[0], 1.205363, 1e-6);
    assertStringIncludes(notes[2], "corrected to hub height");
  });

  it("takes 50 % humidity if it is unknown, for a series and for an hour", () => {
    const air = {
      temperature: new Float64Array(3).fill(15),
      pressure: new Float64Array(3).fill(101_325),
      elevation: 170,
    };
    const without = computeHubConditions(site(air), turbine);
    assertAlmostEquals(without.airDensity[0], 1.221231, 1e-6); // IEC 61400-12-1 in Python
    assertStringIncludes(without.notes[2], "Relative humidity is unknown; 50 % is assumed.");
    const relativeHumidity = Float64Array.of(50, NaN, 100);
    const gap = computeHubConditions(site({ ...air, relativeHumidity }), turbine);
    assertAlmostEquals(gap.airDensity[0], gap.airDensity[1], 1e-12);
    assert(gap.airDensity[2] < gap.airDensity[1]);
  });

  it("takes the turbine's elevation if the climate's is unknown, and notes it", () => {
    const air = {
      temperature: new Float64Array(3).fill(10),
      pressure: new Float64Array(3).fill(100_000),
      relativeHumidity: new Float64Array(3),
    };
    const { airDensity, notes } = computeHubConditions(site({ ...air, elevation: null }), turbine);
    // Only the 70 m of the hub: 100,000 exp(-9.80665 x 70 / (287.05 x 283.15)) Pa (Python).
    assertAlmostEquals(airDensity[0], 1.219995, 1e-6);
    assertStringIncludes(notes[2], "Elevation of the climate points is unknown");
  });

  it("takes the standard atmosphere if temperature or pressure is unknown, and notes it", () => {
    const high = { elevation: 1430, hubHeight: 70 };
    const { airDensity, temperature, notes } = computeHubConditions(site(), high);
    // 1,500 m of ISO 2533: 5.25 degC, 84,556 Pa; with 50 % humidity 1.055962 (Python).
    assertAlmostEquals(airDensity[2], 1.055962, 1e-5);
    assertEquals(temperature, new Float64Array(3).fill(NaN));
    assertStringIncludes(notes[2], "No temperature and pressure in the climate data");
    assertStringIncludes(notes[2], "1.056 kg/m3");
    const warm = computeHubConditions(site({ temperature: new Float64Array(3).fill(30) }), high);
    assertEquals(warm.airDensity, airDensity);
    assertEquals(warm.temperature[0], 30);
    assertStringIncludes(warm.notes[2], "No air pressure in the climate data");
    const pressed = computeHubConditions(site({ pressure: new Float64Array(3).fill(9e4) }), high);
    assertStringIncludes(pressed.notes[2], "No temperature in the climate data");
  });

  it("F34 keeps missing wind, temperature and pressure missing", () => {
    const { windSpeed, airDensity, logDensityRatio } = computeHubConditions(
      site({
        levels: [
          { height: 10, speed: Float64Array.of(NaN, 5, 5), direction: new Float64Array(3) },
          { height: 100, speed: Float64Array.of(7, NaN, 7), direction: new Float64Array(3) },
        ],
        temperature: Float64Array.of(10, NaN, 10),
        pressure: Float64Array.of(1e5, 1e5, NaN),
      }),
      turbine,
    );
    assertEquals([...windSpeed].map(Number.isNaN), [true, true, false]);
    assertEquals([...airDensity].map(Number.isNaN), [false, true, true]);
    assertEquals([...logDensityRatio].map(Number.isNaN), [false, true, true]);
  });

  it("gives the logarithm of the density over 1.225 kg/m3", () => {
    const { airDensity, logDensityRatio } = computeHubConditions(site(), turbine);
    assertAlmostEquals(1.225 * Math.exp(logDensityRatio[0]), airDensity[0], 1e-12);
  });

  it("F34 takes the direction of a height whose wind it uses: it is missing only if the wind is", () => {
    const { levels } = site();
    const above = {
      height: 200,
      speed: Float64Array.of(9, NaN, 9),
      direction: Float64Array.of(1, NaN, 3),
    };
    const { windDirection, windSpeed } = computeHubConditions(
      site({ levels: [...levels, above] }),
      turbine,
    );
    assertEquals(windDirection, Float64Array.of(10, 20, 30));
    assert(windSpeed.every((speed) => speed > 0));
  });

  it("passes on hours, timestamps, direction, flags and notes", () => {
    const preliminary = Uint8Array.of(0, 0, 1);
    const hub = computeHubConditions(site({ preliminary, stamp: "start" }), turbine);
    assertEquals([hub.axis, hub.stamp], [{ start: 0, length: 3 }, "start"]);
    assertEquals(hub.windDirection, Float64Array.of(10, 20, 30));
    assertEquals(hub.preliminary, preliminary);
    assertEquals(hub.notes[0], "from above");
    assertEquals(computeHubConditions(site(), turbine).preliminary, undefined);
  });
});
