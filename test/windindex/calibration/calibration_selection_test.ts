/**
 * Scaling that calibration selects, in worlds with a known truth.
 *
 * @module
 */
import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { HOUR } from "../../../src/time/hourly.ts";
import { calibrate, type Calibration } from "../../../src/windindex/calibration/calibration.ts";
import { DEFAULT_SMOOTHING } from "../../../src/windindex/calibration/training_energies.ts";
import { computePowerAtStamps } from "../../../src/windindex/power_model.ts";
import type { Production } from "../../../src/windindex/calibration/production.ts";
import type { Turbine } from "../../../src/windindex/turbine/turbine.ts";
import { scaleSpeed, type WindScaling } from "../../../src/windindex/scaling/wind_scaling.ts";
import { hours, TURBINE } from "../_synthetic.ts";
import {
  buildHourly,
  buildPeriods,
  buildTraining,
  buildWorld,
  monthsOfYear,
  type World,
  type WorldOptions,
} from "../_worlds.ts";

const TWO_YEARS = [...monthsOfYear(2017), ...monthsOfYear(2018)];

const TRUTHS = {
  sector: {
    kind: "sector",
    factors: Array.from({ length: 12 }, (_, i) => 0.9 + 0.08 * Math.cos((i - 8) * Math.PI / 6)),
  },
  season: { kind: "season", factors: [0.95, 0.9, 0.85, 0.9] },
  hour: { kind: "hour", factors: [0.98, 0.9, 0.82, 0.9] },
} as const;

function assertFactors({ scaling }: Calibration, truth: WindScaling, bound: number): void {
  assertEquals(scaling.kind, truth.kind);
  if (!("factors" in scaling) || !("factors" in truth)) throw new TypeError(scaling.kind);
  scaling.factors.forEach((factor, i) => assertAlmostEquals(factor, truth.factors[i], bound));
}

/** Modelled energy equals produced energy over all periods, weighted. */
function assertSameTotal({ periods }: Calibration): void {
  const used = periods.filter((period) => period.used);
  const sum = (field: "modelled" | "produced") =>
    used.reduce((total, period) => total + period.weight * period[field]!, 0);
  assertAlmostEquals(sum("modelled") / sum("produced"), 1, 1e-9);
}

describe("calibrate() finds the scaling behind the production", () => {
  for (const stamp of ["start", "instant"] as const) {
    // An hour between two instants of different groups contains half of each, so the factors of the parts of the day
    // come out 8 % closer to each other than they are (0.007 of 0.08).
    const blur = stamp === "instant" ? 0.009 : 0.001;

    it(`factors by sector (${stamp})`, () => {
      const world = buildWorld(TRUTHS.sector, { seed: 2, stamp });
      const calibration = calibrate(buildTraining(world, [buildHourly(world, 2017, 2018)]));
      assertFactors(calibration, TRUTHS.sector, stamp === "instant" ? 0.004 : 0.001);
      assertSameTotal(calibration);
      assert(calibration.residual! < 0.003, String(calibration.residual));
    });

    it(`factors by season (${stamp})`, () => {
      const world = buildWorld(TRUTHS.season, { seed: 3, stamp });
      const calibration = calibrate(buildTraining(world, [buildHourly(world, 2017, 2018)]));
      assertFactors(calibration, TRUTHS.season, 0.001);
      assertSameTotal(calibration);
    });

    it(`factors by the part of the day (${stamp})`, () => {
      const world = buildWorld(TRUTHS.hour, { seed: 4, stamp });
      const calibration = calibrate(buildTraining(world, [buildHourly(world, 2017, 2018)]));
      assertFactors(calibration, TRUTHS.hour, blur);
      assertSameTotal(calibration);
    });
  }

  it("factors by season from monthly energies alone", () => {
    const seasonal = buildWorld(TRUTHS.season, { seed: 6 });
    const calibration = calibrate(buildTraining(seasonal, [buildPeriods(seasonal, TWO_YEARS)]));
    assertFactors(calibration, TRUTHS.season, 0.001);
  });

  it("factors by sector if months have noise of 2 %, in each of five worlds", () => {
    for (let seed = 1; seed <= 5; seed++) {
      const world = buildWorld(TRUTHS.sector, { seed, monthNoise: 0.02 });
      const calibration = calibrate(buildTraining(world, [buildHourly(world, 2017, 2018)]));
      assertFactors(calibration, TRUTHS.sector, 0.015);
      assertSameTotal(calibration);
    }
  });

  for (const stamp of ["start", "instant"] as const) {
    it(`factors by sector on the clock of a half-hour zone (${stamp})`, () => {
      const turbine: Turbine = { ...TURBINE, timeZone: "Asia/Kolkata" };
      const world = buildWorld(TRUTHS.sector, { seed: 8, stamp, turbine });
      const calibration = calibrate(buildTraining(world, [halfHourly(world, TRUTHS.sector)]));
      assertFactors(calibration, TRUTHS.sector, 0.006);
      assertSameTotal(calibration);
    });
  }

  it("the plain factor from a year, months and hours together", () => {
    const world = buildWorld({ kind: "factor", k: 0.93 }, { years: [2016, 2018], seed: 9 });
    const calibration = calibrate(buildTraining(world, [
      buildPeriods(world, ["2016"]),
      buildPeriods(world, monthsOfYear(2017)),
      buildHourly(world, 2018),
    ]));
    assertEquals(calibration.periods.length, 25);
    assertEquals(calibration.candidates.map(({ kind, smoothing }) => [kind, smoothing]), [
      ["factor", 1],
      ["season", 1],
      ["hour", 1],
      ["sector", 1],
      // The selected kind, by leaving out whole years: with the usual smoothing, and with more and less.
      ["factor", 1],
      ["factor", 0.5],
      ["factor", 1.5],
      ["factor", 2],
    ]);
    assertAlmostEquals(calibration.k, 0.93, 1e-9);
  });

  it("factors by sector from hours and months together", () => {
    const world = buildWorld(TRUTHS.sector, { years: [2016, 2018], seed: 10 });
    const calibration = calibrate(buildTraining(world, [
      buildPeriods(world, ["2016"]),
      buildPeriods(world, monthsOfYear(2017)),
      buildHourly(world, 2018),
    ]));
    assertFactors(calibration, TRUTHS.sector, 0.006);
    assertSameTotal(calibration);
  });
});

/** Power of a turbine that gave only 58 % of it in May 2018. */
function lowerMay({ hub, power, turbine }: World): Float64Array {
  const at = (month: number) =>
    (Temporal.PlainDate.from({ year: 2018, month, day: 1 }).toZonedDateTime(turbine.timeZone)
      .epochMilliseconds - hub.axis.start) / HOUR;
  return power.map((value, i) => i >= at(5) && i < at(6) ? 0.58 * value : value);
}

/** Hours of the clock in a half-hour zone, over the year 2018 there. */
function halfHourly({ hub, turbine }: World, truth: WindScaling): Production {
  const speed = scaleSpeed(truth, hub, turbine);
  const stamps = computePowerAtStamps(turbine, speed, hub.logDensityRatio, DEFAULT_SMOOTHING);
  const axis = hours("2017-12-31T18:30Z", "2018-12-31T18:30Z");
  const first = (axis.start - 30 * 60_000 - hub.axis.start) / HOUR;
  // Half an hour each of two means, or of the polygon through three instants.
  const power = Float64Array.from({ length: axis.length }, (_, i) => {
    const [a, b, c] = stamps.subarray(first + i, first + i + 3);
    return hub.stamp === "instant" ? (a + 6 * b + c) / 8 : (a + b) / 2;
  });
  return { kind: "hourly", axis, power };
}

describe("calibrate() keeps to the plain factor", () => {
  /** Calibrations of 50 worlds in which one factor is true and months have noise of 5 %. */
  function worlds(options: WorldOptions, production: (world: World) => Production): Calibration[] {
    return Array.from({ length: 50 }, (_, i) => {
      const world = buildWorld({ kind: "factor", k: 0.93 }, {
        seed: i + 1,
        monthNoise: 0.05,
        ...options,
      });
      return calibrate(buildTraining(world, [production(world)]));
    });
  }

  const plain = (calibrations: readonly Calibration[]) =>
    calibrations.filter(({ scaling }) => scaling.kind === "factor").length;

  it("in most of 50 worlds of two years of monthly energies", () => {
    const calibrations = worlds({}, (world) => buildPeriods(world, TWO_YEARS));
    assert(plain(calibrations) >= 40, `${plain(calibrations)} of 50`);
    const mean = calibrations.reduce((sum, { k }) => sum + k, 0) / 50;
    assertAlmostEquals(mean, 0.93, 0.002); // one k has a standard deviation of 0.0043
  });

  const ofHours = worlds({ years: [2018, 2018] }, (world) => buildHourly(world, 2018));

  it("in most of 50 worlds of one year of hours", () => {
    assert(plain(ofHours) >= 30, `${plain(ofHours)} of 50`);
  });

  it("if groups that do not differ would be selected", () => {
    // All groups shrunk to one factor are the plain factor by another name.
    const equalized = ofHours.filter(({ scaling }) =>
      "factors" in scaling && Math.max(...scaling.factors) - Math.min(...scaling.factors) < 1e-9
    );
    assertEquals(equalized.map(({ scaling }) => scaling.kind), []);
  });

  it("if the candidate predicts unseen months worse", () => {
    const worse = ofHours.filter(({ scaling, candidates }) =>
      candidates.find(({ kind }) => kind === scaling.kind)!.error > candidates[0].error
    );
    assertEquals(worse.map(({ scaling }) => scaling.kind), []);
  });

  it("in every world without noise, where no candidate is better except by rounding", () => {
    const kinds = Array.from({ length: 15 }, (_, i) => {
      const k = 0.66 + 0.039 * i;
      const world = buildWorld({ kind: "factor", k }, { seed: 100 + i });
      const calibration = calibrate(buildTraining(world, [buildPeriods(world, TWO_YEARS)]));
      assertAlmostEquals(calibration.k, k, 1e-9);
      return calibration.scaling.kind;
    });
    assertEquals(kinds.filter((kind) => kind !== "factor"), []);
  });

  it("with up to five annual energies, however badly it fits", () => {
    const world = buildWorld(TRUTHS.season, { years: [2013, 2018], seed: 11, monthNoise: 0.2 });
    for (let last = 2013; last <= 2017; last++) {
      const labels = Array.from({ length: last - 2012 }, (_, i) => String(2013 + i));
      const calibration = calibrate(buildTraining(world, [buildPeriods(world, labels)]));
      assertEquals(calibration.scaling, { kind: "factor", k: calibration.k });
      assertEquals(calibration.candidates.length, last === 2013 ? 0 : 1);
    }
  });

  it("with five months, however badly it fits", () => {
    const world = buildWorld(TRUTHS.sector, { years: [2018, 2018], seed: 12 });
    const calibration = calibrate(
      buildTraining(world, [buildPeriods(world, monthsOfYear(2018).slice(0, 5))]),
    );
    assertEquals(calibration.scaling.kind, "factor");
    assertEquals(calibration.candidates.map(({ kind }) => kind), ["factor"]);
  });

  it("if outages leave fewer than six periods", () => {
    const world = buildWorld(TRUTHS.hour, { years: [2018, 2018], seed: 13 });
    const { periods } = buildPeriods(world, monthsOfYear(2018).slice(0, 8));
    const broken = periods.map((period, i) =>
      i < 3 ? { ...period, energy: period.energy / 3 } : period
    );
    const calibration = calibrate(buildTraining(world, [{ kind: "periods", periods: broken }]));
    assertEquals(calibration.periods.filter(({ used }) => used).length, 5);
    assertEquals(calibration.scaling.kind, "factor");
  });
});

describe("calibrate()", () => {
  it("leaves out months that were outages, and notes how much they gave", () => {
    const world = buildWorld({ kind: "factor", k: 0.93 }, { years: [2018, 2018], seed: 14 });
    const { periods } = buildPeriods(world, monthsOfYear(2018));
    const broken = periods.map((period, i) =>
      i === 4 ? { ...period, energy: period.energy / 2 } : period
    );
    const calibration = calibrate(buildTraining(world, [{ kind: "periods", periods: broken }]));
    assertAlmostEquals(calibration.k, 0.93, 1e-9);
    const [may] = calibration.periods.filter(({ used }) => !used);
    assertEquals([may.label, may.modelled, may.weight], ["2018-05", null, 0]);
    // S11: the energy that it should have given is still predicted: twice as much.
    assertAlmostEquals(may.unseen! / may.produced, 2, 1e-3);
    // The common factor is slightly low for the half month: 50 %, within a percent.
    const share = Number(
      /^outage: produced (\d+) % of the energy expected from its wind and/.exec(may.reason)![1],
    );
    assertAlmostEquals(share, 50, 2);
  });

  it("S4: leaves out no month of hourly production for its energy, because its hours would show an outage", () => {
    const world = buildWorld({ kind: "factor", k: 0.93 }, { seed: 14, monthNoise: 0.03 });
    const others = calibrate(buildTraining(world, [buildHourly(world, 2017, 2018)], ["factor"]));
    const low = { ...world, power: lowerMay(world) };
    const calibration = calibrate(buildTraining(low, [buildHourly(low, 2017, 2018)], ["factor"]));
    assertEquals(
      calibration.periods.map(({ used, reason }) => [used, reason]),
      TWO_YEARS.map(() => [
        true,
        "",
      ]),
    );
    // The reanalysis is wrong in that month: it counts less than any other, and hardly moves k.
    const weights = calibration.periods.map(({ weight }) => weight);
    assertEquals(TWO_YEARS[weights.indexOf(Math.min(...weights))], "2018-05");
    assert(Math.min(...weights) < 0.25, String(weights));
    assertAlmostEquals(calibration.k, others.k, 0.002);
    // As monthly energies it would be an outage.
    const monthly = calibrate(buildTraining(low, [buildPeriods(low, TWO_YEARS)], ["factor"]));
    assertEquals(monthly.periods.filter(({ used }) => !used).map(({ label }) => label), [
      "2018-05",
    ]);
  });

  it("S4: gives months that are 30 % wrong less weight, in either direction", () => {
    const world = buildWorld({ kind: "factor", k: 0.93 }, { seed: 17, monthNoise: 0.03 });
    const { periods } = buildPeriods(world, TWO_YEARS);
    const plain = calibrate(buildTraining(world, [{ kind: "periods", periods }], ["factor"])).k;
    for (const share of [0.75, 1.3]) {
      const wrong = periods.map((period, i) =>
        i === 9 ? { ...period, energy: share * period.energy } : period
      );
      const calibration = calibrate(
        buildTraining(world, [{ kind: "periods", periods: wrong }], ["factor"]),
      );
      assertEquals(calibration.periods.every(({ used }) => used), true);
      assert(calibration.periods[9].weight < 0.35, String(calibration.periods[9].weight));
      assertAlmostEquals(calibration.k, plain, 0.002); // 25 % of a month of 24 would be 0.006
    }
  });

  it("predicts unseen months worse than those it was fitted to, and reports both errors", () => {
    const world = buildWorld({ kind: "factor", k: 0.93 }, { seed: 15, monthNoise: 0.05 });
    const { periods, candidates, residual } = calibrate(
      buildTraining(world, [buildPeriods(world, TWO_YEARS)], ["factor"]),
    );
    const squares = (field: "modelled" | "unseen") =>
      periods.reduce((sum, period) => sum + (period[field]! - period.produced) ** 2, 0);
    assert(squares("unseen") > squares("modelled"));
    assert(squares("unseen") < 1.3 * squares("modelled"));
    // 5 % of noise; the error of the mean power of months and the residual of energies agree roughly.
    assertAlmostEquals(candidates[0].error, 0.05, 0.02);
    assertAlmostEquals(residual!, candidates[0].error, 0.01);
  });

  it("finds the factor of one stormy month that gives less at 1.5 times the wind", () => {
    // Like 10 of the 147 months of 1997 to 2008 at Horns Rev.
    const world = buildWorld({ kind: "factor", k: 0.9 }, { years: [2018, 2018], seed: 6 });
    const windSpeed = world.hub.windSpeed.map((speed) => 4 + 1.5 * speed);
    const hub = { ...world.hub, windSpeed };
    const speed = windSpeed.map((value) => 0.9 * value);
    const stamps = computePowerAtStamps(TURBINE, speed, hub.logDensityRatio, DEFAULT_SMOOTHING);
    const power = stamps.map((value, i) => (value + stamps[i + 1]) / 2);
    const january = { hub, power, turbine: TURBINE };
    const { k } = calibrate(buildTraining(january, [buildPeriods(january, ["2018-01"])]));
    assertAlmostEquals(k, 0.9, 1e-9);
  });

  it("leaves production, climate and training energies unchanged", () => {
    const world = buildWorld(TRUTHS.sector, { years: [2018, 2018], seed: 16 });
    const training = buildTraining(world, [buildHourly(world, 2018)]);
    const { curve: _, ...given } = training; // its table is filled on first use
    const before = structuredClone(given);
    calibrate(training);
    assertEquals(given, before as typeof given);
  });
});

describe("calibrate() smooths the power curve", () => {
  it("S3: as usual in most worlds with noise in the months, although three others are compared", () => {
    const smoothings = Array.from({ length: 20 }, (_, i) => {
      const world = buildWorld({ kind: "factor", k: 0.93 }, { seed: i + 1, monthNoise: 0.05 });
      return calibrate(buildTraining(world, [buildPeriods(world, TWO_YEARS)])).smoothing;
    });
    // By chance one in six is better by a standard error with more smoothing, one in six with less.
    const usual = smoothings.filter((one) => one === DEFAULT_SMOOTHING).length;
    assert(usual >= 10, String(smoothings));
  });

  it("S3: as much as the production's curve, if unseen months clearly favour it", () => {
    for (const [seed, smoothing] of [[21, 0.5], [22, 1], [23, 1.5], [24, 2]]) {
      const world = buildWorld(TRUTHS.sector, { seed, smoothing, monthNoise: 0.002 });
      const calibration = calibrate(buildTraining(world, [buildHourly(world, 2017, 2018)]));
      assertEquals([calibration.scaling.kind, calibration.smoothing], ["sector", smoothing]);
      const byYears = calibration.candidates.filter(({ folding }) => folding === "years");
      assertEquals(byYears.map((candidate) => candidate.smoothing).toSorted(), [0.5, 1, 1.5, 2]);
      assertSameTotal(calibration);
    }
  });

  it("S3: as usual with fewer than six periods, or without another one to compare", () => {
    const world = buildWorld({ kind: "factor", k: 0.93 }, { seed: 25, smoothing: 2 });
    const five = buildPeriods(world, monthsOfYear(2018).slice(0, 5));
    assertEquals(calibrate(buildTraining(world, [five])).smoothing, DEFAULT_SMOOTHING);
    const training = buildTraining(world, [buildPeriods(world, TWO_YEARS)]);
    assertEquals(calibrate(training, []).smoothing, DEFAULT_SMOOTHING);
  });
});
