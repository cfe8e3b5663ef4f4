import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { sampleAxis, sampleSites } from "../../src/sample/sites.ts";
import { endOfAxis, HOUR } from "../../src/time/hourly.ts";
import { computeSiteWeights } from "../../src/windindex/climate/site_weights.ts";

const turbines = sampleSites.flatMap((site) => site.turbines);

describe("sampleSites", () => {
  it("has the eight turbines T1 to T8", () => {
    assertEquals(
      turbines.map((turbine) => turbine.id),
      ["T1", "T2", "T3", "T4", "T5", "T6", "T7", "T8"],
    );
  });

  it("has the grid points of the examples around T1, as vectors between them", () => {
    const [site] = sampleSites;
    for (const latitude of [55.5, 55.75]) {
      for (const longitude of [7.75, 8]) {
        assert(
          site.points.some((p) => p.latitude === latitude && p.longitude === longitude),
        );
      }
    }
    assertEquals(computeSiteWeights(site.points, site.turbines[0]).method, "bilinear");
  });

  it("has every turbine inside its climate grid", () => {
    for (const site of sampleSites) {
      for (const turbine of site.turbines) {
        const { method } = computeSiteWeights(site.points, turbine);
        assertEquals(method, site.points.length === 1 ? "single point" : "bilinear");
      }
    }
  });

  it("covers every kind of turbine that the toolkit meets", () => {
    assertEquals(
      new Set(turbines.map((turbine) => turbine.production?.resolution)),
      new Set(["hour", "month", "year", undefined] as const),
    );
    assertEquals(
      new Set(turbines.map((turbine) => turbine.powerControl)),
      new Set(["pcPitch", "pcStall"] as const),
    );
    assert(turbines.some((turbine) => turbine.units > 1));
    assert(new Set(turbines.map((turbine) => turbine.timeZone)).size >= 6);
    assert(turbines.some((turbine) => turbine.elevation > 800));
  });
});

describe("sampleAxis", () => {
  it("reaches to the first instant of 2026, so December 2025 is complete", () => {
    const text = (instant: number) => Temporal.Instant.fromEpochMilliseconds(instant).toString();
    assertEquals(text(sampleAxis.start), "2005-01-01T00:00:00Z");
    assertEquals(text(endOfAxis(sampleAxis) - HOUR), "2026-01-01T00:00:00Z");
  });
});
