import { assertAlmostEquals, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { correlation } from "../../../src/stats/regression.ts";
import {
  computePitchExponent,
  computePowerAtDensity,
} from "../../../src/windindex/turbine/density_correction.ts";
import { computeHubConditions } from "../../../src/windindex/turbine/hub_conditions.ts";
import { computeMonthlyEnergies } from "../../../src/windindex/index/monthly_energy.ts";
import { type CurvePoint, PowerCurve } from "../../../src/windindex/turbine/power_curve.ts";
import { computeHourlyPower, computePowerAtStamps } from "../../../src/windindex/power_model.ts";
import { computeSiteClimate } from "../../../src/windindex/climate/site_climate.ts";
import { hours, point, TURBINE } from "../_synthetic.ts";

// Golden values, second part: hub to energy. See golden_values_test.ts; k is in golden_calibration_test.ts.

const points = (...pairs: [number, number][]): CurvePoint[] =>
  pairs.map(([wind_speed, power]) => ({ wind_speed, power }));

/** P = 100 (v - 4) kW from 4 to 14 m/s, 1,000 kW from there to 25 m/s. */
const LINEAR = points([4, 0], [14, 1000], [25, 1000]);
const turbine = { ...TURBINE, ratedPower: 1000, powerCurve: LINEAR };

describe("golden values of the power curve", () => {
  const curve = new PowerCurve(points([3.5, 20], [5, 140], [8, 620], [13, 1000], [25, 990]), 1000);
  const cases: [number, number, string][] = [
    [3.49, 0, "below the first point"],
    [3.5, 20, "at the first point"],
    [4.1, 68, "20 + 0.6 / 1.5 x 120"],
    [5, 140, "at a point"],
    [7, 460, "140 + 2 / 3 x 480"],
    [10.5, 810, "620 + 2.5 / 5 x 380"],
    [13, 1000, "at a point"],
    [19, 995, "1000 - 6 / 12 x 10"],
    [25, 990, "at the last point"],
    [25.01, 0, "above the last point"],
  ];
  for (const [speed, power, how] of cases) {
    it(`${speed} m/s: ${power} kW, ${how}`, () => {
      assertAlmostEquals(curve.powerAt(speed), power, 1e-9);
    });
  }
});

describe("golden values of the density correction", () => {
  const curve = new PowerCurve(LINEAR, 1000);
  const [thin, dense] = [Math.log(0.9), Math.log(1.1)]; // 1.1025 and 1.3475 kg/m3

  it("exponents: 1/3 at 7.5, 1/2 at 10 and 2/3 at 12.5 m/s", () => {
    assertEquals(computePitchExponent(7.5), 1 / 3);
    assertAlmostEquals(computePitchExponent(10), 0.5, 1e-12); // 10 / 15 - 1 / 6 = 20 / 30 - 5 / 30
    assertEquals(computePitchExponent(12.5), 2 / 3);
  });

  // ln 0.9 = -0.1053605. Power is 100 (v_eq - 4).
  const pitch: [number, number, string][] = [
    [6, 179.293631, "6 x 0.9^(1/3) = 6 x 0.9654894 = 5.7929363"],
    [7.5, 324.117038, "7.5 x 0.9654894 = 7.2411704"],
    [9, 459.833306, "q = 9 / 15 - 1 / 6 = 13 / 30; 9 x 0.9^(13/30) = 9 x 0.9553703 = 8.5983331"],
    [10, 548.683298, "10 x 0.9^(1/2) = 10 x 0.9486833 = 9.4868330"],
    [12.5, 765.212190, "12.5 x 0.9^(2/3) = 12.5 x 0.9321698 = 11.6521219"],
    [13, 811.820677, "13 x 0.9321698 = 12.1182068"],
    [20, 1000, "20 x 0.9321698 = 18.643395: rated"],
  ];
  for (const [speed, power, how] of pitch) {
    it(`pitch, ${speed} m/s at 0.9 of the density: ${power} kW, ${how}`, () => {
      assertAlmostEquals(computePowerAtDensity(curve, "pcPitch", speed, thin), power, 1e-6);
    });
  }

  it("stall, 9 m/s: 450 kW at 0.9 of the density, 550 at 1.1; 20 m/s: 1,100 kW at 1.1", () => {
    // 100 (9 - 4) = 500 kW x 0.9, x 1.1; 1,000 kW x 1.1
    assertAlmostEquals(computePowerAtDensity(curve, "pcStall", 9, thin), 450, 1e-9);
    assertAlmostEquals(computePowerAtDensity(curve, "pcStall", 9, dense), 550, 1e-9);
    assertAlmostEquals(computePowerAtDensity(curve, "pcStall", 20, dense), 1100, 1e-9);
  });

  it("cut-in and cut-out are judged on v', whatever v_eq is", () => {
    const early = new PowerCurve(points([4, 50], [14, 1000], [25, 1000]), 1000);
    const power = (speed: number, ratio: number) =>
      computePowerAtDensity(early, "pcPitch", speed, ratio);
    assertEquals(power(3.9, dense), 0); // v_eq = 3.9 x 1.1^(1/3) = 4.0259, above cut-in
    assertEquals(power(4.05, thin), 50); // v_eq = 4.05 x 0.9^(1/3) = 3.9102, below: first point
    assertEquals(power(24.5, dense), 1000); // v_eq = 24.5 x 1.1^(2/3) = 26.1073, above cut-out
    assertEquals(power(25.2, thin), 0); // v_eq = 25.2 x 0.9^(2/3) = 23.4907, below
  });
});

describe("golden values of energy", () => {
  it("the hour is the mean of the power at both instants, not the power of the mean wind", () => {
    // 5, 15 and 9 m/s: 100, 1,000 (rated) and 500 kW. (100 + 1,000) / 2 = 550, (1,000 + 500) / 2 = 750.
    // The mean wind of the first hour, 10 m/s, would give 600.
    const power = computePowerAtStamps(turbine, Float64Array.of(5, 15, 9), new Float64Array(3), 0);
    assertEquals(power, Float64Array.of(100, 1000, 500));
    assertEquals(computeHourlyPower(power, "instant"), Float64Array.of(550, 750, NaN));
  });

  it("a month with 12 of 672 hours missing: 91,636.36 kWh", () => {
    // 600 h of 100 kW and 60 h of 500 kW: 60,000 + 30,000 = 90,000 kWh in 660 h, 660 / 672 = 98.21 %
    // 90,000 x 672 / 660 = 91,636.3636
    const axis = hours("2019-02-01T00:00Z", "2019-03-01T00:00Z");
    const power = new Float64Array(672).fill(100, 0, 600).fill(500, 600, 660).fill(NaN, 660);
    const [february] = computeMonthlyEnergies(power, axis, "UTC");
    assertEquals([february.hours, february.validHours], [672, 660]);
    assertAlmostEquals(february.completeness, 0.982143, 1e-6);
    assertAlmostEquals(february.energy!, 91_636.3636, 1e-3);
    // With 14 missing 658 / 672 = 97.92 %.
    assertEquals(computeMonthlyEnergies(power.fill(NaN, 658), axis, "UTC")[0].energy, null);
  });

  it("from climate to power: 208.594 kW (pitch), 208.515 kW (stall)", () => {
    // (3.6, 4.8) is 6 m/s at 50 m, (4.32, 5.76) is 7.2 m/s at 100 m: 6.789563 m/s at 80 m
    // (golden_values_test.ts); k = 0.9: v' = 6.110607 m/s. Hub at 140 + 80 = 220 m: density ratio
    // 0.9879387 (there). Pitch: 0.9879387^(1/3) = 0.9959633, v_eq = 6.085940, 100 x 2.085940.
    // Stall: 100 x 2.110607 x 0.9879387.
    const one = point(55.5, 7.75, [], [], {
      elevation: 12,
      axis: { start: 0, length: 1 },
      levels: [
        { height: 50, u: Float64Array.of(3.6), v: Float64Array.of(4.8) },
        { height: 100, u: Float64Array.of(4.32), v: Float64Array.of(5.76) },
      ],
      temperature: Float64Array.of(8),
      pressure: Float64Array.of(100_500),
      relativeHumidity: Float64Array.of(80),
    });
    const site = computeSiteClimate([one], { latitude: 55.5, longitude: 7.75 });
    const hub = computeHubConditions(site, { elevation: 140, hubHeight: 80 });
    const speed = hub.windSpeed.map((wind) => 0.9 * wind);
    const power = (powerControl: "pcPitch" | "pcStall") =>
      computePowerAtStamps({ ...turbine, powerControl }, speed, hub.logDensityRatio, 0)[0];
    assertAlmostEquals(power("pcPitch"), 208.594006, 1e-5);
    assertAlmostEquals(power("pcStall"), 208.515012, 1e-5);
  });
});

describe("golden value of the correlation", () => {
  it("correlation of 1, 2, 3, 4 with 2, 1, 4, 3: 0.6", () => {
    // Deviations -1.5, -0.5, 0.5, 1.5 and -0.5, -1.5, 1.5, 0.5: products 0.75 + 0.75 + 0.75 + 0.75 = 3,
    // squares 5 and 5; 3 / sqrt(25).
    assertAlmostEquals(correlation([1, 2, 3, 4], [2, 1, 4, 3]), 0.6, 1e-12);
  });
});
