import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { SeededRandom } from "../../src/stats/seeded_random.ts";
import { Autoregression } from "../../src/sample/climate.ts";
import { roundValue } from "../../src/sample/sites.ts";
import { correlation, deviation } from "./_statistics.ts";

function draw(count: number, next: () => number): Float64Array {
  return Float64Array.from({ length: count }, next);
}

describe("Autoregression", () => {
  it("has deviation 1 and the autocorrelation of its time scale", () => {
    const process = new Autoregression(new SeededRandom("process"), 10);
    const values = draw(400_000, () => process.next());
    assertAlmostEquals(deviation(values), 1, 0.02);
    const lagged = correlation(values.subarray(10), values.subarray(0, -10));
    assertAlmostEquals(lagged, Math.exp(-1), 0.02);
  });
});

describe("roundValue()", () => {
  it("keeps the requested digits and has no negative zero", () => {
    assertEquals(roundValue(3.14159, 100), 3.14);
    assert(Object.is(roundValue(-0.001, 100), 0));
  });
});
