import { assertAlmostEquals, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { computeTrainingEnergies } from "../../../src/windindex/calibration/training_energies.ts";
import { buildTrainingSet } from "../../../src/windindex/calibration/training.ts";
import { isCalibrated, UNCALIBRATED } from "../../../src/windindex/calibration/unseen_fit.ts";
import { computeMonthlyEnergies } from "../../../src/windindex/index/monthly_energy.ts";
import { computeModelledPower } from "../../../src/windindex/power_model.ts";
import type { HubConditions } from "../../../src/windindex/turbine/hub_conditions.ts";
import type { Turbine } from "../../../src/windindex/turbine/turbine.ts";
import { computeLocationUncertainty } from "../../../src/windindex/uncertainty/uncertainty.ts";
import { turbine } from "../../sites/_turbine.ts";

/** Power is 100 kW per m/s, up to 20 m/s: a normal spread of wind does not change its mean. */
const straight: Turbine = {
  ...turbine,
  ratedPower: 2000,
  timeZone: "UTC",
  powerCurve: [{ wind_speed: 0, power: 0 }, { wind_speed: 20, power: 2000 }],
};

/** A year of 8 m/s at 1.225 kg/m3. */
function buildHub(): HubConditions {
  const length = 365 * 24;
  const filled = (value: number) => new Float64Array(length).fill(value);
  return {
    axis: { start: Date.UTC(2023, 0, 1), length },
    stamp: "start",
    windSpeed: filled(8),
    windDirection: filled(270),
    temperature: filled(15),
    airDensity: filled(1.225),
    logDensityRatio: filled(0),
    distance: 0,
    notes: [],
  };
}

describe("a location index", () => {
  const hub = buildHub();
  const months = computeMonthlyEnergies(
    computeModelledPower(straight, UNCALIBRATED, hub),
    hub.axis,
    "UTC",
  );
  const training = computeTrainingEnergies(buildTrainingSet(hub, [], "UTC"), hub, straight);
  const uncertainty = computeLocationUncertainty(training, {
    months,
    reference: { years: [2023] },
  });

  it("uses the wind unscaled: 8 m/s on a straight curve are 800 kW", () => {
    assertEquals(isCalibrated(UNCALIBRATED), false);
    assertAlmostEquals(months[0].energy!, 800 * 744, 1e-6 * 800 * 744);
  });

  // By hand: 6 m/s are 600 kW, 8.4 m/s are 840 kW, of 800; and 13 % of a month in addition: sqrt(ln(0.75)^2 + 0.13^2) =
  // 0.31569, sqrt(ln(1.05)^2 + 0.13^2) = 0.13886.
  it("has the interval of the energies at the ends of k, for a month with the error of a month", () => {
    const year = 800 * 8760;
    assertAlmostEquals(uncertainty.longTerm.low / year, 0.75, 1e-4);
    assertAlmostEquals(uncertainty.longTerm.high / year, 1.05, 1e-4);
    const [january] = uncertainty.months;
    assertAlmostEquals(january!.low / months[0].energy!, Math.exp(-0.31569), 1e-4);
    assertAlmostEquals(january!.high / months[0].energy!, Math.exp(0.13886), 1e-4);
    assertAlmostEquals(uncertainty.parts.calibration, Math.log(1.05 / 0.75) / 2, 1e-4);
  });
});
