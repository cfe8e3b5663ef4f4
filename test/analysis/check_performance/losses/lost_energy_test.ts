import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  estimatePeriodsRange,
  NormalStretches,
} from "../../../../src/analysis/check_performance/losses/lost_energy.ts";
import { SeededRandom } from "../../../../src/stats/seeded_random.ts";

/** Stretches of ten hours, each with its own expected power and its own error of energy. */
function stretches(expected: readonly number[], misses: readonly number[]): NormalStretches {
  const hours = <V>(values: readonly V[], of: (value: V, i: number) => number) =>
    Float64Array.from(values.flatMap((value, i) => Array(10).fill(of(value, i))));
  return new NormalStretches(
    hours(expected, (power, i) => power + misses[i] / 10),
    hours(expected, (power) => power),
  );
}

describe("NormalStretches", () => {
  it("estimates the range of few stretches by Student's t, with a variance that grows with the energy", () => {
    // Starts every 2 h: 16 stretches of 10 h in 40 h, of which 16 x 2 / 10 = 3 are independent, too few with similar
    // wind.
    const power = [100, 400, 100, 400];
    const misses = [100, -200, -100, 200];
    const normalHours = stretches(power, misses);
    let squares = 0;
    for (let from = 0; from <= 30; from += 2) {
      const share = from % 10 / 10;
      const at = Math.floor(from / 10);
      const sum = (values: readonly number[]) =>
        (1 - share) * values[at] + share * (values[at + 1] ?? 0);
      squares += sum(misses) ** 2 / (10 * sum(power));
    }
    const scatter = squares / 16 * 3 / 2;
    // t(2) = 2.919986; all 40 hours have 10,000 kWh.
    for (const mean of [50, 100, 400]) {
      const half = 2.919986 * Math.sqrt(scatter / (10 * mean) + scatter / 10_000);
      const range = normalHours.estimateRange(10, mean)!;
      assertAlmostEquals(range.high, 1 + half, 1e-6);
      assertAlmostEquals(range.low, 1 - half, 1e-6);
    }
  });

  it("contains 90 % of calm and of windy stretches, if the errors of single hours are independent", () => {
    const random = new SeededRandom("stretches");
    const expected = Float64Array.from(
      { length: 8000 },
      (_, i) => 500 + 400 * Math.sin(2 * Math.PI * i / 8000),
    );
    const misses = expected.map((power) => 5 * Math.sqrt(power) * random.normal());
    const normalHours = new NormalStretches(
      expected.map((power, i) => power + misses[i]),
      expected,
    );
    for (const mean of [120, 500, 880]) {
      let inside = 0;
      const range = normalHours.estimateRange(500, mean)!;
      for (let trial = 0; trial < 400; trial++) {
        let sum = 0;
        for (let i = 0; i < 500; i++) sum += mean + 5 * Math.sqrt(mean) * random.normal();
        const ratio = sum / (500 * mean);
        if (range.low <= ratio && ratio <= range.high) inside++;
      }
      // The range itself comes from sixteen stretches, so its width is known within a fifth.
      assert(inside >= 310 && inside <= 396, `${inside} of 400 at ${mean} kW`);
    }
  });

  it("has no range for a stretch without expected power, or from fewer than two", () => {
    const normalHours = stretches([100, 400, 100, 400], [0, 0, 0, 0]);
    assertEquals(normalHours.estimateRange(10, 0), undefined);
    assertEquals(normalHours.estimateRange(30, 100), undefined);
  });
});

describe("estimatePeriodsRange()", () => {
  it("adds the scatter of the lost periods to the error of the mean, by Student's t", () => {
    // Errors of -10, 0 and 10 %: a standard deviation of 10 %; t(2) = 2.919986; two equal periods leave a half of the
    // variance.
    const { low, high } = estimatePeriodsRange([-0.1, 0, 0.1], [300, 300])!;
    const half = 2.919986 * Math.sqrt(0.01 * (1 / 2 + 1 / 3));
    assertAlmostEquals(high, 1 + half, 1e-6);
    assertAlmostEquals(low, 1 - half, 1e-6);
    assertEquals(estimatePeriodsRange([0.1], [300]), undefined);
  });
});
