import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { fitWeibull, logGamma, weibullBelow } from "../../src/stats/weibull.ts";
import { buildWeibullSpeeds, computeScatter } from "../plots/_wind_frames.ts";

describe("fitWeibull()", () => {
  it("finds the distribution that the speeds were drawn from", () => {
    for (const [scale, shape] of [[9, 2.2], [8, 1.5], [10, 3], [6, 1], [12, 4]]) {
      const fit = fitWeibull(Float64Array.from(buildWeibullSpeeds(20_000, scale, shape)))!;
      assertAlmostEquals(fit.scale, scale, 0.001);
      assertAlmostEquals(fit.shape, shape, 0.001);
    }
  });

  it("keeps mean cube and share above the mean of any speeds", () => {
    for (let seed = 0; seed < 20; seed++) {
      const speeds = Float64Array.from(
        { length: 500 },
        (_, i) => 12 * computeScatter(seed * 500 + i) + 8 * computeScatter(seed * 31 + i * 3),
      );
      const fit = fitWeibull(speeds);
      assert(fit);
      const mean = speeds.reduce((sum, v) => sum + v, 0) / 500;
      const cube = speeds.reduce((sum, v) => sum + v ** 3, 0) / 500;
      const above = speeds.filter((v) => v > mean).length / 500;
      assertAlmostEquals(fit.scale ** 3 * Math.exp(logGamma(1 + 3 / fit.shape)), cube, 1e-6 * cube);
      assertAlmostEquals(1 - weibullBelow(fit, mean), above, 1e-9);
    }
  });

  it("fits nothing to calms, to one value and to equal ones", () => {
    for (const speeds of [[], [0, 0], [7], [7, 7, 7]]) {
      assertEquals(fitWeibull(Float64Array.from(speeds)), undefined);
    }
  });

  it("knows the gamma function", () => {
    assertAlmostEquals(Math.exp(logGamma(5)), 24, 1e-12 * 24);
    assertAlmostEquals(Math.exp(logGamma(1.5)), Math.sqrt(Math.PI) / 2, 1e-14);
  });
});
