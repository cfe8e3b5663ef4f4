import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { Production } from "../../../src/windindex/calibration/production.ts";
import { computePeriodEnergy } from "../../../src/windindex/scaling/energy_ladder.ts";
import { buildTrainingSet } from "../../../src/windindex/calibration/training.ts";
import { computeTrainingEnergies } from "../../../src/windindex/calibration/training_energies.ts";
import { TURBINE } from "../_synthetic.ts";
import { buildHourly, buildPeriods, buildTraining, buildWorld, monthsOfYear } from "../_worlds.ts";

const K = 0.9; // a rung of the ladders: modelled energies are exact there
const world = buildWorld({ kind: "factor", k: K }, { years: [2013, 2018], seed: 21 });
const years = (first: number, last: number) =>
  Array.from({ length: last - first + 1 }, (_, i) => String(first + i));

const kindsOf = (...productions: Production[]) =>
  [
    ...buildTraining(world, productions).modelled.keys(),
  ].sort();

describe("computeTrainingEnergies() tries", () => {
  it("only the factor from annual energies, however many", () => {
    for (let last = 2013; last <= 2018; last++) {
      assertEquals(kindsOf(buildPeriods(world, years(2013, last))), ["factor"]);
    }
  });

  it("parts of the day and sectors too with six months of hours", () => {
    const year = buildHourly(world, 2018);
    const part = (days: number) => {
      const length = 24 * days;
      return { ...year, axis: { ...year.axis, length }, power: year.power.slice(0, length) };
    };
    assertEquals(kindsOf(part(150)), ["factor"]);
    assertEquals(kindsOf(part(180)), ["factor", "hour", "sector"]);
    assertEquals(kindsOf(buildPeriods(world, monthsOfYear(2018))), ["factor"]);
  });

  it("seasons too with 24 months, of hours or not: one windy winter is no season", () => {
    const months = [2016, 2017].flatMap(monthsOfYear);
    assertEquals(kindsOf(buildPeriods(world, months.slice(1))), ["factor"]);
    assertEquals(kindsOf(buildPeriods(world, months)), ["factor", "season"]);
    assertEquals(kindsOf(buildHourly(world, 2018)), ["factor", "hour", "sector"]);
    const mixed = [buildPeriods(world, monthsOfYear(2017)), buildHourly(world, 2018)];
    assertEquals(kindsOf(...mixed), ["factor", "hour", "season", "sector"]);
    // A year shows no season.
    assertEquals(kindsOf(buildPeriods(world, ["2015"]), buildPeriods(world, months.slice(1))), [
      "factor",
    ]);
  });

  it("no kinds but those requested, and always the factor", () => {
    const kinds = [...buildTraining(world, [buildHourly(world, 2018)], ["sector"]).modelled.keys()];
    assertEquals(kinds.sort(), ["factor", "sector"]);
  });
});

describe("computeTrainingEnergies()", () => {
  it("models the produced energies of hours, months and years", () => {
    const { periods, modelled, produced } = buildTraining(world, [
      buildHourly(world, 2018),
      buildPeriods(world, monthsOfYear(2015)),
      buildPeriods(world, ["2013"]),
    ]);
    assertEquals(periods.map(({ label }) => label), [
      "2013",
      ...monthsOfYear(2015),
      ...monthsOfYear(2018),
    ]); // in order of time
    const { energy, hours } = produced.get("factor")!;
    periods.forEach((period, i) => {
      const modelledEnergy = computePeriodEnergy(modelled.get("factor")!, i, {
        kind: "factor",
        k: K,
      });
      assertAlmostEquals(modelledEnergy / energy[i], 1, 1e-9);
      assertEquals([energy[i], hours[i]], [period.produced, period.hours]);
    });
  });

  it("knows the energy of a month in its season, but not of a year", () => {
    const { produced } = buildTraining(world, [
      buildPeriods(world, ["2013", "2014"]),
      buildPeriods(world, [...monthsOfYear(2017), ...monthsOfYear(2018)]),
    ]);
    const { byGroup, energy } = produced.get("season")!;
    assert(byGroup.slice(0, 8).every(Number.isNaN));
    const seasons = [0, 0, 1, 1, 1, 2, 2, 2, 3, 3, 3, 0];
    [...seasons, ...seasons].forEach((season, month) => {
      const period = 2 + month;
      const seasonal = [0, 1, 2, 3].map((group) => group === season ? energy[period] : 0);
      assertEquals([...byGroup.slice(4 * period, 4 * period + 4)], seasonal);
    });
  });

  it("shares the energy of hours among groups without a loss", () => {
    for (const stamp of ["instant", "start"] as const) {
      const world = buildWorld({ kind: "factor", k: K }, { seed: 22, stamp });
      const { produced, periods } = buildTraining(world, [buildHourly(world, 2017, 2018)]);
      for (const kind of ["season", "hour", "sector"] as const) {
        const { byGroup, energy } = produced.get(kind)!;
        const groups = byGroup.length / periods.length;
        periods.forEach((_, i) => {
          const sum = byGroup.slice(i * groups, (i + 1) * groups).reduce((a, b) => a + b);
          assertAlmostEquals(sum / energy[i], 1, 1e-12);
        });
      }
    }
  });

  it("has the compared hours if production is hourly", () => {
    const hourly = buildHourly(world, 2018);
    hourly.power.fill(NaN, 0, 100);
    const { produced } = buildTraining(world, [hourly]);
    assertEquals(produced.get("factor")!.hours.slice(0, 2), Float64Array.of(644, 672));
  });

  it("leaves out periods that do not count", () => {
    const production = buildPeriods(world, monthsOfYear(2018));
    const masked = new Uint8Array(12).fill(1, 3, 5);
    const set = buildTrainingSet(world.hub, [{ production, masked }], TURBINE.timeZone);
    const { periods, modelled } = computeTrainingEnergies(set, world.hub, TURBINE);
    const labels = monthsOfYear(2018).filter((_, i) => i < 3 || i >= 5);
    assertEquals(periods.map(({ label }) => label), labels);
    assertEquals(modelled.get("factor")!.periods, 10);
  });

  it("S3: models with the usual smoothing of the curve, or the requested one", () => {
    const production = buildPeriods(world, ["2018"]);
    const set = buildTrainingSet(world.hub, [{ production }], TURBINE.timeZone);
    const energies = [undefined, 1, 2].map((smoothing) => {
      const smoothed = computeTrainingEnergies(set, world.hub, TURBINE, ["factor"], smoothing);
      return computePeriodEnergy(smoothed.modelled.get("factor")!, 0, { kind: "factor", k: K });
    });
    assertEquals(energies[0], energies[1]);
    assert(Math.abs(energies[2] / energies[1] - 1) > 0.01, String(energies));
  });

  it("SC1: smooths more for annual energies the further the climate point is, up to 2 m/s", () => {
    const smoothings = (labels: readonly string[]) =>
      [0, 9, 20, 45].map((distance) => {
        const hub = { ...world.hub, distance };
        const set = buildTrainingSet(
          hub,
          [{ production: buildPeriods(world, labels) }],
          TURBINE.timeZone,
        );
        return computeTrainingEnergies(set, hub, TURBINE).curve.smoothing;
      });
    // hypot(1, 9 / 15) = 1.166, hypot(1, 20 / 15) = 1.667; hypot(1, 3) is beyond the limit.
    assertEquals(smoothings(["2018"]), [1, 1.2, 1.7, 2]);
    assertEquals(smoothings(monthsOfYear(2018)), [1, 1, 1, 1]);
  });

  it("leaves its input unchanged", () => {
    const production = buildHourly(world, 2018);
    const set = buildTrainingSet(world.hub, [{ production }], TURBINE.timeZone);
    const before = structuredClone([set, world.hub]);
    computeTrainingEnergies(set, world.hub, TURBINE);
    assertEquals([set, world.hub], before as typeof before);
  });
});
