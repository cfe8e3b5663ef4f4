import { assertAlmostEquals, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { HOUR } from "../../../src/time/hourly.ts";
import { calibrate } from "../../../src/windindex/calibration/calibration.ts";
import type { HubConditions } from "../../../src/windindex/turbine/hub_conditions.ts";
import type { Production } from "../../../src/windindex/calibration/production.ts";
import { buildTrainingSet } from "../../../src/windindex/calibration/training.ts";
import { computeTrainingEnergies } from "../../../src/windindex/calibration/training_energies.ts";
import type { Turbine } from "../../../src/windindex/turbine/turbine.ts";
import { scaleSpeed } from "../../../src/windindex/scaling/wind_scaling.ts";
import { hubWith, TURBINE } from "../_synthetic.ts";

// Golden values: factors on the wind that can be found by hand. See golden_values_test.ts. calibration_test.ts shows
// that calibration recovers the factor behind a year.

/** P = 100 (v - 4) kW from 4 to 14 m/s, 1,000 kW from there to 25 m/s. */
const turbine: Turbine = {
  ...TURBINE,
  ratedPower: 1000,
  powerCurve: [
    { wind_speed: 4, power: 0 },
    { wind_speed: 14, power: 1000 },
    { wind_speed: 25, power: 1000 },
  ],
};

/**
 * Calibrates on few hours with the unsmoothed curve, whose energies can be computed by hand, unless a smoothing is
 * given.
 */
function fit(hub: HubConditions, production: Production, turbine: Turbine, smoothing = 0) {
  const set = buildTrainingSet(hub, [{ production }], "UTC");
  return calibrate(computeTrainingEnergies(set, hub, turbine, undefined, smoothing));
}

describe("golden values of calibrated wind", () => {
  const axis = { start: Date.UTC(2019, 1, 1), length: 3 };
  const hub = hubWith(axis, Float64Array.of(8, 0.5, NaN));

  it("k v: 0.9 x 8 = 7.2, 0.9 x 0.5 = 0.45; missing stays missing", () => {
    const [first, second, third] = scaleSpeed({ kind: "factor", k: 0.9 }, hub, turbine);
    assertAlmostEquals(first, 7.2, 1e-12);
    assertAlmostEquals(second, 0.45, 1e-12);
    assertEquals(third, NaN);
  });
});

describe("golden values of k", () => {
  const start = Date.UTC(2019, 1, 1);

  /** k from a few hours of wind at one density and their production. */
  function factor(
    speeds: number[],
    power: number[],
    stamp: "instant" | "start",
    ratio = 1,
    { powerControl = "pcPitch", smoothing = 0 }: {
      powerControl?: "pcPitch" | "pcStall";
      smoothing?: number;
    } = {},
  ): number {
    const axis = { start, length: speeds.length };
    const hub = {
      ...hubWith(axis, Float64Array.from(speeds), stamp),
      logDensityRatio: new Float64Array(axis.length).fill(Math.log(ratio)),
    };
    const production: Production = {
      kind: "hourly",
      axis: { start, length: power.length },
      power: Float64Array.from(power),
    };
    return fit(hub, production, { ...turbine, powerControl }, smoothing).k;
  }

  it("two hours of 8 and 10 m/s that gave 820 kWh: 0.9", () => {
    // E(k) = 100 (8 k - 4) + 100 (10 k - 4) = 1,800 k - 800 = 820. Only the sum matters, not the hours.
    assertAlmostEquals(factor([8, 10], [400, 420], "start"), 0.9, 1e-9);
    assertAlmostEquals(factor([8, 10], [0, 820], "start"), 0.9, 1e-9);
  });

  it("S3: the same two hours with speeds spread by 0.25 m/s: 0.9, as a straight line stays one", () => {
    // 7.2 and 9 m/s lie more than four deviations, 1 m/s, within 4 to 14 m/s, where the curve is straight.
    assertAlmostEquals(factor([8, 10], [400, 420], "start", 1, { smoothing: 0.25 }), 0.9, 1e-9);
  });

  it("two hours between instants of 8, 10 and 12 m/s that gave 1,000 kWh: 0.9", () => {
    // E(k) = 50 (8 k - 4) + 100 (10 k - 4) + 50 (12 k - 4) = 2,000 k - 800 = 1,000
    assertAlmostEquals(factor([8, 10, 12], [450, 550], "instant"), 0.9, 1e-9);
  });

  it("stall at 0.9 of the density, 8 and 10 m/s that gave 738 kWh: 0.9", () => {
    // E(k) = 0.9 (1,800 k - 800) = 1,620 k - 720 = 738
    assertAlmostEquals(
      factor([8, 10], [300, 438], "start", 0.9, { powerControl: "pcStall" }),
      0.9,
      1e-9,
    );
  });

  it("pitch at 0.9 of the density, 6 and 7 m/s that gave 329.62258 kWh: 0.9", () => {
    // v' of 5.4 and 6.3 m/s is below 7.5: 0.9^(1/3) = 0.9654893846 in both hours.
    // E(k) = 100 (13 k x 0.9654893846 - 8) = 1,255.1362 k - 800 = 329.62258
    assertAlmostEquals(factor([6, 7], [100, 229.62258], "start", 0.9), 0.9, 1e-8);
  });

  it("two weeks of 8 and 10 m/s that gave 60,480 and 77,280 kWh: 0.9, with a residual of 40 / 410", () => {
    // 168 h of 360 and of 460 kW on average; 168 (1,800 k - 800) = 168 x 820. The model gives 320 and
    // 500 kW: 40 kW less and 40 kW more; the root mean square, 40, over the mean of 410 is 0.097561.
    const axis = { start, length: 336 };
    const speeds = new Float64Array(336).fill(8, 0, 168).fill(10, 168);
    const hub = { ...hubWith(axis, speeds, "start"), logDensityRatio: new Float64Array(336) };
    const week = (i: number, energy: number) => ({
      label: `week ${i + 1}`,
      start: start + i * 168 * HOUR,
      end: start + (i + 1) * 168 * HOUR,
      energy,
    });
    const production: Production = { kind: "periods", periods: [week(0, 60_480), week(1, 77_280)] };
    const { k, residual, periods } = fit(hub, production, turbine);
    assertAlmostEquals(k, 0.9, 1e-9);
    periods.forEach(({ modelled }, i) =>
      assertAlmostEquals(modelled ?? NaN, [53_760, 84_000][i], 1e-4)
    );
    assertAlmostEquals(residual!, 0.097561, 1e-6);
  });
});
