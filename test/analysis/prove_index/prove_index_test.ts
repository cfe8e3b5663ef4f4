import { assert, assertAlmostEquals, assertEquals, assertThrows } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  proveIndex,
  type ProveIndexOptions,
} from "../../../src/analysis/prove_index/prove_index.ts";
import { ArgumentError } from "../../../src/api/errors.ts";
import { extractNumbers } from "../../../src/frames/frame.ts";
import type { Production } from "../../../src/windindex/calibration/production.ts";
import type { TurbineTraining } from "../../../src/windindex/calibration/training.ts";
import {
  buildHourly,
  buildPeriods,
  buildWorld,
  monthsOfYear,
  type World,
} from "../../windindex/_worlds.ts";

const TRUTH = { kind: "factor", k: 0.93 } as const;

const trainingOf = (
  { hub, turbine }: Pick<World, "hub" | "turbine">,
  production: Production,
): TurbineTraining => ({
  turbine,
  inputs: [{ production }],
  climates: [{ serviceId: "era5", hub }],
});

const prove = (world: World, production: Production, options?: ProveIndexOptions) =>
  proveIndex(trainingOf(world, production), options);

describe("proveIndex()", () => {
  it("finds no error if production follows the climate, and needs no more months", () => {
    const world = buildWorld(TRUTH, { years: [2016, 2018], seed: 1 });
    const proof = prove(world, buildHourly(world, 2017));
    assert(proof.error < 0.1, String(proof.error));
    assertEquals([proof.hitRate, proof.monthsNeeded], [100, 0]);
    assertEquals(proof.frames.periods.getColumn("period").toArray(), monthsOfYear(2017));
    assertEquals(proof.frames.methods.getColumn("method").get(0), "index");
    const [index, , line, mean] = extractNumbers(proof.frames.methods, "error");
    assert(index < line && line < mean, `${index} ${line} ${mean}`);
  });

  it("misses months by their own scatter, and by the error of the others' level", () => {
    const world = buildWorld(TRUTH, { years: [2016, 2018], monthNoise: 0.06, seed: 2 });
    const proof = prove(world, buildPeriods(world, [2016, 2017, 2018].flatMap(monthsOfYear)));
    // Normal errors of 6 % have a mean size of 4.8 %; 36 months know their level to 1 %.
    assertAlmostEquals(proof.error, 4.8, 1);
    assert(proof.hitRate! >= 80 && proof.hitRate! <= 100, String(proof.hitRate));
    const { frames: { periods } } = proof;
    const [produced, predicted, low, high, index] = [
      "produced",
      "predicted",
      "low",
      "high",
      "index",
    ]
      .map((name) => extractNumbers(periods, name));
    produced.forEach((energy, i) => {
      assertAlmostEquals(index[i], 100 * (predicted[i] / energy - 1), 1e-9);
      assert(low[i] < predicted[i] && predicted[i] < high[i]);
    });
    const hits = [...produced.keys()].filter((i) =>
      low[i] <= produced[i] && produced[i] <= high[i]
    );
    assertAlmostEquals(100 * hits.length / 36, proof.hitRate!, 1e-9);
  });

  it("predicts each month without having seen it: its production changes nothing", () => {
    const world = buildWorld(TRUTH, { years: [2016, 2018], monthNoise: 0.05, seed: 3 });
    const input = buildPeriods(world, monthsOfYear(2017));
    const other = {
      ...input,
      periods: input.periods.map((period, i) =>
        i === 4 ? { ...period, energy: 1.1 * period.energy } : period
      ),
    };
    const [one, two] = [input, other].map((production) =>
      extractNumbers(prove(world, production).frames.periods, "predicted")
    );
    assertAlmostEquals(two[4], one[4], 1e-9);
    assert(Math.abs(two[3] / one[3] - 1) > 1e-5, "the others have seen it");
  });

  it("shows how errors shrink with more months, if months scatter independently", () => {
    const world = buildWorld(TRUTH, { years: [2016, 2018], monthNoise: 0.06, seed: 4 });
    const { frames: { lengths }, monthsNeeded } = prove(
      world,
      buildPeriods(world, monthsOfYear(2016)),
      { tolerance: 3 },
    );
    const [months, year, month, half] = ["months", "year_most", "month_most", "year_half"]
      .map((name) => extractNumbers(lengths, name));
    const at = (count: number) => months.indexOf(count);
    for (const [less, more] of [[1, 3], [3, 12], [12, 60], [60, 240]]) {
      assert(year[at(less)] > year[at(more)], `${year}`);
    }
    year.forEach((most, i) => assert(half[i] < most && most < month[i] + 1));
    const neededMonths = months.find((_, i) => year[i] <= 3)!;
    assertEquals(monthsNeeded, Math.max(0, neededMonths - 12));
    // A scatter of s and a level that moves by 2.5 % a year: nine of ten years within 1.645 sqrt(s^2 / 120 + 2.5^2 / 10).
    assertAlmostEquals(
      year[at(120)],
      1.645 * Math.hypot(6 / Math.sqrt(120), 2.5 / Math.sqrt(10)),
      0.5,
    );
  });

  it("is the same for the same seed; another one changes only the worlds", () => {
    const world = buildWorld(TRUTH, { years: [2016, 2018], monthNoise: 0.05, seed: 5 });
    const production = buildPeriods(world, monthsOfYear(2016));
    const [a, b, c] = [1, 1, 2].map((seed) => prove(world, production, { seed }).frames);
    assertEquals(a.lengths.toRecords(), b.lengths.toRecords());
    assertEquals(a.periods.toRecords(), c.periods.toRecords());
    assert(a.lengths.getColumn("year_most").get(0) !== c.lengths.getColumn("year_most").get(0));
  });

  it("names a month without production, and predicts the others", () => {
    const world = buildWorld(TRUTH, { years: [2016, 2018], monthNoise: 0.02, seed: 7 });
    const input = buildPeriods(world, ["2017-01", "2017-02", "2017-03"]);
    const [january, ...others] = input.periods;
    const periods = [{ ...january, energy: 0 }, ...others];
    const { frames, notes } = prove(world, { ...input, periods });
    assertEquals(frames.periods.getColumn("period").toArray(), ["2017-02", "2017-03"]);
    assert(notes.some((note) => note.includes("2017-01 (outage: produced 0 %")), notes.join(" "));
  });

  it("chooses the better of two reanalyses without each month", () => {
    const world = buildWorld(TRUTH, { years: [2016, 2018], seed: 6 });
    const production = buildHourly(world, 2016);
    const wrong = {
      ...world.hub,
      windSpeed: world.hub.windSpeed.map((speed, i) => speed * (1 + 0.2 * Math.sin(i / 900))),
    };
    const climates = [{ serviceId: "bad", hub: wrong }, { serviceId: "good", hub: world.hub }];
    const proof = proveIndex({ ...trainingOf(world, production), climates });
    assert(proof.error < 0.1, String(proof.error));
  });

  it("has errors of years, and neither intervals nor worlds from them", () => {
    const world = buildWorld(TRUTH, { years: [2013, 2018], monthNoise: 0.03, seed: 7 });
    const proof = prove(world, buildPeriods(world, ["2013", "2014", "2015", "2016"]));
    assertEquals([proof.hitRate, proof.monthsNeeded, proof.frames.lengths.height], [null, null, 0]);
    assertEquals(proof.frames.periods.getColumn("low").nullCount(), 4);
    assert(proof.notes.some((note) => note.includes("annual production")));
  });

  it("refuses what it cannot prove, and says what it needs", () => {
    const world = buildWorld(TRUTH, { years: [2016, 2018], seed: 8 });
    const one = trainingOf(world, buildPeriods(world, ["2016-05"]));
    assertThrows(
      () => proveIndex(one),
      ArgumentError,
      "but the record has 1. A period is valid if it has a week of production and climate data, and is not an outage. Give production of more periods",
    );
    assertThrows(
      () => proveIndex([one] as never),
      ArgumentError,
      "Give an entry from the result of readTraining()",
    );
    assertThrows(
      () => proveIndex(one, { tolerance: 0 }),
      ArgumentError,
      '"tolerance" is 0 %, but must be above 0 and below 100 %. Give a value such as 5',
    );
    assertThrows(() => proveIndex(one, { tolerence: 4 } as never), ArgumentError, '"tolerance"');
  });
});
