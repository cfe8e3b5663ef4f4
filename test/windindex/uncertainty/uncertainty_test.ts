import { assert, assertAlmostEquals, assertEquals, assertNotEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { calibrate } from "../../src/windindex/calibration/calibration.ts";
import {
  computeMonthlyEnergies,
  type MonthlyEnergy,
} from "../../src/windindex/index/monthly_energy.ts";
import { computeModelledPower } from "../../src/windindex/power_model.ts";
import type { Production } from "../../src/windindex/calibration/production.ts";
import { computeNormals } from "../../src/windindex/index/reference_period.ts";
import type { ScalingKind } from "../../src/windindex/scaling/scaling_energies.ts";
import { computeInterAnnualVariability } from "../../src/windindex/uncertainty/inter_annual.ts";
import { computeUncertainty } from "../../src/windindex/uncertainty/uncertainty.ts";
import { type Interval } from "../../src/windindex/uncertainty/interval.ts";
import type { WindScaling } from "../../src/windindex/scaling/wind_scaling.ts";
import { listMonths } from "./_synthetic.ts";
import {
  buildHourly,
  buildPeriods,
  buildTraining,
  buildWorld,
  monthsOfYear,
  type World,
  type WorldOptions,
} from "./_worlds.ts";

const K = 0.93;
const PLAIN: WindScaling = { kind: "factor", k: K };
const NOISY: WorldOptions = { years: [2016, 2018], monthNoise: 0.05 };
const THREE_YEARS = [2016, 2017, 2018].flatMap(monthsOfYear);
const REFERENCE = { years: [2016, 2017, 2018] };

/** Calibrates in a world and computes the uncertainty. */
function estimate(
  world: World,
  productions: readonly Production[],
  { kinds = ["factor"], draws = 200, seed = 1 }: {
    kinds?: readonly ScalingKind[];
    draws?: number;
    seed?: number;
  } = {},
) {
  const { hub, turbine } = world;
  const training = buildTraining(world, productions, kinds);
  const calibration = calibrate(training);
  const power = computeModelledPower(turbine, calibration.scaling, hub);
  const months = computeMonthlyEnergies(power, hub.axis, turbine.timeZone)
    .filter(({ year }) => REFERENCE.years.includes(year));
  const uncertainty = computeUncertainty(training, calibration, { months, reference: REFERENCE }, {
    draws,
    seed,
  });
  return { training, calibration, months, uncertainty };
}

const contains = ({ low, high }: Interval, value: number) => low < value && value < high;
const width = ({ low, high }: Interval) => Math.log(high / low);

/** Mean widths of the interval of k in 8 worlds, from so many months or years. */
function meanWidth(labels: readonly string[]): number {
  let sum = 0;
  for (let seed = 1; seed <= 8; seed++) {
    const world = buildWorld(PLAIN, { ...NOISY, seed });
    sum += width(estimate(world, [buildPeriods(world, labels)], { draws: 100 }).uncertainty.k!);
  }
  return sum / 8;
}

describe("computeUncertainty()", () => {
  it("has intervals that contain the estimates", () => {
    const world = buildWorld(PLAIN, { ...NOISY, seed: 1 });
    const { calibration, months, uncertainty } = estimate(world, [
      buildPeriods(world, THREE_YEARS),
    ]);
    const { k, longTerm } = uncertainty;
    assert(contains(k!, calibration.k));
    const { year } = computeNormals(months, REFERENCE);
    assert(contains(longTerm!, year));
    // As far below as above, as ratios.
    assertAlmostEquals(k!.low * k!.high / calibration.k ** 2, 1, 1e-9);
    assertAlmostEquals(longTerm!.low * longTerm!.high / year ** 2, 1, 1e-9);
    months.forEach(({ energy }, i) => assert(contains(uncertainty.months[i]!, energy!)));
    // Energy rises faster than the wind: a share of k is a larger share of energy.
    assert(width(longTerm!) > 1.3 * width(k!) && width(longTerm!) < 3 * width(k!));
  });

  it("has intervals of k that contain the truth in 9 of 10 worlds or a little more", () => {
    let covered = 0;
    for (let seed = 1; seed <= 40; seed++) {
      const world = buildWorld(PLAIN, { ...NOISY, years: [2017, 2018], seed });
      const labels = [...monthsOfYear(2017), ...monthsOfYear(2018)];
      const training = buildTraining(world, [buildPeriods(world, labels)], ["factor"]);
      const nothing = { months: [], reference: { years: [] } };
      const { k } = computeUncertainty(training, calibrate(training), nothing, { draws: 100 });
      if (contains(k!, K)) covered++;
    }
    assert(covered >= 34, `${covered} of 40`); // 38 measured
  });

  it("has intervals of months that contain what unseen months gave, mostly", () => {
    let covered = 0;
    let number = 0;
    for (let seed = 1; seed <= 8; seed++) {
      const world = buildWorld(PLAIN, { ...NOISY, seed });
      const labels = [...monthsOfYear(2017), ...monthsOfYear(2018)];
      const { months, uncertainty } = estimate(world, [buildPeriods(world, labels)]);
      const given = buildPeriods(world, monthsOfYear(2016)).periods;
      given.forEach(({ energy }, i) => {
        assertEquals([months[i].year, months[i].month], [2016, i + 1]);
        if (contains(uncertainty.months[i]!, energy)) covered++;
        number++;
      });
    }
    assert(covered / number > 0.86 && covered / number < 0.99, `${covered} of ${number}`);
  });

  it("is surer the more months there are", () => {
    const widths = [6, 12, 24].map((number) => meanWidth(THREE_YEARS.slice(0, number)));
    for (let i = 1; i < widths.length; i++) assert(widths[i] < widths[i - 1], String(widths));
    assert(meanWidth(THREE_YEARS.slice(0, 2)) > meanWidth(THREE_YEARS.slice(0, 3)));
  });

  it("is surer with four or five months than with three", () => {
    const widths = [3, 4, 5, 6].map((number) => meanWidth(THREE_YEARS.slice(0, number)));
    assert(widths[1] < 1.1 * widths[0], `${widths}: four months against three`);
    assert(widths[2] < 1.1 * widths[0], `${widths}: five months against three`);
    assert(widths[3] < 1.1 * widths[0], `${widths}: six months against three`);
  });

  it("is very sure where production was made without noise", () => {
    const world = buildWorld(PLAIN, { years: [2016, 2018], seed: 2 });
    const { uncertainty } = estimate(world, [buildPeriods(world, THREE_YEARS)]);
    assert(width(uncertainty.k!) < 1e-3 && width(uncertainty.longTerm!) < 1e-3);
  });

  it("is unknown with a single period", () => {
    const world = buildWorld(PLAIN, { ...NOISY, seed: 3 });
    for (const label of ["2017", "2017-05"]) {
      const { uncertainty, months } = estimate(world, [buildPeriods(world, [label])]);
      assertEquals([uncertainty.k, uncertainty.longTerm], [null, null]);
      assertEquals(uncertainty.months, months.map(() => null));
    }
  });

  it("has no intervals of months from annual production, nor from fewer than six months", () => {
    const world = buildWorld(PLAIN, { ...NOISY, seed: 4 });
    for (const labels of [["2016", "2017", "2018"], THREE_YEARS.slice(0, 5)]) {
      const { uncertainty, months } = estimate(world, [buildPeriods(world, labels)]);
      assertEquals(uncertainty.months, months.map(() => null));
      assert(uncertainty.k !== null && uncertainty.longTerm !== null);
    }
    const six = estimate(world, [buildPeriods(world, THREE_YEARS.slice(0, 6))]);
    assert(six.uncertainty.months.every((month) => month !== null));
  });

  it("has no intervals where the periods are too few for the scaling", () => {
    const world = buildWorld(PLAIN, { ...NOISY, seed: 7 });
    const [all, few] = [THREE_YEARS, THREE_YEARS.slice(0, 5)]
      .map((labels) => buildTraining(world, [buildPeriods(world, labels)]));
    const calibration = {
      ...calibrate(few),
      scaling: { kind: "season", factors: [1, 1, 1, 1] },
    } as const;
    assert(all.modelled.has("season") && !few.modelled.has("season"));
    const power = computeModelledPower(world.turbine, calibration.scaling, world.hub);
    const months = computeMonthlyEnergies(power, world.hub.axis, world.turbine.timeZone)
      .filter(({ energy }) => energy !== null);
    const found = computeUncertainty(few, calibration, { months, reference: { years: [2017] } });
    assertEquals([found.k, found.longTerm], [null, null]);
    assertEquals(found.months, months.map(() => null));
  });

  it("has no interval for a month of calms: no share of zero", () => {
    const world = buildWorld(PLAIN, { ...NOISY, seed: 6 });
    const training = buildTraining(world, [buildPeriods(world, monthsOfYear(2018))], ["factor"]);
    const windSpeed = world.hub.windSpeed.slice();
    windSpeed.fill(0, 0, 70 * 24); // over a whole month at least
    const hub = { ...world.hub, windSpeed };
    const calibration = calibrate(training);
    const power = computeModelledPower(world.turbine, calibration.scaling, hub);
    const months = computeMonthlyEnergies(power, hub.axis, world.turbine.timeZone)
      .filter(({ energy }) => energy !== null);
    const reference = { years: [2017] };
    const found = computeUncertainty({ ...training, hub }, calibration, { months, reference });
    assert(months.some(({ energy }) => energy === 0));
    assertEquals(
      found.months.map((month) => month === null),
      months.map(({ energy }) => energy === 0),
    );
  });

  it("has no interval for a month without energy", () => {
    const world = buildWorld(PLAIN, { ...NOISY, seed: 5 });
    const labels = monthsOfYear(2018);
    const training = buildTraining(world, [buildPeriods(world, labels)], ["factor"]);
    const calibration = calibrate(training);
    const { hub, turbine } = world;
    const power = computeModelledPower(turbine, calibration.scaling, hub);
    const months: MonthlyEnergy[] = computeMonthlyEnergies(power, hub.axis, turbine.timeZone)
      .filter(({ year }) => year === 2017 || year === 2018)
      .map((month, i) => i === 3 ? { ...month, energy: null } : month);
    const found = computeUncertainty(training, calibration, {
      months,
      reference: { years: [2018] },
    });
    assertEquals(found.months.map((month) => month === null), months.map((_, i) => i === 3));
    assertEquals([found.draws, found.seed], [1000, 1]); // unless given
  });

  it("gives the same figures for the same seed, others for another", () => {
    const world = buildWorld(PLAIN, { ...NOISY, seed: 6 });
    const [one, two, other] = [7, 7, 8].map((seed) =>
      estimate(world, [buildPeriods(world, monthsOfYear(2018))], { seed }).uncertainty
    );
    assertEquals(one, two);
    assertNotEquals(one.k, other.k);
    assertEquals([one.draws, one.seed, one.block], [200, 7, 2]);
  });

  it("leaves out of its draws what calibration left out", () => {
    const world = buildWorld(PLAIN, { ...NOISY, seed: 7 });
    const { periods } = buildPeriods(world, monthsOfYear(2018));
    const broken = periods.map((period, i) => i === 4 ? { ...period, energy: 1000 } : period);
    const whole = estimate(world, [{ kind: "periods", periods: broken }]);
    assertEquals(whole.calibration.periods[4].used, false);
    const without = estimate(world, [{
      kind: "periods",
      periods: periods.filter((_, i) => i !== 4),
    }]);
    assertEquals(whole.uncertainty, without.uncertainty);
  });

  for (
    const [truth, kinds] of [
      [{ kind: "linear", a: 0.8, b: 0.8 }, ["linear"]],
      [{ kind: "hour", factors: [0.98, 0.9, 0.82, 0.9] }, ["hour"]],
      [{
        kind: "sector",
        factors: Array.from({ length: 12 }, (_, i) => 0.9 + 0.08 * Math.cos(i * Math.PI / 6)),
      }, ["sector"]],
    ] as [WindScaling, ScalingKind[]][]
  ) {
    it(`draws the scaling that was selected (${truth.kind})`, () => {
      const world = buildWorld(truth, { ...NOISY, monthNoise: 0.004, seed: 8 });
      const { calibration, months, uncertainty } = estimate(
        world,
        [buildHourly(world, 2017, 2018)],
        {
          kinds,
          draws: 100,
        },
      );
      assertEquals(calibration.scaling.kind, truth.kind);
      assert(contains(uncertainty.k!, calibration.k));
      assert(contains(uncertainty.longTerm!, computeNormals(months, REFERENCE).year));
      // Noise of 0.4 % of a month, 24 months: the mean is known to a few tenths of a percent.
      assert(width(uncertainty.longTerm!) < 0.02, String(width(uncertainty.longTerm!)));
      uncertainty.months.forEach((month) => assert(width(month!) < 0.06, String(width(month!))));
    });
  }

  it("holds the factor of a season in draws without a month of it", () => {
    // Of the draws from 12 months a third lack some season, of those from 24 months one in 20. Months
    // of that season must not fall to the common factor in them: they scatter by 0.4 %, not by 5 %.
    for (const first of [2017, 2018]) {
      const truth: WindScaling = { kind: "season", factors: [0.95, 0.9, 0.85, 0.9] };
      const world = buildWorld(truth, { ...NOISY, monthNoise: 0.004, seed: 8 });
      const { calibration, uncertainty } = estimate(world, [buildHourly(world, first, 2018)], {
        kinds: ["season"],
        draws: 100,
      });
      assertEquals(calibration.scaling.kind, "season");
      const widths = uncertainty.months.map((month) => width(month!));
      assert(Math.max(...widths) < 0.06, `${Math.max(...widths)} from ${first} on`);
    }
  });

  it("leaves its input as it was", () => {
    const world = buildWorld(PLAIN, { ...NOISY, seed: 9 });
    const { training, calibration, months } = estimate(world, [buildPeriods(world, THREE_YEARS)]);
    const before = structuredClone([training, calibration, months]);
    computeUncertainty(training, calibration, { months, reference: REFERENCE }, { draws: 20 });
    assertEquals([training, calibration, months], before as typeof before);
  });
});

describe("computeInterAnnualVariability()", () => {
  const year = (energy: number) => new Array<number>(12).fill(energy / 12);
  const five = listMonths(2016, [90, 100, 110, 100, 100].flatMap(year));

  it("is the standard deviation of the years over their mean", () => {
    // Deviations -0.1, 0, 0.1, 0, 0 of the mean 100: root of (0.01 + 0.01) / (5 - 1) = 0.0707107.
    const years = [2016, 2017, 2018, 2019, 2020];
    assertAlmostEquals(computeInterAnnualVariability(five, { years })!, 0.0707107, 1e-7);
  });

  it("looks at the years of the reference period only", () => {
    const six = listMonths(2016, [90, 777, 110, 100, 100, 100].flatMap(year));
    const years = [2016, 2018, 2019, 2020, 2021];
    assertAlmostEquals(computeInterAnnualVariability(six, { years })!, 0.0707107, 1e-7);
  });

  it("is unknown with fewer than five years", () => {
    assertEquals(computeInterAnnualVariability(five, { years: [2016, 2017, 2018, 2019] }), null);
  });
});
