import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { drawModels, MeanSquare } from "../../../src/windindex/uncertainty/scatter_errors.ts";
import { buildPeriods, buildTraining, buildWorld, monthsOfYear } from "../_worlds.ts";

const PLAIN = { kind: "factor", k: 0.93 } as const;
const TWO_YEARS = [...monthsOfYear(2017), ...monthsOfYear(2018)];

/** Draws from all periods of a training. */
function draw(training: ReturnType<typeof buildTraining>, options = { draws: 50, seed: 1 }) {
  const drawn = drawModels(training, new Uint8Array(training.periods.length).fill(1), options);
  return { ...drawn, all: [...drawn.models()] };
}

describe("MeanSquare", () => {
  it("is the mean of the squares, and NaN without any", () => {
    const one = new MeanSquare();
    assertEquals(one.value, NaN);
    [1, -2, 3].forEach((value) => one.add(value));
    assertAlmostEquals(one.value, 14 / 3, 1e-12);
  });
});

describe("drawModels()", () => {
  const noisy = buildWorld(PLAIN, { seed: 1, monthNoise: 0.05 });
  const months = buildTraining(noisy, [buildPeriods(noisy, TWO_YEARS)]);

  it("S6: repeats the selection in each draw, so it differs if seasons differ little", () => {
    const season = { kind: "season", factors: [0.95, 0.93, 0.91, 0.93] } as const;
    const several = [1, 2, 3, 4, 5].filter((seed) => {
      const world = buildWorld(season, { seed, monthNoise: 0.05 });
      const { all } = draw(buildTraining(world, [buildPeriods(world, TWO_YEARS)]));
      return new Set(all.map(({ scaling }) => scaling.kind)).size > 1;
    });
    assert(several.length >= 3, String(several));
  });

  it("has the factor of each draw next to its scaling", () => {
    for (const { k, scaling } of draw(months).all) {
      if (scaling.kind === "factor") assertEquals(scaling.k, k);
      assert(Math.abs(k / 0.93 - 1) < 0.05, String(k));
    }
  });

  it("predicts each period in the draws without it, and measures its error", () => {
    // About a third of the draws in blocks of three from 24 lack a period.
    const { unseen, block, blocks } = draw(months, { draws: 200, seed: 3 });
    assertEquals([block, blocks], [3, 8]);
    const errors = unseen.map(({ value }) => Math.sqrt(value));
    assert(errors.every((error) => error < 0.25), String(errors));
    // Months have noise of 5 %.
    assertAlmostEquals(Math.sqrt(errors.reduce((sum, x) => sum + x * x, 0) / 24), 0.05, 0.02);
  });

  it("draws neither k nor error from noise if there is none", () => {
    const world = buildWorld(PLAIN, { seed: 4 });
    const { all, unseen } = draw(
      buildTraining(world, [buildPeriods(world, TWO_YEARS)], ["factor"]),
    );
    for (const { k } of all) assertAlmostEquals(k, 0.93, 1e-4);
    for (const { value } of unseen) assert(value < 1e-6, String(value));
  });

  it("neither draws nor predicts periods that do not count", () => {
    const { energy } = months.produced.get("factor")!;
    const broken = {
      ...months,
      produced: new Map([...months.produced].map(([kind, energies]) => [kind, {
        ...energies,
        energy: energy.map((value, i) => i === 4 ? 1e9 : value),
      }])),
    };
    const counted = new Uint8Array(24).fill(1).fill(0, 4, 5);
    const drawn = drawModels(broken, counted, { draws: 50, seed: 1 });
    for (const { k } of drawn.models()) assertAlmostEquals(k, 0.93, 0.03);
    assertEquals(
      drawn.unseen.map(({ value }) => Number.isNaN(value)),
      [...counted].map((one) => one === 0),
    );
  });

  it("gives the same draws for the same seed", () => {
    assertEquals(draw(months).all, draw(months).all);
  });
});
