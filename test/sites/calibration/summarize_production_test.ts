import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { summarizeProduction } from "../../../src/sites/calibration/compute_turbine.ts";
import type { Production } from "../../../src/windindex/calibration/production.ts";

const turbine = { ratedPower: 2000, timeZone: "Europe/Copenhagen" };

const hourly = (from: string, power: readonly number[]): Production => ({
  kind: "hourly",
  axis: { start: Date.parse(from), length: power.length },
  power: Float64Array.from(power),
});

describe("S13: summarizeProduction()", () => {
  it("counts hours with a value, and names their days in the turbine's time zone", () => {
    const production = [
      hourly("2023-06-30T21:00Z", [NaN, 500, NaN, 1500]),
      hourly("2023-06-01T00:00Z", [0, NaN]),
    ];
    assertEquals(summarizeProduction(production, turbine), {
      from: "2023-06-01",
      to: "2023-07-01",
      validHours: 3,
      capacityFactor: 2000 / 6000,
    });
  });

  it("N14: leaves out hours with impossible values", () => {
    const { validHours, capacityFactor } = summarizeProduction([
      hourly("2023-06-01T00:00Z", [-999, 500, 9999, 1500]),
    ], turbine)!;
    assertEquals([validHours, capacityFactor], [2, 0.5]);
  });

  it("counts the hours that a month's energy covers", () => {
    const month = (label: string, start: string, end: string, energy: number, share = 1) => ({
      label,
      start: Date.parse(start),
      end: Date.parse(end),
      energy,
      share,
    });
    const periods = [
      month("2023-01", "2022-12-31T23:00Z", "2023-01-31T23:00Z", 372_000, 0.5),
      month("2023-02", "2023-01-31T23:00Z", "2023-02-28T23:00Z", NaN),
    ];
    assertEquals(summarizeProduction([{ kind: "periods", periods }], turbine), {
      from: "2023-01-01",
      to: "2023-01-31",
      validHours: 372,
      capacityFactor: 0.5,
    });
  });

  it("is null without a known value", () => {
    assertEquals(summarizeProduction([], turbine), null);
    assertEquals(summarizeProduction([hourly("2023-01-01T00:00Z", [NaN])], turbine), null);
  });
});
