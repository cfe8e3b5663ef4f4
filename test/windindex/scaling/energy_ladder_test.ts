import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  computeEnergyLadders,
  energyAt,
  factorAt,
  findFactor,
  K_RANGE,
  type LadderStamps,
  RUNGS,
  sumPeriods,
} from "../../../src/windindex/scaling/energy_ladder.ts";
import { SmoothedPower } from "../../../src/windindex/turbine/smoothed_power.ts";
import { driftingSpeeds, TURBINE, uniforms } from "../_synthetic.ts";

const MIDDLE = (RUNGS - 1) / 2; // the rung of a factor of 1

const rungs = Array.from({ length: RUNGS }, (_, rung) => rung);

/** Timestamps with drifting wind and density; weights of halves and wholes, some 0. */
function listStamps(length: number, seed: number): LadderStamps {
  const random = uniforms(seed);
  return {
    speed: driftingSpeeds(length, seed),
    logDensityRatio: new Float64Array(length).map((_, i) => 0.06 * Math.sin(i / 900)),
    weight: new Float64Array(length).map(() => Math.floor(3 * random()) / 2),
  };
}

/** Energy at a factor, hour by hour. */
function directly(
  { speed, logDensityRatio, weight }: LadderStamps,
  k: number,
  curve: SmoothedPower,
): number {
  let energy = 0;
  for (let i = 0; i < speed.length; i++) {
    if (weight[i] !== 0) energy += weight[i] * curve.powerAt(k * speed[i], logDensityRatio[i]);
  }
  return energy;
}

/** The unsmoothed curve, and the curve smoothed as usual. */
const SHARP = new SmoothedPower(TURBINE, 0);
const SMOOTH = new SmoothedPower(TURBINE, 1);

const oneCell = (length: number) => [{ cellOf: new Int32Array(length), cells: 1 }];

describe("computeEnergyLadders()", () => {
  it("has the energy of one timestamp at each rung", () => {
    const stamps = {
      speed: Float64Array.of(8),
      logDensityRatio: Float64Array.of(0),
      weight: Float64Array.of(2),
    };
    const [ladder] = computeEnergyLadders(stamps, SHARP, oneCell(1));
    assertEquals(ladder.length, RUNGS);
    // Two hours at 4, 8 and 12 m/s: 25 + 0.5 / 0.75 x 65, 560 + 1 / 1.5 x 460, 1850 + 0.5 / 1.5 x 140.
    assertAlmostEquals(ladder[0], 2 * 68.3333333, 1e-6);
    assertAlmostEquals(ladder[MIDDLE], 2 * 866.6666667, 1e-6);
    assertAlmostEquals(ladder[RUNGS - 1], 2 * 1896.6666667, 1e-6);
  });

  it("has rungs from 0.5 to 1.5, equally far apart", () => {
    assertEquals([0, MIDDLE, RUNGS - 1].map(factorAt), [0.5, 1, 1.5]);
    for (const rung of rungs) assertAlmostEquals(factorAt(rung), 0.5 + rung / (RUNGS - 1), 1e-15);
  });

  for (const powerControl of ["pcPitch", "pcStall"] as const) {
    it(`is exactly the energy of the hours at the rungs (${powerControl})`, () => {
      const stamps = listStamps(2000, 1);
      for (const smoothing of [0, 1]) {
        const curve = new SmoothedPower({ ...TURBINE, powerControl }, smoothing);
        const [ladder] = computeEnergyLadders(stamps, curve, oneCell(2000));
        assertEquals([...ladder], rungs.map((rung) => directly(stamps, factorAt(rung), curve)));
      }
    });
  }

  it("sums several partitions of the same timestamps in one pass", () => {
    const stamps = listStamps(3000, 2);
    const cellOf = Int32Array.from({ length: 3000 }, (_, i) => i % 7);
    const [one, seven] = computeEnergyLadders(stamps, SMOOTH, [
      ...oneCell(3000),
      { cellOf, cells: 8 },
    ]);
    for (const rung of rungs) {
      let sum = 0;
      for (let cell = 0; cell < 7; cell++) sum += seven[cell * RUNGS + rung];
      assertAlmostEquals(sum / one[rung], 1, 1e-12);
      assertEquals(seven[7 * RUNGS + rung], 0); // a cell without timestamps
    }
    const third = cellOf.map((cell) => cell === 3 ? 1 : 0);
    const thirdOnly = { ...stamps, weight: stamps.weight.map((hours, i) => third[i] * hours) };
    const energy = directly(thirdOnly, 1, SMOOTH);
    assertAlmostEquals(seven[3 * RUNGS + MIDDLE] / energy, 1, 1e-12);
  });

  it("F34 leaves out entries with weight 0, whatever their values", () => {
    const stamps = {
      speed: Float64Array.of(8, NaN, 9),
      logDensityRatio: Float64Array.of(0, 0, NaN),
      weight: Float64Array.of(1, 0, 0),
    };
    const [ladder] = computeEnergyLadders(stamps, SHARP, oneCell(3));
    assertAlmostEquals(ladder[MIDDLE], 866.6666667, 1e-6);
  });

  it("leaves its input unchanged", () => {
    const stamps = listStamps(100, 3);
    const before = structuredClone(stamps);
    computeEnergyLadders(stamps, SMOOTH, oneCell(100));
    assertEquals(stamps, before);
  });
});

describe("energyAt()", () => {
  it("is the cubic through the four rungs around a factor, at the ends too", () => {
    const cubic = (k: number) => 7 - 3 * k + 11 * k ** 2 + 5 * k ** 3;
    const ladders = Float64Array.from([...rungs.map(() => -1), ...rungs.map(factorAt).map(cubic)]);
    for (const k of [0.5, 0.507, 0.524, 0.525, 0.93, 1, 1.234567, 1.476, 1.49, 1.5]) {
      assertAlmostEquals(energyAt(ladders, 1, k), cubic(k), 1e-11);
      assertAlmostEquals(energyAt(ladders, 0, k), -1, 1e-12);
    }
  });

  it("is limited to the ends of the range", () => {
    const ladders = Float64Array.from(rungs, (rung) => rung);
    assertEquals([-3, 0.5, 1.5, 7].map((k) => energyAt(ladders, 0, k)), [
      0,
      0,
      RUNGS - 1,
      RUNGS - 1,
    ]);
  });

  it("meets the rungs", () => {
    const stamps = listStamps(1000, 4);
    const [ladder] = computeEnergyLadders(stamps, SMOOTH, oneCell(1000));
    for (const rung of rungs) {
      assertAlmostEquals(energyAt(ladder, 0, factorAt(rung)) / ladder[rung], 1, 1e-12);
    }
  });

  // Largest errors measured over 20 seeds: 1.3e-5 (year), 4.2e-5 (month), 1.9e-4 (60 hours, as of one sector in a
  // month), at most a tenth of the errors with the bends of an unsmoothed curve. Speeds reach 20 m/s, so below 1.25 few
  // hours pass cut-out.
  for (
    const [name, length, bound] of [
      ["a year", 8760, 3e-5],
      ["a month", 730, 1e-4],
      ["60 hours", 60, 4e-4],
    ] as const
  ) {
    it(`is the energy of the hours between rungs, to ${bound} for ${name}`, () => {
      const random = uniforms(5);
      let worst = 0;
      let squares = 0;
      for (let seed = 1; seed <= 6; seed++) {
        const stamps = { ...listStamps(length, seed), weight: new Float64Array(length).fill(1) };
        const [ladder] = computeEnergyLadders(stamps, SMOOTH, oneCell(length));
        for (let i = 0; i < 25; i++) {
          const k = 0.7 + 0.5 * random();
          const error = energyAt(ladder, 0, k) / directly(stamps, k, SMOOTH) - 1;
          worst = Math.max(worst, Math.abs(error));
          squares += error ** 2 / 150;
        }
      }
      assert(worst < bound && Math.sqrt(squares) < bound / 3, `${worst}, ${Math.sqrt(squares)}`);
    });
  }
});

describe("findFactor()", () => {
  it("is an end of the range if the energy is not reached within it", () => {
    const [low, high] = K_RANGE;
    const energy = (k: number) => 100 * k;
    assertEquals([-5, 49, 50].map((target) => findFactor(energy, target)), [low, low, low]);
    assertEquals([151, 1e9].map((target) => findFactor(energy, target)), [high, high]);
    assertAlmostEquals(findFactor(energy, 150), high, 1e-9);
    assertEquals(findFactor(() => 0, 0), low);
  });

  it("finds the factor in between to 1e-9", () => {
    for (const k of [0.500001, 0.51, 0.93, 1, 1.2345678, 1.499999]) {
      assertAlmostEquals(findFactor((x) => x ** 3, k ** 3), k, 1e-9);
    }
  });

  it("finds the factor below the top of an energy that falls again when storms pass cut-out", () => {
    // As at Horns Rev, where 10 of 147 months give less at 1.5 times the wind than at 0.9 times:
    // 1 - (k - 1.1)^2 is 0.96 at 0.9, 1 at 1.1 and 0.84 at 1.5.
    assertAlmostEquals(findFactor((k) => 1 - (k - 1.1) ** 2, 0.96), 0.9, 1e-6);
  });
});

describe("sumPeriods()", () => {
  it("sums the cells of periods, group by group, as often as they count", () => {
    // Three periods of two groups; every rung of cell c is c + 1.
    const ladders = Float64Array.from({ length: 6 * RUNGS }, (_, i) => Math.floor(i / RUNGS) + 1);
    const sum = sumPeriods(ladders, 2, [2, 0, 1]);
    assertEquals(sum.length, 2 * RUNGS);
    // Group 0: 2 x 1 + 5, group 1: 2 x 2 + 6.
    assertEquals([...new Set(sum.slice(0, RUNGS))], [7]);
    assertEquals([...new Set(sum.slice(RUNGS))], [10]);
  });

  it("F34 is NaN only if a period that counts is", () => {
    const ladders = new Float64Array(2 * RUNGS).fill(1).fill(NaN, RUNGS);
    assertEquals(sumPeriods(ladders, 1, [1, 0])[3], 1);
  });
});
