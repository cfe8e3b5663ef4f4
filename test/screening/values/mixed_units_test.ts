import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { findMixedHours, findMixedPeriods } from "../../../src/screening/values/mixed_units.ts";
import { findCheapestPath } from "../../../src/screening/values/unit_levels.ts";
import { computeRankCorrelation } from "../../../src/stats/regression.ts";
import { drifting } from "../_series.ts";

const RATED = 2000;
const DAY = 24;
const axis = { start: Date.UTC(2022, 0, 1), length: 730 * DAY };
const power = drifting(axis.length, "mixed");
/** Expected power of a model that differs by a tenth from day to day and is too high by a third. */
const expected = power.map((value, i) => value * 1.3 * (1 + 0.1 * Math.sin(i / 17)));

const scale = (from: number, to: number, factor: number) =>
  power.map((value, i) => i >= from * DAY && i < to * DAY ? value * factor : value);

const find = (values: Float64Array, model?: Float64Array) =>
  findMixedHours({ axis, power: values }, "UTC", RATED, model)
    .map(({ from, to, factor }) => [from / DAY, to / DAY, factor]);

describe("SI3 findMixedHours()", () => {
  it("SI3 finds nothing in one unit, right or wrong as a whole, missing or empty", () => {
    for (const factor of [1, 1000, 0.001, 6, 1 / 6]) {
      for (const model of [expected, undefined]) {
        assertEquals(find(scale(0, 730, factor), model), [], `${factor}`);
      }
    }
    assertEquals(find(new Float64Array(axis.length).fill(NaN), expected), []);
    assertEquals(find(new Float64Array(axis.length)), []);
    assertEquals(
      findMixedHours({ axis: { start: 0, length: 0 }, power: new Float64Array(0) }, "UTC", RATED),
      [],
    );
  });

  it("SI3 finds days to years a thousand times too large or small, to the day", () => {
    for (const factor of [1000, 0.001]) {
      for (const [from, to] of [[100, 105], [90, 151], [0, 365], [365, 730], [31, 700]]) {
        assertEquals(find(scale(from, to, factor), expected), [[from, to, factor]]);
      }
      assertEquals(find(scale(90, 151, factor)), [[90, 151, factor]]);
    }
  });

  it("SI3 finds energies of 5, 10 and 15 minutes read as powers by the wind", () => {
    for (const parts of [4, 6, 12]) {
      const [[from, to, factor], ...others] = find(scale(90, 151, 1 / parts), expected);
      assertEquals([from, to, others], [90, 151, []]);
      assertAlmostEquals(factor, 1 / parts, 1e-5);
    }
  });

  it("SI3 finds two stretches, and the first of two halves", () => {
    const twoStretches = scale(90, 151, 0.001).map((value, i) =>
      i >= 500 * DAY && i < 520 * DAY ? value * 0.001 : value
    );
    assertEquals(find(twoStretches, expected), [[90, 151, 0.001], [500, 520, 0.001]]);
    assertEquals(find(scale(0, 365, 0.001), expected), [[0, 365, 0.001]]);
  });

  it("SI3 finds no standstill, no noise, no power limit, no half power and no stuck value", () => {
    const faults: ((value: number, i: number) => number)[] = [
      () => 0,
      () => -5,
      () => 0.7,
      (_, i) => 0.3 + (i * 379 % 97) / 97,
      (value) => Math.min(value, RATED / 6),
      (value) => Math.min(value, RATED / 4),
      (value) => value / 2,
      () => 9999,
      () => NaN,
    ];
    for (const [which, fault] of faults.entries()) {
      const values = power.map((value, i) =>
        i >= 90 * DAY && i < 151 * DAY ? fault(value, i) : value
      );
      for (const model of [expected, undefined]) assertEquals(find(values, model), [], `${which}`);
    }
  });
});

describe("SI3 findMixedPeriods()", () => {
  /** Two years of months: more in winter than in summer. */
  const hours = 730;
  const months = Array.from(
    { length: 24 },
    (_, i) =>
      hours * RATED * (0.33 + 0.15 * Math.cos(i / 12 * 2 * Math.PI) + 0.03 * Math.sin(7 * i)),
  );
  const judge = (change: (energy: number, i: number) => number, wind = false) =>
    findMixedPeriods(
      months.map((energy, i) => ({
        energy: change(energy, i),
        hours,
        ...(wind ? { expected: 0.8 * energy * (1 + 0.1 * Math.sin(3 * i)) } : {}),
      })),
      RATED,
    ).map(({ from, to, factor, certain }) => [from, to, factor, certain]);

  it("SI3 finds months a thousand times too large or small, one, several, and most of them", () => {
    for (const wind of [true, false]) {
      assertEquals(judge((energy) => energy, wind), []);
      assertEquals(judge((energy) => energy * 1000, wind), []);
      assertEquals(judge((energy, i) => i === 7 ? energy * 1000 : energy, wind), [[
        7,
        8,
        1000,
        true,
      ]]);
      assertEquals(judge((energy, i) => i === 7 ? energy / 1000 : energy, wind), [[
        7,
        8,
        0.001,
        false,
      ]]);
      assertEquals(judge((energy, i) => i >= 2 && i < 6 ? energy / 1000 : energy, wind), [[
        2,
        6,
        0.001,
        true,
      ]]);
      assertEquals(judge((energy, i) => i >= 3 ? energy * 1000 : energy, wind), [[
        3,
        24,
        1000,
        true,
      ]]);
      assertEquals(judge((energy, i) => i >= 12 ? energy * 1e6 : energy, wind), [[
        12,
        24,
        1e6,
        true,
      ]]);
    }
  });

  it("SI3 finds months of six times the others by the wind", () => {
    const [[from, to, factor], ...others] = judge(
      (energy, i) => i >= 2 && i < 8 ? energy * 6 : energy,
      true,
    );
    assertEquals([from, to, factor, others], [2, 8, 6, []]);
  });

  it("SI3 is not certain about a standstill, a partial month or equal small energies", () => {
    for (const wind of [true, false]) {
      assertEquals(judge((energy, i) => i < 3 ? 0 : energy, wind), []);
      assertEquals(judge((energy, i) => i < 3 ? -500 : energy, wind), []);
      assertEquals(judge((energy, i) => i < 3 ? energy / 40 : energy, wind), []);
      assertEquals(judge((_, i) => NaN * i, wind), []);
      const equal = judge((energy, i) => i < 3 ? 0.0003 * hours * RATED : energy, wind);
      assert(equal.every(([, , , certain]) => certain === false));
    }
  });
});

describe("findCheapestPath()", () => {
  it("stays on a level past an outlier, and changes with several", () => {
    const values = Float64Array.of(0, 3, 0, 0, NaN, 3, 3, 3, 3, 0, 0, 0);
    const { states, cost } = findCheapestPath(values, [0, 3]);
    assertEquals(
      [...states],
      [0, 0, 0, 0, 1, 1, 1, 1, 1, 0, 0, 0].map((state, i) => i === 4 ? states[4] : state),
    );
    assertEquals(cost, 1.5 + 2 * 2);
  });

  it("has no path without values", () => {
    assertEquals([...findCheapestPath(new Float64Array(0), [0, 3]).states], []);
  });
});

describe("computeRankCorrelation()", () => {
  it("is 1 for series that rise together, whatever the scale, with mean ranks of equal values", () => {
    assertEquals(computeRankCorrelation(Float64Array.of(1, 2, 3), Float64Array.of(1, 10, 1000)), 1);
    assertEquals(computeRankCorrelation(Float64Array.of(1, 2, 3), Float64Array.of(3, 2, 1)), -1);
    // scipy.stats.spearmanr([1, 2, 2, 4], [1, 3, 2, 4]) is 0.9487.
    assertAlmostEquals(
      computeRankCorrelation(Float64Array.of(1, 2, 2, 4), Float64Array.of(1, 3, 2, 4)),
      0.9487,
      1e-4,
    );
    assertEquals(computeRankCorrelation(Float64Array.of(1, 1), Float64Array.of(1, 2)), NaN);
  });
});
