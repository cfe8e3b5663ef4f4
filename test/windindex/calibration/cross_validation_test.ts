import { assert, assertAlmostEquals, assertEquals, assertNotEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  assignFolds,
  type CandidateScore,
  crossValidate,
  drawScores,
  isScored,
  selectClearlyBetter,
  selectSimplest,
} from "../../../src/windindex/calibration/cross_validation.ts";
import { factorAt, RUNGS, SCALING_KINDS } from "../../../src/windindex/scaling/energy_ladder.ts";
import type { TrainingEnergies } from "../../../src/windindex/calibration/training_energies.ts";

/** Training of periods whose modelled energy is 100 kWh at a factor of 1, in proportion to it. */
function buildTraining(produced: readonly number[], hours = produced.map(() => 720)) {
  const ladder = Float64Array.from(
    { length: produced.length * RUNGS },
    (_, i) => 100 * factorAt(i % RUNGS),
  );
  const energy = Float64Array.from(produced);
  const modelled = { kind: "factor", periods: produced.length, groups: 1, ladders: ladder };
  return {
    curve: { smoothing: 1 },
    periods: hours.map((validHours) => ({ validHours })),
    modelled: new Map([["factor", modelled]]),
    produced: new Map([["factor", { energy, hours: Float64Array.from(hours), byGroup: energy }]]),
  } as unknown as TrainingEnergies;
}

const all = (length: number) => new Uint8Array(length).fill(1);

function assertClose(actual: ArrayLike<number>, expected: readonly number[]): void {
  expected.forEach((value, i) => {
    if (Number.isNaN(value)) assertEquals(actual[i], NaN);
    else assertAlmostEquals(actual[i], value, 1e-6);
  });
}

describe("crossValidate()", () => {
  it("predicts each period from the others", () => {
    const { unseen, squares, error, kind, smoothing } = crossValidate(
      buildTraining([90, 100, 110]),
      "factor",
      all(3),
    );
    assertEquals([kind, smoothing], ["factor", 1]);
    // (100 + 110) / 200 = 1.05, (90 + 110) / 200 = 1, (90 + 100) / 200 = 0.95
    assertClose(unseen, [105, 100, 95]);
    assertClose(squares, [(15 / 720) ** 2, 0, (15 / 720) ** 2]);
    // Root of (15^2 + 0 + 15^2) / 3 over 100.
    assertAlmostEquals(error, Math.sqrt(150) / 100, 1e-9);
  });

  it("neither fits nor predicts a period that does not count", () => {
    const { unseen, error } = crossValidate(
      buildTraining([90, 20, 110]),
      "factor",
      Uint8Array.of(1, 0, 1),
    );
    assertClose(unseen, [110, NaN, 90]);
    assertAlmostEquals(error, 0.2, 1e-8);
  });

  it("fits a period of less than a week, but does not score it", () => {
    const training = buildTraining([90, 100, 110], [720, 720, 167]);
    const { unseen, squares } = crossValidate(training, "factor", all(3));
    assertClose(unseen, [105, 100, NaN]);
    assertClose(squares, [(15 / 720) ** 2, 0, NaN]);
    assertEquals([0, 1, 2].map((i) => isScored(training, all(3), i)), [true, true, false]);
    assertEquals(isScored(training, new Uint8Array(3), 0), false);
    assert(isScored(buildTraining([1], [168]), all(1), 0));
  });

  it("scores mean power: a year counts as much as a month", () => {
    const { squares, error } = crossValidate(
      buildTraining([90, 110], [720, 8640]),
      "factor",
      all(2),
    );
    assertClose(squares, [(20 / 720) ** 2, (20 / 8640) ** 2]);
    const power = (90 / 720 + 110 / 8640) / 2;
    const square = ((20 / 720) ** 2 + (20 / 8640) ** 2) / 2;
    assertAlmostEquals(error, Math.sqrt(square) / power, 1e-9);
  });

  it("leaves out each of up to 24 periods alone", () => {
    // More than half are equal, so the scatter of the others is not known: all have the same weight.
    const produced = Array.from({ length: 24 }, (_, i) => i % 6 === 0 ? 110 + i : 100);
    const { unseen } = crossValidate(buildTraining(produced), "factor", all(24));
    const sum = produced.reduce((a, b) => a + b);
    assertClose(unseen, produced.map((energy) => (sum - energy) / 23));
  });

  it("leaves out neighbours together if there are more", () => {
    // Two levels 10 kWh apart, which rise by 0.1: no period is an outlier, so all have the same weight.
    const produced = Array.from({ length: 48 }, (_, i) => 100 + 10 * (i % 2) + i / 10);
    const { unseen } = crossValidate(buildTraining(produced), "factor", all(48));
    const sum = produced.reduce((a, b) => a + b);
    // Blocks of two: 0 and 1, 2 and 3, ...
    assertClose(
      unseen,
      produced.map((_, i) => {
        const first = i - i % 2;
        return (sum - produced[first] - produced[first + 1]) / 46;
      }),
    );
  });

  it("S4: predicts from the weighted others: an outlier counts less", () => {
    // Without the fourth: median 100, distances 3, 2, 1, 1, 2, 50 with a median of 2, deviation
    // 1.4826 x 2 x 6 / 5.2 = 3.421385, weight of 150 3.421385 / 50 = 0.0684277:
    // (497 + 0.0684277 x 150) / 5.0684277 = 100.083139
    const { unseen } = crossValidate(
      buildTraining([97, 98, 99, 100, 101, 102, 150]),
      "factor",
      all(7),
    );
    assertAlmostEquals(unseen[3], 100.083139, 1e-5);
  });

  it("never predicts from the period itself", () => {
    for (let wrong = 0; wrong < 12; wrong++) {
      const produced = Array.from({ length: 12 }, (_, i) => i === wrong ? 140 : 100);
      const { unseen } = crossValidate(buildTraining(produced), "factor", all(12));
      assertAlmostEquals(unseen[wrong], 100, 1e-6);
    }
  });
});

describe("assignFolds()", () => {
  it("leaves out whole years of months on request, the last with the remainder", () => {
    const folds = assignFolds(all(28), "years");
    assertEquals(Array.from(folds), [...new Array(14).fill(0), ...new Array(14).fill(1)]);
    assertEquals(new Set(assignFolds(all(36), "years")).size, 3);
  });
});

/** Scores of candidates, the simplest first, from their square errors in each period. */
function scores(...squares: number[][]): CandidateScore[] {
  return squares.map((periodSquares, i) => ({
    kind: SCALING_KINDS[i],
    folding: "neighbours",
    smoothing: 1,
    squares: Float64Array.from(periodSquares),
    error: Math.sqrt(
      periodSquares.filter((x) => !Number.isNaN(x)).reduce((a, b) => a + b) / periodSquares.length,
    ),
    unseen: new Float64Array(periodSquares.length),
  }));
}

describe("selectSimplest()", () => {
  it("takes the simplest if none is better", () => {
    assertEquals(selectSimplest(scores([4, 5, 6], [4, 5, 6], [4, 5, 6])).kind, "factor");
    assertEquals(selectSimplest(scores([4, 5, 6], [5, 6, 7], [9, 9, 9])).kind, "factor");
    assertEquals(selectSimplest(scores([4, 5, 6])).kind, "factor");
  });

  it("takes a candidate that is better by more than a standard error of the difference", () => {
    // Differences 3, 5, 4: mean 4, standard deviation 1, error 0.577.
    assertEquals(selectSimplest(scores([10, 12, 11], [7, 7, 7])).kind, "season");
    // Differences 9, -5, 2: mean 2, standard deviation 7, error 4.04.
    assertEquals(selectSimplest(scores([10, 10, 10], [1, 15, 8])).kind, "factor");
    // Differences 3, 0, 0: mean 1, standard deviation 1.732, error 1: not more than one.
    assertEquals(selectSimplest(scores([10, 10, 10], [7, 10, 10])).kind, "factor");
  });

  it("compares period by period: a month that all miss does not matter", () => {
    assertEquals(selectSimplest(scores([100, 12, 11], [97, 7, 7])).kind, "season");
  });

  it("takes the simpler of two that are nearly as good", () => {
    // Factor misses by far; season and hour differ by 1, -2 and 2.
    assertEquals(selectSimplest(scores([50, 51, 52], [9, 7, 9], [8, 9, 7])).kind, "season");
  });

  it("counts only the periods that were predicted", () => {
    assertEquals(selectSimplest(scores([10, NaN, 12, 11], [7, NaN, 7, 7])).kind, "season");
  });

  it("never takes a candidate that does worse than a simpler one", () => {
    // The third is certainly slightly better than the first. The second, whose errors are larger than both, must not be
    // taken only because they scatter too much to be distinguished from the third's.
    const wild = scores([10, 10, 10, 10], [0, 22, 0, 22], [9, 9, 9, 9.1]);
    assertNotEquals(selectSimplest(wild).kind, "season");
  });
});

describe("selectClearlyBetter()", () => {
  const [usual, ...others] = scores([10, 12, 11], [1, 15, 8], [7, 7, 7], [6, 8, 6], [
    9.95,
    11.9,
    10.9,
  ]);
  const [wild, better, best, close] = others;

  it("keeps the usual one unless another is better by more than a standard error of the difference", () => {
    // Differences 9, -3, 3: mean 3, standard deviation 6, error 3.46.
    assertEquals(selectClearlyBetter(usual, [wild]), usual);
    // Differences 3, 5, 4: mean 4, error 0.577.
    assertEquals(selectClearlyBetter(usual, [better]), better);
    assertEquals(selectClearlyBetter(usual, []), usual);
  });

  it("keeps the usual one if another is better by less than 1 %, however certainly", () => {
    // Mean squares of 11 and 10.917: root mean squares 0.4 % apart.
    assertEquals(selectClearlyBetter(usual, [close]), usual);
  });

  it("takes the best of several that are clearly better", () => {
    // Mean squares of 7 and 6.667.
    assertEquals(selectClearlyBetter(usual, [better, best, wild]), best);
  });
});

describe("drawScores()", () => {
  it("counts the errors of each period as often as it was drawn", () => {
    const [score] = scores([4, 16, NaN, 1]);
    const [drawn] = drawScores([{ ...score, error: 0.2 }], Float64Array.of(2, 0, 5, 1));
    assertEquals(drawn.squares, Float64Array.of(4, 4, 1));
    // Mean squares of 3 in the draw, of 7 in all.
    assertAlmostEquals(drawn.error, 0.2 * Math.sqrt(3 / 7), 1e-12);
    assertEquals([drawn.kind, drawn.unseen], [score.kind, score.unseen]);
  });

  it("can lead to another selection than all periods do", () => {
    const both = scores([10, 10, 10, 10], [12, 6, 5, 6]);
    assertEquals(selectSimplest(both).kind, "season");
    assertEquals(selectSimplest(drawScores(both, Float64Array.of(3, 0, 1, 0))).kind, "factor");
  });

  it("leaves scores and weights unchanged", () => {
    const before = scores([4, 16, 1]);
    const weights = Float64Array.of(1, 1, 1);
    const [drawn] = drawScores(before, weights);
    assertEquals(before, scores([4, 16, 1]));
    assertEquals(drawn, before[0]);
    assertEquals(weights, Float64Array.of(1, 1, 1));
  });
});
