import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { energyAt, type LadderStamps } from "../../../src/windindex/scaling/energy_ladder.ts";
import { computePowerAtStamps } from "../../../src/windindex/power_model.ts";
import {
  computePeriodEnergy,
  computeScalingEnergies,
  countGroups,
  energyAtOffset,
  OFFSET_RANGE,
  SCALING_KINDS,
  type ScalingKind,
} from "../../../src/windindex/scaling/scaling_energies.ts";
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

const ALL = computeScalingEnergies(SCALING_KINDS, STAMPS, PERIOD_OF, 3, findGroup, TURBINE);

/** Energy of a period, hour by hour, where the wind of each hour is what a function makes of it. */
function directly(period: number, wind: (speed: number, i: number) => number): number {
  const power = computePowerAtStamps(TURBINE, STAMPS.speed.map(wind), STAMPS.logDensityRatio);
  return power.subarray(period * 730, (period + 1) * 730).reduce((a, b) => a + b);
}

describe("SCALING_KINDS", () => {
  it("go from one figure to twelve", () => {
    assertEquals([...SCALING_KINDS], ["factor", "linear", "season", "hour", "sector"]);
    assertEquals(SCALING_KINDS.map(countGroups), [1, 1, 4, 4, 12]);
  });
});

describe("computeScalingEnergies()", () => {
  it("has the kinds that were requested, and no other", () => {
    assertEquals([...ALL.keys()].sort(), [...SCALING_KINDS].sort());
    const two = computeScalingEnergies(
      ["hour", "linear"],
      STAMPS,
      PERIOD_OF,
      3,
      findGroup,
      TURBINE,
    );
    assertEquals([...two.keys()].sort(), ["hour", "linear"]);
    assertEquals(two.get("linear")!.ladders.length, 7);
    // Without the ladder of the factor at hand, that without an offset is made anew.
    assertEquals(two.get("linear")!.ladders[3], ALL.get("factor")!.ladders[0]);
  });

  it("has the same energy of a period in its groups as in the whole", () => {
    for (const kind of ["season", "hour", "sector"] as const) {
      const { groups, ladders } = ALL.get(kind)!;
      for (let period = 0; period < 3; period++) {
        let sum = 0;
        for (let group = 0; group < groups; group++) {
          sum += energyAt(ladders[0], period * groups + group, 0.93);
        }
        assertAlmostEquals(sum / energyAt(ALL.get("factor")!.ladders[0], period, 0.93), 1, 1e-12);
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
        const own = directly(period, (speed, i) => factors[groups[i]] * speed);
        assertAlmostEquals(energy / own, 1, 1e-12); // all factors are rungs
      }
    });
  }

  it("is the energy of the hours at a v + b", () => {
    for (const [a, b] of [[0.9, 0.45], [0.9, -0.45], [0.83, 0.7], [1.04, -0.9]]) {
      for (let period = 0; period < 3; period++) {
        const energy = computePeriodEnergy(ALL.get("linear")!, period, { kind: "linear", a, b });
        const own = directly(period, (speed) => Math.max(0, a * speed + b));
        // b / a = 0.5 is an offset with a ladder, and 0.9 a rung: exact there.
        assertAlmostEquals(energy / own, 1, Math.abs(b / a) === 0.5 ? 1e-12 : 1e-3);
      }
    }
  });

  it("is that of the factor where b is 0", () => {
    const linear = computePeriodEnergy(ALL.get("linear")!, 1, { kind: "linear", a: 0.937, b: 0 });
    const factor = computePeriodEnergy(ALL.get("factor")!, 1, { kind: "factor", k: 0.937 });
    assertAlmostEquals(linear / factor, 1, 1e-12);
  });
});

describe("energyAtOffset()", () => {
  it("rises with the offset and with the factor", () => {
    const { ladders } = ALL.get("linear")!;
    const [low, high] = OFFSET_RANGE;
    for (let offset = low; offset < high; offset += 0.1) {
      const here = energyAtOffset(ladders, 0, 0.9, offset);
      assert(energyAtOffset(ladders, 0, 0.9, offset + 0.1) > here);
      assert(energyAtOffset(ladders, 0, 0.92, offset) > here);
    }
  });
});
