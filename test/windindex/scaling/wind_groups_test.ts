import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import type { HourAxis } from "../../../src/time/hourly.ts";
import {
  assignWindGroups,
  groupNames,
  type WindGrouping,
} from "../../../src/windindex/scaling/wind_scaling.ts";
import { hours } from "../_synthetic.ts";

const PLACE = { timeZone: "Europe/Copenhagen", longitude: 7.9 };

/** Names of the groups of an axis's timestamps. */
function listGroups(by: WindGrouping, axis: HourAxis, place = PLACE): string[] {
  const windDirection = new Float64Array(axis.length);
  return [...assignWindGroups(by, { axis, windDirection }, place)].map((i) => groupNames[by][i]);
}

describe("assignWindGroups() by sector", () => {
  function sectorsOf(...directions: number[]): number[] {
    const axis = { start: 0, length: directions.length };
    const windDirection = Float64Array.from(directions);
    return [...assignWindGroups("sector", { axis, windDirection }, PLACE)];
  }

  it("takes twelve sectors of 30 deg around north, 30 deg and so on", () => {
    assertEquals(sectorsOf(0, 30, 60, 90, 180, 270, 330), [0, 1, 2, 3, 6, 9, 11]);
    assertEquals(groupNames.sector[9], "270 deg");
    assertEquals(groupNames.sector.length, 12);
  });

  it("puts the bound of two sectors into the later one, and includes both sides of north", () => {
    assertEquals(sectorsOf(14.999, 15, 44.999, 45), [0, 1, 1, 2]);
    assertEquals(sectorsOf(344.999, 345, 359.999, 360), [11, 0, 0, 0]);
  });

  it("F34 puts a missing direction into no sector", () => {
    assertEquals(sectorsOf(NaN, 90), [255, 3]);
  });
});

describe("assignWindGroups() by season", () => {
  it("changes on the first of March, June, September and December of the turbine's clock", () => {
    // Midnight in Copenhagen is 23:00Z in winter and 22:00Z in summer.
    const changes = [
      ["2018-02-28T22:00Z", "Dec-Feb", "Mar-May"],
      ["2018-05-31T21:00Z", "Mar-May", "Jun-Aug"],
      ["2018-08-31T21:00Z", "Jun-Aug", "Sep-Nov"],
      ["2018-11-30T22:00Z", "Sep-Nov", "Dec-Feb"],
    ];
    for (const [from, before, after] of changes) {
      const two = hours(from, Temporal.Instant.from(from).add({ hours: 2 }).toString());
      assertEquals(listGroups("season", two), [before, after]);
    }
  });

  it("keeps the season over New Year", () => {
    const groups = listGroups("season", hours("2017-12-01T00:00Z", "2018-02-28T23:00Z"));
    assertEquals([...new Set(groups)], ["Dec-Feb"]);
  });

  it("puts timestamps of a half-hour zone where their own half hour belongs", () => {
    // Midnight in Kolkata is 18:30Z: the timestamp at 18:00Z is 23:30 of the old season.
    const two = hours("2018-02-28T18:00Z", "2018-02-28T20:00Z");
    assertEquals(listGroups("season", two, { ...PLACE, timeZone: "Asia/Kolkata" }), [
      "Dec-Feb",
      "Mar-May",
    ]);
  });
});

describe("assignWindGroups() by the part of the day", () => {
  const day = hours("2018-06-01T00:00Z", "2018-06-02T00:00Z");
  const parts = (longitude: number, axis = day) =>
    listGroups("hour", axis, { timeZone: "Europe/Copenhagen", longitude });

  it("follows the sun, not the clock", () => {
    const [night, morning, afternoon, evening] = groupNames.hour;
    const six = (name: string) => new Array<string>(6).fill(name);
    assertEquals(parts(0), [night, morning, afternoon, evening].flatMap(six));
    assertEquals(parts(90), [morning, afternoon, evening, night].flatMap(six)); // 6 hours ahead
    assertEquals(parts(-90), [evening, night, morning, afternoon].flatMap(six));
    assertEquals(parts(180), [afternoon, evening, night, morning].flatMap(six));
  });

  it("counts parts of an hour", () => {
    // 7.9 deg east are 0.527 h: 05:00Z is 5.527 h, 17:30Z is 18.027 h.
    assertEquals(parts(7.9).slice(5, 7), ["0-6 h", "6-12 h"]);
    const half = hours("2018-06-01T16:30Z", "2018-06-01T18:30Z");
    assertEquals(parts(7.9, half), ["12-18 h", "18-24 h"]);
  });

  it("works before 1970", () => {
    const old = hours("1950-01-01T00:00Z", "1950-01-03T00:00Z");
    assertEquals(parts(0, old).slice(24), parts(0));
    assertEquals(parts(-7.9, old)[0], "18-24 h");
  });
});
