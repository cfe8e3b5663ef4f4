import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { HubConditions } from "../../src/windindex/turbine/hub_conditions.ts";
import {
  computeHourlyFlags,
  computeHourlyPower,
  computeModelledPower,
  computePowerAtStamps,
} from "../../src/windindex/power_model.ts";
import type { Turbine } from "../../src/windindex/turbine/turbine.ts";
import { hours, hubWith, TURBINE } from "./_synthetic.ts";

const axis = hours("2018-01-01T00:00Z", "2018-01-01T04:00Z");

/** Power at the timestamps of a hub if the turbine's wind is k times the climate's, with the unsmoothed curve. */
function computePower(hub: HubConditions, k: number, turbine: Turbine = TURBINE): Float64Array {
  return computePowerAtStamps(
    turbine,
    hub.windSpeed.map((speed) => k * speed),
    hub.logDensityRatio,
    0,
  );
}

describe("computeModelledPower()", () => {
  it("scales the wind speed by k before the curve", () => {
    const hub = hubWith(axis, Float64Array.of(10, 12.5, 2.5, 26), "start");
    const power = (k: number) =>
      computeModelledPower(TURBINE, { scaling: { kind: "factor", k }, smoothing: 0 }, hub);
    // The first timestamp has the reference density. 0.8 x 10 m/s: 560 + 1 / 1.5 x 460.
    assertAlmostEquals(power(0.8)[0], 866.6666667, 1e-6);
    // 0.95 x 26 is below the cut-out of 25 m/s, 26 is above.
    assertEquals(power(0.95)[3], 2000);
    assertEquals(power(1)[3], 0);
  });

  it("S3: smooths the curve as the model says", () => {
    const hub = hubWith(axis, Float64Array.of(14, 14, 14, 14), "start");
    const power = (smoothing: number) =>
      computeModelledPower(TURBINE, { scaling: { kind: "factor", k: 1 }, smoothing }, hub)[0];
    // 14 m/s is the bend below rated power: half of the spread gives less than 2,000 kW, none more.
    assertEquals(power(0), 2000);
    assert(power(0.5) < 2000 && power(1) < power(0.5) && power(2) < power(1));
  });

  it("is the mean of both ends of an hour between instants", () => {
    const hub = {
      ...hubWith(axis, Float64Array.of(7, 9, 7, 9)),
      logDensityRatio: new Float64Array(4),
    };
    const power = computeModelledPower(
      TURBINE,
      { scaling: { kind: "factor", k: 1 }, smoothing: 0 },
      hub,
    );
    assertEquals(power, Float64Array.of(875, 875, 875, NaN)); // (560 + 1190) / 2
  });
});

describe("computePowerAtStamps()", () => {
  it("takes the calibrated wind speed unchanged", () => {
    const hub = hubWith(axis, Float64Array.of(10, 12.5, 2.5, 26));
    assertAlmostEquals(computePower(hub, 0.8)[0], 866.6666667, 1e-6);
    assertEquals(computePower(hub, 0.95)[3], 2000);
    assertEquals(computePower(hub, 1)[3], 0);
  });

  it("corrects for density according to the turbine's control", () => {
    const hub = { ...hubWith(axis, new Float64Array(4).fill(6.5)) };
    const thin = { ...hub, logDensityRatio: new Float64Array(4).fill(Math.log(0.9)) };
    const stall: Turbine = { ...TURBINE, powerControl: "pcStall" };
    assertAlmostEquals(computePower(thin, 1, stall)[0], 400.5, 1e-9); // 445 x 0.9
    // 330 + (6.5 x 0.9^(1/3) - 6) x 230, in Python.
    assertAlmostEquals(computePower(thin, 1)[0], 393.406630, 1e-5);
  });

  it("F34 keeps a missing wind missing, and a calm zero", () => {
    const power = computePower(hubWith(axis, Float64Array.of(NaN, 0, 8, 8)), 1);
    assertEquals(power[0], NaN);
    assertEquals(power[1], 0);
    assert(power[2] > 0);
  });
});

describe("computeHourlyPower()", () => {
  it("takes the mean of both instants for the hour between them; the last hour is missing", () => {
    const hourly = computeHourlyPower(Float64Array.of(100, 200, 400, 0), "instant");
    assertEquals(hourly, Float64Array.of(150, 300, 200, NaN));
  });

  it("F34 has no value in both hours next to a missing instant", () => {
    const hourly = computeHourlyPower(Float64Array.of(100, 200, NaN, 0, 10), "instant");
    assertEquals(hourly, Float64Array.of(150, NaN, NaN, 5, NaN));
  });

  it("leaves hourly means unchanged", () => {
    const power = Float64Array.of(100, NaN, 400);
    assertEquals(computeHourlyPower(power, "start"), Float64Array.of(100, NaN, 400));
  });

  it("does not fail on records of one hour or none", () => {
    assertEquals(computeHourlyPower(Float64Array.of(7), "instant"), Float64Array.of(NaN));
    assertEquals(computeHourlyPower(new Float64Array(0), "instant"), new Float64Array(0));
  });
});

describe("computeHourlyFlags()", () => {
  it("flags an hour between instants if one of its two ends has the flag", () => {
    // ERA5T begins at the third timestamp: the hour before depends on it and will change, too.
    assertEquals(
      computeHourlyFlags(Uint8Array.of(0, 0, 1, 1), "instant"),
      Uint8Array.of(0, 1, 1, 1),
    );
  });

  it("leaves flags of means unchanged", () => {
    assertEquals(computeHourlyFlags(Uint8Array.of(0, 0, 1), "start"), Uint8Array.of(0, 0, 1));
  });
});
