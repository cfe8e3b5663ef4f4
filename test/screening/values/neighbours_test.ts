import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { buildMask } from "../../../src/screening/finding.ts";
import { findIdle, type Neighbour } from "../../../src/screening/values/neighbours.ts";
import { kelmarsh, KELMARSH_RATED_POWER, kelmarshIsHere, named } from "../_kelmarsh.ts";
import { drifting, places, repeated } from "../_series.ts";

const RATED = 2000;

/** A neighbour with twice the rated power, so only capacity factors can be compared. */
const neighbour = (...factors: number[]): Neighbour => ({
  power: Float64Array.from(factors, (factor) => 4000 * factor),
  ratedPower: 4000,
});

const power = (...factors: number[]) => Float64Array.from(factors, (factor) => RATED * factor);

/** Positions of the findings. */
const idle = (turbine: Float64Array, ...neighbours: Neighbour[]) =>
  findIdle(turbine, neighbours, RATED).map(({ from, to }) => [from, to]);

describe("findIdle()", () => {
  it("finds the hours in which a turbine is stopped while its neighbour runs", () => {
    const turbine = power(0.3, 0.3, 0, 0, 0, 0.3, 0.3);
    assertEquals(findIdle(turbine, [neighbour(...repeated(0.3, 7))], RATED), [
      { kind: "idle", from: 2, to: 5, message: "3 h stopped while neighbours ran" },
    ]);
  });

  it("counts 1 % of rated power as stopped, and more as running", () => {
    const others = neighbour(...repeated(0.11, 5));
    assertEquals(idle(power(0.1, 0.1, 0.01, 0.1, 0.1), others), [[2, 3]]);
    assertEquals(idle(power(0.1, 0.1, 0.0101, 0.1, 0.1), others), []);
    assertEquals(idle(power(0.1, 0.1, -0.01, 0.1, 0.1), others), [[2, 3]]);
  });

  it("counts neighbours at 10 % of rated power as running, and less as a calm", () => {
    const turbine = power(0.1, 0.1, 0, 0.1, 0.1);
    assertEquals(idle(turbine, neighbour(...repeated(0.1, 5))), [[2, 3]]);
    assertEquals(idle(turbine, neighbour(...repeated(0.0999, 5))), []);
  });

  it("includes the hours in which it stopped and started, with less than half of the neighbours", () => {
    const others = neighbour(...repeated(0.4, 6));
    assertEquals(idle(power(0.4, 0.19, 0, 0, 0.19, 0.4), others), [[1, 5]]);
    assertEquals(idle(power(0.4, 0.2, 0, 0, 0.2, 0.4), others), [[2, 4]]);
  });

  it("includes only one hour on each side, and joins stops that share one", () => {
    const others = neighbour(...repeated(0.4, 7));
    assertEquals(idle(power(0.1, 0.1, 0, 0.1, 0.1, 0.4, 0.4), others), [[1, 4]]);
    assertEquals(idle(power(0.4, 0, 0.1, 0, 0.4, 0.4, 0.4), others), [[1, 4]]);
  });

  it("does not count power below -2 % of rated power as a standstill", () => {
    const others = neighbour(...repeated(0.3, 5));
    assertEquals(idle(power(0.3, -0.02, 0.3, -0.0201, 0.3), others), [[1, 2]]);
    assertEquals(idle(power(-999, 0, -999, 0.3, -999), others), [[1, 2]]);
  });

  it("finds stops at both ends of the record", () => {
    assertEquals(idle(power(0, 0.3, 0.3, 0), neighbour(...repeated(0.3, 4))), [[0, 1], [3, 4]]);
  });

  it("judges by the median of the neighbours that have a value", () => {
    const turbine = power(0.3, 0, 0.3);
    const high = neighbour(...repeated(0.3, 3));
    const low = neighbour(...repeated(0, 3));
    const none = neighbour(...repeated(NaN, 3));
    assertEquals(idle(turbine, high, low, high), [[1, 2]]);
    assertEquals(idle(turbine, high, low, low), []);
    assertEquals(idle(turbine, high, low), [[1, 2]], "the mean of two");
    assertEquals(idle(turbine, none, high, none), [[1, 2]]);
  });

  it("does not judge missing hours, or hours without a value of any neighbour", () => {
    const turbine = power(0.3, 0, 0, 0.3);
    assertEquals(idle(turbine), []);
    assertEquals(idle(turbine, neighbour(...repeated(NaN, 4))), []);
    assertEquals(idle(turbine, neighbour(0.3, NaN, 0.3, 0.3)), [[2, 3]]);
    assertEquals(idle(power(0.3, NaN, NaN, 0.3), neighbour(...repeated(0.3, 4))), []);
    assertEquals(idle(power(), neighbour()), []);
  });

  it("leaves missing hours next to a stop missing", () => {
    assertEquals(idle(power(NaN, 0, NaN), neighbour(...repeated(0.3, 3))), [[1, 2]]);
  });

  it("returns positions within the record and changes nothing, whatever the power", () => {
    for (let seed = 0; seed < 50; seed++) {
      const turbine = drifting(300, `own ${seed}`).map((value, i) => i % 17 < 3 ? 0 : value);
      const others = [drifting(300, `one ${seed}`), drifting(300, `two ${seed}`)];
      const before = [turbine, ...others].map((values) => values.slice());
      const findings = findIdle(
        turbine,
        others.map((p) => ({ power: p, ratedPower: RATED })),
        RATED,
      );
      assertEquals([turbine, ...others], before);
      let last = 0;
      for (const { from, to } of findings) {
        assert(from >= last && to > from && to <= turbine.length, `${from} to ${to}`);
        last = to + 1; // findings do not touch each other
      }
    }
  });

  const check = kelmarshIsHere() ? it : it.ignore;

  check(named("finds 0.5 to 1.5 % of the hours at Kelmarsh, with one neighbour too"), async () => {
    const turbines = (await kelmarsh()).power.map((p) => ({
      power: p,
      ratedPower: KELMARSH_RATED_POWER,
    }));
    for (const turbine of turbines) {
      const others = turbines.filter((other) => other !== turbine);
      const valid = turbine.power.filter((value) => !Number.isNaN(value)).length;
      const share = (neighbours: typeof others) => {
        const findings = findIdle(turbine.power, neighbours, KELMARSH_RATED_POWER);
        return buildMask(findings, turbine.power.length).reduce((sum, flag) => sum + flag, 0) /
          valid;
      };
      const all = share(others);
      assert(all > 0.005 && all < 0.015, `${all}`);
      for (const one of others) assert(share([one]) < 0.015, `${share([one])}`);
    }
  });

  it("describes every finding", () => {
    const findings = findIdle(power(0.3, 0, 0.3, 0), [neighbour(...repeated(0.3, 4))], RATED);
    assertEquals(places(findings), [["idle", 1, 2], ["idle", 3, 4]]);
  });
});
