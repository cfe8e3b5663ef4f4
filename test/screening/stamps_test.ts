import { assert, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { SeededRandom } from "../../src/stats/seeded_random.ts";
import { findStampFaults } from "../../src/screening/stamps.ts";
import { kelmarsh, kelmarshIsHere, named } from "./_kelmarsh.ts";
import { places } from "./_series.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const START = Date.UTC(2018, 0, 1);

/** Stamps, given in hours from the start of 2018 on. */
const stamps = (length: number, hour: (row: number) => number = (row) => row) =>
  Float64Array.from({ length }, (_, row) => START + hour(row) * HOUR);

const findPlaces = (...of: Parameters<typeof findStampFaults>) => places(findStampFaults(...of));

const messages = (...of: Parameters<typeof findStampFaults>) =>
  findStampFaults(...of).map(({ message }) => message);

describe("findStampFaults()", () => {
  it("finds nothing in whole hours in order, in one stamp or in none", () => {
    for (const length of [0, 1, 2, 100]) assertEquals(findStampFaults(stamps(length)), []);
    assertEquals(findStampFaults(stamps(100, (row) => row - 1e6)), [], "before 1970");
  });

  it("F38 finds stamps that come after a later one", () => {
    const swapped = stamps(20, (row) => (row + 10) % 20);
    assertEquals(findStampFaults(swapped), [{
      kind: "unsorted",
      from: 10,
      to: 20,
      message: "10 rows from 2018-01-01T00:00Z, placed after 2018-01-01T19:00Z",
    }]);
    assertEquals(findPlaces(stamps(5, (row) => -row)), [["unsorted", 1, 5]]);
  });

  it("F38 finds duplicated stamps, side by side and far apart", () => {
    assertEquals(findStampFaults(stamps(20, (row) => row < 8 ? row : row - 1)), [
      { kind: "duplicate", from: 8, to: 9, message: "1 row from 2018-01-01T07:00Z, duplicated" },
    ]);
    const duplicates = findPlaces(stamps(20, (row) => row % 10));
    assertEquals(duplicates, [["unsorted", 10, 19], ["duplicate", 10, 20]]);
  });

  it("F38 finds the hour that a clock set back repeats and the one that it skips", () => {
    // Copenhagen's clock read as UTC: 2 o'clock is skipped in March and occurs twice in October.
    const local = Float64Array.from({ length: 8760 }, (_, row) => {
      const instant = Temporal.Instant.fromEpochMilliseconds(START + row * HOUR);
      return START + row * HOUR +
        instant.toZonedDateTimeISO("Europe/Copenhagen").offsetNanoseconds / 1e6;
    });
    assertEquals(messages(local), [
      "1 h missing between 2018-03-25T01:00Z and 2018-03-25T03:00Z",
      "1 row from 2018-10-28T02:00Z, duplicated",
    ]);
  });

  it("F38 finds missing hours and counts them", () => {
    assertEquals(findStampFaults(stamps(20, (row) => row < 10 ? row : row + 5)), [{
      kind: "gap",
      from: 10,
      to: 11,
      message: "5 h missing between 2018-01-01T09:00Z and 2018-01-01T15:00Z",
    }]);
  });

  it("F38 does not count hours as missing that are elsewhere in the file", () => {
    const blocks = [0, 1, 2, 6, 7, 3, 4, 5];
    assertEquals(findPlaces(stamps(8, (row) => blocks[row])), [["unsorted", 5, 8]]);
  });

  it("F38 finds a file of every third hour once", () => {
    assertEquals(messages(stamps(20, (row) => 3 * row)), [
      "38 h missing between 2018-01-01T00:00Z and 2018-01-03T09:00Z",
    ]);
  });

  it("F38 finds a stamp of the far future among others", () => {
    const future = stamps(20);
    future[5] = Date.UTC(2099, 0, 1);
    assertEquals(findPlaces(future), [["gap", 5, 6], ["unsorted", 6, 20], ["gap", 6, 7]]);
  });

  it("F38 finds ten minutes instead of hours, and gaps among them", () => {
    assertEquals(findStampFaults(stamps(600, (row) => row / 6)), [{
      kind: "resolution",
      from: 0,
      to: 600,
      message: "steps of 10 min instead of hours",
    }]);
    assertEquals(messages(stamps(60, (row) => (row < 30 ? row : row + 4) / 6)), [
      "steps of 10 min instead of hours",
      "4 steps of 10 min missing between 2018-01-01T04:50Z and 2018-01-01T05:40Z",
    ]);
    for (const parts of [2, 3, 4, 12, 60, 3600]) {
      assertEquals(findPlaces(stamps(9000, (row) => row / parts)), [["resolution", 0, 9000]]);
    }
  });

  it("F38 finds a clock that is some minutes wrong all the time", () => {
    const late = stamps(20, (row) => row + 7 / 60);
    assertEquals(findStampFaults(late), [{
      kind: "clock",
      from: 0,
      to: 20,
      message: "20 rows from 2018-01-01T00:07Z, 7 min off the whole hour",
    }]);
  });

  it("F38 finds a drifting clock, and counts its hours as hours", () => {
    assertEquals(messages(stamps(201, (row) => row * (1 - 1 / 7200))), [
      "200 rows from 2018-01-01T00:59Z, -1.67 min to -0.00833 min off the whole hour",
    ]);
  });

  it("F38 finds a single stamp off the hour as a wrong clock, not as a finer step", () => {
    assertEquals(findPlaces(stamps(20, (row) => row === 4 ? 4.1 : row)), [["clock", 4, 5]]);
    assertEquals(findPlaces(stamps(20, (row) => row === 4 ? 4 + 1 / HOUR : row)), [[
      "clock",
      4,
      5,
    ]]);
  });

  it("F38 accepts the hours of a half-hour zone if the zone is given", () => {
    const half = stamps(20, (row) => row + 0.5);
    assertEquals(messages(half), ["20 rows from 2018-01-01T00:30Z, 30 min off the whole hour"]);
    assertEquals(findPlaces(half, { clockShift: HOUR / 2 }), []);
    assertEquals(
      findPlaces(stamps(20), { clockShift: HOUR / 2 }),
      [],
      "whole hours of UTC there too",
    );
    assertEquals(findPlaces(stamps(20, (row) => row + 0.25), { clockShift: HOUR / 2 }), [[
      "clock",
      0,
      20,
    ]]);
  });

  it("accepts whole steps of UTC in a zone of three quarters of an hour", () => {
    const fine = stamps(20, (row) => 0.5 + row / 6);
    const messagesOf = (clockShift: number) =>
      findStampFaults(fine, { clockShift }).filter(({ kind }) => kind === "clock");
    assertEquals(messagesOf(0.75 * HOUR), [], "10 minutes from 00:30 UTC in Kathmandu");
  });

  it("ignores invalid stamps, and counts their hours as missing", () => {
    assertEquals(findStampFaults(stamps(5, () => NaN)), []);
    const holed = stamps(8);
    holed.set([NaN, Infinity, 1e300], 2);
    assertEquals(findPlaces(holed), [["gap", 5, 6]]);
  });

  it("returns positions within the rows and changes nothing, whatever the stamps", () => {
    for (let seed = 0; seed < 200; seed++) {
      const random = new SeededRandom(seed);
      const some = stamps(
        random.below(40),
        () => random.below(30) + [0, 0.1, NaN][random.below(3)],
      );
      const before = some.slice();
      for (const { from, to } of findStampFaults(some)) {
        assert(from >= 0 && to > from && to <= some.length, `${from} to ${to} of ${some.length}`);
      }
      assertEquals(some, before);
    }
  });

  const check = kelmarshIsHere() ? it : it.ignore;

  check(named("finds nothing in the stamps of Kelmarsh"), async () => {
    assertEquals(findStampFaults((await kelmarsh()).stamps), []);
  });
});
