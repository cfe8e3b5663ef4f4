import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { HOUR } from "../../src/time/hourly.ts";
import {
  describeFindings,
  type Finding,
  type FindingKind,
  remedies,
} from "../../src/screening/finding.ts";

const finding = (kind: FindingKind, from: number, to: number): Finding => ({
  kind,
  from,
  to,
  message: "",
});

/** The hours of 2018 in UTC. */
const year = { start: Date.UTC(2018, 0, 1), length: 8760 };

/** Position of the first hour of a month in UTC, January is 0. */
const month = (number: number) => (Date.UTC(2018, number, 1) - year.start) / HOUR;

describe("describeFindings()", () => {
  it("says nothing without findings, or about findings without hours", () => {
    assertEquals(describeFindings([], year, "UTC"), []);
    assertEquals(describeFindings([finding("idle", 5, 5)], year, "UTC"), []);
    assertEquals(describeFindings([finding("idle", 0, 5)], { start: 0, length: 0 }, "UTC"), []);
  });

  it("names the months of a kind with their hours, most hours first, and the remedy", () => {
    const findings = [
      finding("idle", month(11), month(11) + 15),
      finding("idle", month(2) + 3, month(2) + 43),
      finding("idle", month(2) + 50, month(2) + 52),
    ];
    assertEquals(describeFindings(findings, year, "UTC"), [
      `idle, 57 h: 2018-03 (42 h), 2018-12 (15 h). ${remedies.idle}.`,
    ]);
  });

  it("gives each kind its own line", () => {
    const findings = [finding("gap", 3, 4), finding("out_of_range", 9, 11), finding("gap", 0, 1)];
    assertEquals(describeFindings(findings, year, "UTC"), [
      `out of range, 2 h: 2018-01 (2 h). ${remedies.out_of_range}.`,
      `gap, 2 h: 2018-01 (2 h). ${remedies.gap}.`,
    ]);
  });

  it("counts an hour in two findings of a kind once", () => {
    const findings = [finding("flat", 10, 30), finding("flat", 12, 15), finding("flat", 20, 40)];
    assertStringIncludes(describeFindings(findings, year, "UTC")[0], "flat, 30 h: 2018-01 (30 h).");
  });

  it("names at most twelve months, and the number of others", () => {
    const years = { start: year.start, length: 2 * 8760 };
    const stops = (count: number) =>
      Array.from({ length: count }, (_, i) => finding("gap", month(i), month(i) + 20 - i));
    assertEquals(describeFindings(stops(12), years, "UTC")[0].includes("more"), false);
    assertMatch(
      describeFindings(stops(13), years, "UTC")[0],
      /2018-12 \(9 h\) and 1 more month\. /,
    );
    assertMatch(
      describeFindings(stops(15), years, "UTC")[0],
      /2018-12 \(9 h\) and 3 more months\. /,
    );
  });

  it("orders months with equal hours by time", () => {
    const findings = [finding("gap", month(6), month(6) + 2), finding("gap", 0, 2)];
    assertStringIncludes(
      describeFindings(findings, year, "UTC")[0],
      "2018-01 (2 h), 2018-07 (2 h).",
    );
  });

  it("splits a finding at the months of the zone, with their real hours", () => {
    const line = describeFindings([finding("shift", 0, 8760)], year, "Europe/Copenhagen")[0];
    assertStringIncludes(line, "shift, 8760 h: 2018-10 (745 h), 2018-05 (744 h)");
    assertStringIncludes(line, "2018-03 (743 h)");
    // The last hour of UTC is in 2019 in Copenhagen: 13 months, the last one with one hour.
    assertMatch(line, /2018-02 \(672 h\) and 1 more month\. /);
  });

  it("counts an hour that begins half an hour before a month to the month before", () => {
    // July begins at 18:30 UTC in Kolkata: the hour from 18:00 on belongs to June.
    const at = (instant: string) => (Date.parse(instant) - year.start) / HOUR;
    const findings = [finding("gap", at("2018-06-30T17:00Z"), at("2018-06-30T20:00Z"))];
    assertStringIncludes(
      describeFindings(findings, year, "Asia/Kolkata")[0],
      "gap, 3 h: 2018-06 (2 h), 2018-07 (1 h).",
    );
  });

  it("ends where the clock goes back over the first midnight of a month", () => {
    // St John's, 1 November 2009: at 00:01 it was 23:01 of 31 October once more.
    const first = Date.parse("2009-10-31T00:00Z");
    let calls = 0;
    const axis = {
      get start() {
        if (++calls > 1000) throw new Error("it does not end");
        return first;
      },
      length: 48,
    };
    // The hour from 03:00 UTC on begins at 23:30 of October.
    const [line] = describeFindings([finding("gap", 20, 40)], axis, "America/St_Johns");
    assertStringIncludes(line, "gap, 20 h: 2009-11 (12 h), 2009-10 (8 h).");
  });

  it("stays within the axis and changes nothing", () => {
    const findings = [finding("gap", 8758, 9000), finding("gap", -5, 1)];
    const before = structuredClone(findings);
    assertStringIncludes(
      describeFindings(findings, year, "UTC")[0],
      "gap, 3 h: 2018-12 (2 h), 2018-01 (1 h).",
    );
    assertEquals(findings, before);
  });
});

describe("remedies", () => {
  it("are one short sentence each, without its period", () => {
    for (const remedy of Object.values(remedies)) assertMatch(remedy, /^[A-Z][^.]{10,130}$/);
  });
});
