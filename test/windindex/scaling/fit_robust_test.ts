import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  factorAt,
  RUNGS,
  type ScalingEnergies,
} from "../../../src/windindex/scaling/energy_ladder.ts";
import {
  fitRobust,
  fitScaling,
  type ProducedEnergies,
} from "../../../src/windindex/scaling/fit_scaling.ts";
import { normals } from "../_worlds.ts";

/** Periods whose modelled energy is 100 kWh at a factor of 1, in proportion to it. */
function proportional(periods: number): ScalingEnergies {
  const ladders = Float64Array.from(
    { length: periods * RUNGS },
    (_, i) => 100 * factorAt(i % RUNGS),
  );
  return { kind: "factor", periods, groups: 1, ladders };
}

function produce(energies: readonly number[]): ProducedEnergies {
  const energy = Float64Array.from(energies);
  return { energy, hours: new Float64Array(energy.length).fill(720), byGroup: energy };
}

/** The factor and the weights; each period counts as often as given, or once. */
function fit(energies: readonly number[], counts = energies.map(() => 1)) {
  const { scaling, weights } = fitRobust(proportional(energies.length), produce(energies), counts);
  if (scaling.kind !== "factor") throw new TypeError(scaling.kind);
  return { k: scaling.k, weights: [...weights] };
}

const mean = (values: readonly number[]) => values.reduce((a, b) => a + b) / values.length;

describe("fitRobust()", () => {
  it("weights an outlying period by its distance: 0.0670 for 50 % in 2 % of scatter", () => {
    // Median 100, distances 3, 2, 1, 0, 1, 2, 50, their median 2: deviation 1.4826 x 2 x 7 / 6.2 = 3.347806.
    // 3.347806 / 50 = 0.0669561. Ratios to any factor have the same weights.
    // (597 + 0.0669561 x 150) / 6.0669561 = 607.043415 / 6.0669561 = 100.057328
    const { k, weights } = fit([97, 98, 99, 100, 101, 102, 150]);
    weights.slice(0, 6).forEach((weight) => assertEquals(weight, 1));
    assertAlmostEquals(weights[6], 0.0669561, 1e-6);
    assertAlmostEquals(k, 1.00057328, 1e-8);
  });

  it("weights a period that gave much less in the same way, and only periods beyond the reach", () => {
    // Median 99.5, distances 39.5, 5.5, 1.5, 0.5, 0.5, 1.5, 2.5, 6.5, their median 2: deviation
    // 1.4826 x 2 x 8 / 7.2 = 3.294667.
    const { weights } = fit([60, 94, 98, 99, 100, 101, 102, 106]);
    [39.5, 5.5, 0, 0, 0, 0, 0, 6.5].forEach((distance, i) =>
      assertAlmostEquals(weights[i], distance === 0 ? 1 : 3.294667 / distance, 1e-6)
    );
  });

  it("gives all periods equal weights if all but a few scatter normally", () => {
    const normal = normals(41);
    const { k, weights } = fit(Array.from({ length: 200 }, () => 100 + 5 * normal()));
    // 68 % of a normal distribution are within one deviation.
    const full = weights.filter((weight) => weight === 1).length;
    assert(full > 120 && full < 152, `${full} of 200`);
    assert(Math.min(...weights) > 0.25);
    assertAlmostEquals(k, 1, 0.01);
  });

  it("S4: is hardly moved by one month of 24 that is 30 % wrong", () => {
    const normal = normals(42);
    const months = Array.from({ length: 24 }, () => 100 + 5 * normal());
    for (const factor of [0.7, 1.3]) {
      const wrong = months.map((energy, i) => i === 10 ? 100 * factor : energy);
      const others = fit(months, months.map((_, i) => i === 10 ? 0 : 1)).k;
      // The mean moves by 30 % / 24 = 1.25 %. With weights, a month moves it by at most 5 % / 24 = 0.21 %, within what
      // 24 months show of their 5 %.
      const plain = Math.abs(mean(wrong) / 100 - others);
      const robust = Math.abs(fit(wrong).k - others);
      assert(plain > 0.011 && robust < 0.004, `${plain}, ${robust}`);
    }
  });

  it("gives all of five periods equal weights: their scatter is not known", () => {
    const five = [97, 98, 99, 100, 150];
    assertEquals(fit(five).weights, [1, 1, 1, 1, 1]);
    assertAlmostEquals(fit(five).k, mean(five) / 100, 1e-8);
    const six = fit([...five, 101]);
    assert(six.weights[4] < 0.3, String(six.weights));
  });

  it("counts a period as often as it is drawn, and only the drawn ones", () => {
    const energies = [97, 98, 99, 100, 101, 102, 150, NaN];
    const { weights, k } = fit(energies, [1, 2, 1, 1, 1, 1, 3, 0]);
    // As above: the scatter is computed over the periods, however often each is drawn.
    [1, 2, 1, 1, 1, 1, 3 * 0.0669561, 0].forEach((weight, i) =>
      assertAlmostEquals(weights[i], weight, 1e-5)
    );
    const sum = weights.reduce(
      (total, weight, i) => weight === 0 ? total : total + weight * energies[i],
      0,
    );
    assertAlmostEquals(k, sum / weights.reduce((a, b) => a + b) / 100, 1e-7);
  });

  it("is the fit of equal weights if all periods fit equally well", () => {
    const energies = Array.from({ length: 12 }, (_, i) => 95 + (i % 2));
    const all = new Uint8Array(12).fill(1);
    const { scaling, weights } = fitRobust(proportional(12), produce(energies), all);
    assertEquals([...weights], [...all]);
    assertEquals(scaling, fitScaling(proportional(12), produce(energies), all));
  });

  it("leaves its input unchanged", () => {
    const [energies, produced] = [proportional(7), produce([97, 98, 99, 100, 101, 102, 150])];
    const counts = new Float64Array(7).fill(1);
    const before = structuredClone([energies, produced, counts]);
    fitRobust(energies, produced, counts);
    assertEquals([energies, produced, counts], before as typeof before);
  });
});
