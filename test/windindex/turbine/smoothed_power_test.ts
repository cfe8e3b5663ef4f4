import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ArgumentError } from "../../../src/api/errors.ts";
import { computePowerAtDensity } from "../../../src/windindex/turbine/density_correction.ts";
import {
  type CurvePoint,
  type PowerControl,
  PowerCurve,
} from "../../../src/windindex/turbine/power_curve.ts";
import { SmoothedPower } from "../../../src/windindex/turbine/smoothed_power.ts";
import { CURVE, risingCurve, uniforms } from "../_synthetic.ts";

const controls: readonly PowerControl[] = ["pcStall", "pcPitch"];

const build = (
  powerCurve: readonly CurvePoint[],
  smoothing: number,
  powerControl: PowerControl = "pcPitch",
) => new SmoothedPower({ powerCurve, ratedPower: 2000, powerControl }, smoothing);

const points = (...pairs: [number, number][]): CurvePoint[] =>
  pairs.map(([wind_speed, power]) => ({ wind_speed, power }));

describe("golden values of the smoothed power curve", () => {
  /** P = 100 (v - 4) kW from 4 to 14 m/s, 1,000 kW from there to 25 m/s. */
  const line = points([4, 0], [14, 1000], [25, 1000]);

  it("a straight line stays a straight line: 8.25 m/s give 425 kW, spread by 1 m/s too", () => {
    // The spread of 4 x 1 m/s reaches from 4.25 to 12.25 m/s; as much is gained above as lost below.
    assertAlmostEquals(build(line, 1).powerAt(8.25, 0), 425, 1e-9);
    assertAlmostEquals(build(line, 0.5).powerAt(6.5, 0), 250, 1e-9);
  });

  it("at a bend: s / sqrt(2 pi) = 0.3989423 m/s of its change of slope", () => {
    // E[max(0, s z)] = s / sqrt(2 pi). At 4 m/s: 100 x 0.3989423; at 14 m/s as much less than 1,000 kW.
    assertAlmostEquals(build(line, 1).powerAt(4, 0), 39.8942, 0.05);
    assertAlmostEquals(build(line, 1).powerAt(14, 0), 960.1058, 0.05);
    assertAlmostEquals(build(line, 2).powerAt(4, 0), 79.7885, 0.05);
  });

  // The curve is 0 above its last point, 14 m/s. With a = 4 - v, b = 14 - v and s = 1, by tables of the normal
  // distribution: E[P(v + z)] = 100 [(v - 4) (F(b) - F(a)) + f(a) - f(b)].
  const two: [speed: number, power: number, bound: number, how: string][] = [
    [2, 0.8491, 0.05, "100 (f(2) - 2 (1 - F(2))) = 100 (0.0539910 - 2 x 0.0227501)"],
    [5, 108.3315, 0.05, "100 (F(1) + f(1)) = 100 (0.8413447 + 0.2419707)"],
    [6, 200.8491, 0.05, "100 (2 F(2) + f(2)) = 100 (1.9544997 + 0.0539910)"],
    [9, 499.9997, 0.05, "the middle, five deviations from both ends"],
    [12, 776.4008, 0.1, "100 (8 F(2) - f(2)) = 100 (7.8179989 - 0.0539910)"],
    [13, 733.0132, 0.25, "100 (9 F(1) - f(1)) = 100 (7.5721027 - 0.2419707)"],
    [14, 460.1058, 0.1, "100 (10 F(0) - f(0)) = 100 (5 - 0.3989423)"],
  ];
  for (const [speed, power, bound, how] of two) {
    it(`a curve of two points at ${speed} m/s: ${power} kW, ${how}`, () => {
      const smoothed = build(points([4, 0], [14, 1000]), 1).powerAt(speed, 0);
      assertAlmostEquals(smoothed, power, bound);
    });
  }

  it("a step: cut-out at 25 m/s takes 16 % at 24, half at 25 and 84 % at 26 m/s", () => {
    // F(1) = 0.8413, F(0) = 0.5, F(-1) = 0.1587 of 1,000 kW.
    const power = build(line, 1);
    for (const [speed, share] of [[24, 0.8413], [25, 0.5], [26, 0.1587]]) {
      assertAlmostEquals(power.powerAt(speed, 0), 1000 * share, 0.3);
    }
    assertEquals([29.5, 40].map((speed) => power.powerAt(speed, 0)), [0, 0]);
  });
});

/** The sum that defines the smoothed power, over steps of a width, at any speed and density. */
function sumOver(
  curve: readonly CurvePoint[],
  control: PowerControl,
  { smoothing, step }: { smoothing: number; step: number },
): (speed: number, logDensityRatio: number) => number {
  const sharp = new PowerCurve(curve, 2000);
  const reach = Math.ceil(4 * smoothing / step);
  return (speed, logDensityRatio) => {
    let [power, weights] = [0, 0];
    for (let j = -reach; j <= reach; j++) {
      const weight = Math.exp(-0.5 * (j * step / smoothing) ** 2);
      weights += weight;
      const nearby = speed + j * step;
      if (nearby > 0) {
        power += weight * computePowerAtDensity(sharp, control, nearby, logDensityRatio);
      }
    }
    return power / weights;
  };
}

describe("SmoothedPower", () => {
  for (const control of controls) {
    it(`equals its definition, a sum over speeds 0.1 m/s apart (${control})`, () => {
      // The whole curve is half a step off the points of its bends, so that no rounding moves one.
      const curve = CURVE.map((point) => ({ ...point, wind_speed: point.wind_speed + 0.05 }));
      for (const smoothing of [0.5, 1, 2]) {
        const power = build(curve, smoothing, control);
        const expected = sumOver(curve, control, { smoothing, step: 0.1 });
        for (let i = 0; i < 300; i += 7) {
          for (const ratio of [-0.25, -0.025, 0, 0.1]) {
            assertAlmostEquals(power.powerAt(i / 10, ratio), expected(i / 10, ratio), 1e-8);
          }
        }
      }
    });

    it(`is the mean over the spread at any speed and density below cut-out (${control})`, () => {
      // Bounds of 0.03 % of rated power, for steps of 0.1 m/s and of 2.5 % of density.
      const random = uniforms(31);
      for (const smoothing of [0.5, 1, 1.5]) {
        const power = build(CURVE, smoothing, control);
        const expected = sumOver(CURVE, control, { smoothing, step: 0.004 });
        for (let i = 0; i < 100; i++) {
          const speed = (25 - 4 * smoothing - 0.1) * random();
          const ratio = 0.3 * (random() - 0.6);
          assertAlmostEquals(power.powerAt(speed, ratio), expected(speed, ratio), 0.6);
        }
      }
    });
  }

  it("keeps the energy if all speeds occur equally often", () => {
    // From calm to storm in steps of the table; cut-in is more than four deviations above 0. Half of the step at
    // cut-out has no power.
    const sharp = build(CURVE, 0);
    const cutOut = sharp.powerAt(25, 0);
    const speeds = Array.from({ length: 351 }, (_, i) => i / 10);
    const sum = (power: SmoothedPower) =>
      speeds.reduce((total, speed) => total + power.powerAt(speed, 0), 0);
    assertAlmostEquals(sum(build(CURVE, 0.5)) / (sum(sharp) - cutOut / 2), 1, 1e-9);
  });

  it("is the unsmoothed curve at the density of each speed without smoothing", () => {
    const random = uniforms(32);
    const curve = new PowerCurve(CURVE, 2000);
    for (const control of controls) {
      const power = build(CURVE, 0, control);
      for (let i = 0; i < 200; i++) {
        const [speed, ratio] = [30 * random(), 0.4 * (random() - 0.5)];
        assertEquals(
          power.powerAt(speed, ratio),
          computePowerAtDensity(curve, control, speed, ratio),
        );
      }
    }
  });

  it("applies the density to each speed of the spread, which does not move cut-out", () => {
    const power = build(CURVE, 0.5);
    for (const ratio of [-0.2, 0, 0.1]) {
      assertAlmostEquals(power.powerAt(24, ratio), power.powerAt(24, 0), 1e-9);
    }
  });

  it("F34 keeps a missing wind and a missing density missing, also without smoothing", () => {
    for (const smoothing of [0, 1]) {
      const power = build(CURVE, smoothing);
      for (const [speed, ratio] of [[NaN, 0], [8, NaN], [0, NaN], [30, NaN], [NaN, NaN]]) {
        assertEquals(power.powerAt(speed, ratio), NaN);
      }
    }
  });

  it("never gives more power in thinner air, over 100 curves", () => {
    const random = uniforms(33);
    for (let n = 0; n < 100; n++) {
      const curve = risingCurve(random);
      for (const control of controls) {
        const power = build(curve, 0.5 + 1.5 * random(), control);
        for (let i = 0; i < 50; i++) {
          const speed = 30 * random();
          const dense = 0.35 * (random() - 0.5);
          const thin = dense - 0.2 * random();
          const [less, more] = [power.powerAt(speed, thin), power.powerAt(speed, dense)];
          assert(less <= more + 1e-9, `${control} ${speed} m/s: ${less} at ${thin}, ${more}`);
        }
      }
    }
  });

  it("stays within the curve's maximum (pitch), times the density ratio (stall)", () => {
    const ROUND = 1 + 1e-12;
    const random = uniforms(34);
    for (let n = 0; n < 100; n++) {
      const curve = risingCurve(random);
      const maximum = Math.max(...curve.map(({ power }) => power));
      const smoothing = 0.5 + 1.5 * random();
      const [stall, pitch] = controls.map((control) => build(curve, smoothing, control));
      for (let i = 0; i < 50; i++) {
        const [speed, ratio] = [35 * random(), 0.4 * (random() - 0.6)];
        const [scaled, limited] = [stall, pitch].map((power) => power.powerAt(speed, ratio));
        assert(limited >= 0 && limited <= maximum + 1e-9, `pitch ${limited} kW`);
        assert(scaled >= 0 && scaled <= maximum * Math.exp(ratio) * ROUND, `stall ${scaled} kW`);
      }
    }
  });

  it("refuses points that are not a power curve", () => {
    assertThrows(
      () => build(points([4, 0], [4, 100]), 1),
      ArgumentError,
      "Cannot use the power curve: point 2 repeats the wind speed of 4 m/s",
    );
  });
});

describe("SmoothedPower.readPowers()", () => {
  it("gives the power at each multiple of a speed, bit by bit", () => {
    const factors = Float64Array.of(0.5, 0.83, 1, 1.1, 1.5);
    const speeds = [0, 2.9, 3.05, 7.77, 11.9, 17, 24.99, 25, 40];
    for (const powerControl of controls) {
      for (const smoothing of [0, 1, 2]) {
        const curve = build(CURVE, smoothing, powerControl);
        for (const density of [-2, -0.1, 0, 0.013, 0.6]) {
          for (const speed of speeds) {
            const powers = new Float64Array(factors.length);
            curve.readPowers(speed, density, factors, powers);
            assertEquals(powers, factors.map((factor) => curve.powerAt(factor * speed, density)));
          }
        }
      }
    }
  });
});
