import { assertAlmostEquals, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import {
  multiplyScaling,
  parametersOf,
  scaleSpeed,
  type WindScaling,
} from "../../../src/windindex/scaling/wind_scaling.ts";
import { at } from "../_synthetic.ts";

const PLACE = { timeZone: "UTC", longitude: 0 };

/** Scaled speeds of hours from an instant on. */
function scaled(
  scaling: WindScaling,
  speeds: readonly number[],
  directions: readonly number[] = speeds.map(() => 0),
  from = "2018-01-01T00:00Z",
): number[] {
  const hub = {
    axis: { start: at(from), length: speeds.length },
    windSpeed: Float64Array.from(speeds),
    windDirection: Float64Array.from(directions),
  };
  const before = structuredClone(hub);
  const result = [...scaleSpeed(scaling, hub, PLACE)];
  assertEquals(hub, before); // the input is unchanged
  return result;
}

describe("scaleSpeed()", () => {
  it("multiplies by one factor", () => {
    assertEquals(scaled({ kind: "factor", k: 0.5 }, [8, 0, NaN]), [4, 0, NaN]);
  });

  it("multiplies by the factor of each timestamp's sector", () => {
    const factors = Array.from({ length: 12 }, (_, i) => 1 + i / 4);
    const speeds = scaled({ kind: "sector", factors }, [4, 4, 4, 4], [350, 20, 90, 329]);
    assertEquals(speeds, [4, 5, 7, 15]); // x 1, 1.25, 1.75, 3.75
  });

  it("multiplies by the factor of each timestamp's season", () => {
    const scaling = { kind: "season" as const, factors: [1, 2, 3, 4] };
    assertEquals(scaled(scaling, [5, 5], [0, 0], "2018-02-28T23:00Z"), [5, 10]);
    assertEquals(scaled(scaling, [5, 5], [0, 0], "2018-11-30T23:00Z"), [20, 5]);
  });

  it("multiplies by the factor of each timestamp's part of the day", () => {
    const scaling = { kind: "hour" as const, factors: [1, 2, 3, 4] };
    assertEquals(scaled(scaling, [5, 5], [0, 0], "2018-06-01T05:00Z"), [5, 10]);
    assertEquals(scaled(scaling, [5, 5], [0, 0], "2018-06-01T23:00Z"), [20, 5]);
  });

  it("F34 has no value without wind or direction", () => {
    const factors = new Array<number>(12).fill(1);
    assertEquals(scaled({ kind: "sector", factors }, [NaN, 5, 5], [0, NaN, 0]), [NaN, NaN, 5]);
  });
});

describe("multiplyScaling()", () => {
  it("multiplies the wind speed of every kind", () => {
    const factors = Array.from({ length: 12 }, (_, i) => 0.8 + i / 50);
    const kinds: WindScaling[] = [
      { kind: "factor", k: 0.9 },
      { kind: "sector", factors },
      { kind: "season", factors: factors.slice(0, 4) },
      { kind: "hour", factors: factors.slice(0, 4) },
    ];
    for (const scaling of kinds) {
      const [speeds, directions] = [[0.3, 4, 9, 21], [10, 100, 200, 300]];
      const scaledUp = scaled(multiplyScaling(1.1, scaling), speeds, directions);
      const times = scaled(scaling, speeds, directions).map((speed) => 1.1 * speed);
      scaledUp.forEach((speed, i) => assertAlmostEquals(speed, times[i], 1e-12));
      assertEquals(multiplyScaling(1, scaling), scaling);
    }
  });
});

describe("parametersOf()", () => {
  it("names the parameters of a scaling", () => {
    assertEquals(parametersOf({ kind: "factor", k: 0.9 }), [{ name: "k", value: 0.9 }]);
    assertEquals(parametersOf({ kind: "season", factors: [1, 2, 3, 4] }), [
      { name: "Dec-Feb", value: 1 },
      { name: "Mar-May", value: 2 },
      { name: "Jun-Aug", value: 3 },
      { name: "Sep-Nov", value: 4 },
    ]);
  });
});
