import { assert, assertAlmostEquals, assertEquals, assertNotEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { SeededRandom } from "../../src/stats/seeded_random.ts";

function draw(count: number, next: () => number): Float64Array {
  return Float64Array.from({ length: count }, next);
}

const mean = (values: Float64Array) => values.reduce((sum, x) => sum + x, 0) / values.length;

/** Mean of the squares of values that have mean 0: their variance. */
const square = (values: Float64Array) => mean(values.map((value) => value * value));

const uniforms = (seed: number | string, count = 5) => {
  const random = new SeededRandom(seed);
  return draw(count, () => random.uniform());
};

describe("SeededRandom", () => {
  it("gives the same stream for the same seed, on every platform", () => {
    assertEquals(
      [...uniforms("T1", 4)].map((value) => value * 4_294_967_296),
      [2_071_877_997, 1_942_315_438, 3_023_261_089, 2_032_131_539],
    );
  });

  it("gives other streams for other seeds, and the same for a number and its text", () => {
    assertEquals(uniforms(7), uniforms("7"));
    assertNotEquals(uniforms("a"), uniforms("b"));
    assertNotEquals(uniforms(1), uniforms(2));
  });

  it("gives streams of other seeds that are unrelated", () => {
    const [a, b] = [uniforms("T1", 20_000), uniforms("T2", 20_000)].map((values) =>
      values.map((value) => (value - 0.5) * Math.sqrt(12))
    );
    assert(Math.abs(mean(a.map((value, i) => value * b[i]))) < 0.03);
  });

  it("`uniform()` fills the unit interval evenly", () => {
    const values = uniforms("uniform", 100_000);
    assert(values.every((value) => value >= 0 && value < 1));
    assertAlmostEquals(mean(values), 0.5, 0.005);
    const counts = new Int32Array(10);
    for (const value of values) counts[Math.floor(value * 10)]++;
    for (const count of counts) assertAlmostEquals(count, 10_000, 400);
  });

  it("`normal()` has mean 0, variance 1 and normal tails", () => {
    const random = new SeededRandom("normal");
    const values = draw(200_000, () => random.normal());
    assertAlmostEquals(mean(values), 0, 0.01);
    assertAlmostEquals(square(values), 1, 0.02);
    const beyond = values.filter((value) => Math.abs(value) > 1.96).length / values.length;
    assertAlmostEquals(beyond, 0.05, 0.003);
  });

  it("`exponential()` has the requested mean", () => {
    const random = new SeededRandom("exponential");
    const values = draw(100_000, () => random.exponential(6));
    assertAlmostEquals(mean(values), 6, 0.1);
    assert(values.every((value) => value >= 0));
  });

  it("`below()` gives every whole number below a bound about equally often", () => {
    const random = new SeededRandom("below");
    const counts = new Float64Array(7);
    for (let i = 0; i < 70_000; i++) counts[random.below(7)]++;
    for (const count of counts) assertAlmostEquals(count, 10_000, 400);
    assertEquals(random.below(1), 0);
  });
});
