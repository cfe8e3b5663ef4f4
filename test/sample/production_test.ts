import { assert, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ArgumentError } from "../../src/api/errors.ts";
import { simulateClimate } from "../../src/sample/climate.ts";
import { simulateProduction } from "../../src/sample/production.ts";
import { type SampleSite, sampleSites, type SampleTurbine } from "../../src/sample/sites.ts";
import type { ClimatePoint } from "../../src/windindex/climate/climate.ts";
import { computePowerAtDensity } from "../../src/windindex/turbine/density_correction.ts";
import { HOUR } from "../../src/time/hourly.ts";
import { computeHubConditions } from "../../src/windindex/turbine/hub_conditions.ts";
import { PowerCurve } from "../../src/windindex/turbine/power_curve.ts";
import type {
  HourlyProduction,
  PeriodProduction,
} from "../../src/windindex/calibration/production.ts";
import { computeSiteClimate } from "../../src/windindex/climate/site_climate.ts";
import { correlation, mean, monthOfHours, sums } from "./_statistics.ts";

const climates = new Map(sampleSites.map((site) => [site.id, simulateClimate(site)]));

function placed(id: string): [SampleSite, SampleTurbine, readonly ClimatePoint[]] {
  for (const site of sampleSites) {
    const turbine = site.turbines.find((one) => one.id === id);
    if (turbine) return [site, turbine, climates.get(site.id)!];
  }
  throw new Error(`No turbine ${id}`);
}

function hourly(id: string): HourlyProduction {
  const production = simulateProduction(...placed(id));
  assert(production?.kind === "hourly");
  return production;
}

function periods(id: string): PeriodProduction["periods"] {
  const production = simulateProduction(...placed(id));
  assert(production?.kind === "periods");
  return production.periods;
}

function text(instant: number): string {
  return Temporal.Instant.fromEpochMilliseconds(instant).toString();
}

function capacityFactor(id: string): number {
  const [, { ratedPower }] = placed(id);
  const production = simulateProduction(...placed(id));
  assert(production);
  if (production.kind === "hourly") {
    return mean(production.power.filter((power) => power === power)) / ratedPower;
  }
  const energy = production.periods.reduce((sum, period) => sum + period.energy, 0);
  const hours = production.periods.reduce((sum, { start, end }) => sum + (end - start) / HOUR, 0);
  return energy / hours / ratedPower;
}

describe("simulateProduction()", () => {
  it("gives the same figures on every machine, and again", () => {
    const { power } = hourly("T1");
    assertEquals([power[0], power[10_000], power[20_000], power[35_000]], [
      1594.4,
      455.2,
      829.4,
      2235.8,
    ]);
    assertEquals(periods("T3").map((period) => period.energy), [
      8_080_756,
      7_712_995,
      8_740_734,
      8_219_724,
      8_000_318,
    ]);
    assertEquals(hourly("T1").power, power);
  });

  it("is null for T8, which is not data_ready", () => {
    assertEquals(simulateProduction(...placed("T8")), null);
  });

  it("rejects the climate of another region", () => {
    const [site, turbine] = placed("T4");
    const error = assertThrows(
      () => simulateProduction(site, turbine, climates.get("granhult")!),
      ArgumentError,
    );
    assertEquals(
      error.message,
      "Cannot generate the production of T4: the climate is for 57.75, 13.5. Give " +
        "the climate for 55.5, -4; 55.5, -3.75; 55.75, -4; 55.75, -3.75",
    );
  });

  for (const id of ["T1", "T2", "T3", "T4", "T5", "T6", "T7"]) {
    it(`of ${id} has a plausible capacity factor`, () => {
      const factor = capacityFactor(id);
      assert(factor > 0.2 && factor < 0.5, `capacity factor ${factor}`);
    });
  }

  for (const id of ["T1", "T4", "T7"]) {
    it(`of ${id} stays between standby consumption and rated power`, () => {
      const [, { ratedPower }] = placed(id);
      const shares = hourly(id).power.filter((power) => power === power)
        .map((power) => power / ratedPower);
      assert(shares.every((share) => share >= -0.02 && share <= 1.05));
      assert(shares.some((share) => share < 0), "standby consumption is measured");
    });

    it(`of ${id} lacks a few hours of the logger`, () => {
      const { power } = hourly(id);
      const missing = power.filter((value) => value !== value).length / power.length;
      assert(missing > 0 && missing < 0.01, `share ${missing}`);
    });
  }

  it("of T1 has the hours of its local years", () => {
    const { axis } = hourly("T1");
    assertEquals(text(axis.start), "2020-12-31T23:00:00Z");
    assertEquals(axis.length, 35_064);
  });

  it("of T4 has an outage of seven weeks and a stuck stretch", () => {
    const { axis, power } = hourly("T4");
    const at = (instant: string) =>
      (Temporal.Instant.from(instant).epochMilliseconds - axis.start) / HOUR;
    const outage = power.subarray(at("2023-02-06T08Z"), at("2023-03-27T08Z"));
    assertEquals(outage.length, 7 * 7 * 24);
    assert(outage.every((value) => value === 0 || value !== value));
    const stuck = power.subarray(at("2024-10-15T10Z"), at("2024-10-17T22Z"));
    assert(stuck[0] > 0);
    assertEquals(stuck.length, 60);
    assert(stuck.every((value) => value === stuck[0]));
  });

  it("of T6 begins its months at half past", () => {
    const months = periods("T6");
    assertEquals(months[0].label, "2021-01");
    assertEquals(text(months[0].start), "2020-12-31T18:30:00Z");
    assertEquals(months.length, 48);
    for (const [i, month] of months.entries()) {
      assert(text(month.start).endsWith("T18:30:00Z"));
      if (i > 0) assertEquals(month.start, months[i - 1].end);
    }
  });

  it("of T6 follows the monsoon", () => {
    const months = periods("T6");
    const energy = (label: string) =>
      mean(months.filter((month) => month.label.endsWith(label)).map((month) => month.energy));
    assert(energy("-07") > 3 * energy("-01"));
  });

  it("of T3 is yearly, for one unit of the park", () => {
    const years = periods("T3");
    assertEquals(years.map((year) => year.label), ["2020", "2021", "2022", "2023", "2024"]);
    assertEquals(text(years[0].start), "2019-12-31T23:00:00Z");
  });
});

describe("the truth behind production", () => {
  for (const id of ["T1", "T7"]) {
    it(`of ${id} is explained by a plain model with one k, but not completely`, () => {
      const [, turbine, climate] = placed(id);
      const { axis, power } = hourly(id);
      const hub = computeHubConditions(computeSiteClimate(climate, turbine), turbine);
      const curve = new PowerCurve(turbine.powerCurve, turbine.ratedPower);
      const offset = (axis.start - climate[0].axis.start) / HOUR;
      const instant = (i: number, k: number) =>
        computePowerAtDensity(
          curve,
          turbine.powerControl,
          k * hub.windSpeed[i],
          hub.logDensityRatio[i],
        );
      const model = (k: number) =>
        power.map((measured, i) =>
          measured === measured ? (instant(offset + i, k) + instant(offset + i + 1, k)) / 2 : 0
        );
      const production = power.map((measured) => measured === measured ? measured : 0);
      let [low, high] = [0.5, 1.5];
      while (high - low > 1e-3) {
        const k = (low + high) / 2;
        if (mean(model(k)) < mean(production)) low = k;
        else high = k;
      }
      assert(low > 0.88 && low < 1, `k ${low}`);
      const modelled = model(low);
      const byHour = correlation(modelled, production);
      assert(byHour > 0.88 && byHour < 0.96, `hourly r ${byHour}`);
      assert(byHour > correlation(modelled.subarray(1), production.subarray(0, -1)));
      assert(byHour > correlation(modelled.subarray(0, -1), production.subarray(1)));
      const months = monthOfHours(axis).map((month, _, all) => month - all[0]);
      const byMonth = correlation(sums(modelled, months), sums(production, months));
      assert(byMonth > 0.97 && byMonth < 0.999, `monthly r ${byMonth}`);
    });
  }
});
