import { assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { ArgumentError } from "../../../src/api/errors.ts";
import { HOUR } from "../../../src/time/hourly.ts";
import type { Exclusion } from "../../../src/sites/site_data.ts";
import { checkProduction } from "../../../src/sites/production/training_inputs.ts";
import type {
  HourlyProduction,
  Production,
} from "../../../src/windindex/calibration/production.ts";
import type { HubConditions } from "../../../src/windindex/turbine/hub_conditions.ts";
import { findRuns } from "../../../src/screening/finding.ts";
import { turbine } from "../_turbine.ts";

/** Builds the hours of 2023 in UTC; power changes from hour to hour. */
function hours(change: (power: Float64Array) => void = () => {}): Production {
  const power = Float64Array.from({ length: 8760 }, (_, i) => 300 + i % 100);
  change(power);
  return { kind: "hourly", axis: { start: Date.UTC(2023, 0, 1), length: power.length }, power };
}

/** Builds the months of 2023 at a capacity factor of 0.3. */
function months(
  change: (energy: number, month: number) => number = (energy) => energy,
): Production {
  const start = (month: number) =>
    Temporal.PlainDate.from({ year: 2023, month: 1, day: 1 }).add({ months: month })
      .toZonedDateTime(turbine.timeZone).epochMilliseconds;
  return {
    kind: "periods",
    periods: Array.from({ length: 12 }, (_, i) => ({
      label: `2023-${String(i + 1).padStart(2, "0")}`,
      start: start(i),
      end: start(i + 1),
      energy: change(0.3 * 1000 * (start(i + 1) - start(i)) / HOUR, i + 1),
    })),
  };
}

function listMasked(production: Production, exclusions: readonly Exclusion[] = []): number[] {
  const { inputs } = checkProduction([production], turbine, exclusions);
  return [...inputs[0].masked!].flatMap((flag, i) => flag ? [i] : []);
}

describe("checkProduction()", () => {
  it("finds nothing in clean production", () => {
    const { inputs, findings } = checkProduction([hours(), months()], turbine);
    assertEquals(findings, []);
    for (const { masked } of inputs) assertEquals(masked!.includes(1), false);
  });

  it("masks a few hours out of range, and names them", () => {
    const production = hours((power) => power.set([1051, -21], 100));
    assertEquals(listMasked(production), [100, 101]);
    assertEquals(checkProduction([production], turbine).findings, [
      "out of range, 2 h: 2023-01 (2 h). No turbine can produce that: check the unit, the rated power, " +
      "the number of units and the marks for missing values. The fit excludes them, and they do not count as valid.",
    ]);
  });

  it("keeps standby consumption and short overshoot", () => {
    assertEquals(listMasked(hours((power) => power.set([1050, -20], 100))), []);
  });

  it("treats many hours out of range as a wrong unit", () => {
    const production = hours((power) => power.fill(3e5, 0, 500));
    assertThrows(
      () => checkProduction([production], turbine),
      ArgumentError,
      "Cannot use the production of T in 2023-01 to 2024-01: mean capacity factor of 17.5, largest 300: " +
        "probably 1000 times too much, such as kWh read as MWh. " +
        "Check the unit, the rated power and the number of units",
    );
  });

  it("does not count missing hours as out of range", () => {
    assertEquals(listMasked(hours((power) => power.fill(NaN, 0, 8000))), []);
  });

  it("treats one month out of range as a wrong unit", () => {
    assertThrows(
      () =>
        checkProduction([months((energy, month) => month === 5 ? 4 * energy : energy)], turbine),
      ArgumentError,
      "Cannot use the production of T: 2023-05: capacity factor of 120.0 %",
    );
  });

  it("masks a month of standstill", () => {
    assertEquals(listMasked(months((energy, month) => month === 5 ? energy / 100 : energy)), [4]);
  });

  it("S5: judges the energy of a month by the hours that it covers", () => {
    // A mean of 30 % of rated power in a quarter of the hours is 1.2 times their possible energy.
    const withShare = (share: number, factor: number) => {
      const production = months((energy, month) => month === 5 ? factor * energy : energy);
      return production.kind === "hourly" ? production : {
        ...production,
        periods: production.periods.map((period, i) => i === 4 ? { ...period, share } : period),
      };
    };
    assertThrows(
      () => checkProduction([withShare(0.25, 1)], turbine),
      ArgumentError,
      "2023-05: capacity factor of 120.0 %",
    );
    assertEquals(listMasked(withShare(0.5, 1)), []);
    // A mean of 0.9 % of rated power in a month is a standstill, but not in a tenth of its hours.
    assertEquals(listMasked(withShare(1, 0.03)), [4]);
    assertEquals(listMasked(withShare(0.1, 0.03)), []);
    assertEquals(listMasked(withShare(0, 0.03)), []);
  });

  it("S10: keeps days without power and wind, and masks days without power but with wind", () => {
    const production = hours((power) => power.fill(0, 1000, 1100).fill(0, 2000, 2100));
    const { power: { length }, axis } = production as HourlyProduction;
    const hub: HubConditions = {
      axis,
      stamp: "start",
      windSpeed: new Float64Array(length).fill(8).fill(2, 1000, 1100),
      windDirection: new Float64Array(length),
      temperature: new Float64Array(length),
      airDensity: new Float64Array(length).fill(1.225),
      logDensityRatio: new Float64Array(length),
      distance: 0,
      notes: [],
    };
    const { inputs, findings } = checkProduction([production], turbine, [], [], hub);
    assertEquals(findRuns(length, (i) => inputs[0].masked![i] === 1), [{ from: 2000, to: 2100 }]);
    assertEquals(findings.length, 1);
    assertEquals(listMasked(production).length, 200);
  });

  it("masks the hours of excluded days in the turbine's zone, both days included", () => {
    const masked = listMasked(hours(), [{ from: "2023-03-26", to: "2023-03-26", reason: "r" }]);
    // The day of the change to summer time has 23 hours and begins at 23:00 UTC.
    const first = (Date.UTC(2023, 2, 25, 23) - Date.UTC(2023, 0, 1)) / HOUR;
    assertEquals([masked[0], masked.length], [first, 23]);
  });

  it("masks no hour for days before or after the production", () => {
    for (const year of ["2020", "2030"]) {
      const exclusion = { from: `${year}-01-01`, to: `${year}-12-31`, reason: "r" };
      assertEquals(listMasked(hours(), [exclusion]), []);
    }
  });

  it("masks the months that excluded days touch", () => {
    const exclusion = { from: "2023-02-28", to: "2023-04-01", reason: "r" };
    assertEquals(listMasked(months(), [exclusion]), [1, 2, 3]);
  });
});
