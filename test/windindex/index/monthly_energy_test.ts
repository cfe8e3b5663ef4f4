import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { describe, it } from "@std/testing/bdd";
import { HOUR, type HourAxis } from "../../../src/time/hourly.ts";
import {
  computeMonthlyEnergies,
  listMonthSpans,
  MIN_COMPLETENESS,
  type MonthlyEnergy,
} from "../../../src/windindex/index/monthly_energy.ts";
import { computeHourlyPower } from "../../../src/windindex/power_model.ts";
import { chooseReferencePeriod } from "../../../src/windindex/index/reference_period.ts";
import { at, hours } from "../_synthetic.ts";

const constant = (axis: HourAxis, power: number) => new Float64Array(axis.length).fill(power);

/** The month of a list, "2021-03". */
function monthOf(months: readonly MonthlyEnergy[], name: string): MonthlyEnergy {
  const entry = months.find(({ year, month }) =>
    `${year}-${String(month).padStart(2, "0")}` === name
  );
  assert(entry, `${name} is not there`);
  return entry;
}

/** A January of 1,000 kW in UTC with this many valid hours. */
function january(valid: number): MonthlyEnergy {
  const axis = hours("2018-01-01T00:00Z", "2018-02-01T00:00Z");
  return computeMonthlyEnergies(constant(axis, 1000).fill(NaN, valid), axis, "UTC")[0];
}

describe("listMonthSpans()", () => {
  it("gives the months that a record touches, with positions that may be outside of it", () => {
    const axis = hours("2018-01-31T22:00Z", "2018-02-01T02:00Z");
    assertEquals(listMonthSpans(axis, "UTC"), [
      { year: 2018, month: 1, from: -742, to: 2 }, // 31 x 24 hours
      { year: 2018, month: 2, from: 2, to: 674 }, // 28 x 24 hours
    ]);
  });

  it("gives no month for a record that ends at the month's start, nor for an empty one", () => {
    const axis = hours("2018-01-31T00:00Z", "2018-02-01T00:00Z");
    assertEquals(listMonthSpans(axis, "UTC").map(({ month }) => month), [1]);
    assertEquals(listMonthSpans({ start: axis.start, length: 0 }, "UTC"), []);
  });

  it("F36 puts the hour that starts 18:00Z into the old month if the new one begins 18:30Z", () => {
    const axis = hours("2020-01-31T17:00Z", "2020-01-31T21:00Z");
    const [january, february] = listMonthSpans(axis, "Asia/Kolkata");
    // 17:00Z and 18:00Z are 22:30 and 23:30 of 31 January in Kolkata, 19:00Z is 00:30 of 1 February.
    assertEquals([january.month, january.to], [1, 2]);
    assertEquals([february.month, february.from], [2, 2]);
  });
});

describe("computeMonthlyEnergies()", () => {
  it("F36 counts the hour that starts 18:00Z in Kolkata's old month", () => {
    const axis = hours("2019-12-31T19:00Z", "2020-02-29T19:00Z");
    const power = constant(axis, 0);
    power[(at("2020-01-31T18:00Z") - axis.start) / HOUR] = 700;
    const months = computeMonthlyEnergies(power, axis, "Asia/Kolkata");
    assertEquals(months.map(({ energy }) => energy), [700, 0]);
    // 31 x 24, and 29 x 24 in a leap year.
    assertEquals(months.map((entry) => entry.hours), [744, 696]);
  });

  it("F36 has 743 hours in March and 745 in October in Copenhagen", () => {
    const axis = hours("2020-12-31T23:00Z", "2021-12-31T23:00Z");
    const months = computeMonthlyEnergies(constant(axis, 1000), axis, "Europe/Copenhagen");
    const expected = [744, 672, 743, 720, 744, 720, 744, 744, 720, 745, 720, 744];
    assertEquals(months.map((entry) => entry.hours), expected);
    assertEquals(months.map(({ energy }) => energy), expected.map((count) => count * 1000));
    assertEquals(months.map(({ completeness }) => completeness), new Array(12).fill(1));
  });

  it("F36 gives every hour to exactly one month, in zones of whole, half and quarter hours", () => {
    const axis = hours("2010-01-01T00:00Z", "2013-01-01T00:00Z");
    const zones = [
      "UTC",
      "Asia/Kolkata",
      "Asia/Kathmandu",
      "Australia/Lord_Howe",
      "America/St_Johns",
    ];
    for (const zone of [...zones, "Pacific/Apia", "Asia/Amman", "Europe/Copenhagen"]) {
      const spans = listMonthSpans(axis, zone);
      assertEquals(spans[0].from <= 0 && spans[spans.length - 1].to >= axis.length, true, zone);
      for (const [i, { year, month, from, to }] of spans.entries()) {
        if (i > 0) assertEquals(from, spans[i - 1].to, `${zone} ${year}-${month}`);
        // The wall clock at both ends, by another library than the source's.
        const clock = new Intl.DateTimeFormat("en-CA", {
          timeZone: zone,
          year: "numeric",
          month: "2-digit",
        });
        for (const hour of [from, to - 1]) {
          const parts = clock.formatToParts(axis.start + hour * HOUR);
          const named = (type: string) => Number(parts.find((part) => part.type === type)!.value);
          assertEquals([named("year"), named("month")], [year, month], `${zone} hour ${hour}`);
        }
      }
    }
  });

  it("F37 keeps the extra day of a leap February", () => {
    const axis = hours("2020-01-01T00:00Z", "2021-01-01T00:00Z");
    const february = monthOf(computeMonthlyEnergies(constant(axis, 1000), axis, "UTC"), "2020-02");
    assertEquals([february.hours, february.energy], [696, 696_000]);
  });

  it("counts a month from 98 % of its hours on", () => {
    // 744 x 0.98 = 729.12
    const counts = january(730);
    assertAlmostEquals(counts.energy!, 744_000, 1e-6);
    assertEquals([counts.hours, counts.validHours], [744, 730]);
    assertEquals(counts.completeness, 730 / 744);
    const lacks = january(729);
    assertEquals(lacks.energy, null);
    assertEquals(lacks.completeness, 729 / 744);
    assert(counts.completeness >= MIN_COMPLETENESS && lacks.completeness < MIN_COMPLETENESS);
  });

  it("scales the energy of the valid hours to all hours", () => {
    const axis = hours("2018-01-01T00:00Z", "2018-02-01T00:00Z");
    const power = constant(axis, 1000);
    power.fill(NaN, 0, 4);
    power.fill(2000, 4, 374);
    // 370 hours of 2,000 and 370 of 1,000 kW: 1,110,000 kWh x 744 / 740
    const [{ energy, validHours }] = computeMonthlyEnergies(power, axis, "UTC");
    assertEquals(validHours, 740);
    assertAlmostEquals(energy!, 1_116_000, 1e-6);
  });

  it("F34 gives a month without valid hours no energy, and a month of calms zero", () => {
    assertEquals(january(0).energy, null);
    const axis = hours("2018-01-01T00:00Z", "2018-02-01T00:00Z");
    assertEquals(computeMonthlyEnergies(constant(axis, 0), axis, "UTC")[0].energy, 0);
  });

  it("has months that the record covers partly, as incomplete", () => {
    const axis = hours("2018-01-16T00:00Z", "2018-03-02T00:00Z");
    const months = computeMonthlyEnergies(constant(axis, 1), axis, "UTC");
    assertEquals(months.map(({ month, energy }) => [month, energy]), [[1, null], [2, 672], [
      3,
      null,
    ]]);
    assertEquals(months.map(({ validHours }) => validHours), [384, 672, 24]); // 16, 28 and 1 days
  });

  it("is preliminary if one of the month's hours is", () => {
    const axis = hours("2018-01-01T00:00Z", "2018-04-01T00:00Z");
    const flags = new Uint8Array(axis.length);
    flags[31 * 24 + 671] = 1; // the last hour of February
    const months = computeMonthlyEnergies(constant(axis, 1), axis, "UTC", flags);
    assertEquals(months.map(({ preliminary }) => preliminary), [false, true, false]);
    const without = computeMonthlyEnergies(constant(axis, 1), axis, "UTC");
    assertEquals(without.some(({ preliminary }) => preliminary), false);
  });

  it("loses no year of a record cut at UTC midnight, in any zone", () => {
    const axis = hours("2019-01-01T00:00Z", "2022-01-01T00:00Z");
    const hourly = computeHourlyPower(constant(axis, 1000), "instant"); // its last hour is missing, too
    for (const zone of Intl.supportedValuesOf("timeZone")) {
      const { years } = chooseReferencePeriod(computeMonthlyEnergies(hourly, axis, zone));
      // At most 14 + 1 hours of 744 are missing: 98.0 % remain.
      assertEquals(years, [2019, 2020, 2021], zone);
    }
  });
});
