import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ArgumentError } from "../../../src/api/errors.ts";
import { parametricPowerCurve } from "../../../src/sites/power_curves/parametric_power_curve.ts";
import { findCurveProblem, PowerCurve } from "../../../src/windindex/turbine/power_curve.ts";

const CURVES = new URL("../../../../shared/data/power_curves.csv", import.meta.url);

/** Reads the manufacturer's points of a model. */
function readCurve(model: string) {
  return Deno.readTextFileSync(CURVES).split("\n").map((line) => line.split(","))
    .filter(([name]) => name === model)
    .map(([, speed, power]) => ({ wind_speed: Number(speed), power: Number(power) }));
}

/** Computes the mean power for Rayleigh-distributed wind speeds, kW. */
function computeMeanPower(curve: PowerCurve, meanSpeed: number): number {
  const scale = meanSpeed * 2 / Math.sqrt(Math.PI);
  const step = 0.05;
  return Array.from({ length: 600 }, (_, i) => (i + 0.5) * step).reduce((sum, speed) => {
    const share = 2 * speed / scale ** 2 * Math.exp(-((speed / scale) ** 2));
    return sum + share * curve.powerAt(speed) * step;
  }, 0);
}

describe("parametricPowerCurve()", () => {
  it("is half the air density times area, cubed speed and power coefficient while nothing limits the rotor", () => {
    const curve = parametricPowerCurve({
      ratedPower: 2050,
      rotorDiameter: 92,
      turbulenceIntensity: 0,
    });
    // 0.6125 x 6,647.6 m2 x 512 m3/s3 = 2,084.7 kW in the wind; Cp 0.22 x 9.6 x exp(-1.52083) = 0.46154; losses 0.91844
    assertAlmostEquals(curve.find((point) => point.wind_speed === 8)!.power, 883.7, 0.1);
  });

  it("has valid points that never fall from cut-in to cut-out, for any turbine", () => {
    for (const rotorDiameter of [44, 92, 164, 236]) {
      for (const specific of [180, 300, 500]) {
        const ratedPower = specific * Math.PI * rotorDiameter ** 2 / 4000;
        const curve = parametricPowerCurve({ ratedPower, rotorDiameter, cutIn: 3.5, cutOut: 27.2 });
        assertEquals(findCurveProblem(curve, ratedPower), null);
        assertEquals([curve[0].wind_speed, curve.at(-1)!.wind_speed], [3.5, 27.2]);
        assert(curve.every(({ power }, i) => i === 0 || power >= curve[i - 1].power - 1e-9));
      }
    }
  });

  it("M2: has each wind speed once, with significant digits, for any cut-in and cut-out", () => {
    for (let tenths = 20; tenths <= 60; tenths++) {
      for (const cutOut of [tenths / 10 + 15, 20.1, 22.2, 25, 27.7, 34]) {
        const cutIn = tenths / 10;
        const curve = parametricPowerCurve({ ratedPower: 800, rotorDiameter: 48, cutIn, cutOut });
        assertEquals(findCurveProblem(curve, 800), null, `${cutIn} to ${cutOut}`);
        assertEquals([curve[0].wind_speed, curve.at(-1)!.wind_speed], [cutIn, cutOut]);
        for (const { wind_speed, power } of curve.slice(0, -1)) {
          assert(String(wind_speed).length <= 4, `${wind_speed}`);
          assert(String(power).length <= 7, `${power}`);
        }
      }
    }
  });

  it("M2: keeps the rated power until cut-out, because a pitched rotor does not stall", () => {
    for (const [rotorDiameter, specific, cutOut] of [[20, 900, 34], [20, 700, 30], [13, 83, 25]]) {
      const ratedPower = specific * Math.PI * rotorDiameter ** 2 / 4000;
      const curve = parametricPowerCurve({ ratedPower, rotorDiameter, cutOut });
      assertAlmostEquals(curve.at(-1)!.power, ratedPower, 0.01 * ratedPower);
      assert(curve.every(({ power }, i) => i === 0 || power >= curve[i - 1].power - 1e-3));
    }
  });

  it("rises earlier and reaches the rated power later with more turbulence", () => {
    const at = (turbulenceIntensity: number) =>
      new PowerCurve(
        parametricPowerCurve({ ratedPower: 2050, rotorDiameter: 92, turbulenceIntensity }),
        2050,
      );
    assert(at(0.15).powerAt(6) > at(0.05).powerAt(6));
    assert(at(0.15).powerAt(12) < at(0.05).powerAt(12));
  });

  for (
    const [wrong, message] of [
      [{ ratedPower: 2.05, rotorDiameter: 92 }, "2.05 kW and a rotor of 92 m give 0 W/m2"],
      [{ ratedPower: 2050, rotorDiameter: -92 }, "rotorDiameter is -92"],
      [{ ratedPower: 2050, rotorDiameter: 92, cutOut: 1e9 }, "cutOut is 1000000000 m/s. Give 100"],
      [{ ratedPower: 2050, rotorDiameter: 92, cutIn: 30 }, "cutIn (30 m/s) is not below cutOut"],
      [
        { ratedPower: 2050, rotorDiameter: 92, turbulenceIntensity: 10 },
        "turbulenceIntensity is 10",
      ],
      [{ ratedPower: 2050, rotorDiameter: 92, minRotorSpeed: 20 }, "minRotorSpeed (20) is above"],
      [{ ratedPower: 2050, rotorDiameter: 92, maxRotorSpeed: 8 }, "reaches at most"],
    ] as const
  ) {
    it(`rejects ${JSON.stringify(wrong)}`, () => {
      assertThrows(() => parametricPowerCurve(wrong), ArgumentError, message);
    });
  }
});

const exists = await Deno.stat(CURVES).then(() => true, () => false);
const check = exists ? it : it.ignore;
const named = (name: string) => exists ? name : `${name} (skipped: ../shared/data is not here)`;

describe("parametricPowerCurve() against a manufacturer's curve", () => {
  for (
    const [model, rotorDiameter, ratedPower] of [
      ["MM92/2050", 92, 2050],
      ["V80/2000", 80, 2000],
    ] as const
  ) {
    check(named(`gives the energy of ${model} within 5 % at mean winds of 6 to 10 m/s`), () => {
      const manufacturers = new PowerCurve(readCurve(model), ratedPower);
      const made = new PowerCurve(parametricPowerCurve({ ratedPower, rotorDiameter }), ratedPower);
      for (const meanSpeed of [6, 7, 8, 9, 10]) {
        const ratio = computeMeanPower(made, meanSpeed) /
          computeMeanPower(manufacturers, meanSpeed);
        assert(Math.abs(ratio - 1) < 0.05, `${model} at ${meanSpeed} m/s: ${ratio}`);
      }
    });
  }
});
