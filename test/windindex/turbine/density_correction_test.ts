import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  computeLogDensityRatio,
  computePitchExponent,
  computePowerAtDensity,
} from "../../../src/windindex/turbine/density_correction.ts";
import { PowerCurve } from "../../../src/windindex/turbine/power_curve.ts";
import { CURVE, risingCurve, uniforms } from "../_synthetic.ts";

const curve = new PowerCurve(CURVE, 2000);
const controls = ["pcStall", "pcPitch"] as const;
const power = (control: typeof controls[number], speed: number, density: number): number =>
  computePowerAtDensity(curve, control, speed, computeLogDensityRatio(density));

describe("computePitchExponent()", () => {
  it("is 1/3 up to 7.5 m/s, 2/3 from 12.5 m/s, and v/15 - 1/6 between", () => {
    for (const speed of [0, 3, 7.5]) assertEquals(computePitchExponent(speed), 1 / 3);
    for (const speed of [12.5, 13, 25]) assertEquals(computePitchExponent(speed), 2 / 3);
    assertAlmostEquals(computePitchExponent(10), 0.5, 1e-12); // 10/15 - 1/6
    assertAlmostEquals(computePitchExponent(9), 13 / 30, 1e-12); // 18/30 - 5/30
    assertAlmostEquals(computePitchExponent(12.2), 97 / 150, 1e-12); // 122/150 - 25/150
  });

  it("has no step at 7.5 and 12.5 m/s", () => {
    for (const knot of [7.5, 12.5]) {
      assertAlmostEquals(
        computePitchExponent(knot - 1e-9),
        computePitchExponent(knot + 1e-9),
        1e-9,
      );
    }
  });
});

describe("computePowerAtDensity()", () => {
  it("gives the curve unchanged at 1.225 kg/m3", () => {
    for (const control of controls) {
      for (const speed of [3, 5, 10, 13.7, 25]) {
        assertAlmostEquals(power(control, speed, 1.225), curve.powerAt(speed), 1e-9);
      }
    }
  });

  it("scales power with stall control", () => {
    // 6.5 m/s gives 445 kW: x 1.1025 / 1.225 = 0.9
    assertAlmostEquals(power("pcStall", 6.5, 1.1025), 400.5, 1e-9);
    assertAlmostEquals(power("pcStall", 20, 1.3475), 2200, 1e-9);
  });

  it("scales speed with pitch control: by the power 1/3, 1/2 and 2/3 of the density", () => {
    // At 0.9 x 1.225: 6.5 x 0.9^(1/3) = 6.275681, 330 + 0.275681 x 230 (Python)
    assertAlmostEquals(power("pcPitch", 6.5, 1.1025), 393.406630, 1e-5);
    // 10 x 0.9^(1/2) = 9.486833, 1190 + 0.486833 / 2.5 x 660
    assertAlmostEquals(power("pcPitch", 10, 1.1025), 1318.523907, 1e-5);
    // 12.6 x 0.9^(2/3) = 11.745339, 1850 + 0.245339 / 1.5 x 140
    assertAlmostEquals(power("pcPitch", 12.6, 1.1025), 1872.898295, 1e-5);
  });

  it("judges cut-in on the wind speed, not on the equivalent speed", () => {
    const early = new PowerCurve([
      { wind_speed: 3, power: 50 },
      { wind_speed: 14, power: 2000 },
      { wind_speed: 25, power: 2000 },
    ], 2000);
    // 2.98 m/s in dense air is 3.06 m/s to the curve, 3.02 m/s in thin air 2.9 m/s.
    assertEquals(computePowerAtDensity(early, "pcPitch", 2.98, Math.log(1.1)), 0);
    assertEquals(computePowerAtDensity(early, "pcPitch", 3.02, Math.log(0.9)), 50);
    assertEquals(computePowerAtDensity(early, "pcStall", 2.98, Math.log(1.1)), 0);
  });

  it("judges cut-out on the wind speed, not on the equivalent speed", () => {
    // 24.9 m/s in cold air is 26.5 m/s to the curve, 25.1 m/s in thin air 23.4 m/s.
    assertEquals(power("pcPitch", 24.9, 1.3475), 2000);
    assertEquals(power("pcPitch", 25.1, 1.1025), 0);
    assertEquals(power("pcStall", 25.1, 1.1025), 0);
  });

  it("judges cut-out on the wind speed also if the curve ends in a point of 0 kW", () => {
    // Many libraries end a curve like this. 24.5 m/s in cold air (1.29 kg/m3) is 25.4 m/s to the curve, which must not
    // stop the turbine in the middle of a winter storm.
    const closed = new PowerCurve([
      { wind_speed: 3, power: 0 },
      { wind_speed: 14, power: 2000 },
      { wind_speed: 25, power: 2000 },
      { wind_speed: 25.01, power: 0 },
    ], 2000);
    assertAlmostEquals(
      computePowerAtDensity(closed, "pcPitch", 24.5, Math.log(1.29 / 1.225)),
      2000,
      1e-9,
    );
  });

  it("follows the curve down to its point of 0 kW, whatever the density", () => {
    const closed = new PowerCurve([
      { wind_speed: 3, power: 0 },
      { wind_speed: 25, power: 2000 },
      { wind_speed: 26, power: 0 },
    ], 2000);
    for (const ratio of [0.8, 1, 1.1]) {
      assertAlmostEquals(
        computePowerAtDensity(closed, "pcPitch", 25.5, Math.log(ratio)),
        1000,
        1e-9,
      );
    }
  });

  it("F34 keeps a missing wind and a missing density missing", () => {
    for (const control of controls) {
      assertEquals(computePowerAtDensity(curve, control, NaN, 0), NaN);
      assertEquals(computePowerAtDensity(curve, control, 8, NaN), NaN);
      // Also in a calm: an unknown value stays unknown.
      assertEquals(computePowerAtDensity(curve, control, 1, NaN), NaN);
    }
  });

  it("F34 never gives more power in thinner air on the way down in storms either", () => {
    // From 2,000 kW at 22 m/s down to 400 kW at 28 m/s: 1,466.67 kW at 24 m/s whatever the density.
    const storm = new PowerCurve([
      { wind_speed: 3, power: 0 },
      { wind_speed: 13, power: 2000 },
      { wind_speed: 22, power: 2000 },
      { wind_speed: 28, power: 400 },
    ], 2000);
    for (const density of [1, 1.1, 1.225, 1.3]) {
      const power = computePowerAtDensity(storm, "pcPitch", 24, computeLogDensityRatio(density));
      assertAlmostEquals(power, 2000 - 1600 * 2 / 6, 1e-9);
    }
    assertEquals(computePowerAtDensity(storm, "pcPitch", 21.9, computeLogDensityRatio(1.3)), 2000);
  });

  it("F34 never gives more power in thinner air between cut-in and cut-out, over 200 curves", () => {
    const random = uniforms(3);
    for (let n = 0; n < 200; n++) {
      const curve = new PowerCurve(risingCurve(random), 2000);
      for (let i = 0; i < 100; i++) {
        const speed = curve.first + random() * (curve.last - curve.first);
        const dense = 0.9 + 0.5 * random();
        const thin = dense * (0.8 + 0.2 * random());
        for (const control of controls) {
          const [less, more] = [thin, dense]
            .map((density) =>
              computePowerAtDensity(curve, control, speed, computeLogDensityRatio(density))
            );
          assert(less <= more + 1e-9, `${control} ${speed} m/s: ${less} at ${thin}, ${more}`);
        }
      }
    }
  });

  it("F34 stays within the curve's maximum (pitch), times the density ratio (stall)", () => {
    const random = uniforms(4);
    for (let n = 0; n < 200; n++) {
      const curve = new PowerCurve(risingCurve(random), 2000);
      for (let i = 0; i < 100; i++) {
        const density = 0.9 + 0.5 * random();
        const [stall, pitch] = controls
          .map((control) =>
            computePowerAtDensity(curve, control, 35 * random(), computeLogDensityRatio(density))
          );
        assert(pitch >= 0 && pitch <= curve.maximum, `pitch ${pitch} kW at ${density} kg/m3`);
        assert(stall >= 0 && stall <= curve.maximum * density / 1.225 + 1e-9, `stall ${stall} kW`);
      }
    }
  });
});

describe("computeLogDensityRatio()", () => {
  it("is 0 at 1.225 kg/m3 and the logarithm of the ratio elsewhere", () => {
    assertEquals(computeLogDensityRatio(1.225), 0);
    assertAlmostEquals(computeLogDensityRatio(1.1025), -0.1053605, 1e-7); // ln 0.9
  });
});
