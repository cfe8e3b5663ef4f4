import { assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { findPeriodFaults } from "../../../src/screening/values/wrong_unit.ts";

const RATED = 2000;

/** A month of 720 hours: 1,440,000 kWh at rated power. */
const month = (label: string, energy: number) => ({ label, energy, hours: 720 });

describe("findPeriodFaults()", () => {
  it("finds nothing in months of 1 to 100 % of rated power", () => {
    const months = [
      month("2018-01", 14_400),
      month("2018-02", 500_000),
      month("2018-03", 1_440_000),
    ];
    assertEquals(findPeriodFaults(months, RATED), []);
  });

  it("finds months below 1 % of rated power, zero among them, by their names", () => {
    const months = [
      month("2018-01", 400_000),
      month("2018-02", 14_399),
      month("2018-03", 0),
    ];
    assertEquals(findPeriodFaults(months, RATED), [
      {
        kind: "standstill",
        from: 1,
        to: 2,
        message: "2018-02: standstill, capacity factor of 1.0 %",
      },
      {
        kind: "standstill",
        from: 2,
        to: 3,
        message: "2018-03: standstill, capacity factor of 0.0 %",
      },
    ]);
  });

  it("F34 finds energy below zero and above the possible, from a wrong unit or number of units", () => {
    const months = [month("2018-01", -72_000), month("2018-02", 1_584_000)];
    assertEquals(findPeriodFaults(months, RATED), [
      { kind: "out_of_range", from: 0, to: 1, message: "2018-01: capacity factor of -5.0 %" },
      { kind: "out_of_range", from: 1, to: 2, message: "2018-02: capacity factor of 110.0 %" },
    ]);
  });

  it("counts the consumption of a stopped turbine as standstill", () => {
    // 2 % of rated power for 720 h are 28,800 kWh.
    const kinds = (energy: number) =>
      findPeriodFaults([month("2018-01", energy)], RATED)
        .map(({ kind }) => kind);
    assertEquals(kinds(-28_800), ["standstill"]);
    assertEquals(kinds(-28_801), ["out_of_range"]);
  });

  it("S5: finds nothing in a month without valid hours, because its energy covers no time", () => {
    assertEquals(findPeriodFaults([{ label: "2018-01", energy: 5000, hours: 0 }], RATED), []);
  });

  it("does not find missing months", () => {
    assertEquals(findPeriodFaults([month("2018-01", NaN)], RATED), []);
    assertEquals(findPeriodFaults([], RATED), []);
  });

  it("judges a year by its own hours", () => {
    const year = { label: "2018", energy: 170_000, hours: 8760 }; // 0.97 % of 17,520,000 kWh
    assertEquals(findPeriodFaults([year], RATED).map(({ kind }) => kind), ["standstill"]);
  });
});
