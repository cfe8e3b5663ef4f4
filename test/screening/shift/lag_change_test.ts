import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { findLagChanges } from "../../../src/screening/shift/lag_change.ts";
import { sumLagged } from "../../../src/screening/shift/lagged_sums.ts";
import { SeededRandom } from "../../../src/stats/seeded_random.ts";
import { buildWorld, writeLate } from "./_clocks.ts";

function changesOf(produced: Float64Array, modelled: Float64Array) {
  const errors = sumLagged(produced, modelled, 0, produced.length).computeErrors()!;
  return findLagChanges(errors, new SeededRandom(1));
}

describe("findLagChanges()", () => {
  it("finds the day of a change, either way, whatever the lag before", () => {
    for (const [before, after] of [[0, 1], [1, 0], [0, -1], [1, 2], [-2, 1]]) {
      const name = `${before} to ${after}`;
      const { produced, modelled } = buildWorld(500, name);
      const late = writeLate(produced, (i) => i < 24 * 200 ? before : after);
      const [change, ...others] = changesOf(late, modelled);
      assertEquals(others, [], name);
      assert(Math.abs(change.row - 200) <= 3, `${name}: day ${change.row}`);
      assert(change.first <= change.row && change.last >= change.row, name);
      assertAlmostEquals(change.before, before, 0.1);
      assertAlmostEquals(change.after, after, 0.1);
      assertAlmostEquals((change.low + change.high) / 2, after - before, 0.1);
    }
  });

  it("finds a clock that was wrong for some months, by both changes", () => {
    const { produced, modelled } = buildWorld(720, "repaired");
    const late = writeLate(produced, (i) => i >= 24 * 240 && i < 24 * 480 ? 1 : 0);
    const changes = changesOf(late, modelled);
    assertEquals(changes.length, 2);
    assert(Math.abs(changes[0].row - 240) <= 3 && Math.abs(changes[1].row - 480) <= 3);
    assertAlmostEquals(changes[0].after, 1, 0.1);
    assertAlmostEquals(changes[1].after, 0, 0.1);
  });

  it("finds nothing if the lag does not change, in 40 series of one to three years", () => {
    for (let world = 0; world < 40; world++) {
      const { produced, modelled } = buildWorld(365 + 365 * (world % 3), `clean ${world}`);
      assertEquals(changesOf(writeLate(produced, () => world % 2), modelled), [], `${world}`);
    }
  });

  it("finds nothing in less than eight weeks", () => {
    const { produced, modelled } = buildWorld(54, "short");
    assertEquals(changesOf(writeLate(produced, (i) => i < 24 * 27 ? 0 : 1), modelled), []);
  });

  it("counts only days with values", () => {
    const { produced, modelled } = buildWorld(500, "holed");
    const late = writeLate(produced, (i) => i < 24 * 300 ? 0 : 1);
    late.fill(NaN, 24 * 100, 24 * 140);
    const [change] = changesOf(late, modelled);
    assert(Math.abs(change.row - 260) <= 3, `day ${change.row}`);
  });
});
