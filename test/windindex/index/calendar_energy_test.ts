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
import { hours, uniforms } from "../_synthetic.ts";

// Energies of local months: completeness, scaling, and the losses of a record cut at UTC midnight. See also
// monthly_energy_test.ts; the calendar itself is in calendar_property_long_test.ts.

const zones = [...new Set([...Intl.supportedValuesOf("timeZone"), "UTC"])];

const around = (year: number): HourAxis =>
  hours(`${year - 1}-12-30T12:00Z`, `${year + 1}-01-02T12:00Z`);

/** The energies of one month of constant power with this many valid hours, counted from its first. */
function sumEnergy(zone: string, year: number, month: number, valid: number): MonthlyEnergy {
  const axis = around(year);
  const power = new Float64Array(axis.length).fill(NaN);
  const { from } = listMonthSpans(axis, zone)
    .find((span) => span.year === year && span.month === month)!;
  power.fill(500, from, from + valid);
  return computeMonthlyEnergies(power, axis, zone)
    .find((entry) => entry.year === year && entry.month === month)!;
}

/** Energies of months, added up hour by hour on the clock of Temporal. */
function addUp(power: Float64Array, axis: HourAxis, zone: string) {
  const months = new Map<string, { hours: number; valid: number; sum: number }>();
  for (let i = 0; i < power.length; i++) {
    const { year, month } = Temporal.Instant.fromEpochMilliseconds(axis.start + i * HOUR)
      .toZonedDateTimeISO(zone);
    const entry = months.get(`${year}-${month}`) ?? { hours: 0, valid: 0, sum: 0 };
    entry.hours++;
    if (!Number.isNaN(power[i])) {
      entry.valid++;
      entry.sum += power[i];
    }
    months.set(`${year}-${month}`, entry);
  }
  return months;
}

describe("computeMonthlyEnergies() counts a month from 98 % of its hours on", () => {
  it("with a limit of 0.98", () => assertEquals(MIN_COMPLETENESS, 0.98));

  // The smallest number of valid hours is 0.98 x hours, rounded up.
  const months: [number, string, number, number, number, string][] = [
    [672, "UTC", 2019, 2, 659, "658.56"],
    [696, "UTC", 2020, 2, 683, "682.08"],
    [719, "Asia/Damascus", 2011, 4, 705, "704.62"],
    [720, "UTC", 2019, 4, 706, "705.6"],
    [721, "America/Havana", 2015, 11, 707, "706.58"],
    [743, "Europe/Copenhagen", 2019, 3, 729, "728.14"],
    [744, "UTC", 2019, 1, 730, "729.12"],
    [745, "Europe/Copenhagen", 2019, 10, 731, "730.1"],
  ];
  for (const [count, zone, year, month, least, limit] of months) {
    it(`of ${count} hours with ${least}, not with ${least - 1}: the limit is ${limit}`, () => {
      const counts = sumEnergy(zone, year, month, least);
      assertEquals([counts.hours, counts.validHours], [count, least]);
      assertEquals(counts.completeness, least / count);
      assertAlmostEquals(counts.energy!, 500 * count, 1e-6); // scaled to all hours
      const lacks = sumEnergy(zone, year, month, least - 1);
      assertEquals([lacks.energy, lacks.completeness], [null, (least - 1) / count]);
    });
  }

  it("F37 and does not count a leap February without its 29th", () => {
    // 672 of 696 hours are 96.55 %.
    const { energy, completeness } = sumEnergy("Asia/Kolkata", 2024, 2, 672);
    assertEquals([energy, completeness], [null, 672 / 696]);
  });
});

describe("computeMonthlyEnergies(), hour by hour", () => {
  it("F36 F34 gives the sum of the hours of each local month, scaled, or null", () => {
    const random = uniforms(61);
    const places = [
      ...["Africa/Cairo", "America/Havana", "America/St_Johns", "Asia/Kathmandu", "UTC"],
      ...["Asia/Kolkata", "Australia/Lord_Howe", "Europe/Copenhagen", "Pacific/Apia"],
    ];
    const seen = { counted: 0, lacking: 0 };
    for (const zone of places) {
      // From 1942 on, and the year in which Samoa left out a day.
      const year = zone === "Pacific/Apia" ? 2011 : 1942 + Math.floor(84 * random());
      const axis = around(year);
      const power = Float64Array.from({ length: axis.length }, () => 2000 * random());
      for (let i = 0; i < power.length; i++) {
        // From none to 4 % of the hours missing, another share every 700 hours.
        if (random() < 0.04 * ((Math.floor(i / 700) * 0.37) % 1)) power[i] = NaN;
      }
      const expected = addUp(power, axis, zone);
      for (const entry of computeMonthlyEnergies(power, axis, zone)) {
        const label = `${zone} ${entry.year}-${entry.month}`;
        const { hours: count, valid, sum } = expected.get(`${entry.year}-${entry.month}`)!;
        assertEquals(entry.validHours, valid, label);
        if (entry.year !== year) continue; // not all hours are on the axis
        assertEquals(entry.hours, count, label);
        assertEquals(entry.completeness, valid / count, label);
        if (100 * valid >= 98 * count) {
          seen.counted++;
          assertAlmostEquals(entry.energy! / (sum * count / valid), 1, 1e-12, label);
        } else {
          seen.lacking++;
          assertEquals(entry.energy, null, label);
        }
      }
    }
    assert(seen.counted > 20 && seen.lacking > 20, JSON.stringify(seen));
  });
});

describe("computeMonthlyEnergies() of a record cut at UTC midnight", () => {
  it("loses an hour of January in Copenhagen, and keeps the month", () => {
    // Local January begins 2018-12-31T23:00Z, an hour before the record: 743 of 744 hours, 99.87 %.
    const axis = hours("2019-01-01T00:00Z", "2020-01-01T00:00Z");
    const power = new Float64Array(axis.length).fill(1000);
    const months = computeMonthlyEnergies(power, axis, "Europe/Copenhagen");
    assertEquals([months[0].validHours, months[0].hours], [743, 744]);
    assertAlmostEquals(months[0].energy!, 744_000, 1e-6); // 743,000 x 744 / 743
    // December ends at 23:00Z; the last hour of the record is the first of the next January.
    assertEquals([months[11].validHours, months[11].energy], [744, 744_000]);
    assertEquals([months[12].year, months[12].validHours, months[12].energy], [2020, 1, null]);
  });

  it("loses an hour of December in the Azores, two if winds are instantaneous, and keeps the month", () => {
    // Local December ends 2020-01-01T01:00Z. The last hour of instantaneous values has no next one.
    const axis = hours("2019-01-01T00:00Z", "2020-01-01T00:00Z");
    const power = new Float64Array(axis.length).fill(1000);
    for (const [stamp, valid] of [["start", 743], ["instant", 742]] as const) {
      const months = computeMonthlyEnergies(
        computeHourlyPower(power, stamp),
        axis,
        "Atlantic/Azores",
      );
      assertEquals([months[0].month, months[0].validHours, months[0].energy], [12, 1, null]);
      const december = months[12];
      assertEquals([december.year, december.month, december.hours], [2019, 12, 744]);
      assertEquals(december.validHours, valid);
      assertAlmostEquals(december.energy!, 744_000, 1e-6);
    }
  });

  it("F36 loses no more hours than the zone's offset from UTC, no month and no year, in any zone", () => {
    const random = uniforms(62);
    for (const zone of zones) {
      for (let n = 0; n < 2; n++) {
        const year = 1940 + Math.floor(86 * random());
        const axis = hours(`${year}-01-01T00:00Z`, `${year + 1}-01-01T00:00Z`);
        const power = new Float64Array(axis.length).fill(1000);
        const label = `${zone} ${year}`;
        const months = computeMonthlyEnergies(power, axis, zone).filter((entry) =>
          entry.year === year
        );
        assertEquals(months.length, 12, label);
        const away = [0, axis.length].map((i) =>
          Temporal.Instant.fromEpochMilliseconds(axis.start + i * HOUR)
            .toZonedDateTimeISO(zone).offsetNanoseconds / 3.6e12
        );
        // East of UTC the local year begins before the record, west of it it ends after the record.
        const lost = months.map(({ hours, validHours }) => hours - validHours);
        assertEquals(lost[0], Math.max(0, Math.floor(away[0])), label);
        assertEquals(lost[11], Math.max(0, Math.ceil(-away[1])), label);
        assertEquals(lost.slice(1, 11), new Array(10).fill(0), label);
        for (const { hours, energy } of months) {
          assertAlmostEquals(energy!, 1000 * hours, 1e-6, label);
        }
        const instants = computeMonthlyEnergies(computeHourlyPower(power, "instant"), axis, zone);
        assertEquals(chooseReferencePeriod(instants).years, [year], label);
      }
    }
  });
});
