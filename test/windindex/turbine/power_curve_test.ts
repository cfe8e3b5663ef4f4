import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ArgumentError } from "../../../src/api/errors.ts";
import {
  type CurvePoint,
  findCurveProblem,
  PowerCurve,
} from "../../../src/windindex/turbine/power_curve.ts";
import { CURVE, uniforms } from "../_synthetic.ts";

const points = (...pairs: [number, number][]): CurvePoint[] =>
  pairs.map(([wind_speed, power]) => ({ wind_speed, power }));

/** The plain definition, without any table of bins. */
function naivePower(curve: readonly CurvePoint[], speed: number): number {
  for (let i = 0; i + 1 < curve.length; i++) {
    const [low, high] = [curve[i], curve[i + 1]];
    if (speed < low.wind_speed || speed > high.wind_speed) continue;
    const share = (speed - low.wind_speed) / (high.wind_speed - low.wind_speed);
    return low.power + share * (high.power - low.power);
  }
  return 0;
}

/** A curve with 2 to 40 points at uneven steps of 0.01 to 3 m/s, powers in any order. */
function irregularCurve(random: () => number): CurvePoint[] {
  const curve: CurvePoint[] = [];
  let speed = 4 * random();
  const count = 2 + Math.floor(39 * random());
  for (let i = 0; i < count; i++) {
    curve.push({ wind_speed: speed, power: 1 + 1999 * random() });
    speed += random() < 0.3 ? 0.01 + 0.05 * random() : 3 * random() + 0.02;
  }
  return curve;
}

describe("PowerCurve", () => {
  it("is linear between its points", () => {
    const curve = new PowerCurve(CURVE, 2000);
    // By hand: 25 + (3.8 - 3.5) / 0.75 x 65; 330 + 0.5 x 230; 1190 + 1 / 2.5 x 660.
    assertAlmostEquals(curve.powerAt(3.8), 51, 1e-9);
    assertAlmostEquals(curve.powerAt(6.5), 445, 1e-9);
    assertAlmostEquals(curve.powerAt(10), 1454, 1e-9);
  });

  it("gives each point's own power at its speed, including the first and the last", () => {
    const curve = new PowerCurve(points([3, 40], [4, 90], [6, 330], [25, 2000]), 2000);
    assertEquals([3, 4, 6, 25].map((speed) => curve.powerAt(speed)), [40, 90, 330, 2000]);
  });

  it("is zero below its first point and above its last: power is 0 above cut-out", () => {
    const curve = new PowerCurve(points([3, 40], [14, 2000], [25, 2000]), 2000);
    for (const speed of [0, 2.999999, 25.000001, 26, 40, 1e6, Infinity]) {
      assertEquals(curve.powerAt(speed), 0, `${speed} m/s`);
    }
  });

  it("F34 gives NaN for a missing wind, never zero", () => {
    const curve = new PowerCurve(CURVE, 2000);
    assertEquals(curve.powerAt(NaN), NaN);
    assertEquals(curve.powerWithin(NaN), NaN);
  });

  it("limits a speed to its ends after cut-in and cut-out were judged", () => {
    const curve = new PowerCurve(points([3, 40], [14, 2000], [25, 1900]), 2000);
    assertEquals(curve.powerWithin(2), 40);
    assertEquals(curve.powerWithin(27), 1900);
    assertAlmostEquals(curve.powerWithin(8.5), 1020, 1e-9); // half way between 40 and 2000
  });

  it("knows its ends and its largest power", () => {
    const { first, last, maximum } = new PowerCurve(points([3, 40], [14, 2010], [25, 1900]), 2000);
    assertEquals([first, last, maximum], [3, 25, 2010]);
  });

  it("agrees with a linear search, for 10,000 speeds over 100 irregular curves", () => {
    const random = uniforms(1);
    for (let n = 0; n < 100; n++) {
      const curve = irregularCurve(random);
      const prepared = new PowerCurve(curve, 2000);
      const end = curve[curve.length - 1].wind_speed;
      for (let i = 0; i < 100; i++) {
        // One in four is exactly on a point, where neighbouring segments meet.
        const speed = i % 4 === 0
          ? curve[Math.floor(random() * curve.length)].wind_speed
          : random() * (end + 2);
        assertAlmostEquals(
          prepared.powerAt(speed),
          naivePower(curve, speed),
          1e-6,
          `curve ${n}, ${speed} m/s`,
        );
      }
    }
  });

  it("looks up a curve with far more steps than its table has bins", () => {
    // One step of 0.1 mm/s next to steps of 1 m/s: the table would need 250,000 bins.
    const curve = points([0, 0], [5, 100], [5.0001, 900], [6, 1000], [25, 2000]);
    const prepared = new PowerCurve(curve, 2000);
    for (const speed of [4.9999, 5, 5.00005, 5.0001, 5.01, 24.9]) {
      assertAlmostEquals(prepared.powerAt(speed), naivePower(curve, speed), 1e-6, `${speed} m/s`);
    }
  });

  it("F34 refuses points that are not a power curve", () => {
    const make = () => new PowerCurve(points([3, 0], [3, 10]), 2000);
    assertThrows(make, ArgumentError, "Cannot use the power curve: point 2 repeats the wind speed");
  });
});

describe("findCurveProblem()", () => {
  it("accepts a curve, also one with unequal steps or that starts at 0", () => {
    assertEquals(findCurveProblem(CURVE, 2000), null);
    assertEquals(findCurveProblem(points([0, 0], [1, 5]), 2000), null);
  });

  it("accepts power of up to 1.2 times the rated power and not more", () => {
    for (const rated of [15, 225, 660, 1300, 2050, 3600, 15_000]) {
      // Written with decimals, as in a file.
      const limit = Number((rated * 1.2).toFixed(2));
      assertEquals(findCurveProblem(points([3, 0], [14, limit]), rated), null);
      assertEquals(
        findCurveProblem(points([3, 0], [14, limit + 0.01]), rated),
        `point 2 has ${
          limit + 0.01
        } kW, more than 1.2 times the rated power of ${rated} kW. Correct the power of this point, or the rated power`,
      );
    }
  });

  const faults: [string, CurvePoint[], string][] = [
    ["no points", [], "it needs at least 2 points, but has 0. Add points"],
    ["one point", points([3, 0]), "it needs at least 2 points, but has 1. Add points"],
    [
      "a speed that is NaN",
      points([3, 0], [NaN, 5]),
      "point 2 does not have two finite numbers. Correct this point, or leave it out",
    ],
    [
      "a power that is NaN",
      points([3, NaN], [4, 5]),
      "point 1 does not have two finite numbers. Correct this point, or leave it out",
    ],
    [
      "an infinite speed",
      points([3, 0], [Infinity, 5]),
      "point 2 does not have two finite numbers. Correct this point, or leave it out",
    ],
    [
      "a negative speed",
      points([-1, 0], [4, 5]),
      "point 1 has a negative wind speed of -1 m/s. Leave it out",
    ],
    [
      "a negative power",
      points([3, -2], [4, 5]),
      "point 1 has a negative power of -2 kW. Write 0 instead",
    ],
    [
      "a speed twice",
      points([3, 0], [4, 5], [4, 0]),
      "point 3 repeats the wind speed of 4 m/s. Remove one of these points",
    ],
    [
      "speeds that fall",
      points([3, 0], [5, 9], [4, 5]),
      "point 3 (4 m/s) comes after 5 m/s, but the wind speeds must increase. Sort the points by wind speed",
    ],
    [
      "no power at all",
      points([3, 0], [4, 0]),
      "no point has a power above 0. Give the power of each point in kW",
    ],
  ];
  for (const [name, curve, problem] of faults) {
    it(`F34 refuses ${name}`, () => assertEquals(findCurveProblem(curve, 2000), problem));
  }

  it("refuses texts, as a notebook may pass them", () => {
    const texts = [{ wind_speed: "3", power: "0" }, { wind_speed: "4", power: "9" }];
    assert(findCurveProblem(texts as unknown as CurvePoint[], 2000) !== null);
  });
});
