import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { planGroups } from "../../../src/machines/export/export_parquet.ts";

/** Identifiers of turbines from one number to before another. */
const ids = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, i) => `T${String(from + i).padStart(4, "0")}`);

const firstsOf = (groups: readonly (readonly string[])[]) => groups.map(([first]) => first);

describe("planGroups", () => {
  it("divides turbines evenly, in the order of their identifiers", () => {
    const groups = planGroups(ids(0, 11).reverse(), [], 4);
    assertEquals(groups.map((group) => group.length), [4, 3, 4]);
    assertEquals(groups.flat(), ids(0, 11));
  });

  it("has no group without turbines", () => {
    assertEquals(planGroups([], [], 4), []);
    assertEquals(planGroups([], ["T0000", "T0005"], 4), []);
  });

  it("keeps the bounds of an earlier export: a new turbine changes one group", () => {
    const before = planGroups(ids(0, 9), [], 4);
    const after = planGroups([...ids(0, 9), "T0004b", "A"], firstsOf(before), 4);
    assertEquals(after, [["A", ...before[0]], [...before[1], "T0004b"].sort(), before[2]]);
  });

  it("divides a group that has grown too large, and does not change the others", () => {
    const before = planGroups(ids(0, 8), [], 4);
    const after = planGroups([...ids(0, 8), "T0000b", "T0001b"], firstsOf(before), 4);
    assertEquals(after.map((group) => group.length), [3, 3, 4]);
    assertEquals(after[2], before[1]);
  });

  it("leaves out a group whose turbines are gone", () => {
    const before = planGroups(ids(0, 12), [], 4);
    assertEquals(planGroups([...before[0], ...before[2]], firstsOf(before), 4), [
      before[0],
      before[2],
    ]);
  });
});
