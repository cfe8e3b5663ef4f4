import { assert, assertAlmostEquals, assertEquals, assertNotEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { Autoregression } from "../../../src/service/sample/autoregression.ts";
import { SeededRandom } from "../../../src/service/sample/random.ts";
import { rounded } from "../../../src/service/sample/rounded.ts";
import { correlation, deviation, mean } from "./_statistics.ts";

function draw(count: number, next: () => number): Float64Array {
  return Float64Array.from({ length: count }, next);
}

describe("SeededRandom", () => {
  it("gives the same stream for the same seed, on every platform", () => {
    const random = new SeededRandom("T1");
    assertEquals(
      Array.from({ length: 4 }, () => Math.floor(random.uniform() * 4_294_967_296)),
      [2_071_877_997, 1_942_315_438, 3_023_261_089, 2_032_131_539],
    );
  });

  it("gives other, unrelated streams for other seeds", () => {
    const a = new SeededRandom("T1");
    const b = new SeededRandom("T2");
    const first = draw(20_000, () => a.uniform());
    const second = draw(20_000, () => b.uniform());
    assertNotEquals(first[0], second[0]);
    assert(Math.abs(correlation(first, second)) < 0.03);
  });

  it("`uniform()` fills the unit interval evenly", () => {
    const random = new SeededRandom("uniform");
    const counts = new Int32Array(10);
    for (let i = 0; i < 100_000; i++) counts[Math.floor(random.uniform() * 10)]++;
    for (const count of counts) assertAlmostEquals(count, 10_000, 400);
  });

  it("`normal()` has mean 0, deviation 1 and normal tails", () => {
    const random = new SeededRandom("normal");
    const values = draw(200_000, () => random.normal());
    assertAlmostEquals(mean(values), 0, 0.01);
    assertAlmostEquals(deviation(values), 1, 0.01);
    const beyond = values.filter((value) => Math.abs(value) > 1.96).length / values.length;
    assertAlmostEquals(beyond, 0.05, 0.003);
  });

  it("`exponential()` has the mean asked for", () => {
    const random = new SeededRandom("exponential");
    const values = draw(100_000, () => random.exponential(6));
    assertAlmostEquals(mean(values), 6, 0.1);
    assert(values.every((value) => value >= 0));
  });
});

describe("Autoregression", () => {
  it("has deviation 1 and the autocorrelation of its time scale", () => {
    const process = new Autoregression(new SeededRandom("process"), 10);
    const values = draw(400_000, () => process.next());
    assertAlmostEquals(deviation(values), 1, 0.02);
    const lagged = correlation(values.subarray(10), values.subarray(0, -10));
    assertAlmostEquals(lagged, Math.exp(-1), 0.02);
  });
});

describe("rounded()", () => {
  it("keeps the digits asked for and has no negative zero", () => {
    assertEquals(rounded(3.14159, 100), 3.14);
    assert(Object.is(rounded(-0.001, 100), 0));
  });
});
