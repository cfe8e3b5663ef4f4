import { assertAlmostEquals, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  computePeriodEnergy,
  computeScalingEnergies,
  countGroups,
  energyAt,
  type LadderStamps,
  SCALING_KINDS,
  type ScalingKind,
} from "../../../src/windindex/scaling/energy_ladder.ts";
import { computePowerAtStamps } from "../../../src/windindex/power_model.ts";
import { SmoothedPower } from "../../../src/windindex/turbine/smoothed_power.ts";
import { driftingSpeeds, TURBINE, uniforms } from "../_synthetic.ts";

const LENGTH = 3 * 730;

const STAMPS: LadderStamps = {
  speed: driftingSpeeds(LENGTH, 12),
  logDensityRatio: new Float64Array(LENGTH).map((_, i) => 0.06 * Math.sin(i / 900)),
  weight: new Float64Array(LENGTH).fill(1),
};

/** Three periods of 730 hours. */
const PERIOD_OF = Int32Array.from({ length: LENGTH }, (_, i) => Math.floor(i / 730));

/** Groups that change from hour to hour. */
function findGroup(kind: ScalingKind): Uint8Array {
  const random = uniforms(13);
  return new Uint8Array(LENGTH).map(() => Math.floor(countGroups(kind) * random()));
}

const CURVE = new SmoothedPower(TURBINE, 1);

const ALL = computeScalingEnergies(SCALING_KINDS, STAMPS, PERIOD_OF, 3, findGroup, CURVE);

/** Energy of a period, hour by hour, with the wind of each hour changed by a function. */
function directly(period: number, wind: (speed: number, i: number) => number): number {
  const power = computePowerAtStamps(TURBINE, STAMPS.speed.map(wind), STAMPS.logDensityRatio, 1);
  return power.subarray(period * 730, (period + 1) * 730).reduce((a, b) => a + b);
}

describe("SCALING_KINDS", () => {
  it("go from one parameter to twelve", () => {
    assertEquals([...SCALING_KINDS], ["factor", "season", "hour", "sector"]);
    assertEquals(SCALING_KINDS.map(countGroups), [1, 4, 4, 12]);
  });
});

describe("computeScalingEnergies()", () => {
  it("has the requested kinds, and no others", () => {
    assertEquals([...ALL.keys()].sort(), [...SCALING_KINDS].sort());
    const two = computeScalingEnergies(
      ["hour", "season"],
      STAMPS,
      PERIOD_OF,
      3,
      findGroup,
      CURVE,
    );
    assertEquals([...two.keys()].sort(), ["hour", "season"]);
    assertEquals(two.get("season"), ALL.get("season"));
  });

  it("has the same energy of a period in its groups as in total", () => {
    for (const kind of ["season", "hour", "sector"] as const) {
      const { groups, ladders } = ALL.get(kind)!;
      for (let period = 0; period < 3; period++) {
        let sum = 0;
        for (let group = 0; group < groups; group++) {
          sum += energyAt(ladders, period * groups + group, 0.93);
        }
        assertAlmostEquals(sum / energyAt(ALL.get("factor")!.ladders, period, 0.93), 1, 1e-12);
      }
    }
  });
});

describe("computePeriodEnergy()", () => {
  it("is the energy of the hours at a factor", () => {
    for (let period = 0; period < 3; period++) {
      // At a rung, and between rungs (see energy_ladder_test.ts).
      for (const [k, bound] of [[0.9, 1e-12], [0.937, 1e-3]]) {
        const energy = computePeriodEnergy(ALL.get("factor")!, period, { kind: "factor", k });
        assertAlmostEquals(energy / directly(period, (speed) => k * speed), 1, bound);
      }
    }
  });

  for (const kind of ["season", "hour", "sector"] as const) {
    it(`is the energy of the hours at the factors of their groups (${kind})`, () => {
      const groups = findGroup(kind);
      const factors = Array.from({ length: countGroups(kind) }, (_, i) => 0.5 + 0.05 * i);
      for (let period = 0; period < 3; period++) {
        const energy = computePeriodEnergy(ALL.get(kind)!, period, { kind, factors });
        const expected = directly(period, (speed, i) => factors[groups[i]] * speed);
        assertAlmostEquals(energy / expected, 1, 1e-12); // all factors are rungs
      }
    });
  }
});
