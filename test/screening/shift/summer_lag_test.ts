import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { sumLagged } from "../../../src/screening/shift/lagged_sums.ts";
import { findSummerLag } from "../../../src/screening/shift/clock_faults.ts";
import { SeededRandom } from "../../../src/stats/seeded_random.ts";
import { buildWorld, offsetAt, writeLate } from "./_clocks.ts";

const HOUR = 3_600_000;

function summerOf(produced: Float64Array, modelled: Float64Array, zone: string) {
  const errors = sumLagged(produced, modelled, 0, produced.length).computeErrors()!;
  const offsets = Float64Array.from(errors.days, (day) => HOUR * offsetAt(24 * day + 12, zone));
  return findSummerLag(errors, offsets, new SeededRandom(1));
}

/** Finds the lags of production on the clock of a zone, with stamps read as UTC, or the other way round. */
function judge(days: number, zone: string, sign = 1) {
  const { produced, modelled } = buildWorld(days, `${zone} ${days} ${sign}`);
  return summerOf(writeLate(produced, (i) => sign * offsetAt(i, zone)), modelled, zone);
}

describe("findSummerLag()", () => {
  it("finds local time read as UTC, in any zone with summer time, from half a year on", () => {
    const zones = [["Europe/London", 0], ["Europe/Copenhagen", 1], [
      "America/New_York",
      -5,
    ]] as const;
    for (const [zone, winter] of zones) {
      for (const days of [180, 365, 730]) {
        const { standard, summer, low, high } = judge(days, zone)!;
        assertAlmostEquals(standard, winter, 0.15, zone);
        assertAlmostEquals(summer - standard, 1, 0.2, zone);
        assert(low <= summer - standard && summer - standard <= high);
      }
    }
  });

  it("finds UTC read as local time, and half an hour of summer time", () => {
    const { summer, standard } = judge(365, "Europe/Copenhagen", -1)!;
    assertAlmostEquals(standard, -1, 0.15);
    assertAlmostEquals(summer, -2, 0.15);
    // A clock that is half an hour late records the mean of two hours.
    const { produced, modelled } = buildWorld(730, "Lord Howe");
    const half = produced.map((power, i) =>
      offsetAt(i, "Australia/Lord_Howe") > 10.5 ? (power + produced[i - 1]) / 2 : power
    );
    assertAlmostEquals(summerOf(half, modelled, "Australia/Lord_Howe")!.summer, 0.5, 0.15);
  });

  it("finds nothing if the clock is right, wrong all year, or in a zone without summer time", () => {
    for (let world = 0; world < 20; world++) {
      const { produced, modelled } = buildWorld(365, `right ${world}`);
      const late = writeLate(produced, () => world % 3);
      assertEquals(summerOf(late, modelled, "Europe/London"), undefined, `${world}`);
    }
    assertEquals(judge(365, "Asia/Karachi"), undefined);
  });

  it("finds nothing if the lag in summer differs from a clock's", () => {
    const { produced, modelled } = buildWorld(365, "three hours");
    const late = writeLate(produced, (i) => 3 * offsetAt(i, "Europe/London"));
    assertEquals(summerOf(late, modelled, "Europe/London"), undefined);
  });

  it("needs four weeks of each time", () => {
    assertEquals(judge(100, "Europe/London"), undefined); // twelve days of summer time
  });
});
