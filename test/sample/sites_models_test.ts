import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { sampleModels } from "../../src/sample/sites.ts";
import { findCurveProblem } from "../../src/windindex/turbine/power_curve.ts";

const AIR_DENSITY = 1.225;
const BETZ = 16 / 27;

describe("power curves of the sample", () => {
  for (const [name, model] of Object.entries(sampleModels)) {
    it(`${name} is a valid power curve that does not exceed the power in the wind`, () => {
      assertEquals(findCurveProblem(model.powerCurve, model.ratedPower), null);
      const area = Math.PI * model.rotorDiameter ** 2 / 4;
      for (const { wind_speed, power } of model.powerCurve) {
        const coefficient = power * 1000 / (0.5 * AIR_DENSITY * area * wind_speed ** 3);
        assert(coefficient < 0.9 * BETZ, `${name} at ${wind_speed} m/s: Cp ${coefficient}`);
      }
    });

    it(`${name} ${model.powerControl === "pcStall" ? "sags" : "keeps its power"} in strong wind`, () => {
      const powers = model.powerCurve.map((point) => point.power);
      const last = powers[powers.length - 1];
      if (model.powerControl === "pcStall") assert(last < 0.95 * Math.max(...powers));
      else assertEquals(last, model.ratedPower);
    });
  }
});
