import { assertAlmostEquals, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { HOUR } from "../../../src/time/hourly.ts";
import { computeModelledPower } from "../../../src/windindex/power_model.ts";
import {
  combineHours,
  computeModelledHours,
  type ModelledHours,
} from "../../../src/windindex/reanalyses/modelled_hours.ts";
import { driftingSpeeds, hours, hubWith, TURBINE } from "../_synthetic.ts";

/** Hours from a start on, with ten times the power in the other columns. */
function list(
  start: number,
  power: readonly number[],
  preliminary?: readonly number[],
): ModelledHours {
  const times = (factor: number) => Float64Array.from(power, (value) => factor * value);
  return {
    axis: { start: start * HOUR, length: power.length },
    windSpeed: times(0.1),
    windDirection: times(2),
    temperature: times(0.5),
    airDensity: times(0.01),
    power: times(1),
    ...(preliminary ? { preliminary: Uint8Array.from(preliminary) } : {}),
  };
}

describe("computeModelledHours()", () => {
  it("has the calibrated wind, the power of the hours and their preliminary flags", () => {
    const axis = hours("2018-01-01T00:00Z", "2018-01-03T00:00Z");
    const preliminary = new Uint8Array(axis.length).fill(1, 40);
    const hub = { ...hubWith(axis, driftingSpeeds(axis.length, 51)), preliminary };
    const model = { scaling: { kind: "factor", k: 0.9 }, smoothing: 1.5 } as const;
    const modelled = computeModelledHours(TURBINE, model, hub);
    assertEquals(modelled.power, computeModelledPower(TURBINE, model, hub));
    modelled.windSpeed.forEach((speed, i) =>
      assertAlmostEquals(speed, 0.9 * hub.windSpeed[i], 1e-12)
    );
    // The hour before the first preliminary instant depends on it, too.
    assertEquals(modelled.preliminary!.indexOf(1), 39);
  });
});

describe("combineHours()", () => {
  it("is the weighted mean of all columns, with the direction of the first", () => {
    const combined = combineHours([
      { hours: list(0, [100, 200]), weight: 0.75 },
      { hours: list(0, [60, 400]), weight: 0.25 },
    ]);
    assertEquals([...combined.power], [90, 250]); // 75 + 15, 150 + 100
    assertEquals([...combined.windSpeed], [9, 25]);
    assertEquals([...combined.temperature], [45, 125]);
    assertEquals([...combined.windDirection], [200, 400]);
    assertEquals([...combined.source], [-1, -1]);
  });

  it("does not shorten the record if one ends earlier or begins later: the others continue alone", () => {
    const combined = combineHours([
      { hours: list(1, [100, 200]), weight: 0.5 },
      { hours: list(0, [10, 20, 40, 80]), weight: 0.5 },
    ]);
    assertEquals(combined.axis, { start: 0, length: 4 });
    assertEquals([...combined.power], [10, 60, 120, 80]);
    assertEquals([...combined.source], [1, -1, -1, 1]);
    // Hours after the end of one will change when it is extended; hours before its begin will not.
    assertEquals([...combined.preliminary!], [0, 0, 0, 1]);
  });

  it("takes one without a weight only in hours that none with a weight has", () => {
    const combined = combineHours([
      { hours: list(0, [100, NaN, 300, NaN]), weight: 1 },
      { hours: list(0, [1, 2, 3, NaN]), weight: 0 },
      { hours: list(0, [7, 8, 9, 10]), weight: 0 },
    ]);
    assertEquals([...combined.power], [100, 2, 300, 10]);
    assertEquals([...combined.source], [-1, 1, -1, 2]);
    assertEquals([...combined.preliminary!], [0, 0, 0, 1]); // the first one's hours end with the third
  });

  it("F34 has no value in an hour that none has", () => {
    const { power, source, windDirection } = combineHours([
      { hours: list(0, [100, NaN, 300]), weight: 0.5 },
      { hours: list(0, [200, NaN, 100]), weight: 0.5 },
    ]);
    assertEquals([...power], [150, NaN, 200]);
    assertEquals([source[1], windDirection[1]], [-2, NaN]);
  });

  it("is preliminary if one that takes part is", () => {
    const { preliminary } = combineHours([
      { hours: list(0, [100, 200, 300], [0, 0, 1]), weight: 0.5 },
      { hours: list(0, [100, 200, 300], [0, 1, 0]), weight: 0.5 },
      { hours: list(0, [100, 200, 300], [1, 0, 0]), weight: 0 },
    ]);
    assertEquals([...preliminary!], [0, 1, 1]);
  });

  it("is the single reanalysis if there is no other", () => {
    const single = list(0, [100, NaN, 300], [0, 0, 1]);
    const { source, ...combined } = combineHours([{ hours: single, weight: 1 }]);
    assertEquals(combined, single);
    assertEquals([...source], [-1, -2, -1]);
  });
});
