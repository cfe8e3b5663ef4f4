import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ArgumentError } from "../../../src/api/errors.ts";
import type { HubConditions } from "../../../src/windindex/turbine/hub_conditions.ts";
import type { Production } from "../../../src/windindex/calibration/production.ts";
import {
  buildTrainingSet,
  type TrainingPeriod,
} from "../../../src/windindex/calibration/training.ts";
import { at, driftingSpeeds, hours, hubWith } from "../_synthetic.ts";

const year = hours("2018-01-01T00:00Z", "2019-01-01T00:00Z");

/** A hub of one year with made-up speeds at the named hours, 7 m/s elsewhere. */
function buildHub(stamp: "instant" | "start" = "instant", missing: readonly number[] = []) {
  const speed = new Float64Array(year.length).fill(7);
  for (const i of missing) speed[i] = NaN;
  return hubWith(year, speed, stamp);
}

const hourly = (from: string, powers: readonly number[]): Production => ({
  kind: "hourly",
  axis: { start: at(from), length: powers.length },
  power: Float64Array.from(powers),
});

const month = (label: string, from: string, to: string, energy: number): Production => ({
  kind: "periods",
  periods: [{ label, start: at(from), end: at(to), energy }],
});

/** The one period of a training set, and its weights. */
function single(hub: HubConditions, production: Production, masked?: Uint8Array) {
  const set = buildTrainingSet(hub, [{ production, ...(masked ? { masked } : {}) }], "UTC");
  assertEquals(set.periods.length, 1);
  const [period] = set.periods;
  return { period, weights: set.weight.slice(period.from, period.to), set };
}

const total = (values: Float64Array) => values.reduce((sum, value) => sum + value, 0);

describe("buildTrainingSet() with hourly production", () => {
  it("computes each hour from both its instants", () => {
    const { weights, period } = single(buildHub(), hourly("2018-05-01T00:00Z", [10, 20, 30]));
    // Three hours lie between four instants.
    assertEquals(weights, Float64Array.of(0.5, 1, 1, 0.5));
    assertEquals([period.produced, period.hours, period.validHours], [60, 3, 3]);
    assertEquals([period.label, period.used, period.reason], ["2018-05", true, ""]);
  });

  it("takes hourly means at their own timestamp", () => {
    const { weights } = single(buildHub("start"), hourly("2018-05-01T00:00Z", [10, 20, 30]));
    assertEquals(weights, Float64Array.of(1, 1, 1, 0));
  });

  it("adds the climate of the same hours", () => {
    const hub = hubWith(year, driftingSpeeds(year.length, 8));
    const { set, period } = single(hub, hourly("2018-02-01T00:00Z", [10, 20, 30]));
    const from = 31 * 24;
    assertEquals(set.speed.slice(period.from, period.to), hub.windSpeed.slice(from, from + 4));
    assertEquals(
      set.logDensityRatio.slice(period.from, period.to),
      hub.logDensityRatio.slice(from, from + 4),
    );
  });

  it("leaves out an hour that production lacks", () => {
    const { weights, period } = single(buildHub(), hourly("2018-05-01T00:00Z", [10, NaN, 30]));
    assertEquals(weights, Float64Array.of(0.5, 0.5, 0.5, 0.5));
    assertEquals([period.produced, period.hours, period.validHours], [40, 3, 2]);
  });

  it("leaves out a masked hour, whatever it produced", () => {
    const production = hourly("2018-05-01T00:00Z", [10, 1e9, 30]);
    const { weights, period } = single(buildHub(), production, Uint8Array.of(0, 1, 0));
    assertEquals(weights, Float64Array.of(0.5, 0.5, 0.5, 0.5));
    assertEquals([period.produced, period.validHours], [40, 2]);
  });

  it("leaves out both hours next to an instant without climate, and their production", () => {
    const may = 120 * 24; // 31 + 28 + 31 + 30 days
    const { weights, period } = single(
      buildHub("instant", [may + 2]),
      hourly("2018-05-01T00:00Z", [10, 20, 40, 80]),
    );
    assertEquals(weights, Float64Array.of(0.5, 0.5, 0, 0.5, 0.5));
    assertEquals([period.produced, period.validHours], [90, 2]);
  });

  it("leaves out hours outside of the climate record, and the last instant, which has no next one", () => {
    const { period } = single(buildHub(), hourly("2018-12-31T22:00Z", [10, 20]));
    assertEquals([period.produced, period.validHours], [10, 1]);
    const set = buildTrainingSet(
      buildHub(),
      [{ production: hourly("2017-12-31T23:00Z", [5, 10, 20]) }],
      "UTC",
    );
    const states = set.periods.map(({ label, used, reason, produced }) =>
      [label, used, reason, produced] as const
    );
    assertEquals(states, [["2017-12", false, "no climate", 0], ["2018-01", true, "", 30]]);
  });

  it("F36 computes an hour that begins between two timestamps from three instants", () => {
    // Power changes linearly between instants. The mean from 0.5 to 1.5 h takes of the first instant the integral of 1
    // - x from 0.5 to 1, that is 1/8, as much of the third, and the remainder of the second.
    const { weights, period } = single(buildHub(), hourly("2018-05-01T00:30Z", [10]));
    assertEquals(weights, Float64Array.of(0.125, 0.75, 0.125));
    assertEquals([period.produced, period.validHours], [10, 1]);
    const quarter = single(buildHub(), hourly("2018-05-01T00:15Z", [10])).weights;
    assertEquals(quarter, Float64Array.of(0.28125, 0.6875, 0.03125)); // 9/32, 22/32, 1/32
    const means = single(buildHub("start"), hourly("2018-05-01T00:15Z", [10])).weights;
    assertEquals(means.slice(0, 2), Float64Array.of(0.75, 0.25));
  });

  it("F36 leaves out an hour between timestamps if one of its three instants is missing", () => {
    const may = 120 * 24;
    const production = hourly("2018-05-01T00:30Z", [1, 2, 4, 8, 16]);
    const { period } = single(buildHub("instant", [may + 3]), production);
    // The hours from 01:30, 02:30 and 03:30 need 03:00; the hours from 00:30 and 04:30 do not.
    assertEquals([period.validHours, period.produced], [2, 17]);
  });

  it("makes one period per calendar month of the turbine's zone", () => {
    const production = hourly("2018-01-31T17:00Z", [1, 2, 4, 8]);
    const set = buildTrainingSet(buildHub(), [{ production }], "Asia/Kolkata");
    // The hours that start 17:00Z and 18:00Z are January there, see monthly_energy_test.ts.
    assertEquals(set.periods.map(({ label, produced }) => [label, produced]), [
      ["2018-01", 3],
      ["2018-02", 12],
    ]);
  });
});

describe("buildTrainingSet() with energies of periods", () => {
  it("weights all hours of the period", () => {
    const { weights, period } = single(
      buildHub(),
      month("2018-02", "2018-02-01T00:00Z", "2018-03-01T00:00Z", 5000),
    );
    assertEquals(weights.length, 673); // 28 x 24 hours between 673 instants
    assertEquals([weights[0], weights[1], weights[671], weights[672]], [0.5, 1, 1, 0.5]);
    assertEquals([period.produced, period.hours, period.validHours], [5000, 672, 672]);
  });

  it("scales a few missing hours up, so the weights stand for all hours", () => {
    const { weights, period } = single(
      buildHub("instant", [31 * 24 + 100]),
      month("2018-02", "2018-02-01T00:00Z", "2018-03-01T00:00Z", 5000),
    );
    assertEquals([period.validHours, period.used], [670, true]); // both hours at the instant
    assertAlmostEquals(total(weights), 672, 1e-9);
    assertEquals(weights[100], 0);
  });

  it("S5: weights all hours of a period by the share of them that its energy covers", () => {
    const february = month("2018-02", "2018-02-01T00:00Z", "2018-03-01T00:00Z", 3500);
    const withShare = (share: number): Production =>
      february.kind === "hourly"
        ? february
        : { ...february, periods: february.periods.map((period) => ({ ...period, share })) };
    const { weights, period } = single(buildHub(), withShare(0.75));
    assertEquals([weights[0], weights[1], weights[671], weights[672]], [0.375, 0.75, 0.75, 0.375]);
    assertEquals([period.hours, period.validHours, period.energyHours], [672, 504, 504]);
    assertEquals([period.produced, period.used], [3500, true]);
    // Two hours without climate: the weights still add up to the share of all hours.
    const gap = single(buildHub("instant", [31 * 24 + 100]), withShare(0.5));
    assertAlmostEquals(total(gap.weights), 336, 1e-9);
    assertEquals([gap.period.validHours, gap.period.energyHours], [335, 336]);
    const none = single(buildHub(), withShare(0));
    assertEquals([none.period.used, none.period.reason], [false, "no valid hours"]);
    assertEquals(total(none.weights), 0);
  });

  it("leaves out a month with less than 98 % of its climate, and says why", () => {
    // 672 x 0.98 = 658.56. Each single instant costs two hours: 13 are still allowed, 14 are not.
    const gaps = (count: number) => Array.from({ length: count }, (_, i) => 31 * 24 + 10 + 3 * i);
    const february = month("2018-02", "2018-02-01T00:00Z", "2018-03-01T00:00Z", 5000);
    const states = [6, 7].map((count) => {
      const { period, weights } = single(buildHub("instant", gaps(count)), february);
      return [period.validHours, period.used, period.reason, Math.round(total(weights))];
    });
    assertEquals(states, [[660, true, "", 672], [658, false, "climate incomplete", 0]]);
  });

  it("leaves out periods without production and masked ones, and says why", () => {
    const production: Production = {
      kind: "periods",
      periods: [
        ["2018-02", "2018-02-01T00:00Z", "2018-03-01T00:00Z", NaN],
        ["2018-03", "2018-03-01T00:00Z", "2018-04-01T00:00Z", 3],
        ["2018-04", "2018-04-01T00:00Z", "2018-05-01T00:00Z", 4000],
      ].map(([label, start, end, energy]) => ({
        label: label as string,
        start: at(start as string),
        end: at(end as string),
        energy: energy as number,
      })),
    };
    const set = buildTrainingSet(
      buildHub(),
      [{ production, masked: Uint8Array.of(0, 1, 0) }],
      "UTC",
    );
    const reasons = set.periods.map(({ used, reason }: TrainingPeriod) => [used, reason]);
    assertEquals(reasons, [[false, "no production"], [false, "masked"], [true, ""]]);
    const [first, second, third] = set.periods
      .map(({ from, to }) => total(set.weight.subarray(from, to)));
    assertEquals([first, second, third], [0, 0, 720]);
  });

  it("leaves out a period that is partly outside of the climate", () => {
    const winter = month("2018-12", "2018-12-01T00:00Z", "2019-01-02T00:00Z", 5000);
    const { period } = single(buildHub(), winter);
    assertEquals([period.used, period.reason, period.hours], [false, "climate incomplete", 768]);
  });

  it("F34 has no weight that is not a number", () => {
    const outside = month("2017", "2017-01-01T00:00Z", "2018-01-01T00:00Z", 5000);
    const inside = month("2018-02", "2018-02-01T00:00Z", "2018-03-01T00:00Z", 5000);
    const set = buildTrainingSet(
      buildHub(),
      [{ production: outside }, { production: inside }],
      "UTC",
    );
    assertEquals(set.periods.map(({ reason }) => reason), ["climate incomplete", ""]);
    for (const values of [set.weight, set.speed, set.logDensityRatio]) {
      assert(values.every(Number.isFinite));
    }
  });
});

describe("buildTrainingSet()", () => {
  it("joins hourly, monthly and annual production", () => {
    const set = buildTrainingSet(buildHub(), [
      { production: hourly("2018-05-01T00:00Z", [10, 20]) },
      { production: month("2018-02", "2018-02-01T00:00Z", "2018-03-01T00:00Z", 5000) },
    ], "UTC");
    assertEquals(set.periods.map(({ label, from, to }) => [label, from, to]), [
      ["2018-05", 0, 3],
      ["2018-02", 3, 676],
    ]);
  });

  it("refuses production completely outside of the climate, and names both periods", () => {
    const later = month("2022-02", "2022-02-01T00:00Z", "2022-03-01T00:00Z", 5000);
    const error = assertThrows(
      () => buildTrainingSet(buildHub(), [{ production: later }], "UTC"),
      ArgumentError,
    );
    assertEquals(
      error.message,
      "Cannot calibrate: the production (2022-02-01 to 2022-03-01) is outside the climate record " +
        "(2018-01-01 to 2019-01-01). Give climate data for that time",
    );
    assertThrows(
      () =>
        buildTrainingSet(buildHub(), [{ production: hourly("2019-01-01T00:00Z", [1, 2]) }], "UTC"),
      ArgumentError,
      "production (2019-01-01 to 2019-01-01) is outside",
    );
  });

  it("refuses to train without production", () => {
    assertThrows(
      () => buildTrainingSet(buildHub(), [{ production: { kind: "periods", periods: [] } }], "UTC"),
      ArgumentError,
      "production (empty)",
    );
  });
});
