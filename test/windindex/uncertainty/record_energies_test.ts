import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { computeMonthlyEnergies } from "../../../src/windindex/index/monthly_energy.ts";
import { computeModelledPower } from "../../../src/windindex/power_model.ts";
import type { WindScaling } from "../../../src/windindex/scaling/wind_scaling.ts";
import { RecordEnergies } from "../../../src/windindex/uncertainty/uncertainty.ts";
import { hours, hubWith, listMonths, TURBINE } from "../_synthetic.ts";
import { buildHourly, buildTraining, buildWorld } from "../_worlds.ts";

describe("RecordEnergies", () => {
  it("has the hours of each month times their power", () => {
    // 8 m/s in January and 6 m/s in February of the turbine's zone, spread by 1 m/s; the record continues for a day.
    const turbine = { ...TURBINE, timeZone: "UTC" };
    const axis = hours("2018-01-01T00:00Z", "2018-03-02T00:00Z");
    const speed = new Float64Array(axis.length).fill(6).fill(8, 0, 744);
    const hub = {
      ...hubWith(axis, speed, "start"),
      logDensityRatio: new Float64Array(axis.length),
    };
    const production = {
      kind: "hourly",
      axis,
      power: new Float64Array(axis.length).fill(500),
    } as const;
    const training = buildTraining({ hub, turbine, power: production.power }, [production]);
    const record = new RecordEnergies(training, listMonths(2018, [1, 1]));
    const energies = record.energiesAt({ kind: "factor", k: 1 });
    assertAlmostEquals(energies[0], 744 * training.curve.powerAt(8, 0), 1e-6);
    assertAlmostEquals(energies[1], 672 * training.curve.powerAt(6, 0), 1e-6);
    // At 0.75 times the wind, a rung of the ladders.
    const less = record.energiesAt({ kind: "factor", k: 0.75 });
    assertAlmostEquals(less[0], 744 * training.curve.powerAt(6, 0), 1e-6);
  });

  it("is close to the months of the model for every kind of scaling", () => {
    const world = buildWorld({ kind: "factor", k: 0.93 }, { seed: 3, stamp: "start" });
    const { hub, turbine } = world;
    const training = buildTraining(world, [buildHourly(world, 2017, 2018)]);
    const scalings: WindScaling[] = [
      { kind: "factor", k: 0.937 },
      { kind: "season", factors: [0.95, 0.9, 0.85, 0.9] },
      { kind: "hour", factors: [0.98, 0.9, 0.82, 0.9] },
      { kind: "sector", factors: Array.from({ length: 12 }, (_, i) => 0.8 + i / 50) },
    ];
    for (const scaling of scalings) {
      const power = computeModelledPower(turbine, { scaling, smoothing: 1 }, hub);
      const months = computeMonthlyEnergies(power, hub.axis, turbine.timeZone)
        .filter(({ completeness }) => completeness === 1);
      const energies = new RecordEnergies(training, months).energiesAt(scaling);
      assertEquals(energies.length, months.length);
      months.forEach(({ energy }, i) => assertAlmostEquals(energies[i] / energy!, 1, 1e-3));
    }
  });

  it("F34 leaves out hours without wind, and has no energy for months outside of the record", () => {
    const world = buildWorld({ kind: "factor", k: 0.93 }, { seed: 4 });
    const training = buildTraining(world, [buildHourly(world, 2018)]);
    const windSpeed = world.hub.windSpeed.slice().fill(NaN, 48, 148);
    const hub = { ...world.hub, windSpeed };
    const months = listMonths(2017, new Array<number>(36).fill(1)); // to the end of 2019
    const energies = [world.hub, hub].map((conditions) =>
      new RecordEnergies({ ...training, hub: conditions }, months).energiesAt({
        kind: "factor",
        k: 1,
      })
    );
    assert(energies[1][0] > 0 && energies[1][0] < energies[0][0]);
    assertEquals(energies[1].slice(1, 24), energies[0].slice(1, 24));
    assert(energies[0].slice(25).every(Number.isNaN)); // the record covers January 2019 partly
  });
});
