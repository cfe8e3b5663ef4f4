import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  computeCredibility,
  estimateGroupBelief,
  fitScaling,
  type ProducedEnergies,
} from "../../../src/windindex/scaling/fit_scaling.ts";
import {
  countGroups,
  factorAt,
  RUNGS,
  type ScalingEnergies,
  type ScalingKind,
} from "../../../src/windindex/scaling/energy_ladder.ts";
import type { WindScaling } from "../../../src/windindex/scaling/wind_scaling.ts";

/** Energies by hand: a cell gives `energy` at a factor of 1, in proportion to the factor. */
function proportional(kind: ScalingKind, cells: readonly number[]): ScalingEnergies {
  const groups = countGroups(kind);
  const ladder = Float64Array.from(
    { length: cells.length * RUNGS },
    (_, i) => cells[Math.floor(i / RUNGS)] * factorAt(i % RUNGS),
  );
  return { kind, periods: cells.length / groups, groups, ladders: ladder };
}

/** Produced energies by hand, by period and, within it, by group. */
function computeProduced(periods: readonly (readonly number[] | number)[]): ProducedEnergies {
  const sum = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
  return {
    energy: Float64Array.from(
      periods,
      (period) => typeof period === "number" ? period : sum(period),
    ),
    hours: new Float64Array(periods.length).fill(720),
    byGroup: Float64Array.from(
      periods.flatMap((period) => typeof period === "number" ? [NaN, NaN, NaN, NaN] : period),
    ),
  };
}

const factorsOf = (scaling: WindScaling) => "factors" in scaling ? scaling.factors : [];

function assertFactors(scaling: WindScaling, expected: readonly number[], bound = 1e-8): void {
  const factors = factorsOf(scaling);
  assertEquals(factors.length, expected.length);
  expected.forEach((factor, i) => assertAlmostEquals(factors[i], factor, bound));
}

/** Seasons that gave 90, 100, 100 and 110 % in two years, and a scatter of 2, 1, 1 and 2 around it. */
const SEASONS = {
  energies: proportional("season", [100, 100, 100, 100, 100, 100, 100, 100]),
  produced: computeProduced([[88, 99, 101, 112], [92, 101, 99, 108]]),
};

describe("fitScaling() to one factor", () => {
  const energies = proportional("factor", [100, 200, 300]);
  const produced = (...energy: number[]) => ({
    ...computeProduced(energy),
    byGroup: new Float64Array(3),
  });

  it("makes the energies of all periods equal", () => {
    // (80 + 190 + 300) / 600
    assertEquals(factor(fitScaling(energies, produced(80, 190, 300), [1, 1, 1])), 0.95);
  });

  it("counts a period as often as it is drawn, and not at all if it is not", () => {
    // (2 x 80 + 300) / (2 x 100 + 300)
    assertEquals(factor(fitScaling(energies, produced(80, 190, 300), [2, 0, 1])), 0.92);
    assertEquals(factor(fitScaling(energies, produced(80, NaN, 300), [2, 0, 1])), 0.92);
  });

  function factor(scaling: WindScaling): number {
    return Math.round(1e8 * (scaling as { k: number }).k) / 1e8;
  }
});

describe("estimateGroupBelief()", () => {
  it("compares the scatter of periods with the spread of groups", () => {
    // Own factors 0.9, 1, 1, 1.1 and 1 for all: excess -0.1, 0, 0, 0.1. Squares of the remainder: 2 x (4 + 1 + 1 + 4) =
    // 20, over 800 modelled, with 8 cells less 4 factors: 20 / 800 x 8 / 4 = 0.05. Variance of a group: 0.05 x energy /
    // 200^2, because its energy rises by 200 for each 1 of its factor.
    const variances = [180, 200, 200, 220].map((energy) => 0.05 * energy / 40_000);
    const expected = computeCredibility([-0.1, 0, 0, 0.1], variances);
    const shares = estimateGroupBelief(SEASONS.energies, SEASONS.produced, [1, 1]).shares;
    expected.forEach((share, i) => assertAlmostEquals(shares[i], share, 1e-6));
    assert(shares.every((share) => share > 0.95 && share < 0.98), String(shares));
  });

  it("gives no weight to groups that occur once: they have no scatter of their own", () => {
    assertEquals([...estimateGroupBelief(SEASONS.energies, SEASONS.produced, [1, 0]).shares], [
      0,
      0,
      0,
      0,
    ]);
  });

  it("gives less weight the more the periods of a group scatter", () => {
    const wild = computeProduced([[68, 119, 81, 132], [112, 81, 119, 88]]);
    assertEquals([...estimateGroupBelief(SEASONS.energies, wild, [1, 1]).shares], [0, 0, 0, 0]);
    const some = computeProduced([[82, 94, 106, 118], [98, 106, 94, 102]]);
    const shares = estimateGroupBelief(SEASONS.energies, some, [1, 1]).shares;
    // Four times the scatter: dispersion 1.0, variances about 0.005, Q about 4.04, so the groups differ by (4.04 - 3) /
    // 602 = 0.0017 beyond it: 0.0017 / 0.0067 is about a quarter.
    shares.forEach((share) => assertAlmostEquals(share, 0.255, 0.025));
  });
});

describe("fitScaling() to groups", () => {
  const { energies, produced } = SEASONS;

  /** Known weights and factors of groups: here each has the factor of its periods. */
  const known = (shares: Float64Array) => ({ shares, factors: Float64Array.of(0.9, 1, 1, 1.1) });

  it("gives each group its own factor if groups have full weight", () => {
    const believed = new Float64Array(4).fill(1);
    assertFactors(fitScaling(energies, produced, [1, 1], known(believed)), [0.9, 1, 1, 1.1]);
  });

  it("gives all groups the single factor if they have no weight", () => {
    const none = new Float64Array(4);
    assertFactors(fitScaling(energies, produced, [1, 1], known(none)), [1, 1, 1, 1]);
  });

  it("moves a group towards its own factor by its weight, at equal total energy", () => {
    const half = fitScaling(energies, produced, [1, 1], known(Float64Array.of(0.5, 0.5, 0.5, 0)));
    // Ratios 0.95, 1, 1, 1: 790 kWh at a level of 1 for the 800 produced.
    assertFactors(half, [0.95, 1, 1, 1].map((ratio) => ratio * 800 / 790));
  });

  it("finds the shares itself", () => {
    const belief = estimateGroupBelief(energies, produced, [1, 1]);
    assertEquals(
      fitScaling(energies, produced, [1, 1]),
      fitScaling(energies, produced, [1, 1], belief),
    );
  });

  it("uses periods without energies by group for the level, not for the groups", () => {
    const more = proportional("season", [...new Array<number>(8).fill(100), 300, 0, 0, 300]);
    const mixed = computeProduced([[88, 99, 101, 112], [92, 101, 99, 108], 660]);
    const believed = new Float64Array(4).fill(1);
    // At the ratios 0.9, 1, 1, 1.1 the third period gives 270 + 330 = 600, all together 1,400 kWh;
    // 800 + 660 were produced.
    const level = 1460 / 1400;
    assertFactors(
      fitScaling(more, mixed, [1, 1, 1], known(believed)),
      [0.9, 1, 1, 1.1].map((ratio) => level * ratio),
    );
  });

  it("gives an unseen group the common factor", () => {
    const three = proportional("season", [100, 100, 100, 0, 100, 100, 100, 0]);
    const withoutAutumn = computeProduced([[80, 90, 100, 0], [80, 90, 100, 0]]);
    const believed = {
      ...estimateGroupBelief(three, withoutAutumn, [1, 1]),
      shares: new Float64Array(4).fill(1),
    };
    const scaling = fitScaling(three, withoutAutumn, [1, 1], believed);
    assertFactors(scaling, [0.8, 0.9, 1, 0.9]); // (80 + 90 + 100) / 300
  });

  it("leaves its input unchanged", () => {
    const before = structuredClone(SEASONS);
    fitScaling(energies, produced, Uint8Array.of(1, 1));
    assertEquals(SEASONS, before);
  });
});
